"""Same-dice (duplicate) nights: begin a night, open its tables, and rank the players by value lost."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from pubdice.advice.losses import MatchLosses
from pubdice.advice.night_ranking import NightRanking, ranked
from pubdice.core.errors import BadNotation, NotStored, Refused
from pubdice.kit import Kit
from pubdice.room import Room, Setup
from pubdice.room.setup import with_seats, within
from pubdice.server.jobs import NoAnswer, check_solvable
from pubdice.server.nights import DuplicateNight
from pubdice.server.pages.table import rules_line
from pubdice.server.pages.visit import CODE, SOON_S, PageVisit
from pubdice.server.table.codes import format_code, secret_in
from pubdice.server.table.game_offers import chosen_game
from pubdice.server.table.ordered_setup import OrderError, from_form, setup_ordered
from pubdice.server.web.browser import new_token, set_cookies, with_retry_after
from pubdice.server.web.refusals import UNREAD, Fault
from pubdice.server.web.render import Frame, Preview, render
from pubdice.server.web.routing import ASKING, JSON, PAGE, Form, Route
from pubdice.server.wire import MOST_ASKED_SEATS

TRIES = 3
"""The number of times that a form to begin a night waits for the solver, two seconds each. After that, the browser must
send it again.
"""
MOST_PLAYERS = 12
"""The most players that the form offers. A game may allow fewer, and the solver fewer still."""
SAME_DICE = "Same dice for every table. Who plays them best?"
NO_RANKING = NightRanking()


class NightAnswer(Struct):
    """A duplicate night: its match, and the players of its finished tables, ranked.

    - rules: as in an ``Order``.
    - going, over: unfinished and finished tables.
    - held: the client still plays at a table of the night, and so learns nothing of the other tables.
    - ranking: best first, each seat with its table's number, the value lost in the match, its real decisions, their
      mean loss, and its 95 % band (low to high).
    """

    code: str
    game: str
    rules: dict[str, str]
    players: int
    going: int
    over: int
    held: bool
    ranking: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class NightForm:
    """The form that begins a night."""

    games: tuple[Kit, ...]
    values: Mapping[str, str] = field(default_factory=dict)  # the fields of a refused form, to be shown again
    refusal: str = ""  # the reason for the refusal
    field: str = ""  # the name of the wrong field
    origin: str = ""  # the house's address for others


@dataclass(frozen=True, slots=True)
class NightPage:
    """The page of a night."""

    code: str  # the night's code, in groups of three letters
    address: str  # the night's full address, to share
    here: str
    game: str  # the game's name
    title: str
    rules: str  # the house rules in a line
    players: int
    key: str  # a fresh idempotency key
    name: str = ""  # the last name that this person entered
    own: str = ""  # the link of the person's table of the night, "" for none
    held: bool = False  # this person's match is not over, so other tables stay hidden
    played: bool = False  # the person has played, and may follow links to tables
    going: int = 0  # unfinished tables
    over: int = 0  # finished tables
    ranking: NightRanking = NO_RANKING  # the ranking of the tables worked out so far
    tables: tuple[str, ...] = ()  # the links of ranked tables, in order
    failed: int = 0  # tables whose losses can't be worked out
    again_s: int = 0  # seconds until the page asks again, 0 for never
    refusal: str = ""  # the reason why the name in the field was refused
    origin: str = ""


async def form(visit: PageVisit) -> Response:
    """``GET /night``: the form that begins a night."""
    return _form(visit, {})


async def house_rules(visit: PageVisit) -> Response:
    """``POST /houserules/night``: the same form, with the house rules of the chosen game."""
    try:
        return _form(visit, visit.form(), field="houserules")
    except (Refused, BadNotation) as error:
        return visit.refused(error)


async def begin(visit: PageVisit) -> Response:
    """``POST /night``: begin a night, if its match can be solved."""
    given: dict[str, str] = {}
    try:
        visit.count("opening")
        visit.count("asking")
        given = visit.form()
        setup = _setup(visit, given)
        rules = tuple(with_seats(setup.rules, setup.seats).items())
        for _ in range(TRIES):
            if (solved := await visit.ask(check_solvable, rules, visit.language)) is not None:
                break
        if solved is None:
            raise Refused("night-counting", wait_s=SOON_S)
        if isinstance(solved, NoAnswer):
            if not visit.wants_page:
                return visit.no_answer(solved)
            return _form(visit, given, UNREAD, solved.why)
        code = await visit.site.nights.begin(setup)
    except (Refused, NotStored, BadNotation) as error:
        return _refused(visit, given, error)
    return visit.redirect(visit.site.nights.link(code))


async def night(visit: PageVisit) -> Response:
    """``GET /night/{code}``: the night and its ranking. A bare code redirects to the link."""
    visit.known()
    found = await _find(visit)
    link = visit.site.nights.link(found.code)
    if not link.endswith(f"/{visit.path('code')}"):
        return set_cookies(visit.redirect(link, 307), visit)
    return set_cookies(await _show(visit, found), visit)


async def open_table(visit: PageVisit) -> Response:
    """``POST /night/{code}``: open a table of the night for this person."""
    person = visit.known()
    visit.count("opening")
    found = await _find(visit)
    given = visit.form()
    name, key = given.get("name", ""), given.get("key", "")
    try:
        code = await visit.site.nights.open_table(found, name, person, key, visit.address)
    except BadNotation as error:
        if not visit.wants_page:
            raise
        status, why = visit.refusal(error)
        return set_cookies(await _show(visit, found, status, why.why, name), visit)
    return set_cookies(visit.redirect(visit.house.link(code)), visit, name)


def _setup(visit: PageVisit, form: Mapping[str, str]) -> Setup:
    games = visit.solved
    name = form.get("game", next(iter(games), ""))
    fields = {key: value for key, value in form.items() if key in ("game", "clock", "grace") or "." in key}
    order = from_form({**fields, f"{name}.people": form.get("players", "") or "2"}, games)
    try:
        within("players", order.people or 0, 1, MOST_ASKED_SEATS)
    except BadNotation as error:
        raise OrderError("players", error) from None
    return setup_ordered(order, games, "", visit.house.now())


async def _find(visit: PageVisit) -> DuplicateNight:
    """Return the night in the address. Raises Refused, and counts wrong codes as for tables."""
    text = visit.path("code")
    found = await visit.night(text)
    if found is None:
        if not secret_in(text):
            visit.missed()
        raise Refused("no-night")
    return found


async def _show(
    visit: PageVisit, night: DuplicateNight, status: int = 200, refusal: str = "", name: str = ""
) -> Response:
    """Return the night's page. ``name`` is a refused name, to fill its field again."""
    nights, house = visit.site.nights, visit.house
    own = await nights.own_table(night.mark, visit.person)
    page = _page(visit, night)
    if own is not None:
        tables = await nights.tables(night)
        over = sum(entry.stage == "over" for entry in tables)
        page = replace(page, own=house.link(own.code), held=True, going=len(tables) - over, over=over)
    else:
        visit.count("asking")
        standing = await nights.standing(night, asker=visit.asker)
        known = [(entry, losses) for entry, losses in standing.finished if isinstance(losses, MatchLosses)]
        waits = any(losses is None for _, losses in standing.finished)
        page = replace(
            page,
            played=await nights.has_played(night, visit.person),
            going=standing.going,
            over=len(standing.finished),
            ranking=ranked([losses for _, losses in known]),
            tables=tuple(house.link(entry.code) for entry, _ in known),
            failed=sum(isinstance(losses, NoAnswer) for _, losses in standing.finished),
            again_s=SOON_S if waits else 0,
        )
    page = replace(page, refusal=refusal, name=name if refusal else page.name)
    return visit.show(html, page, partial(_data, night), page.again_s, status)


def _data(night: DuplicateNight, page: NightPage) -> NightAnswer:
    return NightAnswer(
        night.code,
        page.game,
        dict(night.setup.rules),
        page.players,
        page.going,
        page.over,
        page.held,
        page.ranking.data(),
    )


def _page(visit: PageVisit, night: DuplicateNight) -> NightPage:
    kit = visit.house.games[night.setup.rules["game"]]
    room = Room(kit, replace(night.setup, night=""))
    tongue = visit.tongue
    here = visit.site.nights.link(night.code)
    return NightPage(
        code=format_code(night.code),
        address=f"{visit.public_origin}{here}",
        here=here,
        game=kit.name,
        title=tongue.say(kit.words.title),
        rules=rules_line(tongue, room, room.start()),
        players=night.setup.seats,
        key=new_token(visit.site.source),
        name=visit.name,
        origin=visit.public_origin,
    )


def _refused(visit: PageVisit, form: dict[str, str], error: Fault) -> Response:
    if not form or not visit.wants_page:
        return visit.refused(error)
    status, why = visit.refusal(error)
    field = error.field if isinstance(error, OrderError) else ""
    field = "players" if field.endswith(".people") else field
    return with_retry_after(_form(visit, form, status, why.why, field), error)


def _form(visit: PageVisit, values: dict[str, str], status: int = 200, why: str = "", field: str = "") -> Response:
    games = tuple(visit.solved.values())
    return visit.html(form_html, NightForm(games, values, why, field, visit.public_origin), status)


def form_html(frame: Frame, page: NightForm) -> str:
    """Return the form that begins a duplicate night."""
    say, chosen = frame.language.say, chosen_game(page.games, page.values)
    games = sorted(page.games, key=lambda kit: kit.name != chosen)
    return render(
        "night_form.html",
        frame,
        page=page,
        offered=[(kit, kit.usual_game) for kit in games],
        kits=games[:1],
        changing=True,
        chosen=chosen,
        given=page.values.get,
        most=MOST_PLAYERS,
        preview=Preview(say("Same-dice night"), say(SAME_DICE), page.origin),
    )


def html(frame: Frame, page: NightPage) -> str:
    """Return a duplicate night: its link, the form for a table, and the ranking."""
    say = frame.language.say
    preview = Preview(say("Same-dice night {code}", code=page.code), say(SAME_DICE), page.origin)
    return render("night.html", frame, page=page, preview=preview, ranking=page.ranking)


NIGHT = ("guesses", "no-night", "no-link", "no-seals", "store-unreadable")
"""The codes with which the house may refuse to find a night."""
KEEPING = ("store-unwritable", "store-unreadable", "not-known")
"""The codes with which the house may refuse to store a night."""
OPENING = ("often", "tables-here", "tables-in-all", "key-used", "no-code", "store-unwritable", "not-known", "moved-on")
"""The codes with which the house may refuse to open a table."""
ROUTES = (
    Route("GET", "/night", form, "The form that begins a duplicate night.", only="house"),
    Route(
        "POST",
        "/night",
        begin,
        "Begin a duplicate night, whose tables have the same dice.",
        takes=(Form("NightForm", more=True),),
        refuses=(*ASKING, *KEEPING, "night-counting", "no-code", "no-seals"),
        only="house",
    ),
    Route(
        "POST",
        "/houserules/night",
        house_rules,
        "The form that begins a duplicate night, with the house rules of the game chosen in it.",
        takes=(Form("NightForm", more=True),),
        gives={200: (PAGE,)},
        only="house",
    ),
    Route(
        "GET",
        "/night/{code}",
        night,
        "A duplicate night, and who gave least away at its tables; a bare code leads to its link.",
        (CODE,),
        returns=NightAnswer,
        refuses=(*NIGHT, *ASKING, "log-damaged"),
        gives={200: (PAGE, JSON), 202: (PAGE, JSON), 307: ()},
        only="house",
    ),
    Route(
        "POST",
        "/night/{code}",
        open_table,
        "Set up a table of the night.",
        (CODE,),
        takes=(Form("NightTableForm", ("name",), ("key",)),),
        refuses=(*NIGHT, *OPENING, "night-once", "night-full", "night-here"),
        only="house",
    ),
)
