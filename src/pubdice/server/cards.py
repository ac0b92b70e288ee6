"""A game as it can be set up: its formats, house rules and bots, each with what it does, from what its kit says."""

from pubdice.formats import read_format
from pubdice.kit import Kit, Option
from pubdice.meanings import BOTS, FORMATS, OPENERS
from pubdice.server import pages


def rule(option: Option) -> pages.Rule:
    """A house rule as it can be chosen."""
    choices = zip(option.choices, option.meanings, strict=True)
    return pages.Rule(option.key, option.meaning, tuple(pages.Choice(*choice) for choice in choices))


def card(kit: Kit) -> pages.GameCard:
    """A game as it can be set up."""
    openers = read_format(kit.formats[0]).openers
    most = kit.build({option.key: option.choices[0] for option in kit.options}).most_seats
    return pages.GameCard(
        name=kit.name,
        title=kit.words.title,
        tagline=kit.words.tagline,
        rules=tuple(rule(option) for option in kit.options),
        formats=tuple(pages.Choice(form, FORMATS[form]) for form in kit.formats),
        openers=tuple(pages.Choice(opener, OPENERS[opener]) for opener in openers) if len(openers) > 1 else (),
        bots=tuple(pages.Choice(bot, BOTS.get(bot, "")) for bot in kit.bots),
        most_seats=most,
        draws_from=kit.draws_from,
    )
