"""Uvicorn as the house uses it: requests and answers on one connection, clients that do not read, and its names."""

import ast
import asyncio
import gc
import inspect
import json
import re
import socket
import time
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http import httptools_impl
from uvicorn.server import ServerState

from pubdice.server import app, serve, uvicorn_protocol
from pubdice.server.pages import commands
from pubdice.server.serve import configured
from pubdice.server.uvicorn_protocol import MOST_AHEAD, BoundedProtocol, DirectExchange, LazyFlow
from pubdice.server.web.browser import new_token
from pubdice.server.web.guard import HEADERS
from support.house_process import WITHOUT_LIMITS, House
from support.http_wire import read_head
from support.metrics import metric


class Wire(asyncio.Transport):
    """A connection that keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written, self.closed = b"", asyncio.Event()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        """Note it."""
        self.closed.set()

    def pause_reading(self) -> None:
        """Nothing is read."""

    def resume_reading(self) -> None:
        """Nothing is read."""


PAUSE_S = 0.05
"""Long enough that what was sent before is read alone."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("house"), limits=False) as opened:
        yield opened


class Connection:
    """A connection, and what was heard on it and not yet read."""

    def __init__(self, house: House) -> None:
        self.host = f"127.0.0.1:{house.port}"
        self.line = socket.create_connection(("127.0.0.1", house.port), timeout=10)
        self.cookie = "pubdice=" + new_token(lambda number: bytes(range(number)))
        self.heard = b""

    def request(self, method: str, path: str, body: bytes = b"", *more: str, version: str = "1.1") -> bytes:
        lines = [f"{method} {path} HTTP/{version}", f"Host: {self.host}", f"Cookie: {self.cookie}", *more]
        if body and not more:
            lines.append(f"Content-Length: {len(body)}")
        if body:
            lines.append("Content-Type: application/json")
        return "\r\n".join([*lines, "", ""]).encode() + body

    def say(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.line.sendall(piece)
            if len(pieces) > 1:
                time.sleep(PAUSE_S)

    def answer(self, *, has_body: bool = True) -> tuple[int, dict[str, str], bytes]:
        """The next answer."""
        while b"\r\n\r\n" not in self.heard:
            self._hear()
        head, _, self.heard = self.heard.partition(b"\r\n\r\n")
        status, headers = read_head(head)
        assert len(headers) == head.count(b"\r\n"), "no header twice"
        length = int(headers["content-length"]) if has_body else 0
        while len(self.heard) < length:
            self._hear()
        body, self.heard = self.heard[:length], self.heard[length:]
        return status, headers, body

    def _hear(self) -> None:
        part = self.line.recv(65_536)
        assert part, f"closed after {self.heard!r}"
        self.heard += part

    @property
    def is_closed(self) -> bool:
        return self.heard == b"" and self.line.recv(1) == b""


@contextmanager
def at_a_table(house: House) -> Iterator[tuple[Connection, str]]:
    """The connection of a player against a bot, who is to begin, and the table's path."""
    connection = Connection(house)
    order = {"game": "midnight", "name": "Ann", "people": 1, "bots": ["tip"], "rules": {"format": "rounds 1"}}
    connection.say(connection.request("POST", "/tables", json.dumps(order).encode()))
    status, _, body = connection.answer()
    assert status == 201
    with connection.line:
        yield connection, f"/t/{json.loads(body)['code']}"


def is_cut_off(connection: Connection, piece: bytes) -> bool:
    """True if a client that says this again and again, and reads nothing, is cut off."""
    try:
        for _ in range(100):
            connection.say(piece)
            time.sleep(0.005)
    except OSError:
        return True
    return False


def command(key: str, do: str = "roll", **fields: object) -> bytes:
    return json.dumps({"key": f"key-{key}", "do": do, **fields}).encode()


def test_two_commands_in_one_packet_are_done_in_order(house: House) -> None:
    with at_a_table(house) as (line, path):
        commands = command("0001"), command("0002", "mark", marks=[0]), command("0003", "mark", marks=[0, 1])
        line.say(b"".join(line.request("POST", path, body) for body in commands))
        answers = [line.answer() for _ in commands]
        assert [status for status, _, _ in answers] == [200, 200, 200]
        first, second, third = (json.loads(body)["seq"] for _, _, body in answers)
        assert second == first + 1
        assert third == second + 1


def test_an_answer_in_one_piece_has_all_headers(house: House) -> None:
    with at_a_table(house) as (line, path):
        line.say(line.request("POST", path, command("0001")))
        status, headers, _ = line.answer()
        assert status == 200
        assert {name.decode(): value.decode() for name, value in HEADERS}.items() <= headers.items()
        assert headers["cache-control"] == "no-store"
        assert re.fullmatch(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", headers["date"])
        assert "transfer-encoding" not in headers


@pytest.mark.parametrize("cut", [1, 10, -1])
def test_a_body_that_comes_in_pieces_is_the_same_body(house: House, cut: int) -> None:
    with at_a_table(house) as (line, path):
        body = command("0001")
        head = line.request("POST", path, body).removesuffix(body)
        line.say(head[:-3], head[-3:] + body[:cut], body[cut:])
        assert line.answer()[0] == 200
        line.say(line.request("POST", path, command("0002", "mark", marks=[0])))
        assert line.answer()[0] == 200


@pytest.mark.parametrize("after", [b"", b"Origin: http://evil.example\r\nHost: evil.example\r\n"])
def test_a_body_in_chunks_is_the_same_body(house: House, after: bytes) -> None:
    with at_a_table(house) as (line, path):
        body = command("0001")
        chunks = b"%x\r\n%b\r\n0\r\n%b\r\n" % (len(body), body, after)
        line.say(line.request("POST", path, body, "Transfer-Encoding: chunked").removesuffix(body) + chunks)
        assert line.answer()[0] == 200


def test_a_client_that_waits_to_be_asked_for_the_body_is_asked(house: House) -> None:
    with at_a_table(house) as (line, path):
        body = command("0001")
        expect = f"Content-Length: {len(body)}", "Expect: 100-continue"
        line.say(line.request("POST", path, body, *expect).removesuffix(body))
        while b"\r\n\r\n" not in line.heard:
            line._hear()
        assert line.heard == b"HTTP/1.1 100 Continue\r\n\r\n"
        line.heard = b""
        line.say(body)
        assert line.answer()[0] == 200


def test_a_head_request_keeps_the_next_answer_in_step(house: House) -> None:
    with at_a_table(house) as (line, path):
        line.say(b"".join([line.request("HEAD", f"{path}/state"), line.request("GET", "/healthz")]))
        status, headers, _ = line.answer(has_body=False)
        assert status == 200
        assert int(headers["content-length"]) > 0
        assert line.answer()[2] == b"well\n"


@pytest.mark.parametrize(("more", "version"), [(("Connection: close",), "1.1"), ((), "1.0")])
def test_who_wants_the_connection_closed_has_the_answer_first(
    house: House, more: tuple[str, ...], version: str
) -> None:
    connection = Connection(house)
    with connection.line:
        connection.say(connection.request("GET", "/healthz", b"", *more, version=version))
        status, headers, body = connection.answer()
        assert (status, body) == (200, b"well\n")
        assert headers["connection"] == "close"
        assert connection.is_closed


def test_no_request_is_read_after_a_body_too_large(house: House) -> None:
    with at_a_table(house) as (line, path):
        line.say(line.request("POST", path, b" " * 5000) + line.request("GET", "/healthz"))
        status, headers, _ = line.answer()
        assert status == 413
        assert headers["connection"] == "close"
        assert line.is_closed


@pytest.mark.parametrize("more", [("Content-Length: 38",), ("Transfer-Encoding: chunked",)])
@pytest.mark.parametrize("protocol", ["websocket", "h2c"])
def test_a_body_is_no_request_whatever_protocol_was_wished_for(
    house: House, protocol: str, more: tuple[str, ...]
) -> None:
    connection = Connection(house)
    with connection.line:
        upgrade = "Connection: Upgrade", f"Upgrade: {protocol}", *more
        connection.say(
            connection.request("POST", "/healthz", b"", *upgrade), connection.request("GET", "/healthz")[:38]
        )
        assert connection.answer()[0] == 400
        assert connection.is_closed


def test_an_upgrade_is_answered_as_plain_http(house: House) -> None:
    connection = Connection(house)
    with connection.line:
        upgrade = "Connection: Upgrade", "Upgrade: h2c"
        connection.say(
            connection.request("GET", "/healthz", b"", *upgrade) + connection.request("GET", "/"),
            connection.request("GET", "/"),
        )
        assert connection.answer()[2] == b"well\n"
        assert connection.is_closed


@pytest.mark.parametrize("piece", [b"a:b\r\n" * 10_000, b"a: " + b"b" * 100_000])
def test_what_follows_a_body_has_an_end(house: House, piece: bytes) -> None:
    connection = Connection(house)
    with connection.line:
        connection.say(connection.request("POST", "/tables", b"{}", "Transfer-Encoding: chunked")[:-2] + b"0\r\n")
        assert is_cut_off(connection, piece)


def test_a_request_too_long_is_cut_off_in_the_same_read(house: House) -> None:
    connection = Connection(house)
    with connection.line:
        head = connection.request("POST", "/tables", b"{}", "Transfer-Encoding: chunked").removesuffix(b"{}")
        connection.say(head + b"2;" + b"x" * 200_000)
        rest = b"x" * 120_000 + b"\r\n{}\r\n0\r\n\r\n" + connection.request("GET", "/healthz")
        assert is_cut_off(connection, rest)


def test_of_too_many_requests_ahead_the_first_are_answered(house: House) -> None:
    connection = Connection(house)
    with connection.line:
        connection.say(connection.request("GET", "/healthz") * 100)
        answers = [connection.answer() for _ in range(1 + MOST_AHEAD)]
        assert {body for _, _, body in answers} == {b"well\n"}
        assert [headers.get("connection") for _, headers, _ in answers] == [*[None] * MOST_AHEAD, "close"]
        assert connection.is_closed


def test_requests_that_nobody_waits_for_are_not_kept(house: House) -> None:
    connection = Connection(house)
    with connection.line:
        assert is_cut_off(connection, connection.request("PUT", "/") * 1000)


def test_a_refusal_is_never_the_answer_to_the_move_before(house: House) -> None:
    with at_a_table(house) as (line, path):
        good = line.request("POST", path, command("0001"))
        line.say(good + b"nonsense\r\n\r\n")
        status, headers, _ = line.answer()
        assert (status, headers["connection"]) == (200, "close")
        assert line.is_closed


def test_moves_sent_with_half_of_another_are_all_done(house: House) -> None:
    with at_a_table(house) as (line, path):
        line.cookie += "; padding=" + "x" * 7000
        moves = [command("0001"), command("0002", "mark", marks=[0]), command("0003", "mark", marks=[0, 1])]
        line.say(b"".join(line.request("POST", path, body) for body in moves) + b"GET /he", b"althz HTTP/1.1\r\n")
        assert [line.answer()[0] for _ in moves] == [200, 200, 200]
        line.say(f"Host: {line.host}\r\n\r\n".encode())
        assert line.answer()[2] == b"well\n"


def test_a_refusal_before_the_body_ends_the_connection(house: House) -> None:
    connection = Connection(house)
    with connection.line:
        more = "Content-Length: 100", "Origin: http://evil.example", "Expect: 100-continue"
        connection.say(connection.request("POST", "/tables", b"", *more))
        status, headers, _ = connection.answer()
        assert (status, headers["connection"]) == (403, "close")
        assert connection.is_closed


@pytest.mark.parametrize(
    "path", ["/q{path}", "/rules{code}", "/t/x{code}", "{path}/", "/find{code}", "/static/a{code}"]
)
def test_a_path_of_no_table_is_none_in_any_packets(house: House, path: str) -> None:
    with at_a_table(house) as (line, table):
        line.say(line.request("POST", table, command("0001")))
        assert line.answer()[0] == 200
        wrong = path.format(path=table, code=table.removeprefix("/t"))
        whole = line.request("POST", wrong, command("0002", "mark", marks=[0]))
        line.say(whole)
        status, _, _ = line.answer()
        assert status in (404, 405)
        line.say(whole[:-10], whole[-10:])
        assert line.answer()[0] == status


def test_a_new_name_is_remembered_by_the_browser(house: House) -> None:
    with at_a_table(house) as (line, path):
        line.say(line.request("POST", path, command("0001", "rename", name="Eve")))
        status, headers, _ = line.answer()
        assert status == 200
        assert headers["set-cookie"].startswith("name=Eve;")


def _gauge(line: Connection, name: str) -> float:
    line.say(line.request("GET", "/metrics"))
    return metric(line.answer()[2].decode(), f"pubdice_{name}")


WITHOUT_HEARTBEATS = f"""
import runpy
from pubdice.server import app
if __name__ == "__main__":
    app.HEARTBEAT_S = 600.0
    runpy.run_path({str(WITHOUT_LIMITS)!r}, run_name="__main__")
"""
"""A house without limits that finds out about a closed stream by nothing but the end of its connection."""


def test_a_stream_with_a_request_behind_it_ends(tmp_path: Path) -> None:
    script = tmp_path / "without_heartbeats.py"
    script.write_text(WITHOUT_HEARTBEATS, encoding="utf-8")
    with House(tmp_path, script=script) as house, at_a_table(house) as (line, path):
        faults = _gauge(line, "faults_total")
        gone = [Connection(house) for _ in range(20)]
        for one in gone:
            one.cookie = line.cookie
            one.say(one.request("GET", f"{path}/events") + one.request("GET", "/healthz"))
            assert one.line.recv(4_000).startswith(b"HTTP/1.1 200")
        assert _gauge(line, "streams") == 20
        for one in gone:
            one.line.close()
        until = time.monotonic() + 60
        while _gauge(line, "streams"):
            assert time.monotonic() < until
            time.sleep(0.05)
        assert _gauge(line, "faults_total") == faults


REQUEST = b"POST /t/KORBUM HTTP/1.1\r\nhost: pub\r\ncontent-length: 2\r\n\r\n{}"


class Counting:
    """An app that counts the commands it is offered, and the tasks it runs in."""

    def __init__(self) -> None:
        self.submitted, self.tasks = 0, asyncio.Event()

    def submit(self, scope: object, body: bytes, exchange: DirectExchange) -> bool:
        self.submitted += 1
        exchange.reply(200, b"", b"ok")
        return True

    async def __call__(self, scope: object, receive: object, send: object) -> None:
        self.tasks.set()
        await asyncio.Event().wait()


def connected(app: Counting) -> tuple[BoundedProtocol, Wire]:
    """A connection to an app that has just been made."""
    config, line = configured(lambda: app), Wire()
    config.load()
    protocol = BoundedProtocol(config, ServerState(), {})
    protocol.connection_made(line)
    return protocol, line


async def test_commands_of_a_client_that_does_not_read_wait() -> None:
    app = Counting()
    protocol, line = connected(app)
    protocol.data_received(REQUEST)
    assert (app.submitted, line.written.count(b"HTTP/1.1 200")) == (1, 1)
    protocol.pause_writing()  # the transport holds 64 KB that the client has not taken
    protocol.data_received(REQUEST)
    for _ in range(3):
        await asyncio.sleep(0)
    assert (app.submitted, app.tasks.is_set()) == (1, True)
    for task in protocol.tasks:
        task.cancel()
    protocol.connection_lost(None)


@pytest.mark.parametrize("said", [(), (b"POST /t/KORBUM HTTP/1.1\r\n",), (REQUEST, b"\r\n")])
async def test_a_phone_that_says_next_to_nothing_is_cut_off(
    said: tuple[bytes, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uvicorn_protocol, "HEAD_WITHIN_S", 0.01)
    protocol, line = connected(Counting())
    for piece in said:
        protocol.data_received(piece)
    async with asyncio.timeout(60):
        await line.closed.wait()
    protocol.connection_lost(None)


async def test_an_idle_connection_keeps_nothing_of_its_last_request() -> None:
    app = Counting()
    protocol, line = connected(app)
    for asked in (REQUEST, REQUEST * 2):
        protocol.data_received(asked)
        kept: tuple[object, object] = protocol.cycle, protocol.scope
        assert kept == (None, None)
    protocol.data_received(REQUEST[:-1])
    assert protocol.cycle is not None, "its body is still to come"
    protocol.data_received(REQUEST[-1:])
    assert (app.submitted, line.written.count(b"HTTP/1.1 200")) == (3, 3), "the fourth waits in a task for its body"
    for task in protocol.tasks:
        task.cancel()
    protocol.connection_lost(None)


async def test_an_answer_waits_until_its_client_takes_more() -> None:
    flow = LazyFlow(Wire())
    await flow.drain()
    flow.pause_writing()
    waiting = [asyncio.ensure_future(flow.drain()) for _ in range(2)]
    await asyncio.sleep(0)
    assert not any(each.done() for each in waiting)
    flow.resume_writing()
    flow.pause_writing()
    await asyncio.gather(*waiting)
    assert flow.write_paused


async def test_a_connection_that_is_lost_is_freed_without_a_collection() -> None:
    gc.collect()
    gc.disable()
    try:
        protocol, _ = connected(Counting())
        protocol.data_received(REQUEST)
        lost = weakref.ref(protocol)
        protocol.connection_lost(None)
        del protocol
        assert lost() is None
    finally:
        gc.enable()


PROTOCOL, CYCLE, FLOW, PARSER = "HttpToolsProtocol", "RequestResponseCycle", "FlowControl", "HttpRequestParser"
MODULE, SERVER, RESPONSE, ROUTER = "uvicorn.protocols.http.httptools_impl", "uvicorn.Server", "Response", "Router"

NEEDED: tuple[tuple[str, str, str], ...] = (
    (MODULE, "HttpToolsProtocol", "our protocol is a subclass, which adds bounds"),
    (MODULE, "RequestResponseCycle", "our protocol looks at the answer that is under way"),
    (MODULE, "STATUS_LINE", "an answer in one piece begins with one of its lines"),
    (PROTOCOL, "connection_made", "the time a head may take begins there"),
    (PROTOCOL, "connection_lost", "the time a head may take ends there"),
    (PROTOCOL, "data_received", "bytes are counted before it reads them"),
    (PROTOCOL, "on_message_begin", "a request's bytes are counted from there"),
    (PROTOCOL, "on_headers_complete", "large heads, pipelines too long and upgrades are refused there"),
    (PROTOCOL, "on_message_complete", "a body that came with its head is handed over there"),
    (PROTOCOL, "on_response_complete", "what is kept of a request goes with its answer"),
    (PROTOCOL, "send_400_response", "what is no request is refused by it, or not, if another is being answered"),
    (PROTOCOL, "_unsupported_upgrade_warning", "it is silenced, as strangers could fill the log by it"),
    (PROTOCOL, "_start_asgi_task", "a request's task is started by it, and may be held back until its body is there"),
    (PROTOCOL, "flow", "tells whether a client takes its answers"),
    (PROTOCOL, "transport", "a connection that breaks a bound is closed by it"),
    (PROTOCOL, "loop", "the time a head may take is kept by it"),
    (PROTOCOL, "cycle", "the request that is being answered"),
    (PROTOCOL, "scope", "it goes with the answer, too"),
    (PROTOCOL, "pipeline", "the requests that wait for the one before are counted in it"),
    (PROTOCOL, "headers", "the size of a head is added up from it, and lines after a body are put into another"),
    (PROTOCOL, "parser", "it tells of upgrades"),
    (PROTOCOL, "timeout_keep_alive_task", "a connection that uvicorn will close itself needs no second timer"),
    (PARSER, "should_upgrade", "a request for another protocol is answered as it is, and nothing after it read"),
    (CYCLE, "scope", "the body is put into it for the app"),
    (CYCLE, "body", "a body that came with its head is in it"),
    (CYCLE, "more_body", "whether a request is whole decides how a broken one after it is refused"),
    (CYCLE, "message_event", "the request that is being answered hears that its connection is gone"),
    (CYCLE, "disconnected", "nothing is written to somebody who is gone"),
    (CYCLE, "keep_alive", "the last answer of a connection closes it"),
    (CYCLE, "default_headers", "an answer in one piece carries the date too"),
    (CYCLE, "response_started", "an answer in one piece is marked as begun"),
    (CYCLE, "response_complete", "an answer in one piece is marked as sent"),
    (CYCLE, "on_response", "the connection goes on to its next request"),
    (FLOW, "_transport", "its reading is paused and goes on"),
    (FLOW, "read_paused", "whether its reading is paused"),
    (FLOW, "drain", "an answer waits there for a client that takes no more"),
    (FLOW, "pause_writing", "the transport says there that a client takes no more"),
    (FLOW, "resume_writing", "the transport says there that it takes more"),
    (FLOW, "write_paused", "a short way must not overtake what waits to be written"),
    (SERVER, "config", "how long it waits for answers under way is what is left of the deadline"),
    (SERVER, "servers", "when the house stops, listening ends before streams are told"),
    (SERVER, "startup", "the banner is printed after it"),
    (SERVER, "shutdown", "streams say goodbye before it"),
    (SERVER, "force_exit", "a second signal ends the wait of a process that leaves its tables to others"),
    (SERVER, "handle_exit", "SIGINT and SIGTERM lead to it"),
    (SERVER, "should_exit", "it was told to stop, so SIGTERM has done its work"),
    (SERVER, "capture_signals", "it is replaced, as it would kill the process after the house has stopped"),
    (RESPONSE, "raw_headers", "a refused command is answered with them, in one piece"),
    (RESPONSE, "status_code", "a refused command is answered with it, in one piece"),
    (RESPONSE, "body", "a refused command is answered with it, in one piece"),
    (ROUTER, "redirect_slashes", "an address with a slash at its end is none of the house's"),
)

VARIABLES = {"cycle": CYCLE, "flow": FLOW, "parser": PARSER, "response": RESPONSE, "router": ROUTER}
"""Our sources' names for uvicorn's things."""
BASES = {"HttpToolsProtocol": PROTOCOL, "Server": SERVER, "FlowControl": FLOW}
"""The classes of theirs that ours derive from."""
READERS = (uvicorn_protocol, serve, app, commands)
"""The sources of ours that use them."""


async def begun(scope: Scope, receive: Receive, send: Send) -> None:
    """An answer without a length that goes on until its client leaves."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"first", "more_body": True})
    while (await receive())["type"] != "http.disconnect":
        pass


async def answering() -> tuple[dict[str, object], bytes]:
    """Uvicorn's objects in the middle of an answer, and what has been written of it."""
    config = uvicorn.Config(begun, log_config=None, lifespan="off")
    state, wire = ServerState(), Wire()
    protocol = httptools_impl.HttpToolsProtocol(config, state, {}, asyncio.get_running_loop())
    protocol.connection_made(wire)
    protocol.data_received(b"GET / HTTP/1.1\r\nhost: pub\r\n\r\n")
    while not wire.written.endswith(b"first\r\n"):
        await asyncio.sleep(0)
    cycle = protocol.cycle
    found = {PROTOCOL: protocol, PARSER: protocol.parser, CYCLE: cycle, FLOW: cycle.flow, MODULE: httptools_impl}
    protocol.connection_lost(None)
    await asyncio.gather(*state.tasks)
    server = uvicorn.Server(config)
    server.should_exit = True
    await server.serve(sockets=[])
    return {**found, SERVER: server, RESPONSE: Response(), ROUTER: Starlette().router}, wire.written


@pytest.fixture(scope="module")
def objects() -> Mapping[str, object]:
    return asyncio.run(answering())[0]


def missing(objects: Mapping[str, object]) -> list[str]:
    """A sentence for each name that is gone."""
    versions = f"uvicorn {version('uvicorn')}, Starlette {version('starlette')}"
    return [
        f"{versions}: {thing} has no {name} any more, and {why}."
        for thing, name, why in NEEDED
        if not hasattr(objects[thing], name)
    ]


def test_every_name_that_the_house_relies_on_is_there(objects: Mapping[str, object]) -> None:
    assert not (gone := missing(objects)), "\n".join(gone)


def used(source: str) -> set[tuple[str, str]]:
    """Each thing of theirs, and each name of it that a source of ours reads, sets, calls or overrides."""
    found: set[tuple[str, str]] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ImportFrom(module=module) if module == MODULE:
                found |= {(MODULE, alias.name) for alias in node.names}
            case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner)) if owner in VARIABLES:
                found.add((VARIABLES[owner], node.attr))
            case ast.ClassDef(bases=[ast.Name(id=base) | ast.Attribute(attr=base)]) if base in BASES:
                found |= {(BASES[base], name) for name in inherited(node)}
    return found


def inherited(derived: ast.ClassDef) -> set[str]:
    """The methods a class defines, and what its code reads of ``self`` and of ``super()``."""
    names = {node.name for node in derived.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    for node in ast.walk(derived):
        match node:
            case ast.Attribute(value=ast.Name(id="self") | ast.Call(func=ast.Name(id="super"))):
                names.add(node.attr)
    return {name for name in names if not name.startswith("__")}


@pytest.fixture(scope="module")
def ours() -> set[tuple[str, str]]:
    return {pair for module in READERS for pair in used(inspect.getsource(module))}


def test_the_house_uses_no_name_of_theirs_that_is_not_named_here(
    objects: Mapping[str, object], ours: set[tuple[str, str]]
) -> None:
    theirs = {(thing, name) for thing, name in ours if hasattr(objects[thing], name)}
    assert theirs <= {(thing, name) for thing, name, _ in NEEDED}


def test_an_answer_without_a_length_goes_out_in_chunks() -> None:
    _, written = asyncio.run(answering())
    head, _, body = written.partition(b"\r\n\r\n")
    assert b"transfer-encoding: chunked" in head
    assert body == b"5\r\nfirst\r\n", "a stream's messages are written as further chunks"
