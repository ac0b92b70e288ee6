"""The front page: the browser's tables, a new game, a code to join with, public games, and the forms' answers."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from dataclasses import field as default
from functools import partial

import msgspec
from starlette.responses import Response

from pubdice.core.errors import BadNotation, NotStored, Refused
from pubdice.kit import Kit
from pubdice.room.next_table import evening as rows_of
from pubdice.room.nickname import read_nickname
from pubdice.server.evenings import Evenings
from pubdice.server.pages import prices
from pubdice.server.pages.night import OPENING
from pubdice.server.pages.visit import FINDING, PageVisit
from pubdice.server.table import announce
from pubdice.server.table.actor import TableActor
from pubdice.server.table.commit import await_commit
from pubdice.server.table.game_offers import MOST_BOTS, OTHERS, chosen_game
from pubdice.server.table.house import House
from pubdice.server.table.new_tables import DAY_MS
from pubdice.server.table.ordered_setup import OrderError, from_form, setup_ordered
from pubdice.server.web.browser import new_token, set_cookies, set_others, with_retry_after
from pubdice.server.web.refusals import Fault
from pubdice.server.web.render import Frame, Preview, render
from pubdice.server.web.routing import JSON, PAGE, Field, Form, Route
from pubdice.server.wire import Opened, Order
from pubdice.store import Listed
from pubdice.text.language import Language

ROWS = 20
PAIR = 2
"""The least number of matches that make an evening."""
MOST_EVENINGS = 3
"""The most evenings that get a row. Each row costs a read of the first log line of each of its tables, and the tally of
its last table.
"""
LOOKED_AT = 400
"""The most open tables among which the lobby's rows are chosen. A few addresses can't open as many in an hour."""
_orders = msgspec.json.Decoder(Order)


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table, or an evening, as a row of a list."""

    code: str
    title: str  # the game and the other players
    line: str  # the table's state in words
    go: str  # the label of the button that opens the table
    turn: bool = False  # it is this person's turn
    forget: str = ""  # an idempotency key to take it off the list, or ""
    href: str = ""  # the table's address
    codes: str = ""  # the tables of an evening, "" for one table


@dataclass(frozen=True, slots=True)
class FrontPage:
    """The front page."""

    games: tuple[Kit, ...]
    mine: tuple[TableRow, ...] = ()
    lobby: tuple[TableRow, ...] = ()
    key: str = ""  # a fresh idempotency key: a form sent twice opens one table
    name: str = ""  # the last name that this person entered
    others: tuple[str, ...] = ()  # the other names entered with it, of people who share the phone
    values: Mapping[str, str] = default(default_factory=dict)  # the fields of a refused form, to be shown again
    refusal: str = ""  # the reason for the refusal, in a sentence
    field: str = ""  # the wrong field; "code" is the form for a code
    origin: str = ""  # the house's address for others, such as "http://house"


async def page(visit: PageVisit) -> Response:
    """``GET /``: the front page, with this browser's tables."""
    visit.known()
    return set_cookies(await _show(visit), visit)


async def open_table(visit: PageVisit) -> Response:
    """``POST /tables``: open a table, by form or by JSON."""
    person, house = visit.known(), visit.house
    form: dict[str, str] = {}
    try:
        if visit.is_json:
            order = visit.data(_orders.decode)
        else:
            form = visit.form()
            order = from_form(form, house.games)
        code = await house.open(order, person, visit.address)
    except (Refused, NotStored, BadNotation) as error:
        return await _refused(visit, error, form)
    go = house.link(code)
    if visit.is_json:
        return set_cookies(visit.json(Opened(code, go), 201), visit, order.name)
    response = set_cookies(visit.redirect(go), visit, order.name)
    if form.get("with") == "phone":
        set_others(response, order.others, secure=visit.secure)
    return response


async def house_rules(visit: PageVisit) -> Response:
    """``POST /houserules``: the same page and form, with the house rules of the chosen game."""
    try:
        form = visit.form()
    except (Refused, BadNotation) as error:
        return visit.refused(error)
    return await _show(visit, values=form, field="houserules")


async def prices_of_form(visit: PageVisit) -> Response:
    """``POST /prices``: redirect from a form that opens a table to the prices of its rules."""
    form: dict[str, str] = {}
    try:
        form = visit.form()
        return visit.redirect(_priced(visit.house, form))
    except (Refused, BadNotation) as error:
        return await _refused(visit, error, form)


def _priced(house: House, form: dict[str, str]) -> str:
    games = house.games
    order = from_form(form, games)
    setup = setup_ordered(order, games, "", house.now())
    try:
        return prices.link_for(games[order.game], setup.rules, form.get("players", "").strip() or "2")
    except BadNotation as error:  # the rules are checked, so the number of players is wrong
        raise OrderError("players", error) from None


async def find(visit: PageVisit) -> Response:
    """``GET /find``: redirect from a typed code or a link to its night or table."""
    text = visit.query("code")[:200]
    try:
        with suppress(Refused):  # not a night's link, or too many guesses: the search for a table raises the same
            if (night := await visit.night(text)) is not None:
                return visit.redirect(visit.site.nights.link(night.code))
        actor = await visit.table(text)
    except (Refused, NotStored) as error:
        if not visit.wants_page:
            raise
        status, why = visit.refusal(error)
        shown = await _show(visit, status, values={"code": text}, refusal=why.why, field="code")
        return with_retry_after(shown, error)
    return visit.redirect(visit.house.link(actor.code))


async def forget_others(visit: PageVisit) -> Response:
    """``POST /names``: forget the names of people who share the phone."""
    response = visit.redirect("/")
    set_others(response, (), secure=visit.secure)
    return response


async def forget_evening(visit: PageVisit) -> Response:
    """``POST /tables/forget``: take the finished tables of an evening off this person's list."""
    house, person = visit.house, visit.known()
    codes = visit.form().get("codes", "").split()
    for entry in await house.read(house.store.tables_of, person, ROWS):
        if entry.code not in codes or entry.stage != "over":
            continue
        actor = await _read(house, entry)
        if actor is not None and not actor.state.setup.night:  # a night must still know its players
            await await_commit(partial(house.store.submit_forgetting, entry.table, person))
    return set_cookies(visit.redirect("/"), visit)


async def _show(visit: PageVisit, status: int = 200, **facts: object) -> Response:
    mine = () if visit.person is None else await _rows(visit, mine=True)
    here = {row.code for row in mine}
    page = FrontPage(
        games=tuple(visit.house.games.values()),
        mine=mine,
        lobby=tuple(row for row in await _rows(visit, mine=False) if row.code not in here),
        key=new_token(visit.site.source),
        name=visit.name,
        others=visit.others[: len(OTHERS)] if visit.is_pocket else (),
        origin=visit.public_origin,
    )
    return visit.html(html, replace(page, **facts), status)  # type: ignore[arg-type]


async def _refused(visit: PageVisit, error: Fault, form: dict[str, str]) -> Response:
    if not form or not visit.wants_page:
        return visit.refused(error)
    status, why = visit.refusal(error)
    field = error.field if isinstance(error, OrderError) else field_named(form, error)
    return await _show(visit, status, values=form, refusal=why.why, field=field)


async def _rows(visit: PageVisit, *, mine: bool) -> tuple[TableRow, ...]:
    house, store, tongue = visit.house, visit.house.store, visit.tongue
    try:
        if mine and visit.person:
            listed = await house.read(store.tables_of, visit.person, ROWS)
        else:
            listed = await _lobby(house)
    except NotStored:  # the page says so when a table is asked for
        return ()
    rows, told = [], {}
    if mine:
        told = await _by_evening(visit, [each for each in listed if each.stage == "over" and each.game in house.games])
    for entry in listed:
        if (row := told.get(entry.code)) is not None:
            if row not in rows:
                rows.append(row)
            continue
        actor = await _read(house, entry) if not entry.game or (mine and entry.stage == "playing") else None
        if actor is not None:
            entry = replace(entry, game=actor.room.kit.name, names=actor.state.names)  # noqa: PLW2901
        if entry.game in house.games or (mine and entry.game):
            rows.append(_row(tongue, entry, visit, actor, mine=mine))
    return tuple(sorted(rows, key=lambda row: row.forget != ""))  # running tables first


async def _by_evening(visit: PageVisit, over: Sequence[Listed]) -> dict[str, TableRow]:
    """Group finished tables by evening. Return the row of each of the latest evenings, by the codes of its tables."""
    left, found = [entry.code for entry in over], dict[str, TableRow]()
    updated = {entry.code: entry.updated for entry in over}
    for _ in range(MOST_EVENINGS):
        if len(left) < PAIR:
            break
        codes, lead = await _evening(visit, left)
        if codes:
            row = _evening_row(visit, codes, lead, updated[codes[0]])
            found |= dict.fromkeys(codes, row)
        left = [code for code in left[1:] if code not in codes]
    return found


async def _evening(visit: PageVisit, over: Sequence[str]) -> tuple[list[str], str]:
    """Return the codes of the tables in the first table's evening, and the sentence about the evening's leader.

    Both are empty if the first table is alone.
    """
    evenings = visit.site.part(Evenings)
    try:
        chain = await evenings.chain(over[0], over)
        codes = [code for code in over if code in chain]
        actor = await visit.house.find(over[0]) if codes[1:] else None
        if actor is None:
            return [], ""
        _, rows = rows_of((await evenings.last(actor)).state)
    except NotStored:
        return [], ""
    return codes, announce.lead(visit.tongue, announce.read_by(visit.person, rows))


def _evening_row(visit: PageVisit, codes: Sequence[str], lead: str, updated: int) -> TableRow:
    """Return the row of an evening.

    ``codes`` has its tables, the latest first. ``updated`` is its time, in ms since 1970.
    """
    tongue, is_tonight = visit.tongue, visit.house.now() - updated < DAY_MS // 2
    text = "This evening: {lead}" if is_tonight else "An evening: {lead}"
    return TableRow(
        code=codes[0],
        title=tongue.say(text, lead=lead.removesuffix(".")),
        line=tongue.count("{number} match", "{number} matches", len(codes)),
        go=tongue.say("Result"),
        forget=new_token(visit.site.source),
        href=f"{visit.house.link(codes[0])}/evening",
        codes=" ".join(codes),
    )


async def _lobby(house: House) -> list[Listed]:
    """Open tables, the newest first. If the list is crowded, addresses take turns."""
    store, in_play = house.store, house.in_play
    listed = await house.read(store.lobby, ROWS)
    if len(listed) == ROWS and in_play.is_crowded([entry.code for entry in listed]):
        listed = await house.read(store.lobby, LOOKED_AT)
    shown = set(in_play.in_turn([entry.code for entry in listed], ROWS))
    return [entry for entry in listed if entry.code in shown]


async def _read(house: House, entry: Listed) -> TableActor | None:
    """Load the table of a list entry that lacks the data for a row. None if the table's log can't be read."""
    await asyncio.sleep(0)  # lets moves run between two tables of a list
    try:
        return await house.find(entry.code)
    except NotStored:
        return None


def _row(tongue: Language, entry: Listed, visit: PageVisit, actor: TableActor | None, *, mine: bool) -> TableRow:
    """Return the row of a table. ``actor`` is given for this browser's running tables."""
    kit, names = visit.house.games.get(entry.game), [name for name in entry.names if name]
    title = tongue.say(kit.words.title) if kit else entry.game
    if actor is not None and (seat := actor.state.seat_of(visit.person)) is not None:
        names = [name for other, name in enumerate(entry.names) if name and other != seat]
    elif mine and visit.name in names:
        names.remove(visit.name)
    if names:
        title = tongue.say("{game} with {names}", game=title, names=tongue.join(names))
    turn = actor is not None and _moves(actor, visit.person)
    line, go = {
        "gathering": (tongue.say("Waiting for players"), tongue.say("Open") if mine else tongue.say("Join")),
        "playing": (tongue.say("Playing"), tongue.say("Open") if mine else tongue.say("Watch")),
        "over": (tongue.say("Finished"), tongue.say("Result")),
    }[entry.stage]
    if kit is None:
        line, go = tongue.say("This game is not installed here"), tongue.say("Open")
    elif turn:
        line, go = tongue.say("Your turn"), tongue.say("Play")
    elif actor is not None and actor.state.stage == "playing" and actor.state.mover is not None:
        line = tongue.say("{name}'s turn", name=entry.names[actor.state.mover])
    forget = new_token(visit.site.source) if mine and entry.stage == "over" else ""
    return TableRow(entry.code, title, line, go, turn, forget, visit.house.link(entry.code))


def field_named(form: Mapping[str, str], error: Fault) -> str:
    """Return the name of the form field with this error, "" for none.

    >>> field_named({"name": "Ann", "player2": "", "player3": "ann"}, Refused("name-taken", name="ann"))
    'player3'
    """
    if not isinstance(error, BadNotation) and error.code != "name-taken":
        return ""
    for field in (*reversed(OTHERS), "name"):
        try:
            if form.get(field, "").strip() and read_nickname(form[field], ()) == error.facts.get("name"):
                return field
        except BadNotation as found:
            if found.code == error.code:
                return field
    return "name"


def _moves(actor: TableActor, person: str | None) -> bool:
    seat = actor.state.seat_of(person)
    return seat is not None and actor.state.stage == "playing" and actor.state.mover == seat


def html(frame: Frame, page: FrontPage) -> str:
    """Return the front page."""
    chosen = chosen_game(page.games, page.values)
    games = sorted(page.games, key=lambda kit: kit.name != chosen)  # the chosen one first: the row may be cut off
    offered = [(kit, kit.usual_game) for kit in games]
    say, given = frame.language.say, page.values.get
    text = say("Friends scan a code. No sign-up.")
    if frame.pocket:
        text = say("Pass this phone round, or play a bot.")
    preview = Preview(say("Pub dice for your table"), text, page.origin)
    return render(
        "front.html",
        frame,
        page=page,
        offered=offered,
        kits=games[:1],
        most_priced=max(game.most_seats for _, game in offered),
        changing=False,
        chosen=chosen,
        given=given,
        preview=preview,
        text=text,
        others=OTHERS,
        most_bots=MOST_BOTS,
        known=dict(zip(("name", *OTHERS), (page.name, *page.others), strict=False)),
        unfolded=len(page.others) > 1
        or given("bots", "0") != "0"
        or any(name == page.field or given(name, "").strip() for name in (*OTHERS[1:], "bots")),
    )


ORDER_FORM = Form("OrderForm", more=True)
TYPED = Field("code", "A code as people type it.", required=True, schema={"maxLength": 200})
ROUTES = (
    Route("GET", "/", page, "The front page."),
    Route(
        "POST",
        "/tables",
        open_table,
        "Set up a table.",
        takes=(Order, ORDER_FORM),
        returns=Opened,
        limit="opening",
        refuses=OPENING,
        gives={201: (JSON,), 303: ()},
    ),
    Route(
        "GET",
        "/find",
        find,
        "From a code or a link to its table, or its duplicate night.",
        (TYPED,),
        refuses=FINDING,
        gives={303: ()},
        only="house",
    ),
    Route(
        "POST",
        "/prices",
        prices_of_form,
        "From a form that opens a table to what the rules of its match change, for so many players.",
        takes=(ORDER_FORM,),
        refuses=("no-page",),
    ),
    Route(
        "POST",
        "/houserules",
        house_rules,
        "The front page with the house rules of the game chosen in its form.",
        takes=(ORDER_FORM,),
        gives={200: (PAGE,)},
    ),
    Route(
        "POST",
        "/tables/forget",
        forget_evening,
        "List the tables of an evening no longer, whose matches are over.",
        takes=(Form("EveningForm", ("codes",)),),
    ),
    Route("POST", "/names", forget_others, "Forget the names of the players who share this phone."),
)
