"""The parts of a receipt in a language, as immutable data for a page. Works for any game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pubdice.advice.turning import TurningPoint
from pubdice.core.dice import SIX, DieFaces


@dataclass(frozen=True, slots=True)
class ReceiptPart:
    """A part of a seat's result."""

    name: str  # for programs: "seat", "luck", "skill", "others" or "result"
    label: str
    line: str
    amount: str
    units: int  # the size of this part, in printed units
    reached: int  # the sum of all parts up to this one, in printed units
    begin: float  # the start of the part's bar, from 0 to 1 of the scale
    end: float  # the end of the part's bar, from 0 to 1 of the scale
    points: str  # the amount as people say it. Chances are in points of 100.


@dataclass(frozen=True, slots=True)
class ReceiptSeat:
    """A seat's receipt: the parts of its result, in order."""

    name: str
    parts: tuple[ReceiptPart, ...]
    rank: str  # a sentence that compares the seat's luck with the replays, "" if there are no ranks


@dataclass(frozen=True, slots=True)
class Highlight:
    """The costliest decision or the luckiest roll of a match, in words."""

    dice: tuple[int, ...]
    lines: tuple[str, ...]
    where: str  # the player's name and, if there are several rounds, the round
    number: int  # the number of the decision or move, from 1
    amount: float  # the value lost or gained, in the solver's unit


@dataclass(frozen=True, slots=True)
class ReceiptMove:
    """A move, with each seat's chances after it."""

    lines: tuple[str, ...]
    dice: tuple[int, ...]
    where: str
    said: tuple[str, ...]  # each seat's chances, in words
    decision: int
    ends: int  # 2 if a round ended with the move, 1 if a turn ended, otherwise 0


@dataclass(frozen=True, slots=True)
class ReceiptOption:
    """A choice that a question offers."""

    key: str  # the action as records write it
    label: str
    value: str
    line: str  # its loss with the reason
    lost: float  # the value lost, in the solver's unit
    best: bool
    played: bool


@dataclass(frozen=True, slots=True)
class ReceiptQuestion:
    """A costly decision, asked again."""

    number: int  # the number of the decision, from 1
    title: str  # the question, with the name of the player who rolled
    before: tuple[str, ...]  # the events before the decision
    dice: tuple[int, ...]
    options: tuple[ReceiptOption, ...]
    answer: str  # the best choice, in words
    played: str  # the choice that the player made, in words


@dataclass(frozen=True, slots=True)
class ReceiptDecision:
    """A decision in words, in the parts that keys say one by one."""

    number: int  # its number in the match, from 1
    where: str  # its number, with the player's name and, if there are several rounds, the round
    stands: str  # the scores before it
    hand: str  # the dice from which it chose, after those that were locked
    played: str  # the choice that the player made
    verdict: str  # the loss with its reason, and the best choice
    worst: bool  # no decision of the match lost more

    @property
    def lines(self) -> tuple[str, ...]:
        """The whole decision, in order."""
        return self.where, self.stands, self.hand, self.played, self.verdict


@dataclass(frozen=True, slots=True)
class Receipt:
    """The receipt of a match in words: its result and the causes."""

    result: tuple[str, ...]
    rules: str
    decided: str
    turning: TurningPoint  # every seat's chances over the match, and the turning point
    you: int | None  # the reader's seat, or None if the reader has no seat
    names: tuple[str, ...]  # the players' names. The reader's own name is "You".
    seats: tuple[ReceiptSeat, ...]
    rests: str  # a sentence on the replays behind the luck ranks
    luckiest: Highlight | None
    dearest: Highlight | None
    moves: tuple[ReceiptMove, ...]
    decisions: tuple[ReceiptDecision, ...]
    questions: tuple[ReceiptQuestion, ...]
    red: tuple[int, ...]  # the faces that every turn needs, which are drawn in red
    data: Mapping[str, Any]
    die: DieFaces = SIX


@dataclass(frozen=True, slots=True)
class Highlights:
    """The costliest decision and the luckiest roll of a match."""

    dearest: Highlight | None
    luckiest: Highlight | None
    utility: str  # the name of the unit of both amounts
    chances: bool  # True if both amounts are read in percent
    red: tuple[int, ...]
    die: DieFaces


MOST_OPTIONS = 5  # the most choices that a question offers
