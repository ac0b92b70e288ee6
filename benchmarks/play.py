"""Claim: random legal play through the engine and the record runs at 1/6 or more of a bare loop over tuples.

Both sides draw from ``random.Random`` with the same calls in the same order: ``choices`` for the dice, ``choice`` among
the legal keeps. So one seed must bring both to the same scores, and the script checks that before it times anything.
The engine plays with the verbs of ``Match``, collects the moves and writes every whole match as a record, which checks
every move once more. The bare loop below is the fast plain way: functions, tuples and lists, keeps cached by hand, no
objects, no checks, no record. It is written for comparison only and decides nothing anywhere.

Batches alternate, engine then bare, in one process; times are processor seconds; the ratio is the median of the ratios
of neighbouring batches, beside the ratio of the fastest batches.

    python benchmarks/play.py [--matches 2000] [--rounds 9] [--seed 420]
"""

import argparse
import sys
from collections.abc import Callable
from functools import cache
from itertools import combinations
from random import Random
from statistics import median
from time import process_time
from typing import Any

from pubdice.games import GAMES
from pubdice.match import Match
from pubdice.record import Header, Move, Played, Rolled, write

FACES = (1, 2, 3, 4, 5, 6)
GOAL = 1 / 6
Scores = tuple[int, int]
Bare = Callable[[Random], tuple[int, Scores]]


@cache
def bare_keeps(hand: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Every choice of at least one die of a sorted hand."""
    return [part for size in range(1, len(hand) + 1) for part in sorted(set(combinations(hand, size)))]


@cache
def bare_foundations(hand: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Every choice 420 allows."""
    if sum(hand) > 20:
        return [()]
    found = [part for size in range(1, 4) for part in sorted(set(combinations(hand, size))) if sum(part) >= 5 * size]
    return [(), *found]


def bare_turn(rng: Random) -> int:
    """One turn of Midnight."""
    locked: list[int] = []
    while len(locked) < 6:
        hand = sorted(rng.choices(FACES, k=6 - len(locked)))
        locked += rng.choice(bare_keeps(tuple(hand)))
    return sum(locked) - 5 if 1 in locked and 4 in locked else 0


def bare_midnight(rng: Random) -> tuple[int, Scores]:
    """A match of five rounds between two seats: turns played, round wins."""
    wins = [0, 0]
    opener = 0
    for _ in range(5):
        scores = [0, 0]
        scores[opener] = bare_turn(rng)
        scores[1 - opener] = bare_turn(rng)
        best = max(scores)
        if best:
            for seat in (0, 1):
                wins[seat] += scores[seat] == best
        opener = 1 - opener
    return 10, (wins[0], wins[1])


def bare_420(rng: Random) -> tuple[int, Scores]:
    """A race between two seats: turns played, who won."""
    hands: list[tuple[int, ...]] = [(), ()]
    turns = seat = 0
    while True:
        hand = hands[seat]
        kept = rng.choice(bare_foundations(hand)) if hand else ()
        hand = tuple(sorted([*kept, *rng.choices(FACES, k=4 - len(kept))]))
        hands[seat] = hand
        turns += 1
        if sum(hand) == 20:
            return turns, ((1, 0), (0, 1))[seat]
        seat = 1 - seat


def play(match: Match[Any, Any], header: Header, rng: Random) -> tuple[str, Scores]:
    """A whole match through the engine: its record and its points."""
    moves: list[Move] = []
    state = match.start()
    while match.mover(state) is not None:
        due = match.to_roll(state)
        if due:
            dice = tuple(rng.choices(FACES, k=due))
            moves.append(Rolled(dice))
            state = match.roll(state, tuple(sorted(dice)))
        else:
            action = rng.choice(match.legal(state))
            moves.append(Played(action))
            state = match.play(state, action)
    first, second = state.tally.points
    return write(header, match, moves), (first, second)


def compare(name: str, bare: Bare, matches: int, rounds: int, seed: int) -> float:
    """Print the rates of both sides; the median ratio."""
    kit = GAMES[name]
    header = kit.settle(Header({"game": name, "seats": ", ".join(kit.names)}))
    match = kit.match(header)
    turns = 0
    ours, theirs = Random(seed), Random(seed)
    for _ in range(matches):
        played, points = bare(theirs)
        record, scores = play(match, header, ours)
        if points != scores:
            raise SystemExit(f"the bare loop and the engine disagree: {points} and {scores} in\n{record}")
        turns += played
    times: list[Scores | tuple[float, float]] = []
    for _ in range(rounds):
        ours, theirs = Random(seed), Random(seed)
        begun = process_time()
        for _ in range(matches):
            play(match, header, ours)
        between = process_time()
        for _ in range(matches):
            bare(theirs)
        times.append((between - begun, process_time() - between))
    ratio = median(loop / engine for engine, loop in times)
    engine_s, loop_s = min(engine for engine, _ in times), min(loop for _, loop in times)
    print(f"{name}, {header.fields['format']}: {matches} matches, {turns} turns, {rounds} alternating batches")
    print(f"  engine and record {turns / engine_s:>9,.0f} turns/s   {matches / engine_s:>7,.0f} matches/s   (fastest batch)")
    print(f"  bare loop         {turns / loop_s:>9,.0f} turns/s   {matches / loop_s:>7,.0f} matches/s   (fastest batch)")
    print(f"  engine / bare: 1/{1 / ratio:.2f} median, 1/{engine_s / loop_s:.2f} fastest; goal 1/6 or more")
    if name == "420":
        print(f"  whole 420 rounds, played and recorded: {matches / engine_s:,.0f} a second and core")
    return ratio


def main() -> int:
    """Compare both games; exit status 1 if a ratio falls short."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seed", type=int, default=420)
    chosen = parser.parse_args()
    bares: dict[str, Bare] = {"midnight": bare_midnight, "420": bare_420}
    ratios = [compare(name, bare, chosen.matches, chosen.rounds, chosen.seed) for name, bare in bares.items()]
    return 0 if min(ratios) >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
