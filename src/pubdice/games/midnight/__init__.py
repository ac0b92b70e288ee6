"""Midnight, also 1-4-24, with its variant 2-4-24."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pubdice.game import Game, Keep
from pubdice.games.midnight.rules import Midnight, Turns
from pubdice.games.midnight.tips import tip
from pubdice.games.midnight.words import MidnightWords, tell_advice, tell_odds, tell_prices
from pubdice.kit import Flag, Kit, Option, Question
from pubdice.languages import page
from pubdice.match import Match
from pubdice.policy import Policy, uniform
from pubdice.solve.solver import Solver
from pubdice.words import Language

__all__ = ["KIT", "Midnight"]


def _solver(match: Match[Any, Any], folder: Path | None = None) -> Solver:
    from pubdice.games.midnight.solver import MidnightSolver  # noqa: PLC0415 - numpy only where something is solved

    return MidnightSolver(match)


def _goal_policy(name: str) -> Policy[Turns, Keep]:
    def play(game: Game[Turns, Keep], state: Turns) -> tuple[tuple[Keep, int], ...]:
        from pubdice.games.midnight.policies import policy  # noqa: PLC0415

        return policy(name, game, state)

    return play


def _odds(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    from pubdice.games.midnight import questions  # noqa: PLC0415

    return questions.odds(given)


def _advise(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    from pubdice.games.midnight import questions  # noqa: PLC0415

    return questions.advise(given)


def _price(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    from pubdice.games.midnight.prices import prices  # noqa: PLC0415

    return prices()


def _card(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    from pubdice.games.midnight import card  # noqa: PLC0415

    return card.answer(given)


def _tell_card(language: Language, data: dict[str, Any]) -> list[str]:
    from pubdice.games.midnight import card  # noqa: PLC0415

    return card.tell(language, data)


NEED = Flag("need", "PAIR", "the pair that qualifies: 1,4 (usual) or 2,4")
GOAL = (
    Flag("goal", "GOAL", "score (usual), qualify, reach:N, exactly:N, or win"),
    Flag("to-beat", "N", "with --goal win: the best score so far (0)"),
    Flag("holders", "K", "with --goal win: how many seats hold it (1)"),
    Flag("to-come", "M", "with --goal win: how many seats play after this one (0)"),
    Flag("ties", "RULE", "with --goal win: share (usual), each wins, or carry the pot"),
)


def _build(options: Mapping[str, str]) -> Midnight:
    first, second = options["need"].split()
    return Midnight((int(first), int(second)))


KIT = Kit(
    name="midnight",
    options=(
        Option(
            "need",
            ("1 4", "2 4"),
            "dice you need",
            ("1 and 4 (standard)", "2 and 4 (the variant 2-4-24)"),
        ),
    ),
    build=_build,
    formats=("rounds", "pot"),
    names=("Ann", "Bob"),
    draws_from=0,
    words=MidnightWords(),
    policies={
        "tip": tip,
        "lucky": uniform,
        **{name: _goal_policy(name) for name in ("steady", "cautious", "bold")},
    },
    solver=_solver,
    odds=Question(
        (
            NEED,
            *GOAL,
            Flag("seats", "N", "each seat's share of a match, in turn order, for so many seats (2)"),
            Flag("format", "FORMAT", "of which match: rounds:N, or pot: one pot, carried until it is taken (rounds:5)"),
            Flag("opener", "RULE", "of which match: rotate (usual), fixed, winner, loser"),
        ),
        _odds,
        tell_odds,
    ),
    price=Question((), _price, tell_prices),
    card=Question((NEED, Flag("svg", "", "print the card as an SVG picture, 10 by 10 cm")), _card, _tell_card),
    advise=Question(
        (
            Flag("locked", "DICE", "the dice kept before (none)"),
            Flag("roll", "DICE", "the dice just rolled"),
            NEED,
            *GOAL,
        ),
        _advise,
        tell_advice,
    ),
    rules=partial(page, __name__),
)
