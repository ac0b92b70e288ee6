"""Which places a player means to keep, after naming dice by face or by position (001, "Keyboard Shortcuts")."""

from typing import Literal

from pubdice.terminal.answers import Choose
from pubdice.view import Die

Keys = Literal["face", "position"]


class NoSuchDieError(Exception):
    """A digit named no die that can be chosen."""

    def __init__(self, digit: int, keys: Keys) -> None:
        super().__init__(f"{keys} {digit}")
        self.digit, self.keys = digit, keys


def choose(dice: tuple[Die, ...], marks: tuple[int, ...], choice: Choose, keys: Keys) -> tuple[int, ...]:
    """The marks (places from 0, in the order marked) after a choice. Raises NoSuchDieError.

    By position a digit is a place. By face it is any one die of that face: a toggle takes a free one while there is one
    and lets a marked one go otherwise, and a face named twice in one line means two dice.
    """
    free = [die for die in dice if die.status != "locked"]
    everything = tuple(die.place - 1 for die in free)
    if choice.how == "keep":
        return _mark(free, (), choice, keys)
    if choice.how == "reroll":
        rerolled = _mark(free, (), choice, keys)
        return tuple(place for place in everything if place not in rerolled)
    if choice.how == "mark":
        return _mark(free, marks, choice, keys)
    if choice.how == "unmark":
        return _unmark(free, marks, choice.digits, keys)
    for digit in dict.fromkeys(choice.digits):
        times = choice.digits.count(digit)
        again = Choose("toggle", (digit,) * times)
        if keys == "position":
            place = digit - 1
            if place not in everything:
                raise NoSuchDieError(digit, keys)
            marks = tuple(mark for mark in marks if mark != place) if place in marks else (*marks, place)
        elif len(_open(free, marks, digit, keys)) >= times:
            marks = _mark(free, marks, again, keys)
        else:
            marks = _unmark(free, marks, again.digits, keys)
    return marks


def _open(free: list[Die], marks: tuple[int, ...], digit: int, keys: Keys) -> list[int]:
    """Places that the digit may name and that are not marked."""
    return [
        die.place - 1
        for die in free
        if die.place - 1 not in marks and digit == (die.face if keys == "face" else die.place)
    ]


def _mark(free: list[Die], marks: tuple[int, ...], choice: Choose, keys: Keys) -> tuple[int, ...]:
    for digit in choice.digits:
        places = _open(free, marks, digit, keys)
        if not places:
            raise NoSuchDieError(digit, keys)
        marks = (*marks, places[0])
    return marks


def _unmark(free: list[Die], marks: tuple[int, ...], digits: tuple[int, ...], keys: Keys) -> tuple[int, ...]:
    faces = {die.place - 1: die.face if keys == "face" else die.place for die in free}
    for digit in digits:
        places = [place for place in marks if faces.get(place) == digit]
        if not places:
            raise NoSuchDieError(digit, keys)
        marks = tuple(mark for mark in marks if mark != places[-1])
    return marks
