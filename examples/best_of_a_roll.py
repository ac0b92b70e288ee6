"""What to keep of the first roll at Midnight, for one to four players: python best_of_a_roll.py 344512."""

import sys

import pubdice

NAMES = ("Ann", "Bob", "Cid", "Dot")


def best(dice: str, seats: int) -> pubdice.RankedAction:
    """The best keep of these six dice for the first of so many players."""
    match: pubdice.MatchInPlay = pubdice.new_match("midnight", NAMES[:seats], format="rounds 1")
    return pubdice.advise(match.roll(dice)).best


def main() -> None:
    """Print a line for every number of players; a mistake is one sentence."""
    dice = sys.argv[1] if len(sys.argv) > 1 else "344512"
    try:
        for seats in range(1, len(NAMES) + 1):
            found = best(dice, seats)
            print(f"{seats}: {found.words} ({found.value:.3f})")
    except pubdice.Failure as failure:
        sys.exit(str(failure))


if __name__ == "__main__":
    main()
