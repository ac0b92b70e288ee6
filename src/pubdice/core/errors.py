"""Failures in five families. A failure has a code that never changes, and facts as evidence. Its sentence comes later.

- ``BadNotation``: a text does not parse.
- ``IllegalAction``: the rules of the game forbid a move.
- ``Refused``: the table or the house (the server) forbids a request (not your turn, not the host).
- ``NotStored``: the store could not write or read something.
- ``Unsolved``: no solver can solve this match.

A failure changes nothing. Each code occurs once in the source, at the line that raises it. Other modules look up the
sentence, the HTTP status and the exit status by the code (docs/contribute/architecture.md).
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
    """The base class of all failures.

    Attributes:
        code: The name of the fault, such as "seat".
        facts: The evidence, by name.
        sentence: The fault in words. It is "" until a caller looks it up. Until then, ``str`` gives the code and the
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
    """A write or read that the store could not do. Nothing was written, so the caller may show nothing of it."""


class Unsolved(Failure):
    """A match that is too large to solve, or a game without a solver."""
