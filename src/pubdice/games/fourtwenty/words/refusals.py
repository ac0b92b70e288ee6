"""Why 420 refuses an action, and what is wrong with a question about it."""

from collections.abc import Mapping
from typing import Any

from pubdice.games.fourtwenty.rules import legal_keeps
from pubdice.text.language import Language, Sentence, faces

REFUSALS: dict[str, Sentence] = {
    "not-free": "{dice} is not in the hand: {free}.",
    "reset": "The hand is over with {total}: all four dice must be rerolled, so keep none.",
    "reroll-one": "At least one die must be rerolled each turn: keep three at most.",
    "no-bank": "There is no banking in 420: every turn rerolls at least one die.",
}
"""Sentences for actions that the rules forbid, by the code of the refusal."""

FAULTS = {
    "flag-drinks": "--{flag} goes with --drinks only.",
    "hands": "There are at least two hands, such as --hands 6551,6541; - stands for a seat that has not rolled.",
    "hand-dice": "A hand has four dice, or is - for a seat that has not rolled.",
    "hand-faces": "Dice show 1 to 6.",
    "hand-won": "That hand has won already: it totals 20.",
    "hand-order": "Nobody can have missed a turn: those who haven't rolled come first, up to Player 1.",
    "player-one": "Player 1 is one of the hands.",
    "player-one-order": "Player 1 must be the first of the hands that have rolled.",
}
"""Sentences for questions that cannot be read, by code."""


def foundation(language: Language, facts: Mapping[str, Any], told: Mapping[str, object]) -> str:
    """What the dice kept lack of a foundation, and what may be kept. told: the facts, ready for a sentence."""
    size = len(facts["dice"])
    rule = (
        language.say("A single die kept must show at least {least}; {dice} does not.", **told)
        if size == 1
        else language.count(
            "{number} die kept must total at least {least}; {dice} total {total}.",
            "{number} dice kept must total at least {least}; {dice} total {total}.",
            size,
            **told,
        )
    )
    allowed = [faces(keep.dice[::-1]) or language.say("none") for keep in legal_keeps(facts["free"])]
    return language.say("{rule} You may keep {allowed}.", rule=rule, allowed=language.join(allowed, "{some} or {last}"))
