"""Solving 420: a solver that also knows the chance to go over, three bots, and the chances of every seat at the start.

The bots look at their own hand only.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pubdice.core.dice import Hand, rolls
from pubdice.core.errors import Unsolved
from pubdice.core.game import Keep
from pubdice.games.fourtwenty.rules import DICE, GAME, TARGET, FourTwenty, RoundState
from pubdice.kit import NumberedAnswer
from pubdice.match.match import MatchState
from pubdice.solve.numerics import first_best
from pubdice.solve.race.races import HandRaceSolver, races
from pubdice.solve.race.seat import mean, one_seat, turns
from pubdice.text.game_words import seat_values
from pubdice.text.language import Language


@cache
def over(kept: Hand) -> float:
    """Return the chance that the hand goes over 20 if all dice but the kept ones are rerolled."""
    due = DICE - len(kept)
    total: int = 6**due
    return sum(ways for hand, ways in rolls(due) if sum(kept) + sum(hand) > TARGET) / total


@cache
def _best(game: FourTwenty, name: str, hand: Hand) -> Keep:
    one = one_seat(game)
    if name == "steady":
        needed = list(turns(game))
        return Keep(min(one.keeps[hand], key=lambda offer: mean(one.automaton.ways[offer[1]], needed))[0])

    def won(offer: tuple[Hand, int]) -> float:
        return one.automaton.wins[offer[1]] / one.automaton.total

    def won_if_decided(offer: tuple[Hand, int]) -> float:
        return won(offer) / (won(offer) + over(offer[0]))

    return Keep(first_best(one.keeps[hand], *([won_if_decided] if name == "cautious" else []), won)[0])


def policy(name: str, game: FourTwenty, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Choose for the named bot. Of several equal keeps, it takes the first in the rules' order.

    - ``steady`` reaches 20 in the fewest turns on average (``solve.race.seat``).
    - ``bold`` has the highest chance to win with this roll.
    - ``cautious`` has the highest chance to win, given that the roll either wins or goes over. Of several equal keeps,
      it takes the likeliest to win.
    """
    return ((_best(game, name, state.hands[state.mover]), 1),)


class FourTwentySolver(HandRaceSolver):
    """The solver of a match of 420, as a race or for drinks. Its facts include the chance that a reroll goes over."""

    title = "420"

    def facts(self, state: MatchState[Any]) -> tuple[tuple[Keep, dict[str, float]], ...]:
        """Return two chances for each keep: the reroll wins at once (``win_now``), or it goes over (``over``)."""
        return tuple((keep, {**facts, "over": over(keep.dice)}) for keep, facts in super().facts(state))


MOST_PRICED = {False: 6, True: 5}
"""The most seats for which the chances are computed. The key is True for drinks and False for a race."""
LEAST = 2


@dataclass(frozen=True, slots=True)
class RacePrices(NumberedAnswer):
    """The chances of each seat to win the race, or to buy the drinks, for each number of seats.

    ``advantage`` is Player 1's gain over an even share. It is positive if Player 1 wins more often, or buys less often.
    """

    def sentences(self, language: Language) -> list[str]:
        """Return one line for each number of seats."""
        return list(_lines(self.numbers["rows"], language))


def _lines(rows: Iterable[Mapping[str, Any]], language: Language) -> Iterator[str]:
    texts = {"race": "A race of {choice}: wins {shares}.", "drinks": "Drinks for {choice}: buys {shares}."}
    for row in rows:
        yield language.say(texts[row["rule"]], choice=row["choice"], shares=", ".join(seat_values(language, row)))
    yield language.say("Chances in turn order, Player 1 first.")


def price_lines(given: Mapping[str, str], language: Language, folder: Path | None = None) -> Iterator[str]:
    """Yield the sentences of ``price``, each as soon as its races are solved."""
    return _lines(_prices(folder), language)


def price(given: Mapping[str, str], folder: Path | None = None) -> RacePrices:
    """Return the chances of races and of drinks, for every number of seats that can be solved here."""
    return RacePrices({"utility": "winning the race; buying the drinks", "rows": list(_prices(folder))})


def _prices(folder: Path | None) -> Iterator[dict[str, Any]]:
    for drinks, most in MOST_PRICED.items():
        for seats in range(LEAST, most + 1):
            try:
                chances, bound, _ = races(GAME, folder).odds(seats, drinks)
            except Unsolved:  # without numpy only two seats are solved
                continue
            yield {
                "rule": "drinks" if drinks else "race",
                "choice": str(seats),
                "buy" if drinks else "win": list(chances),
                "advantage": (chances[0] - 1 / seats) * (-1 if drinks else 1),
                "bound": bound,
            }
