"""The questions about a game, with their flags. A kit may bring its own. All other games have the questions here.

This module works without numpy. ``match_position`` parses the flags of a position.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NoReturn

from pubdice.advice.asked_match import (
    ENGLISH,
    least_seats,
    limits_rolls,
    match_flags,
    of_one_turn,
    option_flags,
    several_rounds,
    shape,
)
from pubdice.core.errors import BadNotation
from pubdice.core.game import GameOfTurns, HandState, TurnGame
from pubdice.kit import Flag, Kit, Question, lazy
from pubdice.match.formats import ROLL_OFF, FormatField, FormatKind, StandingField
from pubdice.solve.choose import one_turn_each, turns_alike
from pubdice.text.language import OPENERS, Language

GROUP = "In a match"  # the heading above the flags that all formats have

VALUES = {"each": "NUMBERS", "number": "N", "seats": "SEATS"}  # placeholders of a standing's flags


def _scores(language: Language) -> Flag:
    text = language.say("with --format: the scores of this round so far, in turn order, with 0 for none (none)")
    return Flag("scores", "SCORES", text, "Scores of this round, in turn order", group=GROUP)


def position_flags(kit: Kit, language: Language = ENGLISH) -> tuple[Flag, ...]:
    """Return the flags of a position in a match, which follow the flags for the round.

    Empty if no flags can describe a round of the game.
    """
    if kit.position is None and not one_turn_each(kit.usual_game):
        return ()
    usual = kit.formats[0].usual
    kinds = tuple((kind.name, kind.label) for kind in kit.formats)
    always = kit.position is not None
    say = language.say
    names = language.join([kind.shape for kind in kit.formats], "{some} or {last}")
    form = say("the match: {names}, numbers left out are usual", names=names)
    form += f" ({usual.write().replace(' ', ':')})" if always else ""
    openers = tuple(dict.fromkeys(opener for kind in kit.formats for opener in kind.usual.openers))
    fields = dict.fromkeys(field for kind in kit.formats for field in standing_fields(kind))
    shared = [field for field in fields if sum(field in standing_fields(kind) for kind in kit.formats) > 1]
    found = [
        Flag("format", "FORMAT", form, "What you play", kinds if always else (("", "This round alone"), *kinds), GROUP),
        Flag(
            "seats",
            "N",
            say("number of players (as many as numbers are given, or the fewest)"),
            "Players",
            group=GROUP,
        ),
        *([] if always else [_scores(language)]),
        *[_flag(field, GROUP, language) for field in shared],
        Flag(
            "opener",
            "RULE",
            say("opener of the next round: {openers} (as usual in the format)", openers=", ".join(openers)),
            "Who opens the next round",
            (("", "as usual"), *((opener, OPENERS[opener]) for opener in openers)),
            GROUP,
        ),
    ]
    for kind in kit.formats:
        name = kind.name
        found += [
            Flag(
                field.key,
                "N",
                say("with --format {name}: {meaning}", name=name, meaning=_told(field, language)),
                field.label,
                tuple((str(number), meaning) for number, meaning in enumerate(field.named)),
                group=kind.label,
            )
            for field in kind.fields
            if field.word != ROLL_OFF  # a roll-off changes no value, so its field is left out
        ]
        found += [_flag(field, kind.label, language) for field in standing_fields(kind) if field not in shared]
    return tuple(found)


def _told(field: FormatField, language: Language) -> str:
    """Return the label of a format's number. If the number is a switch, add the meaning of each setting."""
    say, label = language.say, language.say(field.label)
    told = [say("{number} if {meaning}", number=at, meaning=say(meaning)) for at, meaning in enumerate(field.named)]
    return f"{label}: {', '.join(told)}" if told else label


def standing_fields(kind: FormatKind) -> tuple[StandingField, ...]:
    """Return the fields that describe the standing of a match in a format."""
    return kind.standing.fields if kind.standing is not None else ()


def _flag(field: StandingField, group: str, language: Language) -> Flag:
    text = language.say("with --format: {meaning}", meaning=language.say(field.meaning))
    return Flag(field.key, VALUES[field.takes], text, field.label, group=group)


COSTS = "pubdice.advice.card_prices"

PRICES = "pubdice.advice.price_list"

RANKING = "pubdice.advice.ranking"

HANDS = "pubdice.advice.hand_advice"

TIES = (("share", "shares the round"), ("each", "gives each a win"), ("carry", "carries the pot"))


def _goal(game: GameOfTurns, language: Language) -> tuple[Flag, ...]:
    say = language.say
    ties = say("with --goal win: share (usual), each wins, or carry the pot for these seats")
    goals = say("score (usual), qualify, reach:N, exactly:N, or win")
    if game.lowest_wins:
        named = ", ".join([say("{usual} (usual)", usual="score"), *game.goals])
        goals = say("{goals}, reach:N (N or less), exactly:N, or win", goals=named)
    return (
        Flag("goal", "GOAL", goals),
        Flag("to-beat", "N", say("with --goal win: the best score so far (none)"), "Score to beat"),
        Flag("holders", "K", say("with --goal win: number of seats that hold it (1)"), "How many have that score"),
        Flag(
            "to-come",
            "M",
            say("with --goal win: number of seats that play after this one (0)"),
            "Players still to come",
        ),
        Flag("ties", "RULE", ties, "A tie", TIES),
    )


def _position(game: TurnGame, language: Language) -> tuple[Flag, ...]:
    say = language.say
    text = say("rolls in this turn so far (as few as the position allows)")
    return (
        Flag("locked", "DICE", say("the dice kept before (none)"), "Kept before"),
        Flag("roll", "DICE", say("the dice just rolled"), "What did you roll?"),
        *([Flag("rolls", "N", text, "Rolls so far")] if limits_rolls(game) else []),
    )


def question(kit: Kit, name: str, language: Language = ENGLISH) -> Question | None:
    """Return a question by its name: ``odds``, ``advise``, ``price`` or ``card``. None if the game has no answer to it.

    ``language`` is for the meanings of the flags.
    """
    if name == "price" and kit.price is not None:
        return Question((), kit.price, kit.price_lines)
    if kit.solver is None or (name == "card" and kit.card_lines is None):
        return None
    if name == "price":
        answer, lines = (partial(lazy(PRICES, name), kit) for name in ("price", "price_lines"))
        return Question(option_flags(kit, language), answer, lines)
    return {"odds": _odds, "advise": _advise, "card": _card}[name](kit, language)


def _odds(kit: Kit, language: Language) -> Question:
    game = kit.usual_game
    goal = _goal(game, language) if turns_alike(game) else ()
    flags = (*option_flags(kit, language), *goal, *match_flags(kit, language))
    return Question(flags, partial(lazy("pubdice.advice.odds", "odds"), kit))


def _advise(kit: Kit, language: Language) -> Question:
    """Return the question ``advise``. If no flags can describe a position of the game, only a record can."""
    game = kit.usual_game
    if kit.position is not None:
        told = tuple(replace(flag, meaning=language.say(flag.meaning)) for flag in kit.position.flags)
        flags = (*told, *option_flags(kit, language), *position_flags(kit, language))
        return Question(flags, partial(lazy(RANKING, "advise_flags"), kit))
    if one_turn_each(game):
        turn_flags = (*_position(game, language), *option_flags(of_one_turn(kit), language), *_goal(game, language))
        flags = (*turn_flags, *position_flags(kit, language))
        return Question(flags, partial(lazy(RANKING, "advise_flags"), kit))
    if kit.tell_hands is not None and isinstance(game.start(least_seats(game.least_seats)), HandState):
        return Question(_hand_flags(kit, language), partial(lazy(HANDS, "advise_hands"), kit))
    return Question((), _record_only)


def _hand_flags(kit: Kit, language: Language) -> tuple[Flag, ...]:
    several = several_rounds(kit)
    text = "every hand, the mover's first, in turn order: {hands} (- has not rolled yet)"
    hands = language.say(text, hands=shape(kit.usual_game))
    opened = Flag(
        "player-one",
        "K",
        language.say("with --{flag}: number of the hand that opened the round, from 1 (1)", flag=several),
        "In several rounds: which hand opened this one",
    )
    kinds = tuple((kind.name, kind.label) for kind in kit.formats)
    matches = [
        Flag(flag.name, flag.value, flag.meaning, "What you play", kinds) if flag.name == "format" else flag
        for flag in match_flags(kit, language)
        if flag.name != "seats"
    ]
    return (
        Flag("hands", "HANDS", hands, "All hands, yours first, and a dash for one not rolled"),
        *matches,
        *([opened] if several else []),
        *option_flags(kit, language),
    )


def _record_only(given: Mapping[str, str], folder: Path | None = None) -> NoReturn:
    raise BadNotation("advise-record")


def _card(kit: Kit, language: Language) -> Question:
    svg = Flag("svg", "", language.say("print the card as an SVG picture, 10 by 10 cm"))
    return Question((*option_flags(of_one_turn(kit), language), svg), partial(lazy(COSTS, "answer"), kit))
