"""The field on a table's page: what is typed there as in the terminal, and what the house answers.

A question is answered from the view and changes nothing; a word such as ``rematch`` asks for that deed; the rest is a
line of moves, done as one command.
"""

from typing import cast, get_args

from msgspec import UNSET, UnsetType, structs

from pubdice.game import Seat
from pubdice.names import find_name
from pubdice.party import PartyState
from pubdice.server.wire import Deed, Request, Told, View
from pubdice.table import Refused
from pubdice.typed.grammar import HOUSE, Choose, Intent, Unclear, read_answer
from pubdice.typed.words import marked
from pubdice.words import Language, stopped

DEEDS = frozenset(get_args(Deed))
MOVES = ("roll", "bank", "undo")


def line_of(request: Request) -> str:
    """What was typed."""
    return "" if isinstance(request.text, UnsetType) else request.text.strip()


def meant(request: Request, state: PartyState) -> Request:
    """The request that a typed word is short for, under the same key; any other line as it stands."""
    line = line_of(request)
    deed = HOUSE.get(line.lower(), "")
    if deed in DEEDS:
        return structs.replace(request, do=cast("Deed", deed), text=UNSET)
    if state.table is not None and state.play is not None and state.table.match.to_draw(state.play.match):
        seat = find_name(line, state.names)
        if seat is not None:
            return structs.replace(request, do="draw", seat=Seat(seat), text=UNSET)
    return request


def read_moves(text: str) -> tuple[Intent, ...]:
    """The moves of a line. Raises Refused for one that means nothing, or that asks and moves at once."""
    intents = read_answer(text)
    if isinstance(intents, Unclear):
        raise Refused(f"typed-{intents.why}", found=intents.found[:40])
    if not all(isinstance(intent, Choose) or intent.word in MOVES for intent in intents):
        raise Refused("typed-mixed")
    return tuple(intents)


def answer(tongue: Language, text: str, view: View, seat: int | None) -> str | None:
    """The answer to a line that only asks; None for any other."""
    words = [HOUSE[text.lower()]] if HOUSE.get(text.lower()) == "whose" else _questions(text)
    if words is None:
        return None
    return " ".join(_answer(tongue, word, view, seat) for word in words or ["question"])


def _questions(text: str) -> list[str] | None:
    intents = read_answer(text)
    if isinstance(intents, Unclear) or any(isinstance(one, Choose) or one.word in MOVES for one in intents):
        return None
    return [one.word for one in intents if not isinstance(one, Choose)]


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
    if word == "help":
        return _help(tongue)
    if word == "quit":
        return tongue.say("Your seat stays yours. To leave it for good, press Leave the table.")
    return (said(view.whose) if word == "whose" else open_question) or said(view.whose)


def _help(tongue: Language) -> str:
    say = tongue.say
    return " ".join([
        say("Type dice by their faces: 1 4 r keeps a 1 and a 4 and rolls the others."),
        say("k 6 5 keeps just these, k - none; x 1 3 rolls just these again."),
        say("r rolls, b banks, u undoes."),
        say("h is your dice, s the score, t what you need, w whose turn it is, l what happened last."),
        say("start, ready, unready, pause, give, back, rematch and nudge do what their buttons do."),
    ])  # fmt: skip


def _hand(view: View, seat: int | None) -> str:
    """One's own dice, as the key H tells them; the mover's if one has none."""
    if seat is not None and view.seats[seat].dice:
        return view.seats[seat].own_hand or view.seats[seat].hand
    return "" if view.mover is None else view.seats[view.mover].hand


def done(tongue: Language, moves: tuple[Intent, ...], state: PartyState) -> str:
    """What is kept now, where a line only chose; what it did besides is told to everybody."""
    if not moves or not (isinstance(moves[-1], Choose) or moves[-1].word == "undo"):
        return ""
    table, play = state.table, state.play
    mover = None if table is None or play is None else table.mover(play)
    if table is None or play is None or mover is None or not table.match.legal(play.match):
        return ""
    return marked(tongue, table.view(play, mover), ends=False)
