"""What a game is to the house: the Game protocol, seats, the shared keep action, and the errors rules may raise.

A game is a frozen object holding its options. States and actions are frozen data; every verb returns a new state, and a
refusal changes nothing. Dice are an argument of ``roll``: live play, replay, tests and solvers share one engine. Inside
a round seats are counted 0, 1, … in turn order, the opener being 0; who sits there is the match's business.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from typing import Literal, NewType, Protocol, TypeVar

from pubdice.dice import Hand, digits, subhands

Seat = NewType("Seat", int)

Verb = Literal["roll", "bank"]
"""What a player does with the dice marked: roll the rest, or bank (end the turn)."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text: line and column from 1, and what stood there."""

    line: int
    column: int
    found: str


def with_facts(code: str, facts: Mapping[str, object]) -> str:
    """A fault's code and its evidence, for a log: written out when it is read, as most faults never are."""
    return f"{code} {facts}" if facts else code


class BadNotation(ValueError):
    """Text that does not parse. ``fault`` names what is wrong, ``facts`` hold the evidence."""

    def __init__(self, fault: str, place: Place | None = None, **facts: object) -> None:
        super().__init__(fault)
        self.fault = fault
        self.place = place
        self.facts: Mapping[str, object] = facts

    def __str__(self) -> str:
        return with_facts(self.fault, self.facts)


class IllegalAction(ValueError):
    """A move the rules forbid. ``rule`` names the rule broken; ``state``, ``action`` and ``facts`` are the evidence."""

    def __init__(self, rule: str, *, state: object = None, action: object = None, **facts: object) -> None:
        super().__init__(rule)
        self.rule = rule
        self.state = state
        self.action = action
        self.facts: Mapping[str, object] = facts
        self.place: Place | None = None

    def __str__(self) -> str:
        return with_facts(self.rule, self.facts)


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep these dice (a sorted hand, perhaps empty) and roll the rest."""

    dice: Hand = ()


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
    faces = text[1:]
    if text == "k-":
        return Keep(())
    if text[:1] != "k" or not faces or any(face not in "123456" for face in faces):
        raise BadNotation("action", found=text, shape="k45")
    return Keep(tuple(sorted(int(face) for face in faces)))


@cache
def keeps(free: Hand, least: int = 0) -> tuple[Keep, ...]:
    """Every distinct keep out of the free dice, of at least ``least`` dice."""
    return tuple(Keep(part) for part in subhands(free) if len(part) >= least)


@cache
def keepable(free: Hand, least: int = 0) -> frozenset[Hand]:
    """The hands of ``keeps``, to ask whether one keep is legal: a set of plain tuples, as every play asks it.

    >>> (4, 6) in keepable((3, 4, 6)), (4, 4) in keepable((3, 4, 6))
    (True, False)
    """
    return frozenset(keep.dice for keep in keeps(free, least))


@dataclass(frozen=True, slots=True)
class Result:
    """How a round ended: the winners (none, one or several) and every seat's score, in turn order."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


S = TypeVar("S")
A = TypeVar("A")
T = TypeVar("T")


def quick(cls: type[T]) -> type[T]:
    """A frozen, slotted dataclass whose values are made in half the time; nothing else about it changes.

    The ``__init__`` that dataclass writes for frozen classes goes through ``object.__setattr__``, which looks every
    field up by name; this one hands each value straight to the field's slot. For states, made anew at every step:
    there it is a fifth of the time a match takes (``benchmarks/play.py``). Not for keyword-only or factory fields.
    """
    slow = cls.__init__
    names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
    scope = {f"set_{name}": getattr(cls, name).__set__ for name in names}
    lines = [f"def __init__(self, {', '.join(names)}):", *(f"    set_{name}(self, {name})" for name in names)]
    exec("\n".join(lines), scope)  # noqa: S102  as dataclass itself does: only the names of our own fields go in
    init = scope["__init__"]
    init.__qualname__, init.__defaults__, init.__annotations__ = (
        slow.__qualname__,
        slow.__defaults__,
        slow.__annotations__,
    )
    cls.__init__ = init  # type: ignore[method-assign]
    return cls


class Game(Protocol[S, A]):
    """The rules of one round. Exactly one holds in every state: dice to roll, a choice to make, the round is over."""

    @property
    def least_seats(self) -> int:
        """The fewest seats a round can have."""

    @property
    def most_seats(self) -> int:
        """The most seats a round can have."""

    def start(self, seats: int) -> S:
        """A fresh round. Raises ValueError if the game cannot seat so many."""

    def mover(self, state: S) -> Seat | None:
        """The seat whose turn it is, None when the round is over."""

    def to_roll(self, state: S) -> int:
        """How many dice the mover is about to roll; 0 at a decision and when the round is over."""

    def roll(self, state: S, hand: Hand) -> S:
        """The state after the dice to roll showed ``hand`` (sorted). Raises IllegalAction."""

    def legal(self, state: S) -> tuple[A, ...]:
        """The actions open to the mover, in a fixed order; empty unless a choice is to be made."""

    def play(self, state: S, action: A) -> S:
        """The state after the mover's action. Raises IllegalAction."""

    def choose(self, state: S, verb: Verb, kept: Hand) -> A:
        """The action a player means who has marked ``kept`` and says ``verb``. Raises IllegalAction."""

    def gives_up(self, state: S, action: A) -> bool:
        """Whether an action throws away dice of which some could stay: players are asked before it is done."""

    def dice(self, state: S, seat: Seat) -> tuple[Hand, Hand]:
        """A seat's dice on the table, as (locked, free): free ones may be chosen, locked ones are final."""

    def kept(self, action: A) -> Hand:
        """The dice an action leaves lying."""

    def score(self, state: S, seat: Seat) -> int | None:
        """What the seat's last finished turn came to, None before it has finished one this round."""

    def result(self, state: S) -> Result | None:
        """How the round ended, None before it has."""

    def write_action(self, action: A) -> str:
        """The action as notation: a word that starts with a small letter and holds no space."""

    def read_action(self, text: str) -> A:
        """The action a piece of notation names. Raises BadNotation."""
