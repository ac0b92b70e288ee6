"""What a house has lost compared with another copy of it, for example by a failover to a replica that was behind."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Generic, TypeVar

from pubdice.core.errors import NotStored
from pubdice.core.whole_number import whole_number
from pubdice.store.copying import HouseRows, answers, logs, secret_of
from pubdice.store.house_tables import SqlRow

MOST_TIME_DIGITS = 14
Each = TypeVar("Each", bound=tuple[object, ...])


@dataclass(frozen=True, slots=True)
class LostEvents:
    """What the log of a table lacks. events: how many lines; from line ``line`` on, the first being 0.

    kind: "missing" (the whole table), "shorter", "different" (that line is another one), or "answers" (nothing but
    stored answers). since, until: the first and last time in those lines, in ms since 1970. answers: how many are
    missing, or are others.
    """

    table: int
    code: str | None
    kind: str
    line: int = 0
    events: int = 0
    since: int | None = None
    until: int | None = None
    answers: int = 0


def lost_events(old: HouseRows, new: HouseRows) -> Iterator[LostEvents]:
    """The tables of ``old`` of which ``new`` lacks something, in order of their numbers. NotStored("other-house").

    A number that belongs to a table of another code counts as a missing table. A log that is damaged ends there.
    """
    known, found = secret_of(old), secret_of(new)
    if known is not None and found is not None and known != found:
        raise NotStored("other-house", file=new.shown, other=old.shown)
    their_logs, our_answers, their_answers = _Following(logs(new)), _Following(answers(old)), _Following(answers(new))
    for number, code, lines in logs(old):
        theirs = their_logs.at(number)
        there = theirs is not None and theirs[1] == code
        mine, other = our_answers.at(number), their_answers.at(number)
        lost = _answers_lost(mine[1] if mine else iter(()), other[1] if other and there else iter(()))
        kind, line, events, times = _lines_lost(lines, theirs[2] if theirs and there else iter(()))
        if events or lost or not there:
            kind = "missing" if not there else kind
            since, until = (times[0], times[-1]) if times else (None, None)
            yield LostEvents(number, code, kind, line, events, since, until, lost)


class _Following(Generic[Each]):
    """Goes on in a sorted iterator to the item that begins with a number, if there is one."""

    def __init__(self, items: Iterator[Each]) -> None:
        self._items, self._next = items, next(items, None)

    def at(self, number: int) -> Each | None:
        """The item of this number, or of none; numbers asked for only grow."""
        while self._next is not None and int(str(self._next[0])) < number:
            self._next = next(self._items, None)
        return self._next if self._next is not None and self._next[0] == number else None


def _lines_lost(old: Iterator[str], new: Iterator[str]) -> tuple[str, int, int, list[int]]:
    """The kind of loss, the first line's number, how many lines, and the first and last time in them."""
    mine, theirs = _readable(old), _readable(new)
    for at, (one, other) in enumerate(zip_longest(mine, theirs)):
        if one is None:
            break
        if one != other:
            events, times = 0, list[int]()
            for line in _and_then(one, mine):
                events += 1
                time = whole_number(line.partition(" ")[0], MOST_TIME_DIGITS)
                times = times if time is None else [*times[:1], time]
            return "shorter" if other is None else "different", at, events, times
    return "answers", 0, 0, []


def _answers_lost(old: Iterator[SqlRow], new: Iterator[SqlRow]) -> int:
    """How many answers are missing or are others; both are in order of their keys."""
    lost, other = 0, next(new, None)
    for one in old:
        while other is not None and bytes(other[0]) < bytes(one[0]):  # type: ignore[call-overload]
            other = next(new, None)
        lost += one != other
    return lost


def _readable(lines: Iterator[str]) -> Iterator[str]:
    try:
        yield from lines
    except NotStored:
        return


def _and_then(first: str, others: Iterator[str]) -> Iterator[str]:
    yield first
    yield from others
