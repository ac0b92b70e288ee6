"""A cup (source of rolls) that follows a script."""

from collections.abc import Sequence

from pubdice.core.dice import Roll


class ScriptedCup:
    """A cup with rolls and draws that are fixed beforehand. Raises ValueError if the next roll or draw does not fit the
    request.
    """

    def __init__(self, rolls: Sequence[Roll] = (), draws: Sequence[int] = ()) -> None:
        self._rolls, self._draws = iter(rolls), iter(draws)

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        dice = next(self._rolls, None)
        if dice is None or len(dice) != number:
            raise ValueError(f"event {index} rolls {number} dice; the script holds {dice}")
        return dice

    def draw(self, number: int, index: int) -> int:
        lot = next(self._draws, None)
        if lot is None or not 0 <= lot < number:
            raise ValueError(f"event {index} draws among {number}; the script holds {lot}")
        return lot
