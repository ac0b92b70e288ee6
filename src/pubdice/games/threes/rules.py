"""Threes, one round: five dice. Keep at least one of each roll. Threes count nothing, and the lowest score wins.

Sources: the encyclopedia's article ("Rules of the game"), the Dice Pages' *Threes Away* ("Method of play") and
Neighborhood Dice's *Tripps*. docs/games/index.md says where to find them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, cast

from pubdice.core.dice import Hand, together, without
from pubdice.core.game import Keep, RoundSeat, RoundState, TurnGame

DICE = 5
FREE = 3
"""The face that counts nothing."""
SIXES: Hand = (6,) * DICE
MOON, NO_TURN = 6 * DICE + 1, 6 * DICE + 2
"""Two special scores, above every sum of dice.

``MOON`` stands for five sixes that win. ``NO_TURN`` is for each seat after it, because these have no turn then.
"""
Moon = Literal["no", "yes", "first"]


@dataclass(frozen=True, slots=True)
class Threes(TurnGame):
    """The rules of Threes under one choice of options.

    A kept die is out of play for the rest of the turn, so a turn has five rolls at most (the encyclopedia, "Rules of
    the game"). The lowest score wins, and 0 is the best. If several seats tie for it, all of them win.
    """

    number_of_dice: ClassVar[int] = DICE
    one_turn_each: ClassVar[bool] = True
    lowest_wins: ClassVar[bool] = True
    scoreless: ClassVar[int | None] = None
    moon: Moon = "no"
    """The rule for five sixes, "shooting the moon". If they win, the round ends at once, and no other seat rolls.

    - ``no``: they score 30 (the Dice Pages).
    - ``yes``: they win (the encyclopedia).
    - ``first``: they win if they fall on the first roll (Neighborhood Dice).
    """

    @classmethod
    def chosen(cls, options: Mapping[str, str]) -> "Threes":
        """Return the rules for the options. ``options`` maps an option's key to its choice."""
        return cls(cast("Moon", options["moon"]))

    def worth(self, hand: Hand) -> int:
        """Return the sum of the five dice, in which threes count nothing: 0 at best, 30 at worst.

        >>> Threes().worth((1, 2, 3, 3, 6)), Threes().worth((3, 3, 3, 3, 3))
        (9, 0)
        """
        return sum(face for face in hand if face != FREE)

    def scored(self, state: RoundState, hand: Hand) -> RoundState:
        """Score the mover's final hand and pass to the next seat. If the moon wins, each seat after it has no turn."""
        if hand != SIXES or self.moon == "no" or (self.moon == "first" and state.locked):
            return TurnGame.scored(self, state, hand)
        after = state.seats - len(state.scores) - 1
        return RoundState(state.seats, (*state.scores, MOON, *(NO_TURN,) * after))

    def score(self, state: RoundState, seat: RoundSeat) -> int | None:
        """Return the seat's score. Return None before the seat has finished its turn, or if it had no turn."""
        score = TurnGame.score(self, state, seat)
        return None if score == NO_TURN else score

    def write_score(self, score: int) -> str:
        """Write the score as the sum of the dice. The moon is written as 30."""
        return str(min(score, MOON - 1))

    def better(self, score: int) -> tuple[bool, int]:
        """Return a sort key that is highest for the best score. The lowest score is best, but the moon beats all."""
        return TurnGame.better(self, -1 if score == MOON else score)

    def wins_at_once(self, score: int) -> bool:
        """Return True for the moon only."""
        return score == MOON


def tip(game: Threes, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Choose for the bot Tip: keep every 3, or else the lowest die.

    Then keep a 1 if at most two dice are left, and a 2 if it is the last die. The last seat keeps all dice as soon as
    they beat the best score (dkdataland, "Threes": stop right there). Every seat keeps a moon, if it wins.
    """
    best = game.best(state.scores)
    score = game.scored(state, together(state.locked, state.free)).scores[len(state.scores)]
    leads = best is not None and game.better(score) > game.better(best)
    if game.wins_at_once(score) or (leads and len(state.scores) == state.seats - 1):
        return ((Keep(state.free), 1),)
    kept = tuple(face for face in state.free if face == FREE) or state.free[:1]
    for face in without(state.free, kept):
        left = len(state.free) - len(kept)
        if (face == 1 and left <= 2) or (face == 2 and left == 1):
            kept = (*kept, face)
    return ((Keep(kept), 1),)
