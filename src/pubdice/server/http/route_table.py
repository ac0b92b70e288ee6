"""Routes that no page declares yet, as data: what it is for, what it may answer, and with which codes it may refuse.

A test holds the table against the app's routes, and others hold answers of a real house against it.
"""

from typing import Any

from pubdice.server import requests, wire
from pubdice.server.live.table_codes import SECRET_LETTERS
from pubdice.server.web.refusals import NO_DAY, REFUSED
from pubdice.server.web.routing import ASKING, EVENTS, FORM, JSON, PAGE, PICTURE, READING, TEXT, Field, Form, Schema
from pubdice.server.web.routing import Route as NewRoute

FINDING = ("guesses", "no-table", "code-retired", "no-link", "log-damaged", "store-unreadable")
"""Why a table is not found, or not shown."""
NIGHT = ("guesses", "no-night", "no-link", "no-seals", "store-unreadable")
"""Why a duplicate night is not found."""
KEEPING = ("store-unwritable", "store-unreadable", "not-known")
"""Why a setting is not stored."""
OPENING = ("often", "tables-here", "tables-in-all", "key-used", "no-code", "store-unwritable", "not-known", "moved-on")
"""Why a table is not set up."""
DAYS = (*ASKING, *NO_DAY)
"""Why a day's position is not shown; text instead of a date, and a house without solved games, have 422."""
DRILL = ("no-page", *ASKING)
"""Why a position of the drill is not shown."""
DAY: dict[int, tuple[str, ...]] = {200: (PAGE, JSON), 202: (PAGE,)}
WORKED: dict[int, tuple[str, ...]] = {200: (PAGE, JSON), 202: (PAGE, JSON)}
BOOK = ("often", "store-unwritable", "store-unreadable", "log-damaged")
"""Why the players' book is not shown; a name that nobody may have, and text that is no form, have 422 and 4xx."""
DAY_FORM = ((FORM, "DayForm"),)
OPENED = ("no-page", "record-closed", *ASKING, "no-move", "no-question", "no-questions", "no-choice")
"""Why an opened record has no answer; a house opens none, so there all of this is no page."""
OVER = (*FINDING, "not-over", *ASKING)
"""Why a question about a finished match has no answer."""


BOOK_DEEDS = ("join", "enter", "words", "leave", "erase")


def _asked(name: str, said: str, **schema: Any) -> Schema:
    """A field of a query, which may be left out."""
    return {"name": name, "in": "query", "required": False, "description": said, "schema": {"type": "string", **schema}}


PARAMETERS: dict[str, Schema] = {
    "code": {
        "name": "code",
        "in": "path",
        "required": True,
        "description": "A table's code, or its link: the code and a secret, which lets everybody in who holds it.",
        "schema": {"type": "string", "pattern": f"^([A-Za-z]{{6}}|[A-Za-z]{{9}})(-[a-z2-7]{{{SECRET_LETTERS}}})?$"},
    },
    "game": {
        "name": "game",
        "in": "path",
        "required": True,
        "schema": {"type": "string", "pattern": "^[a-z0-9-]{1,40}$"},
    },
    "hash": {
        "name": "hash",
        "in": "path",
        "required": True,
        "schema": {"type": "string", "pattern": "^[a-z0-9_-]{1,80}$"},
    },
    "name": {
        "name": "name",
        "in": "path",
        "required": True,
        "schema": {"type": "string", "pattern": "^[a-z0-9_-]{1,40}[.][a-z]{1,5}$"},
    },
    "opened": {
        "name": "opened",
        "in": "path",
        "required": True,
        "description": "An opened record: 64 bits of its SHA-256.",
        "schema": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
    },
    "number": {
        "name": "number",
        "in": "path",
        "required": True,
        "description": "Which decision of the match, from 1; only those with a choice count.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,6}$"},
    },
    "date": {
        "name": "date",
        "in": "path",
        "required": True,
        "schema": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
    },
    "code?": {
        "name": "code",
        "in": "query",
        "required": True,
        "description": "A code as people type it.",
        "schema": {"type": "string", "maxLength": 200},
    },
    "record?": _asked("record", "A record that ends where somebody has to choose; else a form.", maxLength=5000),
    "step?": _asked("step", "Which move to show, 0 for the start; the last one if left out.", pattern="^[0-9]{1,6}$"),
    "again?": _asked("again", "Which costly keep to ask about, from 1.", pattern="^[0-9]{1,6}$"),
    "keep?": _asked("keep", "What one would have done, as a record has it.", maxLength=40),
    "from?": {
        "name": "from",
        "in": "query",
        "required": False,
        "description": "The number of events known already. Last-Event-ID goes before it.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 2**31},
    },
}
"""Parameters: those of a query have a question mark after their name."""


FORMS = {
    "RequestForm": Form(
        "RequestForm", ("key",), (*[n for n in requests.Request.__struct_fields__ if n != "key"], "mark")
    ),
    "OrderForm": Form("OrderForm", more=True),
    "RecordForm": Form("RecordForm", ("record",)),
    "DayForm": Form("DayForm", ("day", "keep")),
    "DrillForm": Form("DrillForm", ("keep",)),
    "NightForm": Form("NightForm", more=True),
    "NightTableForm": Form("NightTableForm", ("name",), ("key",)),
    "BookForm": Form("BookForm", ("do",), ("name", "words", "sure"), choices={"do": BOOK_DEEDS}),
    "LanguageForm": Form("LanguageForm", ("language",), ("back",)),
}


async def _elsewhere(visit: Any) -> Any:
    raise AssertionError


def _field(key: str) -> Field:
    found = PARAMETERS[key]
    return Field(found["name"], found.get("description", ""), "", found["required"], found["schema"])


def Route(  # noqa: N802, PLR0917
    method: Any,
    path: str,
    said: str,
    gives: dict[int, tuple[str, ...]],
    refuses: tuple[str, ...] = (),
    query: tuple[str, ...] = (),
    takes: tuple[tuple[str, str], ...] = (),
    carries: str = "",
) -> NewRoute:
    """A route that is not declared by its page yet."""
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")] + [f"{name}?" for name in query]
    kinds = tuple(FORMS[name] if kind == FORM else getattr(requests, name) for kind, name in takes)
    returns = (getattr(requests, carries, None) or getattr(wire, carries)) if carries else None
    fields = tuple(map(_field, names))
    return NewRoute(method, path, _elsewhere, said, fields, kinds, returns, refuses=refuses, gives=gives)


ROUTES: tuple[NewRoute, ...] = (
    Route("GET", "/", "The front page.", {200: (PAGE,)}),
    Route(
        "POST",
        "/tables",
        "Set up a table.",
        {201: (JSON,), 303: ()},
        (*READING, *OPENING),
        takes=((JSON, "Order"), (FORM, "OrderForm")),
        carries="Opened",
    ),
    Route(
        "GET",
        "/find",
        "From a code or a link to its table, or its duplicate night.",
        {303: ()},
        FINDING,
        query=("code",),
    ),
    Route("GET", "/t/{code}", "A table's page; a bare code leads to its link.", {200: (PAGE,), 307: ()}, FINDING),
    Route(
        "POST",
        "/t/{code}",
        "Ask something of a table.",
        {200: (JSON,), 303: ()},
        tuple(REFUSED),
        takes=((JSON, "Request"), (FORM, "RequestForm")),
        carries="Done",
    ),
    Route("GET", "/t/{code}/state", "A table as it stands.", {200: (JSON,)}, FINDING, carries="State"),
    Route(
        "GET",
        "/t/{code}/events",
        "A table's events from one on, as they happen: each message's data is an Update.",
        {200: (EVENTS,)},
        (*FINDING, "streams"),
        query=("from",),
    ),
    Route("GET", "/t/{code}/big", "The table for a big screen.", {200: (PAGE,)}, FINDING),
    Route("GET", "/t/{code}/record", "The match so far as a record.", {200: (TEXT,)}, (*FINDING, "often", "no-record")),
    Route("GET", "/t/{code}/qr.svg", "The table's address as a QR code.", {200: (PICTURE,)}, FINDING),
    Route("GET", "/rules/{game}", "The rules of a game.", {200: (PAGE,)}, ("no-page",)),
    Route("GET", "/night", "The form that begins a duplicate night.", {200: (PAGE,)}),
    Route(
        "POST",
        "/night",
        "Begin a duplicate night, whose tables have the same dice.",
        {303: ()},
        (*READING, *ASKING, *KEEPING, "night-counting", "no-code", "no-seals"),
        takes=((FORM, "NightForm"),),
    ),
    Route(
        "GET",
        "/night/{code}",
        "A duplicate night, and who gave least away at its tables; a bare code leads to its link.",
        {**WORKED, 307: ()},
        (*NIGHT, *ASKING, "log-damaged"),
        carries="NightAnswer",
    ),
    Route(
        "POST",
        "/night/{code}",
        "Set up a table of the night.",
        {303: ()},
        (*NIGHT, *READING, *OPENING, "night-once", "night-full", "night-here"),
        takes=((FORM, "NightTableForm"),),
    ),
    Route(
        "POST",
        "/prices",
        "From a form that opens a table to what the rules of its match change, for so many players.",
        {303: ()},
        (*READING, "no-page"),
        takes=((FORM, "OrderForm"),),
    ),
    Route("GET", "/book", "The players' book: one's own page, or a form to be written in.", {200: (PAGE,)}, BOOK),
    Route(
        "POST",
        "/book",
        "Be written into the book, come in by four words, draw others, leave, or be erased.",
        {200: (PAGE,), 303: ()},
        (*BOOK, *READING, "guesses", "asks-waiting", "book-words", "book-full", "book-here", "not-in-book"),
        takes=((FORM, "BookForm"),),
    ),
    Route(
        "GET",
        "/book/export",
        "All that the book holds about the player whose browser asks.",
        {200: (JSON,)},
        (*BOOK, "not-in-book"),
        carries="BookExport",
    ),
    Route("GET", "/help", "How to play here.", {200: (PAGE,)}),
    Route("GET", "/privacy", "What the house keeps of people, and for how long.", {200: (PAGE,)}),
    Route("GET", "/words", "Moved to /privacy.", {308: ()}),
    Route("GET", "/preview.png", "The picture that chats show of a link.", {200: ("image/png",)}),
    Route(
        "POST",
        "/language",
        "Choose a language.",
        {303: ()},
        READING,
        takes=((FORM, "LanguageForm"),),
    ),
    Route("POST", "/names", "Forget the names of those who share this phone.", {303: ()}),
    Route("GET", "/openapi.json", "This description.", {200: (JSON,)}),
    Route("GET", "/ready", "Whether a balancer may send people here.", {200: (TEXT,), 503: (TEXT,)}),
    Route("GET", "/healthz", "Whether the house can store what is played.", {200: (TEXT,), 503: (TEXT,)}),
    Route("GET", "/metrics", "Metrics for Prometheus.", {200: (TEXT,)}),
    Route("GET", "/static/{hash}/{name}", "Styles, scripts and pictures.", {200: ()}, ("no-page",)),
)
"""Every route of the house."""
