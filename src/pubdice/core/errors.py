"""Failures in five families: each has a stable code and its evidence. Knows no sentence.

``BadNotation``: a text that does not parse. ``IllegalAction``: a move the rules forbid. ``Refused``: a request that the
people's agreement forbids (not your turn, not the host). ``NotStored``: the store could not keep or find something.
``Unsolved``: no solver answers for this match. A failure changes nothing. A code is written once, where it is raised;
sentences, HTTP statuses and exit statuses are looked up by it, in one place for each (docs/architecture.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text: line and column from 1, and what stood there."""

    line: int
    column: int
    found: str


class Failure(Exception):
    """The base of all failures, for callers who catch them all. ``code`` names what is wrong, ``facts`` hold the
    evidence.

    sentence: the sentence for it, where somebody has looked it up; without one ``str`` gives the code and the facts.
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts: Mapping[str, object] = facts
        self.sentence = ""

    def __str__(self) -> str:
        return self.sentence or (f"{self.code} {self.facts}" if self.facts else self.code)


class BadNotation(Failure, ValueError):
    """Text that does not parse; ``place`` is where, if it came from a text of more than one line."""

    def __init__(self, code: str, place: Place | None = None, **facts: object) -> None:
        super().__init__(code, **facts)
        self.place = place


class IllegalAction(Failure, ValueError):
    """A move the rules forbid. ``code`` names the rule broken; ``state`` and ``action`` are evidence too.

    place: where the move is written, if it was read from a record.
    """

    def __init__(self, code: str, *, state: object = None, action: object = None, **facts: object) -> None:
        super().__init__(code, **facts)
        self.state = state
        self.action = action
        self.place: Place | None = None


class Refused(Failure):
    """The table or the house says no."""


class NotStored(Failure):
    """The store says no: nothing was written, and nothing may be shown."""


class Unsolved(Failure):
    """A match that no solver here can answer for."""
