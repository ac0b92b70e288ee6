"""What a receipt is, told in a language: frozen data, ready for a page. Knows no game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PartTold:
    """A part of a seat's result. name: "seat", "luck", "skill", "others" or "result", as programs know it.

    units, reached: this part, and all parts up to it, in printed units. begin, end: where its bar begins and ends, as
    parts of the scale from 0 to 1.
    """

    name: str
    label: str
    line: str
    amount: str
    units: int
    reached: int
    begin: float
    end: float


@dataclass(frozen=True, slots=True)
class SeatTold:
    """A seat's receipt: its parts in order, and how its luck compares; empty where it does not."""

    name: str
    parts: tuple[PartTold, ...]
    rank: str


@dataclass(frozen=True, slots=True)
class Turning:
    """The dearest keep or the luckiest roll: dice, sentences, where in the match, and its decision or move."""

    dice: tuple[int, ...]
    lines: tuple[str, ...]
    where: str
    number: int


@dataclass(frozen=True, slots=True)
class MoveTold:
    """A move, and what every seat's chances are after it: as said, and in printed units. ends: as in ``ShownMove``."""

    lines: tuple[str, ...]
    dice: tuple[int, ...]
    where: str
    said: tuple[str, ...]
    units: tuple[int, ...]
    decision: int
    ends: int


@dataclass(frozen=True, slots=True)
class OptionTold:
    """A choice that a question offers. key: as in records. line: what it loses and why; lost: in the solver's unit."""

    key: str
    label: str
    value: str
    line: str
    lost: float
    best: bool
    played: bool


@dataclass(frozen=True, slots=True)
class QuestionTold:
    """A costly keep, asked again. number: of its decision, from 1. before: what had happened. answer: what is best."""

    number: int
    name: str
    before: tuple[str, ...]
    dice: tuple[int, ...]
    options: tuple[OptionTold, ...]
    answer: str
    played: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What decided a match, told. scale: printed units that make 1. chances: whether values are read in percent.

    share: a line of text to hand on. rests: what the ranks rest on. red: the faces that a turn needs.
    """

    result: tuple[str, ...]
    rules: str
    decided: str
    utility: str
    scale: int
    chances: bool
    names: tuple[str, ...]
    seats: tuple[SeatTold, ...]
    rests: str
    luckiest: Turning | None
    dearest: Turning | None
    moves: tuple[MoveTold, ...]
    decisions: tuple[tuple[int, str], ...]
    questions: tuple[QuestionTold, ...]
    share: str
    red: tuple[int, ...]
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Highlights:
    """The dearest keep and the luckiest roll of a match, with what they lost and gained, in the solver's unit.

    utility: what these are; chances: they are read in percent.
    """

    dearest: Turning | None
    lost: float
    luckiest: Turning | None
    gain: float
    utility: str
    chances: bool
    red: tuple[int, ...]


def highlights(receipt: Receipt) -> Highlights:
    """Those of a match with this receipt."""
    worst, best = receipt.data["worst"], receipt.data["best_roll"]
    return Highlights(
        receipt.dearest,
        worst["lost"] if worst else 0.0,
        receipt.luckiest,
        best["gain"] if best else 0.0,
        receipt.utility,
        receipt.chances,
        receipt.red,
    )
