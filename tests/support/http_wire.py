"""HTTP/1.1 and event streams as bytes: how a request's head is written, an answer read, a stream split into messages.

Written once for all clients of the tests: those that ask the app itself (``asgi_client``), those that speak over a
socket of their own (``house_process``) and those that send what no client would (``say``).
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Answer:
    """What came back; header names are small."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def data(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body)

    @property
    def text(self) -> str:
        """The body, read as UTF-8."""
        return self.body.decode()


def head_of(method: str, path: str, headers: Mapping[str, str], port: int) -> bytes:
    """A request's head."""
    lines = [
        f"{method} {path} HTTP/1.1",
        f"Host: localhost:{port}",
        *(f"{key}: {value}" for key, value in headers.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def read_head(head: bytes) -> tuple[int, dict[str, str]]:
    """The status and the headers of an answer's head, with or without the empty line that ends it."""
    first, *rest = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    return int(first.split()[1]), read_headers(rest)


def read_headers(lines: list[str]) -> dict[str, str]:
    """Headers by their small names, each of which comes once; of cookies the last."""
    found: dict[str, str] = {}
    for name, _, value in (line.partition(":") for line in lines):
        key = name.strip().lower()
        assert key not in found or key == "set-cookie", f"{key} twice: {lines}"
        found[key] = value.strip()
    return found


def is_whole(heard: bytes) -> bool:
    """Whether an answer has come in whole, as its length says; one without a length is whole with its head."""
    head, end, body = heard.partition(b"\r\n\r\n")
    return bool(end) and len(body) >= int(read_head(head)[1].get("content-length", 0))


def answer_in(heard: bytes) -> Answer:
    """The first answer in what was heard."""
    head, _, body = heard.partition(b"\r\n\r\n")
    status, headers = read_head(head)
    return Answer(status, headers, body[: int(headers.get("content-length", len(body)))])


async def next_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """The next head on a connection."""
    return read_head(await reader.readuntil(b"\r\n\r\n"))


async def next_chunk(reader: asyncio.StreamReader) -> bytes:
    """The next chunk of a body without a length; empty at its end."""
    size = int(await reader.readuntil(b"\r\n"), 16)
    return (await reader.readexactly(size + 2))[:-2]


async def next_answer(reader: asyncio.StreamReader) -> Answer:
    """The next answer on a connection, whole."""
    status, headers = await next_head(reader)
    if headers.get("transfer-encoding") != "chunked":
        return Answer(status, headers, await reader.readexactly(int(headers.get("content-length", "0"))))
    body = b""
    while part := await next_chunk(reader):
        body += part
    return Answer(status, headers, body)


@dataclass(frozen=True, slots=True)
class Message:
    """A message of an event stream; ``seq`` is its id."""

    event: str
    seq: int | None
    data: Any

    @classmethod
    def read(cls, text: str) -> "Message":
        """It, from the lines of its frame."""
        fields = dict(line.split(": ", 1) for line in text.split("\n") if not line.startswith(":"))
        seq = int(fields["id"]) if "id" in fields else None
        return cls(fields.get("event", ""), seq, json.loads(fields["data"]) if "data" in fields else None)


class MessageReader:
    """Splits a stream into messages, however its bytes come; ``beats``: how many heartbeats there were."""

    def __init__(self) -> None:
        self.beats = 0
        self._rest = b""

    def feed(self, data: bytes) -> list[Message]:
        """The messages that end with these bytes: no heartbeats, and not how long to wait before a reconnect."""
        *whole, self._rest = (self._rest + data).split(b"\n\n")
        self.beats += sum(frame.startswith(b":") for frame in whole)
        return [Message.read(frame.decode()) for frame in whole if not frame.startswith((b":", b"retry"))]
