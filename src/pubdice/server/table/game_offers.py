"""Forms that set up a game: their limits, the chosen game, and the fields of a match's rules."""

from collections.abc import Mapping, Sequence

from pubdice.kit import Kit

OTHERS = tuple(f"player{number}" for number in range(2, 9))
"""Fields of the pocket's form for further players on the same phone. More players are added at the table."""
MOST_BOTS = 4
"""The most bots that the pocket's form seats."""


def chosen_game(games: Sequence[Kit], form: Mapping[str, str]) -> str:
    """Return the game chosen in a form; the first of ``games`` if the form names none of them."""
    names = [game.name for game in games]
    return form["game"] if form.get("game") in names else names[0]


def match_fields(kit: Kit, rules: Mapping[str, str]) -> dict[str, str]:
    """Return a form's fields for these rules of a match. The format's kind and its numbers are separate fields."""
    form = kit.format(rules.get("format", kit.formats[0].name))
    fields = {f"{kit.name}.{key}": value for key, value in rules.items()}
    fields[f"{kit.name}.format"] = form.kind.name
    numbers = zip(form.kind.fields, form.numbers, strict=True)
    return fields | {f"{kit.name}.{field.key}": str(number) for field, number in numbers}
