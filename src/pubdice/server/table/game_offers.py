"""A game as it can be set up: its formats, house rules and bots, each with what it does, from what its kit says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pubdice.core.dice import SIX, DieFaces, Hand
from pubdice.kit import Kit, Option
from pubdice.match.formats import FormatKind
from pubdice.text.language import BOTS, OPENERS

OTHERS = tuple(f"player{number}" for number in range(2, 9))
"""Fields of the pocket's form of a new table for those who share the phone; more people are added at the table."""
MOST_BOTS = 4
"""Bots that the same form seats."""


@dataclass(frozen=True, slots=True)
class FormOption:
    """Something to choose: the value a form sends, and in English what it means."""

    value: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A house rule of a game: its key, what it does, in English, and the choices, the default first."""

    key: str
    meaning: str
    choices: tuple[FormOption, ...]


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game that can be set up.

    formats: its kinds, the default first. openers: as formats with several rounds have them. draws_from: the number of
    seats from which Player 1 is drawn; 0 for never. short: the title where little has room, "" for the whole one.
    emblem: the dice that stand for it; red: the faces that a turn needs; die: all faces.
    """

    name: str
    title: str
    tagline: str
    rules: tuple[Rule, ...]
    formats: tuple[FormatKind, ...]
    openers: tuple[FormOption, ...]
    bots: tuple[FormOption, ...]
    most_seats: int
    draws_from: int = 0
    short: str = ""
    emblem: Hand = ()
    red: Hand = ()
    die: DieFaces = SIX


def rule(option: Option) -> Rule:
    """A house rule as it can be chosen."""
    choices = zip(option.choices, option.meanings, strict=True)
    return Rule(option.key, option.meaning, tuple(FormOption(*choice) for choice in choices))


def card(kit: Kit) -> GameCard:
    """A game as it can be set up."""
    openers = kit.formats[0].usual.openers
    game = kit.usual_game
    return GameCard(
        name=kit.name,
        title=kit.words.title,
        tagline=kit.words.tagline,
        rules=tuple(rule(option) for option in kit.options),
        formats=kit.formats,
        openers=tuple(FormOption(opener, OPENERS[opener]) for opener in openers) if len(openers) > 1 else (),
        bots=tuple(FormOption(bot, BOTS.get(bot, "")) for bot in kit.bots),
        most_seats=game.most_seats,
        draws_from=kit.draws_from,
        short=kit.words.short,
        emblem=kit.emblem,
        red=kit.words.red(game),
        die=game.faces,
    )


def chosen_game(games: Sequence[GameCard], form: Mapping[str, str]) -> str:
    """The game that a form chooses among these; the first if it names none of them."""
    names = [game.name for game in games]
    return form["game"] if form.get("game") in names else names[0]


def match_fields(kit: Kit, rules: Mapping[str, str]) -> dict[str, str]:
    """The fields of a form for these rules of a match, the format's kind apart from its numbers."""
    form = kit.format(rules.get("format", kit.formats[0].name))
    fields = {f"{kit.name}.{key}": value for key, value in rules.items()}
    fields[f"{kit.name}.format"] = form.kind.name
    numbers = zip(form.kind.fields, form.numbers, strict=True)
    return fields | {f"{kit.name}.{field.key}": str(number) for field, number in numbers}
