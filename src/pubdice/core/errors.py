"""Failures in five families. Each has a stable code and evidence, and no sentence.

- ``BadNotation``: a text does not parse.
- ``IllegalAction``: the rules forbid a move.
- ``Refused``: the agreement of the players forbids a request (not your turn, not the host).
- ``NotStored``: the store could not keep or find something.
- ``Unsolved``: no solver answers for this match.

A failure changes nothing. Each code is written once, at the line that raises it. Sentences, HTTP statuses and exit
statuses are looked up by code, in one place for each (docs/contribute/architecture.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text: line and column, both from 1, and the text found there."""

    line: int
    column: int
    found: str


class Failure(Exception):
    """The base of all failures: a caller can catch it to catch them all.

    Attributes:
        code: The name of the fault, such as "seat".
        facts: The evidence, by name.
        sentence: The fault in words, empty until it is looked up. While it is empty, ``str`` gives the code and the
            facts.

    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts: Mapping[str, object] = facts
        self.sentence = ""

    def __str__(self) -> str:
        return self.sentence or (f"{self.code} {self.facts}" if self.facts else self.code)


class BadNotation(Failure, ValueError):
    """A text, a name or another argument that does not parse.

    Attributes:
        place: The line and column of the fault. None if the text has only one line.

    """

    def __init__(self, code: str, place: Place | None = None, **facts: object) -> None:
        super().__init__(code, **facts)
        self.place = place


class IllegalAction(Failure, ValueError):
    """A move that the rules forbid.

    Attributes:
        code: The name of the broken rule.
        state: The state before the move.
        action: The move.
        place: The place of the move in its record. None if it was not read from one.

    """

    def __init__(self, code: str, *, state: object = None, action: object = None, **facts: object) -> None:
        super().__init__(code, **facts)
        self.state = state
        self.action = action
        self.place: Place | None = None


class Refused(Failure):
    """A request that the table or the house refuses."""


class NotStored(Failure):
    """A write or read that the store could not do. Nothing was written, so nothing may be shown."""


class Unsolved(Failure):
    """A match that is too large to solve, or a game without a solver."""
