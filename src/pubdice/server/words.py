"""What the house says of its own: why the table, the house or its store refuses, and how a request is at fault."""

from typing import Any

from pubdice.game import BadNotation, IllegalAction
from pubdice.kit import Kit
from pubdice.server.guard import REFUSALS
from pubdice.server.orders import OrderError
from pubdice.server.wire import Refusal
from pubdice.store import NotStored
from pubdice.table import Refused
from pubdice.words import Language, Sentence, bad_notation, illegal_action, told_facts

REFUSED: dict[str, Sentence] = {
    "not-seated": "You are watching: take a seat to play.",
    "not-host": "Only the host of this table can do that.",
    "not-your-turn": "It is {name}'s turn.",
    "no-such-seat": ("There is one seat here.", "There are {number} seats here, no more.", "seats"),
    "name-a-seat": "Say which seat it is for.",
    "no-such-bot": "No bot is called that: say {bots}.",
    "perfect-seats": "The perfect bot plays at tables of up to {most} seats.",
    "not-started": "The match has not begun.",
    "started": "The match has begun already.",
    "match-over": "The match is over.",
    "not-over": "The match is not over yet.",
    "seated-already": "You have a seat at this table already.",
    "removed-before": "The host has asked you to leave this table.",
    "seat-taken": "{name} sits there.",
    "seat-empty": "Nobody sits there.",
    "name-taken": "Somebody here is called {name} already: please take another name.",
    "table-full": "Every seat is taken. You are welcome to watch.",
    "remove-oneself": "That is your own seat: you can leave it.",
    "too-few-seats": ("This game needs one seat.", "This game needs {number} seats.", "least"),
    "bot-plays": "A bot plays for you just now.",
    "bot-plays-already": "A bot plays for you already.",
    "no-bot-plays": "No bot plays there.",
    "not-absent": "Only somebody who is away can be voted for.",
    "still-waiting": (
        "{name} may still come back: one second more.",
        "{name} may still come back: {number} seconds more.",
        "seconds",
    ),
    "voted-already": "You have voted for that already.",
    "nobody-to-nudge": "There is nobody to nudge.",
    "nudge-soon": (
        "You can nudge {name} in one second.",
        "You can nudge {name} in {number} seconds.",
        "seconds",
    ),
    "rematch-laid": "The next table is laid already.",
    "no-clock": "No clock is running.",
    "wrong-words": "Those are not the four words of a seat at this table.",
    "house-dice": "The house rolls at this table.",
    "house-draws": "The house draws Player 1 at this table.",
    "enter-dice": (
        "You play with your own dice: roll one, and enter what fell.",
        "You play with your own dice: roll {number}, and enter what fell.",
        "due",
    ),
    "bank-before-roll": (
        "Nothing to bank yet: one die is to be rolled first.",
        "Nothing to bank yet: {number} dice are to be rolled first.",
        "due",
    ),
    "name-player-one": "Who is Player 1? Draw with your own dice, and say whose seat it is.",
    "nothing-to-mark": "There is nothing to choose from yet: the dice are to be rolled first.",
    "nothing-to-mark-yet": "There is nothing to choose from yet: roll your dice and enter what fell.",
    "not-markable": "Only the dice just rolled can be kept.",
    "nothing-to-take-back": "There is nothing to take back.",
    "rolled-is-rolled": "A roll cannot be taken back.",
    "no-table": "There is no table with that code.",
    "moved-on": "The table has moved on; please try again.",
    "log-damaged": "The log of this table is damaged; nothing was changed.",
    "store-unwritable": "The house cannot write it down just now, so nothing was done. Please try again.",
    "not-known": "The house does not know yet whether that is written down. Please try again.",
    "store-unreadable": "The house cannot read its tables just now. Please try again.",
    "no-code": "The house has no code left for a new table. Please try again.",
    "no-bots": "The bots cannot play just now. Please try again.",
    "guesses": "Too many wrong codes were tried from here. Please wait a moment.",
    "often": "That is too often; please wait a moment.",
    "streams": "Too many pages are open from here; please close one.",
    "json": "That is no JSON this house understands.",
    "fields": "That is no request this house understands: {reason}.",
    "kind": "Requests are JSON or forms.",
    "no-page": "There is no such page.",
    "no-way": "This address does not take that kind of request.",
    "fault": REFUSALS["fault"][1],
    "no-record": "There is no record yet: the match has not begun.",
}
"""Sentences for refusals, by code."""

FORBIDDEN = ("not-seated", "not-host", "not-your-turn", "removed-before", "wrong-words", "bot-plays")
MISSING = ("no-such-seat", "no-table", "no-page", "no-record")
UNAVAILABLE = ("store-unwritable", "not-known", "moved-on", "store-unreadable", "log-damaged", "no-code", "no-bots")
STATUS = {
    **dict.fromkeys(FORBIDDEN, 403),
    **dict.fromkeys(MISSING, 404),
    **dict.fromkeys(UNAVAILABLE, 503),
    "guesses": 429,
    "often": 429,
    "streams": 429,
    "json": 400,
    "fields": 422,
    "name-a-seat": 422,
    "no-such-bot": 422,
    "kind": 415,
    "no-way": 405,
    "fault": 500,
}

Fault = Refused | IllegalAction | BadNotation | OrderError


def refusal(language: Language, error: Fault, kit: Kit | None = None, game: Any = None) -> tuple[int, Refusal]:
    """The status and the reason of a refusal."""
    if isinstance(error, OrderError):
        return 422, Refusal(error.why.fault, bad_notation(language, error.why.fault, error.why.facts))
    if isinstance(error, BadNotation):
        return 422, Refusal(error.fault, bad_notation(language, error.fault, error.facts))
    if isinstance(error, IllegalAction):
        assert kit is not None, "rules are a game's"
        return 409, Refusal(error.rule, illegal_action(language, kit.words, game, error.rule, error.facts))
    code = error.code if error.code in REFUSED else "store-unwritable" if isinstance(error, NotStored) else ""
    return STATUS.get(code, 409), Refusal(code, language.tell(REFUSED[code], told_facts(error.facts, language)))
