"""Measures the turns simulated a second on one core, against a C loop, in one run.

- *c*: turns of Midnight with the best mean score, as a person writes them in C. The loop throws the dice by
  xorshift64*, and looks up the keep for the locked and the other dice, until all are locked. It is compiled here by
  ``cc -O3 -march=native``. Its mean score is checked against the exact one.
- *numba*, *numpy*: ``lab.drawing`` over one round of two such bots, and over a race of 420. It makes one draw a turn,
  from the turn's exact distribution. So it does less than the loop, which throws each die. That is its advantage.
- *two cores*: the matches a second of two processes against one. The start of the processes does not count.

Batches alternate in one process. A rate is that of the fastest batch. The exit status is 1 if a goal is missed.

    .venv/bin/python -m benchmarks.simulation [--batches 5]
"""

import argparse
import ctypes
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any

from pubdice.core.dice import hands
from pubdice.core.game import RoundState
from pubdice.games import GAMES
from pubdice.solve.turns.turn import turn
from pubdice_lab.chain import WholeChain
from pubdice_lab.counting import LARGEST_BLOCK, SimulationPlan, count_blocks
from pubdice_lab.drawing import DrawnMatches

GOALS = {"numba M/s": 28.0, "numpy M/s": 10.0, "420 numba M/s": 28.0, "two cores": 1.9}
BLOCKS = 100
PLANS = {
    "midnight": SimulationPlan(
        "midnight", ("steady", "steady"), BLOCKS * LARGEST_BLOCK, "1", (("format", "rounds 1"),)
    ),
    "420": SimulationPlan("420", ("tip", "steady"), BLOCKS * LARGEST_BLOCK, "1"),
}
LOOP = r"""
#include <stdint.h>
/* Sets of dice count the faces, three bits each; keep[locked][lying] is what joins the locked ones. */
double play(const uint32_t *keep, const int32_t *number, const uint8_t *score, long turns, uint64_t seed) {
    uint64_t x = seed; long total = 0;
    for (long at = 0; at < turns; at++) {
        uint32_t locked = 0; int due = 6;
        while (due) {
            uint32_t lying = 0;
            x ^= x >> 12; x ^= x << 25; x ^= x >> 27;
            uint64_t word = x * 0x2545F4914F6CDD1DULL;
            for (int die = 0; die < due; die++) {  /* six faces from ten bits each: off by 0.1 % at most */
                lying += 1u << (3 * (((word & 1023) * 6) >> 10)); word >>= 10;
            }
            uint32_t kept = keep[number[locked] * 1024 + number[lying]];
            locked += kept;
            due -= __builtin_popcount(kept & 0x09249) + 2 * __builtin_popcount(kept & 0x12492)
                 + 4 * __builtin_popcount(kept & 0x24924);  /* the first, second and third bit of each face */
        }
        total += score[number[locked]];
    }
    return (double)total / turns;
}
"""


def packed(hand: tuple[int, ...]) -> int:
    """Return a hand as a number: for each face the number of its dice, in three bits."""
    return sum(1 << 3 * (face - 1) for face in hand)


def c_loop(folder: Path) -> Any:
    """Compile the C loop. Return a function that plays a number of turns and returns the mean score."""
    game, number, place = GAMES["midnight"].usual_game, (ctypes.c_int32 * (1 << 18))(), 0
    all_hands = [hand for dice in range(7) for hand in (hands(dice) if dice else [()])]
    for place, hand in enumerate(all_hands):
        number[packed(hand)] = place
    keep, score = (ctypes.c_uint32 * (1024 * 1024))(), (ctypes.c_uint8 * 1024)()
    policy = GAMES["midnight"].policies["steady"]
    for locked in all_hands:
        if len(locked) == 6:
            score[number[packed(locked)]] = game.worth(locked)  # type: ignore[attr-defined]
            continue
        for lying in hands(6 - len(locked)):
            ((kept, _),) = policy(game, RoundState(1, (), locked, lying))
            keep[number[packed(locked)] * 1024 + number[packed(lying)]] = packed(kept.dice)
    source, library = folder / "loop.c", folder / "loop.so"
    source.write_text(LOOP)
    compiler = shutil.which("cc")
    if compiler is None:
        sys.exit("A C compiler is needed: cc.")
    subprocess.run([compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source], check=True)
    play = ctypes.CDLL(str(library)).play
    play.restype = ctypes.c_double
    play.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_long, ctypes.c_uint64]
    return lambda turns, seed: play(keep, number, score, turns, seed)


def drawn_turns(drawn: DrawnMatches, first: int) -> int:
    """Draw ``BLOCKS`` blocks of matches. Return the number of turns."""
    turns = 0
    for number in range(first, first + BLOCKS):
        turns += sum(met for event, met in drawn.block(number, LARGEST_BLOCK).items() if event.seat >= 0)
    return turns


def two_cores(batches: int) -> float:
    """Return how many times as many matches two processes play as one, in the same time."""
    plan = SimulationPlan("midnight", ("steady", "steady"), 16 * BLOCKS * LARGEST_BLOCK, "1", (("format", "rounds 1"),))
    part, taken = 4 * BLOCKS, {1: [0.0] * batches, 2: [0.0] * batches}
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for _ in range(2):  # wait until both are ready, and have compiled
            list(pool.map(count_blocks, [plan] * 4, range(4), range(2, 6)))
        for at in range(batches):
            for workers in (1, 2):
                begun = perf_counter()
                list(pool.map(count_blocks, [plan] * workers, range(workers), [part + each for each in range(workers)]))
                taken[workers][at] = perf_counter() - begun
    return 2 * min(taken[1]) / min(taken[2])


def main() -> int:
    """Measure all. Return the exit status."""
    parser = argparse.ArgumentParser(description="Turns simulated a second, against a C loop.")
    parser.add_argument("--batches", type=int, default=5)
    batches = parser.parse_args().batches
    rates: dict[str, float] = {}
    chains = {name: plan.chain() for name, plan in PLANS.items()}
    wholes = {name: WholeChain(chain) for name, chain in chains.items()}
    sides = {
        f"{game} {'numba' if compiled else 'numpy'}": DrawnMatches(chains[game], wholes[game], "1", compiled=compiled)
        for game in PLANS
        for compiled in (True, False)
    }
    for drawn in sides.values():
        drawn.block(0, LARGEST_BLOCK)
    turned = turn(GAMES["midnight"].usual_game)
    exact = float(turned.solve(turned.mean).value[turned.start])
    with tempfile.TemporaryDirectory() as folder:
        loop = c_loop(Path(folder))
        for batch in range(batches):
            begun = perf_counter()
            mean = loop(4_000_000, batch + 1)
            rates["c"] = max(rates.get("c", 0.0), 4.0 / (perf_counter() - begun))
            if abs(mean - exact) > 0.05:
                sys.exit(f"the loop plays something else: {mean}, not {exact}")
            for name, drawn in sides.items():
                begun = perf_counter()
                turns = drawn_turns(drawn, batch * BLOCKS)
                rates[name] = max(rates.get(name, 0.0), turns / (perf_counter() - begun) / 1e6)
    found = {
        "numba M/s": rates["midnight numba"],
        "numpy M/s": rates["midnight numpy"],
        "420 numba M/s": rates["420 numba"],
        "two cores": two_cores(batches),
    }
    for name, rate in rates.items():
        print(f"{name:<16} {rate:7.1f} million turns a second, {rate / rates['c']:.2f} times the C loop")
    print(f"two processes    {found['two cores']:7.2f} times one")
    missed = [name for name, goal in GOALS.items() if found[name] < goal]
    print(f"missed: {', '.join(missed)}" if missed else "every goal held")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
