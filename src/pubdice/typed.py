"""Parses a player's line into a list of intents. Knows letters and digits, no game and no state.

A line is read whole before anything is done, so that a slip of the finger does nothing.
"""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal
from unicodedata import combining, normalize

from pubdice.core.dice import SIX, DieFaces
from pubdice.match.table import Die
from pubdice.text.game_words import Offer, by_things
from pubdice.text.language import Language, faces

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
IN_A_LANGUAGE = "roll, bank, undo, scores, beat, last, dice, hint, help, quit"
"""A word for each command, as one sentence: a translation has as many, in the same order."""
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
    | (?P<word>[^\W\d_]+|\?)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_REST = re.compile(r"\s*([0-9]+|\w+|\S)")


@cache
def _pieces(die: DieFaces) -> re.Pattern[str]:
    """The pieces of a line where dice show other faces: their names in capitals, with spaces or dots between."""
    longest_first = sorted(die.names, key=len, reverse=True)
    face = f"(?:{'|'.join(longest_first)})(?![A-Za-z0-9])"
    dice = rf"{face}(?:[\s.]+{face})*"
    return re.compile(
        rf"\s*(?:(?P<list>keep|k|reroll|x)(?![A-Za-z])\s*(?P<dice>-|{dice})|(?P<toggle>{dice})"
        rf"|(?P<sign>[+-])\s*(?P<signed>{dice})|(?P<shifted>[!@#$%^])|(?P<word>[^\W\d_]+|\?))"
    )


@dataclass(frozen=True, slots=True)
class Choose:
    """Dice named by their faces or their places, as numbers from 1, and a verb for them."""

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


@lru_cache(maxsize=64)
def command_words(language: Language) -> Mapping[str, Word]:
    """The words that are commands, in small letters: English ones, and the language's own, with marks or without.

    >>> command_words(Language()) == WORDS
    True
    """
    return {**{word: WORDS[command] for word, command in own_words(language).items()}, **WORDS}


def own_words(language: Language) -> dict[str, str]:
    """The language's own words for commands, with marks and without, each with the English one."""
    own = dict(zip(language.say(IN_A_LANGUAGE).lower().split(", "), IN_A_LANGUAGE.split(", "), strict=False))
    return {**{without_marks(word): command for word, command in own.items()}, **own}


def without_marks(word: str) -> str:
    """A word in plain letters.

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
    """The intents of a line, in order, or the first piece that is unclear.

    die: names the faces. words: those that are commands (``command_words``). names_dice: numbers are dice here, and no
    moves: else any other number chooses what nobody can, which the table refuses. enters: real dice are due, so that a
    line of several faces is one, in capitals or not.

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
    """The intent of one piece of a line; None for a word that means nothing."""
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
    """The faces in a piece that matched: their names, space between them, or the "-" that stands for none."""
    return die.read(".".join(text.split()), between="-.") or ()


def _unclear(found: str) -> Unclear:
    if found.lower() in LISTS:
        return Unclear(found, "list")
    return Unclear(found, "digit" if found[0].isdigit() else "word")


# A move named by a line: by its notation, its letter, its label, the things it takes, or its number.


def move_named(text: str, offered: Sequence[Offer]) -> str | None:
    """The notation of the move that a whole line names; None if it names none.

    Where things say which move is meant, numbers are theirs, with or without spaces; else they count the moves from 1.

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
    """The moves as lines, each after its letter or its number; where things say which is meant, after neither.

    >>> listed((Offer("roll", "Roll again", "r"), Offer("hold", "Hold 12")))
    ['r Roll again', '2 Hold 12']
    """
    if by_things(offered):
        return [offer.label for offer in offered]
    return [f"{offer.key or number} {offer.label}" for number, offer in enumerate(offered, 1)]


MOST_DIGITS = 40
"""The digits of a number that names a move or a thing, at most."""


# Which places a player means to keep, after naming dice by face or by position (PlayPalace, "Keyboard Shortcuts").


Keys = Literal["face", "position"]
Why = Literal["none", "few", "marked", "unmarked"]


class NoSuchDieError(Exception):
    """A digit named no die that can be chosen: there are none or too few, all are marked, or none is."""

    def __init__(self, digit: int, keys: Keys, why: Why) -> None:
        super().__init__(f"{keys} {digit} {why}")
        self.digit, self.keys, self.why = digit, keys, why


def choose(
    dice: tuple[Die, ...], marks: tuple[int, ...], choice: Choose, keys: Keys, stays: tuple[int, ...] = ()
) -> tuple[int, ...]:
    """The marks (places from 0, in the order marked) after a choice. Raises NoSuchDieError.

    By position a digit is a place, counted from 1. By face it is any die of that face: a toggle marks those named, as
    many as are still free, and lets marked ones go when all are marked; a face named twice in one line means two dice.
    stays: the places of dice that need no mark. To mark a face is to mark another die of it, if there is one.
    """
    free = [die for die in dice if die.status != "locked"]
    if choice.how in ("toggle", "mark"):
        free.sort(key=lambda die: die.place in stays)
    if choice.how == "keep":
        return _mark(free, (), choice.digits, keys)
    if choice.how == "reroll":
        rerolled = _mark(free, (), choice.digits, keys)
        return tuple(die.place for die in free if die.place not in rerolled)
    if choice.how == "mark":
        return _mark(free, marks, choice.digits, keys)
    if choice.how == "unmark":
        return _unmark(free, marks, choice.digits, keys)
    for digit in dict.fromkeys(choice.digits):
        times = choice.digits.count(digit)
        named = _named(free, digit, keys)
        still_free = len(set(named).difference(marks))
        if times > len(named):
            raise NoSuchDieError(digit, keys, "few" if named else "none")
        if still_free:
            marks = _mark(free, marks, (digit,) * min(times, still_free), keys)
        else:
            marks = _unmark(free, marks, (digit,) * times, keys)
    return marks


def _named(free: list[Die], digit: int, keys: Keys) -> list[int]:
    """The places that a digit may mean."""
    return [die.place for die in free if digit == (die.face if keys == "face" else die.place + 1)]


def _mark(free: list[Die], marks: tuple[int, ...], digits: tuple[int, ...], keys: Keys) -> tuple[int, ...]:
    for digit in digits:
        named = _named(free, digit, keys)
        places = [place for place in named if place not in marks]
        if not places:
            few: Why = "few" if digits.count(digit) > len(named) else "marked"
            raise NoSuchDieError(digit, keys, few if named else "none")
        marks = (*marks, places[0])
    return marks


def _unmark(free: list[Die], marks: tuple[int, ...], digits: tuple[int, ...], keys: Keys) -> tuple[int, ...]:
    for digit in digits:
        named = _named(free, digit, keys)
        places = [place for place in marks if place in named]
        if not places:
            raise NoSuchDieError(digit, keys, "unmarked" if named else "none")
        marks = tuple(mark for mark in marks if mark != places[-1])
    return marks


# Dice named to be rerolled: the others stay (Steere, "Reroll note"). The table's marks are still the dice kept.


Names = Literal["keep", "reroll"]
"""The habit of naming the dice to keep or the dice to reroll."""
_TURNED: dict[How, How] = {"keep": "reroll", "reroll": "keep"}


@dataclass(frozen=True, slots=True)
class Rerolls:
    """The places named to be rerolled at one decision, in the order they were named."""

    decision: Hashable = None
    places: tuple[int, ...] = ()

    def at(self, decision: Hashable, dice: tuple[Die, ...], marks: tuple[int, ...]) -> "Rerolls":
        """The places named at a decision where these dice are marked: if nothing is marked yet, nothing is named."""
        if self.begun(decision) and set(others(dice, self.places)) == set(marks):
            return self
        return Rerolls(decision if marks else None, others(dice, marks) if marks else ())

    def begun(self, decision: Hashable) -> bool:
        """True if dice were named at this decision."""
        return self.decision == decision

    def choose(self, decision: Hashable, dice: tuple[Die, ...], choice: Choose, keys: Keys) -> "Rerolls":
        """The places named after a choice. Raises NoSuchDieError."""
        turned = replace(choice, how=_TURNED.get(choice.how, choice.how))
        return Rerolls(decision, choose(dice, self.places, turned, keys))

    def back(self, decision: Hashable) -> "Rerolls":
        """The places named, without the last."""
        return Rerolls(decision, self.places[:-1])


def others(dice: tuple[Die, ...], places: tuple[int, ...]) -> tuple[int, ...]:
    """The places of all other dice that may be chosen."""
    return tuple(die.place for die in dice if die.status != "locked" and die.place not in places)


# Sentences that answer a typed line: why it was not understood, which dice there are, what is marked.


LONGEST = 40
NO_SUCH_FACE = "There's no {digit} to choose. The dice are {shown}."
FEW = "There aren't that many {digit}s. The dice are {shown}."
UNCLEAR = {
    "word": '"{found}" means nothing here. Nothing was done; type ? for all the commands.',
    "digit": '"{found}" is no die. Name dice by the digits 1 to 6. Nothing was done.',
    "face": '"{found}" is no die. These dice show {shown}: name them so, with spaces between. Nothing was done.',
    "face-or-word": (
        '"{found}" means nothing here. These dice show {shown}, in capitals. Nothing was done; type ? for all the'
        " commands."
    ),
    "list": "k and x need dice after them, as in k 6 5, or k - for none. Nothing was done.",
}


def unclear(language: Language, piece: Unclear, die: DieFaces = SIX) -> str:
    """The sentence for a piece of a line that was not understood."""
    shown = language.join(die.names, "{some} or {last}")
    return language.say(UNCLEAR[why_unclear(piece, die)], found=_printable(piece.found), shown=shown)


def why_unclear(piece: Unclear, die: DieFaces) -> str:
    """The code of the sentence: where dice have other faces, it names them."""
    named = {} if die.is_usual else {"digit": "face", "word": "face-or-word"}
    return named.get(piece.why, piece.why)


def no_such_die(language: Language, error: NoSuchDieError, dice: Iterable[Die], die: DieFaces = SIX) -> str:
    """The sentence for a digit that names no die, with the dice that could have been named."""
    free = [each for each in dice if each.status != "locked"]
    if not free:
        return language.say("There are no dice to choose from.")
    places, shown = faces(each.place + 1 for each in free), die.shown(each.face for each in free)
    named = die.names[error.digit - 1] if error.keys == "face" else error.digit
    facts = {"digit": named, "places": places, "shown": shown}
    if error.why == "unmarked":
        text = (
            "You haven't chosen a {digit}." if error.keys == "face" else "You haven't chosen the die in place {digit}."
        )
    elif error.why == "marked":
        text = (
            "You've chosen every {digit} already." if error.keys == "face" else "You've chosen place {digit} already."
        )
    elif error.keys == "position":
        text = "There's no die to choose in place {digit}. Choose from {places}."
    else:
        text = FEW if error.why == "few" else NO_SUCH_FACE
    return language.say(text, **facts)


WHICH_KEEP = "Which dice do you keep?"
WHICH_REROLL = "Which dice do you reroll?"


def none_to_reroll(language: Language) -> str:
    """The sentence for a roll before any die to reroll is named."""
    return language.say("Choose the dice to reroll first. The others stay.")


def to_reroll(language: Language, asked: str) -> str:
    """A question that ends "Which dice do you keep?", as a player hears it who names the dice to reroll."""
    keep = language.say(WHICH_KEEP)
    return asked.removesuffix(keep) + language.say(WHICH_REROLL) if asked.endswith(keep) else asked


def marked(language: Language, dice: tuple[Die, ...], *, ends: bool, names: Names = "keep", die: DieFaces = SIX) -> str:
    """The sentence for what a roll would keep and reroll now. ends: it would end the turn."""
    keep = die.shown(each.face for each in dice if each.status == "marked")
    rest = die.shown(each.face for each in dice if each.status == "free")
    if not keep and names == "reroll":
        return language.say("Reroll {rest}, all of them.", rest=rest)
    if not keep:
        return language.say("You've chosen no dice to keep.")
    if rest:
        return language.say("Keep {keep}, reroll {rest}.", keep=keep, rest=rest)
    if ends:
        return language.say("Keep {keep}, all of them: r or b ends the turn.", keep=keep)
    return language.say("Keep {keep}, all of them.", keep=keep)


def _printable(text: str) -> str:
    """The typed text fit to be shown: one line, nothing that moves a cursor, not too long."""
    text = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
