"""Midnight, one round: six dice. Keep at least one of each roll. A 1 and a 4 qualify, and the other four dice score.

Sources: the encyclopedia's article ("Rules", "Variant game"), PlayPalace's rules ("Your Turn", "Qualifying", "Scoring a
Turn", "Winning a Round") and, for the opener's limit, Gold Cup Games. Matches, pots and openers belong to the match.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import ClassVar

from pubdice.core.dice import Hand, without
from pubdice.core.errors import IllegalAction
from pubdice.core.frozen import maker
from pubdice.core.game import Keep, RoundState, TurnGame, keeps

__all__ = ["BEST", "DICE", "PAIRS", "Keep", "Midnight", "MidnightFollow", "RoundState", "counted", "lacking"]

DICE = 6
BEST = 24
PAIRS = tuple([f"{one} {other}" for one, other in combinations(range(1, 7), 2)])
"""Every pair of faces that a table can need."""
_round = maker(RoundState)


@cache
def lacking(hand: Hand, need: tuple[int, int]) -> Hand:
    """Return the needed faces that are not in a hand.

    >>> lacking((1, 1, 3), (1, 4))
    (4,)
    """
    return tuple(face for face in need if face not in hand)


@cache
def counted(hand: Hand, need: tuple[int, int]) -> Hand:
    """Return the dice that score: all but one of each needed face. If the hand does not qualify, none score.

    A second 1 or 4 scores too, because only one of each is set aside (PlayPalace, "Scoring a Turn").

    >>> counted((1, 1, 4, 4, 5, 6), (1, 4))
    (1, 4, 5, 6)
    """
    return () if lacking(hand, need) else without(hand, need)


@dataclass(frozen=True, slots=True)
class Midnight(TurnGame):
    """The rules of Midnight under one choice of options.

    Seats take one turn each (PlayPalace, "Gameplay"). The mover keeps at least one of the dice just rolled and rolls
    the others again (the encyclopedia, "Rules", and PlayPalace, "Your Turn"). The highest score wins. If several seats
    tie for it, all of them win. If no seat qualifies, no seat wins (PlayPalace, "Winning a Round"). One seat may play
    for practice.
    """

    number_of_dice: ClassVar[int] = DICE
    one_turn_each: ClassVar[bool] = True
    need: tuple[int, int] = (1, 4)
    """The pair of faces that qualifies. The variant 2-4-24 has (2, 4) (the encyclopedia, "Variant game"), Grokipedia's
    1-2-12 has (1, 2)."""

    @classmethod
    def chosen(cls, options: Mapping[str, str]) -> "Midnight":
        """Return the rules for the options. ``options`` maps an option's key to its choice."""
        first, second = options["need"].split()
        rules = MidnightFollow if options.get("follow") == "yes" else Midnight
        return rules((int(first), int(second)))

    def worth(self, hand: Hand) -> int:
        """Return the score of six dice, at most 24: the sum of the four that count. Without the needed pair it is 0."""
        return sum(counted(hand, self.need))


@dataclass(frozen=True, slots=True)
class MidnightFollow(Midnight):
    """Midnight with a limit: no seat may roll more often than the opener did in this round, as at Mexico.

    At the last roll all dice stay as they fall. The source, Gold Cup Games, says no more than that. By our reading, the
    opener may keep all dice at once.
    """

    @property
    def unlimited(self) -> Midnight:
        """The rules with the same pair of needed faces, but without the limit."""
        return Midnight(self.need)

    def start(self, seats: int) -> RoundState:
        """Return a fresh round. The opener may roll six times. Raise ValueError for a wrong number of seats."""
        self.check_seats(seats)
        return RoundState(seats, limit=self.number_of_dice)

    def alone(self, state: RoundState) -> RoundState:
        """Return the mover's turn as a round of one seat, with the rolls used and their limit."""
        return RoundState(1, (), state.locked, state.free, state.rolls, state.limit)

    def roll(self, state: RoundState, hand: Hand) -> RoundState:
        """Put the rolled dice on the table as free dice, and count the roll."""
        free = self.rolled(state, hand)
        return _round(state.seats, state.scores, state.locked, free, state.rolls + 1, state.limit)

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        """Return the legal keeps: at least one of the free dice. At the last roll, all of them."""
        if state.free and state.rolls == state.limit:
            return (Keep(state.free),)
        return keeps(state.free, 1) if state.free else ()

    def play(self, state: RoundState, action: Keep) -> RoundState:
        """Lock the kept dice. If all six are locked, score the turn and pass to the next seat."""
        after = Midnight.play(self, state, action)
        if len(after.scores) > len(state.scores):
            return after
        if state.rolls == state.limit:
            raise IllegalAction("all-stay", state=state, action=action, free=state.free)
        return _round(after.seats, after.scores, after.locked, (), state.rolls, state.limit)

    def scored(self, state: RoundState, hand: Hand) -> RoundState:
        """Score the mover's final hand and pass to the next seat. The opener's number of rolls becomes the limit."""
        after = Midnight.scored(self, state, hand)
        return _round(after.seats, after.scores, limit=state.limit if state.scores else state.rolls)


def tip(game: Midnight, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Choose for the bot Tip, who plays Midnight's printed tips as they are (PlayPalace, "Game Theory / Tips").

    Tip locks the needed pair as early as possible. Once it has the pair, it keeps every 6. It keeps a 5 if it can then
    still beat the leader's score. If no die is kept by these rules, it keeps the highest. At the last roll under a
    limit all dice stay.
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
    """Return the locked dice that will score: all but one of each needed face."""
    left = list(locked)
    for face in need:
        if face in left:
            left.remove(face)
    return tuple(left)
