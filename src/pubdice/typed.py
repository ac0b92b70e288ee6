"""What a player's line means: a list of intents. Knows letters and digits, no game and no state.

A line is read whole before anything is done, so that a slip of the finger does nothing.
"""

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from pubdice.core.dice import faces_in
from pubdice.match.tray import Die
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


# Which places a player means to keep, after naming dice by face or by position (PlayPalace, "Keyboard Shortcuts").


Keys = Literal["face", "position"]
Why = Literal["none", "few", "marked", "unmarked"]


class NoSuchDieError(Exception):
    """A digit named no die that can be chosen: there are none or too few, all are marked, or none is."""

    def __init__(self, digit: int, keys: Keys, why: Why) -> None:
        super().__init__(f"{keys} {digit} {why}")
        self.digit, self.keys, self.why = digit, keys, why


def choose(dice: tuple[Die, ...], marks: tuple[int, ...], choice: Choose, keys: Keys) -> tuple[int, ...]:
    """The marks (places from 0, in the order marked) after a choice. Raises NoSuchDieError.

    By position a digit is a place, counted from 1. By face it is any die of that face: a toggle marks those named, as
    many as are still free, and lets marked ones go when all are marked; a face named twice in one line means two dice.
    """
    free = [die for die in dice if die.status != "locked"]
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
"""Whether people name the dice to keep or the dice to reroll."""
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
    "list": "k and x need dice after them, as in k 6 5, or k - for none. Nothing was done.",
}


def unclear(language: Language, piece: Unclear) -> str:
    """The sentence for a piece of a line that was not understood."""
    return language.say(UNCLEAR[piece.why], found=_shown(piece.found))


def no_such_die(language: Language, error: NoSuchDieError, dice: Iterable[Die]) -> str:
    """The sentence for a digit that names no die, with the dice that could have been named."""
    free = [die for die in dice if die.status != "locked"]
    if not free:
        return language.say("There are no dice to choose from.")
    places, shown = faces(die.place + 1 for die in free), faces(die.face for die in free)
    facts = {"digit": error.digit, "places": places, "shown": shown}
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
NONE_TO_REROLL = "Choose the dice to reroll first. The others stay."


def to_reroll(language: Language, asked: str) -> str:
    """A question that ends "Which dice do you keep?", as a player hears it who names the dice to reroll."""
    keep = language.say(WHICH_KEEP)
    return asked.removesuffix(keep) + language.say(WHICH_REROLL) if asked.endswith(keep) else asked


def marked(language: Language, dice: tuple[Die, ...], *, ends: bool, names: Names = "keep") -> str:
    """The sentence for what a roll would keep and reroll now. ends: it would end the turn."""
    keep = faces(die.face for die in dice if die.status == "marked")
    rest = faces(die.face for die in dice if die.status == "free")
    if not keep and names == "reroll":
        return language.say("Reroll {rest}, all of them.", rest=rest)
    if not keep:
        return language.say("You've chosen no dice to keep.")
    if rest:
        return language.say("Keep {keep}, reroll {rest}.", keep=keep, rest=rest)
    if ends:
        return language.say("Keep {keep}, all of them: r or b ends the turn.", keep=keep)
    return language.say("Keep {keep}, all of them.", keep=keep)


def _shown(text: str) -> str:
    """What stood there, fit to be shown: one line, nothing that moves a cursor, not too long."""
    text = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
