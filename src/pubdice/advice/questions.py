"""The questions to a game: its own if its kit has any, and else those of the house."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from pubdice.core.errors import BadNotation, Unsolved
from pubdice.core.game import Game, HandState, Seat, TurnGame, is_limited
from pubdice.kit import Flag, Kit, Option, Question, lazy, read_number
from pubdice.match.formats import ROLL_OFF, Format, FormatField, FormatKind, StandingField
from pubdice.match.match import Match
from pubdice.solve.choose import one_turn_each
from pubdice.text.language import OPENERS, Language

# Flags that tell a position of a match under way; what they mean is worked out in ``ranking``. No numpy.


# The match and the rules that a question is about, from the flags given.


MATCH_FLAGS = ("seats", "format", "opener")
TO_WIN = ("to-beat", "holders", "to-come", "ties")
"""Flags that go with one turn's goal ``win`` alone."""
LEAST = 2
"""The fewest seats that questions are about."""
NUMBERS = (1, 2, 3, 5, 10, 20)
"""The numbers of rounds, lives and so on that are compared, as far as a format allows them."""
SHAPES = ((6, 5, 5, 1), (6, 5, 4, 1))
"""Hands to show what is meant."""
Given = Mapping[str, str]
"""Flags, by name without dashes."""


ENGLISH = Language()


def option_flags(kit: Kit, language: Language = ENGLISH) -> tuple[Flag, ...]:
    """A flag for each house rule of a game."""
    return tuple(
        Flag(
            option.key,
            option.key.upper(),
            _choices(option, language),
            option.meaning,
            tuple(zip(option.choices, option.meanings or option.choices, strict=True)),
        )
        for option in kit.options
    )


def _choices(option: Option, language: Language) -> str:
    usual, *others = [choice.replace(" ", ",") for choice in option.choices]
    choices = language.join([language.say("{usual} (usual)", usual=usual), *others], "{some} or {last}")
    return f"{language.say(option.meaning)}: {choices}"


def match_flags(kit: Kit, language: Language = ENGLISH) -> tuple[Flag, ...]:
    """Flags for seats, format and opener."""
    game = kit.usual_game
    say, turns = language.say, one_turn_each(game)
    formats = language.join([_format(kind, turns, language) for kind in kit.formats], "{some} or {last}")
    openers = tuple(dict.fromkeys(opener for kind in kit.formats for opener in kind.usual.openers))
    usual, least = written(kit.formats[0].usual), least_seats(game.least_seats)
    limits = "".join(
        say(", {least} to {most} for {name}", least=least, most=most, name=name)
        for name, most in kit.most_solved.items()
    )
    text = "how many seats the match has{limits}; the values stand in turn order ({least})"
    found = [Flag("seats", "N", say(text, limits=limits, least=least))]
    found.append(
        Flag("format", "FORMAT", say("of which match: {formats}; {usual} is usual", formats=formats, usual=usual))
    )
    found += switches(kit, language)
    if len(openers) > 1:
        first = say("{usual} (usual)", usual=openers[0])
        text = say("of which match: {openers}", openers=", ".join([first, *openers[1:]]))
        found.append(Flag("opener", "RULE", text))
    return tuple(found)


def switches(kit: Kit, language: Language = ENGLISH) -> tuple[Flag, ...]:
    """A switch for each format that has no numbers, but for the usual one: ``--drinks`` is ``--format drinks``."""
    text = "the same as --format {name}"
    return tuple(Flag(kind.name, "", language.say(text, name=kind.name)) for kind in _plain(kit))


def several_rounds(kit: Kit) -> str:
    """The flag, without dashes, of the first format of several rounds; "" if there is none."""
    kinds = (kind for kind in kit.formats if not kind.usual.is_one_round)
    return next((kind.name if kind in _plain(kit) else f"format {kind.name}" for kind in kinds), "")


def shape(game: Game[Any, Any]) -> str:
    """Two hands as they are typed, with as many dice as this game has, and its faces."""
    due, die = game.to_roll(game.start(LEAST)), game.faces
    return ",".join(die.write([min(face, die.sides) for face in hand[:due]]) for hand in SHAPES)


def _plain(kit: Kit) -> tuple[FormatKind, ...]:
    return tuple(kind for kind in kit.formats[1:] if not kind.fields)


def _format(kind: FormatKind, turns: bool, language: Language) -> str:
    if turns and kind.usual.stake:
        return language.say("{name} (one pot, carried until it is taken)", name=kind.name)
    return kind.shape


def written(form: Format) -> str:
    """A format as it is typed after a flag, without spaces."""
    return form.write().replace(" ", ":")


def least_seats(least: int) -> int:
    """The fewest seats that questions are about here: nobody has odds against nobody."""
    return max(LEAST, least)


def asked_options(kit: Kit, given: Given) -> dict[str, str]:
    """The house rules given, the others being usual. Raises BadNotation."""
    return {option.key: option.read(given.get(option.key, option.choices[0])) for option in kit.options}


def of_one_turn(kit: Kit) -> Kit:
    """The kit without the house rules that let a round's opener limit the others: they tie its turns together."""
    usual = {option.key: option.choices[0] for option in kit.options}

    def ties(option: Option) -> bool:
        return any(is_limited(kit.build({**usual, option.key: choice})) for choice in option.choices[1:])

    return replace(kit, options=tuple(option for option in kit.options if not ties(option)))


def other_options(kit: Kit) -> Iterator[Kit]:
    """The kit with one option after the other chosen otherwise, to look for those that are solved."""
    for option in kit.options:
        for choice in option.choices[1:]:
            yield kit.with_usual({option.key: choice})


def asked_turn_game(kit: Kit, given: Given) -> TurnGame:
    """The game of one turn a seat with the rules given. Raises BadNotation, and Unsolved where they make it another."""
    game = kit.build(asked_options(kit, given))
    if is_limited(game):
        raise Unsolved("limited-turn")
    if not one_turn_each(game):
        raise Unsolved("no-solver", title=kit.words.title)
    return game


def limits_rolls(game: TurnGame) -> bool:
    """True if a position depends on the number of rolls so far."""
    state = game.start(1)
    return game.roll(state, (1,) * game.to_roll(state)).rolls > 0


def asked_format(kit: Kit, given: Given) -> Format:
    """The format given, by its name or by a switch, or the usual one. Raises BadNotation."""
    switched = [kind for kind in _plain(kit) if kind.name in given]
    if switched and "format" in given:
        raise BadNotation("flag-beside", flag=switched[0].name, other="format")
    if switched:
        return switched[0].usual
    return kit.format(given["format"]) if "format" in given else kit.formats[0].usual


def most_solved(kit: Kit, form: Format) -> int:
    """The most seats that are solved in this format."""
    most = kit.usual_game.most_seats
    return min(most, kit.most_solved.get(form.kind.name, most))


def asked_match(kit: Kit, given: Given, most: int | None = None) -> Match[object, object]:
    """The match given, opened by its first seat; for one seat only if that is said, and the game has such rounds.

    most: seats that are solved, if fewer than can play.

    Raises BadNotation.
    """
    form, usual = asked_format(kit, given), kit.usual_game
    top = most_solved(kit, form) if most is None else min(most, most_solved(kit, form))
    seats = read_number("seats", given.get("seats", str(least_seats(usual.least_seats))), usual.least_seats, top)
    opener = given.get("opener", form.openers[0])
    if opener not in form.openers:
        raise BadNotation("opener", found=opener, openers=form.openers)
    return Match(kit.build(asked_options(kit, given)), seats, form, opener, Seat(0))


def shortest(kind: FormatKind) -> str:
    """The format with its least numbers."""
    return written(kind.build(*(field.least for field in kind.fields)))


GROUP = "In a match"
"""The heading of the fields that all formats have."""
VALUES = {"each": "NUMBERS", "number": "N", "seats": "SEATS"}
"""The placeholder of a standing's flag."""


def _scores(language: Language) -> Flag:
    text = language.say("with --format: the scores of this round so far, in turn order; 0 for none (none)")
    return Flag("scores", "SCORES", text, "Scores of this round, in turn order", group=GROUP)


def position_flags(kit: Kit, language: Language = ENGLISH) -> tuple[Flag, ...]:
    """The flags of a position in a match, after those of the round; none for a game whose rounds no flags tell."""
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
    shared = [field for field in _fields(kit) if sum(field in standing_fields(kind) for kind in kit.formats) > 1]
    found = [
        Flag("format", "FORMAT", form, "What you play", kinds if always else (("", "This round alone"), *kinds), GROUP),
        Flag(
            "seats",
            "N",
            say("how many players the match has (as many as numbers are given, or the fewest)"),
            "Players",
            group=GROUP,
        ),
        *([] if always else [_scores(language)]),
        *[_flag(field, GROUP, language) for field in dict.fromkeys(shared)],
        Flag(
            "opener",
            "RULE",
            say("who opens the next round: {openers} (as usual in the format)", openers=", ".join(openers)),
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
            if field.word != ROLL_OFF  # it changes no value
        ]
        found += [_flag(field, kind.label, language) for field in standing_fields(kind) if field not in shared]
    return tuple(found)


def _told(field: FormatField, language: Language) -> str:
    """The label of a number; of a switch with what its numbers mean."""
    say, label = language.say, language.say(field.label)
    told = [say("{number} if {meaning}", number=at, meaning=say(meaning)) for at, meaning in enumerate(field.named)]
    return f"{label}: {', '.join(told)}" if told else label


def standing_fields(kind: FormatKind) -> tuple[StandingField, ...]:
    """The fields by which a format is told the standing of a match."""
    return kind.standing.fields if kind.standing is not None else ()


def _fields(kit: Kit) -> Iterator[StandingField]:
    return (field for kind in kit.formats for field in standing_fields(kind))


def _flag(field: StandingField, group: str, language: Language) -> Flag:
    text = language.say("with --format: {meaning}", meaning=language.say(field.meaning))
    return Flag(field.key, VALUES[field.takes], text, field.label, group=group)


COSTS = "pubdice.advice.card_prices"
RANKING = "pubdice.advice.ranking"
ODDS = "pubdice.advice.odds"
TIES = (("share", "shares the round"), ("each", "gives each a win"), ("carry", "carries the pot"))


def _goal(language: Language) -> tuple[Flag, ...]:
    say = language.say
    ties = say("with --goal win: share (usual), each wins, or carry the pot for these seats")
    return (
        Flag("goal", "GOAL", say("score (usual), qualify, reach:N, exactly:N, or win")),
        Flag("to-beat", "N", say("with --goal win: the best score so far (none)"), "Score to beat"),
        Flag("holders", "K", say("with --goal win: how many seats hold it (1)"), "How many have that score"),
        Flag("to-come", "M", say("with --goal win: how many seats play after this one (0)"), "Players still to come"),
        Flag("ties", "RULE", ties, "A tie", TIES),
    )


def _position(game: TurnGame, language: Language) -> tuple[Flag, ...]:
    say = language.say
    text = say("how many rolls there have been in this turn (as few as the position allows)")
    return (
        Flag("locked", "DICE", say("the dice kept before (none)"), "Kept before"),
        Flag("roll", "DICE", say("the dice just rolled"), "What did you roll?"),
        *([Flag("rolls", "N", text, "Rolls so far")] if limits_rolls(game) else []),
    )


def question(kit: Kit, name: str, language: Language = ENGLISH) -> Question | None:
    """The question of that name, ``odds``, ``advise``, ``price`` or ``card``; None if the game has no answer to it.

    language: of what the flags mean.
    """
    if name == "price" and kit.price is not None:
        return Question((), kit.price)
    if kit.solver is None or (name == "card" and kit.card_lines is None):
        return None
    if name == "price":
        return Question(option_flags(kit, language), partial(lazy(ODDS, "price"), kit))
    return {"odds": _odds, "advise": _advise, "card": _card}[name](kit, language)


def _odds(kit: Kit, language: Language) -> Question:
    game = kit.usual_game
    goal = _goal(language) if one_turn_each(game) else ()
    flags = (*option_flags(kit, language), *goal, *match_flags(kit, language))
    return Question(flags, partial(lazy(ODDS, "odds"), kit))


def _advise(kit: Kit, language: Language) -> Question:
    """By flags for a position of a turn or of a match, or by hands; any position is a record."""
    game = kit.usual_game
    if kit.position is not None:
        told = tuple(replace(flag, meaning=language.say(flag.meaning)) for flag in kit.position.flags)
        flags = (*told, *option_flags(kit, language), *position_flags(kit, language))
        return Question(flags, partial(lazy(RANKING, "advise_flags"), kit))
    if one_turn_each(game):
        turn_flags = (*_position(game, language), *option_flags(of_one_turn(kit), language), *_goal(language))
        flags = (*turn_flags, *position_flags(kit, language))
        return Question(flags, partial(lazy(RANKING, "advise_flags"), kit))
    if kit.tell_hands is not None and isinstance(game.start(least_seats(game.least_seats)), HandState):
        return Question(_hand_flags(kit, language), partial(lazy(RANKING, "advise_hands"), kit))
    return Question((), _record_only)


def _hand_flags(kit: Kit, language: Language) -> tuple[Flag, ...]:
    several = several_rounds(kit)
    text = "every hand, the mover's first, in turn order: {hands}; - has not rolled yet"
    hands = language.say(text, hands=shape(kit.usual_game))
    opened = Flag(
        "player-one",
        "K",
        language.say("with --{flag}: which of the hands, from 1, opened the round (1)", flag=several),
        "In several rounds: which hand opened this one",
    )
    kinds = tuple((kind.name, kind.label) for kind in kit.formats)
    matches = [
        Flag(flag.name, flag.value, flag.meaning, "What you play", kinds) if flag.name == "format" else flag
        for flag in match_flags(kit, language)
        if flag.name != "seats"
    ]
    return (
        Flag("hands", "HANDS", hands, "All hands, yours first; a dash for one not rolled"),
        *matches,
        *([opened] if several else []),
        *option_flags(kit, language),
    )


def _record_only(given: Mapping[str, str], folder: Path | None = None) -> NoReturn:
    raise BadNotation("advise-record")


def _card(kit: Kit, language: Language) -> Question:
    svg = Flag("svg", "", language.say("print the card as an SVG picture, 10 by 10 cm"))
    return Question((*option_flags(of_one_turn(kit), language), svg), partial(lazy(COSTS, "answer"), kit))
