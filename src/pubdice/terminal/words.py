"""What the terminal says of its own: prompts, marks, help, and the house's refusals."""

from collections.abc import Iterable, Sequence

from pubdice.table import Refused
from pubdice.typed.marks import Keys
from pubdice.view import Die
from pubdice.words import Language, Sentence, faces

Rows = Sequence[tuple[str, str]]
"""What can be typed, each with what it does."""
REFUSED: dict[str, Sentence] = {
    "match-over": "The match is over.",
    "house-dice": "The house rolls here: r rolls.",
    "house-draws": "The house draws Player 1 here.",
    "enter-dice": (
        "These are your own dice: roll one, and type what fell, such as {example}.",
        "These are your own dice: roll {number}, and type what fell, such as {example}.",
        "due",
    ),
    "bank-before-roll": (
        "Nothing to bank yet. Roll one die first.",
        "Nothing to bank yet. Roll {number} dice first.",
        "due",
    ),
    "name-player-one": "Type the name of Player 1: {names}.",
    "nothing-to-mark": "There is nothing to choose from yet: r rolls.",
    "nothing-to-mark-yet": "There is nothing to choose from yet: roll your dice and type what fell.",
    "not-markable": "You can only keep dice you just rolled.",
    "nothing-to-take-back": "Nothing is marked, and only what was typed last can be taken back.",
    "rolled-is-rolled": "Nothing is marked, and a roll cannot be taken back.",
    "no-table": "There is no game {table}. pubdice games lists what there is.",
    "moved-on": "Game {table} went on somewhere else. pubdice resume {table} shows where it stands.",
    "log-damaged": "The file of game {table} is damaged at line {line}; nothing was changed.",
    "log-impossible": "The file of game {table} is damaged: event {event} cannot have happened; nothing was changed.",
    "store-unwritable": "The game cannot be written down in {folder} ({reason}), so nothing was played.",
    "store-unreadable": "The games in {folder} cannot be read ({reason}).",
    "no-home": "There is no home folder to keep games in: name a folder with PUBDICE_DATA.",
    "no-games": "No game is waiting to go on. pubdice play starts one.",
    "drill-unwritable": "What you miss cannot be written down in {folder} ({reason}).",
    "drill-unreadable": "What you missed before cannot be read in {folder} ({reason}).",
    "drill-damaged": "The file of missed positions is damaged at line {line}; nothing was changed.",
    "game-over": "Game {table} is over. pubdice replay {table} tells it again.",
}


def refused(language: Language, error: Refused, names: Iterable[str] = ()) -> str:
    """Why the table or the store says no; ``names`` are those at the table."""
    facts = {"names": language.join(names or ("",), "{some} or {last}"), **error.facts}
    if error.code == "enter-dice":
        due = facts["due"]
        facts["example"] = "344512"[: due if isinstance(due, int) else 6]
    return language.tell(REFUSED[error.code], facts)


def lie(language: Language, dice: tuple[Die, ...], keys: Keys) -> str:
    """The dice as they lie: by place, or the free, the marked and the locked ones."""
    if not dice:
        return language.say("No dice on the table: all are in the cup.")
    if keys == "position":
        texts = {
            "free": "{place} is {face}",
            "marked": "{place} is {face} marked",
            "locked": "{place} is {face} locked",
        }
        told = ", ".join(language.say(texts[die.status], place=die.place, face=die.face) for die in dice)
        return language.say("Dice by place: {dice}.", dice=told)
    texts = {"free": "free {dice}", "marked": "marked to keep {dice}", "locked": "locked {dice}"}
    told = "; ".join(
        language.say(text, dice=faces(shown))
        for status, text in texts.items()
        if (shown := [die.face for die in dice if die.status == status])
    )
    return language.say("Dice: {dice}.", dice=told)


BY_FACE = (
    ("1 4 6", "by face: mark these to keep; once all of a face are marked, let go"),
    ("+6 -6", "mark a 6, unmark a 6 (Shift and the digit marks too)"),
)
BY_POSITION = (("1 4 6", "by position: mark the dice in these places, or let them go"),)
NAMING = (
    ("k 6 5", "keep exactly these; k - keeps none"),
    ("x 1 3", "reroll exactly these and keep the others"),
    ("u", "undo: unmark the die marked last"),
)
REAL = (
    ("344512", "when dice are to be rolled: the dice that fell, in any spacing"),
    ("u", "with nothing marked: take back what was typed last"),
)
STANDING = (
    ("s", "scores and slate"),
    ("d", "the dice as they lie"),
    ("l", "the last event again"),
)
ASKING: Rows = (
    ("h", "what the coach would do, and why"),
    ("t", "what must I beat, and my chance"),
    *STANDING,
    ("?", "this page; Enter alone repeats the question"),
    ("q", "leave; the game is kept, and pubdice resume goes on"),
)
ASKING_THE_HOUSE: Rows = (
    ("t", "what must be beaten"),
    ("s", "scores and slate"),
    ("d or h", "your dice as they lie, or the mover's"),
    ("l", "the last event again"),
    ("w", "whose turn it is, and who is here"),
    ("n", "nudge whoever is to move"),
    ("give", "let a bot play for you; back takes the seat again"),
    ("rematch", "when it is over: the same people again"),
    ("?", "this page"),
    ("q", "leave; the seat stays yours, and pubdice join goes on"),
)
"""At a table of a house on the web, which has no coach."""


def page_of_help(
    language: Language, verbs: list[tuple[str, str]], keys: Keys, *, real: bool, asking: Rows = ASKING
) -> list[str]:
    """All that can be typed, in lines."""

    def lines(head: str, rows: Rows) -> list[str]:
        return [language.say(head), *(f"  {key:<8}{language.say(text)}" for key, text in rows)]

    return [
        *(lines("Your own dice:", REAL) if real else []),
        *lines("Naming dice, when a choice is open:", (*(BY_FACE if keys == "face" else BY_POSITION), *NAMING)),
        *lines("Then:", verbs),
        *lines("Asking and leaving:", asking),
        language.say("Several may stand in one line, as in: 1 4 r"),
    ]
