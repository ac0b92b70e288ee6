"""Bodies at the door: how much, how soon, and what becomes of one that is not all there."""

import asyncio
import json
from typing import Any

from pubdice.server.web.guard import MOST_BODY
from server.guarded_app import HOST, ask, never_called, post, refused


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
