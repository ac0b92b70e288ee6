"""Solves the matches of docs/solve/solving.md, each in its own process, by the solver that its game's kit chooses.

A row has the processor seconds from the rules to the values (with nothing kept from before), the peak memory of the
process in MB, libraries included, and the share of the solver's nearest limit.
"""

import resource
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from time import process_time
from typing import Any

from pubdice.core.errors import BadNotation, Unsolved
from pubdice.failures import sentence
from pubdice.games import GAMES
from pubdice.match.match import Match
from pubdice.solve.plain import positions, standings
from pubdice.text.language import Language


@dataclass(frozen=True)
class Shown:
    """A match to measure. ``options`` has only the options that differ from the usual ones.

    A match that is ``slow`` runs only with ``--all``, as its peer takes minutes. One that is ``refused`` is too large.
    """

    game: str
    seats: int
    format: str
    opener: str = ""
    slow: bool = False
    refused: bool = False
    options: tuple[tuple[str, str], ...] = ()

    @property
    def match(self) -> Match[Any, Any]:
        """The match, with the game's usual options except for ``options``."""
        kit = GAMES[self.game]
        form = kit.format(self.format)
        options = {option.key: option.choices[0] for option in kit.options} | dict(self.options)
        return Match(kit.build(options), self.seats, form, self.opener or form.openers[0])

    @property
    def name(self) -> str:
        """A short name of the match."""
        return ", ".join(
            [
                f"{GAMES[self.game].words.title} for {self.seats}",
                self.format,
                *filter(None, [self.opener]),
                *[f"{key} {choice}" for key, choice in self.options],
            ]
        )


TABLE = (
    Shown("midnight", 2, "rounds 5"),
    Shown("midnight", 3, "rounds 20"),
    Shown("midnight", 6, "pot 1 rounds 5"),
    Shown("midnight", 2, "points 100"),
    Shown("midnight", 2, "points 100", options=(("follow", "yes"),)),
    Shown("ship", 2, "rounds 5"),
    Shown("threes", 2, "rounds 5"),
    Shown("shutbox", 2, "rounds 5"),
    Shown("420", 2, "race"),
    Shown("420", 6, "race"),
    Shown("420", 5, "drinks"),
    Shown("mexico", 2, "pot 1 rounds 1000", refused=True),
    Shown("mexico", 3, "lives 1"),
    Shown("mexico", 3, "lives 3"),
    Shown("mexico", 3, "rounds 5"),
    Shown("mexico", 3, "lives 12", refused=True),
    Shown("mexico", 4, "lives 1", refused=True),
)
"""The matches that the page shows, in its order."""

SOLVERS = ("pubdice.solve.turns.solver", "pubdice.solve.race.races", "pubdice.solve.plain.solver")


def memory() -> float:
    """Return the peak memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def alone(function: Any, shown: Shown) -> dict[str, Any]:
    """Run a function in its own process, and return its result."""
    with get_context("spawn").Pool(1) as pool:
        found: dict[str, Any] = pool.apply(function, (shown,))
    return found


def solved(shown: Shown) -> dict[str, Any]:
    """Return the figures of one match, or the sentence that refuses it."""
    for solver_module in SOLVERS:
        import_module(solver_module)  # so libraries are loaded before the clock starts
    kit, match = GAMES[shown.game], shown.match
    assert kit.solver is not None, "every game here is solved"
    begun = process_time()
    try:
        solver = kit.solver(match)
        solver.values(match.start())
    except (Unsolved, BadNotation) as error:
        why = sentence(Language(), error, kit.words)
        return {"refused": why, "s": process_time() - begun, "MB": memory()}
    found = {"s": process_time() - begun, "MB": memory(), "utility": solver.utility}
    name, limits = counted(solver)
    limit = max(limits, key=lambda each: limits[each])
    return {**found, "solver": name, "near": f"{limits[limit]:.0%} of {limit}"}


def counted(solver: Any) -> tuple[str, dict[str, float]]:
    """Return the solver's name, and the match's share of each of its limits."""
    from pubdice.solve.plain import solution  # noqa: PLC0415  in the process that is measured
    from pubdice.solve.plain.solver import HANGING, PlainSolver  # noqa: PLC0415
    from pubdice.solve.race import races  # noqa: PLC0415
    from pubdice.solve.race.solutions import MOST  # noqa: PLC0415
    from pubdice.solve.solver import MOST_SOLVED_SEATS  # noqa: PLC0415
    from pubdice.solve.turns import solver as turns  # noqa: PLC0415
    from pubdice.solve.turns.standings import count  # noqa: PLC0415
    from pubdice.solve.turns.totals import TotalsSolver, most_number  # noqa: PLC0415

    seats = solver.match.seats
    if isinstance(solver, PlainSolver):
        found = solver.sizes()
        rounds, whole = solver._positions.values(), solver._solution(HANGING)
        work = sum(whole.rounds[playing].edges for playing in whole.graph.playing)
        return "plain", {
            "positions": max(len(each.mover) / positions.limits(each.seats)[0] for each in rounds),
            "moves": max(len(each.after) / positions.limits(each.seats)[1] for each in rounds),
            "standings": found["standings"] / standings.MOST_STANDINGS,
            "moves of all rounds": work / solution.MOST_WORK,
        }
    if isinstance(solver, TotalsSolver):
        number, most = solver._form.number, most_number(solver._scores, solver._form)
        kind = "points" if solver.match.format.prize == "points" else "rounds"
        return "turns.totals", {kind: number / most}
    if isinstance(solver, turns.TurnSolver):
        limits = {"seats": seats / MOST_SOLVED_SEATS}
        if solver._whole and seats > 2 and not solver.match.format.is_one_round:
            limits["turns"] = count(solver.match, len(solver.turn.scores), turns.HANGING) / turns.MOST_TURNS
        return "turns", limits
    return "race", {"seats": seats / min(races.MOST_SOLVED_SEATS, MOST[solver._drinks])}


def table_row(shown: Shown) -> tuple[str, bool]:
    """Return the row of a match, and True if it is solved or refused as ``shown`` says."""
    found = alone(solved, shown)
    refused = "refused" in found
    near = f"refused: {found['refused']}" if refused else found["near"]
    return f"| {shown.name} | {found['s']:.2f} | {found['MB']:.0f} | {near} |", refused == shown.refused
