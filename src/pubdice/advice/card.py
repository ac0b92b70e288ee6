"""A game's card as its kit defines it: lines of advice to play by, each as words and as part of a policy.

Each game has its own lines. ``card_prices`` finds the cost of ignoring a line by playing without it, so no game writes
a cost down.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pubdice.core.dice import Hand, together
from pubdice.core.game import Policy, RoundState, TurnGame
from pubdice.text.language import Language

AnyPolicy = Policy[Any, Any]

LineNames = frozenset[str]  # the names of the lines that a player follows


@dataclass(frozen=True, slots=True)
class Measure:
    """A unit in which lines are priced.

    The default is a share of a round or race of two. A game may have units of its own.
    """

    name: str  # its key in the data
    utility: str  # the name of its numbers in the data
    aim: Callable[[Language], str]  # says the goal for which the card is best
    value: Callable[[Any], float]  # returns the value of a policy
    best: float  # the value of best play
    bound: float  # the error bound of each number
    ignored: Callable[[Language, float], tuple[str, str]]  # says the cost of ignoring a line: (short, in a sentence)
    comes_to: Callable[[Language, Mapping[str, Any]], list[str]]
    """Says, in sentences, the value of all lines together. The arguments are the language and the card's data."""
    facts: Callable[[Any], dict[str, Any]] = lambda policy: {}  # returns further facts on a policy for the data


@dataclass(frozen=True, slots=True)
class CardLine:
    """One line of a card: its name in data, its words, and the dice drawn beside it."""

    name: str
    say: Callable[[Language], str]
    dice: Hand = ()
    measure: str = ""  # the name of the line's measure, "" for the card's first measure


def card_line(name: str, sentence: str, shown: Hand = (), measure: str = "", **facts: object) -> CardLine:
    """Make a line whose words are one sentence with facts. ``shown`` are the dice drawn beside it."""
    return CardLine(name, lambda language: language.say(sentence, **facts), shown, measure)


@dataclass(frozen=True, slots=True)
class LineCard:
    """A card of a game under one choice of its options, as ``Kit.card_lines`` makes it."""

    lines: tuple[CardLine, ...]  # in printed order, empty if the rules leave no choice
    play: Callable[[LineNames], AnyPolicy]
    """Returns the policy that follows the lines with these names. If the lines leave several actions open, the policy
    takes each with the same chance."""
    rest: CardLine | None = None  # text below the lines, for cases with only one legal action
    measures: tuple[Measure, ...] = ()  # the game's own measures, which replace the default one
    watches: bool = True
    """False if no line depends on the scores of other seats. Then a policy's turn is evaluated once, instead of once
    for each score to beat."""


def lead(game: TurnGame, state: RoundState) -> int | None:
    """Compare the last seat of a round with the other seats, if all its dice stay.

    Returns 1 if it wins, 0 if it ties, -1 if it loses.

    Scores are compared by the rules, including the moon at Threes. None for earlier seats, because their score to beat
    is not known yet, and for a seat that plays alone.
    """
    if not state.scores or len(state.scores) < state.seats - 1:
        return None
    beat = max(map(game.better, state.scores))
    mine = game.better(game.scored(state, together(state.locked, state.free)).scores[len(state.scores)])
    return (mine > beat) - (mine < beat)
