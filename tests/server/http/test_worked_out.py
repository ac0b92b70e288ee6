"""An answer that may still be worked out: shown, asked for again, or refused; by page and by data."""

from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from pubdice.server.http.worked_out import SOON_S, no_answer, soon, worked_out
from pubdice.server.live.solver_process import NoAnswer
from pubdice.server.web.browser import Browser
from pubdice.server.web.guard import HEADER_VALUES

TOO_LARGE = NoAnswer("too-large", "Too large.")


def browser(accept: str) -> Browser:
    scope: dict[str, Any] = {"type": "http", "scheme": "http", "method": "GET", "path": "/", "headers": []}
    scope[HEADER_VALUES] = {b"accept": accept.encode()}
    return Browser(Request(scope))


@pytest.mark.parametrize(
    ("accept", "answer", "status", "body"),
    [
        ("text/html", "4 6", 200, b"4 6"),
        ("text/html", None, 202, b"again in 2"),
        ("text/html", TOO_LARGE, 422, b"<p>Too large."),
        ("*/*", TOO_LARGE, 422, b'{"code":"too-large","why":"Too large."}'),
    ],
)
def test_an_answer_is_shown_asked_for_again_or_refused(
    accept: str, answer: str | NoAnswer | None, status: int, body: bytes
) -> None:
    response = worked_out(
        browser(accept),
        answer,
        shown=Response,
        waiting=lambda again_s: Response(f"again in {again_s}"),
        refused=lambda found: Response(f"<p>{found.why}"),
    )
    assert (response.status_code, response.body) == (status, body)
    assert response.headers.get("retry-after") == (str(SOON_S) if status == 202 else None)


def test_where_there_is_no_page_a_refusal_is_data_for_everybody() -> None:
    response = no_answer(browser("text/html"), TOO_LARGE, None)
    assert (response.status_code, response.media_type) == (422, "application/json")


def test_what_is_whole_is_left_alone_and_a_refusal_keeps_its_status() -> None:
    assert (soon(Response(), 0).status_code, "retry-after" in soon(Response(), 0).headers) == (200, False)
    refused = soon(Response(status_code=422), 3)
    assert (refused.status_code, refused.headers["retry-after"]) == (422, "3")
