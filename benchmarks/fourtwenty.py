"""Measures how fast 420 is solved, and how near a sweep comes to the speed of the machine's memory.

- Sweep: the state-values a second on one core, for five seats (3.8 million values), by numba and by numpy. The peer is
  the machine's memory in the same run: STREAM's "add" (c = a + b, 24 bytes an entry) in one thread. A state-value moves
  at least 20 bytes: two doubles are read, and one single is written. Goals: 250 million a second by numba, 25 million
  by numpy. Other work shares the machine, so the script also prints the share of the memory's speed.
- Solved: seconds by the clock and peak memory for each number of seats. Each runs in a fresh process, with compiled
  code cached before. Goals: two seats 20 ms, five seats 2 s, six seats 30 s and 3 GB. With --seven: seven seats 30 min
  and 18 GB.
- Cold: a process that starts, imports and answers ``advise`` for two seats, with nothing cached. Goal: 0.4 s.

The exit status is 1 if a goal is missed.

    .venv/bin/python -m benchmarks.fourtwenty [--rounds 5] [--seven]
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.solve.acceleration import numba_there
from pubdice.solve.race.compiled_sweep import fast_sweep
from pubdice.solve.race.race import PRECISION, plain_pay, solve
from pubdice.solve.race.seat import one_seat
from pubdice.solve.race.solutions import Solutions
from pubdice.solve.race.sweep import Kernel, SweepStage, sweep, table

AUTOMATON = one_seat(FourTwenty()).automaton
BYTES = 20
GOALS = {"2": (0.020, 3.0), "3": (2.0, 3.0), "4": (2.0, 3.0), "5": (2.0, 3.0), "6": (30.0, 3.0), "7": (1800.0, 18.0)}
COLD_S = 0.4
COLD = (
    "from pubdice.advice.hand_advice import advise_hands; from pubdice.games import GAMES; "
    "advise_hands(GAMES['420'], {'hands': '6551,4332'})"
)


def rate(kernel: Kernel, rounds: int) -> float:
    """Return the state-values a second of the fastest sweep."""
    rules, values = table(AUTOMATON), solve(AUTOMATON, 5).values[0]
    policy, out = np.zeros(values.shape[1], np.uint8), np.zeros(values.shape, PRECISION)
    turn = SweepStage(values, values, plain_pay(5)[0], policy, out)
    times = []
    for _ in range(rounds):
        begin = perf_counter()
        kernel(rules, turn)
        times.append(perf_counter() - begin)
    return float(values.size / min(times))


def memory(rounds: int) -> float:
    """Return the bytes a second of STREAM's add in one thread."""
    a, b, c = (np.full(20_000_000, 1.0) for _ in range(3))
    times = []
    for _ in range(rounds):
        begin = perf_counter()
        np.add(a, b, out=c)
        times.append(perf_counter() - begin)
    return 24 * len(a) / min(times)


def solved(seats: int, drinks: bool, folder: Path | None) -> None:
    """Solve, and print seconds and gigabytes. Runs in a process of its own."""
    if folder is not None:
        fast_sweep(folder)
    begin = perf_counter()
    Solutions(AUTOMATON, None).solved(seats, drinks) if folder is None else _solve(seats, drinks, folder)
    taken = perf_counter() - begin
    status = Path("/proc/self/status").read_text(encoding="ascii")  # not getrusage, which also counts the parent's peak
    print(taken, int(status.split("VmHWM:")[1].split()[0]) / 2**20)


def _solve(seats: int, drinks: bool, folder: Path) -> None:
    """Solve as the house does with a cache folder that has no solution yet."""
    solutions = Solutions(AUTOMATON, folder)
    for stored in folder.glob("*.npz"):
        stored.unlink()
    solutions.solved(seats, drinks)


def measured(*words: str) -> tuple[float, float]:
    """Return the seconds and gigabytes of ``solved`` in a fresh process."""
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.fourtwenty", "--one", *words], capture_output=True, text=True, check=True
    )
    taken, peak = run.stdout.split()
    return float(taken), float(peak)


def sweeps(rounds: int, folder: Path) -> bool:
    """Print the rates. Return False if a goal is missed."""
    kernels: dict[str, tuple[Kernel, float]] = {"numpy": (sweep, 25e6)}
    if numba_there():
        kernels["numba, one thread"] = (fast_sweep(folder, 1), 250e6)
    good = True
    for name, (kernel, goal) in kernels.items():
        values, moved = rate(kernel, rounds), memory(rounds)
        share = values * BYTES / moved
        print(f"  {name:<20}{values / 1e6:>6,.0f} million state-values/s and core (goal {goal / 1e6:.0f}),", end=" ")
        print(f"{values * BYTES / 1e9:.1f} of {moved / 1e9:.1f} GB/s, 1/{1 / share:.1f}")
        good &= values >= goal
    return good


def main() -> int:
    """Measure all claims. Return exit status 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seven", action="store_true")
    parser.add_argument("--one", nargs=3, metavar=("SEATS", "FORM", "FOLDER"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        seats, form, folder = chosen.one
        solved(int(seats), form == "drinks", Path(folder) if folder != "-" else None)
        return 0
    with tempfile.TemporaryDirectory() as name:
        where = name if numba_there() else "-"
        print("sweep of five seats, against the memory's own speed in the same run")
        good = sweeps(chosen.rounds * 4, Path(name))
        print("solved, each in a process of its own")
        for seats, (goal_s, goal_gb) in GOALS.items():
            if seats == "7" and not chosen.seven:
                continue
            rounds = chosen.rounds if int(seats) < 6 else 1
            runs = [measured(seats, "race", where) for _ in range(rounds)]
            taken, peak = min(taken for taken, _ in runs), max(peak for _, peak in runs)
            print(f"  {seats} seats {taken:>10.4f} s (goal {goal_s:g}) {peak:>7.2f} GB (goal {goal_gb:g})")
            good &= taken <= goal_s and peak <= goal_gb
        taken, peak = measured("5", "drinks", where)
        print(f"  5 seats, drinks {taken:>6.2f} s {peak:>7.2f} GB")
        times = []
        for _ in range(chosen.rounds):
            begin = perf_counter()
            subprocess.run([sys.executable, "-c", COLD], check=True)
            times.append(perf_counter() - begin)
        print(f"  advise for two, cold {min(times):.2f} s (goal {COLD_S})")
        good &= min(times) <= COLD_S
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
