"""Why Midnight refuses an action, and what is wrong with a question about it."""

from collections.abc import Mapping
from typing import Any

from pubdice.text.language import Language, Sentence, told_facts

REFUSALS: dict[str, Sentence] = {
    "keep-one": "Keep at least one of the dice just rolled: {free}.",
    "not-free": "{dice} is not among the dice just rolled: {free}.",
    "bank-early": (
        "Too early to bank: one of the dice just rolled is not kept. Keep it too, or roll it again.",
        "Too early to bank: {number} of the dice just rolled are not kept. Keep them too, or roll them again.",
        "undecided",
    ),
}
"""Sentences for actions that the rules forbid, by the code of the refusal."""

FAULTS = {
    "flag-goal": "--{flag} goes with --goal win only.",
    "flag-with": "--{flag} does not go with --{other}, --format or --opener.",
    "dice-together": "Locked and rolled dice are {total} together, not {got}.",
    "goal": "A goal is score, qualify, win, or reach:N or exactly:N with N from {least} to {most}.",
    "to-beat": "A score to beat is 0 or {least} to {most}.",
    "holders": "With a score to beat, say who has it. Without one, leave that out.",
}
"""Sentences for questions that cannot be read, by code."""


def refusal(language: Language, rule: str, facts: Mapping[str, Any]) -> str | None:
    """Why Midnight forbids it."""
    return language.tell(REFUSALS[rule], told_facts(facts, language)) if rule in REFUSALS else None
