"""The parts of a receipt in a language: frozen data for a page. Works for any game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pubdice.advice.turning import TurningPoint
from pubdice.core.dice import SIX, DieFaces


@dataclass(frozen=True, slots=True)
class ReceiptPart:
    """A part of a seat's result."""

    name: str  # "seat", "luck", "skill", "others" or "result", for programs
    label: str
    line: str
    amount: str
    units: int  # of this part, in printed units
    reached: int  # the sum of all parts up to this one, in printed units
    begin: float  # of its bar, from 0 to 1 of the scale
    end: float  # of its bar, from 0 to 1 of the scale
    points: str  # the amount as people say it; chances in points of 100


@dataclass(frozen=True, slots=True)
class ReceiptSeat:
    """A seat's receipt: its parts in order."""

    name: str
    parts: tuple[ReceiptPart, ...]
    rank: str  # a sentence that compares its luck; "" without ranks


@dataclass(frozen=True, slots=True)
class Highlight:
    """The costliest decision or the luckiest roll, in words."""

    dice: tuple[int, ...]
    lines: tuple[str, ...]
    where: str  # in the match: name and round
    number: int  # of the decision or move, from 1
    amount: float  # lost or gained, in the solver's unit


@dataclass(frozen=True, slots=True)
class ReceiptMove:
    """A move, with each seat's chances after it."""

    lines: tuple[str, ...]
    dice: tuple[int, ...]
    where: str
    said: tuple[str, ...]  # each seat's chances
    decision: int
    ends: int  # as in ``ShownMove``


@dataclass(frozen=True, slots=True)
class ReceiptOption:
    """A choice of a question."""

    key: str  # as in records
    label: str
    value: str
    line: str  # its loss and the reason
    lost: float  # in the solver's unit
    best: bool
    played: bool


@dataclass(frozen=True, slots=True)
class ReceiptQuestion:
    """A costly decision, asked again."""

    number: int  # of the decision, from 1
    title: str  # the question, with the name of the roller
    before: tuple[str, ...]  # past events
    dice: tuple[int, ...]
    options: tuple[ReceiptOption, ...]
    answer: str  # the best choice
    played: str  # the actual choice


@dataclass(frozen=True, slots=True)
class Receipt:
    """The receipt of a match in words: its result and the causes."""

    result: tuple[str, ...]
    rules: str
    decided: str
    turning: TurningPoint  # every seat's chances, and the turning point
    you: int | None  # the reader's seat; None for a reader without a seat
    names: tuple[str, ...]  # the reader's own is "You"
    seats: tuple[ReceiptSeat, ...]
    rests: str  # the basis of the luck ranks
    luckiest: Highlight | None
    dearest: Highlight | None
    moves: tuple[ReceiptMove, ...]
    decisions: tuple[tuple[int, str], ...]
    questions: tuple[ReceiptQuestion, ...]
    red: tuple[int, ...]  # the faces that every turn needs
    data: Mapping[str, Any]
    die: DieFaces = SIX


@dataclass(frozen=True, slots=True)
class Highlights:
    """The costliest decision and the luckiest roll of a match."""

    dearest: Highlight | None
    luckiest: Highlight | None
    utility: str  # the name of their amounts
    chances: bool  # true if they are read in percent
    red: tuple[int, ...]
    die: DieFaces


MOST_OPTIONS = 5  # of a question
