"""The drill: positions of a game without end, each known by its number, and how somebody does in them. Pure.

A position is found as those of Last orders are, with its number instead of a date; so number 17 of a game is the
same in every house. New ones come in order. One that was missed comes again once ``LATER`` others were answered
(spaced repetition). The score goes round with the browser, in a cookie; it proves nothing to anybody, so it has no
tag.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pubdice.advice.daily import DayQuestion, SolverOf, search
from pubdice.core.errors import Unsolved
from pubdice.kit import Kit

MOST_NUMBER = 999_999
LATER = 3
"""Positions answered before one that was missed comes again: soon enough to remember why."""
MOST_MISSED = 10
"""Missed positions that are kept; of more the oldest is left out."""
MOST_GAMES = 64
"""Games whose scores are read."""
MOST_TEXT = 2_000
"""Letters of all scores: a cookie may have 4,096 with its name and its attributes."""
_NUMBER, _PAIR = "[0-9]{1,6}", "[0-9]{1,6}-[0-9]{1,6}"
_SCORE = re.compile(rf"([a-z0-9-]{{1,32}})\.({_NUMBER})\.({_NUMBER})\.({_NUMBER})((?:\.{_PAIR}){{0,{MOST_MISSED}}})")
_BETWEEN = "~"


def drill_question(kit: Kit, number: int, solve: SolverOf, day: str = "") -> DayQuestion:
    """The position of a game with this number. day: the date, of a day's position at this one game.

    Raises Unsolved if nothing can be lost in the game's rounds.
    """
    # A day has another seed than its own question, which may be of this game: this one can be ranked before that.
    record = search(kit, f"{day} {kit.name}" if day else f"drill {number}", solve)
    if record is None:
        raise Unsolved("no-position", title=kit.words.title)
    return DayQuestion(number, day, kit.name, record)


@dataclass(frozen=True, slots=True)
class DrillScore:
    """Somebody's score in a game. last: the number of the latest new position, 0 for none. answered, right: counts.

    missed: by number, oldest first, with how many must be answered before it comes again.
    """

    last: int = 0
    answered: int = 0
    right: int = 0
    missed: tuple[tuple[int, int], ...] = ()

    @property
    def next(self) -> int:
        """The number of the position to ask: one that was missed, if it is time, or else a new one."""
        due = next((number for number, at in self.missed if at <= self.answered), None)
        return min(self.last + 1, MOST_NUMBER) if due is None else due

    def after(self, number: int, *, right: bool) -> "DrillScore":
        """The score after an answer; the same if another position was to be asked, as it may have been counted."""
        if number != self.next or self.answered == MOST_NUMBER:
            return self
        answered = self.answered + 1
        missed = [each for each in self.missed if each[0] != number]
        if not right:
            missed.append((number, min(answered + LATER, MOST_NUMBER)))
        return DrillScore(max(self.last, number), answered, self.right + right, tuple(missed[-MOST_MISSED:]))


def write_scores(scores: Mapping[str, DrillScore]) -> str:
    """The scores by game, as a cookie keeps them; of more than fit into one the first are left out."""
    parts = [
        ".".join([game, str(each.last), str(each.answered), str(each.right), *[f"{n}-{at}" for n, at in each.missed]])
        for game, each in scores.items()
    ]
    while sum(map(len, parts)) + len(parts) > MOST_TEXT:
        parts.pop(0)
    return _BETWEEN.join(parts)


def score_name(game: str, options: Iterable[tuple[str, str]]) -> str:
    """The name of the score of a game by these house rules; of the usual ones the game's.

    >>> score_name("midnight", [("need", "2 4")])
    'midnight-need-2-4'
    """
    return re.sub("[^a-z0-9]+", "-", " ".join([game, *map(" ".join, options)]).lower())[:32]


def read_scores(text: str, games: Iterable[str]) -> dict[str, DrillScore]:
    """The scores of these games, and of each by other rules (``score_name``).

    One of which the text says what no score can be begins from nothing.
    """
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
