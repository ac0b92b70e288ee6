"""An answer that may still be worked out: shown, asked for again, or refused; by page and by data."""

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from pubdice.server.jobs import NoAnswer
from pubdice.server.pages.visit import SOON_S, PageVisit, soon
from pubdice.server.web.guard import HEADER_VALUES
from pubdice.server.web.render import Frame

TOO_LARGE = NoAnswer("too-large", "Too large.")


@dataclass(frozen=True)
class Shown:
    """A page of one answer."""

    line: str = ""
    refusal: str = ""
    again_s: int = 0


def html(frame: Frame, page: Shown) -> str:
    return page.line or (f"again in {page.again_s}" if page.again_s else f"<p>{page.refusal}")


def visit(accept: str) -> PageVisit:
    scope: dict[str, Any] = {"type": "http", "scheme": "http", "method": "GET", "path": "/", "query_string": b""}
    scope |= {"headers": [], HEADER_VALUES: {b"accept": accept.encode()}, "server": ("house", 80)}
    site: Any = SimpleNamespace(house=None, games=())
    return PageVisit(site, Request(scope))


@pytest.mark.parametrize(
    ("accept", "answer", "status", "body"),
    [
        ("text/html", "4 6", 200, b"4 6"),
        ("*/*", "4 6", 200, b'["4 6"]'),
        ("text/html", None, 202, b"again in 2"),
        ("text/html", TOO_LARGE, 422, b"<p>Too large."),
        ("*/*", TOO_LARGE, 422, b'{"code":"too-large","why":"Too large."}'),
    ],
)
def test_an_answer_is_shown_asked_for_again_or_refused(
    accept: str, answer: str | NoAnswer | None, status: int, body: bytes
) -> None:
    response = visit(accept).worked_out(
        html, Shown(), answer, lambda page, line: replace(page, line=line), lambda page, line: [line]
    )
    assert (response.status_code, response.body) == (status, body)
    assert response.headers.get("retry-after") == (str(SOON_S) if status == 202 else None)


def test_a_page_without_a_place_for_it_refuses_on_a_page_of_its_own_or_as_data() -> None:
    response = visit("text/html").no_answer(TOO_LARGE)
    assert response.status_code == 422
    assert b"Too large." in response.body
    data = visit("*/*").no_answer(TOO_LARGE)
    assert (data.status_code, data.media_type) == (422, "application/json")


def test_what_is_whole_is_left_alone_and_a_refusal_keeps_its_status() -> None:
    assert (soon(Response(), 0).status_code, "retry-after" in soon(Response(), 0).headers) == (200, False)
    refused = soon(Response(status_code=422), 3)
    assert (refused.status_code, refused.headers["retry-after"]) == (422, "3")
