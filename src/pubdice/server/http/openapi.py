"""The house's HTTP described for programs, as OpenAPI 3.1: every route, every status, every message. Serves nothing.

Messages are described from the structs that read and write them (``requests``, ``wire``), so the two cannot differ.
Routes stand in ``route_table``. A route names the codes it may refuse with, and
their statuses are looked up where answers look them up (``refusals.status_of``); tests hold them against a real house.
"""

from typing import Any

import msgspec

from pubdice.server import requests, wire
from pubdice.server.http.route_table import JSON, PAGE, ROUTES, TEXT, Route
from pubdice.server.live.table_codes import SECRET_LETTERS
from pubdice.server.web.guard import REFUSALS
from pubdice.server.web.refusals import status_of

MESSAGES = (
    requests.Request, requests.Order, requests.Opened, requests.Done, requests.PositionAnswer, requests.DayPosition,
    requests.Figures, requests.RulePrices, requests.ReceiptAnswer, requests.EveningAnswer, requests.NightAnswer,
    requests.BookExport, requests.Refusal, wire.Update, wire.State,
)  # fmt: skip
BOOK_DEEDS = ("join", "enter", "words", "leave", "erase")
"""What a form may ask of the players' book."""
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


def describe(version: str) -> Schema:
    """The whole description, as data ready for JSON."""
    _, messages = msgspec.json.schema_components(MESSAGES, ref_template="#/components/schemas/{name}")
    paths: Schema = {}
    refused = dict.fromkeys(status for route in ROUTES for status in statuses(route) if status not in route.gives)
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
            "responses": {f"refused-{status}": _refusal(status) for status in refused},
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


def _response(route: Route, status: int) -> Schema:
    if status not in route.gives:
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
        "RecordForm": {
            "type": "object",
            "required": ["record"],
            "properties": {"record": {"type": "string"}},
        },
        "DayForm": {
            "type": "object",
            "required": ["day", "keep"],
            "properties": {"day": {"type": "string"}, "keep": {"type": "string"}},
        },
        "DrillForm": {
            "type": "object",
            "required": ["keep"],
            "properties": {"keep": {"type": "string"}},
        },
        "NightForm": {"type": "object", "additionalProperties": {"type": "string"}},
        "NightTableForm": {
            "type": "object",
            "required": ["name"],
            "properties": {"name": {"type": "string"}, "key": {"type": "string"}},
        },
        "BookForm": {
            "type": "object",
            "required": ["do"],
            "properties": {
                "do": {"type": "string", "enum": list(BOOK_DEEDS)},
                "name": {"type": "string"},
                "words": {"type": "string"},
                "sure": {"type": "string"},
            },
        },
        "LanguageForm": {
            "type": "object",
            "required": ["language"],
            "properties": {"language": {"type": "string"}, "back": {"type": "string"}},
        },
    }
