"""How far a house of several processes goes: docs/scale.md, from measured costs and a simulation of queues.

Each word prints a section of the page; without one, all are printed. The costs are those of
``benchmarks/queueing/figures.json``; the model is told in ``benchmarks/queueing/simulation.py``. There is no goal.
A fixed seed gives the same output.

    .venv/bin/python -m benchmarks.scale [figures check busy window knee routes death sizes bends]
    .venv/bin/python -m benchmarks.scale --set append=100 --set flush=1500 knee
    .venv/bin/python -m benchmarks.scale --page docs/scale.md
    .venv/bin/python -m benchmarks.scale --measure FILE [--seconds 5] [--times 3] [--tables 250] [--folder .] [--sqlite]
    .venv/bin/python -m benchmarks.scale --figures FILE

``--measure`` runs real houses and a real PostgreSQL on this machine, and needs its programs and the extra ``cluster``;
with ``--sqlite`` it measures a house on a SQLite file only. It takes minutes, and nothing else should run meanwhile.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from benchmarks.queueing.figures import DEFAULTS, Figure, Figures, costs_of, read_figures, write_figures
from benchmarks.queueing.page import SECTIONS, page
from benchmarks.queueing.sections import fitted_turn

FITTED = 500
"""Commands a second at which the cost of a turn is fitted."""


def measured(chosen: argparse.Namespace, figures: Figures) -> Figures:
    """The figures, with those of this machine measured again. SystemExit if something for it is missing."""
    from benchmarks.queueing.measured_database import measured_database, server_running  # noqa: PLC0415 - uvloop
    from benchmarks.queueing.measured_house import ALONE_AT, measured_follow, measured_house  # noqa: PLC0415

    found = {name: figure for name, figure in figures.items() if "_at_" not in name}
    folder, seconds, tables = chosen.folder, chosen.seconds, chosen.tables
    if chosen.sqlite:
        found |= least([measured_house(folder, seconds, tables) for _ in range(chosen.times)])
    else:
        with server_running(folder) as server:
            found |= least([measured_database(server, seconds) for _ in range(chosen.times)])
        with server_running(folder) as server:
            found |= least([measured_house(folder, seconds, tables, server.address) for _ in range(chosen.times)])
            own = found[f"move_at_{ALONE_AT}"].value - found["command"].value - found["answer"].value
            many = [measured_follow(folder, seconds, tables, server.address, own) for _ in range(chosen.times)]
            found |= least(many)
    move = found[f"move_at_{FITTED}"]
    found["move_window"] = Figure(0.0, "µs", "the house has none yet")
    costs = replace(costs_of(found), window=0.0)
    if chosen.sqlite:
        costs = replace(costs, group=0.0, append=0.0)
        found = {name.replace("move_at_", "sqlite_at_"): figure for name, figure in found.items()}
    turn = 1e6 * fitted_turn(costs, move.value / 1e6, FITTED)
    found["turn"] = Figure(round(turn, 1), "µs", f"fitted to what a move costs at {FITTED} commands/s")
    if not chosen.sqlite:
        message = found["message"]
        source = f"{message.source}; {message.value:g} µs with its turn, 0 if that is no more than a turn"
        found["message"] = Figure(round(max(0.0, message.value - turn), 1), "µs", source)
    return found


def least(runs: list[dict[str, Figure]]) -> dict[str, Figure]:
    """Of several runs the least of each figure, as others may use the same machine."""
    return {name: min((run[name] for run in runs), key=lambda figure: figure.value) for name in runs[0]}


def changed(text: str) -> tuple[str, float]:
    """A name and a value. Raises ValueError."""
    name, _, value = text.partition("=")
    return name, float(value)


def main(words: list[str] | None = None) -> int:
    """Print sections, write the page, or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--figures", type=Path, default=DEFAULTS)
    parser.add_argument("--set", type=changed, action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--page", type=Path, help="write the whole page to this file")
    parser.add_argument("--measure", type=Path, metavar="FILE", help="measure, and write the figures to this file")
    parser.add_argument("--seconds", type=float, default=5, help="of each measurement")
    parser.add_argument("--times", type=int, default=3, help="of which the least counts")
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--folder", type=Path, default=Path(), help="on the disk to be measured")
    parser.add_argument("--sqlite", action="store_true")
    chosen = parser.parse_args(words)
    if unknown := set(chosen.what) - SECTIONS.keys():
        parser.error(f"there is no section {', '.join(sorted(unknown))}")
    try:
        figures = read_figures(chosen.figures, dict(chosen.set))
    except ValueError as error:
        parser.error(str(error))
    if chosen.measure:
        write_figures(measured(chosen, figures), chosen.measure)
    elif chosen.page:
        chosen.page.write_text(page(figures), encoding="utf-8")
    else:
        for name in chosen.what or SECTIONS:
            print(f"{name}\n\n{SECTIONS[name](figures)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
