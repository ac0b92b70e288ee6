"""Measures Pig for two, solved from its rules alone, beside value iteration over three numbers.

Each side solves the same game in its own process. The house knows only states, dice and actions. The peer
(``tests/oracles/naive_pig.py``) knows that a position is three numbers: the points of the mover, of the other player,
and of the turn. Seconds are of the processor. A ratio above 1 shows that the house was quicker. The values agree to
1e-9.

Goal: Pig to 100 in 60 s and 2 GB.

    .venv/bin/python -m benchmarks.pig [--target 100]
"""

import argparse
import sys
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.solved_matches import memory

sys.path.insert(0, str(Path(__file__).parents[1] / "packages/workshop/src/pubdice_workshop/laws"))

SECONDS, MEGABYTES = 60.0, 2_000


def house(target: int) -> dict[str, float]:
    """Solve the game. Return the opener's value, its error bound, and the time and memory it took."""
    from pubdice.match.formats import Race  # noqa: PLC0415  in the process that is measured
    from pubdice.match.match import Match  # noqa: PLC0415
    from pubdice.solve.plain.solver import PlainSolver  # noqa: PLC0415
    from small_games import TurnedPig  # noqa: PLC0415

    begun, match = process_time(), Match(TurnedPig(target), 2, Race())
    solver = PlainSolver(match)
    value = solver.values(match.start())[0]
    return {"value": value, "bound": solver.bound, "s": process_time() - begun, "MB": memory()}


def peer(target: int) -> dict[str, float]:
    """Return the same figures of the peer."""
    from oracles.naive_pig import pig  # noqa: PLC0415  in the process that is measured

    begun = process_time()
    return {"value": pig(target)[0, 0, 0], "s": process_time() - begun, "MB": memory()}


def alone(function: Any, target: int) -> dict[str, float]:
    """Run a function in its own process, and return its figures."""
    with get_context("spawn").Pool(1) as pool:
        found: dict[str, float] = pool.apply(function, (target,))
    return found


def main() -> int:
    """Print a line. Return exit status 1 if the goal is missed, or if the values differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", type=int, default=100, help="the points that win")
    target = parser.parse_args().target
    found, other = alone(house, target), alone(peer, target)
    print(f"Pig to {target}: opener {found['value']:.10f}, bound {found['bound']:.1e}")
    print(f"house {found['s']:.1f} s, {found['MB']:.0f} MB; peer {other['s']:.1f} s, {other['MB']:.0f} MB")
    print(f"ratio {other['s'] / found['s']:.2f}")
    agree = abs(found["value"] - other["value"]) < 1e-9
    return int(not agree or found["s"] > SECONDS or found["MB"] > MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())
