"""Hostile requests: heads, bodies, forms, cookies and commands of others. None does anything, each has a sentence."""

import re
import socket

import pytest

from pubdice.server.web.guard import MOST_HEAD
from server.abuse.scene import FORM, JSON, Scene, reason
from support.house_process import say


def first(scene: Scene, *headers: str) -> bytes:
    """The head of a command, and nothing after it."""
    return scene.request(b"", "Transfer-Encoding: chunked", *headers)


def garbage(scene: Scene) -> dict[str, bytes]:
    """Bytes that are no HTTP, or hardly."""
    good, port = scene.request(scene.command()), scene.port
    get = f"GET /t/{scene.code}/state HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n".encode()
    kind, short = b"Content-Type:", b"\r\nContent-Type:"
    websocket = (
        b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    http2 = b"Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAARAAAAA\r\n\r\n"
    return {
        "bytes of chance": bytes(range(256)) * 8,
        "zeros": b"\0" * 4096,
        "line ends": b"\r\n" * 1000,
        "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
        "HTTP/0.9": b"GET /t/" + scene.code.encode() + b"\r\n\r\n",
        "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "HTTP/9.9": good.replace(b"HTTP/1.1", b"HTTP/9.9"),
        "no version": good.replace(b" HTTP/1.1", b""),
        "a method of nobody's": good.replace(b"POST", b"FROB"),
        "a null in a header": good.replace(kind, b"X-A: a\0b" + short),
        "a header without a colon": good.replace(kind, b"nonsense" + short),
        "a header with a space before its colon": good.replace(kind, b"Content-Length : 5" + short),
        "two lengths": good.replace(b"Content-Length:", b"Content-Length: 5\r\nContent-Length:"),
        "a length below 0": re.sub(rb"Content-Length: \d+", b"Content-Length: -1", good),
        "a length in words": re.sub(rb"Content-Length: \d+", b"Content-Length: many", good),
        "a length beyond all": re.sub(rb"Content-Length: \d+", b"Content-Length: " + b"9" * 30, good),
        "length and chunks": good.replace(b"Content-Length:", b"Transfer-Encoding: chunked\r\nContent-Length:"),
        "chunks of no number": first(scene) + b"zz\r\nabc\r\n0\r\n\r\n",
        "chunks below 0": first(scene) + b"-5\r\nabc\r\n0\r\n\r\n",
        "chunks beyond all": first(scene) + b"f" * 40 + b"\r\nabc\r\n0\r\n\r\n",
        "chunks that lie": first(scene) + b"3\r\nabcdef\r\n0\r\n\r\n",
        "a strange encoding": scene.request(scene.command(), "Transfer-Encoding: cheat, gzip"),
        "huge headers": good.replace(kind, b"X-A: " + b"a" * (4 * MOST_HEAD) + short),
        "many headers": good.replace(kind, b"".join(b"X-%d: a\r\n" % at for at in range(5000)) + kind),
        "a long cookie": good.replace(b"Cookie: ", b"Cookie: a=" + b"b" * 40_000 + b"; "),
        "a long address": good.replace(b"/t/", b"/t/" + b"A" * 2000),
        "an endless address": b"GET /" + b"A" * 100_000,
        "an address of nulls": get.replace(b"/state", b"/%00%00"),
        "an address not UTF-8": get.replace(b"/state", b"/%ff%fe") + b"\r\n",
        "a way out": get.replace(b"/t/", b"/static/x/../../../../etc/passwd?") + b"\r\n",
        "another's address": get.replace(b"GET /", b"GET http://evil.example/") + b"\r\n",
        "a tunnel": b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
        "a WebSocket": get + websocket,
        "an upgrade": get + http2,
        "an expectation": first(scene, "Expect: 100-continue"),
    }  # fmt: skip


@pytest.mark.parametrize("name", garbage(Scene()))
def test_bytes_that_are_hardly_http_change_nothing(untouched: Scene, name: str) -> None:
    heard = say(untouched.port, garbage(untouched)[name], within_s=0.2, all_of_it=True)
    for status in re.findall(rb"HTTP/1\.1 (\d+)", heard):
        assert int(status) < 500, heard[:300]
    assert b"Traceback" not in heard
    assert b"root:" not in heard
    if name in ("a WebSocket", "an upgrade"):  # asked as plain HTTP it is plain HTTP
        assert b"HTTP/1.1 101" not in heard


def test_a_request_smuggled_in_a_body_is_only_a_body(untouched: Scene) -> None:
    inner = untouched.request(untouched.command())
    answer = untouched.send(untouched.request(inner, kind=JSON))
    assert answer.status == 400


def test_a_head_that_comes_drop_by_drop_holds_nobody_up(untouched: Scene) -> None:
    slow = [socket.create_connection(("127.0.0.1", untouched.port)) for _ in range(100)]
    try:
        for line in slow:
            line.sendall(b"POST /t/ABCDEF HTTP/1.1\r\nHost: loc")
        assert untouched.seq()
        for line in slow:
            line.setblocking(False)
            with pytest.raises(BlockingIOError):  # every one is still waited for: the answer waited for none of them
                line.recv(1)
    finally:
        for line in slow:
            line.close()


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_address_that_is_none_is_told_in_a_sentence(untouched: Scene, method: str) -> None:
    body = untouched.command() if method == "POST" else b""
    for path in ("/t/NOSUCH", "/t/0", "/t/%2e%2e", "/t/ABCDEFG", "/t/ABCDEF%00", "/nowhere", "/t"):
        answer = untouched.send(untouched.request(body, path=path, method=method))
        assert answer.status in (400, 404), path
        assert reason(answer)
        page = untouched.send(untouched.request(body, "Accept: text/html", path=path, method=method, kind=FORM))
        assert page.status in (400, 404), path
        if answer.data["code"] == "no-page":  # its heading says so, once
            assert page.body.count(b"<h1>Page not found</h1>") == 1
            assert answer.data["why"].encode() not in page.body
            assert b'href="/">To the front page</a>' in page.body
        else:
            assert reason(page)


def bodies(scene: Scene) -> dict[str, tuple[int, bytes]]:
    """Faults of a body, each with its status."""
    deep = b'{"key":"fresh-deep-1","do":"roll","marks":' + b"[" * 1_900 + b"]" * 1_900 + b"}"
    return {
        "nothing at all": (400, b""),
        "no JSON": (400, b"roll the dice"),
        "half of it": (400, scene.command()[:-4]),
        "not UTF-8": (400, b'{"key":"fresh-\xff\xfe-1","do":"roll"}'),
        "half a character": (400, b'{"key":"fresh-half-1","do":"sit","name":"\\ud800"}'),
        "as deep as fits": (400, deep),
        "a list": (422, b"[]"),
        "a number": (422, b"7"),
        "null": (422, b"null"),
        "an unknown field": (422, scene.command(person="Ann")),
        "dice of one's own": (409, scene.command(do="enter", dice="666666", marks=[])),
        "no key": (422, b'{"do":"roll","marks":[0]}'),
        "a short key": (422, scene.command(key="k")),
        "a strange key": (422, scene.command(key="key with spaces")),
        "a long key": (422, scene.command(key="k" * 65)),
        "no deed": (422, b'{"key":"fresh-none-1"}'),
        "an unknown deed": (422, scene.command(do="cheat")),
        "a deed of the table's own": (422, scene.command(do="timeup")),
        "places below 0": (422, scene.command(marks=[-1])),
        "places beyond all": (422, scene.command(marks=[10**30])),
        "places that are no numbers": (422, scene.command(marks=["0"])),
        "places that are not there": (409, scene.command(marks=[6])),
        "a place twice": (409, scene.command(marks=[0, 0])),
        "a hundred places": (422, scene.command(marks=list(range(100)))),
        "a seat that is not there": (404, scene.command(do="remove", seat=9)),
        "a seat beyond all": (422, scene.command(do="remove", seat=10**9)),
        "a bot nobody knows": (422, scene.command(do="give", bot="cheat")),
        "a pace beyond all": (422, scene.command(do="pace", ms=10**9)),
        "a pace too slow": (422, scene.command(do="pace", ms=60_000)),
    }


def test_a_body_with_something_wrong_is_refused_with_a_sentence(untouched: Scene) -> None:
    for name, (status, body) in bodies(untouched).items():
        answer = untouched.send(untouched.request(body))
        assert answer.status == status, (name, answer.body)
        assert reason(answer)
