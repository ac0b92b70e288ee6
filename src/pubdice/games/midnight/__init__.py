"""Midnight, also 1-4-24, with its variant 2-4-24."""

from collections.abc import Mapping
from functools import partial

from pubdice.core.policy import uniform
from pubdice.games.midnight.rules import Midnight
from pubdice.games.midnight.tips import tip
from pubdice.games.midnight.words.play import MidnightWords
from pubdice.kit import Flag, Kit, Option, Question, lazy
from pubdice.match.formats import POT, ROUNDS
from pubdice.text.catalogues import page

__all__ = ["KIT", "Midnight"]

QUESTIONS, ANSWERS, CARD = f"{__name__}.questions", f"{__name__}.words.answers", f"{__name__}.card.answer"

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
    formats=(ROUNDS, POT),
    names=("Ann", "Bob"),
    draws_from=0,
    words=MidnightWords(),
    policies={
        "tip": tip,
        "lucky": uniform,
        **{name: partial(lazy(f"{__name__}.policies", "policy"), name) for name in ("steady", "cautious", "bold")},
    },
    solver=lazy("pubdice.solve.turns.solver", "TurnSolver"),
    odds=Question(
        (
            NEED,
            *GOAL,
            Flag("seats", "N", "each seat's share of a match, in turn order, for so many seats (2)"),
            Flag("format", "FORMAT", "of which match: rounds:N, or pot: one pot, carried until it is taken (rounds:5)"),
            Flag("opener", "RULE", "of which match: rotate (usual), fixed, winner, loser"),
        ),
        lazy(QUESTIONS, "odds"),
        lazy(ANSWERS, "tell_odds"),
    ),
    advise=Question(
        (
            Flag("locked", "DICE", "the dice kept before (none)"),
            Flag("roll", "DICE", "the dice just rolled"),
            NEED,
            *GOAL,
        ),
        lazy(QUESTIONS, "advise"),
        lazy(ANSWERS, "tell_advice"),
    ),
    price=Question((), lazy(QUESTIONS, "price"), lazy(ANSWERS, "tell_prices")),
    card=Question(
        (NEED, Flag("svg", "", "print the card as an SVG picture, 10 by 10 cm")),
        lazy(CARD, "answer"),
        lazy(CARD, "tell"),
    ),
    rules=partial(page, __name__),
)
