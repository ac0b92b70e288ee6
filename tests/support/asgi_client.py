"""Browsers for tests: they ask the app itself, without a network, and read its event streams as these are sent."""

import asyncio
import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from http.cookies import SimpleCookie
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlencode

from starlette.types import Message as Sent

from pubdice.server.web.browser import new_token, person_of
from support.http_wire import Answer, Message, MessageReader, read_headers

if TYPE_CHECKING:
    from support.house import Pub


class Client:
    """A browser: one person, who asks in one language. jar: the cookies it got; None: it keeps none but its token."""

    _numbers = count()

    def __init__(self, pub: "Pub", name: str, speaks: str) -> None:
        self.pub, self.name, self.speaks = pub, name, speaks
        self.token = new_token(lambda number: sha256(name.encode()).digest()[:number]) if name else ""
        self.person = person_of(self.token) or ""
        self.address = "192.0.2.7"
        self.jar: SimpleCookie | None = None

    def scope(self, method: str, target: str, headers: Mapping[str, str]) -> dict[str, Any]:
        """A request as a server hands it to the app."""
        path, _, query = target.partition("?")
        told = {"host": "localhost:4224", "accept-language": self.speaks, **headers}
        if self.token:
            told["cookie"] = f"pubdice={self.token}"
        if self.jar is not None:
            told["cookie"] += "".join(f"; {key}={kept.coded_value}" for key, kept in self.jar.items())
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(key.encode(), value.encode()) for key, value in told.items()],
            "client": (self.address, 40000),
            "server": ("localhost", 4224),
        }

    async def request(self, method: str, target: str, body: bytes = b"", **headers: str) -> Answer:
        """Ask, and wait for the answer."""
        answer = Answer()
        told = {key.replace("_", "-"): value for key, value in headers.items()}
        if body:
            told["content-length"] = str(len(body))

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Sent) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                lines = [f"{key.decode()}: {value.decode()}" for key, value in message["headers"]]
                answer.headers = read_headers(lines)
                for key, value in message["headers"] if self.jar is not None else ():
                    if key.lower() == b"set-cookie":
                        self._keep(SimpleCookie(value.decode()))
            answer.body += message.get("body", b"")

        scope, exchange = self.scope(method, target, told), Exchange()
        if method == "POST" and body and self.pub.app.submit(scope, body, exchange):  # as the server does
            return await exchange.answer
        await self.pub.app(scope, receive, send)
        return answer

    def _keep(self, cookies: SimpleCookie) -> None:
        assert self.jar is not None
        for key, cookie in cookies.items():
            self.jar.pop(key, None)
            if cookie["max-age"] != "0":
                self.jar[key] = cookie

    async def get(self, target: str, accept: str = "*/*") -> Answer:
        """Read something."""
        return await self.request("GET", target, accept=accept)

    async def page(self, code: str) -> Answer:
        """The table's page; a bare code leads to its link."""
        answer = await self.get(f"/t/{code}", "text/html")
        return await self.get(answer.headers["location"], "text/html") if answer.status == 307 else answer

    async def post(self, target: str, data: Mapping[str, Any]) -> Answer:
        """Send data."""
        return await self.request("POST", target, json.dumps(data).encode(), content_type="application/json")

    async def send(self, target: str, **fields: str) -> Answer:
        """Send a form."""
        kind = "application/x-www-form-urlencoded"
        return await self.request("POST", target, urlencode(fields).encode(), content_type=kind, accept="text/html")

    async def ask(self, code: str, do: str, key: str = "", **fields: Any) -> Answer:
        """Ask something of a table, under a key of its own."""
        return await self.post(f"/t/{code}", {"key": key or f"key-{next(self._numbers):08}", "do": do, **fields})

    async def done(self, code: str, do: str, key: str = "", **fields: Any) -> int:
        """Ask something that is done; the table's events since."""
        answer = await self.ask(code, do, key, **fields)
        assert answer.status == 200, answer.body
        return int(answer.data["seq"])

    async def order(self, game: str = "midnight", **fields: Any) -> str:
        """Set up a table; its code."""
        given = {"people": 2, **fields}
        order = {key: value for key, value in given.items() if value is not None}
        answer = await self.post("/tables", {"game": game, "name": self.name, **order})
        assert answer.status == 201, answer.body
        return str(answer.data["code"])

    async def look(self, code: str, since: int | str | None = None, *, again: bool = False) -> "Stream":
        """Open the table's stream; again: as a browser does by itself when it was cut off."""
        stream = Stream(self, code, since, again=again)
        await self.pub.settle()
        return stream


class Exchange:
    """A request that is answered by a callback."""

    def __init__(self) -> None:
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def reply(self, status: int, head: bytes, body: bytes) -> None:
        """The answer, if somebody waits for it still."""
        if not self.answer.done():
            lines = [line for line in head.decode().split("\r\n") if line]
            self.answer.set_result(Answer(status, read_headers(lines), body))


class Stream:
    """An event stream. Its reader may be slow: then what is sent waits."""

    def __init__(self, client: Client, code: str, since: int | str | None, *, again: bool = False) -> None:
        self.client, self.code = client, code
        self.messages: list[Message] = []
        self.status = 0
        self.hear: Callable[[Message], None] = self.messages.append
        self._read = MessageReader()
        self._gone, self._reads = asyncio.Event(), asyncio.Event()
        self._reads.set()
        target = f"/t/{code}/events" + ("" if since is None or again else f"?from={quote(str(since))}")
        headers = {"accept": "text/event-stream", **({"last-event-id": str(since)} if again else {})}
        scope = client.scope("GET", target, headers)
        self.task = asyncio.ensure_future(client.pub.app(scope, self._receive, self._send))
        client.pub.streams.add(self)
        self.task.add_done_callback(lambda _: client.pub.streams.discard(self))

    async def _receive(self) -> dict[str, Any]:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Sent) -> None:
        await self._reads.wait()
        if self._gone.is_set():
            return
        self.status = message.get("status", self.status)
        for each in self._read.feed(message.get("body", b"")):
            self.hear(each)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            self._gone.set()  # as ASGI says: once an answer is whole, receive tells of a disconnect

    @property
    def beats(self) -> int:
        """How many heartbeats came."""
        return self._read.beats

    def pause(self) -> None:
        """Read nothing for a while."""
        self._reads.clear()

    def read_on(self) -> None:
        """Read again."""
        self._reads.set()

    @property
    def ended(self) -> bool:
        """Whether the house has ended it."""
        return self.task.done()

    async def drop(self) -> None:
        """The connection is lost."""
        self._gone.set()
        self._reads.set()
        await asyncio.wait([self.task])
        await self.client.pub.settle()

    @property
    def said(self) -> list[str]:
        """All that was said, in order."""
        return [say["text"] for message in self.messages if message.data for say in message.data.get("say", [])]

    @property
    def log(self) -> list[str]:
        """All lines that came, in order."""
        return [line for message in self.messages if message.data for line in message.data.get("log", [])]

    @property
    def view(self) -> dict[str, Any]:
        """The last view."""
        return dict([message.data["view"] for message in self.messages if message.data][-1])
