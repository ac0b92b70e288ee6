"""Midnight, one round: six dice a seat, keep at least one of each roll, a 1 and a 4 to qualify, the other four summed.

Sources: the encyclopedia's article ("Rules", "Variant game") and PlayPalace's rules ("Your
Turn", "Qualifying", "Scoring a Turn", "Winning a Round"); the opener's limit is Gold Cup Games'. Knows one round;
matches, pots and who opens are elsewhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from pubdice.core.dice import Hand, without
from pubdice.core.errors import IllegalAction
from pubdice.core.frozen import maker
from pubdice.core.game import Keep, RoundState, TurnGame, keeps

__all__ = ["BEST", "DICE", "Keep", "Midnight", "MidnightFollow", "RoundState", "counted", "lacking"]

DICE = 6
BEST = 24
_round = maker(RoundState)


@cache
def lacking(hand: Hand, need: tuple[int, int]) -> Hand:
    """The needed faces a hand does not hold.

    >>> lacking((1, 1, 3), (1, 4))
    (4,)
    """
    return tuple(face for face in need if face not in hand)


@cache
def counted(hand: Hand, need: tuple[int, int]) -> Hand:
    """The dice that count: all but one of each needed face, or none if the hand does not qualify.

    A second 1 or 4 counts its pips: only one of each is set aside (PlayPalace, "Scoring a Turn").

    >>> counted((1, 1, 4, 4, 5, 6), (1, 4))
    (1, 4, 5, 6)
    """
    return () if lacking(hand, need) else without(hand, need)


@dataclass(frozen=True, slots=True)
class Midnight(TurnGame):
    """The rules under one choice of options.

    Seats take one turn each (PlayPalace, "Gameplay"). Any of the dice just rolled are kept, at least one, and all not
    kept are rolled again (the encyclopedia, "Rules"; PlayPalace, "Your Turn"). The highest score wins, for all who tie;
    nobody wins if none qualified (PlayPalace, "Winning a Round"). A turn alone is practice.

    need: the pair that qualifies, (1, 4), or (2, 4) for the variant 2-4-24 (the encyclopedia, "Variant game").
    """

    number_of_dice: ClassVar[int] = DICE
    one_turn_each: ClassVar[bool] = True
    need: tuple[int, int] = (1, 4)

    @classmethod
    def chosen(cls, options: Mapping[str, str]) -> "Midnight":
        """The rules under the options as a kit has them."""
        first, second = options["need"].split()
        rules = MidnightFollow if options.get("follow") == "yes" else Midnight
        return rules((int(first), int(second)))

    def worth(self, hand: Hand) -> int:
        """The score of six dice: the sum of the four that count, 0 without the needed pair. 24 at best."""
        return sum(counted(hand, self.need))


@dataclass(frozen=True, slots=True)
class MidnightFollow(Midnight):
    """Midnight in which the first player's rolls bind the others (Gold Cup Games).

    As many rolls as the opener's turn took are the most that each of the others may have in this round, as at Mexico;
    at the last of them all dice stay as they fall. The page does not say more; we let an opener keep all dice at once.
    """

    @property
    def unlimited(self) -> Midnight:
        """Midnight with the same pair, where every turn may have six rolls."""
        return Midnight(self.need)

    def start(self, seats: int) -> RoundState:
        """A fresh round: the opener may have a roll for each die. Raises ValueError for a wrong number of seats."""
        self.check_seats(seats)
        return RoundState(seats, limit=self.number_of_dice)

    def alone(self, state: RoundState) -> RoundState:
        """The mover's turn, with its rolls and their limit."""
        return RoundState(1, (), state.locked, state.free, state.rolls, state.limit)

    def roll(self, state: RoundState, hand: Hand) -> RoundState:
        """The dice just rolled become the free ones; one roll more is used."""
        free = self.rolled(state, hand)
        return _round(state.seats, state.scores, state.locked, free, state.rolls + 1, state.limit)

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        """Any of the free dice, at least one; all of them at the last roll."""
        if state.free and state.rolls == state.limit:
            return (Keep(state.free),)
        return keeps(state.free, 1) if state.free else ()

    def play(self, state: RoundState, action: Keep) -> RoundState:
        """Lock the dice kept; with all of them locked the turn is scored and the next seat is to roll."""
        after = Midnight.play(self, state, action)
        if len(after.scores) > len(state.scores):
            return after
        if state.rolls == state.limit:
            raise IllegalAction("all-stay", state=state, action=action, free=state.free)
        return _round(after.seats, after.scores, after.locked, (), state.rolls, state.limit)

    def scored(self, state: RoundState, hand: Hand) -> RoundState:
        """The round once the mover's turn has ended with this hand; the opener's rolls are the limit of the others."""
        after = Midnight.scored(self, state, hand)
        return _round(after.seats, after.scores, limit=state.limit if state.scores else state.rolls)


def tip(game: Midnight, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Lock the needed pair as early as possible; then keep the highest dice, never a low one unless forced.

    With the pair in hand every 6 and 5 is kept, but no 5 that would put the leader's score plus one out of reach. If
    that leaves nothing to keep, the highest die is kept; at the last roll of a limit all dice stay.

    Midnight's printed tips as a policy (PlayPalace, "Game Theory / Tips"). Followed to the letter, not improved.
    """
    if state.limit and state.rolls == state.limit:
        return ((Keep(state.free), 1),)
    missing = lacking(state.locked, game.need)
    keep = [face for face in missing if face in state.free]
    rest = list(state.free)
    for face in keep:
        rest.remove(face)
    if len(keep) == len(missing):
        keep += [face for face in rest if face == 6]
        beyond = BEST - sum(6 - face for face in _counting(state.locked, game.need)) - max(state.scores, default=0) - 1
        keep += [face for face in rest if face == 5][: max(0, beyond)]
    return ((Keep(tuple(sorted(keep or [max(state.free)]))), 1),)


def _counting(locked: Hand, need: tuple[int, int]) -> Hand:
    """The locked dice that will count once the needed pair is set aside."""
    left = list(locked)
    for face in need:
        if face in left:
            left.remove(face)
    return tuple(left)
