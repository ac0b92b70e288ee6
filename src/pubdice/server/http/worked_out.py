"""Answers that the house may still be working out: shown, asked for again with 202, or refused with the reason."""

from collections.abc import Callable
from typing import TypeVar

import msgspec
from starlette.responses import Response

from pubdice.server.live.solver_process import NoAnswer
from pubdice.server.requests import Refusal
from pubdice.server.web import responses
from pubdice.server.web.browser import Browser
from pubdice.server.web.refusals import UNREAD

T = TypeVar("T")

SOON_S = 2
"""When to ask again for an answer that is still being worked out."""
PARTS_SOON_S = 3
"""The same for a page of several parts, which is shown with those that are ready."""


def worked_out(
    browser: Browser,
    answer: T | NoAnswer | None,
    *,
    shown: Callable[[T], Response],
    waiting: Callable[[int], Response],
    refused: Callable[[NoAnswer], Response] | None,
) -> Response:
    """The response to a question. shown: with its answer; waiting: while there is none (None), with the seconds until
    the page asks again; refused: as in ``no_answer``.
    """
    if answer is None:
        return soon(waiting(SOON_S), SOON_S)
    if isinstance(answer, NoAnswer):
        return no_answer(browser, answer, refused)
    return shown(answer)


def no_answer(browser: Browser, answer: NoAnswer, refused: Callable[[NoAnswer], Response] | None) -> Response:
    """Why there is no answer, as data, or as ``refused`` shows it on a page; None where there is no page."""
    if browser.wants_page and refused is not None:
        response = refused(answer)
        response.status_code = UNREAD
        return response
    return responses.data(msgspec.json.encode(Refusal(answer.code, answer.why)), UNREAD)


def soon(response: Response, again_s: int) -> Response:
    """The response as one to ask for again in so many seconds: 202, and Retry-After; 0 for one that is whole.

    A refusal keeps its status.
    """
    if again_s:
        response.headers["retry-after"] = str(again_s)
        if response.status_code == 200:
            response.status_code = 202
    return response
