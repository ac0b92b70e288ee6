"""Pages to read and to choose: the rules of each game, help, privacy, the language, light or dark."""

from dataclasses import dataclass
from functools import cache

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pubdice.kit import Kit
from pubdice.room.setup import MOST_CHAIRS
from pubdice.server.pages.visit import PageVisit, Site
from pubdice.server.web.browser import THEMES, set_language, set_theme
from pubdice.server.web.render import SERVER, Frame, Html, render, template
from pubdice.server.web.routing import GAME, Field, Form, Route
from pubdice.text.catalogues import CODES
from pubdice.text.markdown import read_blocks


@dataclass(frozen=True, slots=True)
class Tongues:
    """The choice of a language. ``back`` is the address of the page to go back to."""

    back: str


@cache
def general_picture() -> bytes:
    """Return the preview picture of a link to the house: six dice on a slate in a wooden frame.

    A PNG, as chats take no SVG.

    Made by ``python -m pubdice.server.rasterise < preview.svg > preview.png``.
    """
    return (SERVER / "pages" / "preview.png").read_bytes()


help_html = template("help.html")
tongues_html: Html[Tongues] = template("language.html")
privacy_html = template("privacy.html")


async def rules(visit: PageVisit) -> Response:
    """``GET /rules/{game}``: a game's page of rules."""
    return visit.html(rules_html, visit.game())


def rules_html(frame: Frame, kit: Kit) -> str:
    """Return the page of a game's rules, made from their Markdown, with the most players at a table of this house."""
    solved, most = kit.name if kit.solver is not None else "", min(MOST_CHAIRS, kit.usual_game.most_seats)
    return render("rules.html", frame, blocks=read_blocks(kit.page(frame.code)), best_play=solved, most=most)


async def how_to(visit: PageVisit) -> Response:
    """``GET /help``: the help for touch, keys and speech."""
    return visit.html(help_html, None)


async def privacy(visit: PageVisit) -> Response:
    """``GET /privacy``: the data that the house stores about people."""
    return visit.html(privacy_html, None)


async def tongues(visit: PageVisit) -> Response:
    """``GET /language``: the languages to choose from."""
    return visit.html(tongues_html, Tongues(_own_page(visit.query("back"))))


def _own_page(address: str) -> str:
    """Return the address if it is a page of the house, otherwise that of the front page."""
    foreign = not address.startswith("/") or address[1:2] in ("/", "\\") or not address.isprintable()
    return "/" if foreign else address


async def speak(visit: PageVisit) -> Response:
    """``POST /language``: set the language or the theme, and go back to the page of the form."""
    form = visit.form()
    response = visit.redirect(_own_page(form.get("back", "/")))
    if form.get("theme") in THEMES:
        set_theme(response, form["theme"], secure=visit.secure)
    if form.get("language") in CODES:
        set_language(response, form["language"], secure=visit.secure)
    return response


async def moved(site: Site, request: Request) -> Response:
    """``GET /words``: redirect from an earlier address of the privacy page."""
    return RedirectResponse("/privacy", 308)


async def picture(site: Site, request: Request) -> Response:
    """``GET /preview.png``: the picture that chats show of a link."""
    return Response(general_picture(), headers={"cache-control": "public, max-age=86400"}, media_type="image/png")


ROUTES = (
    Route("GET", "/rules/{game}", rules, "The rules of a game.", (GAME,), refuses=("no-page",)),
    Route("GET", "/help", how_to, "How to play here."),
    Route("GET", "/privacy", privacy, "What the house keeps of people, and for how long.", part="pages"),
    Route("GET", "/language", tongues, "The languages to choose from.", (Field("back"),)),
    Route("GET", "/words", moved, "Moved to /privacy.", gives={308: ()}, plain=True),
    Route(
        "GET",
        "/preview.png",
        picture,
        "The picture that chats show of a link.",
        gives={200: ("image/png",)},
        plain=True,
        only="house",
    ),
    Route(
        "POST",
        "/language",
        speak,
        "Choose a language.",
        takes=(Form("LanguageForm", ("language",), ("back",)),),
    ),
)
