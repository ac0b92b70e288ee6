"""Twenty-One, a test game in one folder that a test copies: all seats open, no die is kept, and dice add up."""

from pubdice.kit import Kit

from .rules import TwentyOne, tip
from .words import TwentyOneWords

__all__ = ["KIT"]

KIT = Kit("twentyone", build=lambda options: TwentyOne(), words=TwentyOneWords(), policies={"tip": tip})
