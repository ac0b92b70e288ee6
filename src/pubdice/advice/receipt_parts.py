"""The parts of a receipt, told in a language: frozen data, ready for a page. Knows no game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pubdice.advice.turning import TurningPoint
from pubdice.core.dice import SIX, DieFaces


@dataclass(frozen=True, slots=True)
class ReceiptPart:
    """A part of a seat's result. name: "seat", "luck", "skill", "others" or "result", as programs know it.

    units, reached: this part, and all parts up to it, in printed units. begin, end: where its bar begins and ends, as
    parts of the scale from 0 to 1. points: the amount as it is said at a table, of chances in points of a hundred.
    """

    name: str
    label: str
    line: str
    amount: str
    units: int
    reached: int
    begin: float
    end: float
    points: str


@dataclass(frozen=True, slots=True)
class ReceiptSeat:
    """A seat's receipt: its parts in order, and how its luck compares; empty where it does not."""

    name: str
    parts: tuple[ReceiptPart, ...]
    rank: str


@dataclass(frozen=True, slots=True)
class Highlight:
    """The dearest keep or the luckiest roll: dice, sentences, where in the match, and its decision or move.

    amount: what the keep lost or the roll gained, in the solver's unit.
    """

    dice: tuple[int, ...]
    lines: tuple[str, ...]
    where: str
    number: int
    amount: float


@dataclass(frozen=True, slots=True)
class ReceiptMove:
    """A move, and what every seat's chances are after it, as said. ends: as in ``ShownMove``."""

    lines: tuple[str, ...]
    dice: tuple[int, ...]
    where: str
    said: tuple[str, ...]
    decision: int
    ends: int


@dataclass(frozen=True, slots=True)
class ReceiptOption:
    """A choice of a question. key: as in records. line: its loss and the reason; lost: in the solver's unit."""

    key: str
    label: str
    value: str
    line: str
    lost: float
    best: bool
    played: bool


@dataclass(frozen=True, slots=True)
class ReceiptQuestion:
    """A costly keep, asked again. number: of its decision, from 1. title: whose dice these are. before: past events.
    answer: the best choice. played: what was chosen.
    """

    number: int
    title: str
    before: tuple[str, ...]
    dice: tuple[int, ...]
    options: tuple[ReceiptOption, ...]
    answer: str
    played: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """The receipt of a match in words: its result and the causes. turning: every seat's chances, and where they turned.
    names: as they are read here, the reader's own is "You".

    you: the reader's seat, None of somebody who had none. rests: the basis of the ranks. red: the faces that a turn
    needs. die: all faces.
    """

    result: tuple[str, ...]
    rules: str
    decided: str
    turning: TurningPoint
    you: int | None
    names: tuple[str, ...]
    seats: tuple[ReceiptSeat, ...]
    rests: str
    luckiest: Highlight | None
    dearest: Highlight | None
    moves: tuple[ReceiptMove, ...]
    decisions: tuple[tuple[int, str], ...]
    questions: tuple[ReceiptQuestion, ...]
    red: tuple[int, ...]
    data: Mapping[str, Any]
    die: DieFaces = SIX


@dataclass(frozen=True, slots=True)
class Highlights:
    """The dearest keep and the luckiest roll of a match.

    utility: the name of their amounts; chances: true if they are read in percent.
    """

    dearest: Highlight | None
    luckiest: Highlight | None
    utility: str
    chances: bool
    red: tuple[int, ...]
    die: DieFaces


MOST_OPTIONS = 5
"""Choices that such a question offers."""
