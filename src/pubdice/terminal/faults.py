"""What is wrong with a text or a move, in one sentence: where, what stood there, and which rule it breaks."""

from typing import Any

from pubdice.game import BadNotation, IllegalAction, Place
from pubdice.kit import Kit
from pubdice.terminal.line import printable
from pubdice.words import Language, bad_notation, faces, illegal_action

BAD_NOTATION, ILLEGAL_ACTION = 2, 3
"""Exit status for text that does not parse, and for a move the rules forbid."""


class FaultError(Exception):
    """A fault ready to be told: its sentence, and the exit status that goes with it."""

    def __init__(self, told: str, status: int) -> None:
        super().__init__(told)
        self.status = status


def explain(language: Language, error: BadNotation | IllegalAction, kit: Kit | None = None, game: Any = None) -> str:
    """The sentence for a fault; ``kit`` and ``game`` are needed for moves the rules forbid."""
    if isinstance(error, IllegalAction) and kit is not None:
        said = illegal_action(language, kit.words, game, error.rule, error.facts)
    elif isinstance(error, BadNotation):
        said = bad_notation(language, error.fault, error.facts)
    else:
        said = str(error)
    return _where(language, error.place, error.facts.get("found")) + said


def _where(language: Language, place: Place | None, found: object) -> str:
    if place is None:
        if found is None:
            return ""
        text = faces(found) if isinstance(found, tuple) else str(found)
        return language.say('"{found}": ', found=shown(text))
    facts = {"line": place.line, "column": place.column, "found": shown(place.found)}
    if not place.found:
        return language.say("Line {line}, column {column}, at the end: ", **facts)
    return language.say('Line {line}, column {column}, "{found}": ', **facts)


def shown(text: str, longest: int = 40) -> str:
    """What stood there, fit to be shown: one line, nothing that moves a cursor, not too long."""
    return printable(text if len(text) <= longest else text[: longest - 1] + "…")
