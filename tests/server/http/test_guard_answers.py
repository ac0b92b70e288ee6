"""What every answer carries, a refusal and a fault as well; and the door once over a real server."""

import threading
import time
from typing import Any

import httpx
import uvicorn

from pubdice.server.web.guard import STREAM, Guard
from server.guarded_app import ask, never_called, refused


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


def test_a_stream_keeps_nothing_of_its_request_but_what_it_is_counted_by() -> None:
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
