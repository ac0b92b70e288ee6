"""The answer to ``odds``: the value of a match to every seat before it begins, or the odds of one turn with a goal."""

from dataclasses import dataclass
from typing import Any

from pubdice.advice.asked_match import (
    LEAST,
    MATCH_FLAGS,
    Given,
    asked_format,
    asked_match,
)
from pubdice.advice.spoken_advice import briefly
from pubdice.advice.turn_odds import GOAL, TurnOdds, odds_of_turn, refuse_goal
from pubdice.core.errors import Unsolved
from pubdice.kit import Kit, NumberedAnswer, lazy
from pubdice.match.formats import Format, replays
from pubdice.match.match import Match
from pubdice.solve.acceleration import numpy_there
from pubdice.solve.choose import one_turn_each, turns_alike
from pubdice.solve.numerics import ROUNDING
from pubdice.solve.solver import as_counted
from pubdice.solve.turns.win import win
from pubdice.solve.without_numpy import pure_python
from pubdice.text.game_words import seat_values
from pubdice.text.language import Language

MOST_POT_SEATS = 6  # the most seats in a match for one pot, in a game of one turn a seat
pot_share = lazy("pubdice.solve.turns.rounds", "pot_share")
SHARE = "share of the match"
KEYS = {"share": "share", "chance": "win", "round": "round_wins", "chips": "chips", "score": "score"}
"""The names of the values in plain data, by the first word of the utility."""


@dataclass(frozen=True, slots=True)
class MatchOdds(NumberedAnswer):
    """Every seat's value before the match begins, such as its share, in turn order."""

    def sentences(self, language: Language) -> list[str]:
        """Return sentences on the values, their unit, and the kind of play that they assume."""
        say, data = language.say, self.numbers
        values = seat_values(language, data)
        if "nash_conv" in data:
            return self._of_one_policy(language, ", ".join(values))
        alone = "Alone you score {values} a round on average if you play best."
        counted = briefly(language, data["utility"])
        lines = [
            say("In turn order: {values}." if len(values) > 1 else alone, values=", ".join(values)),
            say("Counted: {utility}, to within {bound:.0e}.", utility=counted, bound=data["bound"]),
        ]
        if len(values) > 2:
            text = "Everybody plays for themselves, and of equal choices takes the one with the better average score."
            lines.append(say(text))
        return lines

    def _of_one_policy(self, language: Language, chances: str) -> list[str]:
        """Return sentences on the chances of a match in which all seats play the same policy.

        For such a match, the gain of a seat that leaves the policy is known (NashConv).
        """
        say, data = language.say, self.numbers
        text = "Chances to win, from Player 1 on: {chances}."
        lines = [say("Chances to buy, from Player 1 on: {chances}." if "buy" in data else text, chances=chances)]
        if len(data.get("buy", data.get("win", ()))) > 2:
            text = (
                "All seats play the same best strategy. Of equally good choices it takes the first in the rules' "
                "order. If one seat at a time leaves it, the gains add up to {nash_conv:.0e} at most."
            )
            lines.append(say(text, nash_conv=max(data["nash_conv"], data["bound"])))
        return [*lines, say("Exact to within {bound:.0e}.", bound=data["bound"])]


def odds(kit: Kit, given: Given) -> TurnOdds | MatchOdds:
    """Return every seat's value in turn order or, if the flags describe no match, a turn's odds.

    In a game of moves, only a goal asks for a turn's odds.

    Raises BadNotation and Unsolved.
    """
    turns = one_turn_each(kit.usual_game)
    if turns_alike(kit.usual_game):
        if not any(key in given for key in MATCH_FLAGS) and (turns or any(key in given for key in GOAL)):
            return odds_of_turn(kit, given)
        refuse_goal(given)
    pots = turns and _carried(asked_format(kit, given))
    return match_odds(kit, asked_match(kit, given, MOST_POT_SEATS if pots else None))


def _carried(form: Format) -> bool:
    """Return True if the match is for pots that a tie carries into the next round."""
    return form.stake > 0 and not replays(form)


def match_odds(kit: Kit, match: Match[Any, Any]) -> MatchOdds:
    """Return the odds of a match. Raises Unsolved.

    In games of one turn a seat, the odds of a match for pots are the odds of one pot, carried until a seat wins it. One
    round of such a game is solved for every number of seats. Without numpy, only matches of two seats are solved.
    """
    game, form = match.game, match.format
    if match.seats > LEAST and not numpy_there():
        raise Unsolved("needs-house", title=kit.words.title)
    if one_turn_each(game) and match.seats > 1:
        if _carried(form):
            if numpy_there():
                return MatchOdds(pot_share(game, match.seats, match.opener))
            return MatchOdds(pure_python().pot(game, match.opener))
        if form.prize == "round wins" and form.is_one_round and match.seats > 2 and not replays(form):
            share = win(game, "share", match.seats, 1 / match.seats).by_seat()
            return MatchOdds({"share": share, "utility": SHARE, "bound": ROUNDING * 10})
    if kit.solver is None:
        raise Unsolved("no-solver", title=kit.words.title)
    if kit.start_odds is not None:
        return MatchOdds(kit.start_odds(match))
    solver = kit.solver(match)
    values = [as_counted(solver.utility, float(value)) for value in solver.values(match.start())]
    name = KEYS.get(solver.utility.replace(",", " ").split()[0], "value")
    if solver.utility == "chance of not buying":
        name, values = "buy", [1 - value for value in values]
    return MatchOdds({name: values, "utility": solver.utility, "bound": solver.bound})
