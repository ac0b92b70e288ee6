"""A game's card as its kit names it: lines to play by, as words and as a policy. ``card_costs`` prices them.

The form of the lines is the game's; what each is worth is found by playing them, so a game writes no number down.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pubdice.core.dice import Hand
from pubdice.core.game import Game
from pubdice.core.policy import Policy
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class CardLine:
    """One line of a card: its name in data, how it is said, and the dice drawn beside it."""

    name: str
    say: Callable[[Language], str]
    dice: Hand = ()


@dataclass(frozen=True, slots=True)
class LineCard:
    """A card of a game with these options.

    title: the game's. lines: in the order they are printed and read. play: the policy of the lines with these names;
    with some left out, what they leave open is decided by those that are left, or else evenly by chance.
    """

    title: str
    game: Game[Any, Any]
    lines: tuple[CardLine, ...]
    play: Callable[[frozenset[str]], Policy[Any, Any]]


MakeCard = Callable[[Mapping[str, str]], LineCard]
"""The card for options given by name, as a question's flags are."""
