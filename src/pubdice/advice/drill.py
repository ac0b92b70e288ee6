"""The drill: an endless series of numbered positions of a game, and a player's score in it. No input or output.

A position is found as in Last orders, with its number in place of a date. So number 17 of a game is the same in every
house. New positions come in order. A position that was answered wrong comes again after ``LATER`` others (spaced
repetition). The browser stores the score in a cookie. The score proves nothing, so the cookie has no signature.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pubdice.advice.daily import DayQuestion, SolverOf, search
from pubdice.core.errors import Unsolved
from pubdice.kit import Kit

MOST_NUMBER = 999_999
LATER = 3
"""The number of answers before a missed position comes again. It is so small that the player still remembers the
reason."""
MOST_MISSED = 10  # missed positions that a score holds. The oldest are dropped.
MOST_GAMES = 64  # scores that are read from a text
MOST_TEXT = 2_000  # letters of all scores together. A cookie may have 4,096 with its name and attributes.
_NUMBER, _PAIR = "[0-9]{1,6}", "[0-9]{1,6}-[0-9]{1,6}"
_SCORE = re.compile(rf"([a-z0-9-]{{1,32}})\.({_NUMBER})\.({_NUMBER})\.({_NUMBER})((?:\.{_PAIR}){{0,{MOST_MISSED}}})")
_BETWEEN = "~"


def drill_question(kit: Kit, number: int, solve: SolverOf, day: str = "") -> DayQuestion:
    """Find the position of a game with this number.

    If ``day`` is a date, find the position of that day for this game alone.

    Raises Unsolved if in the game's rounds no choice can lose value.
    """
    # The question of the day may be of this game too, and a player could see its answer here first. So the two have
    # different seeds.
    record = search(kit, f"{day} {kit.name}" if day else f"drill {number}", solve)
    if record is None:
        raise Unsolved("no-position", title=kit.words.title)
    return DayQuestion(number, day, kit.name, record)


@dataclass(frozen=True, slots=True)
class DrillScore:
    """A player's score in the drill of one game."""

    last: int = 0  # the number of the latest new position, 0 if there is none
    answered: int = 0
    right: int = 0
    # (number of the position, the count of answers from which it comes again), oldest first
    missed: tuple[tuple[int, int], ...] = ()

    @property
    def next(self) -> int:
        """The number of the next position: a missed position if it is due, otherwise a new one."""
        due = next((number for number, at in self.missed if at <= self.answered), None)
        return min(self.last + 1, MOST_NUMBER) if due is None else due

    def after(self, number: int, *, right: bool) -> "DrillScore":
        """Return the score after an answer.

        If another position was due, the answer may have been counted already, so nothing changes.
        """
        if number != self.next or self.answered == MOST_NUMBER:
            return self
        answered = self.answered + 1
        missed = [each for each in self.missed if each[0] != number]
        if not right:
            missed.append((number, min(answered + LATER, MOST_NUMBER)))
        return DrillScore(max(self.last, number), answered, self.right + right, tuple(missed[-MOST_MISSED:]))


def write_scores(scores: Mapping[str, DrillScore]) -> str:
    """Write the scores by game, as text for a cookie. If it would be too long, drop the first scores."""
    parts = [
        ".".join([game, str(each.last), str(each.answered), str(each.right), *[f"{n}-{at}" for n, at in each.missed]])
        for game, each in scores.items()
    ]
    while sum(map(len, parts)) + len(parts) > MOST_TEXT:
        parts.pop(0)
    return _BETWEEN.join(parts)


def score_name(game: str, options: Iterable[tuple[str, str]]) -> str:
    """Return the key of a game's score under these house rules. Under default rules it is the game's name.

    >>> score_name("midnight", [("need", "2 4")])
    'midnight-need-2-4'
    """
    return re.sub("[^a-z0-9]+", "-", " ".join([game, *map(" ".join, options)]).lower())[:32]


def read_scores(text: str, games: Iterable[str]) -> dict[str, DrillScore]:
    """Parse the scores of these games, under any house rules (``score_name``). Impossible scores are dropped."""
    known, found = set(games), dict[str, DrillScore]()
    for part in text.split(_BETWEEN, MOST_GAMES)[:MOST_GAMES]:
        read = _SCORE.fullmatch(part)
        if read is None or read[1].partition("-")[0] not in known:
            continue
        missed = [tuple(map(int, pair.split("-"))) for pair in read[5].split(".")[1:]]
        score = DrillScore(int(read[2]), int(read[3]), int(read[4]), tuple([(number, at) for number, at in missed]))
        can_be = all(0 < number <= score.last and at <= score.answered + LATER for number, at in score.missed)
        if can_be and score.right <= score.answered:
            found[read[1]] = score
    return found
