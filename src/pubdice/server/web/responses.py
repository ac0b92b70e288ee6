"""Responses: data as JSON, pages as HTML, compressed if the browser accepts it; and refusals as either."""

import gzip
from typing import Any

import msgspec
from starlette.responses import Response

from pubdice.kit import Kit
from pubdice.server.requests import Refusal
from pubdice.server.web.browser import Browser
from pubdice.server.web.limits import retry_after
from pubdice.server.web.refusals import Fault, refusal
from pubdice.server.web.render import Frame, Trouble, trouble
from pubdice.text.catalogues import LANGUAGES, language

LEAST_WORTH = 600
"""Bytes below which compressing is not worth it."""


def frame(browser: Browser, games: tuple[tuple[str, str], ...]) -> Frame:
    """The frame of every page for this browser: language, theme, list of games."""
    url, asked = browser.request.url, browser.request.method == "GET"
    return Frame(
        language=language(browser.language),
        code=browser.language,
        languages=LANGUAGES,
        games=games,
        here=f"{url.path}?{url.query}" if asked and url.query else url.path,
        theme=browser.theme,
        pocket=browser.is_pocket,
    )


def html(browser: Browser, text: str, status: int = 200) -> Response:
    """An HTML page, compressed where that is worth it and the browser takes gzip."""
    body, headers = text.encode(), {"vary": "accept-encoding, accept-language, cookie"}
    if len(body) > LEAST_WORTH and "gzip" in browser.request.headers.get("accept-encoding", ""):
        body = gzip.compress(body, compresslevel=4, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(body, status, headers, "text/html")


def data(body: bytes, status: int = 200) -> Response:
    """A JSON response from ready bytes."""
    return Response(body, status, media_type="application/json")


def refused(
    browser: Browser,
    error: Fault,
    games: tuple[tuple[str, str], ...],
    *,
    kit: Kit | None = None,
    game: Any = None,
) -> Response:
    """A refusal, as data or as a page of its own."""
    status, why = refusal(language(browser.language), error, kit, game)
    if browser.wants_page and not browser.is_json:
        text = trouble(frame(browser, games), Trouble(status, why.why, why.code))
        response = html(browser, text, status)
    else:
        response = data(msgspec.json.encode(why), status)
    return patient(response, error)


def patient(response: Response, error: Fault) -> Response:
    """The response with a Retry-After header, if the refusal says how long to wait."""
    if "wait_s" in error.facts:
        response.headers["retry-after"] = retry_after(float(str(error.facts["wait_s"])))
    return response


def guard_refusal(browser: Browser, games: tuple[tuple[str, str], ...], status: int, why: Refusal) -> tuple[str, bytes]:
    """A refusal by the guard, as a page or as data: the content type, and the body."""
    tongue = language(browser.language)
    told = tongue.say(why.why)
    if browser.wants_page and not browser.is_json:
        text = trouble(frame(browser, games), Trouble(status, told, why.code))
        return "text/html; charset=utf-8", text.encode()
    return "application/json", msgspec.json.encode(Refusal(why.code, told))
