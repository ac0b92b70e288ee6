"""Checks that ``core.frozen.quick`` saves at least a tenth of the processor time of a match.

Two fresh processes in turn play the same seeded matches through engine and record, as ``benchmarks.play`` does. One is
pubdice as it is. In the other, ``quick`` and ``maker`` do nothing, so all states are plain frozen dataclasses. The
ratio is the median over neighbouring runs. The script also prints the time to make one value of five fields: by a quick
class, by its maker, by a frozen class, and by one that is not frozen. The exit status is 1 if a game gains less than a
tenth.

    .venv/bin/python -m benchmarks.frozen [--matches 600] [--runs 7]
"""

import argparse
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from timeit import repeat

from pubdice.core.frozen import maker, quick

GOAL = 0.1
GAMES = ("midnight", "420")


@quick
@dataclass(frozen=True, slots=True)
class Quick:
    """A value of five fields, of a quick class."""

    one: int
    two: int
    three: int
    four: int
    five: int


@dataclass(frozen=True, slots=True)
class Frozen:
    """A value of five fields, of a frozen class."""

    one: int
    two: int
    three: int
    four: int
    five: int


@dataclass(slots=True, unsafe_hash=True)
class Plain:
    """A value of five fields, of a class that is not frozen."""

    one: int
    two: int
    three: int
    four: int
    five: int


def ns(kind: Callable[[int, int, int, int, int], object]) -> float:
    """Return the nanoseconds to make one value."""
    return min(repeat(lambda: kind(1, 2, 3, 4, 5), number=100_000, repeat=5)) * 1e4


def child(game: str, matches: int, *, bare: bool) -> float:
    """Return the processor seconds of the matches in a fresh process. With ``bare`` it runs without quick."""
    code = f"""
import pubdice.core.frozen as frozen
if {bare}:
    frozen.quick = frozen.maker = lambda cls: cls
from functools import partial
from random import Random
from benchmarks.play import play, timed
from pubdice.games import GAMES
from pubdice.match.header import RawHeader
kit = GAMES[{game!r}]
header = kit.normalize(RawHeader({{"game": kit.name, "seats": ", ".join(kit.names)}}))
body = partial(play, kit.match(header), header)
timed(body, 50, 1)
print(timed(body, {matches}, 420))
"""
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def main() -> int:
    """Compare both ways. Return exit status 1 if quick gains less than its goal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=600)
    parser.add_argument("--runs", type=int, default=7)
    chosen = parser.parse_args()
    gains = []
    for game in GAMES:
        pairs = [
            (child(game, chosen.matches, bare=False), child(game, chosen.matches, bare=True))
            for _ in range(chosen.runs)
        ]
        gains.append(median(1 - with_it / without for with_it, without in pairs))
        print(f"{game:<9} a match takes {gains[-1]:.1%} less with quick (median of {chosen.runs})")
    print(f"one value: quick {ns(Quick):.0f} ns, by its maker {ns(maker(Quick)):.0f} ns,", end=" ")
    print(f"frozen {ns(Frozen):.0f} ns, not frozen {ns(Plain):.0f} ns")
    return 0 if min(gains) >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
