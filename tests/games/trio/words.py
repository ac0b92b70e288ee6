"""What Trio says beyond any game of one turn a seat: its name, and the face a turn needs."""

from pubdice.text.turn_words import TurnWords

from .rules import NEEDED, Trio


class TrioWords(TurnWords[Trio]):
    """What Trio says."""

    title = "Trio"
    tagline = "three dice: get a 6, then score high"

    def red(self, game: Trio) -> tuple[int, ...]:
        """The face shown in red."""
        return (NEEDED,)
