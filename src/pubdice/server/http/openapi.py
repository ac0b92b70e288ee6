"""The house's HTTP described for programs, as OpenAPI 3.1: every route, every status, every message. Serves nothing.

Messages are described from the structs that read and write them (``requests``, ``wire``), so the two cannot differ.
Routes stand here in a table, and a test holds it against the app's. A route names the codes it may refuse with, and
their statuses are looked up where answers look them up (``refusals.status_of``); tests hold them against a real house.
"""

from dataclasses import dataclass
from typing import Any

import msgspec

from pubdice.server import requests, wire
from pubdice.server.http.guard import REFUSALS
from pubdice.server.http.refusals import NO_DAY, REFUSED, status_of
from pubdice.server.live.table_codes import SECRET_LETTERS

JSON, PAGE, TEXT, FORM = "application/json", "text/html", "text/plain", "application/x-www-form-urlencoded"
EVENTS, PICTURE = "text/event-stream", "image/svg+xml"
MESSAGES = (
    requests.Request, requests.Order, requests.Opened, requests.Done, requests.PositionAnswer, requests.DayPosition,
    requests.Figures, requests.ReceiptAnswer, requests.Refusal, wire.Update, wire.State,
)  # fmt: skip
FINDING = ("guesses", "no-table", "code-retired", "no-link", "log-damaged", "store-unreadable")
"""Why a table is not found, or not shown."""
READING = ("json", "kind", "fields", "shape")
"""Why a body is not read; the notation in it may be at fault too, which has the same status."""
OPENING = ("often", "tables-here", "tables-in-all", "key-used", "no-code", "store-unwritable", "not-known", "moved-on")
"""Why a table is not set up."""
ASKING = ("fields", "often", "asks-waiting", "no-answer")
"""Why a question about a position has no answer; the position may be at fault too, or too large to solve."""
DAYS = (*ASKING, *NO_DAY)
"""Why a day's position is not shown; text instead of a date, and a house without solved games, have 422."""
DAY: dict[int, tuple[str, ...]] = {200: (PAGE, JSON), 202: (PAGE,)}
WORKED: dict[int, tuple[str, ...]] = {200: (PAGE, JSON), 202: (PAGE, JSON)}
DAY_FORM = ((FORM, "DayForm"),)
OVER = (*FINDING, "not-over", *ASKING)
"""Why a question about a finished match has no answer."""
DOOR = tuple(sorted({status for status, _ in REFUSALS.values()}))
"""What the guard answers, on any route."""

Schema = dict[str, Any]

SENTENCES = {
    200: "Here it is.",
    201: "Done, and there is something new.",
    202: "It is being worked out; ask again.",
    303: "Done; go on there.",
    307: "Its whole address; go on there.",
    308: "It has moved; Location says where.",
    400: "The request cannot be read.",
    403: "Not for you to ask.",
    404: "There is no such thing here.",
    405: "Not to be asked in that way.",
    408: "The rest of the request did not come.",
    409: "It does not go with how things stand, or a key was used for something else.",
    413: "Too large.",
    414: "The address is too long.",
    415: "Neither JSON nor a form.",
    421: "The house does not go by that name.",
    422: "It can be read, but does not make sense: a field is missing, unknown or out of bounds.",
    429: "Too often; Retry-After says how many seconds to wait.",
    500: "Something went wrong in the house.",
    503: "Not now: the house is closing, or cannot store anything.",
}


@dataclass(frozen=True, slots=True)
class Route:
    """A route: what it is for, what it may answer with (content types by status), parameters and bodies it takes.

    refuses: the codes of its own refusals, besides the guard's.
    """

    method: str
    path: str
    said: str
    gives: dict[int, tuple[str, ...]]
    refuses: tuple[str, ...] = ()
    query: tuple[str, ...] = ()
    takes: tuple[tuple[str, str], ...] = ()
    carries: str = ""


ROUTES: tuple[Route, ...] = (
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
    Route("GET", "/find", "From a code to its table.", {303: ()}, FINDING, query=("code",)),
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
    Route(
        "GET",
        "/ask",
        "Ask the house about a position of any game.",
        {200: (PAGE, JSON), 202: (PAGE,), 303: ()},
        ASKING,
        query=("record",),
        carries="PositionAnswer",
    ),
    Route(
        "GET",
        "/ask/{game}",
        "Ask the house about a position of a game: a field for each flag of advise.",
        {200: (PAGE, JSON), 202: (PAGE,)},
        ("no-page", *ASKING),
        carries="PositionAnswer",
    ),
    Route(
        "GET",
        "/t/{code}/ask/{number}",
        "A decision of a finished match, by its number.",
        {200: (PAGE, JSON), 202: (PAGE,)},
        OVER,
        carries="PositionAnswer",
    ),
    Route(
        "GET",
        "/t/{code}/receipt",
        "What decided a finished match; its moves one by one; its costly keeps as questions.",
        {200: (PAGE, JSON), 202: (PAGE,)},
        (*OVER, "no-move", "no-question", "no-questions", "no-choice"),
        query=("step", "again", "keep"),
        carries="ReceiptAnswer",
    ),
    Route("GET", "/t/{code}/receipt.svg", "Its result as a picture.", {200: (PICTURE,), 202: ()}, OVER),
    Route("GET", "/verify", "Check the sealed dice of a record.", {200: (PAGE,)}),
    Route("GET", "/verify.html", "The same check as one file that needs no house.", {200: (PAGE,)}),
    Route(
        "GET",
        "/t/{code}/verify",
        "Check the sealed dice of a table's match.",
        {200: (PAGE,)},
        (*FINDING, "often", "no-record", "not-sealed"),
    ),
    Route("GET", "/daily", "Today's position of Last orders.", DAY, DAYS, carries="DayPosition"),
    Route("POST", "/daily", "Answer it.", {303: ()}, (*DAYS, *READING, "day-over", "day-soon"), takes=DAY_FORM),
    Route("GET", "/daily/{date}", "A day's position; once it is over, answered.", DAY, DAYS, carries="DayPosition"),
    Route("GET", "/best-play/{game}", "Best play in figures.", WORKED, ("no-page", *ASKING), carries="Figures"),
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
    Route("GET", "/openapi.json", "This description.", {200: (JSON,)}),
    Route("GET", "/healthz", "Whether the house can store what is played.", {200: (TEXT,), 503: (TEXT,)}),
    Route("GET", "/metrics", "Metrics for Prometheus.", {200: (TEXT,)}),
    Route("GET", "/static/{hash}/{name}", "Styles, scripts and pictures.", {200: ()}, ("no-page",)),
)
"""Every route of the house."""


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
    "record?": _asked("record", "A record that ends where somebody has to choose; else a form.", maxLength=800),
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


def describe(version: str) -> Schema:
    """The whole description, as data ready for JSON."""
    _, messages = msgspec.json.schema_components(MESSAGES, ref_template="#/components/schemas/{name}")
    paths: Schema = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "pubdice",
            "version": version,
            "summary": "A house of pub dice games.",
            "description": (
                "A person is a cookie, which the first page sets. A command carries a key of its own, and counts once "
                "however often it is sent. Nothing is answered before it is stored."
            ),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {
            "schemas": {**messages, **_forms(messages)},
            "responses": {f"refused-{status}": _refusal(status) for route in ROUTES for status in _refused(route)},
        },
    }


def _operation(route: Route) -> Schema:
    names = [part[1:-1] for part in route.path.split("/") if part.startswith("{")]
    parameters = [PARAMETERS[name] for name in names] + [PARAMETERS[f"{name}?"] for name in route.query]
    operation: Schema = {
        "operationId": _name(route),
        "summary": route.said,
        "responses": {str(status): _response(route, status) for status in statuses(route)},
    }
    if parameters:
        operation["parameters"] = parameters
    if route.takes:
        content = {kind: {"schema": _ref(name)} for kind, name in route.takes}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def statuses(route: Route) -> list[int]:
    """Every status that a route may answer with, its own and the guard's."""
    return sorted({*route.gives, *map(status_of, route.refuses), *DOOR})


def _refused(route: Route) -> set[int]:
    return {status for status in statuses(route) if status not in route.gives}


def _response(route: Route, status: int) -> Schema:
    if status in _refused(route):
        return {"$ref": f"#/components/responses/refused-{status}"}
    response: Schema = {"description": SENTENCES[status]}
    if kinds := route.gives[status]:
        response["content"] = {kind: {"schema": _content(route, kind)} for kind in kinds}
    return response | _headers(status)


def _refusal(status: int) -> Schema:
    page = {"schema": {"type": "string"}}
    content = {JSON: {"schema": _ref("Refusal")}, PAGE: page, TEXT: page}
    return {"description": SENTENCES[status], "content": content} | _headers(status)


def _headers(status: int) -> Schema:
    named = {
        303: ("Location", "string"),
        307: ("Location", "string"),
        308: ("Location", "string"),
        405: ("Allow", "string"),
        429: ("Retry-After", "integer"),
    }
    if status not in named:
        return {}
    name, kind = named[status]
    return {"headers": {name: {"schema": {"type": kind}}}}


def _content(route: Route, kind: str) -> Schema:
    if kind != JSON:
        return {"type": "string"}
    return _ref(route.carries) if route.carries else {"type": "object"}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _name(route: Route) -> str:
    parts = [part.strip("{}").replace(".", "_") for part in route.path.split("/") if part]
    return "_".join([route.method.lower(), *(parts or ["front"])])


def _forms(messages: Schema) -> Schema:
    """Forms have the fields of the messages as text; a button's "mark" stands for do=mark with these marks."""
    return {
        "RequestForm": {
            "type": "object",
            "required": ["key"],
            "properties": {name: {"type": "string"} for name in (*messages["Request"]["properties"], "mark")},
        },
        "OrderForm": {"type": "object", "additionalProperties": {"type": "string"}},
        "DayForm": {
            "type": "object",
            "required": ["day", "keep"],
            "properties": {"day": {"type": "string"}, "keep": {"type": "string"}},
        },
        "LanguageForm": {
            "type": "object",
            "required": ["language"],
            "properties": {"language": {"type": "string"}, "back": {"type": "string"}},
        },
    }
