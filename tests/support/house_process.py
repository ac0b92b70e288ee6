"""The house in real processes: opened on a free port over a file that outlives it, killed, stopped; and who comes.

``Phone`` asks over one connection of its own and ``Ear`` keeps a stream open; both speak plain HTTP/1.1 over a socket,
so that nothing is retried, pooled or hidden. ``say`` sends bytes as they are.
"""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self, TypeVar

from pubdice.server.web.browser import person_of
from support.console import COMMAND
from support.forked_process import ForkedProcess
from support.http_wire import Answer, Message, MessageReader, head_of, is_whole, next_answer, next_chunk, next_head
from support.ports import free_port

MOST_LINE = 1 << 20
T = TypeVar("T")
WITHOUT_LIMITS = Path(__file__).with_name("open_house.py")
"""The house as it is, but that nobody asks too often."""
WITH_MORE_GAMES = Path(__file__).with_name("house_with_more.py")
"""The house as it is, with the tests' own games."""
POCKET = Path(__file__).with_name("pocket_house.py")
"""A house that says it is a pocket."""
ORPHANED = re.compile(
    r'^Traceback [^\n]*\n  File "<string>", line 1, in <module>\n(?:  [^\n]*\n)*?EOFError: Ran out of input\n', re.M
)
"""What Python prints in a worker process that was being started (``multiprocessing.spawn``) when its house was killed,
so that it never heard what to do."""


class House:
    """A house over one file: a process at a time, always on the same port.

    script: run instead of ``pubdice``. forked: by `ForkedProcess`; otherwise by its command, where a test speaks of the
    start or of memory, or brings a PYTHONPATH of its own. inside: a command that runs the house's, never forked.
    """

    def __init__(
        self,
        folder: Path,
        *words: str,
        host: str = "127.0.0.1",
        limits: bool = True,
        more_games: bool = False,
        pocket: bool = False,
        script: Path | None = None,
        forked: bool = True,
        inside: Sequence[str] = (),
    ) -> None:
        self.folder, self.host, self.port = folder, host, free_port(host)
        self.file = folder / "house.db"
        self._script = script or (
            POCKET if pocket else WITH_MORE_GAMES if more_games else COMMAND if limits else WITHOUT_LIMITS
        )
        self._words, self._inside, self._forked = words, inside, forked and not inside
        self.process: subprocess.Popen[str] | ForkedProcess | None = None
        self.said, self._was_killed = "", False

    @property
    def pid(self) -> int:
        """The process there is."""
        assert self.process is not None
        return self.process.pid

    def begin(self) -> None:
        """Start a process, and do not wait for it. It has a log of its own: what a worker of a killed house still says
        would otherwise stand between lines of the next one.
        """
        words = ["serve", "--host", self.host, "--port", str(self.port), *self._words]
        environ = {**os.environ, "PUBDICE_DATA": str(self.folder)}
        with (self.folder / f"house{len(self._logs()):04}.err").open("xb") as err:
            if self._forked:
                self.process = ForkedProcess(str(self._script), words, err.fileno(), environ)
            else:
                command = [*self._inside, sys.executable, str(self._script), *words]
                self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err, env=environ, text=True)

    def open(self) -> float:
        """Start a process, and wait until the house is open; how many seconds that took."""
        began = time.monotonic()
        self.begin()
        self.wait_open()
        return time.monotonic() - began

    def wait_open(self) -> None:
        """Until the house says that it is open."""
        assert self.process is not None
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()
        assert "open" in self.said, self.errors()

    def kill(self) -> None:
        """End it as kill -9 does."""
        self._was_killed = True
        self.signal(signal.SIGKILL)
        self.end()

    def signal(self, number: int) -> None:
        """Send a signal, and wait for nothing."""
        assert self.process is not None
        self.process.send_signal(number)

    def stop(self) -> float:
        """SIGTERM; how many seconds until the process had ended well."""
        began = time.monotonic()
        self.signal(signal.SIGTERM)
        assert self.end() == 0, self.errors()
        return time.monotonic() - began

    def end(self) -> int:
        """Wait for the end; the exit status."""
        assert self.process is not None
        try:
            self.process.wait(60)
        finally:
            self.process.kill()
            status = self.process.wait()
            if self.process.stdout is not None:
                self.process.stdout.close()
        return status

    def errors(self) -> str:
        """All that the house's processes wrote to stderr; of one that was killed, without what is ``ORPHANED``."""
        told = "".join(log.read_text(encoding="utf-8") for log in self._logs())
        return ORPHANED.sub("", told) if self._was_killed else told

    def _logs(self) -> list[Path]:
        """Of all processes over this file, in the order of their start."""
        return sorted(self.folder.glob("house????.err"))

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.clear()

    def clear(self) -> None:
        """Leave no process behind."""
        if self.process is not None:
            self.process.kill()
            self.end()


def token_of(name: str) -> str:
    """A token that is always the same person's."""
    from base64 import urlsafe_b64encode  # noqa: PLC0415

    return urlsafe_b64encode(sha256(name.encode()).digest()[:16]).rstrip(b"=").decode()


def run(work: Coroutine[Any, Any, T]) -> T:
    """To its end; then every phone hangs up."""

    async def whole() -> T:
        try:
            return await work
        finally:
            for phone in list(Phone.calling):
                phone.hang_up()
            await asyncio.sleep(0.01)  # for what else was cancelled

    return asyncio.run(whole())


class Phone:
    """A browser without a screen: one cookie, and one connection to ask over."""

    calling: ClassVar[set["Phone"]] = set()
    _keys = count(1)
    """Of all phones: the same person may have several, one after the other, at a house that lives on."""

    def __init__(self, port: int, name: str, host: str = "127.0.0.1") -> None:
        self.port, self.name, self.token, self.host = port, name, token_of(name), host
        found = person_of(self.token)
        assert found is not None
        self.person = found
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    @property
    def cookie(self) -> dict[str, str]:
        """The header by which the house knows it."""
        return {"Cookie": f"pubdice={self.token}"}

    def key(self) -> str:
        """A key never used before."""
        return f"{self.name}-{next(self._keys):07d}"

    async def ask(
        self, method: str, path: str, data: object = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Ask once. Whatever goes wrong with the connection is raised, and the next asks over a new one."""
        body = b"" if data is None else data if isinstance(data, bytes) else json.dumps(data).encode()
        sent = dict(self.cookie)
        if data is not None:
            sent |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        if self._line is not None and self._line[0].at_eof():
            self.hang_up()  # the house has closed it, as nothing was asked for a while
        try:
            if self._line is None:
                self._line = await asyncio.open_connection(self.host, self.port, limit=MOST_LINE)
                Phone.calling.add(self)
            reader, writer = self._line
            writer.write(head_of(method, path, sent | dict(headers or {}), self.port) + body)
            answer = await next_answer(reader)
        except BaseException:
            self.hang_up()
            raise
        if answer.headers.get("connection") == "close":
            self.hang_up()
        return answer

    async def do(self, code: str, **fields: object) -> Answer:
        """A command, under a new key unless one is given."""
        return await self.ask("POST", f"/t/{code}", {"key": self.key(), **fields})

    async def view(self, code: str) -> Any:
        """The table as it stands."""
        answer = await self.ask("GET", f"/t/{code}/state")
        assert answer.status == 200, answer.body
        return answer.data["view"]

    async def open_table(self, **order: object) -> str:
        """A new table, at which this person sits; its code."""
        usual = {"game": "midnight", "name": self.name, "people": 1, "bots": [], "pace_ms": 0, "key": self.key()}
        answer = await self.ask("POST", "/tables", {**usual, **order})
        assert answer.status == 201, answer.body
        return str(answer.data["code"])

    def hang_up(self) -> None:
        """Let the connection go."""
        if self._line is not None:
            self._line[1].transport.abort()
            self._line = None
            Phone.calling.discard(self)


@dataclass(slots=True)
class Ear:
    """A stream of a table, and all that was ever heard of it: the lines of its events from ``start`` on, in order.

    patient: takes 503 for an end, as a page does that comes again later.
    """

    phone: Phone
    code: str
    seq: int = 0
    lines: list[str] = field(default_factory=list)
    view: Any = None
    events: list[str] = field(default_factory=list)
    pulses: int = 0
    news: asyncio.Event = field(default_factory=asyncio.Event)
    began: asyncio.Event = field(default_factory=asyncio.Event)
    patient: bool = False
    reactions: list[Any] = field(default_factory=list)

    async def listen(self) -> None:
        """Hear until the stream ends, however it does."""
        headers = {**self.phone.cookie, "Last-Event-ID": str(self.seq), "Accept": "text/event-stream"}
        with suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection(self.phone.host, self.phone.port, limit=MOST_LINE)
            try:
                writer.write(head_of("GET", f"/t/{self.code}/events", headers, self.phone.port))
                status, _ = await next_head(reader)
                if status == 503 and self.patient:
                    return
                assert status == 200, status
                await self._hear(reader)
            finally:
                writer.transport.abort()

    async def _hear(self, reader: asyncio.StreamReader) -> None:
        stream = MessageReader()
        while part := await next_chunk(reader):
            for message in stream.feed(part):
                self._take(message)
            self.pulses = stream.beats
            self.news.set()

    def _take(self, message: Message) -> None:
        event, data = message.event, message.data
        if data is None:
            return
        self.events.append(event)
        assert event != "reload", "the house knows less than it has told"
        if event == "closing":
            return
        assert data["seq"] == self.seq + len(data["log"]), "a gap"
        assert not data["log"] or message.seq == data["seq"]
        self.seq, self.view = data["seq"], data["view"]
        self.reactions += [data["react"]] if data.get("react") else []
        self.lines += data["log"]
        self.began.set()

    async def until(self, seq: int, within_s: float = 20.0) -> None:
        """Wait until so many events were heard."""
        async with asyncio.timeout(within_s):
            while self.seq < seq:
                self.news.clear()
                await self.news.wait()


def say(port: int, data: bytes, within_s: float = 60.0, host: str = "127.0.0.1", *, all_of_it: bool = False) -> bytes:
    """Send these bytes and hear one answer; or all that comes until the house hangs up or says nothing for so long."""
    heard = b""
    with socket.create_connection((host, port), timeout=within_s) as line, suppress(TimeoutError, ConnectionError):
        line.sendall(data)
        while (all_of_it or not is_whole(heard)) and (part := line.recv(65536)):
            heard += part
    return heard
