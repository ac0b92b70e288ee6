"""The door: what gets in, what does not and why, and what every answer carries. Once over a real server."""

import asyncio
import json
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st

from pubdice.server.guard import (
    HEADERS,
    METHODS,
    MOST_BODY,
    REFUSALS,
    Guard,
    Proxies,
    client_address,
    host_name,
    house_names,
    is_from_here,
    read_proxies,
)

Headers = list[tuple[bytes, bytes]]
Scope = dict[str, Any]
HOST = (b"host", b"pub.example:4224")


class Heard:
    """What a client got."""

    def __init__(self, sent: list[Any]) -> None:
        self.sent = sent
        self.status: int | None = sent[0]["status"] if sent else None
        self.headers: dict[bytes, bytes] = dict(sent[0]["headers"]) if sent else {}
        self.body = b"".join(message.get("body", b"") for message in sent[1:])


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Say what was asked, by whom, how."""
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    told = {"body": body.decode("latin-1"), "from": client_address(scope), "scheme": scope["scheme"]}
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": json.dumps(told).encode()})


async def never_called(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("the app was reached")


def ask(
    app: Any = echo,
    *,
    method: str = "GET",
    path: str = "/",
    query: bytes = b"",
    headers: Headers | None = None,
    parts: list[bytes] | None = None,
    peer: str = "192.0.2.7",
    receive: Callable[[], Awaitable[Any]] | None = None,
    **options: Any,
) -> Heard:
    """Ask a guarded app, over ASGI, and hear what it says."""
    sent: list[Any] = []
    waiting = list(parts or [b""])

    async def take() -> Any:
        if not waiting:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": waiting.pop(0), "more_body": bool(waiting)}

    async def give(message: Any) -> None:
        sent.append(message)

    options.setdefault("names", ["pub.example"])
    scope: Scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode("utf-8", "replace"),
        "query_string": query,
        "scheme": "http",
        "headers": [HOST] if headers is None else headers,
        "client": (peer, 50_000),
    }
    asyncio.run(Guard(app, **options)(scope, receive or take, give))
    return Heard(sent)


def post(headers: Headers, parts: list[bytes] | None = None, app: Any = echo, **options: Any) -> Heard:
    said = [(b"transfer-encoding", b"chunked")] if parts else []
    return ask(app, method="POST", headers=[HOST, *headers, *said], parts=parts, **options)


def refused(heard: Heard, code: str) -> bool:
    status, why = REFUSALS[code]
    carried = all(heard.headers.get(name) == value for name, value in HEADERS)
    return heard.status == status and json.loads(heard.body) == {"code": code, "why": why} and carried


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


def test_what_may_be_kept_says_so_itself() -> None:
    async def static(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"cache-control", b"public, max-age=31536000, immutable")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    assert [value for name, value in ask(static).sent[0]["headers"] if name == b"cache-control"] == [
        b"public, max-age=31536000, immutable"
    ]


@pytest.mark.parametrize(
    "host",
    [
        b"pub.example",
        b"PUB.example:80",
        b"pub.example.",
        b"localhost:4224",
        b"a.localhost",
        b"192.168.1.7:1",
        b"[::1]:4224",
    ],
)
def test_the_house_answers_to_its_names_and_to_any_address(host: bytes) -> None:
    assert ask(headers=[(b"host", host)]).status == 200


@pytest.mark.parametrize(
    "host",
    [b"evil.example", b"pub.example.evil.example", b"pubxexample", b"", b"pub.example:80:80", b"pub.example:x",
     b"pub.example@evil", b"192.168.1.7.evil.example", b"[::1", b"[::1].evil", b"xlocalhost", b"\xff", b"pub.example/"],
)  # fmt: skip
def test_a_name_rebound_to_the_house_gets_nothing(host: bytes) -> None:
    assert refused(ask(never_called, headers=[(b"host", host)]), "host")


def test_no_host_and_two_hosts_get_nothing() -> None:
    assert refused(ask(never_called, headers=[]), "unreadable")
    assert refused(ask(never_called, headers=[HOST, HOST]), "host")


def test_a_page_of_another_site_changes_nothing() -> None:
    for headers in (
        [(b"origin", b"http://evil.example")],
        [(b"origin", b"null")],
        [(b"origin", b"")],
        [(b"origin", b"http://pub.example")],  # another port is another site
        [(b"origin", b"http://pub.example:4224.evil.example")],
        [(b"origin", b"file://pub.example:4224")],
        [(b"origin", b"http://pub.example:4224"), (b"origin", b"http://pub.example:4224")],
        [(b"sec-fetch-site", b"cross-site")],
        [(b"sec-fetch-site", b"same-site"), (b"origin", b"http://pub.example:4224")],
        [(b"sec-fetch-site", b"same-origin"), (b"origin", b"http://evil.example")],
    ):
        assert refused(post(headers, app=never_called), "cross-origin"), headers


def test_our_own_page_and_programs_that_are_no_browsers_may_post() -> None:
    for headers in (
        [],
        [(b"origin", b"http://pub.example:4224")],
        [(b"origin", b"http://PUB.example:4224"), (b"sec-fetch-site", b"same-origin")],
        [(b"sec-fetch-site", b"none")],
    ):
        assert post(headers).status == 200, headers


@pytest.mark.parametrize(
    ("origin", "host", "ours"),
    [
        (b"https://pub.example", b"pub.example", True),
        (b"https://pub.example", b"pub.example:443", True),
        (b"http://pub.example", b"pub.example:80", True),
        (b"https://pub.example", b"pub.example:80", False),
        (b"https://pub.example:8443", b"pub.example:8443", True),
        (b"https://pub.example:8443", b"pub.example", False),
    ],
)
def test_usual_ports_may_be_left_out(origin: bytes, host: bytes, ours: bool) -> None:
    assert is_from_here(None, origin, host) is ours


def test_reading_may_be_asked_for_from_anywhere() -> None:
    assert ask(headers=[HOST, (b"origin", b"http://evil.example"), (b"sec-fetch-site", b"cross-site")]).status == 200


def test_only_three_methods_are_understood() -> None:
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "get"):
        heard = ask(never_called, method=method)
        assert refused(heard, "method")
        assert heard.headers[b"allow"] == ", ".join(METHODS).encode()


def test_long_and_unreadable_addresses_are_refused() -> None:
    assert refused(ask(never_called, path="/" + "a" * 2000), "address-long")
    assert refused(ask(never_called, query=b"a" * 2000), "address-long")
    for path in ("/\x00", "/a\nb", "/\ufffd", "", "http://evil/"):
        assert refused(ask(never_called, path=path), "unreadable"), path


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


def test_whoever_hangs_up_half_way_has_asked_nothing() -> None:
    calls = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])

    async def gone() -> Any:
        return next(calls)

    heard = ask(never_called, method="POST", headers=[HOST, (b"content-length", b"5")], receive=gone)
    assert heard.sent == []


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


def test_every_answer_is_counted_as_it_starts() -> None:
    counted: list[int] = []
    ask(answered=lambda scope, status: counted.append(status))
    ask(headers=[], answered=lambda scope, status: counted.append(status))
    assert counted == [200, 400]


PROXY = read_proxies(["10.0.0.1", "2001:db8::/32"])


@pytest.mark.parametrize(
    ("peer", "proxies", "forwarded", "client"),
    [
        ("192.0.2.7", PROXY, b"198.51.100.1", "192.0.2.7"),  # not a proxy that was named
        ("10.0.0.1", (), b"198.51.100.1", "10.0.0.1"),
        ("10.0.0.1", PROXY, b"198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", PROXY, b"1.1.1.1, 198.51.100.1", "198.51.100.1"),  # what the client made up stands first
        ("10.0.0.1", PROXY, b"198.51.100.1, 2001:db8::7", "198.51.100.1"),
        ("10.0.0.1", PROXY, b"198.51.100.1, nonsense", "10.0.0.1"),
        ("10.0.0.1", PROXY, b"", "10.0.0.1"),
        ("2001:db8::1", PROXY, b"198.51.100.1", "198.51.100.1"),
        ("no address", PROXY, b"198.51.100.1", "no address"),
    ],
)
def test_only_a_named_proxy_is_believed(peer: str, proxies: Proxies, forwarded: bytes, client: str) -> None:
    headers = [HOST, (b"x-forwarded-for", forwarded), (b"x-forwarded-proto", b"https")]
    heard = ask(headers=headers, peer=peer, proxies=proxies)
    told = json.loads(heard.body)
    assert told["from"] == client
    believed = bool(proxies) and peer in ("10.0.0.1", "2001:db8::1")
    assert (told["scheme"] == "https") is believed
    assert (b"strict-transport-security" in heard.headers) is believed


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


def test_names_are_read_without_their_ports() -> None:
    assert house_names(["http://dice.example:8080/x", "bücher.example", "[::1]:80", "::", "0.0.0.0"]) >= {
        "dice.example",
        "xn--bcher-kva.example",
        "::1",
    }
    with pytest.raises(ValueError, match="not an address"):
        house_names(["http://"])
    assert host_name(b"a_b-c.d:1") == "a_b-c.d"


def test_the_door_costs_less_than_a_hundredth_of_a_millisecond() -> None:
    async def nothing(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def give(message: Any) -> None:
        pass

    async def take() -> Any:
        return {"type": "http.request", "body": b"{}", "more_body": False}

    headers = [(b"host", b"192.168.1.7:4224"), *((b"x-%d" % at, b"x" * 40) for at in range(10))]

    async def seconds(app: Any) -> float:
        best = 1.0
        for _ in range(30):
            start = time.perf_counter()
            for _ in range(100):
                await app(
                    {
                        "type": "http",
                        "method": "GET",
                        "path": "/t/ABCDEF",
                        "raw_path": b"/t/ABCDEF",
                        "query_string": b"",
                        "scheme": "http",
                        "headers": headers,
                        "client": ("192.0.2.7", 1),
                    },
                    take,
                    give,
                )
            best = min(best, (time.perf_counter() - start) / 100)
        return best

    async def added() -> float:
        return await seconds(Guard(nothing)) - await seconds(nothing)

    assert asyncio.run(added()) < 10e-6


def test_over_a_real_server_streams_pass_and_large_bodies_get_their_answer() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
        for at in range(3):
            await send({"type": "http.response.body", "body": b"data: %d\n\n" % at, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    config = uvicorn.Config(Guard(app), port=0, lifespan="off", ws="none", log_config=None, log_level="warning")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        port = server.servers[0].sockets[0].getsockname()[1]
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
            with client.stream("GET", "/") as answer:
                assert b"".join(answer.iter_raw()) == b"data: 0\n\ndata: 1\n\ndata: 2\n\n"
                assert answer.headers["transfer-encoding"] == "chunked"
            assert client.post("/", content=b"a" * 50_000).json()["code"] == "too-large"
            assert client.post("/", content=iter([b"a" * 3000] * 4)).json()["code"] == "too-large"
            assert client.get("/", headers={"host": "evil.example"}).json()["code"] == "host"
            assert client.post("/", content=b"{}").status_code == 200
    finally:
        server.should_exit = True
        thread.join(5)
