"""The house's HTTP described for programs, as OpenAPI 3.1: every route, every status, every message. Serves nothing.

Messages are described from the structs that read and write them, so the two cannot differ. A route names its refusal
codes. Their statuses come from ``refusals.status_of``, as in answers. Tests compare the description with a real house.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from pubdice.server.web.routing import FORM, JSON, PAGE, REF, TEXT, Field, Form, OneOf, Route, Schema
from pubdice.server.wire import Refusal, Update

SENTENCES = {
    200: "The answer.",
    201: "Created.",
    202: "The answer is not ready. Ask again.",
    303: "Done. Go on at Location.",
    307: "Location has the full address.",
    308: "The page moved. Location has the new address.",
    400: "The request cannot be read.",
    403: "You may not ask for this.",
    404: "Not found.",
    405: "The address does not take this method. Allow lists its methods.",
    408: "The rest of the request did not come in time.",
    409: "The request does not fit the state of the table, or its key was used for another request.",
    413: "The request is too large.",
    414: "The address is too long.",
    415: "The body is neither JSON nor a form.",
    421: "The house has another name.",
    422: "A field of the request is missing, unknown or out of bounds.",
    429: "Too many requests. Retry-After has the seconds to wait.",
    500: "An error in the house.",
    503: "The house is closing, or cannot store anything. Try again later.",
}
HEADERS = {
    303: ("Location", "string"),
    307: ("Location", "string"),
    308: ("Location", "string"),
    405: ("Allow", "string"),
    429: ("Retry-After", "integer"),
}
"""The header that an answer with this status has, and the header's type."""


def describe(routes: Sequence[Route], version: str) -> Schema:
    """Return the whole description, as data ready for JSON."""
    named = [kind for route in routes for kind in route.takes if isinstance(kind, Form | OneOf)]
    types = [kind for route in routes for kind in (*route.takes, route.returns) if kind and kind not in named]
    messages = tuple(dict.fromkeys([*types, Update, Refusal]))  # Update: the data of a stream's messages
    _, schemas = msgspec.json.schema_components(messages, ref_template=REF)
    unions = {name: schema for each in named if isinstance(each, OneOf) for name, schema in each.schemas().items()}
    paths: Schema = {}
    refused: dict[int, None] = {}
    for route in routes:
        gives, statuses = route.answers(), route.statuses()
        refused |= dict.fromkeys(status for status in statuses if status not in gives)
        operation = _operation(route, {str(status): _response(route, gives.get(status), status) for status in statuses})
        paths.setdefault(route.path, {})[route.method.lower()] = operation
        if route.method == "GET":  # Starlette answers GET and HEAD
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
            "schemas": {**schemas, **unions, **{each.name: each.schema() for each in named}},
            "responses": {f"refused-{status}": _refusal(status) for status in refused},
        },
    }


def _head_of(operation: Schema) -> Schema:
    """Return the HEAD operation of a GET."""
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
