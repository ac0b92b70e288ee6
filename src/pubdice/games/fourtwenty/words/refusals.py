"""Why 420 refuses an action."""

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
