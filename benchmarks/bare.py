"""Compares solvers without numpy ("bare") and solvers with numpy, for two seats of every game, in one run.

Both solvers take each match in turn. The figures are seconds of the processor. One is for the first values of a match,
with nothing kept from before. The other is for the slowest question of a match played at random after that. A question
asks for the values of a state, or for all keeps with their facts. A ratio below 1 shows how much slower the bare solver
is. With ``--kept`` it gets the files that a pocket house has. To make these takes up to a minute a game.

Goal: no question above 0.1 s with those files. A browser's Python is two to four times slower, and may take 0.3 s.

    .venv/bin/python -m benchmarks.bare [--kept] [--only midnight]
"""

import argparse
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from pubdice.core.dice import rolls
from pubdice.core.game import TurnGame
from pubdice.games import GAMES
from pubdice.games.fourtwenty import FourTwenty
from pubdice.match.formats import POT, ROUNDS
from pubdice.match.header import RawHeader
from pubdice.match.match import Match
from pubdice.solve.choose import one_turn_each, solve_match
from pubdice.solve.race.seat import one_seat
from pubdice.solve.race.solutions import Solutions
from pubdice.solve.solver import Solver
from pubdice_pocket.pure_python.match_solver import BareMatchSolver
from pubdice_pocket.pure_python.ready_made import ready_made
from pubdice_pocket.pure_python.turn_match import MOST_PLANNED, BareTurnSolver
from pubdice_pocket.pure_python.two_seat_race import solve_two

LIMIT = 0.1
KEPT = (ROUNDS.read([str(MOST_PLANNED)]), POT.read(["1", str(MOST_PLANNED)]))
FORMATS = {
    "midnight": ("rounds 1", "rounds 5", "rounds 20", "pot 1 5"),
    "ship": ("rounds 5", "rounds 20", "pot 1 5"),
    "threes": ("rounds 1", "rounds 5", "rounds 20", "pot 1 5"),
    "mexico": ("lives 3", "lives 6", "rounds 5", "rounds 20", "pot 1 5"),
}


def two(game: str, form: str) -> Match[Any, Any]:
    """Return a match of two with the usual rules."""
    kit = GAMES[game]
    return kit.match(kit.normalize(RawHeader({"game": game, "seats": "Ann, Bob", "format": form, "first": "Ann"})))


def first_values(make: Any, match: Match[Any, Any]) -> tuple[Solver, float]:
    """Return a new solver, and the seconds until it has the first values."""
    begun = process_time()
    solver: Solver = make(match)
    solver.values(match.start())
    return solver, process_time() - begun


def dearest(solver: Solver, match: Match[Any, Any]) -> float:
    """Return the seconds of the slowest question along a match played at random."""
    chance, state, most = Random(1), match.start(), 0.0
    while not state.over:
        begun = process_time()
        solver.values(state)
        asked = process_time()
        solver.action_values(state)
        solver.facts(state)
        most = max(most, asked - begun, process_time() - asked)
        if due := match.to_roll(state):
            state = match.roll(state, chance.choice([hand for hand, _ in rolls(due)]))
        else:
            state = match.play(state, chance.choice(match.legal(state)))
    return most


def main() -> int:
    """Print a row for every match. Return exit status 1 if the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kept", action="store_true", help="with the files of a pocket house")
    parser.add_argument("--only", help="a game")
    given = parser.parse_args()
    missed = False
    with TemporaryDirectory() as name:
        folder = Path(name) if given.kept else None
        for game, forms in FORMATS.items():
            if given.only not in (None, game):
                continue
            rules: Any = GAMES[game].usual_game
            if folder is not None and isinstance(rules, TurnGame):
                file, contents = ready_made(rules, KEPT)
                (folder / file).write_bytes(contents)
            one_turn_each(rules)  # this is computed once a process, so neither solver's time includes it
            for form in forms:
                match = two(game, form)
                kind: Any = BareTurnSolver if isinstance(rules, TurnGame) else BareMatchSolver
                made = (lambda each: BareTurnSolver(each, folder)) if kind is BareTurnSolver else BareMatchSolver
                mine, bare = first_values(made, match)
                theirs, arrays = first_values(solve_match, match)
                asked, answered = dearest(mine, match), dearest(theirs, match)
                print(
                    f"{game} {form}: first values 1/{bare / arrays:.1f} ({bare:.3f} : {arrays:.3f} s), "
                    f"dearest question 1/{asked / answered:.1f} ({asked * 1e3:.0f} : {answered * 1e3:.0f} ms)",
                    flush=True,
                )
                missed = missed or (given.kept and asked > LIMIT)
    if given.only in (None, "420"):
        automaton = one_seat(FourTwenty()).automaton
        begun = process_time()
        solve_two(automaton)
        bare = process_time() - begun
        begun = process_time()
        Solutions(automaton).solved(2, drinks=False)
        arrays = process_time() - begun
        print(f"420 race: first values 1/{bare / arrays:.1f} ({bare:.3f} : {arrays:.3f} s)")
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
