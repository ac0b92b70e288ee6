"""What a card's lines are worth: each line's cost if it is ignored, and what the whole card gives away.

A *share* is that of one round of two against best play, the mean of both seats; a tie counts half, and so does a round
that nobody wins. Best play against itself has 1/2, as one's share is what the other does not have. A line's cost is the
share of all lines less that of all the others. Nothing is simulated: games of a turn a seat by ``solve.turns.contest``,
all others by following both policies through the rules (``solve.finite.evaluate``), best play by ``solve.plain``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from pubdice.advice.card import Card, Item, svg, text
from pubdice.advice.card_lines import LineCard, MakeCard
from pubdice.core.game import Game, RoundResult, Seat
from pubdice.core.policy import Policy
from pubdice.match.formats import ROUNDS
from pubdice.match.match import Match
from pubdice.solve.choose import one_turn_each, solve_match
from pubdice.solve.finite.evaluate import Sheet
from pubdice.solve.tolerance import NOTHING, ROUNDING, first_best
from pubdice.solve.turns.contest import best, contest
from pubdice.text.language import Language, per_cent

AnyPolicy = Policy[Any, Any]


@dataclass(frozen=True, slots=True)
class LineCosts:
    """What the lines cost, by name, in the order of the card; the share of all of them; the bound of each number."""

    costs: tuple[tuple[str, float], ...]
    share: float
    bound: float


def line_costs(card: LineCard) -> LineCosts:
    """The costs of a card. Raises Unsolved for a game whose round of two is not solved."""
    names = frozenset(line.name for line in card.lines)
    play = _against_best_play(card.game)
    share = play(card.play(names))
    costs = tuple((line.name, share - play(card.play(names - {line.name}))) for line in card.lines)
    return LineCosts(costs, share, 100 * ROUNDING)


def _against_best_play(game: Game[Any, Any]) -> Any:
    """A function from a policy to its share."""
    if one_turn_each(game):
        house = contest(game)
        perfect = house.player(best)

        def turn_share(policy: AnyPolicy) -> float:
            mine = house.player(policy)
            return (house.share(mine, perfect) + 1 - house.share(perfect, mine)) / 2

        return turn_share
    sheet, other = Sheet(game, game.start(2)), best_play(game)

    def share(policy: AnyPolicy) -> float:
        def seated(seat: int) -> AnyPolicy:
            return lambda game, state: (policy if game.mover(state) == seat else other)(game, state)

        return (sheet.value(seated(0), _first_share) + 1 - sheet.value(seated(1), _first_share)) / 2

    return share


def _first_share(result: RoundResult) -> float:
    """The first seat's share of a round of two."""
    return 0.5 if len(result.winners) != 1 else float(0 in result.winners)


def best_play(game: Game[Any, Any]) -> AnyPolicy:
    """Best play in a round of two, as a policy; of equally good actions the first in the rules' order."""
    match = Match(game, 2, ROUNDS.read(["1"]), "rotate", Seat(0))
    solver, start = solve_match(match), match.start()

    @cache
    def play(game: Any, state: Any) -> tuple[tuple[Any, int], ...]:
        values = solver.action_values(replace(start, round=state))
        return ((first_best(values, lambda valued: valued[1])[0], 1),)

    return play


def answer(make: MakeCard, given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    """The card as plain data, with a picture if ``svg`` is asked for. Raises BadNotation, Unsolved."""
    card = make(given)
    found, english = line_costs(card), Language()
    data: dict[str, Any] = {
        "lines": [
            {"line": line.name, "text": line.say(english), "cost": cost, "utility": "share of the round"}
            for line, (_, cost) in zip(card.lines, found.costs, strict=True)
        ],
        "share": {"value": found.share, "best": 0.5, "given_up": max(0.0, 0.5 - found.share)},
        "bound": found.bound,
        "given": dict(given),
    }
    if "svg" in given:
        data["svg"] = svg(laid_out(english, card, data))
    return data


def tell(make: MakeCard, language: Language, data: dict[str, Any]) -> list[str]:
    """The card in lines, or the lines of its picture."""
    layout = laid_out(language, make(data["given"]), data)
    return svg(layout).splitlines() if "svg" in data else text(layout)


def laid_out(language: Language, card: LineCard, data: Mapping[str, Any]) -> Card:
    """The card, ready to be read out or drawn."""
    say, items = language.say, []
    for line, row in zip(card.lines, data["lines"], strict=True):
        cost = per_cent(max(0.0, row["cost"]))
        items.append(
            Item(line.say(language), f"−{cost}", say("Ignored: {cost} of the round lost.", cost=cost), line.dice)
        )
    given_up = data["share"]["given_up"]
    foot = (
        say("They lose nothing: nobody can play better.")
        if given_up < NOTHING
        else say("Against best play they lose {cost} of the round.", cost=per_cent(given_up))
    )
    subtitle = say("best chance to win a round of two")
    return Card(card.title, subtitle, say("if ignored"), tuple(items), (foot,))
