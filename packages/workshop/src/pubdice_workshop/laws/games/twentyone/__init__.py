"""Twenty-One, a test game in a folder that a test copies. First all seats roll two dice, then each draws dice one by
one. No die is kept, and all dice add up.
"""

from pubdice.kit import Kit

from .rules import TwentyOne, tip
from .words import TwentyOneWords

__all__ = ["KIT"]

KIT = Kit("twentyone", build=lambda options: TwentyOne(), words=TwentyOneWords(), policies={"tip": tip})
