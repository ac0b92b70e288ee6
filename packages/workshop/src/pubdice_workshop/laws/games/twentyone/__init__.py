"""Twenty-One, a game the house has not: nothing is kept, dice add up, and all open. One folder, copied by a test."""

from pubdice.kit import Kit

from .rules import TwentyOne, tip
from .words import TwentyOneWords

__all__ = ["KIT"]

KIT = Kit("twentyone", build=lambda options: TwentyOne(), words=TwentyOneWords(), policies={"tip": tip})
