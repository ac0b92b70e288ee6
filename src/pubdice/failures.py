"""Sentences and exit statuses for failures, shared by the terminal, the house and the library.

Each edge words the table's refusals and the store's errors itself, as they name the next step: "Type r to roll" in a
terminal (``terminal.sentences``), "Roll first" on a page (``server.web.refusals``).
"""

import re
from typing import Any

from pubdice.core.errors import BadNotation, Failure, IllegalAction, Place, Unsolved
from pubdice.text.game_words import tongue_of
from pubdice.text.language import (
    NOTATION,
    RULES,
    Language,
    Refusing,
    bad_notation,
    faces,
    illegal_action,
    localized_facts,
    shorten,
)

BAD_NOTATION, ILLEGAL_ACTION, OTHER = 2, 3, 1  # exit statuses; OTHER for all other failures

UNSOLVED = {
    "too-many-seats": "{title} is solved for {most} seats at most.",
    "adds-up-seats": "Where scores add up, {title} is solved for two players.",
    "too-many-points": "This match is not solved: there are too many points to reach, and {most} would do.",
    "too-many-rounds": "This match is not solved: there are too many rounds, and {most} would do.",
    "no-solver": "{title} is not solved here.",
    "limited-turn": (
        "With this house rule, a turn depends on the opener's. Name the match, such as --format rounds:1."
    ),
    "card-rules": "There is no card for these house rules.",
    "format": "{title} is not solved for this format.",
    "order-seats": "This order is not solved for so many players.",
    "no-position": "{title} has no position at which anything can be lost.",
    "no-questions": "No game is solved here, so there is no position today.",
    "too-many-positions": "This match is not solved: it has {count} positions or more, and the limit is {most}.",
    "too-many-moves": "This match is not solved: its positions have {count} moves or more, and the limit is {most}.",
    "too-large": "This match is not solved: its positions have some {count} moves, and the limit is {most}.",
    "too-many-standings": (
        "This match is not solved: rounds can begin in {count} ways or more, and the limit is {most}."
    ),
    "too-many-endings": "This match is not solved: rounds can end in {count} ways or more, and the limit is {most}.",
    "unsettled": "This match is not solved: its values did not settle in {steps} steps.",
    "no-bound": "This race is not solved: some dice that may be kept cannot win at once, so its error has no bound.",
    "too-long": "This match has {count} moves, and a receipt is written for {most} at most.",
    "no-numpy": "Advice needs numpy, which is not installed here: pip install numpy.",
    "needs-house": "That is too large to work out here. A house, a computer with pubdice, can answer it.",
    "ends-by-turn": "A turn can end this match in the middle of a round, so a round of it has no table of its own.",
    "endless-match": "These bots did not end a match within {most} turns.",
    "no-table": "A table of a round has {most} positions and {moves} moves at most, and this one has more.",
    "not-reached": "This match never comes to that position, so it has no value there.",
}
TOO_LARGE = "This match is too large to solve on this machine."
LONGEST_REASON = 200  # letters told of a package's error


def reason_of(error: BaseException) -> str:
    """The error of a broken package in one line: its type and message."""
    return shorten(f"{type(error).__name__}: {' '.join(str(error).split())}", LONGEST_REASON)


def exit_status(error: Failure) -> int:
    """The exit status of a command that fails with this error."""
    if isinstance(error, BadNotation):
        return BAD_NOTATION
    return ILLEGAL_ACTION if isinstance(error, IllegalAction) else OTHER


def sentence(language: Language, error: Failure, words: Refusing | None = None, game: Any = None) -> str:
    """The fault in a sentence, without its place. ``words`` and ``game`` say whose rules forbid a move."""
    if words is not None:
        language = tongue_of(words, language)
    match error:
        case BadNotation():
            return bad_notation(language, error.code, error.facts, NOTATION if words is None else words.faults)
        case IllegalAction() if words is not None:
            return illegal_action(language, words, game, error.code, error.facts)
        case IllegalAction():
            return language.tell(RULES[error.code], localized_facts(error.facts, language))
        case Unsolved():
            return _unsolved(language, error, words)
        case _:
            return str(error)


def _unsolved(language: Language, error: Unsolved, words: Refusing | None) -> str:
    """The reason why a match is not solved, with the game's title (solvers don't know it) and thousands separators."""
    facts = {key: language.whole(fact) if isinstance(fact, int) else fact for key, fact in error.facts.items()}
    title: str | None = getattr(words, "title", None)  # a house that refuses has no title
    if title is not None:
        facts["title"] = language.say(title)
    said = language.say(UNSOLVED[error.code], **facts)
    if "field" not in facts:
        return said
    return f"{said} {_solved_size(language, str(facts['field']), int(str(error.facts['size'])))}"


def _solved_size(language: Language, field: str, size: int) -> str:
    if field == "seats":
        return language.count("With {number} player it is.", "With {number} players it is.", size)
    return language.say("With {field} {size} or less it is.", field=field, size=size)


def no_solution(language: Language, error: Failure | MemoryError, words: Refusing | None = None) -> str:
    """The reason why a question has no answer. A MemoryError counts as a match too large to solve."""
    if isinstance(error, MemoryError):
        return language.say(TOO_LARGE)
    return error.sentence or sentence(language, error, words)


def explain(language: Language, error: Failure, words: Refusing | None = None, game: Any = None) -> str:
    """The fault in a sentence, with its place before it: line and column in a record, or the given text."""
    said = sentence(language, error, words, game)
    if isinstance(error, BadNotation | IllegalAction):
        return where(language, error.place, error.facts.get("found")) + said
    return said


def named_as_arguments(said: str) -> str:
    """A sentence for the library: its arguments have the names of the flags, without dashes.

    >>> named_as_arguments("--max-games is a whole number.")
    'max_games is a whole number.'
    """
    return re.sub(r"(?<![\w-])--([a-z]+(?:-[a-z]+)*)", lambda flag: flag[1].replace("-", "_"), said)


def where(language: Language, place: Place | None, found: object) -> str:
    """The place of a fault, to stand before its sentence. Empty if neither the place nor the text is known."""
    if place is None:
        if found is None:
            return ""
        text = faces(found) if isinstance(found, tuple) else str(found)
        return language.say('"{found}":', found=shorten(text)) + " "
    facts = {"line": place.line, "column": place.column, "found": shorten(place.found)}
    if not place.found:
        return language.say("Line {line}, column {column}, at the end:", **facts) + " "
    return language.say('Line {line}, column {column}, "{found}":', **facts) + " "
