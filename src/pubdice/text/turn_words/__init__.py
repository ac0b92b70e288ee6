"""What any game of one turn a seat says (``core.turn_game``): a game inherits ``TurnWords`` and writes what differs.

What any game at all says is ``text.plain_words``'s.
"""

from pubdice.text.turn_words.play import TurnWords

__all__ = ["TurnWords"]
