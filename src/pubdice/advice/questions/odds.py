"""``odds``: what a match is worth to every seat before it begins; without a match, what a turn comes to for a goal."""

from pathlib import Path
from typing import Any

from pubdice.advice.questions.asked_match import LEAST, MATCH_FLAGS, Given, asked_format, asked_match
from pubdice.advice.questions.turn_goals import odds_of_turn, refuse_goal
from pubdice.core.errors import Unsolved
from pubdice.kit import Kit, lazy
from pubdice.match.match import Match
from pubdice.solve.acceleration import numpy_there
from pubdice.solve.choose import one_turn_each
from pubdice.solve.numerics import ROUNDING
from pubdice.solve.solver import as_counted
from pubdice.solve.turns.goals import win

MOST_POT_SEATS = 6
"""Of one pot in a game of one turn a seat."""
pot_share = lazy("pubdice.solve.turns.rounds", "pot_share")
two_seat_pot = lazy("pubdice.solve.pure_python.turn_match", "two_seat_pot")
SHARE = "share of the match"
KEYS = {"share": "share", "chance": "win", "round": "round_wins", "chips": "chips", "score": "score"}
"""What the values are called in plain data, by the first word of the utility."""


def odds(kit: Kit, given: Given, folder: Path | None = None) -> dict[str, Any]:
    """Every seat's value in turn order, or a turn's odds. Raises BadNotation, and Unsolved."""
    turns = one_turn_each(kit.usual_game)
    if turns:
        if not any(key in given for key in MATCH_FLAGS):
            return odds_of_turn(kit, given)
        refuse_goal(given)
    pots = turns and asked_format(kit, given).stake
    return match_odds(kit, asked_match(kit, given, MOST_POT_SEATS if pots else None), folder)


def match_odds(kit: Kit, match: Match[Any, Any], folder: Path | None = None) -> dict[str, Any]:
    """Every seat's value in turn order: a share, or what else is played for. Raises Unsolved.

    One pot, carried until somebody takes it, stands for any match for pots of a game of one turn a seat; one round of
    such a game is solved for every number of seats. Without numpy no match of more than two seats is. folder: where
    solutions are kept.
    """
    game, form = match.game, match.format
    if match.seats > LEAST and not numpy_there():
        raise Unsolved("needs-house", title=kit.words.title)
    if one_turn_each(game) and match.seats > 1:
        if form.stake:
            found: dict[str, Any] = (
                pot_share(game, match.seats, match.opener)
                if numpy_there()
                else two_seat_pot(game, match.opener, folder)
            )
            return found
        if form.prize == "round wins" and form.is_one_round and match.seats > 2:
            share = win(game, "share", match.seats, 1 / match.seats).by_seat()
            return {"share": share, "utility": SHARE, "bound": ROUNDING * 10}
    if kit.solver is None:
        raise Unsolved("no-solver", title=kit.words.title)
    if kit.start_odds is not None:
        return kit.start_odds(match)
    solver = kit.solver(match)
    values = [as_counted(solver.utility, float(value)) for value in solver.values(match.start())]
    name = KEYS.get(solver.utility.replace(",", " ").split()[0], "value")
    if solver.utility == "chance of not buying":
        name, values = "buy", [1 - value for value in values]
    return {name: values, "utility": solver.utility, "bound": solver.bound}
