"""Measures the plain solver on matches, and the size of matches that it accepts, each beside a peer in one run.

Each match runs in its own process. The figures are: the positions of its rounds and their moves by the rules, the nodes
that remain after merging, the standings found and those that remain, the seconds to count and to solve, and the peak
memory. The peer of a match of turns is ``solve.turns``. For all other matches it is the oracle ``oracles/max_n.py``
with floats, in one pass over the first round (it would need more). A ratio above 1 shows that the plain solver was
quicker. Values must agree with those of ``solve.turns`` to 1e-9. Seconds are of the processor, so a busy machine
changes them little.

Goal: Mexico for two with three lives, counted and solved, in 2 s.

    .venv/bin/python -m benchmarks.plain [--only mexico] [--all]

``--table`` prints the table of docs/solve/solving.md instead: matches of all games with the solver that ``Kit.solver``
gives them, and for each the share of that solver's nearest limit. Then the exit status is 1 if a match that should be
solved is refused, or if one that should be refused is solved.

    .venv/bin/python -m benchmarks.plain --table [--only mexico]
"""

import argparse
import sys
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.solved_matches import TABLE, Shown, alone, memory, table_row
from pubdice.core.errors import Unsolved
from pubdice.games import GAMES

sys.path.insert(0, str(Path(__file__).parents[1] / "packages/workshop/src/pubdice_workshop/laws"))

GOAL = "mexico", 2, "lives 3"
SECONDS = 2.0


SHOWN = (
    Shown("mexico", 2, "lives 1"),
    Shown("mexico", 2, "lives 3"),
    Shown("mexico", 2, "lives 3", "rotate"),
    Shown("mexico", 2, "lives 12"),
    Shown("mexico", 2, "rounds 5"),
    Shown("mexico", 2, "pot 1 rounds 5"),
    Shown("mexico", 3, "lives 1", slow=True),
    Shown("mexico", 3, "lives 3", slow=True),
    Shown("mexico", 4, "lives 1"),
    Shown("ship", 2, "rounds 5"),
    Shown("ship", 3, "rounds 5"),
    Shown("ship", 4, "rounds 1"),
    Shown("threes", 2, "rounds 3"),
    Shown("threes", 3, "rounds 1"),
    Shown("midnight", 1, "rounds 1"),
    Shown("midnight", 2, "rounds 1"),
    Shown("420", 2, "race"),
)


def plain(shown: Shown) -> dict[str, Any]:
    """Return the plain solver's figures for a match."""
    from pubdice.solve.plain.solver import PlainSolver  # noqa: PLC0415  in the process that is measured

    begun = process_time()
    try:
        solver = PlainSolver(shown.match)
    except Unsolved as error:
        return {"refused": f"{error.code}: {error.facts}", "count s": process_time() - begun, "MB": memory()}
    counted = process_time()
    values = solver.values(shown.match.start())
    solved = process_time()
    return {
        "values": values,
        "bound": solver.bound,
        "count s": counted - begun,
        "solve s": solved - counted,
        "MB": memory(),
        **solver.sizes(),
    }


def peer(shown: Shown) -> dict[str, Any]:
    """Return the peer's figures for a match."""
    from oracles.max_n import MaxN  # noqa: PLC0415  in the process that is measured
    from pubdice.solve.choose import one_turn_each  # noqa: PLC0415
    from pubdice.solve.turns.solver import TurnSolver  # noqa: PLC0415

    match = shown.match
    begun = process_time()
    if one_turn_each(match.game):
        solver = TurnSolver(match)
        return {"name": "turns", "values": solver.values(match.start()), "s": process_time() - begun}
    start = match.start()
    fresh = (1 / match.seats,) * match.seats
    MaxN(match, again=lambda _: fresh).values(start)
    return {
        "name": "one pass of max_n",
        "values": (),
        "s": process_time() - begun,
    }


def table(only: str | None) -> int:
    """Print a row for each match of all games, or of one. Return exit status 1 if one is solved or refused
    unexpectedly.
    """
    print("| match | seconds | MB | nearest limit |")
    print("| --- | --- | --- | --- |")
    missed = False
    for shown in TABLE:
        if only in (None, shown.game):
            row, as_told = table_row(shown)
            print(row, flush=True)
            missed = missed or not as_told
    return int(missed)


def main() -> int:
    """Print a row for every match. Return exit status 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="a game")
    parser.add_argument("--all", action="store_true", help="slow peers too")
    parser.add_argument("--table", action="store_true", help="the table of docs/solve/solving.md")
    given = parser.parse_args()
    if given.table:
        return table(given.only)
    missed = False
    for shown in SHOWN:
        if shown.game not in GAMES or (given.only and given.only != shown.game):
            continue
        mine = alone(plain, shown)
        name = " ".join([shown.game, str(shown.seats), shown.format, shown.opener]).strip()
        if "refused" in mine:
            print(f"{name}: refused after {mine['count s']:.2f} s, {mine['MB']:.0f} MB: {mine['refused']}", flush=True)
            continue
        seconds = mine["count s"] + mine["solve s"]
        told = (
            f"{name}: {seconds:.2f} s ({mine['count s']:.2f} count, {mine['solve s']:.2f} solve), {mine['MB']:.0f} MB"
        )
        told += "".join(f", {key} {mine[key]:,}" for key in ("positions", "moves", "nodes", "standings", "merged"))
        told += f", bound {mine['bound']:.0e}"
        if given.all or not shown.slow:
            other = alone(peer, shown)
            told += f"; {other['s'] / seconds:.2f} times as quick as {other['name']} ({other['s']:.2f} s)"
            apart = max([abs(a - b) for a, b in zip(mine["values"], other["values"], strict=False)], default=0.0)
            missed = missed or apart > 1e-9
        missed = missed or ((shown.game, shown.seats, shown.format) == GOAL and seconds > SECONDS)
        print(told, flush=True)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
