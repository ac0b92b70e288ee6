"""The field on a table's page, in which people type as in the terminal; and what the house answers.

The view answers a question, and nothing changes; a word such as ``rematch`` is short for a request (a ``Deed``); the
rest is a line of moves, done as one command.
"""

from typing import cast, get_args

from msgspec import UNSET, UnsetType, structs

from pubdice.core.errors import Refused
from pubdice.core.game import Seat
from pubdice.match.notation import find_name
from pubdice.room import RoomState
from pubdice.server.requests import Deed, Request
from pubdice.server.wire import Told, View
from pubdice.text.language import Language, stopped
from pubdice.typed import HOUSE, Choose, Intent, Unclear, marked, read_answer

DEEDS = frozenset(get_args(Deed))
MOVES = ("roll", "bank", "undo")


def line_of(request: Request) -> str:
    """The line that was typed, from a request."""
    return "" if isinstance(request.text, UnsetType) else request.text.strip()


def meant(request: Request, state: RoomState) -> Request:
    """The request that a typed word is short for, under the same key; the request itself for any other line."""
    line = line_of(request)
    deed = HOUSE.get(line.lower(), "")
    if deed in DEEDS:
        return structs.replace(request, do=cast("Deed", deed), text=UNSET)
    live = state.match
    if live is not None and live.table.match.to_draw(live.state.match):
        seat = find_name(line, state.names)
        if seat is not None:
            return structs.replace(request, do="draw", seat=Seat(seat), text=UNSET)
    return request


def read_moves(text: str) -> tuple[Intent, ...]:
    """The moves of a line. Raises Refused for a line that means nothing, or that asks and moves at once."""
    intents = read_answer(text)
    if isinstance(intents, Unclear):
        raise Refused(f"typed-{intents.why}", found=intents.found[:40])
    if not all(isinstance(intent, Choose) or intent.word in MOVES for intent in intents):
        raise Refused("typed-mixed")
    return tuple(intents)


def answer(
    tongue: Language, text: str, view: View, seat: int | None, *, keeps_dice: bool, lessons: bool = False
) -> str | None:
    """The answer to a line that only asks; None for any other.

    keeps_dice: dice can be chosen in this game. lessons: hints are given here, for which a solver is asked.
    """
    if lessons and HOUSE.get(text.lower()) == "hint":
        return None
    words = [HOUSE[text.lower()]] if HOUSE.get(text.lower()) == "whose" else _questions(text)
    if words is None:
        return None
    return " ".join(
        _help(tongue, keeps_dice) if word == "help" else _answer(tongue, word, view, seat)
        for word in words or ["question"]
    )


def _questions(text: str) -> list[str] | None:
    intents = read_answer(text)
    if isinstance(intents, Unclear) or any(isinstance(intent, Choose) or intent.word in MOVES for intent in intents):
        return None
    return [intent.word for intent in intents if not isinstance(intent, Choose)]


def _answer(tongue: Language, word: str, view: View, seat: int | None) -> str:
    def said(*lines: Told) -> str:
        return " ".join(filter(None, (line.own.get(-1 if seat is None else seat, line.text) for line in lines)))

    heading = said(view.heading)
    open_question = " ".join(filter(None, [heading and stopped(heading), said(view.status)]))
    if word == "scores":
        return said(*view.result, view.scores, view.standing) or open_question
    if word == "beat":
        return said(view.beat) or tongue.say("Nothing to tell just now.")
    if word == "last":
        return said(*view.last) or tongue.say("Nothing has happened yet.")
    if word in ("dice", "advice"):
        return _hand(view, seat) or tongue.say("No dice on the table.")
    if word == "quit":
        return tongue.say("Your seat stays yours. To leave it for good, press Leave the table.")
    return (said(view.whose) if word == "whose" else open_question) or said(view.whose)


def _help(tongue: Language, keeps_dice: bool) -> str:
    say = tongue.say
    dice = (
        say("Type dice by their faces: 1 4 r keeps a 1 and a 4 and rolls the others."),
        say("k 6 5 keeps just these, k - none; x 1 3 rolls just these again."),
    )
    return " ".join([
        *(dice if keeps_dice else ()),
        say("r rolls, b banks, u undoes."),
        say("h is your dice, s the score, t what you need, w whose turn it is, l what happened last."),
        say("start, ready, unready, pause, give, back, hint, rematch and nudge do what their buttons do."),
    ])  # fmt: skip


def _hand(view: View, seat: int | None) -> str:
    """The dice of the seat that asks, as the key H tells them; the mover's if that seat has none."""
    if seat is not None and view.seats[seat].dice:
        return view.seats[seat].own_hand or view.seats[seat].hand
    return "" if view.mover is None else view.seats[view.mover].hand


def done(tongue: Language, moves: tuple[Intent, ...], state: RoomState) -> str:
    """The dice kept now, after a line that ended with a choice; "" after any other, which everybody hears of.

    Real dice that are typed in read like a choice, but leave none made.
    """
    if not moves or not (isinstance(moves[-1], Choose) or moves[-1].word == "undo"):
        return ""
    live, mover = state.match, state.mover
    if live is None or mover is None or not live.table.match.legal(live.state.match):
        return ""
    if isinstance(moves[-1], Choose) and moves[-1].how == "toggle" and not live.state.marks:
        return ""
    return marked(tongue, live.table.view(live.state, mover), ends=False)
