"""What a player's line means: a list of intents. Knows letters and digits, no game and no state.

A line is read whole before anything is done, so that a slip of the finger does nothing.
"""

import re
from dataclasses import dataclass
from typing import Literal

from pubdice.core.dice import faces_in

Word = Literal["roll", "bank", "undo", "scores", "beat", "last", "dice", "advice", "help", "quit"]
How = Literal["toggle", "mark", "unmark", "keep", "reroll"]

WORDS: dict[str, Word] = {
    "r": "roll",
    "roll": "roll",
    "b": "bank",
    "bank": "bank",
    "hold": "bank",
    "u": "undo",
    "undo": "undo",
    "s": "scores",
    "scores": "scores",
    "slate": "scores",
    "t": "beat",
    "beat": "beat",
    "l": "last",
    "last": "last",
    "d": "dice",
    "dice": "dice",
    "h": "advice",
    "hint": "advice",
    "advice": "advice",
    "?": "help",
    "help": "help",
    "q": "quit",
    "quit": "quit",
    "exit": "quit",
    "leave": "quit",
}
HOUSE: dict[str, str] = {
    "w": "whose",
    "who": "whose",
    "hint": "hint",
    "n": "nudge",
    "nudge": "nudge",
    "give": "give",
    "back": "resume",
    "start": "start",
    "ready": "ready",
    "unready": "unready",
    "pause": "pause",
    "unpause": "unpause",
    "rematch": "rematch",
}
"""Other words that can be typed at a table of the house, each as a line of its own, and the request it stands for."""
OUTRIGHT: tuple[How, ...] = ("keep", "reroll")
"""The choices that say of every die whether it is kept."""
LISTS: dict[str, How] = {"k": "keep", "keep": "keep", "x": "reroll", "reroll": "reroll"}
SHIFTED = {"!": 1, "@": 2, "#": 3, "$": 4, "%": 5, "^": 6}
"""Shift and a digit on a keyboard laid out for English."""

_PIECE = re.compile(
    r"""
    \s*(?:
      (?P<list>keep|k|reroll|x)(?![a-z])\s*(?P<dice>-|[1-6](?:\s*[1-6])*)
    | (?P<toggle>[1-6](?:\s*[1-6])*)
    | (?<![0-9])(?P<sign>[+-])\s*(?P<signed>[1-6]+)
    | (?P<shifted>[!@#$%^])
    | (?P<word>[a-z]+|\?)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_REST = re.compile(r"\s*([0-9]+|\w+|\S)")


@dataclass(frozen=True, slots=True)
class Choose:
    """Dice named by the digits 1 to 6; what to do with them."""

    how: How
    digits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CommandWord:
    """A word that is a command, such as "roll" or "undo"."""

    word: Word


Intent = Choose | CommandWord


@dataclass(frozen=True, slots=True)
class Unclear:
    """The piece of a line that means nothing here."""

    found: str
    why: Literal["word", "digit", "list"]


def read_answer(text: str) -> list[Intent] | Unclear:
    """The intents of a line, in order, or the first piece that is unclear.

    >>> read_answer("1 4 r")
    [Choose(how='toggle', digits=(1, 4)), CommandWord(word='roll')]
    >>> read_answer("k655 r")
    [Choose(how='keep', digits=(6, 5, 5)), CommandWord(word='roll')]
    >>> read_answer("7")
    Unclear(found='7', why='digit')
    """
    intents: list[Intent] = []
    text, start = text.replace(",", " ").rstrip(), 0
    while start < len(text):
        piece = _PIECE.match(text, start)
        intent = _intent(piece) if piece else None
        if piece is None or intent is None:
            rest = _REST.match(text, start)
            return _unclear(rest[1] if rest else text[start:])
        intents.append(intent)
        start = piece.end()
    return intents


def _intent(piece: re.Match[str]) -> Intent | None:
    """What one piece of a line means; None for a word that means nothing."""
    if piece["list"]:
        return Choose(LISTS[piece["list"].lower()], _digits(piece["dice"]))
    if piece["toggle"]:
        return Choose("toggle", _digits(piece["toggle"]))
    if piece["sign"]:
        return Choose("mark" if piece["sign"] == "+" else "unmark", _digits(piece["signed"]))
    if piece["shifted"]:
        return Choose("mark", (SHIFTED[piece["shifted"]],))
    word = WORDS.get(piece["word"].lower())
    return None if word is None else CommandWord(word)


def _digits(text: str) -> tuple[int, ...]:
    """The faces in a piece that matched: digits, space between them, or the "-" that stands for none."""
    return faces_in("".join(text.split()), between="-") or ()


def _unclear(found: str) -> Unclear:
    if found.lower() in LISTS:
        return Unclear(found, "list")
    return Unclear(found, "digit" if found[0].isdigit() else "word")
