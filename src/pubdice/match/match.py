"""Rounds into a match: who plays, who opens, who wins, who drops out. Knows no game; is handed one.

Everything a match adds to a round is in its state, and every verb mirrors the game's: ``draw`` (Player 1, where chance
names them), ``roll``, ``play``. Seats here are the table's, 0 for the first named; in a round they sit in turn order.
"""

from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pubdice.core.dice import Hand
from pubdice.core.errors import IllegalAction
from pubdice.core.frozen import maker, quick
from pubdice.core.game import Game, Result, RoundSeat, Seat, Verb
from pubdice.match.formats import Format, Tally

S = TypeVar("S")
A = TypeVar("A")


@quick
@dataclass(frozen=True, slots=True)
class MatchState(Generic[S]):
    """A match under way.

    order: the seats of this round in turn order, the opener first; empty while Player 1 is still to be drawn.
    round: the round's own state, None until Player 1 is drawn.
    tally: the slate so far, as the format keeps it.
    mover: the seat whose turn it is, as the rules say of ``round`` (``Match.at`` puts another round in); None until
    Player 1 is drawn, and when the match is over. number: which round this is, from 1.
    last: how the round before ended, in table seats; None in the first. over: no move is left.
    """

    order: tuple[Seat, ...]
    round: S | None
    tally: Tally
    mover: Seat | None
    number: int = 1
    last: Result | None = None
    over: bool = False

    def local(self, seat: Seat) -> RoundSeat:
        """Where a table seat sits in this round. Raises ValueError if it is not in it."""
        return RoundSeat(self.order.index(seat))


_state = maker(MatchState)


@dataclass(frozen=True, slots=True)
class Match(Generic[S, A]):
    """A game, how many seats, a format and who opens.

    opener, from the second round on: ``rotate`` (the next seat to the left of the last opener that plays; Steere,
    "Multiplayer 420"), ``fixed``, ``winner`` or ``loser`` of the round before. A seat that is out, or rests, never
    opens. The loser is the one with the worst score: the lowest, or where the lowest wins (``Game.lowest_wins``), the
    highest. Of several winners or losers the first in the turn order of that round opens; without any the opener stays,
    and if the opener is out, the next seat to the left opens.
    first: the seat that opens the first round; None: Player 1 is drawn by lot.
    loser_lost: the loser is none of the winners, unless all who still play won: the moon of Threes wins though its
    score is the highest of them. False in matches of before this was so, where that seat opened.
    """

    game: Game[S, A]
    seats: int
    format: Format
    opener: str = "rotate"
    first: Seat | None = Seat(0)  # noqa: RUF009  a NewType call is no call
    loser_lost: bool = True

    def start(self) -> MatchState[S]:
        """The state before the first move. Raises ValueError for an unknown opener, or seats that the game lacks."""
        if self.opener not in self.format.openers:
            raise ValueError(f"opener {self.opener} does not go with {self.format}")
        if self.first is not None and not 0 <= self.first < self.seats:
            raise ValueError(f"seat {self.first} does not exist")
        tally = self.format.start(self.seats)
        if self.first is None:
            self.game.start(self.seats)  # which refuses seats that it lacks
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
        """The match with its round in another position, to ask about that."""
        return replace(state, round=position, mover=self._mover(state.order, position))

    def to_draw(self, state: MatchState[S]) -> bool:
        """True until Player 1 is drawn by lot."""
        return state.round is None

    def draw(self, state: MatchState[S], seat: Seat) -> MatchState[S]:
        """The state after the lot has named Player 1. Raises IllegalAction."""
        if state.round is not None:
            raise IllegalAction("no-draw", state=state, action=seat)
        if not 0 <= seat < self.seats:
            raise IllegalAction("no-seat", state=state, action=seat, seats=self.seats)
        return self._open(state.tally, state.tally.playing, seat, 1, None)

    def mover(self, state: MatchState[S]) -> Seat | None:
        """The table seat whose turn it is; None until Player 1 is drawn and when the match is over."""
        return state.mover

    def to_roll(self, state: MatchState[S]) -> int:
        """How many dice the mover is about to roll."""
        return 0 if state.round is None or state.over else self.game.to_roll(state.round)

    def legal(self, state: MatchState[S]) -> tuple[A, ...]:
        """The actions that the mover may choose from."""
        return () if state.round is None or state.over else self.game.legal(state.round)

    def roll(self, state: MatchState[S], hand: Hand) -> MatchState[S]:
        """The state after a roll that shows ``hand``. Raises IllegalAction."""
        if state.round is None or state.over:
            raise IllegalAction("match-over" if state.over else "draw-first", state=state, action=hand)
        after = self.game.roll(state.round, hand)
        local = self.game.mover(after)
        if local is None:
            return self._settled(state, after)
        return _state(state.order, after, state.tally, state.order[local], state.number, state.last)

    def play(self, state: MatchState[S], action: A) -> MatchState[S]:
        """The state after the mover's action. Raises IllegalAction."""
        if state.round is None or state.over:
            raise IllegalAction("match-over" if state.over else "draw-first", state=state, action=action)
        after = self.game.play(state.round, action)
        local = self.game.mover(after)
        if local is None:
            return self._settled(state, after)
        return _state(state.order, after, state.tally, state.order[local], state.number, state.last)

    def choose(self, state: MatchState[S], verb: Verb, kept: Hand) -> A:
        """The action the mover means by a verb and the dice marked. Raises IllegalAction."""
        if state.round is None or state.over:
            raise IllegalAction("match-over" if state.over else "draw-first", state=state, action=verb)
        return self.game.choose(state.round, verb, kept)

    def number(self, state: MatchState[S]) -> int:
        """Which round this is, from 1; 0 until Player 1 is drawn."""
        return 0 if state.round is None else state.number

    def turn(self, state: MatchState[S]) -> tuple[int, Seat | None]:
        """The turn under way, as (``number``, ``mover``): another one once a turn has ended."""
        return 0 if state.round is None else state.number, state.mover

    def round_ended(self, before: MatchState[S], after: MatchState[S]) -> Result | None:
        """How the round ended with the step from ``before`` to ``after``, in table seats; None if it did not."""
        if before.round is None or before.over:
            return None
        return after.last if after.over or after.number != before.number else None

    def turn_ended(self, before: MatchState[S], after: MatchState[S]) -> tuple[Seat, int] | None:
        """The seat whose turn ended with the step from ``before`` to ``after``, and its score; None if none did."""
        mover = before.mover
        if mover is None or after.round is None:
            return None
        if after.last is not None and (after.over or after.number != before.number):
            return mover, after.last.scores[mover]
        if after.mover == mover:
            return None
        score = self.game.score(after.round, before.local(mover))
        return None if score is None else (mover, score)

    def passed_on(self, before: MatchState[S], after: MatchState[S]) -> bool:
        """Whether the step handed on the dice: a turn ended, or the mover changed, as where everyone rolls first."""
        return self.turn(after) != self.turn(before)

    def _settled(self, state: MatchState[S], after: S) -> MatchState[S]:
        order, result = state.order, self.game.result(after)
        if result is None:
            raise ValueError(f"nobody is to move in a round that is not over: {after}")
        scores = [0] * self.seats
        for seat, score in zip(order, result.scores, strict=True):
            scores[seat] = score
        return self.ended(state, after, Result(tuple([order[local] for local in result.winners]), tuple(scores)))

    def ended(self, state: MatchState[S], after: S, last: Result) -> MatchState[S]:
        """The match once the round of ``state`` has ended in ``after``, with this result in table seats."""
        tally = self.format.settle(state.tally, last, state.order)
        if self.format.over(tally):
            return MatchState(state.order, after, tally, None, state.number, last, over=True)
        playing = tally.playing
        opener = self._next_opener(state.order, last, playing)
        return self._open(tally, playing, opener, state.number + 1, last)

    def _next_opener(self, order: tuple[Seat, ...], last: Result, playing: tuple[Seat, ...]) -> Seat:
        if self.opener == "rotate":
            return playing[bisect_right(playing, order[0]) % len(playing)]
        staying = [seat for seat in order if seat in playing]
        if self.opener == "winner":
            return next((seat for seat in staying if seat in last.winners), staying[0])
        if self.opener == "loser":
            worst = max if self.game.lowest_wins else min
            lost = [seat for seat in staying if not self.loser_lost or seat not in last.winners]
            return worst(lost or staying, key=lambda seat: last.scores[seat])
        return staying[0]
