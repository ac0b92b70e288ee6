"""Prices of a game's card: the cost of ignoring each line, and the loss of the whole card.

The cost of a line is the value of a policy that follows all lines, less the value of a policy that follows all other
lines. The line's measure sets the unit: the default (``policy_share``) or one of the game's own. The loss of the card
is the value of best play less the value of following all lines.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pubdice.advice.asked_match import asked_options
from pubdice.advice.card import CardLine, LineCard, Measure
from pubdice.advice.policy_share import share_measure
from pubdice.advice.printed_card import Card, Item, svg, text
from pubdice.core.errors import Unsolved
from pubdice.core.game import Game, is_limited
from pubdice.kit import Kit, NumberedAnswer
from pubdice.text.language import Language, sentence, stopped


def priced(card: LineCard, measures: tuple[Measure, ...]) -> dict[str, Any]:
    """Return, as plain data, the cost of ignoring each line, and the value of following all lines.

    The first measure prices all lines that name no measure. Raises Unsolved if a round of two is not solved.
    """
    names = frozenset(line.name for line in card.lines)
    english, whole = Language(), card.play(names)
    values = {each.name: each.value(whole) for each in measures}
    lines = []
    for line in card.lines:
        measure = _measure_of(line, measures)
        cost = values[measure.name] - measure.value(card.play(names - {line.name}))
        lines.append({"line": line.name, "text": line.say(english), "cost": cost, "utility": measure.utility})
    data: dict[str, Any] = {"lines": lines}
    for each in measures:
        value = values[each.name]
        data[each.name] = {"value": value, "best": each.best, "given_up": max(0.0, each.best - value)}
        data |= each.facts(whole)
    return {**data, "bound": max(each.bound for each in measures)}


def _measure_of(line: CardLine, measures: tuple[Measure, ...]) -> Measure:
    return next((each for each in measures if each.name == line.measure), measures[0])


def _card(kit: Kit, options: Mapping[str, str]) -> tuple[LineCard, tuple[Measure, ...], Game[Any, Any]]:
    """Return the card under these house rules, the measures of its lines, and the game."""
    assert kit.card_lines is not None, "asked of games with a card alone"
    game = kit.build(options)
    if is_limited(game):  # a line's price would also depend on the number of rolls left, which the lines ignore
        raise Unsolved("card-rules")
    card: LineCard = kit.card_lines(game)
    return card, card.measures or (share_measure(game, watches=card.watches),), game


@dataclass(frozen=True, slots=True)
class PricedCard(NumberedAnswer):
    """The card with its prices. If the question asks for a picture, it is included, in English."""

    kit: Kit

    def sentences(self, language: Language) -> list[str]:
        """Return the lines of the card or, if there is a picture, the lines of its SVG."""
        layout = self.layout(language)
        return svg(layout).splitlines() if "svg" in self.numbers else text(layout)

    def layout(self, language: Language) -> Card:
        """Lay out the card, ready to be read aloud or drawn."""
        language = self.kit.tongue(language)
        say, items = language.say, []
        card, measures, game = _card(self.kit, self.numbers["options"])
        for line, row in zip(card.lines, self.numbers["lines"], strict=True):
            measure = _measure_of(line, measures)
            items.append(Item(line.say(language), *measure.ignored(language, row["cost"]), line.dice))
        if card.rest is not None:
            items.append(Item(card.rest.say(language), "", say("The rules leave you no choice."), card.rest.dice))
        foot = [told for measure in measures for told in measure.comes_to(language, self.numbers)]
        rules = self.kit.words.options(language, game)
        if rules and len(foot) == 1:
            foot.append(stopped(sentence(rules)))
        column = say("if ignored") if items else ""
        return Card(say(self.kit.words.title), measures[0].aim(language), column, tuple(items), tuple(foot), game.faces)


def answer(kit: Kit, given: Mapping[str, str], folder: Path | None = None) -> PricedCard:
    """Return the priced card of a game, with its picture if ``svg`` is given. Raises BadNotation and Unsolved."""
    options = asked_options(kit, given)
    card, measures, _ = _card(kit, options)
    found = PricedCard({**priced(card, measures), "options": options}, kit)
    if "svg" in given:
        return PricedCard({**found.numbers, "svg": svg(found.layout(Language()))}, kit)
    return found
