"""The match and the rules that a question is about, from the flags given."""

from collections.abc import Mapping

from pubdice.core.errors import BadNotation
from pubdice.core.game import Seat
from pubdice.core.turn_game import TurnGame
from pubdice.kit import Flag, Kit, Option, read_number
from pubdice.match.formats import Format, FormatKind
from pubdice.match.match import Match

MATCH_FLAGS = ("seats", "format", "opener")
Given = Mapping[str, str]
"""Flags, by name without dashes."""


def option_flags(kit: Kit) -> tuple[Flag, ...]:
    """A flag for each house rule of a game."""
    return tuple(Flag(option.key, option.key.upper(), _choices(option)) for option in kit.options)


def _choices(option: Option) -> str:
    usual, *others = [choice.replace(" ", ",") for choice in option.choices]
    return f"{option.meaning}: {' or '.join([f'{usual} (usual)', *others])}"


def match_flags(kit: Kit) -> tuple[Flag, ...]:
    """Flags for seats, format and opener."""
    game = kit.usual_game
    formats = " or ".join(map(_format, kit.formats, [isinstance(game, TurnGame)] * len(kit.formats)))
    openers = tuple(dict.fromkeys(opener for kind in kit.formats for opener in kind.usual.openers))
    usual = written(kit.formats[0].usual)
    seats = "how many seats the match has; the values stand in turn order"
    found = [Flag("seats", "N", f"{seats} ({least_seats(game.least_seats)})")]
    found.append(Flag("format", "FORMAT", f"of which match: {formats}; {usual} is usual"))
    if len(openers) > 1:
        found.append(Flag("opener", "RULE", f"of which match: {openers[0]} (usual), {', '.join(openers[1:])}"))
    return tuple(found)


def _format(kind: FormatKind, turns: bool) -> str:
    if turns and kind.usual.stake:
        return f"{kind.name} (one pot, carried until it is taken)"
    return f"{kind.name}:N" if kind.fields else kind.name


def written(form: Format) -> str:
    """A format as it is typed after a flag, without spaces."""
    return form.write().replace(" ", ":")


def least_seats(least: int) -> int:
    """The fewest seats that questions are about: nobody has odds against nobody."""
    return max(2, least)


def asked_options(kit: Kit, given: Given) -> dict[str, str]:
    """The house rules given, the others being usual. Raises BadNotation."""
    return {option.key: option.read(given.get(option.key, option.choices[0])) for option in kit.options}


def asked_turn_game(kit: Kit, given: Given) -> TurnGame:
    """The game of one turn a seat with the rules given. Raises BadNotation."""
    game = kit.build(asked_options(kit, given))
    assert isinstance(game, TurnGame), "asked of games of one turn a seat alone"
    return game


def limits_rolls(game: TurnGame) -> bool:
    """Whether a position depends on the number of rolls there have been."""
    state = game.start(1)
    return game.roll(state, (1,) * game.to_roll(state)).rolls > 0


def asked_format(kit: Kit, given: Given) -> Format:
    """The format given, or the usual one. Raises BadNotation."""
    return kit.format(given["format"]) if "format" in given else kit.formats[0].usual


def asked_match(kit: Kit, given: Given, most: int | None = None) -> Match[object, object]:
    """The match given, opened by its first seat. most: seats that are solved, if fewer than can play.

    Raises BadNotation.
    """
    form, usual = asked_format(kit, given), kit.usual_game
    least = least_seats(usual.least_seats)
    top = usual.most_seats if most is None else min(most, usual.most_seats)
    seats = read_number("seats", given.get("seats", str(least)), least, top)
    opener = given.get("opener", form.openers[0])
    if opener not in form.openers:
        raise BadNotation("opener", found=opener, openers=form.openers)
    return Match(kit.build(asked_options(kit, given)), seats, form, opener, Seat(0))
