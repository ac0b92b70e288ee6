"""What a player's line means: a list of intents. Knows letters and digits, no game and no state.

A line is read whole before anything is done, so a slip of the finger does nothing by halves.
"""

import re
from dataclasses import dataclass
from typing import Literal

Word = Literal["roll", "bank", "undo", "scores", "beat", "last", "dice", "help", "quit"]
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
    "?": "help",
    "help": "help",
    "q": "quit",
    "quit": "quit",
    "exit": "quit",
    "leave": "quit",
}
LISTS: dict[str, How] = {"k": "keep", "keep": "keep", "x": "reroll", "reroll": "reroll"}
SHIFTED = {"!": 1, "@": 2, "#": 3, "$": 4, "%": 5, "^": 6}
"""Shift and a digit on a keyboard laid out for English."""

_TOKEN = re.compile(r"[A-Za-z]+|[0-9]+|[+-][0-9]*|\S")


@dataclass(frozen=True, slots=True)
class Choose:
    """Dice named by the digits 1 to 6; what to do with them."""

    how: How
    digits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Say:
    """A command word."""

    word: Word


Intent = Choose | Say


@dataclass(frozen=True, slots=True)
class Unclear:
    """The piece of a line that means nothing here."""

    found: str
    why: Literal["word", "digit", "list"]


def read_answer(text: str) -> list[Intent] | Unclear:
    """The intents of a line, in order, or the first piece that is unclear.

    >>> read_answer("1 4 r")
    [Choose(how='toggle', digits=(1, 4)), Say(word='roll')]
    >>> read_answer("k655 r")
    [Choose(how='keep', digits=(6, 5, 5)), Say(word='roll')]
    >>> read_answer("7")
    Unclear(found='7', why='digit')
    """
    intents: list[Intent] = []
    how: How | None = None
    digits: list[int] = []

    def close() -> None:
        if how is not None:
            intents.append(Choose(how, tuple(digits)))

    for token in _TOKEN.findall(text.replace(",", " ")):
        if token.isdigit():
            if not token.isascii() or set(token) - set("123456"):
                return Unclear(token, "digit")
            if how is None:
                how = "toggle"
            digits.extend(map(int, token))
            continue
        if token == "-" and how in ("keep", "reroll") and not digits:
            continue
        close()
        how, digits = None, []
        if token in SHIFTED or (token[0] in "+-" and token[1:]):
            named = (SHIFTED[token],) if token in SHIFTED else tuple(map(int, token[1:]))
            if not set(named) <= set(range(1, 7)):
                return Unclear(token, "digit")
            intents.append(Choose("unmark" if token[0] == "-" else "mark", named))
        elif token.lower() in LISTS:
            how = LISTS[token.lower()]
        elif token.lower() in WORDS:
            intents.append(Say(WORDS[token.lower()]))
        else:
            return Unclear(token, "word")
    close()
    return intents
