"""Which places a player means to keep, after naming dice by face or by position (PlayPalace, "Keyboard Shortcuts")."""

from typing import Literal

from pubdice.match.tray import Die
from pubdice.typed.grammar import Choose

Keys = Literal["face", "position"]
Why = Literal["none", "few", "marked", "unmarked"]


class NoSuchDieError(Exception):
    """A digit named no die that can be chosen: there are none or too few, all are marked, or none is."""

    def __init__(self, digit: int, keys: Keys, why: Why) -> None:
        super().__init__(f"{keys} {digit} {why}")
        self.digit, self.keys, self.why = digit, keys, why


def choose(dice: tuple[Die, ...], marks: tuple[int, ...], choice: Choose, keys: Keys) -> tuple[int, ...]:
    """The marks (places from 0, in the order marked) after a choice. Raises NoSuchDieError.

    By position a digit is a place, counted from 1. By face it is any die of that face: a toggle marks those named, as
    many as are still free, and lets marked ones go when all are marked; a face named twice in one line means two dice.
    """
    free = [die for die in dice if die.status != "locked"]
    if choice.how == "keep":
        return _mark(free, (), choice.digits, keys)
    if choice.how == "reroll":
        rerolled = _mark(free, (), choice.digits, keys)
        return tuple(die.place for die in free if die.place not in rerolled)
    if choice.how == "mark":
        return _mark(free, marks, choice.digits, keys)
    if choice.how == "unmark":
        return _unmark(free, marks, choice.digits, keys)
    for digit in dict.fromkeys(choice.digits):
        times = choice.digits.count(digit)
        named = _named(free, digit, keys)
        still_free = len(set(named).difference(marks))
        if times > len(named):
            raise NoSuchDieError(digit, keys, "few" if named else "none")
        if still_free:
            marks = _mark(free, marks, (digit,) * min(times, still_free), keys)
        else:
            marks = _unmark(free, marks, (digit,) * times, keys)
    return marks


def _named(free: list[Die], digit: int, keys: Keys) -> list[int]:
    """The places that a digit may mean."""
    return [die.place for die in free if digit == (die.face if keys == "face" else die.place + 1)]


def _mark(free: list[Die], marks: tuple[int, ...], digits: tuple[int, ...], keys: Keys) -> tuple[int, ...]:
    for digit in digits:
        named = _named(free, digit, keys)
        places = [place for place in named if place not in marks]
        if not places:
            few: Why = "few" if digits.count(digit) > len(named) else "marked"
            raise NoSuchDieError(digit, keys, few if named else "none")
        marks = (*marks, places[0])
    return marks


def _unmark(free: list[Die], marks: tuple[int, ...], digits: tuple[int, ...], keys: Keys) -> tuple[int, ...]:
    for digit in digits:
        named = _named(free, digit, keys)
        places = [place for place in marks if place in named]
        if not places:
            raise NoSuchDieError(digit, keys, "unmarked" if named else "none")
        marks = tuple(mark for mark in marks if mark != places[-1])
    return marks
