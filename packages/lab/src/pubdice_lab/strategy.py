"""Writes docs/solve/strategy.md, from the solved games: ``python -m pubdice_lab.strategy [FILE]``.

It computes every figure, and rounds it so the last printed digit is certain, also in the tables of bots. A test writes
the page again.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import fill

from pubdice.advice.bots import usual_threshold
from pubdice.core.game import TurnGame
from pubdice.games import GAMES
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.games.mexico import card as card_mexico
from pubdice.games.midnight.rules import Midnight
from pubdice.games.ship import card as card_ship
from pubdice.games.shutbox import card as card_shutbox
from pubdice.kit import PERFECT
from pubdice.solve.race.seat import turns
from pubdice.solve.race.solutions import odds
from pubdice.solve.turns.turn import turn
from pubdice.solve.turns.win import win
from pubdice_lab import strategy_text
from pubdice_lab.claims import Claim, per_cent
from pubdice_lab.fourtwenty_claims import of_420
from pubdice_lab.midnight_claims import of_midnight
from pubdice_lab.strategy_figures import (
    THREE_LIVES,
    ShareTable,
    asked,
    bot_shares,
    command_lines,
    fourtwenty,
    given_up,
    mexico,
    midnight_scores,
    ship,
    threes,
    threes_reached,
    tip_gives_up,
)

WIDTH = 118
PAIR = 5
"""The points that the 1 and the 4 add to the total of all six dice."""
CARDS = ("midnight", "420", "ship", "threes", "mexico", "shutbox --die may")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown. The first column has words, the others numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _table(rows: Sequence[Sequence[str]]) -> str:
    return table(rows[0], rows[1:])


def _turn_game(name: str) -> TurnGame:
    game = GAMES[name].usual_game
    assert isinstance(game, TurnGame), name
    return game


def _turns() -> str:
    rows = []
    for need in ((1, 4), (2, 4)):
        turned = turn(Midnight(need))
        steady = turned.solve(turned.mean)
        opens = steady.chance[turned.start]
        qualify = float(turned.best((turned.mean > 0).astype(float)[:, None])[0])
        best = float(turned.best((turned.mean == 24).astype(float)[:, None])[0])
        rows.append(
            (
                f"{need[0]} and {need[1]}",
                f"{float(steady.value[turned.start]):.4f}",
                per_cent(float(1 - opens[0])),
                per_cent(qualify),
                per_cent(float(opens[-1])),
                per_cent(best),
            )
        )
    head = ("need", "best mean score", "it qualifies", "best chance to", "it makes 24", "best chance to")
    return table(head, rows)


def _reach() -> str:
    turned = turn(Midnight((1, 4)))
    opens = turned.solve(turned.mean).chance[turned.start]
    rows = []
    for score in (12, 14, 16, 18, 19, 20, 21, 22, 23, 24):
        reached = turned.mean >= score
        best = float(turned.best(reached.astype(float)[:, None])[0])
        rows.append((f"{score} or more", per_cent(best), per_cent(float(opens[reached].sum()))))
    return table(("score", "played for it", "played for the mean"), rows)


def _openers() -> str:
    rows = []
    for need in ((1, 4), (2, 4)):
        for seats in (2, 3, 4):
            shares = win(Midnight(need), "share", seats, 1 / seats).by_seat()
            rows.append((f"{need[0]} and {need[1]}, {seats} seats", ", ".join(per_cent(share) for share in shares)))
    return table(("one round, equal scores share", "each seat's share, the opener's first"), rows)


def _races() -> str:
    rows = []
    for drinks, most in ((False, 4), (True, 3)):
        for seats in range(2, most + 1):
            found = odds(FourTwenty(), seats, drinks)
            name = f"{seats} seats, {'buys the drinks' if drinks else 'wins the race'}"
            rows.append((name, ", ".join(per_cent(chance) for chance in found.chances)))
    return table(("best play by all", "each seat's, Player 1's first"), rows)


def _claims(claims: Sequence[Claim]) -> str:
    return "\n".join(map(_claim, claims))


def _claim(claim: Claim) -> str:
    return (
        fill(f"- **{claim.verdict.capitalize()}.** {claim.advice} ({claim.source})", WIDTH, subsequent_indent="  ")
        + "\n"
        + fill(f"Taken as: {claim.precise}. {claim.shown}", WIDTH, initial_indent="  ", subsequent_indent="  ")
        + "\n"
    )


def _against(found: ShareTable, digits: int = 2) -> str:
    names = found.names
    ordered = [(one, *(per_cent(share, digits) for share in row)) for one, row in zip(names, found.share, strict=True)]
    both = [
        (one, *("–" if at == other else per_cent(found.averaged(at, other), digits) for other in range(len(names))))
        for at, one in enumerate(names)
    ]
    head = table(("first", *names), ordered)
    return strategy_text.ORDERED + head + strategy_text.AVERAGED + table(("", *names), both)


def _spreads() -> str:
    rows = [
        (
            each.name,
            f"{each.mean:.3f}",
            f"{each.deviation:.3f}",
            per_cent(each.qualify),
            per_cent(each.modest),
            per_cent(each.best),
        )
        for each in midnight_scores()
    ]
    return table(("bot", "mean score", "spread", "qualifies", "4 to 16", "makes 24"), rows)


def _card(lines: Sequence[str]) -> str:
    return "\n".join(["```", *lines, "```", ""])


def page() -> str:
    """The whole page as Markdown, computed from the rules."""
    spreads = {each.name: each for each in midnight_scores()}
    opener, steady = spreads[PERFECT], spreads["steady"]
    numbers = {
        "stop": card_ship.STOP,
        "late": card_ship.STOP_LATE,
        "early": card_mexico.STOP_EARLY,
        "then": card_mexico.STOP,
        "little": card_shutbox.LITTLE,
        "mean": f"{steady.mean:.4f}",
        "chance": f"{steady.qualify:.6f}",
        "total": f"{steady.mean + PAIR * steady.qualify:.4f}",
        "last": per_cent(1 - bot_shares("midnight").share[-1][-1]),
        **{
            f"{name}_{bot}": usual_threshold(_turn_game(name), bot)
            for name in ("ship", "threes")
            for bot in ("cautious", "bold")
        },
        **{f"midnight_{bot}": GAMES["midnight"].thresholds[bot] for bot in ("cautious", "bold")},
    }
    parts = (
        strategy_text.TOP.format(**numbers),
        strategy_text.TURN,
        _turns(),
        strategy_text.REACH,
        _reach(),
        strategy_text.LAST,
        _openers(),
        strategy_text.OPENER.format(
            mean=f"{opener.mean:.2f}", less=f"{steady.mean - opener.mean:.2f}", qualify=per_cent(opener.qualify)
        ),
        strategy_text.RACES.format(turns=f"{float(turns(FourTwenty())[0]):.3f}"),
        _races(),
        strategy_text.SHIP.format(aboard=per_cent(asked("odds ship --goal score")["qualify"])),
        _table(ship()),
        strategy_text.SHIP_FOUND,
        strategy_text.THREES.format(mean=f"{asked('odds threes --goal score')['value']:.4f}"),
        _table(threes_reached()),
        strategy_text.THREES_FOUND,
        _table(threes()),
        strategy_text.THREES_CARD,
        strategy_text.MEXICO,
        _table(mexico()),
        strategy_text.MEXICO_FOUND.format(**numbers),
        strategy_text.CARDS,
        "\n".join(_card(command_lines(f"card {name}")) for name in CARDS),
        strategy_text.CLAIMS,
        _claims(of_midnight()),
        "\n### 420\n\n",
        _claims(of_420()),
        strategy_text.BOTS.format(**numbers),
        _against(bot_shares("midnight")),
        strategy_text.SPREADS,
        _spreads(),
        strategy_text.RACE,
        _against(fourtwenty()),
        strategy_text.RACE_FOUND,
        "\n### Ship, one round of two\n\n",
        _against(bot_shares("ship")),
        strategy_text.SHIP_BOTS,
        "\n### Threes, one round of two\n\n",
        _against(bot_shares("threes")),
        "\n### Mexico, one round of two\n\n",
        _against(bot_shares("mexico")),
        "\n### Mexico, three lives, two players\n\n",
        _against(bot_shares("mexico", THREE_LIVES)),
        strategy_text.SHUTBOX,
        _against(bot_shares("shutbox")),
        strategy_text.END.format(tip=tip_gives_up("shutbox", die="may"), card=given_up("card shutbox --die may")),
    )
    return "".join(parts)


def main(words: Sequence[str]) -> int:
    """Write the page to a file, or to standard output."""
    told = "Works out every figure of docs/solve/strategy.md again, and writes the page."
    parser = argparse.ArgumentParser(prog="python -m pubdice_lab.strategy", description=told)
    parser.add_argument("file", metavar="FILE", nargs="?", type=Path, help="where to write it (standard output)")
    file = parser.parse_args(words).file
    if file:
        file.write_text(page(), encoding="utf-8")
    else:
        sys.stdout.write(page())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
