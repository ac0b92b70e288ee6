"""A game as it can be set up: its formats, house rules and bots, each with what it does, from what its kit says."""

from collections.abc import Mapping

from pubdice.kit import Kit, Option
from pubdice.server.show import page_data
from pubdice.text.language import BOTS, OPENERS


def rule(option: Option) -> page_data.Rule:
    """A house rule as it can be chosen."""
    choices = zip(option.choices, option.meanings, strict=True)
    return page_data.Rule(option.key, option.meaning, tuple(page_data.FormOption(*choice) for choice in choices))


def card(kit: Kit) -> page_data.GameCard:
    """A game as it can be set up."""
    openers = kit.formats[0].usual.openers
    most = kit.build({option.key: option.choices[0] for option in kit.options}).most_seats
    return page_data.GameCard(
        name=kit.name,
        title=kit.words.title,
        tagline=kit.words.tagline,
        rules=tuple(rule(option) for option in kit.options),
        formats=kit.formats,
        openers=tuple(page_data.FormOption(opener, OPENERS[opener]) for opener in openers) if len(openers) > 1 else (),
        bots=tuple(page_data.FormOption(bot, BOTS.get(bot, "")) for bot in kit.bots),
        most_seats=most,
        draws_from=kit.draws_from,
    )


def match_fields(kit: Kit, rules: Mapping[str, str]) -> dict[str, str]:
    """The fields of a form for these rules of a match, the format's kind apart from its numbers."""
    form = kit.format(rules.get("format", kit.formats[0].name))
    fields = {f"{kit.name}.{key}": value for key, value in rules.items()}
    fields[f"{kit.name}.format"] = form.kind.name
    numbers = zip(form.kind.fields, form.numbers, strict=True)
    return fields | {f"{kit.name}.{field.key}": str(number) for field, number in numbers}
