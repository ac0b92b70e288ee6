"""The Game protocol, and base classes for games of keeps, turns and moves. The house knows no more about a game.

A game is a frozen object that holds its options. States and actions are frozen data. Each method returns a new state,
and a refusal changes nothing. Dice are an argument of ``roll``, so live play, replay, tests and solvers share one
engine. Inside a round, seats count 0, 1, … in turn order from the opener. The match maps them to players.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, ClassVar, Generic, Literal, NewType, Protocol, TypeGuard, TypeVar, runtime_checkable

from pubdice.core.dice import SIX, DieFaces, Hand, digits, hands, subhands, together
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.frozen import maker, quick

Seat = NewType("Seat", int)  # at the table, from 0 for the first named

RoundSeat = NewType("RoundSeat", int)
"""A seat in a round, from 0 for the opener, in turn order. Rules know only these. ``MatchState.local`` and
``MatchState.order`` convert between the two."""

Verb = Literal["roll", "bank"]
"""A player's verb for the marked dice in a game of keeps: roll the rest, or bank (end the turn)."""

MOST_SEATS = 20  # if the sources of a game set no limit


@dataclass(frozen=True, slots=True, init=False)
class Keep:
    """Keep these dice and roll the rest: an action in a game of keeps.

    Two keeps of the same dice are equal, whatever the order.

    >>> Keep((6, 1)) == Keep.of(1, 6)
    True

    Attributes:
        dice: The dice kept, sorted. It may be empty.

    """

    dice: Hand

    def __init__(self, dice: Hand = ()) -> None:
        object.__setattr__(self, "dice", tuple(sorted(dice)))  # rules compare hands: unsorted it would be "not-free"

    @classmethod
    def of(cls, *dice: int) -> "Keep":
        """Make a keep of these dice, in any order."""
        return cls(dice)


@lru_cache(maxsize=1024)  # room for every hand of up to six dice
def _kept(dice: Hand) -> str:
    return "k" + (digits(dice) or "-")


def write_keep(keep: Keep, die: DieFaces = SIX) -> str:
    """Write a keep as notation: ``k`` and the faces, or ``k-`` for none.

    >>> write_keep(Keep((4, 5))), write_keep(Keep(()))
    ('k45', 'k-')
    """
    return _kept(keep.dice) if die is SIX else "k" + (die.write(keep.dice).lower() or "-")


def read_keep(text: str, die: DieFaces = SIX) -> Keep:
    """Read a keep from notation, with the faces in any order. Raises BadNotation("action").

    >>> read_keep("k54")
    Keep(dice=(4, 5))
    """
    if text == "k-":
        return Keep(())
    faces = die.read(text[1:])
    if text[:1] != "k" or not faces:
        raise BadNotation("action", found=text, shape="k45" if die is SIX else write_keep(Keep((1, 2)), die))
    return Keep(faces)


shared_keep = cache(Keep)
"""One ``Keep`` object per hand. The 923 hands of one to six dice have 17,640 keeps, of which 923 differ."""


@cache
def keeps(free: Hand, least: int = 0) -> tuple[Keep, ...]:
    """Every distinct keep out of the free dice, with at least ``least`` dice."""
    return tuple([shared_keep(part) for part in subhands(free) if len(part) >= least])


@cache
def legal_hands(free: Hand, least: int = 0) -> frozenset[Hand]:
    """The hands of ``keeps`` as a set of plain tuples. Every play checks one keep against it.

    >>> (4, 6) in legal_hands((3, 4, 6)), (4, 4) in legal_hands((3, 4, 6))
    (True, False)
    """
    return frozenset([keep.dice for keep in keeps(free, least)])


def sorted_roll(state: object, dice: Hand, due: int, die: DieFaces = SIX) -> Hand:
    """Sort a roll of ``due`` dice into a hand. Rules call it for a roll that is not in ``hands(due)`` already.

    Raises IllegalAction: "no-roll", "roll-count", "faces" or "other-faces".
    """
    if not due:
        raise IllegalAction("no-roll", state=state, action=dice)
    if len(dice) != due:
        raise IllegalAction("roll-count", state=state, action=dice, due=due, got=len(dice))
    hand = tuple(sorted(dice))
    if hand not in hands(due, die.sides):
        if die.is_usual:
            raise IllegalAction("faces", state=state, action=dice, shown=die.names)
        raise IllegalAction("other-faces", state=state, action=dice, shown=die.names)
    return hand


class _Seated:
    """The seats and scores that ``KeepGame`` and ``TurnTaking`` share."""

    __slots__ = ()
    faces: ClassVar[DieFaces] = SIX
    least_seats: ClassVar[int]
    most_seats: ClassVar[int] = MOST_SEATS
    lowest_wins: ClassVar[bool] = False  # true if the lowest score is the best

    def check_seats(self, seats: int) -> None:
        """Raise ValueError if the game cannot seat that many."""
        if not self.least_seats <= seats <= self.most_seats:
            name = type(self).__name__.lower()
            raise ValueError(f"{name} seats {self.least_seats} to {self.most_seats}, not {seats}")

    def write_score(self, score: int) -> str:
        """The score as digits."""
        return str(score)


class KeepGame(_Seated):
    """Base class of games of keeps: players mark dice and say one of two verbs. A subclass sets ``least_seats``."""

    __slots__ = ()

    def choose(self, state: Any, verb: Verb, kept: Hand) -> Keep:
        """The keep of a player who has marked ``kept`` and says ``verb``: those dice. Raises IllegalAction."""
        return Keep(kept)

    def gives_up(self, state: Any, action: Keep) -> bool:
        """True if a keep throws away dice of which some could stay. The player is asked first. Never true here."""
        return False

    def kept(self, action: Keep) -> Hand:
        """The dice of the keep."""
        return action.dice

    def write_action(self, action: Keep) -> str:
        """A keep as notation, such as ``k655``, or ``k-`` for none."""
        return _kept(action.dice) if self.faces is SIX else write_keep(action, self.faces)

    def read_action(self, text: str) -> Keep:
        """A keep from notation. Raises BadNotation."""
        return read_keep(text, self.faces)


def kept_by(game: object, action: Any) -> Hand:
    """The dice that an action keeps. Empty in a game of moves."""
    return game.kept(action) if isinstance(game, KeepGame) else ()


@runtime_checkable
class HandState(Protocol):
    """The state of a round in which every seat has a hand on the table. It is a dataclass.

    If a game has such states, flags can describe a position by its hands (``advice.hand_advice.advise_hands``), under
    any solver.
    """

    @property
    def hands(self) -> tuple[Hand, ...]:
        """Each seat's hand, in turn order. () before its first roll."""

    @property
    def mover(self) -> RoundSeat:
        """The seat whose turn it is."""

    @property
    def kept(self) -> Hand | None:
        """The dice that the mover keeps while it rolls the others. None if the mover has still to choose."""


@quick
@dataclass(frozen=True, slots=True)
class RoundResult:
    """The end of a round by the rules: the winners, of whom there may be none, and every score, both in turn order."""

    winners: tuple[RoundSeat, ...]
    scores: tuple[int, ...]


@quick
@dataclass(frozen=True, slots=True)
class Result:
    """The end of a round at the table: the winners, and a score for every table seat, 0 for one that was not in the
    round.
    """

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


S = TypeVar("S")
A = TypeVar("A")
T = TypeVar("T")


class Game(Protocol[S, A]):
    """The rules of one round.

    In every state exactly one holds: dice are due, the mover has a choice, or the round is over.
    """

    def __hash__(self) -> int:
        """Hash by the options, as a frozen object does. Solvers cache by it."""

    @property
    def least_seats(self) -> int:
        """The fewest seats of a round."""

    @property
    def most_seats(self) -> int:
        """The most seats of a round."""

    @property
    def faces(self) -> DieFaces:
        """The faces of the dice. All dice are alike."""

    @property
    def lowest_wins(self) -> bool:
        """True if the lowest score is the best. Then the highest score loses, and a seat that plays alone tries to
        score less.

        This stays True if one score wins at any count, as five sixes may at Threes.
        """

    def start(self, seats: int) -> S:
        """A fresh round. Raises ValueError if the game cannot seat that many."""

    def mover(self, state: S) -> RoundSeat | None:
        """The seat whose turn it is. None when the round is over."""

    def to_roll(self, state: S) -> int:
        """The number of dice that the mover must roll. 0 at a decision and when the round is over."""

    def roll(self, state: S, hand: Hand) -> S:
        """The state after the dice due showed ``hand``, in any order. Raises IllegalAction."""

    def legal(self, state: S) -> tuple[A, ...]:
        """The mover's actions, in a fixed order. Empty unless the mover has a choice."""

    def play(self, state: S, action: A) -> S:
        """The state after the mover's action. Raises IllegalAction."""

    def dice(self, state: S, seat: RoundSeat) -> tuple[Hand, Hand]:
        """A seat's dice on the table, as (locked, free).

        In a game of keeps (``KeepGame``) free dice may be chosen, and lie until a keep leaves them out. Locked dice are
        final. In a game of moves all dice are locked, and each lies until the state drops it (``MoveGame.lying``).
        """

    def score(self, state: S, seat: RoundSeat) -> int | None:
        """The score of the seat's last finished turn. None before it finishes one in this round."""

    def result(self, state: S) -> RoundResult | None:
        """The end of the round. None before it."""

    def write_action(self, action: A) -> str:
        """The action as notation: a word without spaces that starts with a small letter."""

    def read_action(self, text: str) -> A:
        """The action that a piece of notation names. Raises BadNotation."""

    def write_score(self, score: int) -> str:
        """A score as a record holds it after ``=``: digits, as people write it, such as 21 at Mexico for the best."""


@runtime_checkable
class CanonicalStates(Protocol):
    """A game whose states hold more than their future depends on, such as the dice behind a total.

    Solvers (``solve.plain``) then count and solve one state for all that continue alike.
    """

    def canonical(self, state: Any) -> Any:
        """The state that stands for all that continue alike.

        They have the same mover, dice due, actions and result. After the same roll or action, their successors have one
        canonical state too.
        """


class GameOfTurns(Game[Any, Any], Protocol):
    """A game as ``solve.turns`` needs it. ``TurnTaking`` implements the methods added here."""

    @property
    def scoreless(self) -> int | None:
        """The score that never wins. None if every score can win."""

    def alone(self, state: Any) -> Any:
        """The mover's turn in a round of one seat."""

    def better(self, score: int) -> tuple[bool, int]:
        """A sort key for scores, from the worst to the best."""

    def wins_at_once(self, score: int) -> bool:
        """True if a turn that ends with this score ends the round."""

    def best(self, scores: tuple[int, ...]) -> int | None:
        """The best of the scores that can win. None if none can."""


class TurnTaking(_Seated):
    """Defaults for games in which each seat has one turn and the best score wins.

    States are dataclasses with ``seats`` and ``scores``, the scores of the seats that are done.
    """

    __slots__ = ()
    scoreless: ClassVar[int | None] = None
    """A score that never wins, even if it is the best. None if every score can win."""
    one_turn_each: ClassVar[bool] = False
    """Declares that turns do not depend on earlier scores, the better score wins, and one or more seats may play.

    If so, ``solve.turns`` solves the game for many seats. Subclasses do not inherit the declaration. A law proves it
    (``test_turns_laws.py``). The house does not check it, as that takes 1.4 million calls for Midnight."""

    def mover(self, state: Any) -> RoundSeat | None:
        """The first seat without a score. None after one turn each."""
        done = len(state.scores)
        return RoundSeat(done) if done < state.seats else None

    def alone(self, state: Any) -> Any:
        """The mover's turn in a round of one seat. Solvers enumerate and look up turns by this key."""
        return replace(state, seats=1, scores=())

    def score(self, state: Any, seat: RoundSeat) -> int | None:
        """The seat's score once its turn is done."""
        return state.scores[seat] if seat < len(state.scores) else None

    def better(self, score: int) -> tuple[bool, int]:
        """A sort key for scores, from the worst to the best."""
        return score != self.scoreless, -score if self.lowest_wins else score

    def wins_at_once(self, score: int) -> bool:
        """True if a turn that ends with this score, the best there is, ends the round. Later seats then have no turn.

        Such a game pads the scores of the later seats when the turn ends.
        """
        return False

    def best(self, scores: tuple[int, ...]) -> int | None:
        """The best of the scores that can win. None if none can."""
        best = max(scores, key=self.better, default=self.scoreless)
        return None if best == self.scoreless else best

    def result(self, state: Any) -> RoundResult | None:
        """The winners after the last turn: all seats with the best score. There are none if no score can win."""
        return self.decided(state.scores) if len(state.scores) == state.seats else None

    def decided(self, scores: tuple[int, ...]) -> RoundResult:
        """The result of a round with these scores."""
        best = self.best(scores)
        return RoundResult(tuple([RoundSeat(at) for at, score in enumerate(scores) if score == best]), scores)


class MoveGame(TurnTaking, ABC, Generic[S]):
    """Base class of games of moves. A move is a word and its own notation. Players choose no dice.

    A subclass writes ``begin``, ``legal``, ``after_roll`` and ``after_move``. All else has a default: ``TurnTaking``,
    and a field ``dice`` in the state for the mover's dice.
    """

    __slots__ = ()
    least_seats: ClassVar[int] = 1
    moves: ClassVar[tuple[str, ...]]  # every word of the game, each with a small letter first and without a space
    number_of_dice: ClassVar[int] = 1  # rolled when the mover has no choice

    @abstractmethod
    def begin(self, seats: int) -> S:
        """A fresh round. The number of seats was checked."""

    @abstractmethod
    def legal(self, state: S) -> tuple[str, ...]:
        """The mover's moves, in a fixed order. Empty unless the mover has a choice."""

    @abstractmethod
    def after_roll(self, state: S, dice: Hand) -> S:
        """The state after a roll of the dice due, sorted."""

    @abstractmethod
    def after_move(self, state: S, move: str) -> S:
        """The state after a legal move."""

    def takes(self, move: str) -> tuple[int, ...]:
        """The numbers of the things on the table that a move takes, such as tiles. None by default."""
        return ()

    def to_roll(self, state: S) -> int:
        """All dice of the game if the mover has no choice, else 0."""
        return 0 if self.mover(state) is None or self.legal(state) else self.number_of_dice

    def lying(self, state: Any, seat: RoundSeat) -> Hand:
        """The dice in front of a seat: the state's ``dice`` for the mover, none for others."""
        found: Hand = state.dice if seat == self.mover(state) else ()
        return found

    def result(self, state: Any) -> RoundResult | None:
        """As in ``TurnTaking``, once no seat has a turn."""
        return self.decided(state.scores) if self.mover(state) is None else None

    def start(self, seats: int) -> S:
        """A fresh round. Raises ValueError if the game cannot seat that many."""
        self.check_seats(seats)
        return self.begin(seats)

    def roll(self, state: S, hand: Hand) -> S:
        """The state after the dice due showed ``hand``, in any order. Raises IllegalAction."""
        return self.after_roll(state, sorted_roll(state, hand, self.to_roll(state), self.faces))

    def play(self, state: S, action: str) -> S:
        """The state after the mover's move. Raises IllegalAction."""
        legal = self.legal(state)
        if action not in legal:
            raise not_open(state, action, legal)
        return self.after_move(state, action)

    def dice(self, state: S, seat: RoundSeat) -> tuple[Hand, Hand]:
        """The dice in front of a seat, all locked."""
        return self.lying(state, seat), ()

    def write_action(self, action: str) -> str:
        """A move is its own notation."""
        return action

    def read_action(self, text: str) -> str:
        """A move of the game. Raises BadNotation."""
        if text not in self.moves:
            raise BadNotation("action", found=text, shape=self.moves[0])
        return text


def not_open(state: object, action: object, legal: tuple[str, ...]) -> IllegalAction:
    """The refusal of a move, or of a verb for dice, with the legal ones."""
    if not legal:
        return IllegalAction("no-choice", state=state, action=action)
    return IllegalAction("not-open", state=state, action=action, moves=legal)


@runtime_checkable
class TurnedSeats(Protocol):
    """A game that can renumber the seats of a position, as its rules are the same for every seat.

    Solvers (``solve.plain``) then ask the rules about one of all positions that differ only in their seats. For two
    seats that halves the work.
    """

    def turned(self, state: Any) -> Any:
        """The state with its seats numbered from the mover on: the mover is seat 0, then the others in turn order.

        Everything that the state holds by seat is renumbered. The same dice and actions must lead on, to the same
        result except for the numbers. It is called before ``canonical``, for rounds that are not over.
        """


S_contra = TypeVar("S_contra", contravariant=True)
A_co = TypeVar("A_co", covariant=True)


class Policy(Protocol[S_contra, A_co]):
    """A player: at a decision, the actions it may take, each with a positive integer as its weight.

    ``game`` is a ``Game`` of the policy's own kind, so the policy can read its options.
    """

    def __call__(self, game: Any, state: S_contra) -> tuple[tuple[A_co, int], ...]:
        """The weighted actions. Never empty at a decision."""


def uniform(game: Game[S, A], state: S) -> tuple[tuple[A, int], ...]:
    """Any legal action, all equally likely."""
    return tuple((action, 1) for action in game.legal(state))


def pick(weighted: tuple[tuple[A, int], ...], draw: Callable[[int], int]) -> A:
    """Draw one action, each as likely as its weight. ``draw(n)`` returns one of 0 … n - 1, all equally likely."""
    lot = draw(sum(weight for _, weight in weighted)) if len(weighted) > 1 else 0
    for action, weight in weighted:
        if lot < weight:
            return action
        lot -= weight
    raise ValueError("a policy gave no action")


@quick
@dataclass(frozen=True, slots=True)
class RoundState:
    """A round under way. ``locked`` and ``free`` are the mover's dice."""

    seats: int
    scores: tuple[int, ...] = ()  # of the seats that have finished, in turn order
    locked: Hand = ()
    free: Hand = ()
    rolls: int = 0  # by the mover, in games that limit them; 0 in all others
    limit: int = 0  # the most rolls of this turn, in games whose opener sets it (``OpenerLimits``); 0 in all others


_round = maker(RoundState)


@dataclass(frozen=True, slots=True)
class TurnGame(TurnTaking, KeepGame, ABC):
    """Base class of games of keeps in which each seat has one turn. A subclass holds its options as fields.

    A subclass sets the number of dice and the worth of a finished hand. If its turn differs, it also overrides the
    legal keeps and the number of rolls. The default turn goes as in Midnight and Threes: keep at least one die of each
    roll, and the turn ends when all dice are kept.
    """

    number_of_dice: ClassVar[int]
    least_seats: ClassVar[int] = 1
    scoreless: ClassVar[int | None] = 0

    @abstractmethod
    def worth(self, hand: Hand) -> int:
        """The score of a finished hand, sorted."""

    def start(self, seats: int) -> RoundState:
        """A fresh round with seat 0 to roll. Raises ValueError if the game cannot seat that many."""
        self.check_seats(seats)
        return RoundState(seats)

    def alone(self, state: RoundState) -> RoundState:
        """The mover's turn in a round of one seat. Solvers enumerate and look up turns by this key."""
        return RoundState(1, (), state.locked, state.free, state.rolls)

    def to_roll(self, state: RoundState) -> int:
        """All dice that are not locked."""
        if state.free or len(state.scores) == state.seats:
            return 0
        return self.number_of_dice - len(state.locked)

    def roll(self, state: RoundState, hand: Hand) -> RoundState:
        """The dice just rolled become the free ones."""
        return _round(state.seats, state.scores, state.locked, self.rolled(state, hand))

    def rolled(self, state: RoundState, hand: Hand) -> Hand:
        """Sort the dice rolled into a hand. Raises IllegalAction."""
        over = len(state.scores) == state.seats
        if over or state.free or hand not in hands(self.number_of_dice - len(state.locked), self.faces.sides):
            return sorted_roll(state, hand, self.to_roll(state), self.faces)
        return hand

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        """Any of the free dice, at least one."""
        return keeps(state.free, 1) if state.free else ()

    def play(self, state: RoundState, action: Keep) -> RoundState:
        """Lock the dice kept. If all dice are locked, score the turn and pass to the next seat."""
        if action.dice not in legal_hands(state.free, 1):
            self._refuse(state, action)
        locked = together(state.locked, action.dice)
        if len(locked) < self.number_of_dice:
            return _round(state.seats, state.scores, locked)
        return self.scored(state, locked)

    def scored(self, state: RoundState, hand: Hand) -> RoundState:
        """The round after the mover's turn ends with this hand."""
        return _round(state.seats, (*state.scores, self.worth(hand)))

    def _refuse(self, state: RoundState, action: Keep) -> None:
        if not state.free:
            raise IllegalAction("no-keep", state=state, action=action)
        if not action.dice:
            raise IllegalAction("keep-one", state=state, action=action, free=state.free)
        raise IllegalAction("not-free", state=state, action=action, dice=action.dice, free=state.free)

    def choose(self, state: RoundState, verb: Verb, kept: Hand) -> Keep:
        """Both verbs end the turn if every die is kept or locked. Before that, "bank" is refused."""
        if not state.free:
            raise IllegalAction("no-keep", state=state, action=verb)
        if verb == "bank" and kept != state.free:
            raise IllegalAction("bank-early", state=state, action=verb, undecided=len(state.free) - len(kept))
        return Keep(kept)

    def dice(self, state: RoundState, seat: RoundSeat) -> tuple[Hand, Hand]:
        """The mover's dice. Other seats have none on the table."""
        return (state.locked, state.free) if seat == len(state.scores) else ((), ())


class OpenerLimits(Protocol):
    """A game of one turn each in which the opener's number of rolls limits the others.

    On the last roll that the limit allows, all dice stay. So turns are not alike. Without the limit they are
    (``unlimited``).
    """

    @property
    def unlimited(self) -> TurnGame:
        """The same game without the limit. It counts no rolls and has ``one_turn_each``."""


def is_limited(game: object) -> TypeGuard[OpenerLimits]:
    """True for a game with ``OpenerLimits``. ``hasattr``, as ``isinstance`` with a protocol takes 8 µs."""
    return hasattr(game, "unlimited")


def unlimited(game: T) -> T | TurnGame:
    """The game without its limit of rolls. A game without one is returned as it is."""
    return game.unlimited if is_limited(game) else game


def without_limit(state: RoundState) -> RoundState:
    """The mover's turn in a round of one seat of the unlimited game."""
    return RoundState(1, (), state.locked, state.free)
