"""A match of several rounds: players, openers, winners and losers. The game and the format are arguments.

``MatchState`` holds everything that a match adds to a round. The methods that change it are the game's, ``roll`` and
``play``, and ``draw``, which sets Player 1 if that seat is drawn by lot. Seats in this module are table seats: 0 is the
seat named first in the header. Inside a round, seats are numbered in turn order.
"""

from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cache
from math import comb
from typing import Any, Generic, TypeVar, cast

from pubdice.core.dice import Hand
from pubdice.core.errors import IllegalAction
from pubdice.core.frozen import maker, quick
from pubdice.core.game import Game, KeepGame, Result, RoundSeat, Seat, Verb, not_open, sorted_roll
from pubdice.match.formats import EndsByTurn, Format, Tally, rolls_off

S = TypeVar("S")
A = TypeVar("A")


@quick
@dataclass(frozen=True, slots=True)
class RollOff(Generic[S]):
    """A roll-off: tied seats roll one die each, and the highest wins. If several are highest, these roll again."""

    seats: tuple[Seat, ...]  # the tied seats, in turn order
    round: S  # the final position of the last round before the roll-off
    faces: tuple[int, ...] = ()  # the dice rolled so far, in the order of ``seats``
    fell: int = 0  # the last die rolled, also if the next roll-off has begun; 0 before any die

    @property
    def highest(self) -> tuple[Seat, ...]:
        """The seats with the highest die so far. Empty before a die is rolled."""
        best = max(self.faces, default=0)
        return tuple([seat for seat, face in zip(self.seats, self.faces, strict=False) if face == best])

    def face(self, seat: Seat) -> int:
        """Return the face of a seat's die. Return 0 if it has not rolled."""
        return dict(zip(self.seats, self.faces, strict=False)).get(seat, 0)

    def chances(self, sides: int, seats: int) -> tuple[float, ...]:
        """Return every table seat's chance to win the roll-off. The dice have ``sides`` sides.

        If several seats tie with the highest die, each of them has the same chance in the next roll-off.

        >>> [round(chance, 4) for chance in RollOff((Seat(1), Seat(0)), None, (5,)).chances(6, 2)]
        [0.25, 0.75]
        """
        left, found = self.seats[len(self.faces) :], [0.0] * seats
        for top in range(max((1, *self.faces)), sides + 1):
            highest = tuple([seat for seat in self.highest if self.face(seat) == top])
            for tied in range(len(left) + 1):  # the number of seats yet to roll that will show ``top``
                ways = comb(len(left), tied) * (top - 1) ** (len(left) - tied)
                share = ways / sides ** len(left) / max(1, len(highest) + tied)
                for seat in highest:
                    found[seat] += share
                for seat in left:
                    found[seat] += share * tied / len(left)
        return tuple(found)


@quick
@dataclass(frozen=True, slots=True)
class MatchState(Generic[S]):
    """The state of a match under way."""

    order: tuple[Seat, ...]  # this round's seats in turn order, the opener first; empty until Player 1 is drawn
    round: S | None  # the position of this round; None until Player 1 is drawn, and in a roll-off
    tally: Tally  # the slate so far
    mover: Seat | None  # as the rules of ``round`` say; None until Player 1 is drawn, and once the match is over
    number: int = 1  # the number of this round, from 1; a roll-off and a replay count as rounds
    last: Result | None = None  # the previous round's result, by table seat; None in the first round
    over: bool = False
    roll_off: RollOff[S] | None = None  # the roll-off under way, or the last of a match that a roll-off decided

    @property
    def called(self) -> int:
        """The number by which players call this round, from 1. A round that is played again keeps it."""
        return self.tally.rounds + (not self.over)

    def local(self, seat: Seat) -> RoundSeat:
        """Return a table seat's index in this round. Raise ValueError if the seat does not play it."""
        return RoundSeat(self.order.index(seat))


_state = maker(MatchState)


@cache
def _ends_by_turn(form: type) -> bool:
    return hasattr(form, "ends_by_turn")


@dataclass(frozen=True, slots=True)
class Match(Generic[S, A]):
    """A game, a number of seats, a format, and the rule for openers.

    From the second round on, ``opener`` says which seat opens:

    - ``rotate``: the next seat in play to the left of the last opener (Steere, "Multiplayer 420").
    - ``fixed``: the same seat each round.
    - ``winner``: the winner of the last round. If it had none, the opener stays.
    - ``loser``: the seat with the worst score of the last round. The worst score is the lowest, or the highest if the
      game's lowest score wins (``Game.lowest_wins``).

    Of several winners or losers, the first in that round's turn order opens. A seat that is out or rests never opens.
    If the opener is out, the next seat to the left opens. The first of the tied seats opens the replay of a round.
    After it, ``rotate`` and ``fixed`` go by the opener of the round's first play, ``loser`` by the last replay.

    If ``first`` is None, Player 1 is drawn by lot. If ``loser_lost``, a winner of the round is not its loser, unless
    every seat still in play won. This matters in Threes, because the moon (five sixes) wins with the highest score of
    the round. Matches from before this rule have False.
    """

    game: Game[S, A]
    seats: int
    format: Format
    opener: str = "rotate"
    first: Seat | None = Seat(0)  # noqa: RUF009  a NewType call is no call
    loser_lost: bool = True

    def start(self) -> MatchState[S]:
        """Return the state before the first move.

        Raise ValueError for an unknown opener, or a wrong number of seats.
        """
        if self.opener not in self.format.openers:
            raise ValueError(f"opener {self.opener} does not go with {self.format}")
        if self.first is not None and not 0 <= self.first < self.seats:
            raise ValueError(f"seat {self.first} does not exist")
        tally = self.format.start(self.seats)
        if self.first is None:
            self.game.start(self.seats)  # raises ValueError if the game does not allow this many seats
            return MatchState((), None, tally, None)
        return self._open(tally, tally.playing, self.first, 1, None)

    def _open(
        self, tally: Tally, playing: tuple[Seat, ...], opener: Seat, number: int, last: Result | None
    ) -> MatchState[S]:
        turn = playing.index(opener)
        order = (*playing[turn:], *playing[:turn])
        start = self.game.start(len(order))
        return MatchState(order, start, self.format.open(tally), self._mover(order, start), number, last)

    def _mover(self, order: tuple[Seat, ...], position: S) -> Seat | None:
        local = self.game.mover(position)
        return None if local is None else order[local]

    def at(self, state: MatchState[S], position: S) -> MatchState[S]:
        """Return the match with its round in the given position, for questions about that position."""
        return replace(state, round=position, mover=self._mover(state.order, position))

    def to_draw(self, state: MatchState[S]) -> bool:
        """Return True until Player 1 is drawn by lot."""
        return state.round is None and state.roll_off is None

    def draw(self, state: MatchState[S], seat: Seat) -> MatchState[S]:
        """Return the state with the drawn seat as Player 1.

        Raise IllegalAction if no draw is due, or for an unknown seat.
        """
        if not self.to_draw(state):
            raise IllegalAction("no-draw", state=state, action=seat)
        if not 0 <= seat < self.seats:
            raise IllegalAction("no-seat", state=state, action=seat, seats=self.seats)
        return self._open(state.tally, state.tally.playing, seat, 1, None)

    def mover(self, state: MatchState[S]) -> Seat | None:
        """Return the table seat whose turn it is. None until Player 1 is drawn, and once the match is over."""
        return state.mover

    def to_roll(self, state: MatchState[S]) -> int:
        """Return the number of dice that the mover must roll now."""
        if state.round is None or state.over:
            return int(state.roll_off is not None and not state.over)
        return self.game.to_roll(state.round)

    def legal(self, state: MatchState[S]) -> tuple[A, ...]:
        """Return the actions from which the mover must choose now."""
        return () if state.round is None or state.over else self.game.legal(state.round)

    def roll(self, state: MatchState[S], hand: Hand) -> MatchState[S]:
        """Return the state after the mover's roll. Raise IllegalAction if the roll is not possible now."""
        if state.roll_off is not None and not state.over:
            return self._rolled_off(state, state.roll_off, hand)
        if state.round is None or state.over:
            raise IllegalAction("match-over" if state.over else "draw-first", state=state, action=hand)
        after = self.game.roll(state.round, hand)
        local = self.game.mover(after)
        if local is None:
            return self._settled(state, after)
        mover = state.order[local]
        if mover != state.mover and _ends_by_turn(type(self.format)) and self._reached(state, after):
            return self._broken_off(state, after)
        return _state(state.order, after, state.tally, mover, state.number, state.last)

    def play(self, state: MatchState[S], action: A) -> MatchState[S]:
        """Return the state after the mover's action. Raise IllegalAction if the action is not legal now."""
        if state.roll_off is not None and not state.over:
            raise not_open(state, action, ())
        if state.round is None or state.over:
            raise IllegalAction("match-over" if state.over else "draw-first", state=state, action=action)
        after = self.game.play(state.round, action)
        local = self.game.mover(after)
        if local is None:
            return self._settled(state, after)
        mover = state.order[local]
        if mover != state.mover and _ends_by_turn(type(self.format)) and self._reached(state, after):
            return self._broken_off(state, after)
        return _state(state.order, after, state.tally, mover, state.number, state.last)

    def choose(self, state: MatchState[S], verb: Verb, kept: Hand) -> Any:
        """Return the keep that a verb ("roll" or "bank") and the marked dice mean.

        Raise IllegalAction if they mean none. A game of moves has no keeps, so it always raises.
        """
        if state.roll_off is not None and not state.over:
            raise not_open(state, verb, ())
        if state.round is None or state.over:
            raise IllegalAction("match-over" if state.over else "draw-first", state=state, action=verb)
        game: object = self.game
        if not isinstance(game, KeepGame):
            raise not_open(state, verb, tuple(map(self.game.write_action, self.game.legal(state.round))))
        return game.choose(state.round, verb, kept)

    def shares(self, tally: Tally) -> tuple[float, ...]:
        """Return each seat's share of a match that ended with this tally. All champions get equal shares."""
        champions = self.format.champions(tally)
        return tuple([(seat in champions) / (len(champions) or 1) for seat in range(self.seats)])

    def number(self, state: MatchState[S]) -> int:
        """Return the number of this round, from 1. Return 0 until Player 1 is drawn."""
        return 0 if self.to_draw(state) else state.number

    def turn(self, state: MatchState[S]) -> tuple[int, Seat | None]:
        """Return the number of the round and the mover. When a turn ends, the pair changes."""
        return self.number(state), state.mover

    def round_ended(self, before: MatchState[S], after: MatchState[S]) -> Result | None:
        """Return the result, by table seat, of the round that the step from ``before`` to ``after`` ended.

        None if the step ended no round. None for a roll-off too.
        """
        if before.round is None or before.over:
            return None
        return after.last if after.over or after.number != before.number else None

    def turn_ended(self, before: MatchState[S], after: MatchState[S]) -> tuple[Seat, int] | None:
        """Return the seat whose turn the step from ``before`` to ``after`` ended, with its score.

        None if the step ended no turn. In a roll-off, the score is the face of the die. Do not compare it with the
        scores of a round.
        """
        mover = before.mover
        if mover is None:
            return None
        if before.roll_off is not None:
            return None if after.roll_off is None else (mover, after.roll_off.fell)
        if after.last is not None and (after.over or after.number != before.number):
            return mover, after.last.scores[mover]
        if after.mover == mover or after.round is None:
            return None
        score = self.game.score(after.round, before.local(mover))
        return None if score is None else (mover, score)

    def passed_on(self, before: MatchState[S], after: MatchState[S]) -> bool:
        """Return True if another seat or another turn has the dice now.

        The mover can change before a turn ends, in a game whose players all roll first.
        """
        return self.turn(after) != self.turn(before)

    def _settled(self, state: MatchState[S], after: S) -> MatchState[S]:
        order, result = state.order, self.game.result(after)
        if result is None:
            raise ValueError(f"no seat is to move, but the round is not over: {after}")
        scores = [0] * self.seats
        for seat, score in zip(order, result.scores, strict=True):
            scores[seat] = score
        return self.ended(state, after, Result(tuple([order[local] for local in result.winners]), tuple(scores)))

    def _reached(self, state: MatchState[S], after: S) -> bool:
        """Return True if the turn that has just ended brings its seat to the end of the match."""
        seat = cast(Seat, state.mover)
        score = self.game.score(after, state.local(seat))
        return score is not None and cast(EndsByTurn, self.format).ends_by_turn(state.tally, seat, score)

    def _broken_off(self, state: MatchState[S], after: S) -> MatchState[S]:
        """Return the match after a turn has ended it in the middle of a round.

        The round has no winner, and a seat without a turn in it scores 0.
        """
        scores = [0] * self.seats
        for local, seat in enumerate(state.order):
            scores[seat] = self.game.score(after, RoundSeat(local)) or 0
        return self.ended(state, after, Result((), tuple(scores)))

    def ended(self, state: MatchState[S], after: S, last: Result) -> MatchState[S]:
        """Return the match after the round of ``state`` ended in the position ``after``.

        ``last`` is its result by table seat.
        """
        tally = self.format.settle(state.tally, last, state.order)
        if self.format.over(tally):
            champions = self.format.champions(tally) if rolls_off(self.format) else ()
            if len(champions) > 1:
                tied = tuple([seat for seat in state.order if seat in champions])
                return self._to_roll_off(state, tally, state.number + 1, last, RollOff(tied, after))
            return MatchState(state.order, after, tally, None, state.number, last, over=True)
        playing = tally.playing
        if tally.began is not None:
            opener = next(seat for seat in state.order if seat in playing)
        else:
            opener = self._next_opener(state, last, playing)
        return self._open(tally, playing, opener, state.number + 1, last)

    def _to_roll_off(
        self, state: MatchState[S], tally: Tally, number: int, last: Result | None, off: RollOff[S]
    ) -> MatchState[S]:
        """Return the match in a roll-off. The first of its seats without a die is the mover."""
        return MatchState(state.order, None, tally, off.seats[len(off.faces)], number, last, roll_off=off)

    def _rolled_off(self, state: MatchState[S], off: RollOff[S], hand: Hand) -> MatchState[S]:
        (face,) = sorted_roll(state, hand, 1, self.game.faces)
        rolled = RollOff(off.seats, off.round, (*off.faces, face), face)
        if len(rolled.faces) < len(off.seats):
            return self._to_roll_off(state, state.tally, state.number, state.last, rolled)
        highest = rolled.highest
        if len(highest) > 1:
            again = RollOff(highest, off.round, fell=face)
            return self._to_roll_off(state, state.tally, state.number + 1, state.last, again)
        tally = replace(state.tally, won=highest[0])
        return MatchState(state.order, off.round, tally, None, state.number, state.last, over=True, roll_off=rolled)

    def _next_opener(self, state: MatchState[S], last: Result, playing: tuple[Seat, ...]) -> Seat:
        order, began = state.order, state.tally.began
        opened = order[0] if began is None else began
        if self.opener == "rotate":
            return playing[bisect_right(playing, opened) % len(playing)]
        if self.opener == "fixed" and opened in playing:
            return opened
        staying = [seat for seat in order if seat in playing]
        if self.opener == "winner":
            return next((seat for seat in staying if seat in last.winners), staying[0])
        if self.opener == "loser":
            worst = max if self.game.lowest_wins else min
            lost = [seat for seat in staying if not self.loser_lost or seat not in last.winners]
            return worst(lost or staying, key=lambda seat: last.scores[seat])
        return staying[0]
