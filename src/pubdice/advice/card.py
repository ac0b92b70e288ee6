"""A game's card as its kit defines it: lines to play by, as words and as a policy.

Each game has its own lines. ``card_prices`` prices them by playing them, so no game writes a cost down.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pubdice.core.dice import Hand, together
from pubdice.core.game import Policy, RoundState, TurnGame
from pubdice.text.language import Language

AnyPolicy = Policy[Any, Any]

LineNames = frozenset[str]  # of the lines that a player follows


@dataclass(frozen=True, slots=True)
class Measure:
    """The unit that prices lines: the house's, a share of a round or race of two, or one of the game's own."""

    name: str  # its key in the data
    utility: str  # the name of its numbers in the data
    aim: Callable[[Language], str]  # the goal that the card is best for
    value: Callable[[Any], float]  # of a policy
    best: float  # the value of best play
    bound: float  # the error of each number
    ignored: Callable[[Language, float], tuple[str, str]]  # the cost of ignoring a line, short and in a sentence
    comes_to: Callable[[Language, Mapping[str, Any]], list[str]]
    """Sentences on the value of all lines together, from the data."""
    facts: Callable[[Any], dict[str, Any]] = lambda policy: {}  # further facts on a policy for the data


@dataclass(frozen=True, slots=True)
class CardLine:
    """One line of a card: its name in data, its words, and the dice drawn beside it."""

    name: str
    say: Callable[[Language], str]
    dice: Hand = ()
    measure: str = ""  # its name; "" for the first of the card


def card_line(name: str, sentence: str, shown: Hand = (), measure: str = "", **facts: object) -> CardLine:
    """A line whose words are one sentence with facts. ``shown`` are its dice."""
    return CardLine(name, lambda language: language.say(sentence, **facts), shown, measure)


@dataclass(frozen=True, slots=True)
class LineCard:
    """A card of a game under one choice of its options, as ``Kit.card_lines`` makes it."""

    lines: tuple[CardLine, ...]  # in the order they are printed; empty if the rules leave no choice
    play: Callable[[LineNames], AnyPolicy]
    """The policy that follows the lines with these names. Choices that they leave open are drawn evenly by chance."""
    rest: CardLine | None = None  # text below the lines, for cases with only one legal action
    measures: tuple[Measure, ...] = ()  # the game's own, in place of the house's
    watches: bool = True
    """False if no line looks at the scores of other seats. Then a policy is valued once, not once per score to beat."""


def lead(game: TurnGame, state: RoundState) -> int | None:
    """The outcome for the last seat of a round if all its dice stay: 1 ahead of the others, 0 level, -1 behind.

    Scores are compared as the rules compare them, with the moon at Threes too. None for earlier seats, as their score
    to beat is not known yet, and for a seat alone.
    """
    if not state.scores or len(state.scores) < state.seats - 1:
        return None
    beat = max(map(game.better, state.scores))
    mine = game.better(game.scored(state, together(state.locked, state.free)).scores[len(state.scores)])
    return (mine > beat) - (mine < beat)
