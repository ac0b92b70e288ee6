"""420's printed strategy as a policy (Steere, "Strategy"). Followed to the letter where it speaks."""

from pubdice.core.game import Game, Keep
from pubdice.games.fourtwenty.rules import TARGET, RoundState, legal_keeps

IDEAL = 15


def tip(game: Game[RoundState, Keep], state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Keep an ideal foundation; keep a lesser one only if another hand is ideal already; otherwise build one.

    An ideal hand has three dice that total exactly 15: the fourth wins with a 5 and goes over only with a 6. With three
    dice of 16 or more the document rerolls one die when an opponent's hand is ideal (no time to go back) and two when
    it is not. Building: two dice closest to 10, else one closest to 5.
    """
    legal = game.legal(state)
    threes = [keep for keep in legal if len(keep.dice) == 3]
    pressed = any(
        _is_ideal(hand) for seat, hand in enumerate(state.hands) if seat != state.mover and sum(hand) <= TARGET
    )
    ideal = [keep for keep in threes if sum(keep.dice) == IDEAL]
    if ideal or (pressed and threes):
        return ((_least(ideal or threes), 1),)
    for size in (2, 1, 3):
        keeps = [keep for keep in legal if len(keep.dice) == size]
        if keeps:
            return ((_least(keeps), 1),)
    return ((legal[0], 1),)


def _is_ideal(hand: tuple[int, ...]) -> bool:
    return any(len(keep.dice) == 3 and sum(keep.dice) == IDEAL for keep in legal_keeps(hand))


def _least(keeps: list[Keep]) -> Keep:
    """The keep with the least total; of equal ones the first in the rules' order."""
    return min(keeps, key=lambda keep: sum(keep.dice))
