"""The door: requests that get in, bodies that are read, and headers of every answer."""

import asyncio
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pubdice.server.web.guard import METHODS, MOST_BODY, REFUSALS, STREAM, Guard
from pubdice.server.web.trusted_hosts import read_proxies
from server.guarded_app import HOST, Headers, ask, never_called, post, refused


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


def test_a_body_may_have_four_kilobytes_and_comes_whole() -> None:
    heard = post([], [b"a" * 1000, b"", b"b" * 3096])
    assert heard.status == 200
    assert json.loads(heard.body)["body"] == "a" * 1000 + "b" * 3096
    whole = ask(method="POST", headers=[HOST, (b"content-length", b"4096")], parts=[b"c" * 4096])
    assert whole.status == 200


def test_a_body_of_more_is_refused_however_it_comes() -> None:
    assert refused(post([], [b"a"] * (MOST_BODY + 1), never_called), "too-large")
    assert refused(post([], [b"a" * 70_000, b"b"], never_called), "too-large")
    for method in ("POST", "GET"):
        for length, parts in ((b"4097", [b"a" * 4097]), (b"99999999999999999999", [b""]), (b"1000000", [b""])):
            heard = ask(never_called, method=method, headers=[HOST, (b"content-length", length)], parts=parts)
            assert refused(heard, "too-large")
            assert heard.headers[b"connection"] == b"close"
    for length in (b"-1", b"x", b"5,5", b"", b"1e3"):
        heard = ask(never_called, method="POST", headers=[HOST, (b"content-length", length)])
        assert refused(heard, "unreadable")


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    async def silent() -> Any:
        await asyncio.Event().wait()

    headers = [HOST, (b"content-length", b"5")]
    heard = ask(never_called, method="POST", headers=headers, receive=silent, body_within_s=0)
    assert refused(heard, "slow")


def test_a_client_that_hangs_up_half_way_has_asked_nothing() -> None:
    calls = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])

    async def gone() -> Any:
        return next(calls)

    heard = ask(never_called, method="POST", headers=[HOST, (b"content-length", b"5")], receive=gone)
    assert heard.sent == []


def test_what_may_be_kept_says_so_itself() -> None:
    async def static(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"cache-control", b"public, max-age=31536000, immutable")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    assert [value for name, value in ask(static).sent[0]["headers"] if name == b"cache-control"] == [
        b"public, max-age=31536000, immutable"
    ]


def test_a_fault_is_one_sentence_outside_and_told_inside() -> None:
    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError("Ann's token is secret")

    told: list[BaseException] = []
    heard = ask(broken, failed=lambda scope, error: told.append(error))
    assert refused(heard, "fault")
    assert b"Ann" not in heard.body
    assert [str(error) for error in told] == ["Ann's token is secret"]


def test_a_fault_after_the_answer_began_ends_it_without_another() -> None:
    async def broken(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"half", "more_body": True})
        raise RuntimeError

    told: list[BaseException] = []
    heard = ask(broken, failed=lambda scope, error: told.append(error))
    assert len(heard.sent) == 2
    assert heard.body == b"half"
    assert len(told) == 1


def test_browsers_get_a_page_and_programs_get_json() -> None:
    page = ask(headers=[(b"host", b"evil"), (b"accept", b"text/html,*/*")])
    assert page.headers[b"content-type"] == b"text/html; charset=utf-8"
    assert b'<html lang="en">' in page.body
    assert b"<script" not in page.body
    assert ask(headers=[(b"host", b"evil")], method="HEAD").body == b""


def test_too_many_requests_are_told_how_long_to_wait() -> None:
    asked: list[str] = []

    def admit(address: str) -> float:
        asked.append(address)
        return 2.5

    heard = ask(never_called, admit=admit)
    assert refused(heard, "too-many")
    assert heard.headers[b"retry-after"] == b"3"
    assert asked == ["192.0.2.7"]


def test_what_is_refused_at_the_door_counts_as_a_request() -> None:
    asked: list[str] = []

    def admit(address: str) -> float:
        asked.append(address)
        return 0.0

    for headers, method in (([(b"host", b"evil")], "GET"), ([(b"host", b"pub.example")], "DELETE"), ([], "GET")):
        ask(never_called, headers=headers, method=method, admit=admit)
    assert len(asked) == 3
    assert refused(ask(never_called, headers=[(b"host", b"evil")], admit=lambda _: 1.0), "too-many")


def test_every_answer_is_counted_as_it_starts() -> None:
    counted: list[int] = []
    ask(answered=lambda scope, status: counted.append(status))
    ask(headers=[], answered=lambda scope, status: counted.append(status))
    assert counted == [200, 400]


def test_a_stream_keeps_nothing_of_its_request() -> None:
    kept: list[Any] = []

    async def streaming(scope: Any, receive: Any, send: Any) -> None:
        async def stream(receive: Any, send: Any) -> None:
            kept.append(dict(scope))
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"news"})

        scope |= {"route": "the route", STREAM: stream}

    counted: list[Any] = []
    heard = ask(streaming, path="/events", answered=lambda scope, status: counted.append((scope["route"], status)))
    assert (heard.status, heard.body, counted) == (200, b"news", [("the route", 200)])
    (scope,) = kept
    assert (scope["type"], scope["path"], scope["method"]) == ("http", "/events", "GET")
    assert not [key for key in scope if "headers" in key or key.startswith("pubdice")]


def test_every_answer_is_strict() -> None:
    heard = ask()
    assert heard.status == 200
    policy = heard.headers[b"content-security-policy"].decode()
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert "*" not in policy
    assert heard.headers[b"referrer-policy"] == b"same-origin"
    assert heard.headers[b"x-content-type-options"] == b"nosniff"
    assert heard.headers[b"cache-control"] == b"no-store"
    assert b"strict-transport-security" not in heard.headers
