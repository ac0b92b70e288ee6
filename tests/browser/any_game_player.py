"""Plays a game that it knows nothing of, by keyboard and ear alone."""

import re
from dataclasses import dataclass, field

from browser.page_players import ENDED, NAME, TICK_MS, TO_BOARD, ByEar

TOLD = rf"^(You|{NAME}) (rolled|kept|scored|gave up|stopped|has|have|shut|took)\b|\bturn\b|{ENDED}"
"""What is told once something has happened; all else is a refusal."""
CHOOSE = "You can't do that now. "
"""The refusal of a roll where the player has to name a move."""


@dataclass
class OfAnyGame(ByEar):
    """Plays a game it knows nothing of: rolls whenever it is its turn, and where that is refused, keeps a die first, or
    names the first of the moves that it is told.
    """

    last: list[int] = field(default_factory=list)

    def play(self, most_lines: int = 2_000) -> str:
        """Play until the end is heard; what was said of it."""
        for _ in range(most_lines):
            turn = self.whose()
            if self.winner:
                return self.winner
            if turn.startswith("Your turn"):
                self.move()
            else:
                self.heard()
        raise AssertionError("no end")

    def whose(self) -> str:
        """Whose turn it is, asked by a key, with all that was said before it attended to."""
        self.page.keyboard.press("w")
        while "Here:" not in (line := self.heard()):
            if line == "One moment…":
                self.page.wait_for_timeout(TICK_MS)
                self.page.keyboard.press("w")
        return line

    def move(self) -> None:
        """Roll; if that is refused, name a move, or keep the highest of the dice that lie there, by face, and roll the
        others.
        """
        self.roll()
        while (line := self.heard()) == "One moment…":
            pass
        if re.search(TOLD, line):
            return
        if line.startswith(CHOOSE):
            self.name_move()
        else:
            self.press(f"Shift+Digit{max(self.last)}", r"^Die \d, \w+: kept\.")
            self.roll()
        while not re.search(TOLD, self.heard()):
            pass

    def name_move(self) -> None:
        """Ask for the moves and take the first: by the key told before it, or by its tiles, then Space."""
        self.page.keyboard.press("?")
        first = self.heard()
        if found := re.match(r"(\w): ", first):
            self.strike(found[1].lower())
            return
        tiles = re.findall(r"\d", first)
        assert tiles, first
        for tile in tiles[:-1]:
            self.press(tile, r" chosen\. You can add ")
        self.press(tiles[-1], rf" chosen\. Space: {re.escape(first)}$")
        self.page.evaluate(TO_BOARD)
        self.strike(" ")

    def heard(self) -> str:
        """The next line; what was rolled and how it ends is noted."""
        line = self.ear.next(self.page, 15_000)
        if re.search(ENDED, line):
            self.winner = line
        if found := re.search(r"You (?:rolled|have) ((?:\d ?)+)[.:]", line):
            self.last = [int(face) for face in found[1].split()]
        return line
