"""The text field on a table's page, with the commands of the terminal, and the house's answers.

A line is one of three things. A question is answered from the view, and changes nothing. A word such as ``rematch``
stands for a request. Any other line is a list of moves, carried out as one command.
"""

from typing import Any
from unicodedata import normalize

from msgspec import UnsetType

from pubdice.core.dice import SIX, DieFaces
from pubdice.core.errors import Refused
from pubdice.kit import Kit
from pubdice.match.header import find_name
from pubdice.room import RoomState
from pubdice.room.commands import ASKED, HOUSE_WORDS, house_words
from pubdice.server.table.actor import TableActor
from pubdice.server.wire import REQUESTS, Asked, Told, TypeLine, View
from pubdice.text.game_words import offers
from pubdice.text.language import Language, each_once, stopped
from pubdice.typed import WORDS, Choose, Intent, Unclear, command_words, move_named, read_answer, told_words
from pubdice.typed_answers import marked, why_unclear

MOVES = ("roll", "bank", "undo")


def line_of(request: TypeLine) -> str:
    """Return the text of the line in a request, with its letters composed (NFC) as in catalogues."""
    return "" if isinstance(request.text, UnsetType) else normalize("NFC", request.text).strip()


def meant(request: TypeLine, state: RoomState, kit: Kit, tongue: Language) -> Asked:
    """Return the request that a line stands for: a move, a word such as ``rematch``, or Player 1.

    Any other line leaves ``request`` as it is.
    """

    def short(do: str, **told: Any) -> Asked:
        return REQUESTS[do](key=request.key, seen=request.seen, **told)

    line = line_of(request)
    if state.match is not None and not state.match.state.match.over:
        table, inner = state.match.table, state.match.state.match
        offered = offers(kit.words, tongue, table.match.game, inner.round) if table.match.legal(inner) else ()
        if (move := move_named(line, offered)) is not None:
            return short("choose", action=move)
    deed = house_words(tongue).get(line.lower(), "")
    if deed in REQUESTS:
        return short(deed)
    live = state.match
    if live is not None and live.table.match.to_draw(live.state.match):
        seat = find_name(line, state.names)
        if seat is not None:
            return short("draw", seat=seat)
    return request


def read_moves(
    tongue: Language, text: str, die: DieFaces = SIX, *, names_dice: bool = True, enters: bool = False
) -> tuple[Intent, ...]:
    """Return the moves of a line. Raises Refused if the line means nothing, or if it mixes questions and moves."""
    intents = read_answer(text, die, command_words(tongue), names_dice=names_dice, enters=enters)
    if isinstance(intents, Unclear):
        raise Refused(f"typed-{why_unclear(intents, die)}", found=intents.found[:40], shown=die.names)
    if not all(isinstance(intent, Choose) or intent.word in MOVES for intent in intents):
        raise Refused("typed-mixed")
    return tuple(intents)


def answer(tongue: Language, text: str, view: View, actor: TableActor, person: str | None) -> str | None:
    """Return the answer to a line that only asks. None for any other line.

    At a table with lessons, ``hint`` is not such a line, because the solver answers it.
    """
    state = actor.state
    seat, lessons = state.only_seat_of(person), bool(state.setup.lessons)
    mine = view.mover in state.seats_of(person) or view.ask == "enter"
    asked = house_words(tongue).get(text.lower(), "")
    if lessons and asked == "hint":
        return None
    words = [asked] if asked == "whose" else _questions(tongue, text)
    if words is None:
        return None
    return " ".join(
        _help(tongue, view, actor.room.kit, mine=mine) if word == "help" else _answer(tongue, word, view, seat)
        for word in words or ["question"]
    )


def _questions(tongue: Language, text: str) -> list[str] | None:
    intents = read_answer(text, words=command_words(tongue))
    if isinstance(intents, Unclear) or any(isinstance(intent, Choose) or intent.word in MOVES for intent in intents):
        return None
    return [intent.word for intent in intents if not isinstance(intent, Choose)]


def _answer(tongue: Language, word: str, view: View, seat: int | None) -> str:
    def said(*lines: Told) -> str:
        return each_once(line.own.get(-1 if seat is None else seat, line.text) for line in lines)

    heading = said(view.heading)
    open_question = " ".join(filter(None, [heading and stopped(heading), said(view.status)]))
    if word == "scores":
        return said(*view.result, view.scores, view.standing) or open_question
    if word == "beat":
        return said(view.status) or said(view.beat) or tongue.say("Nothing to tell just now.")
    if word == "last":
        return said(*view.last) or tongue.say("Nothing has happened yet.")
    if word in ("dice", "advice"):
        return _hand(view, seat) or tongue.say("No dice on the table.")
    if word == "quit":
        return tongue.say("Your seat stays yours. To leave it for good, press Leave the table.")
    return (said(view.whose) if word == "whose" else open_question) or said(view.whose)


def _help(tongue: Language, view: View, kit: Kit, *, mine: bool) -> str:
    """Return a list of all that can be typed.

    If ``mine`` is true, the sender may move, so the list begins with an example.
    """
    say = tongue.say
    moves = say("Name a move by its number, its letter or its word. Name tiles by their numbers.")
    if kit.keeps_dice:
        moves = say("Name dice by their faces. k and dice keeps just these. x and dice rolls just these again.")
    spelt = [command.words[-1] for command in ASKED if command.words]
    verbs = [(key, does) for key, does in kit.words.verbs(tongue) if key.isalpha()]
    return " ".join([
        *([view.example] if mine and view.example else []),
        moves,
        *(say("{name}: {choice}.", name=key, choice=does) for key, does in verbs),
        say("u undoes."),
        say("h is your dice, s the score, t what you need, w whose turn it is, l what happened last."),
        say("{words} do what their buttons do.", words=tongue.join([*spelt, "hint", "rematch"])),
        *told_words(tongue, {*WORDS, *HOUSE_WORDS}, dict(verbs)),
    ])  # fmt: skip


def _hand(view: View, seat: int | None) -> str:
    """Return the dice of the sender's seat, as the key H tells them. If that seat has no dice, return the mover's."""
    if seat is not None and view.seats[seat].dice:
        return view.seats[seat].own_hand or view.seats[seat].hand
    return "" if view.mover is None else view.seats[view.mover].hand


def done(tongue: Language, moves: tuple[Intent, ...], state: RoomState) -> str:
    """Return the dice kept now, after a line that ends with a choice. "" after any other line: the table announces it.

    Real dice that were typed in read like a choice, but leave no choice marked.
    """
    if not moves or not (isinstance(moves[-1], Choose) or moves[-1].word == "undo"):
        return ""
    live, mover = state.match, state.mover
    if live is None or mover is None or not live.table.match.legal(live.state.match):
        return ""
    if isinstance(moves[-1], Choose) and moves[-1].how == "toggle" and not live.state.marks:
        return ""
    return marked(tongue, live.table.view(live.state, mover), ends=False)
