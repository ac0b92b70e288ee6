"""``review --steps``: the choices of a match one by one, by the keys of a table."""

from collections.abc import Sequence
from contextlib import suppress

from pubdice.advice.receipt_parts import ReceiptDecision
from pubdice.terminal.console import Console, LeftError
from pubdice.terminal.sentences import Rows
from pubdice.text.language import Language
from pubdice.typed import command_words

KEYS: Rows = {
    "Enter, r": "Next",
    "u": "Back",
    "l": "Again",
    "m": "The worst",
    "1, 12": "The choice with this number",
    "w": "Which choice",
    "d, h": "The dice",
    "t, s": "To beat",
    "c": "What it cost",
    "?": "All the keys",
    "q": "Leave",
}
MOVES = {"roll": 1, "undo": -1, "last": 0}
"""The words that go to a choice, by its distance from the last one."""
PARTS = {"which": "where", "dice": "hand", "beat": "stands", "scores": "stands", "cost": "verdict"}
"""The words that say one part of the choice."""


def step_through(decisions: Sequence[ReceiptDecision], line: Console, language: Language) -> None:
    """Tell the choices that a person asks for, until the person leaves or the input ends."""
    if not decisions:
        line.say([language.say("No choice gave anything away.")])
        return
    words, at, most = command_words(language), -1, len(decisions)
    own = {"": "roll", "m": "worst", "w": "which", "c": "cost"}
    worst = next((each.number for each in decisions if each.worst), 0)
    line.say([language.count("The only choice", "All {number} choices", most) + "."])
    line.say([language.say("Press Enter for the next choice. ? tells all the keys.")])
    with suppress(LeftError):
        while (word := own.get(typed := line.ask("").casefold()) or words.get(typed)) != "quit":
            if word in PARTS:
                line.say([getattr(decisions[max(at, 0)], PARTS[word])])
                continue
            to = max(at, 0) if word == "last" else worst - 1 if word == "worst" else at + MOVES.get(str(word), 0)
            if typed.isascii() and typed.isdigit():
                to = int(typed[:9]) - 1
            elif word not in {"worst", *MOVES}:
                line.say([f"  {key:<10}{language.say(meaning)}" for key, meaning in KEYS.items()])
                continue
            if word == "worst" and not worst:
                line.say([language.say("No choice gave anything away.")])
            elif 0 <= to < most:
                at = to
                line.say([" ".join(decisions[at].lines)])
            else:
                line.say([language.say("This match has choices 1 to {most}.", most=most)])
