"""What the house relies on in uvicorn and Starlette that is no API of theirs: each name, and what breaks without it.

Any patch release may take one away. pyproject.toml bounds both versions; raise a bound only when this passes with it.
"""

import ast
import asyncio
import inspect
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from types import SimpleNamespace

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http import httptools_impl
from uvicorn.server import ServerState

from pubdice.server import app, serve, uvicorn_protocol
from pubdice.server.pages import commands
from support.transport import Wire

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
"""What our sources call a thing of theirs."""
BASES = {"HttpToolsProtocol": PROTOCOL, "Server": SERVER, "FlowControl": FLOW}
"""The classes of theirs that ours derive from."""
READERS = (uvicorn_protocol, serve, app, commands)
"""The sources of ours that use them."""


async def begun(scope: Scope, receive: Receive, send: Send) -> None:
    """An answer without a length that goes on until somebody leaves."""
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


def test_a_name_that_goes_missing_is_told_in_a_sentence(objects: Mapping[str, object]) -> None:
    cycle = SimpleNamespace(**{key: value for key, value in vars(objects[CYCLE]).items() if key != "keep_alive"})
    (told,) = missing({**objects, CYCLE: cycle})
    assert told.endswith(
        "RequestResponseCycle has no keep_alive any more, and the last answer of a connection closes it."
    )


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


def unused(rows: Iterable[tuple[str, str, str]], names: set[tuple[str, str]]) -> list[str]:
    """A sentence for each row that no source of ours needs any more."""
    return [
        f"No source uses {name} of {thing}: take its row out." for thing, name, _ in rows if (thing, name) not in names
    ]


@pytest.fixture(scope="module")
def ours() -> set[tuple[str, str]]:
    return {pair for module in READERS for pair in used(inspect.getsource(module))}


def test_the_house_uses_no_name_of_theirs_that_is_not_named_here(
    objects: Mapping[str, object], ours: set[tuple[str, str]]
) -> None:
    theirs = {(thing, name) for thing, name in ours if hasattr(objects[thing], name)}
    assert theirs <= {(thing, name) for thing, name, _ in NEEDED}


def test_every_name_here_is_used_by_a_source(ours: set[tuple[str, str]]) -> None:
    assert not (idle := unused(NEEDED, ours)), "\n".join(idle)


def test_a_row_that_no_source_uses_is_told_in_a_sentence(ours: set[tuple[str, str]]) -> None:
    (told,) = unused([*NEEDED, (CYCLE, "waiting_for_100_continue", "the waiting ends")], ours)
    assert told == "No source uses waiting_for_100_continue of RequestResponseCycle: take its row out."


def test_an_answer_without_a_length_goes_out_in_chunks() -> None:
    _, written = asyncio.run(answering())
    head, _, body = written.partition(b"\r\n\r\n")
    assert b"transfer-encoding: chunked" in head
    assert body == b"5\r\nfirst\r\n", "a stream's messages are written as further chunks"


def test_uvicorn_takes_a_protocol_of_ours() -> None:
    ours = httptools_impl.HttpToolsProtocol
    config = uvicorn.Config(begun, http=ours, log_config=None)
    config.load()
    assert config.http_protocol_class is ours
