"""Forms that set up a game: their limits, the game that one chooses, and the fields of a match's rules."""

from collections.abc import Mapping, Sequence

from pubdice.kit import Kit

OTHERS = tuple(f"player{number}" for number in range(2, 9))
"""Fields of the pocket's form of a new table for those who share the phone; more people are added at the table."""
MOST_BOTS = 4
"""Bots that the same form seats."""


def chosen_game(games: Sequence[Kit], form: Mapping[str, str]) -> str:
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
