"""Sentences that only the terminal says: questions, marked dice, help and refusals."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pubdice import failures
from pubdice.command_line import guessed
from pubdice.core.dice import SIX, DieFaces
from pubdice.core.errors import BadNotation, Failure, NotStored, Refused
from pubdice.core.seal import Seal
from pubdice.match.table import Die
from pubdice.room import commands
from pubdice.room.commands import ASKED, HOUSE_WORDS
from pubdice.text.game_words import GameWords
from pubdice.text.language import Language, Sentence
from pubdice.text.word_lists import seal_words
from pubdice.typed import WORDS, told_words
from pubdice.typed_dice import Keys, Names

T = TypeVar("T")
Rows = Mapping[str, str]
"""Words to type, each with its meaning."""
REFUSED: dict[str, Sentence] = {
    **commands.REFUSED,
    "match-over": "The match is over.",
    "house-dice": "You roll on screen here. Type r to roll.",
    "house-draws": "Player 1 is drawn at random here.",
    "enter-dice": (
        "Roll one of your own dice and type it, such as {example}.",
        "Roll {number} of your own dice and type them, such as {example}.",
        "due",
    ),
    "bank-before-roll": (
        "Nothing to bank yet. Roll one die first.",
        "Nothing to bank yet. Roll {number} dice first.",
        "due",
    ),
    "name-player-one": "Type the name of Player 1: {names}.",
    "nothing-to-mark": "You can't choose yet. Type r to roll.",
    "nothing-to-mark-yet": "You can't choose yet. Roll your dice and type them.",
    "gives-up": "You keep none of your dice. Choose some, or type k - r to reroll them all.",
    "not-markable": "You can only keep dice you just rolled.",
    "nothing-to-take-back": "There's nothing to undo. You can only undo what you typed last.",
    "rolled-is-rolled": "You've chosen no dice, and you can't undo a roll.",
    "no-table": "There's no game {table}. pubdice games lists your games.",
    "moved-on": "Game {table} went on somewhere else. pubdice resume {table} goes on from there.",
    "game-failed": "{game} has a fault: {why}. The match is saved.",
    "game-gone": "Game {table} is saved, but {game} is not installed here. Once it is, the game goes on as it was.",
    "log-damaged": "The file of game {table} is damaged at line {line}. Nothing was changed.",
    "log-impossible": "The file of game {table} is damaged: event {event} cannot have happened. Nothing was changed.",
    "store-unwritable": "Couldn't save the game in {folder} ({reason}), so nothing was played.",
    "store-unreadable": "Couldn't read the games in {folder} ({reason}).",
    "no-home": "There's no home folder to save games in. Name a folder with PUBDICE_DATA.",
    "no-games": "No game is waiting to go on. pubdice play starts one.",
    "drill-unwritable": "Couldn't save what you missed in {folder} ({reason}).",
    "drill-unreadable": "Couldn't read what you missed before in {folder} ({reason}).",
    "daily-unwritable": "Couldn't save your answer in {folder} ({reason}).",
    "daily-unreadable": "Couldn't read your earlier days in {folder} ({reason}).",
    "daily-damaged": "The file of your days is damaged at line {line}. Nothing was changed.",
    "drill-damaged": "The file of missed positions is damaged at line {line}. Nothing was changed.",
    "seal-opened": "The seal of this game was opened before, so its dice are known and the game is void.",
    "seal-lost": "The seal of this game can't be opened any more, so the game is void. pubdice play starts another.",
    "no-seals": "Dice can't be sealed here.",
    "secret-file": "The file {file} is needed to seal dice, and can't be used. Put it back, or move it away.",
    "game-over": "Game {table} is over. pubdice replay {table} tells it again.",
}


def refused(language: Language, error: Refused | NotStored, names: Iterable[str] = (), die: DieFaces = SIX) -> str:
    """Return the sentence for a refusal of the table, or for an error of the store.

    ``names`` are the players' names. ``die`` has the names of the faces.
    """
    facts = {"names": language.join(names, "{some} or {last}"), **error.facts}
    if error.code == "enter-dice":
        due = facts["due"]
        facts["example"] = example(die, due if isinstance(due, int) else 6)
    return language.tell(REFUSED[error.code], facts)


def example(die: DieFaces, number: int) -> str:
    """Return an example of dice as a player might type them: "344512", or "K A 9" for other faces.

    >>> example(SIX, 3), example(DieFaces(("O", "S")), 3)
    ('344', 'O S O')
    """
    return "344512"[:number] if die.is_usual else die.shown(1 + at % die.sides for at in range(number))


def sealed(language: Language, seal: Seal) -> str:
    """Return a sentence with the words of a seal, for the people to write down."""
    return sealed_as(language, " ".join(seal_words(seal.public_digest, language.code)))


def sealed_as(language: Language, words: str) -> str:
    """Return a sentence with these words of a seal, for the people to write down."""
    return language.say("The dice are sealed and can't change now. Note these words: {words}.", words=words)


def own_seed(language: Language, seed: str) -> str:
    """Return a sentence with the people's own seed. They can look for it in the record."""
    return language.say("Your seed: {seed}. Look for it in the record.", seed=seed)


def lie(language: Language, dice: tuple[Die, ...], keys: Keys, *, keeps_dice: bool = True, die: DieFaces = SIX) -> str:
    """Return a sentence on the dice on the table.

    If players name dice by place, it goes place by place. Otherwise it has three groups: free, marked and locked. In a
    game of moves it is a plain list.
    """
    if not dice:
        return language.say("No dice on the table. They are all in the cup.")
    if not keeps_dice:
        return language.say("Dice: {dice}.", dice=die.shown(each.face for each in dice))
    if keys == "position":
        texts = {
            "free": "{place} is {face}",
            "marked": "{place} is {face} marked",
            "locked": "{place} is {face} locked",
        }
        told = ", ".join(
            language.say(texts[each.status], place=each.place + 1, face=die.names[each.face - 1]) for each in dice
        )
        return language.say("Dice by place: {dice}.", dice=told)
    texts = {"free": "free {dice}", "marked": "marked to keep {dice}", "locked": "locked {dice}"}
    told = "; ".join(
        language.say(text, dice=die.shown(shown))
        for status, text in texts.items()
        if (shown := [each.face for each in dice if each.status == status])
    )
    return language.say("Dice: {dice}.", dice=told)


BY_FACE: Rows = {
    "1 4 6": "by face: choose these to keep, or type them again to let go",
    "+6 -6": "keep a 6, let go of a 6 (Shift and the digit keeps too)",
}
BY_POSITION: Rows = {"1 4 6": "by place: choose the dice in these places, or let them go"}
BY_FACE_TO_REROLL: Rows = {
    "1 4 6": "by face: choose these to reroll (the others stay), or type them again to let them stay",
    "+6 -6": "reroll a 6, let a 6 stay",
}
BY_POSITION_TO_REROLL: Rows = {"1 4 6": "by place: choose the dice in these places to reroll, or let them stay"}
CHOOSING: dict[tuple[Names, Keys], Rows] = {
    ("keep", "face"): BY_FACE,
    ("keep", "position"): BY_POSITION,
    ("reroll", "face"): BY_FACE_TO_REROLL,
    ("reroll", "position"): BY_POSITION_TO_REROLL,
}
NAMING: Rows = {
    "k 6 5": "keep exactly these (k - keeps none)",
    "x 1 3": "reroll exactly these and keep the others",
    "u": "undo your last choice",
}
REAL: Rows = {
    "344512": "after you roll: your dice, with or without spaces",
    "u": "with no dice chosen: undo what you typed last",
}
OTHER_FACES: dict[Names, Rows] = {
    "keep": {"+6 -6": "keep a die with {face}, let go of one"},
    "reroll": {"+6 -6": "reroll a die with {face}, let one stay"},
}
OTHER_REAL: Rows = {"344512": "after you roll: your dice, with spaces between"}
"""The help for real dice with other faces than 1 to 6."""
REAL_WITHOUT_KEEPS: Rows = {"u": "undo what you typed last"}
ASKING_A_POSITION: Rows = {
    "t": "the score to beat",
    "s": "the scores",
    "d, h": "the dice on the table",
    "l": "what happened last",
    "Enter": "rolls, with your choice if you had one. Before that it repeats the question",
    "?": "this page",
    "q": "leave without an answer",
}
"""The words that ask something at a position of a drill. The coach waits for the answer, and nothing is saved."""
ASKING: Rows = {
    "hint": "the coach's choice, and why",
    **ASKING_A_POSITION,
    "t": "the score to beat, and your chance",
    "q": "leave (the game is saved, and pubdice resume goes on)",
}
WITHOUT_CHANCES: Rows = {**ASKING, "t": "the score to beat"}
WITHOUT_KEEPS: Rows = {"Enter": "rolls. If you have to choose, it repeats the question"}
ASKING_THE_HOUSE: Rows = {
    "t": "the score to beat",
    "s": "the scores",
    "d, h": "your dice, or the dice of the player whose turn it is",
    "l": "what happened last",
    "w": "whose turn it is, and who is here",
    **dict(command.help for command in ASKED if command.help),
    "rematch": "after the game: play again",
    "Enter": ASKING["Enter"],
    "?": "this page",
    "q": "leave (the seat stays yours, and pubdice join goes on)",
}
"""The words that ask something at a table on the web. There is no coach among them."""


def page_of_help(  # noqa: PLR0917 - in the order of the page
    language: Language,
    verbs: list[tuple[str, str]],
    keys: Keys,
    names: Names,
    die: DieFaces,
    asking: Rows,
    *,
    real: bool,
    keeps_dice: bool,
) -> list[str]:
    """Return the page of help, in lines. ``die`` has the names of the faces for the examples. ``keeps_dice`` is False
    if the players can't choose single dice.

    If players name dice by place, the examples have plain numbers for every die.
    """
    few = die.shown(sorted({1, (1 + die.sides) // 2, die.sides}))
    last, by_other_faces = die.names[-1], keys == "face" and not die.is_usual
    named = {"344512": example(die, 3)} if not die.is_usual else {}
    if by_other_faces:
        named |= {"1 4 6": few, "+6 -6": f"+{last} -{last}", "k 6 5": f"k {few}", "x 1 3": f"x {last}"}
    real_dice = {**REAL, **({} if die.is_usual else OTHER_REAL), **({} if keeps_dice else REAL_WITHOUT_KEEPS)}
    choosing = {**CHOOSING[names, keys], **NAMING}
    if by_other_faces:
        choosing |= OTHER_FACES[names]
    several = f"{few} r" if by_other_faces else "1 4 r"

    known = {*WORDS, *HOUSE_WORDS} if asking is ASKING_THE_HOUSE else {*WORDS}

    def lines(head: str, rows: Rows) -> list[str]:
        return listed(head, {named.get(key, key): language.say(text, face=last) for key, text in rows.items()})

    def listed(head: str, rows: Rows) -> list[str]:
        return [language.say(head), *(f"  {key:<8}{told}" for key, told in rows.items())]

    return [
        *(lines("Your own dice:", real_dice) if real else []),
        *(lines("To choose dice:", choosing) if keeps_dice else []),
        *listed("Then:" if keeps_dice else "To play:", dict(verbs)),
        *lines("To ask and to leave:", {**asking, **({} if keeps_dice else WITHOUT_KEEPS)}),
        *([language.say("You can type several at once, such as: {line}", line=several)] if keeps_dice else []),
        *told_words(language, known - {"hint"} if "hint" not in asking else known, dict(verbs)),
    ]


ALTERNATIVES = {
    "game": "games",
    "format": "formats",
    "format-game": "formats",
    "option": "choices",
    "bot": "bots",
    "opener": "openers",
}
"""For some codes of a BadNotation, the name of the fact that lists the valid words."""


def explain(language: Language, error: Failure, words: GameWords | None = None, game: Any = None) -> str:
    """Return the sentence for a failure. For a move that the rules forbid, ``words`` and ``game`` are needed."""
    if isinstance(error, Refused | NotStored):
        return refused(language, error)
    if isinstance(error, BadNotation) and error.place is None and error.code in ALTERNATIVES:
        known: Any = error.facts[ALTERNATIVES[error.code]]
        names = [str(name).partition(" ")[0] for name in known]
        if told := guessed(language, str(error.facts.get("found", "")), names):
            return told
    return failures.explain(language, error, words, game)
