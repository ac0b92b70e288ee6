"""The door: who is asking and from where, by which name, for what; what gets in, and at what cost."""

import asyncio
import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pubdice.server.guard import METHODS, REFUSALS, Guard, Proxies, host_name, house_names, is_from_here, read_proxies
from server.door import HOST, Headers, ask, never_called, post, refused


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
            "headers": [(b"host", b"192.168.1.7:4224"), *((b"x-%d" % at, b"x" * 40) for at in range(number))],
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
