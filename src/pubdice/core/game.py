"""The Game protocol, and base classes for three kinds of games: of keeps, of one turn a seat, and of moves.

The house knows a game only through this protocol. In a game of keeps, a player chooses which dice stay (``Keep``). In a
game of moves, the player chooses a word, such as "hold".

A game is a frozen object with its options. States and actions are frozen data. A method returns a new state, or raises
a refusal and changes nothing. The dice are an argument of ``roll``, so live play, replay, tests and solvers share one
implementation of the rules. Inside a round, seats count 0, 1, … in turn order from the opener (the seat that rolls
first). The match maps them to players.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, ClassVar, Generic, Literal, NewType, Protocol, TypeGuard, TypeVar, runtime_checkable

from pubdice.core.dice import SIX, DieFaces, Hand, digits, hands, subhands, together
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.frozen import maker, quick

Seat = NewType("Seat", int)  # a seat at the table, counted from 0 in the order of the names

RoundSeat = NewType("RoundSeat", int)
"""A seat in a round, counted from 0 (the opener) in turn order. Rules know only these seats.

``MatchState.local`` converts a table's seat to a round's seat. ``MatchState.order`` does the reverse."""

Verb = Literal["roll", "bank"]
"""The two things that a player in a game of keeps can do with the marked dice: roll the others, or bank (end the
turn)."""

MOST_SEATS = 20  # the most seats of a game whose written rules set no limit


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
        # sorted, because rules compare hands; they would refuse an unsorted one as "not-free"
        object.__setattr__(self, "dice", tuple(sorted(dice)))

    @classmethod
    def of(cls, *dice: int) -> "Keep":
        """Make a keep of these dice, in any order."""
        return cls(dice)


@lru_cache(maxsize=1024)  # enough for every hand of up to six dice
def _kept(dice: Hand) -> str:
    return "k" + (digits(dice) or "-")


def write_keep(keep: Keep, die: DieFaces = SIX) -> str:
    """Write a keep as notation: ``k`` and the faces, or ``k-`` for no dice.

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
"""Return one ``Keep`` object for each hand, the same at every call.

The 923 hands of one to six dice have 17,640 keeps, but only 923 different ones."""


@cache
def keeps(free: Hand, least: int = 0) -> tuple[Keep, ...]:
    """Return every distinct keep of at least ``least`` of the free dice."""
    return tuple([shared_keep(part) for part in subhands(free) if len(part) >= least])


@cache
def legal_hands(free: Hand, least: int = 0) -> frozenset[Hand]:
    """Return the hands of ``keeps`` as a set of plain tuples. ``play`` looks up each keep in it.

    >>> (4, 6) in legal_hands((3, 4, 6)), (4, 4) in legal_hands((3, 4, 6))
    (True, False)
    """
    return frozenset([keep.dice for keep in keeps(free, least)])


def sorted_roll(state: object, dice: Hand, due: int, die: DieFaces = SIX) -> Hand:
    """Sort a roll into a hand of ``due`` dice. Rules call it for a roll that is not in ``hands(due)`` as it stands.

    Raises IllegalAction with the code "no-roll", "roll-count", "faces" or "other-faces".
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
    lowest_wins: ClassVar[bool] = False  # True if the lowest score is the best

    def check_seats(self, seats: int) -> None:
        """Raise ValueError if the game does not allow this number of seats."""
        if not self.least_seats <= seats <= self.most_seats:
            name = type(self).__name__.lower()
            raise ValueError(f"{name} seats {self.least_seats} to {self.most_seats}, not {seats}")

    def write_score(self, score: int) -> str:
        """Return the score as digits."""
        return str(score)


class KeepGame(_Seated):
    """The base class of games of keeps. A player marks dice and then says "roll" or "bank". A subclass sets
    ``least_seats``.
    """

    __slots__ = ()

    def choose(self, state: Any, verb: Verb, kept: Hand) -> Keep:
        """Return the keep of a player who marked the dice ``kept`` and says ``verb``: those dice. Raises
        IllegalAction.
        """
        return Keep(kept)

    def gives_up(self, state: Any, action: Keep) -> bool:
        """Return True if a keep throws away all dice although some could stay. The player is then asked first.

        Always False here. A game with such keeps overrides it.
        """
        return False

    kept = staticmethod(attrgetter("dice"))
    """Return the dice of a keep. Each view asks this of every legal keep, and attrgetter makes no call of Python's."""

    def write_action(self, action: Keep) -> str:
        """Return a keep as notation, such as ``k655``, or ``k-`` for no dice."""
        return _kept(action.dice) if self.faces is SIX else write_keep(action, self.faces)

    def read_action(self, text: str) -> Keep:
        """Return the keep that a piece of notation names. Raises BadNotation."""
        return read_keep(text, self.faces)


def kept_by(game: object, action: Any) -> Hand:
    """Return the dice that an action keeps. Empty in a game of moves."""
    return game.kept(action) if isinstance(game, KeepGame) else ()


@runtime_checkable
class HandState(Protocol):
    """A state of a round in which every seat has a hand on the table. It is a dataclass.

    A position of such a game can be described by its hands, with flags or on a page
    (``advice.hand_advice.advise_hands``). Every solver can answer such a question.
    """

    @property
    def hands(self) -> tuple[Hand, ...]:
        """Each seat's hand, in turn order. () for a seat before its first roll."""

    @property
    def mover(self) -> RoundSeat:
        """The seat whose turn it is."""

    @property
    def kept(self) -> Hand | None:
        """The dice that the mover keeps while the other dice are rolled. None if the mover has still to choose."""


@quick
@dataclass(frozen=True, slots=True)
class RoundResult:
    """The end of a round in the rules' terms: the winners and all scores, in turn order. There may be no winner."""

    winners: tuple[RoundSeat, ...]
    scores: tuple[int, ...]


@quick
@dataclass(frozen=True, slots=True)
class Result:
    """The end of a round at the table: the winners, and a score for each seat of the table.

    A seat that was not in the round has the score 0.
    """

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


S = TypeVar("S")
A = TypeVar("A")
T = TypeVar("T")


class Game(Protocol[S, A]):
    """The rules of one round.

    In every state exactly one of three things holds: dice must be rolled, the mover has a choice, or the round is over.
    """

    def __hash__(self) -> int:
        """Hash the options, as a frozen dataclass does. Solvers use games as keys of caches."""

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

        A game may still have one high score that beats all others, as five sixes can at Threes.
        """

    def start(self, seats: int) -> S:
        """Return a fresh round. Raises ValueError if the game does not allow this number of seats."""

    def mover(self, state: S) -> RoundSeat | None:
        """Return the seat whose turn it is. None when the round is over."""

    def to_roll(self, state: S) -> int:
        """Return the number of dice that the mover must roll. 0 at a decision and when the round is over."""

    def roll(self, state: S, hand: Hand) -> S:
        """Return the state after a roll. ``hand`` has the dice that fell, in any order. Raises IllegalAction."""

    def legal(self, state: S) -> tuple[A, ...]:
        """Return the mover's legal actions, in a fixed order. Empty unless the mover has a choice."""

    def play(self, state: S, action: A) -> S:
        """Return the state after the mover's action. Raises IllegalAction."""

    def dice(self, state: S, seat: RoundSeat) -> tuple[Hand, Hand]:
        """Return a seat's dice on the table, as (locked, free).

        In a game of keeps (``KeepGame``) free dice can be chosen. They stay on the table until a keep leaves them out.
        Locked dice are final. In a game of moves all dice are locked. They stay on the table until the state drops them
        (``MoveGame.lying``).
        """

    def score(self, state: S, seat: RoundSeat) -> int | None:
        """Return the score of the seat's last finished turn in this round. None before its first turn is finished."""

    def result(self, state: S) -> RoundResult | None:
        """Return the end of the round. None before the end."""

    def write_action(self, action: A) -> str:
        """Return an action as notation: a word without spaces that starts with a small letter."""

    def read_action(self, text: str) -> A:
        """Return the action that a piece of notation names. Raises BadNotation."""

    def write_score(self, score: int) -> str:
        """Return a score as records hold it after ``=``: the digits that people write, such as 21 for the best score at
        Mexico.
        """


@runtime_checkable
class CanonicalStates(Protocol):
    """A game whose states hold more facts than the rest of the round depends on, such as the dice behind a total.

    For all states with the same future, a solver (``solve.plain``) then solves only one, the canonical state.
    """

    def canonical(self, state: Any) -> Any:
        """Return the canonical state of all states that have the same future as ``state``.

        Such states have the same mover, the same number of dice to roll, the same actions and the same result. After
        the same roll or action, their next states must share a canonical state too.
        """


class GameOfTurns(Game[Any, Any], Protocol):
    """A game as ``solve.turns`` needs it. It adds seven members to ``Game``. ``TurnTaking`` implements them."""

    @property
    def scoreless(self) -> int | None:
        """The score that never wins. None if every score can win."""

    @property
    def missed(self) -> int:
        """The score of a seat without a turn, after a score that ends the round at once (``wins_at_once``)."""

    @property
    def goals(self) -> Mapping[str, int]:
        """The scores that people ask for by a name (``solve.turns.goals``), such as 0 by "shut"."""

    def alone(self, state: Any) -> Any:
        """Return the mover's turn as the state of a round with one seat."""

    def better(self, score: int) -> tuple[bool, int]:
        """Return a sort key for scores. It puts the worst score first and the best last."""

    def wins_at_once(self, score: int) -> bool:
        """Return True if a turn that ends with this score ends the round at once."""

    def best(self, scores: tuple[int, ...]) -> int | None:
        """Return the best of those scores that can win. None if no score can win."""


class TurnTaking(_Seated):
    """The base class of games in which each seat has one turn and the best score wins.

    A state is a dataclass with the fields ``seats`` and ``scores``. ``scores`` has the scores of the finished turns.
    """

    __slots__ = ()
    scoreless: ClassVar[int | None] = None
    """A score that never wins, even if it is the best. None if every score can win."""
    missed: ClassVar[int] = 0
    """The score of a seat without a turn, after a score that ends the round at once (``wins_at_once``)."""
    goals: ClassVar[Mapping[str, int]] = {}
    """The scores that people ask for by a name (``solve.turns.goals``), such as 0 by "shut"."""
    one_turn_each: ClassVar[bool] = False
    """True if the game declares three things: no turn depends on earlier scores, the better score wins, and any number
    of seats may play, even one.

    ``solve.turns`` then solves the game for many seats. A subclass must declare it again. A test proves it for each
    game (``test_turns_laws.py``). The solvers only trust it, because the proof for Midnight takes 1.4 million calls."""

    def mover(self, state: Any) -> RoundSeat | None:
        """Return the first seat without a score. None after each seat has had its turn."""
        done = len(state.scores)
        return RoundSeat(done) if done < state.seats else None

    def alone(self, state: Any) -> Any:
        """Return the mover's turn as the state of a round with one seat. Solvers use it as the key of a turn's
        position.
        """
        return replace(state, seats=1, scores=())

    def score(self, state: Any, seat: RoundSeat) -> int | None:
        """Return the seat's score. None until its turn is finished."""
        return state.scores[seat] if seat < len(state.scores) else None

    def better(self, score: int) -> tuple[bool, int]:
        """Return a sort key for scores. It puts the worst score first and the best last."""
        return score != self.scoreless, -score if self.lowest_wins else score

    def wins_at_once(self, score: int) -> bool:
        """Return True if a turn that ends with this score ends the round at once. Only the best score there is can do
        so.

        Later seats then have no turn. A game with such a score fills in their scores when the turn ends.
        """
        return False

    def best(self, scores: tuple[int, ...]) -> int | None:
        """Return the best of those scores that can win. None if no score can win."""
        best = max(scores, key=self.better, default=self.scoreless)
        return None if best == self.scoreless else best

    def result(self, state: Any) -> RoundResult | None:
        """Return the winners after the last turn: all seats with the best score. If no score can win, there is no
        winner.
        """
        return self.decided(state.scores) if len(state.scores) == state.seats else None

    def decided(self, scores: tuple[int, ...]) -> RoundResult:
        """Return the result of a round that ended with these scores."""
        best = self.best(scores)
        return RoundResult(tuple([RoundSeat(at) for at, score in enumerate(scores) if score == best]), scores)


class MoveGame(TurnTaking, ABC, Generic[S]):
    """The base class of games of moves. A move is a word, which is also its notation. Players choose no dice.

    A subclass writes ``begin``, ``legal``, ``after_roll`` and ``after_move``. Everything else has a default, in part
    from ``TurnTaking``. The state needs a field ``dice``, the mover's dice on the table.
    """

    __slots__ = ()
    least_seats: ClassVar[int] = 1
    moves: ClassVar[tuple[str, ...]]  # all moves of the game; each begins with a small letter and has no space
    number_of_dice: ClassVar[int] = 1  # the number of dice in a roll; a roll is due whenever the mover has no choice

    @abstractmethod
    def begin(self, seats: int) -> S:
        """Return a fresh round. The caller has checked the number of seats."""

    @abstractmethod
    def legal(self, state: S) -> tuple[str, ...]:
        """Return the mover's legal moves, in a fixed order. Empty unless the mover has a choice."""

    @abstractmethod
    def after_roll(self, state: S, dice: Hand) -> S:
        """Return the state after a roll. ``dice`` is sorted and has the right number of dice."""

    @abstractmethod
    def after_move(self, state: S, move: str) -> S:
        """Return the state after a legal move."""

    def takes(self, move: str) -> tuple[int, ...]:
        """Return the numbers of the things that a move takes from the table, such as tiles. By default a move takes no
        things.
        """
        return ()

    def to_roll(self, state: S) -> int:
        """Return the number of dice of the game if the mover has no choice, otherwise 0."""
        return 0 if self.mover(state) is None or self.legal(state) else self.number_of_dice

    def lying(self, state: Any, seat: RoundSeat) -> Hand:
        """Return the dice on the table in front of a seat: ``state.dice`` for the mover, and no dice for any other
        seat.
        """
        found: Hand = state.dice if seat == self.mover(state) else ()
        return found

    def result(self, state: Any) -> RoundResult | None:
        """Return the winners once no seat has a turn left, as in ``TurnTaking``. None before that."""
        return self.decided(state.scores) if self.mover(state) is None else None

    def start(self, seats: int) -> S:
        """Return a fresh round. Raises ValueError if the game does not allow this number of seats."""
        self.check_seats(seats)
        return self.begin(seats)

    def roll(self, state: S, hand: Hand) -> S:
        """Return the state after a roll. ``hand`` has the dice that fell, in any order. Raises IllegalAction."""
        return self.after_roll(state, sorted_roll(state, hand, self.to_roll(state), self.faces))

    def play(self, state: S, action: str) -> S:
        """Return the state after the mover's move. Raises IllegalAction."""
        legal = self.legal(state)
        if action not in legal:
            raise not_open(state, action, legal)
        return self.after_move(state, action)

    def dice(self, state: S, seat: RoundSeat) -> tuple[Hand, Hand]:
        """Return the dice on the table in front of a seat, all of them locked."""
        return self.lying(state, seat), ()

    def write_action(self, action: str) -> str:
        """Return the move itself, because a move is its own notation."""
        return action

    def read_action(self, text: str) -> str:
        """Return the move if the game has it. Raises BadNotation otherwise."""
        if text not in self.moves:
            raise BadNotation("action", found=text, shape=self.moves[0])
        return text


def not_open(state: object, action: object, legal: tuple[str, ...]) -> IllegalAction:
    """Return the refusal of a move that is not legal now, or of a verb in place of a move. It lists the legal moves."""
    if not legal:
        return IllegalAction("no-choice", state=state, action=action)
    return IllegalAction("not-open", state=state, action=action, moves=legal)


@runtime_checkable
class TurnedSeats(Protocol):
    """A game whose rules are the same for every seat, so the seats of a position can be renumbered.

    Among positions that differ only in their seats, a solver (``solve.plain``) then asks the rules about only one
    position. For two seats that halves the work.
    """

    def turned(self, state: Any) -> Any:
        """Return the state with its seats renumbered: the mover is seat 0, and the others follow in turn order.

        Every fact that the state holds for a seat moves along. From the new state, the same dice and actions must lead
        to the same result, up to the numbers of the seats. Solvers call it before ``canonical``, and only while the
        round goes on.
        """


S_contra = TypeVar("S_contra", contravariant=True)
A_co = TypeVar("A_co", covariant=True)


class Policy(Protocol[S_contra, A_co]):
    """A way to play, such as a bot's. At a decision it returns the actions that it may take, each with a positive
    integer as its weight.

    ``game`` is a ``Game`` of the kind that the policy plays, so the policy can read its options.
    """

    def __call__(self, game: Any, state: S_contra) -> tuple[tuple[A_co, int], ...]:
        """Return the actions with their weights. Never empty at a decision."""


def uniform(game: Game[S, A], state: S) -> tuple[tuple[A, int], ...]:
    """Return all legal actions with equal weights."""
    return tuple((action, 1) for action in game.legal(state))


def pick(weighted: tuple[tuple[A, int], ...], draw: Callable[[int], int]) -> A:
    """Draw one action with chances in proportion to the weights. ``draw(n)`` returns one of 0 … n - 1, all equally
    likely.
    """
    lot = draw(sum(weight for _, weight in weighted)) if len(weighted) > 1 else 0
    for action, weight in weighted:
        if lot < weight:
            return action
        lot -= weight
    raise ValueError("a policy gave no action")


@quick
@dataclass(frozen=True, slots=True)
class RoundState:
    """A round under way in a ``TurnGame``. ``locked`` and ``free`` are the mover's dice."""

    seats: int
    scores: tuple[int, ...] = ()  # the scores of the seats that have finished, in turn order
    locked: Hand = ()
    free: Hand = ()
    rolls: int = 0  # the mover's rolls so far, in games that limit them; 0 in all others
    # the most rolls of this turn, in games in which the opener sets that limit (``OpenerLimits``); 0 in all others
    limit: int = 0


_round = maker(RoundState)
_keep = lru_cache(maxsize=1024)(Keep)


@dataclass(frozen=True, slots=True)
class TurnGame(TurnTaking, KeepGame, ABC):
    """The base class of games of keeps in which each seat has one turn. A subclass holds its options as fields.

    A subclass sets the number of dice and the score of a finished hand. By default a turn goes as in Midnight and
    Threes: the mover keeps at least one die of each roll, and the turn ends when all dice are kept. If the turn of a
    game differs, the subclass also overrides the legal keeps and the number of rolls.
    """

    number_of_dice: ClassVar[int]
    least_seats: ClassVar[int] = 1
    scoreless: ClassVar[int | None] = 0

    @abstractmethod
    def worth(self, hand: Hand) -> int:
        """Return the score of a finished, sorted hand."""

    def start(self, seats: int) -> RoundState:
        """Return a fresh round. Raises ValueError if the game does not allow this number of seats."""
        self.check_seats(seats)
        return RoundState(seats)

    def alone(self, state: RoundState) -> RoundState:
        """Return the mover's turn as the state of a round with one seat. Solvers use it as the key of a turn's
        position.
        """
        return RoundState(1, (), state.locked, state.free, state.rolls)

    def to_roll(self, state: RoundState) -> int:
        """Return the number of dice that are not locked. 0 at a decision and when the round is over."""
        if state.free or len(state.scores) == state.seats:
            return 0
        return self.number_of_dice - len(state.locked)

    def roll(self, state: RoundState, hand: Hand) -> RoundState:
        """Return the state after a roll. The dice that fell are now the free dice."""
        return _round(state.seats, state.scores, state.locked, self.rolled(state, hand))

    def rolled(self, state: RoundState, hand: Hand) -> Hand:
        """Sort the dice that fell into a hand. Raises IllegalAction."""
        over = len(state.scores) == state.seats
        if over or state.free or hand not in hands(self.number_of_dice - len(state.locked), self.faces.sides):
            return sorted_roll(state, hand, self.to_roll(state), self.faces)
        return hand

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        """Return all keeps of one or more free dice. Empty unless the mover has a choice."""
        return keeps(state.free, 1) if state.free else ()

    def play(self, state: RoundState, action: Keep) -> RoundState:
        """Lock the dice kept, and return the new state. If all dice are locked, score the turn and pass to the next
        seat.
        """
        if action.dice not in legal_hands(state.free, 1):
            self._refuse(state, action)
        locked = together(state.locked, action.dice)
        if len(locked) < self.number_of_dice:
            return _round(state.seats, state.scores, locked)
        return self.scored(state, locked)

    def scored(self, state: RoundState, hand: Hand) -> RoundState:
        """Return the state of the round after the mover's turn ended with this hand."""
        return _round(state.seats, (*state.scores, self.worth(hand)))

    def _refuse(self, state: RoundState, action: Keep) -> None:
        if not state.free:
            raise IllegalAction("no-keep", state=state, action=action)
        if not action.dice:
            raise IllegalAction("keep-one", state=state, action=action, free=state.free)
        raise IllegalAction("not-free", state=state, action=action, dice=action.dice, free=state.free)

    def choose(self, state: RoundState, verb: Verb, kept: Hand) -> Keep:
        """Return the keep for a verb. If every die is kept or locked, both verbs end the turn. Otherwise "bank" is
        refused.
        """
        if not state.free:
            raise IllegalAction("no-keep", state=state, action=verb)
        if verb == "bank" and kept != state.free:
            if kept and kept not in legal_hands(state.free, 1):
                self._refuse(state, Keep(kept))
            raise IllegalAction("bank-early", state=state, action=verb, undecided=len(state.free) - len(kept))
        return _keep(kept)

    def dice(self, state: RoundState, seat: RoundSeat) -> tuple[Hand, Hand]:
        """Return the mover's dice as (locked, free). Any other seat has no dice on the table."""
        return (state.locked, state.free) if seat == len(state.scores) else ((), ())


class OpenerLimits(Protocol):
    """A game with one turn a seat in which no other seat may roll more often than the opener did.

    On the last roll that the limit allows, all dice are kept. So the turns after the opener's follow other rules. The
    property ``unlimited`` is the same game without the limit.
    """

    @property
    def unlimited(self) -> TurnGame:
        """The same game without the limit. It counts no rolls, and its ``one_turn_each`` is True."""


def is_limited(game: object) -> TypeGuard[OpenerLimits]:
    """Return True for a game with ``OpenerLimits``. It uses ``hasattr``, because ``isinstance`` with a protocol takes 8
    µs.
    """
    return hasattr(game, "unlimited")


def unlimited(game: T) -> T | TurnGame:
    """Return the game without a limit of rolls. A game that has no limit is returned as it is."""
    return game.unlimited if is_limited(game) else game


def without_limit(state: RoundState) -> RoundState:
    """Return the mover's turn as the state of a round with one seat, in the game without the limit."""
    return RoundState(1, (), state.locked, state.free)
