"""The door: what gets in, and at what cost."""

import asyncio
import sys
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pubdice.server.web.guard import METHODS, REFUSALS, Guard
from pubdice.server.web.trusted_hosts import read_proxies
from server.guarded_app import Headers, ask, never_called, refused


def test_only_three_methods_are_understood() -> None:
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "get"):
        heard = ask(never_called, method=method)
        assert refused(heard, "method")
        assert heard.headers[b"allow"] == ", ".join(METHODS).encode()


def test_long_and_unreadable_addresses_are_refused() -> None:
    assert refused(ask(never_called, path="/" + "a" * 9000), "address-long")
    assert refused(ask(never_called, query=b"a" * 9000), "address-long")
    for path in ("/\x00", "/a\nb", "/\ufffd", "", "http://evil/"):
        assert refused(ask(never_called, path=path), "unreadable"), path


def test_websockets_are_closed_and_the_lifespan_passes() -> None:
    sent: list[Any] = []
    reached: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope["type"])

    async def give(message: Any) -> None:
        sent.append(message)

    async def take() -> Any:
        return {}

    asyncio.run(Guard(app)({"type": "websocket", "headers": []}, take, give))
    asyncio.run(Guard(app)({"type": "lifespan"}, take, give))
    assert sent == [{"type": "websocket.close", "code": 1008}]
    assert reached == ["lifespan"]


@given(
    st.text(max_size=30),
    st.binary(max_size=30),
    st.lists(
        st.tuples(
            st.sampled_from(
                [b"host", b"origin", b"sec-fetch-site", b"content-length", b"x-forwarded-for", b"transfer-encoding"]
            ),
            st.one_of(st.binary(max_size=30), st.sampled_from([b"pub.example", b"1.2.3.4", b"http://pub.example"])),
        ),
        max_size=6,
    ),
    st.sampled_from(["GET", "POST", "HEAD", "X"]),
)
def test_whatever_is_asked_there_is_an_answer(path: str, query: bytes, headers: Headers, method: str) -> None:
    faults: list[BaseException] = []
    heard = ask(
        method=method,
        path="/" + path,
        query=query,
        headers=headers,
        proxies=read_proxies(["192.0.2.0/24"]),
        failed=lambda scope, error: faults.append(error),
    )
    assert not faults
    assert heard.status in {200} | {status for status, _ in REFUSALS.values()}


def steps(app: Any, number: int) -> int:
    """How many lines of Python are run for a request with so many headers: the same on every machine, however busy."""
    ran = 0

    def trace(frame: Any, event: str, told: Any) -> Any:
        nonlocal ran
        ran += event == "line"
        return trace

    async def give(message: Any) -> None:
        pass

    async def take() -> Any:
        return {"type": "http.request", "body": b"{}", "more_body": False}

    async def once() -> None:
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/t/ABCDEF",
            "raw_path": b"/t/ABCDEF",
            "query_string": b"",
            "scheme": "http",
            "headers": [(b"host", b"127.0.0.1:4224"), *((b"x-%d" % at, b"x" * 40) for at in range(number))],
            "client": ("192.0.2.7", 1),
        }
        before = sys.gettrace()
        sys.settrace(trace)
        try:
            await app(scope, take, give)
        finally:
            sys.settrace(before)

    asyncio.run(once())
    return ran


def test_the_door_takes_a_hundred_steps_at_most_and_three_for_a_header() -> None:
    """A step is about a ten millionth of a second: more than a hundred would be felt with thousands of phones."""

    async def nothing(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    guard = Guard(nothing)
    steps(guard, 10)  # the first finds out that the house goes by that name
    usual = steps(guard, 10) - steps(nothing, 10)
    assert 20 < usual < 100
    assert steps(guard, 1010) - steps(guard, 10) <= 3 * 1000
