"""Checks that ``pubdice --help`` takes at most 5 times as long as ``python3 -c pass``.

The console script and the Python of the same environment run in turn, each in a fresh process. The first two pairs do
not count. Times are by the clock. The ratio is the median over neighbouring runs. The exit status is 1 above 5,
and 2 if there is no console script.

    .venv/bin/python -m benchmarks.startup [--runs 40]
"""

import argparse
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

GOAL = 5


def run_s(command: list[str]) -> float:
    """Return the seconds that a command takes."""
    begun = perf_counter()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return perf_counter() - begun


def main() -> int:
    """Compare both. Return exit status 1 if the help is too slow."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=40)
    runs = parser.parse_args().runs
    script = Path(sys.executable).with_name("pubdice")
    if not script.exists():
        sys.stderr.write(f"no console script at {script}: install pubdice into this environment first\n")
        return 2
    helped, bare = [str(script), "--help"], [sys.executable, "-c", "pass"]
    pairs = [(run_s(helped), run_s(bare)) for _ in range(runs + 2)][2:]
    ratio = median(ours / theirs for ours, theirs in pairs)
    print(f"pubdice --help      {1000 * median(ours for ours, _ in pairs):6.1f} ms median of {runs}")
    print(f"python3 -c pass     {1000 * median(theirs for _, theirs in pairs):6.1f} ms median of {runs}")
    print(f"ratio               {ratio:6.2f} median; goal {GOAL} or less")
    return 0 if ratio <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
