"""A parser of the line that a player types at a turn. Its result is a list of intents: dice to choose, and command
words.

It knows letters and digits, but neither the game nor the state of the match. A line is parsed as a whole before any of
it is done. So a line with a typo does nothing.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal
from unicodedata import combining, normalize

from pubdice.core.dice import SIX, DieFaces
from pubdice.text.game_words import Offer, by_things
from pubdice.text.language import Language

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
    "h": "dice",
    "hint": "advice",
    "advice": "advice",
    "?": "help",
    "help": "help",
    "q": "quit",
    "quit": "quit",
    "exit": "quit",
    "leave": "quit",
}
IN_A_LANGUAGE = "roll, bank, undo, scores, beat, last, dice, hint, help, quit, agree, decline"
"""One word for each command, as one sentence to translate. A translation has as many words, in the same order."""
OUTRIGHT: tuple[How, ...] = ("keep", "reroll")  # a choice of this kind decides about every die
LISTS: dict[str, How] = {"k": "keep", "keep": "keep", "x": "reroll", "reroll": "reroll"}
SHIFTED = {"!": 1, "@": 2, "#": 3, "$": 4, "%": 5, "^": 6}  # the sign on each digit's key, on an English keyboard

_PIECE = re.compile(
    r"""
    \s*(?:
      (?P<list>keep|k|reroll|x)(?![a-z])\s*(?P<dice>-|[1-6](?:\s*[1-6])*)
    | (?P<toggle>[1-6](?:\s*[1-6])*)
    | (?<![0-9])(?P<sign>[+-])\s*(?P<signed>[1-6]+)
    | (?P<shifted>[!@#$%^])
    | (?P<word>[^\W\d_]+|\?)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_REST = re.compile(r"\s*([0-9]+|\w+|\S)")


@cache
def _pieces(die: DieFaces) -> re.Pattern[str]:
    """Return the pattern for a piece of a line, if the dice have other faces than 1 to 6.

    Faces are typed by name in capitals, with spaces or dots between them.
    """
    longest_first = sorted(die.names, key=len, reverse=True)
    face = f"(?:{'|'.join(longest_first)})(?![A-Za-z0-9])"
    dice = rf"{face}(?:[\s.]+{face})*"
    return re.compile(
        rf"\s*(?:(?P<list>keep|k|reroll|x)(?![A-Za-z])\s*(?P<dice>-|{dice})|(?P<toggle>{dice})"
        rf"|(?P<sign>[+-])\s*(?P<signed>{dice})|(?P<shifted>[!@#$%^])|(?P<word>[^\W\d_]+|\?))"
    )


@dataclass(frozen=True, slots=True)
class Choose:
    """A choice of dice: the dice as digits, and the verb ``how``. A digit is a face, or a place from 1."""

    how: How
    digits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CommandWord:
    """A typed word that is a command, such as "roll" or "undo"."""

    word: Word


Intent = Choose | CommandWord


@dataclass(frozen=True, slots=True)
class Unclear:
    """A piece of a line that has no meaning. ``why`` is the reason: "word" (unknown), "digit" (no face), or "list"
    (``k`` or ``x`` without dice).
    """

    found: str
    why: Literal["word", "digit", "list"]


@lru_cache(maxsize=64)
def command_words(language: Language) -> Mapping[str, Word]:
    """Return all command words in small letters, each with its command.

    They are the English words and the language's own words, with and without accents.

    >>> command_words(Language()) == WORDS
    True
    """
    own = {word: WORDS[command] for word, command in own_words(language).items() if command in WORDS}
    return {**own, **WORDS}


def own_words(language: Language) -> dict[str, str]:
    """Return the language's own words for commands, with and without accents. The value of each is the English word."""
    own = dict(zip(language.say(IN_A_LANGUAGE).lower().split(", "), IN_A_LANGUAGE.split(", "), strict=False))
    return {**{without_marks(word): command for word, command in own.items()}, **own}


def told_words(language: Language, known: Collection[str], keys: Collection[str]) -> list[str]:
    """Return a sentence with the language's own words for commands, as its catalogue spells them. None in English.

    - ``known``: the English words of the commands at this table.
    - ``keys``: the keys of the game. Without b, no game's turn ends by a word.

    >>> told_words(Language(), WORDS, "rb")
    []
    """
    said = language.say(IN_A_LANGUAGE)
    if said == IN_A_LANGUAGE:
        return []
    own = zip(said.split(", "), IN_A_LANGUAGE.split(", "), strict=False)
    words = [word for word, command in own if command in known and (command != "bank" or "b" in keys)]
    return [language.say("You can also type {words}.", words=language.join(words, "{some} or {last}"))]


def without_marks(word: str) -> str:
    """Return a word without its accents.

    >>> without_marks("último")
    'ultimo'
    """
    return "".join(char for char in normalize("NFD", word) if not combining(char))


def read_answer(
    text: str,
    die: DieFaces = SIX,
    words: Mapping[str, Word] = WORDS,
    *,
    names_dice: bool = True,
    enters: bool = False,
) -> list[Intent] | Unclear:
    """Parse a line into intents, in the order typed. If a piece has no meaning, return that piece as ``Unclear``.

    - ``words``: the command words (``command_words``).
    - ``names_dice``: False if numbers name moves and not dice. A number that is no face is then an empty choice. The
      table refuses that.
    - ``enters``: True if the players roll real dice, and a roll is due. A line of several faces is then that roll, in
      capitals or not.

    >>> read_answer("1 4 r")
    [Choose(how='toggle', digits=(1, 4)), CommandWord(word='roll')]
    >>> read_answer("k655 r")
    [Choose(how='keep', digits=(6, 5, 5)), CommandWord(word='roll')]
    >>> read_answer("7")
    Unclear(found='7', why='digit')
    >>> read_answer("7", names_dice=False)
    [Choose(how='toggle', digits=())]
    """
    if enters and not die.is_usual and len(fell := die.read(text.strip(), between=", ") or ()) > 1:
        return [Choose("toggle", fell)]
    pieces = _PIECE if die.is_usual else _pieces(die)
    intents: list[Intent] = []
    text, start = normalize("NFC", text).replace(",", " ").rstrip(), 0
    while start < len(text):
        piece = pieces.match(text, start)
        intent = _intent(piece, die, words) if piece else None
        if piece is None or intent is None:
            rest = _REST.match(text, start)
            unclear = _unclear(rest[1] if rest else text[start:])
            return unclear if names_dice or enters or unclear.why != "digit" else [Choose("toggle", ())]
        intents.append(intent)
        start = piece.end()
    return intents


def _intent(piece: re.Match[str], die: DieFaces, words: Mapping[str, Word]) -> Intent | None:
    """Return the intent of one piece of a line. None for an unknown word."""
    if piece["list"]:
        return Choose(LISTS[piece["list"].lower()], _digits(piece["dice"], die))
    if piece["toggle"]:
        return Choose("toggle", _digits(piece["toggle"], die))
    if piece["sign"]:
        return Choose("mark" if piece["sign"] == "+" else "unmark", _digits(piece["signed"], die))
    if piece["shifted"]:
        return Choose("mark", (SHIFTED[piece["shifted"]],))
    word = words.get(piece["word"].lower())
    return None if word is None else CommandWord(word)


def _digits(text: str, die: DieFaces) -> tuple[int, ...]:
    """Return the faces that a piece names, as numbers. "-" means no dice."""
    return die.read(".".join(text.split()), between="-.") or ()


def _unclear(found: str) -> Unclear:
    if found.lower() in LISTS:
        return Unclear(found, "list")
    return Unclear(found, "digit" if found[0].isdigit() else "word")


def move_named(text: str, offered: Sequence[Offer]) -> str | None:
    """Return the notation of the move that a whole line names. None if it names no move.

    A move can be named by its notation, its letter or its label. If every move takes other things from the table, such
    as tiles, numbers name those things, with or without spaces. Otherwise a number counts the moves from 1.

    >>> box = (Offer("s93", "Shut 9 and 3", "", (9, 3)), Offer("s84", "Shut 8 and 4", "", (8, 4)))
    >>> move_named("3 9", box), move_named("84", box), move_named("s93", box), move_named("shut 9 and 3", box)
    ('s93', 's84', 's93', 's93')
    >>> move_named("2", (Offer("roll", "Roll again", "r"), Offer("hold", "Hold 12", "b"))), move_named("7", box)
    ('hold', None)
    """
    line = " ".join(text.casefold().split())
    named = [{offer.move, offer.key, " ".join(offer.label.casefold().split())} for offer in offered]
    found = [offer.move for offer, names in zip(offered, named, strict=True) if line and line in names]
    if found:
        return found[0]
    words = line.replace(",", " ").replace("+", " ").split()
    if not words or not all(word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS for word in words):
        return None
    if by_things(offered):
        for numbers in (list(map(int, words)), list(map(int, "".join(words)))):
            for offer in offered:
                if sorted(offer.takes) == sorted(numbers):
                    return offer.move
        return None
    number = int(words[0])
    return offered[number - 1].move if len(words) == 1 and 1 <= number <= len(offered) else None


def listed(offered: Sequence[Offer]) -> list[str]:
    """Return one line for each move: its letter or number, and its label.

    If the things that moves take tell the moves apart (``by_things``), a line is the label alone.

    >>> listed((Offer("roll", "Roll again", "r"), Offer("hold", "Hold 12")))
    ['r Roll again', '2 Hold 12']
    """
    if by_things(offered):
        return [offer.label for offer in offered]
    return [f"{offer.key or number} {offer.label}" for number, offer in enumerate(offered, 1)]


MOST_DIGITS = 40  # the most digits of a number that names a move or a thing
