"""Sentences that answer a line that a player typed: refusals, the dice on the table, and the marked dice."""

from collections.abc import Iterable

from pubdice.core.dice import SIX, DieFaces
from pubdice.match.table import Die
from pubdice.text.language import Language, faces
from pubdice.typed import Unclear
from pubdice.typed_dice import Names, NoSuchDieError

LONGEST = 40
NO_SUCH_FACE = "There's no {digit} to choose. The dice are {shown}."
FEW = "There aren't that many {digit}s. The dice are {shown}."
UNCLEAR = {
    "word": '"{found}" means nothing here. Nothing was done. Type ? for all the commands.',
    "digit": '"{found}" is no die. Name dice by the digits 1 to 6. Nothing was done.',
    "face": '"{found}" is no die. These dice show {shown}: name them so, with spaces between. Nothing was done.',
    "face-or-word": (
        '"{found}" means nothing here. These dice show {shown}, in capitals. Nothing was done. Type ? for all the '
        "commands."
    ),
    "list": "k and x need dice after them, as in k 6 5, or k - for none. Nothing was done.",
}


def unclear(language: Language, piece: Unclear, die: DieFaces = SIX) -> str:
    """Return the sentence that refuses a piece of a line without a meaning."""
    shown = language.join(die.names, "{some} or {last}")
    return language.say(UNCLEAR[why_unclear(piece, die)], found=_printable(piece.found), shown=shown)


def why_unclear(piece: Unclear, die: DieFaces) -> str:
    """Return the key of the sentence in ``UNCLEAR``.

    Dice with other faces than 1 to 6 have sentences of their own, which list those faces.
    """
    named = {} if die.is_usual else {"digit": "face", "word": "face-or-word"}
    return named.get(piece.why, piece.why)


def no_such_die(language: Language, error: NoSuchDieError, dice: Iterable[Die], die: DieFaces = SIX) -> str:
    """Return the sentence for a digit that names no die. It lists the dice that can be chosen."""
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
    """Return the sentence for a player who rolls without having named the dice to reroll."""
    return language.say("Choose the dice to reroll first. The others stay.")


def to_reroll(language: Language, asked: str) -> str:
    """Change the question "Which dice do you keep?" to "Which dice do you reroll?" Any other question stays as it
    is.
    """
    keep = language.say(WHICH_KEEP)
    return asked.removesuffix(keep) + language.say(WHICH_REROLL) if asked.endswith(keep) else asked


def marked(language: Language, dice: tuple[Die, ...], *, ends: bool, names: Names = "keep", die: DieFaces = SIX) -> str:
    """Return a sentence with the dice that a roll would keep now and the dice that it would reroll.

    ``ends`` is true if this keep would end the turn.
    """
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
    """Return typed text, safe to print: at most 40 characters, and each control character replaced."""
    text = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
