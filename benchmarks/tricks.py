"""Measures the saving of each performance trick of the house: processor time a move with all tricks, and without one.

Whole houses run in turn (``closed`` in ``benchmarks.house``, 500 tables). The least of several runs counts, as other
work can only add time. A trick that saves less than a tenth of a move is marked, and should be removed.

- callback: a command is answered by a callback (``pages/commands``), without Starlette and without a task. Its answer
  is written to the transport in one piece (``uvicorn_protocol``). This is one design, so it is removed as a whole
- collector: frozen objects and long intervals (``server/garbage.tune``)
- quick: states that are filled before they are frozen (``core/frozen``)

    .venv/bin/python -m benchmarks.tricks [--seconds 3] [--times 3] [NAME ...]
"""

import argparse
import sys
from pathlib import Path

import uvloop

from benchmarks.load.playing import closed, cpu_s_own, opened, settled
from benchmarks.load.process import Running, load_average, running
from benchmarks.load.tables import Times
from pubdice.server.serve import MOST_FILES, allow_files

WITHOUT = {
    "all": "",
    "callback": "from pubdice.server.web.guard import Guard; Guard.submit = lambda *given: False",
    "collector": ("from pubdice.server import garbage as g; g.THRESHOLDS = (700, 10, 10); g.gc.freeze = lambda: None"),
    "quick": "from pubdice.core import frozen; frozen.quick = frozen.maker = lambda cls: cls",
}
"""The Python code to run in the house's process before the house is loaded, to remove a trick."""
WORTH = 0.1


def main() -> int:
    """Measure all. Return exit status 0, as people decide on tricks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*WITHOUT, []])
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--folder", type=Path, default=Path())
    chosen = parser.parse_args()
    allow_files(MOST_FILES)
    names = ["all", *[name for name in chosen.names or WITHOUT if name != "all"]]
    least: dict[str, tuple[float, float]] = {}
    for _ in range(chosen.times):
        for name in names:
            with running(chosen.folder, change=WITHOUT[name]) as house:
                seen = uvloop.run(_measured(house, chosen))
            known = least.get(name, seen)
            least[name] = min(known[0], seen[0]), min(known[1], seen[1])
    for name in names:
        ratios = [each / base for each, base in zip(least[name], least["all"], strict=True)]
        verdict = "" if name == "all" else "keep" if max(ratios) >= 1 + WORTH else "less than a tenth"
        looking, nobody = least[name]
        print(
            f"without {name:<10} watching {looking:5.0f} µs a move ({ratios[0]:.2f})   "
            f"nobody {nobody:5.0f} µs ({ratios[1]:.2f})   {verdict}"
            if name != "all"
            else f"with all tricks    watching {looking:5.0f} µs a move          nobody {nobody:5.0f} µs"
        )
    print(f"load average {load_average()}; client's processor time {cpu_s_own():.0f} s")
    return 0


async def _measured(house: Running, chosen: argparse.Namespace) -> tuple[float, float]:
    """Return the µs of the house's processor time a move: while all phones watch, and while none does."""
    times, found = Times(), []
    tables = await opened(house, chosen.tables, 4, times)
    for looking in (True, False):
        if not looking:
            for phone in (phone for table in tables for phone in table.phones):
                phone.deafen()
        await closed(tables, 1)
        await settled(tables)
        times.clear(on=True)
        before = house.cpu_s
        await closed(tables, chosen.seconds)
        spent, times.on = house.cpu_s - before, False
        found.append(1e6 * spent / max(1, len(times.acks)))
        await settled(tables)
    return found[0], found[1]


if __name__ == "__main__":
    sys.exit(main())
