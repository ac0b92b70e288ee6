"""Sentences and exit statuses for failures. The terminal, the house (the web server) and the library share them.

Two kinds of failure are not here: refusals of a table, and errors of the store. Terminal and web pages word them
differently, because each names the next step: "Type r to roll" in a terminal (``terminal.sentences``), "Roll first" on
a page (``server.web.refusals``).
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

BAD_NOTATION, ILLEGAL_ACTION, OTHER = 2, 3, 1  # exit statuses of commands; OTHER is for all other failures

UNSOLVED = {
    "too-many-seats": "{title} is solved for {most} seats at most.",
    "adds-up-seats": "If scores add up, {title} is solved for two players.",
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
    "no-numpy": "Advice needs numpy. To install it: pip install numpy.",
    "needs-house": "That is too large to work out here. A house, a computer with pubdice, can answer it.",
    "ends-by-turn": "A turn can end this match in the middle of a round, so a round of it has no table of its own.",
    "endless-match": "These bots did not end a match within {most} turns.",
    "no-table": "A table of a round has {most} positions and {moves} moves at most, and this one has more.",
    "not-reached": "This match never comes to that position, so it has no value there.",
}
TOO_LARGE = "This match is too large to solve on this machine."
LONGEST_REASON = 200  # characters; the rest of a package's error message is cut off


def reason_of(error: BaseException) -> str:
    """Return the error that a broken package raised, in one line: the type and the message."""
    return shorten(f"{type(error).__name__}: {' '.join(str(error).split())}", LONGEST_REASON)


def exit_status(error: Failure) -> int:
    """Return the exit status of a command that failed with this error."""
    if isinstance(error, BadNotation):
        return BAD_NOTATION
    return ILLEGAL_ACTION if isinstance(error, IllegalAction) else OTHER


def sentence(language: Language, error: Failure, words: Refusing | None = None, game: Any = None) -> str:
    """Return the sentence for a failure, without its place in a text.

    If the game is known, ``words`` (its words) and ``game`` (its rules) give the sentence in the game's own terms.
    """
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
        case Failure(code="game-failed"):
            return language.say("{game} has a fault: {why}.", **error.facts)
        case _:
            return str(error)


def _unsolved(language: Language, error: Unsolved, words: Refusing | None) -> str:
    """Return the reason why a match is not solved. Numbers get thousands separators.

    The game's title is filled in here, because a solver does not know it.
    """
    facts = {key: language.whole(fact) if isinstance(fact, int) else fact for key, fact in error.facts.items()}
    title: str | None = getattr(words, "title", None)  # words of the house itself, not of a game, have no title
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
    """Return the reason why a question has no answer. A MemoryError means that the match is too large to solve."""
    if isinstance(error, MemoryError):
        return language.say(TOO_LARGE)
    return error.sentence or sentence(language, error, words)


def explain(language: Language, error: Failure, words: Refusing | None = None, game: Any = None) -> str:
    """Return the sentence for a failure. The place of the fault stands before it: line and column, or the text
    typed.
    """
    said = sentence(language, error, words, game)
    if isinstance(error, BadNotation | IllegalAction):
        return where(language, error.place, error.facts.get("found")) + said
    return said


def named_as_arguments(said: str) -> str:
    """Turn flags in a sentence into names of Python arguments, for users of the library.

    >>> named_as_arguments("--max-games is a whole number.")
    'max_games is a whole number.'
    """
    return re.sub(r"(?<![\w-])--([a-z]+(?:-[a-z]+)*)", lambda flag: flag[1].replace("-", "_"), said)


def where(language: Language, place: Place | None, found: object) -> str:
    """Return the place of a fault, to stand before its sentence. "" if neither the place nor the text typed is
    known.
    """
    if place is None:
        if found is None:
            return ""
        text = faces(found) if isinstance(found, tuple) else str(found)
        return language.say('"{found}":', found=shorten(text)) + " "
    facts = {"line": place.line, "column": place.column, "found": shorten(place.found)}
    if not place.found:
        return language.say("Line {line}, column {column}, at the end:", **facts) + " "
    return language.say('Line {line}, column {column}, "{found}":', **facts) + " "
