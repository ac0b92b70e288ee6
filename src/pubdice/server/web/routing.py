"""Routes as pages declare them, each once: the app serves by them, and ``describe`` them to programs.

Knows no house.

A route names its address and its method, its fields, its answer, its rate limit, and the codes it may refuse with. All
else of such a route follows from that: statuses, refusals, 405 for other methods.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Union

import msgspec
from starlette.responses import Response

from pubdice.core.errors import Refused
from pubdice.server.web.guard import REFUSALS
from pubdice.server.web.refusals import status_of
from pubdice.server.wire import Refusal, Update

JSON, PAGE, TEXT, FORM = "application/json", "text/html", "text/plain", "application/x-www-form-urlencoded"
EVENTS, PICTURE = "text/event-stream", "image/svg+xml"
READING = ("json", "kind", "fields", "shape")
"""Why a body is not read; the notation in it may be at fault too, which has the same status."""
ASKING = ("fields", "often", "asks-waiting", "no-answer")
"""The reasons for no answer of the worker; its question may be at fault too, or too large to solve."""
DOOR = tuple(sorted({status for status, _ in REFUSALS.values()}))
"""The guard's answers, on any route."""

Schema = dict[str, Any]
Endpoint = Callable[..., Awaitable[Response]]
"""Answers a visit (``pages.visit.PageVisit``). Errors it raises become refusals."""
Limit = Literal["", "asking", "opening", "record"]
"""A method of ``limits.Limiter`` that counts requests of an address."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an address, or of a query. said: its meaning. pattern: a regular expression that all of it has to
    match, else the request is refused as "fields". schema: of a page's own check, for the description only.
    """

    name: str
    said: str = ""
    pattern: str = ""
    required: bool = False
    schema: Mapping[str, Any] = field(default_factory=dict)

    def check(self, text: str) -> None:
        """Refuse a value, "" where there is none, that is not as declared. Raises Refused("fields")."""
        if not self.pattern or (not text and not self.required):
            return
        if re.fullmatch(self.pattern, text) is None:
            raise Refused("fields", field=self.name)


GAME = Field("game", schema={"pattern": "^[a-z0-9-]{1,40}$"})
NUMBER = Field(
    "number",
    "Which decision of the match, from 1; only those with a choice count.",
    schema={"pattern": "^[0-9]{1,6}$"},
)


@dataclass(frozen=True, slots=True)
class Form:
    """A body that is a form. needs: fields it must have; may: others. more: fields with other names are read, too."""

    name: str
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    more: bool = False
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def schema(self) -> Schema:
        """The form for OpenAPI."""
        if self.more:
            return {"type": "object", "additionalProperties": {"type": "string"}}
        texts: Schema = {name: {"type": "string"} for name in (*self.needs, *self.may)}
        for name, values in self.choices.items():
            texts[name]["enum"] = list(values)
        return {"type": "object", "required": list(self.needs), "properties": texts}


@dataclass(frozen=True, slots=True)
class OneOf:
    """A body of JSON that is one of some messages, told apart by their tag."""

    name: str
    kinds: tuple[type[msgspec.Struct], ...]

    def schema(self) -> Schema:
        """The union for OpenAPI."""
        (union,), _ = msgspec.json.schema_components((Union[self.kinds],), ref_template=REF)  # noqa: UP007 - of a tuple
        return union


@dataclass(frozen=True, slots=True)
class Route:
    """An address with a method, and its endpoint.

    said: its purpose. fields: of the address, and of the query. takes: the bodies it reads, a msgspec type as JSON and
    a form. returns: the type of its JSON. asks: the worker may still be at it, so the page says that it asks again
    (202). limit: which rate limit counts a request as it comes. refuses: codes of refusals besides those that follow
    from the rest. gives: content types by status, where they are not the usual ones. only: "house" for what needs other
    devices, "pocket" for what opens files: strangers would fill a house's memory. plain: it is for machines, so the
    endpoint takes the site and the request, and nobody asks who the browser is.
    """

    method: Literal["GET", "POST"]
    path: str
    answer: Endpoint
    said: str
    fields: tuple[Field, ...] = ()
    takes: tuple[Any, ...] = ()
    returns: Any = None
    asks: bool = False
    limit: Limit = ""
    refuses: tuple[str, ...] = ()
    gives: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    only: Literal["", "house", "pocket"] = ""
    plain: bool = False

    def answers(self) -> Mapping[int, tuple[str, ...]]:
        """The content types by status that it answers with, refusals apart."""
        if self.gives:
            return self.gives
        if self.method == "POST":
            return {303: ()}
        return {200: (PAGE, JSON) if self.returns else (PAGE,), **({202: (PAGE,)} if self.asks else {})}

    def codes(self) -> tuple[str, ...]:
        """The codes of its refusals, the guard's apart."""
        checked = ("fields",) if any(each.pattern for each in self.fields) else ()
        limited = ("often",) if self.limit else ()
        return (*self.refuses, *(ASKING if self.asks else ()), *(READING if self.takes else ()), *checked, *limited)

    def statuses(self) -> list[int]:
        """Every status that it may answer with, its own and the guard's."""
        return sorted({*self.answers(), *map(status_of, self.codes()), *DOOR})

    @property
    def in_path(self) -> frozenset[str]:
        """The names of the fields that stand in its address."""
        return frozenset(part[1:-1] for part in self.path.split("/") if part.startswith("{"))


# The house's HTTP described for programs, as OpenAPI 3.1: every route, every status, every message. Serves nothing.
#
# Messages are described from the structs that read and write them, so the two cannot differ. A route names the codes
# it may refuse with, and their statuses are looked up where answers look them up (``refusals.status_of``); tests hold
# the description against a real house.


REF = "#/components/schemas/{name}"
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
HEADERS = {
    303: ("Location", "string"),
    307: ("Location", "string"),
    308: ("Location", "string"),
    405: ("Allow", "string"),
    429: ("Retry-After", "integer"),
}
"""The header that comes with a status, and its type."""


def describe(routes: Sequence[Route], version: str) -> Schema:
    """The whole description, as data ready for JSON."""
    named = [kind for route in routes for kind in route.takes if isinstance(kind, Form | OneOf)]
    types = [kind for route in routes for kind in (*route.takes, route.returns) if kind and kind not in named]
    types += [kind for union in named if isinstance(union, OneOf) for kind in union.kinds]
    messages = tuple(dict.fromkeys([*types, Update, Refusal]))  # Update: the data of a stream's messages
    _, schemas = msgspec.json.schema_components(messages, ref_template=REF)
    paths: Schema = {}
    refused: dict[int, None] = {}
    for route in routes:
        gives, statuses = route.answers(), route.statuses()
        refused |= dict.fromkeys(status for status in statuses if status not in gives)
        operation = _operation(route, {str(status): _response(route, gives.get(status), status) for status in statuses})
        paths.setdefault(route.path, {})[route.method.lower()] = operation
        if route.method == "GET":  # Starlette answers both
            paths[route.path]["head"] = _head_of(operation)
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
            "schemas": {**schemas, **{each.name: each.schema() for each in named}},
            "responses": {f"refused-{status}": _refusal(status) for status in refused},
        },
    }


def _head_of(operation: Schema) -> Schema:
    """HEAD, from the GET that it is the head of."""
    name = operation["operationId"].replace("get", "head", 1)
    answers = {"default": {"description": "The status and headers of GET, without its body."}}
    return {**operation, "operationId": name, "responses": answers}


def _operation(route: Route, responses: Schema) -> Schema:
    operation: Schema = {"operationId": _name(route), "summary": route.said, "responses": responses}
    if route.fields:
        operation["parameters"] = [_parameter(each, in_path=each.name in route.in_path) for each in route.fields]
    if route.takes:
        bodies = {FORM if isinstance(kind, Form) else JSON: {"schema": _ref(kind)} for kind in route.takes}
        operation["requestBody"] = {"required": True, "content": bodies}
    return operation


def _parameter(each: Field, *, in_path: bool) -> Schema:
    parameter: Schema = {"name": each.name, "in": "path" if in_path else "query", "required": in_path or each.required}
    if each.said:
        parameter["description"] = each.said
    pattern = {"pattern": f"^{each.pattern}$"} if each.pattern else {}
    return parameter | {"schema": {"type": "string", **pattern, **each.schema}}


def _response(route: Route, kinds: tuple[str, ...] | None, status: int) -> Schema:
    if kinds is None:
        return {"$ref": f"#/components/responses/refused-{status}"}
    response: Schema = {"description": SENTENCES[status]}
    if kinds:
        response["content"] = {kind: {"schema": _content(route, kind)} for kind in kinds}
    return response | _headers(status)


def _refusal(status: int) -> Schema:
    page = {"schema": {"type": "string"}}
    content = {JSON: {"schema": _ref(Refusal)}, PAGE: page, TEXT: page}
    return {"description": SENTENCES[status], "content": content} | _headers(status)


def _headers(status: int) -> Schema:
    if status not in HEADERS:
        return {}
    name, kind = HEADERS[status]
    return {"headers": {name: {"schema": {"type": kind}}}}


def _content(route: Route, kind: str) -> Schema:
    if kind != JSON:
        return {"type": "string"}
    return _ref(route.returns) if route.returns else {"type": "object"}


def _ref(kind: Any) -> Schema:
    return {"$ref": f"#/components/schemas/{kind.name if isinstance(kind, Form | OneOf) else kind.__name__}"}


def _name(route: Route) -> str:
    parts = [part.strip("{}").replace(".", "_") for part in route.path.split("/") if part]
    return "_".join([route.method.lower(), *(parts or ["front"])])
