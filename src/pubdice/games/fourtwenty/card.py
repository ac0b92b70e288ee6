"""420's card: lines that look at one's own hand only, each with what ignoring it costs.

The form of the lines is ours (``lines.py``); up to which total three dice are worth keeping is found by computation, as
what gives the best share of the race against best play. A *share* is the chance to win a race of two, the mean of
being Player 1 and Player 2; best play against itself has ½. A line's cost is the exact share of all lines minus that of
all the others, what the card gives up is ½ minus its own share: the policies themselves are raced (``contest``).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pubdice.games.fourtwenty.contest import best, contest
from pubdice.games.fourtwenty.lines import Lines
from pubdice.games.fourtwenty.rules import FOUNDATION, TARGET, FourTwenty
from pubdice.games.fourtwenty.seat import one_seat
from pubdice.games.fourtwenty.solver import advise
from pubdice.mat import Card, Item, svg, text
from pubdice.words import Language, per_cent

GAME = FourTwenty()


@dataclass(frozen=True, slots=True)
class Played:
    """The lines, what each costs if ignored, and their share against best play.

    missed: in how many pairs of hands, own and other, the card's keep is not among the best.
    """

    lines: Lines
    costs: tuple[tuple[str, float], ...]
    share: float
    missed: int


@cache
def played() -> Played:
    """The card, worked out once."""
    house = contest(GAME)
    perfect = house.player(best)

    def share(lines: Lines) -> float:
        card = house.player(lines)
        return (house.wins(card, perfect) + 1 - house.wins(perfect, card)) / 2

    tried = [Lines(three) for three in (None, *range(FOUNDATION[3], TARGET - 1))]
    lines = max(tried, key=lambda each: round(share(each), 12))
    value = share(lines)
    without = {
        "three": replace(lines, three=None),
        "two": replace(lines, two=False),
        "one": replace(lines, one=False),
    }
    costs = tuple((name, value - share(others)) for name, others in without.items())
    return Played(lines, costs, value, _missed(lines))


def _missed(lines: Lines) -> int:
    """In how many pairs of hands, own and other, the card's keep is worth less than the best."""
    one, house = one_seat(GAME), contest(GAME)
    card = house.player(lines)
    assert card.weights is not None, "lines look at one hand"
    shown = {kind: hand for hand, kind in one.kind.items() if hand}  # hands of one kind are alike as an opponent's
    missed = 0
    for at, own in enumerate(house.hands):
        if not own:
            continue
        kept = list(house.keeps)[int(card.weights[at].argmax())]
        for other in shown.values():
            advice = advise((own, other))
            missed += dict(advice.keeps)[kept] < advice.value - 1e-10
    return missed


def answer(given: Mapping[str, str]) -> dict[str, Any]:
    """The card as plain data."""
    card = played()
    data: dict[str, Any] = {
        "lines": [
            {
                "line": name,
                "text": _sentence(Language(), name, card.lines),
                "cost": cost,
                "utility": "share of the race",
            }
            for name, cost in card.costs
        ],
        "share": {"value": card.share, "best": 0.5, "given_up": max(0.0, 0.5 - card.share)},
        "positions_missed": card.missed,
        "bound": 1e-12,
    }
    if "svg" in given:
        data["svg"] = svg(laid_out(Language(), data))
    return data


def tell(language: Language, data: dict[str, Any]) -> list[str]:
    """The card in lines, or the lines of its picture."""
    card = laid_out(language, data)
    return svg(card).splitlines() if "svg" in data else text(card)


def laid_out(language: Language, data: dict[str, Any]) -> Card:
    """The card, ready to be read out or drawn."""
    say, lines = language.say, played().lines
    dice = {"three": (5, 5, 5), "two": (6, 4), "one": (6,)}
    items = []
    for row in data["lines"]:
        cost = per_cent(row["cost"])
        costs = say("Ignored: {cost} of the race lost.", cost=cost)
        items.append(Item(_sentence(language, row["line"], lines), f"−{cost}", costs, dice[row["line"]]))
    items.append(Item(say("Otherwise, or over 20: reroll all four."), "", say("The rules leave you no choice."), ()))
    given_up = data["share"]["given_up"]
    foot = [
        say("They lose nothing: nobody can play better.")
        if given_up < 1e-9
        else say("Against best play they lose {cost} of the race.", cost=per_cent(given_up))
    ]
    if not data["positions_missed"]:
        foot.append(say("With two players you need not look at the other hand."))
    return Card("420", say("best chance to win a race of two"), say("if ignored"), tuple(items), tuple(foot))


def _sentence(language: Language, name: str, lines: Lines) -> str:
    say = language.say
    totals = language.join(map(str, range(FOUNDATION[3], (lines.three or FOUNDATION[3]) + 1)), "{some} or else {last}")
    return {
        "three": say("Three dice make {totals}: keep those three.", totals=totals),
        "two": say("Otherwise two make 10 or more: keep your highest two."),
        "one": say("Otherwise keep one 6, or else one 5."),
    }[name]
