"""A game's card as its kit names it: lines to play by, as words and as a policy.

The form of the lines is the game's. ``card_prices`` prices them by playing them, so a game writes no cost down.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pubdice.core.dice import Hand, together
from pubdice.core.game import Policy, RoundState, TurnGame
from pubdice.text.language import Language

AnyPolicy = Policy[Any, Any]

LineNames = frozenset[str]
"""The names of the lines that somebody follows, who ignores all others."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The unit that lines are priced in: the house's, a share of a round or race of two, or one of the game's own.

    name: its key in the data. utility: the name of the numbers, in the data. aim: the goal that the card is best for.
    value: of a policy. best: of best play. bound: of each number. ignored: the cost of ignoring a line, short and in a
    sentence. comes_to: the value of all lines together, in sentences for the data. facts: further facts on a policy for
    the data.
    """

    name: str
    utility: str
    aim: Callable[[Language], str]
    value: Callable[[Any], float]
    best: float
    bound: float
    ignored: Callable[[Language, float], tuple[str, str]]
    comes_to: Callable[[Language, Mapping[str, Any]], list[str]]
    facts: Callable[[Any], dict[str, Any]] = lambda policy: {}


@dataclass(frozen=True, slots=True)
class CardLine:
    """One line of a card: its name in data, how it is said, the dice drawn beside it, and the name of its measure.

    Without a measure the card's first prices it.
    """

    name: str
    say: Callable[[Language], str]
    dice: Hand = ()
    measure: str = ""


def card_line(name: str, sentence: str, shown: Hand = (), measure: str = "", **facts: object) -> CardLine:
    """A line that is a sentence with facts; shown: its dice."""
    return CardLine(name, lambda language: language.say(sentence, **facts), shown, measure)


@dataclass(frozen=True, slots=True)
class LineCard:
    """A card of a game with one choice of its options, as ``Kit.card_lines`` makes it.

    lines: in the order they are printed and read; none if the rules leave no choice. play: the policy of the lines with
    these names; with some left out, what they leave open is decided by those that are left, or else evenly by chance.
    rest: the text below the lines for cases they are silent on, if the rules allow one thing only there. measures: the
    game's own, in place of the house's. watches: false if no line looks at the scores of others: then a policy is
    followed once, and not for each score to beat.
    """

    lines: tuple[CardLine, ...]
    play: Callable[[LineNames], AnyPolicy]
    rest: CardLine | None = None
    measures: tuple[Measure, ...] = ()
    watches: bool = True


def lead(game: TurnGame, state: RoundState) -> int | None:
    """The standing of the last seat of a round if all its dice stay: 1 ahead of the others, 0 level with them, -1
    behind.

    Counted as the rules score it, the moon at Threes too. None for the seats before it, which do not know what they
    have to beat, and for a seat that plays alone.
    """
    if not state.scores or len(state.scores) < state.seats - 1:
        return None
    beat = max(map(game.better, state.scores))
    mine = game.better(game.scored(state, together(state.locked, state.free)).scores[len(state.scores)])
    return (mine > beat) - (mine < beat)
