"""The house's own refusals in words: of the table, the house or its store, and of bad requests."""

from typing import Any

from pubdice.core.errors import BadNotation, IllegalAction, NotStored, Refused
from pubdice.failures import sentence
from pubdice.kit import Kit
from pubdice.room import commands
from pubdice.server.web.guard import REFUSALS
from pubdice.server.web.refused_pages import REFUSED_PAGES
from pubdice.server.wire import Refusal
from pubdice.text.catalogues import TABLE
from pubdice.text.language import Language, Sentence, localized_facts
from pubdice.text.notation import WRITTEN
from pubdice.typed_answers import FEW, NO_SUCH_FACE, UNCLEAR

REFUSED: dict[str, Sentence] = {
    "not-seated": "You are watching. Sit down to play.",
    "not-host": "Only the host can do that.",
    "not-your-turn": "It is {name}'s turn.",
    "no-such-seat": ("There is one seat here.", "There are only {number} seats here.", "seats"),
    "name-a-seat": "Say which seat you mean.",
    "no-such-bot": "There's no bot of that name. Choose {bots}.",
    "perfect-seats": "The perfect bot plays with up to {most} players.",
    "not-started": "The game hasn't started yet.",
    "started": "The game has already started.",
    "match-over": "The match is over.",
    "not-over": "The game isn't over yet.",
    "seated-already": "You already have a seat at this table.",
    "table-shut": "The host has closed this table to new people. You can watch, or ask to be let in.",
    "not-shut": "The table is open to new people already.",
    "seats-here": "Several people from your network have come to this table already. Try again in ten minutes.",
    "removed-before": "The host removed you from this table.",
    "share-removed": "The host removed a player from this phone. You can't share it here now.",
    "seat-taken": "{name} is sitting there.",
    "seat-empty": "That seat is empty.",
    "name-taken": "The name {name} is taken here. Pick another.",
    "table-full": "All seats are taken. You can watch.",
    "table-grown": ("This table has one seat at most.", "This table has {number} seats at most.", "most"),
    "remove-oneself": "That's your own seat. To go, press Leave the table.",
    "too-few-seats": ("This game needs one player.", "This game needs {number} players.", "least"),
    "bot-plays": "A bot is playing for you right now. Try again in a moment.",
    "bot-plays-already": "A bot is already playing for you.",
    "no-bot-plays": "There's no bot there.",
    "not-absent": "You can only vote about someone who is away.",
    "still-waiting": (
        "{name} may still come back. Wait one more second.",
        "{name} may still come back. Wait {number} more seconds.",
        "seconds",
    ),
    "voted-already": "You already voted for that.",
    **commands.REFUSED,
    "rematch-laid": "The rematch is already set up. Go to the next match.",
    "not-your-seat": "That is not your seat.",
    "seat-moved": "The seats have changed. Look at them again.",
    "seat-kept": "That seat is kept for {name}.",
    "ready-already": "You are ready already.",
    "not-ready": "You haven't said that you're ready.",
    "matches-played": (
        "One match of this game is already over. Plan at least one.",
        "{number} matches of this game are already over. Plan at least {number}.",
        "played",
    ),
    "line-up-full": "You can plan {most} games ahead.",
    "not-planned": "The list of games has changed. Look again.",
    "nothing-new": "That changes nothing.",
    "too-few-players": ("You need one more player.", "You need {number} more players.", "missing"),
    "too-many-seats": ("With these rules one can play.", "With these rules {number} can play.", "most"),
    "paused": "The table is paused. Press Go on to play.",
    "not-paused": "The table is not paused.",
    "pauses": "This match has had its {most} pauses.",
    "renamed-often": "You can change your name {most} times at a table.",
    "queued-already": "You're on the list for the next match already.",
    "rematch-theirs": "Only the players can ask for a rematch. You're on the list.",
    "not-queued": "That name isn't on the list for the next match.",
    "queue-full": "Too many are waiting for the next match.",
    "react-soon": ("Wait one second.", "Wait {number} seconds.", "seconds"),
    "still-seated": "You still play there. Leave the table first.",
    "no-clock": "The clock isn't running.",
    "wrong-words": "No seat at this table has those four words. Check them.",
    "house-dice": "You roll on screen at this table. You can't type dice in.",
    "house-draws": "Player 1 is drawn at random at this table.",
    "enter-dice": (
        "Roll one of your own dice, then enter it.",
        "Roll {number} of your own dice, then enter them.",
        "due",
    ),
    "bank-before-roll": (
        "Nothing to bank yet. Roll one die first.",
        "Nothing to bank yet. Roll {number} dice first.",
        "due",
    ),
    "name-player-one": "Who is Player 1? Roll for it with your own dice, then choose the player.",
    "nothing-to-mark": "You can't choose yet. Roll first.",
    "nothing-to-mark-yet": "You can't choose yet. Roll your dice and enter them.",
    "costly": "That choice loses a lot. Nothing has happened yet. If you mean it, do it again.",
    "no-lessons": "This table gives no hints.",
    "own-turn": "It's your turn in {game}, at table {table}. Move there first, then ask. Or play with lessons.",
    "gives-up": "You keep none of your dice. Choose some, or choose to reroll them all.",
    "not-markable": "You can only keep dice you just rolled.",
    "nothing-to-take-back": "There's nothing to undo.",
    "rolled-is-rolled": "You can't undo a roll.",
    "key-used": "That request was used for something else. Reload the page.",
    "no-table": "There's no table with that code. Check it.",
    "code-retired": "There was no play at that table for a while, so its code has run out. Its link still works, "
    "and so does the browser you played in.",
    "no-link": "That link isn't complete. Scan the QR code again, or ask for the whole link.",
    "seen-late": "The dice have changed since you looked. Nothing happened. Look again, then choose.",
    "moved-on": "Someone moved first. Try again.",
    "game-failed": "{game} has a fault, so this table can't go on. Nothing is lost.",
    "game-gone": "This game is not installed here: {game}. Nothing is lost. Once it is, the table opens as it was.",
    "store-unwritable": "Couldn't save that. Nothing changed. Try again.",
    "not-known": "Not sure that was saved. Try again. It won't count twice.",
    "store-unreadable": "Couldn't read the tables right now. Try again.",
    "no-code": "Couldn't find a free code for a new table. Try again.",
    "no-bots": "The bots can't play right now. Try again.",
    "tables-here": "There are {most} tables in play from your network already. Finish one first.",
    "tables-in-all": "The house is full right now. Try again in a few minutes.",
    "log-full": "This match has gone on for too long and takes no more moves. Press Rematch to play a new one.",
    "log-comings": "Too much has changed at this table. You can still start and play, or leave.",
    "log-choices": "You have changed your choices too often in this match. Now roll or bank.",
    "marks-enough": "You have changed your choice {most} times. Now roll or bank.",
    "guesses": "Too many wrong codes from here. Wait a moment.",
    "often": "Too fast. Wait a moment.",
    "streams": "You have too many pages open. Close one.",
    "asks-waiting": "Too many questions are waiting. Try again in a minute.",
    "no-answer": "The house can't work that out right now. Try again.",
    "no-page": "Page not found.",
    "fault": REFUSALS["fault"][1],
    "typed-word": UNCLEAR["word"],
    "typed-digit": UNCLEAR["digit"],
    "typed-face": UNCLEAR["face"],
    "typed-face-or-word": UNCLEAR["face-or-word"],
    "typed-list": UNCLEAR["list"],
    "typed-mixed": "Ask or move, one at a time. Nothing was done.",
    "typed-roll-last": (
        "Put r or b at the end of the line. Then you hear the roll before you go on. Nothing was done."
    ),
    "typed-many": "Choose at most {most} times in a line. Nothing was done.",
    "typed-none": NO_SUCH_FACE,
    "typed-few": FEW,
    "typed-marked": "You've chosen every {digit} already.",
    "typed-unmarked": "You haven't chosen a {digit}.",
    "typed-keep-none": "You keep nothing, so all would be rolled again. If you mean that, type k - r.",
    "no-seals": "Dice can't be sealed here.",
    "not-sealed": "This table doesn't play with sealed dice.",
    "seed-added": "That seed is in already.",
    "seed-passed-over": "Twice, seeds were not opened in time. So this match begins without a seed of yours.",
    "seed-copied": "Another seat has that seed already. Add another one.",
    "seeds-begun": "The phones have begun to open their seeds, so this match takes no new people. Play the next one.",
    "seed-other": "Your phone fixed another seed before. Enter that one.",
    "seed-unopened": "The phone of {name} has not opened its seed yet. The match begins when it has.",
    "seeds-opening": "The phones are opening their seeds: nothing about the match can change now.",
    "seed-missing": "{name} has not added a seed yet. Sealed dice need one for each player.",
    "seal-opened": "The seal of this match was opened before, so its dice are known and the match is void. Start a new"
    " table.",
    "seal-lost": "The house can't open the seal of this match any more, so the match is void. Start a new table.",
    "night-kept": "This table belongs to a same-dice night, so it stays on your list.",
    "no-record": "There's nothing to save yet. The game hasn't started.",
    **REFUSED_PAGES,
}
"""Sentences for refusals, by code."""

ASKED = {
    "name-missing": "Enter your name.",
    "header-key": 'There is no house rule called "{key}" here.',
}
"""Sentences for people at a page, if they differ from those for records and command lines."""

FORBIDDEN = (
    "not-seated",
    "not-your-seat",
    "not-host",
    "not-your-turn",
    "removed-before",
    "table-shut",
    "share-removed",
    "wrong-words",
    "bot-plays",
    "night-held",
    "night-once",
    "book-words",
    "not-in-book",
)
NO_DAY = ("day-future", "day-early")
"""Codes for a day that has no position. They are errors of a text (``BadNotation``), but have the status 404 and not
422.
"""
MISSING = (
    *NO_DAY,
    "no-such-seat",
    "no-table",
    "code-retired",
    "no-link",
    "no-page",
    "no-record",
    "record-closed",
    "no-match-over",
    "no-night",
    "house-only",
)
UNAVAILABLE = (
    "store-unwritable",
    "not-known",
    "moved-on",
    "store-unreadable",
    "log-damaged",
    "game-failed",
    "game-gone",
    "no-code",
    "no-bots",
    "asks-waiting",
    "no-answer",
    "day-soon",
    "night-counting",
)
STATUS = {
    **dict.fromkeys(FORBIDDEN, 403),
    **dict.fromkeys(MISSING, 404),
    **dict.fromkeys(UNAVAILABLE, 503),
    "guesses": 429,
    "often": 429,
    "tables-here": 429,
    "tables-in-all": 503,
    "marks-enough": 429,
    "log-choices": 429,
    "streams": 429,
    "react-soon": 429,
    "json": 400,
    "no-move": 422,
    "no-question": 422,
    "no-questions": 422,
    "no-choice": 422,
    "fields": 422,
    "shape": 422,
    "name-a-seat": 422,
    "no-such-bot": 422,
    "kind": 415,
    "no-way": 405,
    "fault": 500,
}

ELSE, UNREAD = 409, 422
"""The status of every code that is not in ``STATUS``, and of an unreadable text (``BadNotation``)."""

Fault = Refused | NotStored | IllegalAction | BadNotation


def status_of(code: str) -> int:
    """Return the status of a refusal with this code."""
    return STATUS.get(code, ELSE)


def refused_part(error: Fault) -> str:
    """Return the part of a language's catalogues that has the sentence for a refusal."""
    return "pages" if error.code in REFUSED_PAGES or error.code in WRITTEN else TABLE


def refusal(language: Language, error: Fault, kit: Kit | None = None, game: Any = None) -> tuple[int, Refusal]:
    """Return the status and the reason of a refusal."""
    if isinstance(error, BadNotation) and error.code in ASKED:
        return UNREAD, Refusal(error.code, language.say(ASKED[error.code], **localized_facts(error.facts, language)))
    if isinstance(error, BadNotation | IllegalAction):
        unread = status_of(error.code) if error.code in NO_DAY else UNREAD
        status = unread if isinstance(error, BadNotation) else ELSE
        return status, Refusal(error.code, sentence(language, error, kit.words if kit else None, game))
    code = error.code if error.code in REFUSED else "store-unwritable" if isinstance(error, NotStored) else ""
    why = error.sentence or language.tell(REFUSED[code], localized_facts(error.facts, language))
    return status_of(code), Refusal(code, why)
