"""Routes of all pages, each declared once. The app serves by them, and ``openapi`` describes them to programs.

A route names its address, method, fields, answer, rate limit, and refusal codes. Its statuses and refusals, and 405 for
other methods, follow from these. Knows no house.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
from starlette.responses import Response

from pubdice.core.errors import Refused
from pubdice.server.web.guard import REFUSALS
from pubdice.server.web.refusals import status_of
from pubdice.text.catalogues import TABLE

JSON, PAGE, TEXT, FORM = "application/json", "text/html", "text/plain", "application/x-www-form-urlencoded"
EVENTS, PICTURE = "text/event-stream", "image/svg+xml"
READING = ("json", "kind", "fields", "shape")
"""The codes of refusals of a body that can't be read.

Wrong notation in a body has codes of its own. They are not listed, because their status is the same."""
ASKING = ("fields", "often", "asks-waiting", "no-answer")
"""Codes of refusals if the worker gives no answer. The question may also be wrong, or too large to solve."""
DOOR = tuple(sorted({status for status, _ in REFUSALS.values()}))
"""The statuses of the guard's refusals, on any route."""

Schema = dict[str, Any]
Endpoint = Callable[..., Awaitable[Response]]
"""A function that answers a visit (``pages.visit.PageVisit``). Its errors become refusals."""
Limit = Literal["", "asking", "opening", "record"]
"""The name of a method of ``limits.Limiter`` that counts requests of an address. "" counts none."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an address or of a query. ``pattern`` is a regular expression for the whole value. Any other value is
    refused as "fields". ``schema`` has more limits for the OpenAPI description. Not the route but the page checks them.
    """

    name: str
    said: str = ""
    pattern: str = ""
    required: bool = False
    schema: Mapping[str, Any] = field(default_factory=dict)

    def check(self, text: str) -> None:
        """Raise Refused("fields") if a value does not match the declaration. "" is a missing value."""
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
    """A body that is a form. needs: required fields. may: optional fields. more: other fields are read, too."""

    name: str
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    more: bool = False
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def schema(self) -> Schema:
        """Return the form for OpenAPI."""
        if self.more:
            return {"type": "object", "additionalProperties": {"type": "string"}}
        texts: Schema = {name: {"type": "string"} for name in (*self.needs, *self.may)}
        for name, values in self.choices.items():
            texts[name]["enum"] = list(values)
        return {"type": "object", "required": list(self.needs), "properties": texts}


REF = "#/components/schemas/{name}"
"""The form of a reference to a message in the OpenAPI description."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """A body of JSON that is one of several messages, told apart by their tag."""

    name: str
    kinds: tuple[type[msgspec.Struct], ...]

    def schemas(self) -> dict[str, Schema]:
        """Return the messages for OpenAPI, by name.

        A field that several messages share is described only once. So this takes a quarter of the function calls.
        """
        told = {kind: msgspec.structs.fields(kind) for kind in self.kinds}
        types = {field.name: field.type for fields in told.values() for field in fields}
        every = msgspec.defstruct("Fields", list(types.items()), kw_only=True)
        described = msgspec.json.schema_components((every,), ref_template=REF)[1]["Fields"]["properties"]
        found: dict[str, Schema] = {}
        for kind, fields in told.items():
            config, needed = kind.__struct_config__, [field.name for field in fields if field.required]
            properties = {field.name: described[field.name] for field in fields}
            found[kind.__name__] = {
                "title": kind.__name__,
                "description": (kind.__doc__ or "").strip(),
                "type": "object",
                "properties": {str(config.tag_field): {"enum": [config.tag]}, **properties},
                "required": [config.tag_field, *needed],
            }
        return found

    def schema(self) -> Schema:
        """Return the union for OpenAPI."""
        by_tag = {str(kind.__struct_config__.tag): REF.format(name=kind.__name__) for kind in self.kinds}
        tag = self.kinds[0].__struct_config__.tag_field
        return {
            "anyOf": [{"$ref": place} for place in by_tag.values()],
            "discriminator": {"propertyName": tag, "mapping": by_tag},
        }


@dataclass(frozen=True, slots=True)
class Route:
    """An address with a method, and its endpoint.

    - ``takes`` has the bodies it reads: msgspec types as JSON, and a form. ``returns`` is the type of its JSON.
    - ``asks``: while the worker is busy, the page says so and asks again (202).
    - ``limit`` counts a request on arrival. ``refuses`` has refusal codes besides the codes that follow from the other
      fields.
    - ``gives`` has content types by status, if they are not the usual ones.
    - ``only``: "house" for routes that need other devices, "pocket" for routes that open files, which could fill a
      house's memory.
    - ``part``: the part of a language's catalogues that its page needs (``catalogues.PARTS``). In a language without
      that part, the page is in English.
    - ``plain``: for machines. The endpoint takes the site and the request, without a browser's person.
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
    part: str = TABLE

    def answers(self) -> Mapping[int, tuple[str, ...]]:
        """Return the content types of the route's answers by status, without refusals."""
        if self.gives:
            return self.gives
        if self.method == "POST":
            return {303: ()}
        return {200: (PAGE, JSON) if self.returns else (PAGE,), **({202: (PAGE,)} if self.asks else {})}

    def codes(self) -> tuple[str, ...]:
        """Return the codes of the route's refusals, without the guard's."""
        checked = ("fields",) if any(each.pattern for each in self.fields) else ()
        limited = ("often",) if self.limit else ()
        return (*self.refuses, *(ASKING if self.asks else ()), *(READING if self.takes else ()), *checked, *limited)

    def statuses(self) -> list[int]:
        """Return every status of the route's answers and refusals, and of the guard's refusals."""
        return sorted({*self.answers(), *map(status_of, self.codes()), *DOOR})

    @property
    def in_path(self) -> frozenset[str]:
        """The names of the fields in the route's address."""
        return frozenset(part[1:-1] for part in self.path.split("/") if part.startswith("{"))
