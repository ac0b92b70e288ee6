"""The HTTP reference as Markdown, from the description that a house serves at ``/openapi.json``."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

Described = Mapping[str, Any]
DATA = ("application/json", "text/event-stream")
"""Types of answers that programs read. A page that is no program's may answer with others."""


GROUP = re.compile(r" *[A-Z][a-z]+(?: [a-z]+)?:")
"""A line that stands above the notes of several fields: "Attributes:", "The turn:"."""


def reference(api: Described) -> str:
    """The whole reference: addresses, refusals, commands and messages."""
    schemas: dict[str, Described] = api["components"]["schemas"]
    refusals = {name.rpartition("-")[2]: said for name, said in api["components"]["responses"].items()}
    operations = [
        (f"{method.upper()} {path}", operation)
        for path, methods in api["paths"].items()
        for method, operation in methods.items()
        if method != "head"
    ]
    always = set.intersection(*[set(_refused(operation)) for _, operation in operations])
    programs = [each for each in operations if _is_for_programs(*each)]
    pages = [each for each in operations if each not in programs]
    commands = [schemas[one["$ref"].rpartition("/")[2]] for one in schemas["Request"]["anyOf"]]
    shared = [name for name in commands[0]["properties"] if all(name in each["properties"] for each in commands)]
    messages = {name: schema for name, schema in schemas.items() if schema not in commands and name != "Request"}
    parts = [
        "## For programs",
        *[part for address, operation in programs for part in _address(address, operation, always)],
        "## Pages, pictures and forms",
        _table(("address", "gives", "purpose"), [(_code(at), _given(each), each["summary"]) for at, each in pages]),
        "## Refusals",
        f"Every address may refuse with {_listed(sorted(always))}. An address names the others. The body is a "
        f"{_link('Refusal')}, a page, or text.",
        _table(("status", "meaning"), sorted((status, said["description"]) for status, said in refusals.items())),
        "(message-Request)=\n## Commands",
        f"Send one to `POST /t/{{code}}`. Each has `do` and `key`, and may have {_listed(_code(shared[2:]))}.",
        _table(("`do`", "fields", "effect"), [_command(each, shared) for each in commands]),
        _fields(commands[0], shared[1:]),
        "## Messages",
        *[part for name, schema in messages.items() for part in _message(name, schema)],
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _refused(operation: Described) -> list[str]:
    return [status for status, answer in operation["responses"].items() if "$ref" in answer]


def _bodies(answer: Described) -> list[tuple[str, Described]]:
    return [(kind, body["schema"]) for kind, body in answer.get("content", {}).items()]


def _given(operation: Described) -> str:
    kinds = [kind for answer in operation["responses"].values() for kind, _ in _bodies(answer)]
    moved = any(status.startswith("3") for status in operation["responses"])
    return _listed(_code(dict.fromkeys(kinds))) or ("another address" if moved else "a file")


def _is_for_programs(address: str, operation: Described) -> bool:
    return any(kind in _given(operation) for kind in DATA) or address.endswith("record")


def _address(address: str, operation: Described, always: set[str]) -> Iterator[str]:
    yield f"### `{address}`"
    yield operation["summary"]
    rows = [
        (each["in"], _code(each["name"]), each.get("description") or _type(each["schema"]))
        for each in operation.get("parameters", ())
    ]
    rows += [("body", _code(kind), _type(schema)) for kind, schema in _bodies(operation.get("requestBody", {}))]
    rows += [
        (
            status,
            _code(kind),
            "a page" if kind == "text/html" else _type(schema) if schema else answer["description"],
        )
        for status, answer in operation["responses"].items()
        if status not in _refused(operation)
        for kind, schema in _bodies(answer) or [("", {})]
    ]
    yield _table(("part", "name or type", "content"), rows)
    more = [status for status in _refused(operation) if status not in always]
    yield f"It may also refuse with {_listed(more)}." if more else ""


def _command(schema: Described, shared: Sequence[str]) -> tuple[str, str, str]:
    own = {name: field for name, field in schema["properties"].items() if name not in shared}
    told, notes = _told(schema, list(own))
    fields = "<br>".join(f"`{name}`: {_type(own[name])}. {notes.get(name, '')}".strip() for name in own)
    return _code(schema["properties"]["do"]["enum"][0]), fields, told


def _message(name: str, schema: Described) -> Iterator[str]:
    yield f"(message-{name})=\n### {name}"
    names = list(schema.get("properties", ()))
    yield _told(schema, names)[0]
    yield _fields(schema, names) if names else f"It is {_article(_type(schema))}."


def _fields(schema: Described, names: Sequence[str]) -> str:
    """A table of fields. A mark shows the fields that may be missing."""
    notes, needed = _told(schema, list(schema["properties"]))[1], schema.get("required", ())
    rows = []
    for name in names:
        field = schema["properties"][name]
        note = notes.get(name) or field.get("description", "")
        rows.append((_code(name) + ("" if name in needed else " ?"), _type(field), note))
    return _table(("field", "type", "meaning"), rows)


def _told(schema: Described, names: Sequence[str]) -> tuple[str, dict[str, str]]:
    """A message's description, and what it says of single fields: "seat: the mover. yes, no: the answers"."""
    lines = schema.get("description", "").splitlines()
    told = " ".join(" ".join(line for line in lines if not GROUP.fullmatch(line)).split())
    if not names:
        return told, {}
    one = "|".join(map(re.escape, names))
    first, *rest = re.split(rf"(?:^|(?<=[.;:?!)] ))(?:- )?((?:{one})(?:, (?:and )?(?:{one}))*): ", told)
    notes = dict[str, str]()
    for found, note in zip(rest[::2], rest[1::2], strict=True):
        said = note.strip().rstrip(".;,") + "."
        notes |= dict.fromkeys(re.split(r", (?:and )?", found), said[:1].upper() + said[1:])
    return first.strip(), notes


def _type(schema: Described | bool) -> str:
    """A field's type in a few words: ``text``, ``list of Tile``, ``"a" or "b"``."""
    if isinstance(schema, bool):
        return "anything"
    if ref := schema.get("$ref"):
        return _link(ref.rpartition("/")[2])
    if values := schema.get("enum"):
        return " or ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in values)
    if several := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(_type(one) for one in several))
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if kind == "object" and isinstance(more := schema.get("additionalProperties"), dict):
        return f"map to {_type(more)}"
    return f"{WORDS.get(kind, kind)}{_bounds(schema)}"


WORDS = {"string": "text", "integer": "number", "boolean": "true or false", "object": "an object"}


def _bounds(schema: Described) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if "exclusiveMaximum" in schema:
        most = schema["exclusiveMaximum"] - 1
    if "maxLength" in schema:
        least = f"{schema['minLength']} to" if "minLength" in schema else "up to"
        return f", {least} {schema['maxLength']} characters"
    return f", {least} to {most:,}" if least is not None and most is not None else ""


def _article(kind: str) -> str:
    return kind if kind.startswith(("an ", "list")) else f"a {kind}"


def _link(name: str) -> str:
    return f"[{name}](#message-{name})"


def _code(text: Any) -> Any:
    """A word as code, or each word of several."""
    if isinstance(text, str):
        return f"`{text}`" if text else ""
    return [f"`{each}`" for each in text]


def _listed(words: Iterable[str]) -> str:
    *first, last = list(words) or [""]
    return f"{', '.join(first)} or {last}" if first else last


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [" | ".join(cell.replace("|", r"\|").replace("\n", " ") for cell in row) for row in rows]
    return (
        "\n".join(f"| {line} |" for line in (" | ".join(head), " | ".join(["---"] * len(head)), *lines))
        if lines
        else ""
    )
