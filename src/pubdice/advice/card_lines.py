"""A game's card as its kit names it: lines to play by, as words and as a policy. ``card_costs`` prices them.

The form of the lines is the game's; what each is worth is found by playing them, so a game writes no cost down.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pubdice.core.dice import Hand, together
from pubdice.core.policy import Policy
from pubdice.core.turn_game import RoundState, TurnGame
from pubdice.text.language import Language

LineNames = frozenset[str]
"""The names of the lines that somebody follows, who ignores all others."""


@dataclass(frozen=True, slots=True)
class CardLine:
    """One line of a card: its name in data, how it is said, and the dice drawn beside it."""

    name: str
    say: Callable[[Language], str]
    dice: Hand = ()


def card_line(name: str, sentence: str, dice: Hand = (), **facts: object) -> CardLine:
    """A line that is a sentence with facts."""
    return CardLine(name, lambda language: language.say(sentence, **facts), dice)


@dataclass(frozen=True, slots=True)
class LineCard:
    """A card of a game with one choice of its options, as ``Kit.card_lines`` makes it.

    lines: in the order they are printed and read; none where the rules leave no choice. play: the policy of the lines
    with these names; with some left out, what they leave open is decided by those that are left, or else evenly by
    chance. rest: what is printed below the lines for where they are silent, if the rules allow one thing only there.
    """

    lines: tuple[CardLine, ...]
    play: Callable[[LineNames], Policy[Any, Any]]
    rest: CardLine | None = None


def lead(game: TurnGame, state: RoundState) -> int | None:
    """By how much the last seat of a round beats the others if all its dice stay, negative if behind.

    None for the seats before it, which do not know what they have to beat, and for a seat that plays alone.
    """
    if not state.scores or len(state.scores) < state.seats - 1:
        return None
    beat, mine = max(state.scores, key=game.better), game.worth(together(state.locked, state.free))
    return beat - mine if game.lowest_wins else mine - beat
