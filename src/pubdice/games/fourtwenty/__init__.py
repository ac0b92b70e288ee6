"""420 by Mark Steere."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pubdice.game import Game, Keep
from pubdice.games.fourtwenty.rules import FourTwenty, Hands
from pubdice.games.fourtwenty.tips import tip
from pubdice.games.fourtwenty.words import FourTwentyWords, tell_advice, tell_odds, tell_prices
from pubdice.kit import Answer, Flag, Kit, Question
from pubdice.languages import page
from pubdice.match import Match
from pubdice.policy import Policy, uniform
from pubdice.solve.solver import Solver, UnsolvedError
from pubdice.words import Language

__all__ = ["KIT", "FourTwenty"]


def _hand_policy(name: str) -> Policy[Hands, Keep]:
    def play(game: Game[Hands, Keep], state: Hands) -> tuple[tuple[Keep, int], ...]:
        from pubdice.games.fourtwenty.policies import policy  # noqa: PLC0415

        return policy(name, game, state)

    return play


def _questions(name: str) -> Answer:
    def answer(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
        from pubdice.games.fourtwenty import questions  # noqa: PLC0415 - numpy only where something is solved

        asked = {"odds": questions.odds, "advise": questions.advise, "price": questions.price}
        return asked[name](given, folder)

    return answer


def _card(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    from pubdice.games.fourtwenty import card  # noqa: PLC0415

    return card.answer(given)


def _tell_card(language: Language, data: dict[str, Any]) -> list[str]:
    from pubdice.games.fourtwenty import card  # noqa: PLC0415

    return card.tell(language, data)


MOST_ADVISED = 6
"""Seats at a table that is advised: seven take minutes and gigabytes, and are solved only for ``odds``, on request."""


def _solver(match: Match[Any, Any], folder: Path | None = None) -> Solver:
    from pubdice.games.fourtwenty.solver import FourTwentySolver  # noqa: PLC0415

    if match.seats > MOST_ADVISED:
        raise UnsolvedError("too-many-seats", seats=match.seats, most=MOST_ADVISED)
    return FourTwentySolver(match, folder)


DRINKS = Flag("drinks", "", "for drinks, to the last one left, instead of a race")

KIT = Kit(
    name="420",
    options=(),
    build=lambda options: FourTwenty(),
    formats=("race", "drinks"),
    names=FourTwentyWords.sides,
    draws_from=3,
    words=FourTwentyWords(),
    policies={
        "tip": tip,
        "lucky": uniform,
        **{name: _hand_policy(name) for name in ("steady", "cautious", "bold")},
    },
    solver=_solver,
    odds=Question(
        (Flag("seats", "N", "how many play: 2 to 6, or 5 with --drinks (2)"), DRINKS), _questions("odds"), tell_odds
    ),
    advise=Question(
        (
            Flag("hands", "HANDS", "every hand, the mover's first, in turn order: 6551,6541; - has not rolled yet"),
            DRINKS,
            Flag("player-one", "K", "with --drinks: which of the hands, from 1, opened the round (1)"),
        ),
        _questions("advise"),
        tell_advice,
    ),
    price=Question((), _questions("price"), tell_prices),
    card=Question((Flag("svg", "", "print the card as an SVG picture, 10 by 10 cm"),), _card, _tell_card),
    rules=partial(page, __name__),
)
