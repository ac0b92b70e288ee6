"""The Game protocol, which is all the house knows of a game, and the bases games inherit: of keeps, of turns, of moves.

A game is a frozen object holding its options. States and actions are frozen data; every verb returns a new state, and a
refusal changes nothing. Dice are an argument of ``roll``: live play, replay, tests and solvers share one engine. Inside
a round seats are counted 0, 1, … in turn order, the opener being 0; the match knows the people in them.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, ClassVar, Generic, Literal, NewType, Protocol, TypeGuard, TypeVar, runtime_checkable

from pubdice.core.dice import SIX, DieFaces, Hand, digits, hands, subhands, together
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.frozen import maker, quick

Seat = NewType("Seat", int)
"""A seat at the table, from 0 for the first named."""

RoundSeat = NewType("RoundSeat", int)
"""A seat in a round, from 0 for its opener, in turn order: all that rules know. ``MatchState.local`` and
``MatchState.order`` lead from one to the other."""

Verb = Literal["roll", "bank"]
"""A player's deed with the marked dice in a game of keeps: roll the rest, or bank (end the turn)."""

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


def write_keep(keep: Keep, die: DieFaces = SIX) -> str:
    """A keep as notation: ``k`` and the faces, ``k-`` for none.

    >>> write_keep(Keep((4, 5))), write_keep(Keep(()))
    ('k45', 'k-')
    """
    return _kept(keep.dice) if die is SIX else "k" + (die.write(keep.dice).lower() or "-")


def read_keep(text: str, die: DieFaces = SIX) -> Keep:
    """The keep a piece of notation names; faces may come in any order.

    Raises BadNotation("action") if it is none.

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


def sorted_roll(state: object, dice: Hand, due: int, die: DieFaces = SIX) -> Hand:
    """The dice rolled as a hand, for rules that are to roll ``due`` of them and were not given one of ``hands(due)``.

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
    """The seats and scores of a game, as ``KeepGame`` and ``TurnTaking`` have them.

    lowest_wins: True if the lowest score is the best. faces: of its dice.
    """

    __slots__ = ()
    faces: ClassVar[DieFaces] = SIX
    least_seats: ClassVar[int]
    most_seats: ClassVar[int] = MOST_SEATS
    lowest_wins: ClassVar[bool] = False

    def check_seats(self, seats: int) -> None:
        """Raise ValueError if the game cannot seat that many."""
        if not self.least_seats <= seats <= self.most_seats:
            name = type(self).__name__.lower()
            raise ValueError(f"{name} seats {self.least_seats} to {self.most_seats}, not {seats}")

    def write_score(self, score: int) -> str:
        """The number as the rules count it."""
        return str(score)


class KeepGame(_Seated):
    """Base class of games whose actions are keeps: people mark dice, and say one of two verbs. It names its seats."""

    __slots__ = ()

    def choose(self, state: Any, verb: Verb, kept: Hand) -> Keep:
        """The keep a player means who has marked ``kept`` and says ``verb``: those dice. Raises IllegalAction."""
        return Keep(kept)

    def gives_up(self, state: Any, action: Keep) -> bool:
        """True if a keep throws away dice of which some could stay, so that players are asked first: never, here."""
        return False

    def kept(self, action: Keep) -> Hand:
        """The dice kept stay where they lie."""
        return action.dice

    def write_action(self, action: Keep) -> str:
        """Keeps are written ``k655``, none ``k-``."""
        return _kept(action.dice) if self.faces is SIX else write_keep(action, self.faces)

    def read_action(self, text: str) -> Keep:
        """Keeps are read from ``k655``. Raises BadNotation."""
        return read_keep(text, self.faces)


def kept_by(game: object, action: Any) -> Hand:
    """The dice that an action keeps: none in a game whose actions are moves."""
    return game.kept(action) if isinstance(game, KeepGame) else ()


@runtime_checkable
class HandState(Protocol):
    """A round under way, a dataclass: every seat's hand, () before its first roll; the mover; the dice it keeps.

    kept: None while the mover has still to choose. Positions of a game with such states can be given by the hands
    (``advice.hand_advice.advise_hands``), under any solver.
    """

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The hands in turn order."""

    @property
    def mover(self) -> RoundSeat:
        """The seat whose turn it is."""

    @property
    def kept(self) -> Hand | None:
        """The dice kept while the others are due."""


@quick
@dataclass(frozen=True, slots=True)
class RoundResult:
    """The end of a round as the rules state it: the winners (none, one or several), every score, in turn order."""

    winners: tuple[RoundSeat, ...]
    scores: tuple[int, ...]


@quick
@dataclass(frozen=True, slots=True)
class Result:
    """The end of a round at the table: the winners, and every table seat's score, 0 for one that was not in it."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


S = TypeVar("S")
A = TypeVar("A")
T = TypeVar("T")


class Game(Protocol[S, A]):
    """The rules of one round. Exactly one holds in every state: dice to roll, a choice to make, the round is over."""

    def __hash__(self) -> int:
        """By its options, as of any frozen object: solutions are remembered by it."""

    @property
    def least_seats(self) -> int:
        """The fewest seats a round can have."""

    @property
    def most_seats(self) -> int:
        """The most seats a round can have."""

    @property
    def faces(self) -> DieFaces:
        """The faces of its dice, which all are alike."""

    @property
    def lowest_wins(self) -> bool:
        """True if the lowest score is the best: then the highest is the loser's, and a seat alone plays for less.

        A score that wins at any count, as five sixes may at Threes, is no exception to this.
        """

    def start(self, seats: int) -> S:
        """A fresh round. Raises ValueError if the game cannot seat that many."""

    def mover(self, state: S) -> RoundSeat | None:
        """The seat whose turn it is, None when the round is over."""

    def to_roll(self, state: S) -> int:
        """The number of dice the mover is about to roll; 0 at a decision and when the round is over."""

    def roll(self, state: S, hand: Hand) -> S:
        """The state after the dice to roll showed ``hand``, in any order. Raises IllegalAction."""

    def legal(self, state: S) -> tuple[A, ...]:
        """The actions open to the mover, in a fixed order; empty unless the mover has a choice to make."""

    def play(self, state: S, action: A) -> S:
        """The state after the mover's action. Raises IllegalAction."""

    def dice(self, state: S, seat: RoundSeat) -> tuple[Hand, Hand]:
        """A seat's dice on the table, as (locked, free). Free ones may be chosen, in a game of keeps (``KeepGame``).

        There free dice lie until a keep leaves them out, and locked ones are final. In a game of moves all are locked,
        and each lies where it fell until the state has it no longer (``MoveGame.lying``).
        """

    def score(self, state: S, seat: RoundSeat) -> int | None:
        """The score of the seat's last finished turn, None before it has finished one this round."""

    def result(self, state: S) -> RoundResult | None:
        """The end of the round, None before it."""

    def write_action(self, action: A) -> str:
        """The action as notation: a word that starts with a small letter and holds no space."""

    def read_action(self, text: str) -> A:
        """The action a piece of notation names. Raises BadNotation."""

    def write_score(self, score: int) -> str:
        """A score as a record has it after ``=``: digits, as people write it, such as 21 at Mexico for the best."""


@runtime_checkable
class CanonicalStates(Protocol):
    """A game whose states tell more than its future depends on, such as which dice made a total.

    Solvers then count and solve one state for all that go on alike (``solve.plain``).
    """

    def canonical(self, state: Any) -> Any:
        """The state that stands for all that go on alike: same mover, same dice due, same actions, same result; and
        what follows them after the same roll or action has one canonical state, too.
        """


class GameOfTurns(Game[Any, Any], Protocol):
    """A game as ``solve.turns`` asks it: ``TurnTaking`` has the rest."""

    @property
    def scoreless(self) -> int | None:
        """The score that never wins; None where every score can win."""

    def alone(self, state: Any) -> Any:
        """The mover's turn as if nobody else played."""

    def better(self, score: int) -> tuple[bool, int]:
        """A key that sorts scores from the worst to the best."""

    def wins_at_once(self, score: int) -> bool:
        """True if a turn that ends with this score ends the round."""

    def best(self, scores: tuple[int, ...]) -> int | None:
        """The best of the scores that can win; None where none can."""


class TurnTaking(_Seated):
    """Defaults of games in which every seat has one turn, one after the other, and the best score wins.

    Their states are dataclasses with ``seats`` and the ``scores`` of those who are done. scoreless: the score that
    never wins, though it be the best; None where every score can win. one_turn_each: declares that every turn goes
    alike, independent of the scores before it, that the better score wins, and that one seat or more may play.
    ``solve.turns`` then solves it for many seats. It counts for the class that declares it and for none that inherits
    from it. A law proves it (``test_turns_laws.py``), not the house: that takes 1.4 million calls for Midnight.
    """

    __slots__ = ()
    scoreless: ClassVar[int | None] = None
    one_turn_each: ClassVar[bool] = False

    def mover(self, state: Any) -> RoundSeat | None:
        """Seats take their turns one after the other; a round is over after one turn each."""
        done = len(state.scores)
        return RoundSeat(done) if done < state.seats else None

    def alone(self, state: Any) -> Any:
        """The mover's turn as if nobody else played: the key by which a turn is enumerated and looked up."""
        return replace(state, seats=1, scores=())

    def score(self, state: Any, seat: RoundSeat) -> int | None:
        """The seat's score once its turn is done."""
        return state.scores[seat] if seat < len(state.scores) else None

    def better(self, score: int) -> tuple[bool, int]:
        """A key that sorts scores from the worst to the best."""
        return score != self.scoreless, -score if self.lowest_wins else score

    def wins_at_once(self, score: int) -> bool:
        """True if a turn that ends with this score, the best there is, ends the round: the seats after have no turn.

        A game that says so pads the scores of the others where the turn ends.
        """
        return False

    def best(self, scores: tuple[int, ...]) -> int | None:
        """The best of the scores that can win; None where none can."""
        best = max(scores, key=self.better, default=self.scoreless)
        return None if best == self.scoreless else best

    def result(self, state: Any) -> RoundResult | None:
        """The best score wins, for all who tie; nobody wins where none can."""
        return self.decided(state.scores) if len(state.scores) == state.seats else None

    def decided(self, scores: tuple[int, ...]) -> RoundResult:
        """The result of a round of these scores."""
        best = self.best(scores)
        return RoundResult(tuple([RoundSeat(at) for at, score in enumerate(scores) if score == best]), scores)


class MoveGame(TurnTaking, ABC, Generic[S]):
    """Base class of games whose actions are moves: words, which are their own notation. Nothing is chosen of the dice.

    moves: every word of the game, each beginning with a small letter, without a space. least_seats: one, as against
    oneself. number_of_dice: rolled when there is nothing to choose.

    A game writes ``begin``, ``legal``, ``after_roll`` and ``after_move``. The rest is as follows, unless it says
    otherwise: as in ``TurnTaking``, and the mover's ``dice`` lie in the state.
    """

    __slots__ = ()
    least_seats: ClassVar[int] = 1
    moves: ClassVar[tuple[str, ...]]
    number_of_dice: ClassVar[int] = 1

    @abstractmethod
    def begin(self, seats: int) -> S:
        """A fresh round for as many seats as the game has room for."""

    @abstractmethod
    def legal(self, state: S) -> tuple[str, ...]:
        """The moves open to the mover, in a fixed order; empty unless the mover has a choice to make."""

    @abstractmethod
    def after_roll(self, state: S, dice: Hand) -> S:
        """The state after a roll of the dice that were due, sorted."""

    @abstractmethod
    def after_move(self, state: S, move: str) -> S:
        """The state after a legal move."""

    def takes(self, move: str) -> tuple[int, ...]:
        """The things on the table that a move takes, by their numbers, such as tiles: none."""
        return ()

    def to_roll(self, state: S) -> int:
        """The game's number of dice, where there is nothing to choose."""
        return 0 if self.mover(state) is None or self.legal(state) else self.number_of_dice

    def lying(self, state: Any, seat: RoundSeat) -> Hand:
        """The dice that lie before a seat: the mover's ``dice``."""
        found: Hand = state.dice if seat == self.mover(state) else ()
        return found

    def result(self, state: Any) -> RoundResult | None:
        """As in ``TurnTaking``, once nobody has a turn."""
        return self.decided(state.scores) if self.mover(state) is None else None

    def start(self, seats: int) -> S:
        """A fresh round. Raises ValueError if the game cannot seat that many."""
        self.check_seats(seats)
        return self.begin(seats)

    def roll(self, state: S, hand: Hand) -> S:
        """The state after the dice to roll showed ``hand``, in any order. Raises IllegalAction."""
        return self.after_roll(state, sorted_roll(state, hand, self.to_roll(state), self.faces))

    def play(self, state: S, action: str) -> S:
        """The state after the mover's move. Raises IllegalAction."""
        legal = self.legal(state)
        if action not in legal:
            raise not_open(state, action, legal)
        return self.after_move(state, action)

    def dice(self, state: S, seat: RoundSeat) -> tuple[Hand, Hand]:
        """The dice that lie before a seat, none of which can be chosen."""
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
    """The refusal of a move, or of a verb of dice, where these are open."""
    if not legal:
        return IllegalAction("no-choice", state=state, action=action)
    return IllegalAction("not-open", state=state, action=action, moves=legal)


@runtime_checkable
class TurnedSeats(Protocol):
    """A game that is the same from every chair, and says how a position looks from another.

    Solvers then ask the rules about one position for all that differ by who sits where (``solve.plain``): half the work
    for two seats.
    """

    def turned(self, state: Any) -> Any:
        """The state with its seats numbered from the mover on: the mover is seat 0, then the others in turn order.

        All that a state tells by seat is renumbered. The same dice and actions lead on, and to the same result, but for
        the numbers. Asked in rounds that are not over, and before ``canonical``.
        """


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


@quick
@dataclass(frozen=True, slots=True)
class RoundState:
    """A round under way. ``scores`` of the seats that have finished, in turn order; then the mover's dice.

    rolls: counts the mover's rolls, in games that limit them; 0 in all others. limit: the most rolls of this turn, in
    games whose opener sets it for the others (``OpenerLimits``); 0 in all others.
    """

    seats: int
    scores: tuple[int, ...] = ()
    locked: Hand = ()
    free: Hand = ()
    rolls: int = 0
    limit: int = 0


_round = maker(RoundState)


@dataclass(frozen=True, slots=True)
class TurnGame(TurnTaking, KeepGame, ABC):
    """The rules of one round under one choice of options, which a subclass has as fields; its actions are keeps.

    number_of_dice: in a turn. most_seats: the house's limit where the sources set none. lowest_wins: True if the lowest
    score is the best.

    A game of this kind inherits its round from ``TurnGame`` and writes what differs: how many dice, what a finished
    hand is worth, and, where they are its own, what may be kept and how many rolls a turn has. Left as it is, a turn
    goes as in Midnight and Threes: keep at least one die of each roll, and the turn ends with the last die kept.
    """

    number_of_dice: ClassVar[int]
    least_seats: ClassVar[int] = 1
    scoreless: ClassVar[int | None] = 0

    @abstractmethod
    def worth(self, hand: Hand) -> int:
        """The score of a finished hand, sorted."""

    def start(self, seats: int) -> RoundState:
        """A fresh round: nobody has rolled, and seat 0 moves. Raises ValueError if the game cannot seat that many."""
        self.check_seats(seats)
        return RoundState(seats)

    def alone(self, state: RoundState) -> RoundState:
        """The mover's turn as if nobody else played: the key by which a turn is enumerated and looked up."""
        return RoundState(1, (), state.locked, state.free, state.rolls)

    def to_roll(self, state: RoundState) -> int:
        """All dice not locked are rolled."""
        if state.free or len(state.scores) == state.seats:
            return 0
        return self.number_of_dice - len(state.locked)

    def roll(self, state: RoundState, hand: Hand) -> RoundState:
        """The dice just rolled become the free ones."""
        return _round(state.seats, state.scores, state.locked, self.rolled(state, hand))

    def rolled(self, state: RoundState, hand: Hand) -> Hand:
        """The dice to roll as a sorted hand. Raises IllegalAction."""
        over = len(state.scores) == state.seats
        if over or state.free or hand not in hands(self.number_of_dice - len(state.locked), self.faces.sides):
            return sorted_roll(state, hand, self.to_roll(state), self.faces)
        return hand

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        """Any of the free dice, at least one."""
        return keeps(state.free, 1) if state.free else ()

    def play(self, state: RoundState, action: Keep) -> RoundState:
        """Lock the dice kept; with all of them locked the turn is scored and the next seat is to roll."""
        if action.dice not in legal_hands(state.free, 1):
            self._refuse(state, action)
        locked = together(state.locked, action.dice)
        if len(locked) < self.number_of_dice:
            return _round(state.seats, state.scores, locked)
        return self.scored(state, locked)

    def scored(self, state: RoundState, hand: Hand) -> RoundState:
        """The round once the mover's turn has ended with this hand."""
        return _round(state.seats, (*state.scores, self.worth(hand)))

    def _refuse(self, state: RoundState, action: Keep) -> None:
        if not state.free:
            raise IllegalAction("no-keep", state=state, action=action)
        if not action.dice:
            raise IllegalAction("keep-one", state=state, action=action, free=state.free)
        raise IllegalAction("not-free", state=state, action=action, dice=action.dice, free=state.free)

    def choose(self, state: RoundState, verb: Verb, kept: Hand) -> Keep:
        """Roll and bank both end the turn once every die is kept or locked; banking earlier is refused."""
        if not state.free:
            raise IllegalAction("no-keep", state=state, action=verb)
        if verb == "bank" and kept != state.free:
            raise IllegalAction("bank-early", state=state, action=verb, undecided=len(state.free) - len(kept))
        return Keep(kept)

    def dice(self, state: RoundState, seat: RoundSeat) -> tuple[Hand, Hand]:
        """Only the mover has dice on the table."""
        return (state.locked, state.free) if seat == len(state.scores) else ((), ())


class OpenerLimits(Protocol):
    """A game of one turn a seat in which the opener's number of rolls is the most that the others may have.

    At the last of them all dice stay. So turns are not alike; but for the limit they are, as ``unlimited`` has them.
    """

    @property
    def unlimited(self) -> TurnGame:
        """The same game without the limit, which counts no rolls and has ``one_turn_each``."""


def is_limited(game: object) -> TypeGuard[OpenerLimits]:
    """True if it is a game with ``OpenerLimits``: by the name it adds, as ``isinstance`` of a protocol takes 8 µs."""
    return hasattr(game, "unlimited")


def unlimited(game: T) -> T | TurnGame:
    """The game without its limit of rolls, if it has one; else the game itself."""
    return game.unlimited if is_limited(game) else game


def without_limit(state: RoundState) -> RoundState:
    """The mover's turn as the game without the limit has it, for a seat alone."""
    return RoundState(1, (), state.locked, state.free)
