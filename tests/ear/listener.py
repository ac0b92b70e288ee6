"""Somebody who plays by what the screen reader says, and by nothing else, with PlayPalace's keys."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ear.people import ECHOES, MATCH_S
from ear.reader import Reader

NAMES = r"(?:You|Ann|Bob)"
ROLLED = re.compile(rf"\b{NAMES} rolled ((?:\d ?)+)\.")
FREE = re.compile(r"key (\d): (one|two|three|four|five|six)\b")
ENDED = re.compile(r"\bwins? with \d|\btie with \d|\bshare")
OURS = re.compile(r"\bYour turn|\b(?:Ann|Bob)'s turn|Roll \d dice")
PASSED = re.compile(r"Space: I'm (Ann|Bob)\.")
DONE = re.compile(rf"{ENDED.pattern}|turn\.|Pass to")
"""What is heard when a turn is over."""
CHOICE = re.compile(rf"\b{NAMES} rolled \d(?: \d)+\.|{DONE.pattern}")
"""What a roll is answered with in the end: a single die stays by itself, and on a busy machine the end comes later."""
FACES = ("", "one", "two", "three", "four", "five", "six")
ANSWER_S, TURN_S = 12.0, 60.0
Keeps = Callable[[Mapping[int, int], Sequence[int]], list[int]]
"""Which places to keep, of faces by their places, and of what was kept before."""


def at_midnight(rolled: Mapping[int, int], kept: Sequence[int]) -> list[int]:
    """The 1 and the 4 that are needed, and sixes; if there are none, the highest."""
    needed = [next((place for place in rolled if rolled[place] == face), 0) for face in (1, 4) if face not in kept]
    chosen = [place for place in needed if place] + [place for place in rolled if rolled[place] == 6]
    return chosen or [max(rolled, key=lambda place: rolled[place])]


@dataclass
class Listener:
    """Plays a match to its end. passed: how often the phone was taken."""

    reader: Reader
    keeps: Keeps
    passed: int = 0
    _free: list[int] = field(default_factory=list)
    _kept: list[int] = field(default_factory=list)

    def play(self) -> None:
        """Play until the end is heard."""
        until = time.monotonic() + MATCH_S
        text = self.press("w")
        while not ENDED.search(text):
            assert time.monotonic() < until, text
            if PASSED.search(text):
                text = self.press("space", r"Roll \d dice")
                self.passed += 1
            elif OURS.search(text):
                text = self._turn()
            else:
                text = self._wait()

    def press(self, key: str, pattern: str = ".") -> str:
        """Press a key, and wait until it is answered so: what is heard, but for the echo of it."""
        mark, heard = self.reader.mark(), self.reader.here.heard
        self.reader.here.strike(key)

        def told() -> str:
            texts = [one.text for one in heard.said[mark:] if one.text.lower().rstrip(".") not in (*ECHOES, key)]
            return " ".join(texts)

        heard.wait(lambda: re.search(pattern, told()) is not None, ANSWER_S)
        heard.settle(0.5)
        assert re.search(pattern, told()), f"key {key} is answered by {told()!r}"
        return told()

    def _turn(self) -> str:
        """Roll and keep until the turn is over: what was heard at its end."""
        text, self._free, self._kept = self.press("r", CHOICE.pattern), [], []
        while not DONE.search(text):
            rolled = self._lie(text)
            chosen = self.keeps(rolled, self._kept)
            for place in chosen:
                self.press(str(place), f"Die {place}, {FACES[rolled[place]]}: kept")
            text = self.press("r", CHOICE.pattern)
            self._kept += [rolled[place] for place in chosen]
            self._free = [place for place in self._free if place not in chosen]
        return text

    def _lie(self, text: str) -> dict[int, int]:
        """The faces just heard, by their places: told where dice are left over, and else from left to right."""
        roll = list(ROLLED.finditer(text))[-1]
        rolled, told = [int(face) for face in roll[1].split()], text[roll.end() :].partition("Free: ")[2]
        if told:  # a die that stays with every keep is locked, and not told as free
            lie = {int(place): FACES.index(face) for place, face in FREE.findall(told.partition(".")[0])}
            self._free = list(lie)
            return lie
        self._free = self._free or list(range(1, len(rolled) + 1))
        assert len(rolled) == len(self._free), text
        return dict(zip(self._free, rolled, strict=True))

    def _wait(self) -> str:
        """Others play until it is somebody's turn who sits here: what was heard."""
        mark, heard = self.reader.mark(), self.reader.here.heard
        heard.wait(lambda: re.search(f"Your turn|{ENDED.pattern}", self.reader.said(mark)) is not None, TURN_S)
        heard.settle(0.5)
        return self.reader.said(mark) or self.press("w")
