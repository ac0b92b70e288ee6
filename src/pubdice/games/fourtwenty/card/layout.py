"""420's card in words, and laid out for a mat; the numbers are those of ``costs.py``."""

from typing import Any

from pubdice.advice.card import Card, Item
from pubdice.games.fourtwenty.card.lines import CardLines
from pubdice.games.fourtwenty.rules import FOUNDATION
from pubdice.solve.tolerance import NOTHING
from pubdice.text.language import Language, per_cent


def laid_out(language: Language, data: dict[str, Any], lines: CardLines) -> Card:
    """The card, ready to be read out or drawn."""
    say = language.say
    dice = {"three": (5, 5, 5), "two": (6, 4), "one": (6,)}
    items = []
    for row in data["lines"]:
        cost = per_cent(row["cost"])
        costs = say("Ignored: {cost} of the race lost.", cost=cost)
        items.append(Item(sentence(language, row["line"], lines), f"−{cost}", costs, dice[row["line"]]))
    items.append(Item(say("Otherwise, or over 20: reroll all four."), "", say("The rules leave you no choice."), ()))
    given_up = data["share"]["given_up"]
    foot = [
        say("They lose nothing: nobody can play better.")
        if given_up < NOTHING
        else say("Against best play they lose {cost} of the race.", cost=per_cent(given_up))
    ]
    if not data["positions_missed"]:
        foot.append(say("With two players you need not look at the other hand."))
    return Card("420", say("best chance to win a race of two"), say("if ignored"), tuple(items), tuple(foot))


def sentence(language: Language, name: str, lines: CardLines) -> str:
    """A line of the card, by its name. ``tests/cards.py`` reads these words back as a policy."""
    say = language.say
    totals = language.join(map(str, range(FOUNDATION[3], (lines.three or FOUNDATION[3]) + 1)), "{some} or else {last}")
    return {
        "three": say("Three dice make {totals}: keep those three.", totals=totals),
        "two": say("Otherwise two make 10 or more: keep your highest two."),
        "one": say("Otherwise keep one 6, or else one 5."),
    }[name]
