"""Checks that random legal play through the engine and the record runs at 1/4 or more of a bare loop over tuples.

Both sides draw from ``random.Random`` with the same calls in the same order: ``choices`` for the dice, ``choice`` among
the legal keeps. So one seed must bring both to the same scores. The script checks that before it times anything. The
engine plays with the methods of ``Match``, which check every move, and writes each match as a record with
``write_steps`` during play. A third line, without a goal, keeps only the moves, and writes with ``write``, which plays
the whole match again to check every move a second time.

The bare loop below is the fast plain way: functions, tuples and lists, with keeps cached by hand. It has no objects, no
checks and no record. It serves only for this comparison.

Batches alternate in one process. Times are processor seconds. A rate is that of the fastest batch. The ratio is the
median over neighbouring batches. For 420 a match is a race, so matches/s are whole rounds a second and core. The exit
status is 1 if a ratio is below 1/4.

    .venv/bin/python -m benchmarks.play [--matches 2000] [--rounds 9] [--seed 420]
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from random import Random
from statistics import median
from time import process_time
from typing import Any

from pubdice.games import GAMES
from pubdice.match.header import Header, RawHeader
from pubdice.match.match import Match, MatchState
from pubdice.match.record import Move, Played, Rolled, write, write_steps

FACES = (1, 2, 3, 4, 5, 6)
GOAL = 1 / 4
Scores = tuple[int, int]
Bare = Callable[[Random], tuple[int, Scores]]


@cache
def bare_keeps(hand: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return every choice of at least one die of a sorted hand."""
    return [part for size in range(1, len(hand) + 1) for part in sorted(set(combinations(hand, size)))]


@cache
def bare_foundations(hand: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return every choice that 420 allows."""
    if sum(hand) > 20:
        return [()]
    found = [part for size in range(1, 4) for part in sorted(set(combinations(hand, size))) if sum(part) >= 5 * size]
    return [(), *found]


def bare_turn(rng: Random) -> int:
    """Play one turn of Midnight."""
    locked: list[int] = []
    while len(locked) < 6:
        hand = sorted(rng.choices(FACES, k=6 - len(locked)))
        locked += rng.choice(bare_keeps(tuple(hand)))
    return sum(locked) - 5 if 1 in locked and 4 in locked else 0


def bare_midnight(rng: Random) -> tuple[int, Scores]:
    """Play a match of five rounds between two seats. Return the turns played, and each seat's round wins."""
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
    """Play a race between two seats. Return the turns played, and the scores, which show the winner."""
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


def steps(match: Match[Any, Any], rng: Random) -> Iterator[tuple[MatchState[Any], Move, MatchState[Any]]]:
    """Play a whole match through the engine. Yield (state before, move, state after)."""
    state = match.start()
    while not state.over:
        before, due = state, match.to_roll(state)
        if due:
            dice = tuple(rng.choices(FACES, k=due))
            state = match.roll(state, tuple(sorted(dice)))
            yield before, Rolled(dice), state
        else:
            action = rng.choice(match.legal(state))
            state = match.play(state, action)
            yield before, Played(action), state


def play(match: Match[Any, Any], header: Header, rng: Random) -> str:
    """Play a whole match, and write its record meanwhile. Return the record."""
    return write_steps(header, match, steps(match, rng))


def play_twice(match: Match[Any, Any], header: Header, rng: Random) -> str:
    """Return the same record from the moves alone: ``write`` plays the whole match again and checks every move."""
    return write(header, match, [move for _, move, _ in steps(match, rng)])


def agree(match: Match[Any, Any], header: Header, bare: Bare, matches: int, seed: int) -> int:
    """Check that one seed brings both sides to the same points, and both writers to one text. Return the turns."""
    loop, points, once, twice = Random(seed), Random(seed), Random(seed), Random(seed)
    turns = 0
    for _ in range(matches):
        played, scores = bare(loop)
        *_, (_, _, last) = steps(match, points)
        record = play(match, header, once)
        if last.tally.points != scores or record.count("=") != played or record != play_twice(match, header, twice):
            raise SystemExit(f"the bare loop came to {scores} in {played} turns, the engine to {last.tally}:\n{record}")
        turns += played
    return turns


def timed(body: Callable[[Random], object], matches: int, seed: int) -> float:
    """Return the processor seconds of a batch."""
    rng = Random(seed)
    begun = process_time()
    for _ in range(matches):
        body(rng)
    return process_time() - begun


def compare(name: str, bare: Bare, matches: int, rounds: int, seed: int) -> float:
    """Print the rates of all three. Return the median ratio of engine and record to the bare loop."""
    kit = GAMES[name]
    header = kit.normalize(RawHeader({"game": name, "seats": ", ".join(kit.names)}))
    match = kit.match(header)
    turns = agree(match, header, bare, matches, seed)
    bodies: dict[str, Callable[[Random], object]] = {
        "bare loop": bare,
        "engine and record": lambda rng: play(match, header, rng),
        "the same, checked twice": lambda rng: play_twice(match, header, rng),
    }
    times: dict[str, list[float]] = {body: [] for body in bodies}
    for _ in range(rounds):
        for body, run in bodies.items():
            times[body].append(timed(run, matches, seed))
    print(f"{name}, {header.fields['format']}: {matches} matches, {turns} turns, {rounds} alternating batches")
    ratios = {}
    for body, taken in times.items():
        best = min(taken)
        ratios[body] = median(other / own for own, other in zip(taken, times["bare loop"], strict=True))
        rate = f"{turns / best:>9,.0f} turns/s  {matches / best:>7,.0f} matches/s"
        fastest = min(times["bare loop"]) / best
        print(f"  {body:<24}{rate}   1/{1 / ratios[body]:.2f} median, 1/{1 / fastest:.2f} fastest")
    return ratios["engine and record"]


def main() -> int:
    """Compare in both games. Return exit status 1 if a ratio is below the goal."""
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
