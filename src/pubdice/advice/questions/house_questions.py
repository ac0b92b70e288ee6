"""What a game can be asked: questions of its own where its kit has any, and else those of the house."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pubdice.advice.questions.flags import (
    least_seats,
    limits_rolls,
    match_flags,
    option_flags,
    position_flags,
    several_rounds,
    shape,
)
from pubdice.core.errors import BadNotation
from pubdice.core.game import HandState
from pubdice.kit import Flag, Kit, Question, lazy
from pubdice.solve.choose import one_turn_each
from pubdice.text.answers import tell_advice, tell_odds, tell_prices
from pubdice.text.language import Language

HERE, COSTS = "pubdice.advice.questions", "pubdice.advice.card_prices"
TOLD = f"{HERE}.ranking"
POSITION_OF = (TOLD, "match_position")
TIES = (("share", "shares the round"), ("each", "gives each a win"), ("carry", "carries the pot"))
GOAL = (
    Flag("goal", "GOAL", "score (usual), qualify, reach:N, exactly:N, or win"),
    Flag("to-beat", "N", "with --goal win: the best score so far (none)", "Score to beat"),
    Flag("holders", "K", "with --goal win: how many seats hold it (1)", "How many have that score"),
    Flag("to-come", "M", "with --goal win: how many seats play after this one (0)", "Players still to come"),
    Flag("ties", "RULE", "with --goal win: share (usual), each wins, or carry the pot", "A tie", TIES),
)
POSITION = (
    Flag("locked", "DICE", "the dice kept before (none)", "Kept before"),
    Flag("roll", "DICE", "the dice just rolled", "Just rolled"),
)
ROLLS = Flag(
    "rolls", "N", "how many rolls there have been in this turn (as few as the position allows)", "Rolls so far"
)
SVG = Flag("svg", "", "print the card as an SVG picture, 10 by 10 cm")


def question(kit: Kit, name: str) -> Question | None:
    """The question of that name, ``odds``, ``advise``, ``price`` or ``card``; None if the game has no answer to it."""
    if name == "price" and kit.price is not None:
        return kit.price
    if kit.solver is None or (name == "card" and kit.card_lines is None):
        return None
    return {"odds": _odds, "advise": _advise, "price": _price, "card": _card}[name](kit)


def _odds(kit: Kit) -> Question:
    game = kit.usual_game
    goal = GOAL if one_turn_each(game) else ()
    flags = (*option_flags(kit), *goal, *match_flags(kit))
    tell = kit.tells.get("odds", partial(tell_odds, kit.words, game))
    return Question(flags, partial(lazy(f"{HERE}.odds", "odds"), kit), tell)


def _advise(kit: Kit) -> Question:
    """By flags for a position of a turn or of a match, or by hands; any position is a record."""
    game, own = kit.usual_game, kit.tells.get("advise")
    if kit.position is not None:
        flags = (*kit.position.flags, *option_flags(kit), *position_flags(kit))
        return Question(flags, partial(lazy(TOLD, "advise_flags"), kit), _no_lines, partial(lazy(*POSITION_OF), kit))
    if one_turn_each(game):
        turn_flags = (*POSITION, *([ROLLS] if limits_rolls(game) else []), *option_flags(kit), *GOAL)
        flags = (*turn_flags, *position_flags(kit))
        answer = partial(lazy(TOLD, "advise_flags"), kit)
        return Question(flags, answer, own or partial(tell_advice, kit.words, game), partial(lazy(*POSITION_OF), kit))
    if own is not None and isinstance(game.start(least_seats(game.least_seats)), HandState):
        return Question(_hand_flags(kit), partial(lazy(f"{HERE}.ranking", "advise_hands"), kit), own)
    return Question((), _record_only, _no_lines)


def _hand_flags(kit: Kit) -> tuple[Flag, ...]:
    several = several_rounds(kit)
    hands = f"every hand, the mover's first, in turn order: {shape(kit.usual_game)}; - has not rolled yet"
    opened = Flag(
        "player-one",
        "K",
        f"with --{several}: which of the hands, from 1, opened the round (1)",
        "In several rounds: which hand opened this one",
    )
    kinds = tuple((kind.name, kind.label) for kind in kit.formats)
    matches = [
        Flag(flag.name, flag.value, flag.meaning, "What you play", kinds) if flag.name == "format" else flag
        for flag in match_flags(kit)
        if flag.name != "seats"
    ]
    return (
        Flag("hands", "HANDS", hands, "All hands, yours first; a dash for one not rolled"),
        *matches,
        *([opened] if several else []),
        *option_flags(kit),
    )


def _record_only(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    raise BadNotation("advise-record")


def _no_lines(language: Language, data: dict[str, Any]) -> list[str]:
    """Nothing: a coach speaks."""
    return []


def _price(kit: Kit) -> Question:
    tell = kit.tells.get("price", partial(tell_prices, kit.options, kit.price_note))
    return Question((), partial(lazy(f"{HERE}.odds", "price"), kit), tell)


def _card(kit: Kit) -> Question:
    flags = (*option_flags(kit), SVG)
    return Question(flags, partial(lazy(COSTS, "answer"), kit), partial(lazy(COSTS, "tell"), kit))
