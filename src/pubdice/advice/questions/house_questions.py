"""What a game can be asked: questions of its own where its kit has any, and else those of the house."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pubdice.advice.questions.asked_match import limits_rolls, match_flags, option_flags
from pubdice.core.errors import BadNotation
from pubdice.core.turn_game import TurnGame
from pubdice.kit import Flag, Kit, Question, lazy
from pubdice.text.answers import tell_advice, tell_odds, tell_prices

HERE, COSTS = "pubdice.advice.questions", "pubdice.advice.card_costs"
GOAL = (
    Flag("goal", "GOAL", "score (usual), qualify, reach:N, exactly:N, or win"),
    Flag("to-beat", "N", "with --goal win: the best score so far (none)"),
    Flag("holders", "K", "with --goal win: how many seats hold it (1)"),
    Flag("to-come", "M", "with --goal win: how many seats play after this one (0)"),
    Flag("ties", "RULE", "with --goal win: share (usual), each wins, or carry the pot"),
)
POSITION = (
    Flag("locked", "DICE", "the dice kept before (none)"),
    Flag("roll", "DICE", "the dice just rolled"),
)
SVG = Flag("svg", "", "print the card as an SVG picture, 10 by 10 cm")
ROLLS = Flag("rolls", "N", "how many rolls there have been in this turn (as few as the position allows)")


def question(kit: Kit, name: str) -> Question | None:
    """The question of that name, ``odds``, ``advise``, ``price`` or ``card``; None if the game has no answer to it."""
    own: Question | None = getattr(kit, name)
    if own is not None or kit.solver is None or (name == "card" and kit.card_lines is None):
        return own
    return {"odds": _odds, "advise": _advise, "price": _price, "card": _card}[name](kit)


def _odds(kit: Kit) -> Question:
    game = kit.usual_game
    goal = GOAL if isinstance(game, TurnGame) else ()
    can_miss = isinstance(game, TurnGame) and game.scoreless is not None
    flags = (*option_flags(kit), *goal, *match_flags(kit))
    return Question(flags, partial(lazy(f"{HERE}.odds", "odds"), kit), partial(tell_odds, can_miss))


def _advise(kit: Kit) -> Question:
    """By flags for a position of a turn; a position of any game is a record (``record_advice``)."""
    game = kit.usual_game
    if not isinstance(game, TurnGame):
        return Question((), _record_only, lambda language, data: [])
    flags = (*POSITION, *([ROLLS] if limits_rolls(game) else []), *option_flags(kit), *GOAL)
    answer = partial(lazy(f"{HERE}.turn_goals", "advise_turn"), kit)
    return Question(flags, answer, partial(tell_advice, kit.words, game))


def _record_only(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    raise BadNotation("advise-record")


def _price(kit: Kit) -> Question:
    return Question((), partial(lazy(f"{HERE}.prices", "price"), kit), partial(tell_prices, kit.options))


def _card(kit: Kit) -> Question:
    flags = (*option_flags(kit), SVG)
    return Question(flags, partial(lazy(COSTS, "answer"), kit), partial(lazy(COSTS, "tell"), kit))
