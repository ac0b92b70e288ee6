"""The flags that describe a match and its house rules in a question (a command such as ``odds``), and their parser."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pubdice.core.errors import BadNotation, Unsolved
from pubdice.core.game import Game, GameOfTurns, Seat, TurnGame, is_limited
from pubdice.kit import Flag, Kit, Option, read_number
from pubdice.match.formats import Format, FormatField, FormatKind
from pubdice.match.match import Match
from pubdice.solve.choose import one_turn_each, turns_alike
from pubdice.text.language import Language
from pubdice.typed_rules import format_words, show, shown_choices

MATCH_FLAGS = ("seats", "format", "opener")

TO_WIN = ("to-beat", "holders", "to-come", "ties")  # flags that are only for the goal ``win`` of a turn

LEAST = 2  # the fewest seats that a question can be about

NUMBERS = (1, 2, 3, 5, 10, 20)  # the numbers of rounds or lives that a price list compares

SHAPES = ((6, 5, 5, 1), (6, 5, 4, 1))  # the faces of sample hands for help texts

Given = Mapping[str, str]  # the flags given, by name without dashes

ENGLISH = Language()


def option_flags(kit: Kit, language: Language = ENGLISH) -> tuple[Flag, ...]:
    """Return a flag for each house rule of a game."""
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
    usual, *others = shown_choices(option, language, ",")
    choices = language.join([language.say("{usual} (usual)", usual=usual), *others], "{some} or {last}")
    return f"{language.say(option.meaning)}: {choices}"


def match_flags(kit: Kit, language: Language = ENGLISH) -> tuple[Flag, ...]:
    """Return the flags for seats, format and opener."""
    game = kit.usual_game
    say, turns = language.say, one_turn_each(game)
    formats = language.join([_format(kind, turns, language) for kind in kit.formats], "{some} or {last}")
    openers = tuple(dict.fromkeys(opener for kind in kit.formats for opener in kind.usual.openers))
    words = format_words(kit.formats, language)
    usual, least = show(written(kit.formats[0].usual), words), least_seats(game.least_seats)
    limits = "".join(
        say(", {range} for {name}", range=language.range(least, most), name=name)
        for name, most in kit.most_solved.items()
    )
    text = "number of seats{limits}, with the values in turn order ({least})"
    found = [Flag("seats", "N", say(text, limits=limits, least=least))]
    found.append(Flag("format", "FORMAT", say("the match: {formats} ({usual} is usual)", formats=formats, usual=usual)))
    found += switches(kit, language)
    if len(openers) > 1:
        first = say("{usual} (usual)", usual=openers[0])
        text = say("of which match: {openers}", openers=", ".join([first, *openers[1:]]))
        found.append(Flag("opener", "RULE", text))
    return tuple(found)


def switches(kit: Kit, language: Language = ENGLISH) -> tuple[Flag, ...]:
    """Return a switch for each format without numbers, except the default. ``--drinks`` is ``--format drinks``."""
    text = "the same as --format {name}"
    return tuple(Flag(kind.name, "", language.say(text, name=kind.name)) for kind in _plain(kit))


def several_rounds(kit: Kit) -> str:
    """Return the flag, without dashes, of the first format of several rounds. "" if no format has several."""
    kinds = (kind for kind in kit.formats if not kind.usual.is_one_round)
    return next((kind.name if kind in _plain(kit) else f"format {kind.name}" for kind in kinds), "")


def shape(game: Game[Any, Any]) -> str:
    """Return two sample hands as they are typed, with this game's dice."""
    due, die = game.to_roll(game.start(LEAST)), game.faces
    return ",".join(die.write([min(face, die.sides) for face in hand[:due]]) for hand in SHAPES)


def _plain(kit: Kit) -> tuple[FormatKind, ...]:
    return tuple(kind for kind in kit.formats[1:] if not kind.fields)


def _format(kind: FormatKind, turns: bool, language: Language) -> str:
    if turns and kind.usual.stake:
        return language.say(
            "{name} (one pot, carried until it is taken)", name=show(kind.name, format_words((kind,), language))
        )
    return show(kind.shape, format_words((kind,), language))


def written(form: Format) -> str:
    """Return a format as it is typed after a flag, without spaces."""
    return form.write().replace(" ", ":")


def least_seats(least: int) -> int:
    """Return the fewest seats in a question about a game that ``least`` seats can play.

    It is at least two, because a seat that plays alone has no odds.
    """
    return max(LEAST, least)


def asked_options(kit: Kit, given: Given) -> dict[str, str]:
    """Read the house rules from the flags. A rule without a flag has its default. Raises BadNotation."""
    return {option.key: option.read(given.get(option.key, option.choices[0])) for option in kit.options}


def of_one_turn(kit: Kit) -> Kit:
    """Return the kit without the house rules by which the opener limits the other seats' rolls.

    With such rules a turn depends on the other seats, so a single turn cannot be solved.
    """
    usual = {option.key: option.choices[0] for option in kit.options}

    def ties(option: Option) -> bool:
        return any(is_limited(kit.build({**usual, option.key: choice})) for choice in option.choices[1:])

    return replace(kit, options=tuple(option for option in kit.options if not ties(option)))


def other_options(kit: Kit) -> Iterator[Kit]:
    """Yield the kit with one option changed at a time, to search for rules that can be solved."""
    for option in kit.options:
        for choice in option.choices[1:]:
            yield kit.with_usual({option.key: choice})


def asked_turn(kit: Kit, given: Given) -> GameOfTurns:
    """Return the game under the rules given, if each seat has one turn that can be solved by itself.

    Raises BadNotation. Raises Unsolved if these rules make turns depend on each other.
    """
    game = kit.build(asked_options(kit, given))
    if is_limited(game):
        raise Unsolved("limited-turn")
    if not turns_alike(game):
        raise Unsolved("no-solver", title=kit.words.title)
    return game


def asked_turn_game(kit: Kit, given: Given) -> TurnGame:
    """Return the game of ``asked_turn``, if dice describe its turn. Raises BadNotation and Unsolved."""
    game = asked_turn(kit, given)
    if not isinstance(game, TurnGame):
        raise Unsolved("no-solver", title=kit.words.title)
    return game


def limits_rolls(game: TurnGame) -> bool:
    """Return True if a position of this game includes the number of rolls so far."""
    state = game.start(1)
    return game.roll(state, (1,) * game.to_roll(state)).rolls > 0


def asked_format(kit: Kit, given: Given) -> Format:
    """Return the format from a flag or a switch, or else the default format. Raises BadNotation."""
    switched = [kind for kind in _plain(kit) if kind.name in given]
    if switched and "format" in given:
        raise BadNotation("flag-beside", flag=switched[0].name, other="format")
    if switched:
        return switched[0].usual
    return kit.format(given["format"]) if "format" in given else kit.formats[0].usual


def most_solved(kit: Kit, form: Format) -> int:
    """Return the most seats that are solved in this format."""
    most = kit.usual_game.most_seats
    return min(most, kit.most_solved.get(form.kind.name, most))


def asked_opener(form: Format, given: Given) -> str:
    """Return the rule for the next opener from the flags, or else the format's default. Raises BadNotation."""
    opener = given.get("opener", form.openers[0])
    if opener not in form.openers:
        raise BadNotation("opener", found=opener, openers=form.openers)
    return opener


def asked_match(kit: Kit, given: Given, most: int | None = None) -> Match[object, object]:
    """Return the match that the flags describe, opened by seat 0. Raises BadNotation.

    ``most`` limits the number of seats. A single seat is allowed only if a flag asks for it and the game can be played
    alone.
    """
    form, usual = asked_format(kit, given), kit.usual_game
    top = most_solved(kit, form) if most is None else min(most, most_solved(kit, form))
    seats = read_number("seats", given.get("seats", str(least_seats(usual.least_seats))), usual.least_seats, top)
    opener = asked_opener(form, given)
    return Match(kit.build(asked_options(kit, given)), seats, form, opener, Seat(0))


def numbers_compared(field: FormatField) -> tuple[int, ...]:
    """Return the numbers of a format that a price list compares, within the bounds of their field.

    A number to choose from a list counts rounds or lives. Any other one, such as points, is compared as usual, halved
    and doubled.
    """
    found = NUMBERS if field.control == "choice" else (field.usual // 2, field.usual, 2 * field.usual)
    return tuple(number for number in found if field.least <= number <= field.most)


def shortest(kind: FormatKind) -> str:
    """Return the format with the least numbers that it allows, as it is typed."""
    return written(kind.build(*(field.least for field in kind.fields)))
