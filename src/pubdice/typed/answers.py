"""Sentences that answer a typed line: why it was not understood, which dice there are, what is marked."""

from collections.abc import Iterable

from pubdice.match.tray import Die
from pubdice.text.language import Language, faces
from pubdice.typed.grammar import Names, NoSuchDieError, Unclear

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
