"""How the seats of a 420 round stand: every hand on the table, and what it totals."""

from functools import lru_cache

from pubdice.core.dice import Hand
from pubdice.games.fourtwenty.rules import TARGET, RoundState
from pubdice.text.language import Language, faces

LINES = 4096
"""Hands whose sentences are kept: at each move all but one lie as they lay."""


def hands(language: Language, state: RoundState, names: tuple[str, ...], but: int | None = None) -> list[str]:
    """Every hand that has been rolled, or all but one seat's."""
    told = []
    for seat, (name, hand) in enumerate(zip(names, state.hands, strict=True)):
        if seat == but or not hand:
            continue
        told.append(_hand(language, name, hand))
    return told


@lru_cache(maxsize=LINES)
def _hand(language: Language, name: str, hand: Hand) -> str:
    """A hand that lies there."""
    text = "{name}: {hand}, {total}.", "You have {hand}: {total}."
    if sum(hand) > TARGET:
        text = "{name}: {hand}, {total}, too many.", "You have {hand}: {total}, too many."
    return language.about(*text, name, hand=faces(hand[::-1]), total=sum(hand))
