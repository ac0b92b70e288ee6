"""What a game is to the house: the Game protocol, seats, and the shared keep action.

A game is a frozen object holding its options. States and actions are frozen data; every verb returns a new state, and a
refusal changes nothing. Dice are an argument of ``roll``: live play, replay, tests and solvers share one engine. Inside
a round seats are counted 0, 1, … in turn order, the opener being 0; who sits there is the match's business.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar, Literal, NewType, Protocol, TypeVar, runtime_checkable

from pubdice.core.dice import Hand, are_faces, digits, faces_in, subhands
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.frozen import quick

Seat = NewType("Seat", int)
"""A seat at the table, from 0 for the first named."""

RoundSeat = NewType("RoundSeat", int)
"""A seat in a round, from 0 for its opener, in turn order: all that rules know. ``MatchState.local`` and
``MatchState.order`` lead from one to the other."""

Verb = Literal["roll", "bank"]
"""What a player does with the dice marked: roll the rest, or bank (end the turn)."""


MOST_SEATS = 20
"""The house's limit where a game's sources set none."""


@dataclass(frozen=True, slots=True, init=False)
class Keep:
    """Keep these dice (a hand, perhaps empty) and roll the rest. The order in which they are given does not matter.

    >>> Keep((6, 1)) == Keep.of(1, 6)
    True
    """

    dice: Hand

    def __init__(self, dice: Hand = ()) -> None:
        object.__setattr__(self, "dice", tuple(sorted(dice)))  # rules compare hands: unsorted it would be "not-free"

    @classmethod
    def of(cls, *dice: int) -> "Keep":
        """Keep these dice, in any order."""
        return cls(dice)


@lru_cache(maxsize=1024)  # room for every hand of up to six dice
def _kept(dice: Hand) -> str:
    return "k" + (digits(dice) or "-")


def write_keep(keep: Keep) -> str:
    """A keep as notation: ``k`` and the faces, ``k-`` for none.

    >>> write_keep(Keep((4, 5))), write_keep(Keep(()))
    ('k45', 'k-')
    """
    return _kept(keep.dice)


def read_keep(text: str) -> Keep:
    """The keep a piece of notation names; faces may come in any order.

    Raises BadNotation("action") if it is none.

    >>> read_keep("k54")
    Keep(dice=(4, 5))
    """
    if text == "k-":
        return Keep(())
    faces = faces_in(text[1:])
    if text[:1] != "k" or not faces:
        raise BadNotation("action", found=text, shape="k45")
    return Keep(faces)


shared_keep = cache(Keep)
"""The same keep for the same dice: the 923 hands of one to six dice have 17,640 keeps, of which 923 differ."""


@cache
def keeps(free: Hand, least: int = 0) -> tuple[Keep, ...]:
    """Every distinct keep out of the free dice, of at least ``least`` dice."""
    return tuple([shared_keep(part) for part in subhands(free) if len(part) >= least])


@cache
def legal_hands(free: Hand, least: int = 0) -> frozenset[Hand]:
    """The hands of ``keeps``, to ask whether one keep is legal: a set of plain tuples, as every play asks it.

    >>> (4, 6) in legal_hands((3, 4, 6)), (4, 4) in legal_hands((3, 4, 6))
    (True, False)
    """
    return frozenset([keep.dice for keep in keeps(free, least)])


def sorted_roll(state: object, dice: Hand, due: int) -> Hand:
    """The dice rolled as a hand, for rules that are to roll ``due`` of them and were not given one of ``hands(due)``.

    Raises IllegalAction: "no-roll", "roll-count" or "faces".
    """
    if not due:
        raise IllegalAction("no-roll", state=state, action=dice)
    if len(dice) != due:
        raise IllegalAction("roll-count", state=state, action=dice, due=due, got=len(dice))
    if not are_faces(dice):
        raise IllegalAction("faces", state=state, action=dice)
    return tuple(sorted(dice))


class KeepGame:
    """What the rules of any game whose actions are keeps have in common, to inherit; a game names its seats."""

    __slots__ = ()
    least_seats: ClassVar[int]
    most_seats: ClassVar[int] = MOST_SEATS
    lowest_wins: ClassVar[bool] = False

    def check_seats(self, seats: int) -> None:
        """Raise ValueError if the game cannot seat so many."""
        if not self.least_seats <= seats <= self.most_seats:
            name = type(self).__name__.lower()
            raise ValueError(f"{name} seats {self.least_seats} to {self.most_seats}, not {seats}")

    def gives_up(self, state: Any, action: Keep) -> bool:
        """Never: no dice are given up that could stay."""
        return False

    def kept(self, action: Keep) -> Hand:
        """The dice kept stay where they lie."""
        return action.dice

    def write_action(self, action: Keep) -> str:
        """Keeps are written ``k655``, none ``k-``."""
        return _kept(action.dice)

    def read_action(self, text: str) -> Keep:
        """Keeps are read from ``k655``. Raises BadNotation."""
        return read_keep(text)

    def write_score(self, score: int) -> str:
        """The number as the rules count it."""
        return str(score)


@runtime_checkable
class HandState(Protocol):
    """A round under way, a dataclass: every seat's hand, () before its first roll; whose turn it is; what it keeps.

    kept: None while the mover has still to choose. Positions of a game whose states are such can be told by the hands
    (``advice.ranking.advise_hands``), whatever solves it.
    """

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The hands in turn order."""

    @property
    def mover(self) -> RoundSeat:
        """Whose turn it is."""

    @property
    def kept(self) -> Hand | None:
        """The dice kept while the others are due."""


@quick
@dataclass(frozen=True, slots=True)
class RoundResult:
    """How a round ended, as its rules tell it: the winners (none, one or several), every score, in turn order."""

    winners: tuple[RoundSeat, ...]
    scores: tuple[int, ...]


@quick
@dataclass(frozen=True, slots=True)
class Result:
    """How a round ended, at the table: the winners, and every table seat's score, 0 for one that was not in it."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


S = TypeVar("S")
A = TypeVar("A")


class Game(Protocol[S, A]):
    """The rules of one round. Exactly one holds in every state: dice to roll, a choice to make, the round is over."""

    @property
    def least_seats(self) -> int:
        """The fewest seats a round can have."""

    @property
    def most_seats(self) -> int:
        """The most seats a round can have."""

    @property
    def lowest_wins(self) -> bool:
        """Whether the lowest score is the best: then the highest is the loser's, and a seat alone plays for less.

        A score that wins whatever it counts, as five sixes may at Threes, is no exception to this.
        """

    def start(self, seats: int) -> S:
        """A fresh round. Raises ValueError if the game cannot seat so many."""

    def mover(self, state: S) -> RoundSeat | None:
        """The seat whose turn it is, None when the round is over."""

    def to_roll(self, state: S) -> int:
        """How many dice the mover is about to roll; 0 at a decision and when the round is over."""

    def roll(self, state: S, hand: Hand) -> S:
        """The state after the dice to roll showed ``hand``, in any order. Raises IllegalAction."""

    def legal(self, state: S) -> tuple[A, ...]:
        """The actions open to the mover, in a fixed order; empty unless the mover has a choice to make."""

    def play(self, state: S, action: A) -> S:
        """The state after the mover's action. Raises IllegalAction."""

    def choose(self, state: S, verb: Verb, kept: Hand) -> A:
        """The action a player means who has marked ``kept`` and says ``verb``. Raises IllegalAction."""

    def gives_up(self, state: S, action: A) -> bool:
        """Whether an action throws away dice of which some could stay: players are asked before it is done."""

    def dice(self, state: S, seat: RoundSeat) -> tuple[Hand, Hand]:
        """A seat's dice on the table, as (locked, free): free ones may be chosen, locked ones are final.

        Free dice lie there until an action that does not keep them (``kept``), locked ones until the state no longer
        has them. Where nothing is chosen of the dice, all are locked; more dice than are in the cup fall beside them.
        """

    def kept(self, action: A) -> Hand:
        """The dice an action leaves lying."""

    def score(self, state: S, seat: RoundSeat) -> int | None:
        """What the seat's last finished turn came to, None before it has finished one this round."""

    def result(self, state: S) -> RoundResult | None:
        """How the round ended, None before it has."""

    def write_action(self, action: A) -> str:
        """The action as notation: a word that starts with a small letter and holds no space."""

    def read_action(self, text: str) -> A:
        """The action a piece of notation names. Raises BadNotation."""

    def write_score(self, score: int) -> str:
        """A score as a record has it after ``=``: digits, as people write it, such as 21 at Mexico for the best."""


@runtime_checkable
class CanonicalStates(Protocol):
    """What a game has besides whose states tell more than its future depends on, such as which dice made a total.

    Solvers then count and solve one state for all that go on alike (``solve.plain``).
    """

    def canonical(self, state: Any) -> Any:
        """The state that stands for all that go on alike: same mover, same dice due, same actions, same result; and
        what follows them after the same roll or action has one canonical state, too.
        """


# A state → what to do. A policy gives every action it may take a whole-number weight; it draws nothing itself.


S_contra = TypeVar("S_contra", contravariant=True)
A_co = TypeVar("A_co", covariant=True)


class Policy(Protocol[S_contra, A_co]):
    """At a decision: the actions it may take with their weights, positive integers.

    game: a ``Game`` of the policy's own kind, so a policy says which and reads its options.
    """

    def __call__(self, game: Any, state: S_contra) -> tuple[tuple[A_co, int], ...]:
        """The weighted actions; never empty at a decision."""


def uniform(game: Game[S, A], state: S) -> tuple[tuple[A, int], ...]:
    """Any legal action, all equally likely."""
    return tuple((action, 1) for action in game.legal(state))


def pick(weighted: tuple[tuple[A, int], ...], draw: Callable[[int], int]) -> A:
    """One action, each as likely as its weight; ``draw(n)`` gives 0 … n - 1, all equally likely."""
    lot = draw(sum(weight for _, weight in weighted)) if len(weighted) > 1 else 0
    for action, weight in weighted:
        if lot < weight:
            return action
        lot -= weight
    raise ValueError("a policy gave no action")
