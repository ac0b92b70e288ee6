"""A table: its page, to play and to watch, and its data: state, event stream, record, and a QR code of its link."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from msgspec.structs import replace as with_fields
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pubdice.core.cup import read_night
from pubdice.core.dice import whole_number
from pubdice.core.errors import NotStored, Refused
from pubdice.kit import PERFECT, Kit
from pubdice.match.header import RawHeader
from pubdice.match.narrate import Narrator
from pubdice.room import Room, RoomState
from pubdice.room.line_up import following
from pubdice.room.seats import comes_late
from pubdice.room.setup import MOST_PERFECT, PACE_MS, least_seats, placeholders
from pubdice.room.state import is_full
from pubdice.server.charts import HIGH, LOW, WIDE, ChancePanel
from pubdice.server.pages import prices
from pubdice.server.pages.preview import preview_of
from pubdice.server.pages.turned import NOT_SHOWN, TurningShown, shown_turning
from pubdice.server.pages.visit import CODE, FINDING, Newcomers, PageVisit
from pubdice.server.result_picture import qr_code
from pubdice.server.table.actor import TableActor
from pubdice.server.table.announce import tally
from pubdice.server.table.codes import format_code
from pubdice.server.table.house import AGAIN_S
from pubdice.server.table.line_up_words import PlanForm, plan_form
from pubdice.server.table.ordered_setup import to_form
from pubdice.server.table.presence import Stream
from pubdice.server.table.stream import CLOSING
from pubdice.server.web.browser import new_token, set_cookies
from pubdice.server.web.guard import STREAM
from pubdice.server.web.render import Frame, Preview, line_text, render
from pubdice.server.web.routing import EVENTS, JSON, PAGE, PICTURE, TEXT, Field, Route
from pubdice.server.wire import PHRASES, DieView, State, View
from pubdice.text.game_words import by_things
from pubdice.text.language import Language, sentence

STORY = 30
"""The number of lines of the story (the latest announcements) on a fresh page."""
FULL_S = 8.0
"""The delay before the next try if too many streams are open. By then a heartbeat has found lost connections."""
REFRESH_S = 10
"""The interval in s at which a page without scripts reloads while others play. ``presence.SEEN_MS`` is longer."""
SLOW_REFRESH_S, HOST_REFRESH_S = 60, 110
"""The reload intervals in s for slow tasks: an answer to read, a name or a seed to type, and the host's rules to set.

A page that never reloaded would miss the match, and its player would count as away.
"""
MODULES = (
    *("line", "view", "keys", "page", "speech", "motion"),
    *("here", "dice", "commands", "presses"),
)
"""Scripts that table.js loads at once."""


@dataclass(frozen=True, slots=True)
class TablePage:
    """A table, as one person sees it."""

    code: str
    address: str  # the table's full address, to share
    kit: Kit
    rules: str  # the house rules in a line
    view: View
    key: str  # a fresh idempotency key
    seat: int | None = None  # the seat that this browser acts for: the mover's, if that is one of its own
    seats: tuple[int, ...] = ()  # all seats of this browser
    held: int | None = None  # the seat of the player who holds the phone
    queued: bool = False
    host: bool = False
    removable: frozenset[int] | None = None  # seats whose people this person may remove; None: all
    words: str = ""  # the four words of the seat
    theirs: Mapping[int, str] = field(
        default_factory=dict
    )  # the words of seats that the host may move to another phone
    story: tuple[str, ...] = ()
    name: str = ""
    pace_ms: int = PACE_MS
    bots: tuple[str, ...] = ()  # the bots that may play for people, the usual one first
    banned: bool = False  # this person was removed, and can't sit here again
    shut: bool = False  # no new player may sit down at this table
    late: bool = False  # this person may not sit down before the next match
    full: bool = False  # the match can't go on, as its log is full
    real: bool = False
    refusal: str = ""  # the reason why ``refused`` was not done
    refused: str = ""  # the refused deed, such as "sit"
    said: str | None = None  # the answer to a typed line
    hinted: bool = False  # the answer is a hint
    lessons: int = 0
    chances: ChancePanel | None = None
    posted: Mapping[str, str] = field(default_factory=dict)  # the fields of the refused form
    unreachable: str = ""  # the reason why no phone can reach it, and the cure
    origin: str = ""  # the house's address for others
    changeable: bool = False  # the host may still change the rules
    values: Mapping[str, str] = field(default_factory=dict)  # the rules in force, as form fields
    field: str = ""  # the refused field among ``values``
    change: bool = False  # the form stands open
    here: str = ""  # the table's link in this house
    prices: str = ""  # the page with the prices of its rules
    plan: PlanForm | None = None  # the form for the next games
    more: bool = False  # the line-up has another match
    night: str = ""  # the link of its duplicate night
    turning: TurningShown = NOT_SHOWN
    preview: Preview | None = None  # the preview of a finished match


async def page(visit: PageVisit) -> Response:
    """``GET /t/CODE``: the lobby, the table or its end, as this browser may see it."""
    person, actor = visit.known(), await visit.table()
    link = visit.house.link(actor.code)
    if not link.endswith(f"/{visit.path('code')}"):
        return set_cookies(visit.redirect(link, 307), visit)
    actor.seen(person, restores=False)
    if actor.state.setup.listed:
        visit.site.part(Newcomers).note(actor, person, visit.address)
    await actor.spectators.chances.catch_up(visit.language)
    return set_cookies(show(visit, actor), visit)


async def big(visit: PageVisit) -> Response:
    """``GET /t/CODE/big``: the table for a big screen."""
    visit.known()
    actor = await visit.table()
    page = replace(_page(visit, actor), view=actor.spectators.view(visit.language))  # all players read it
    return set_cookies(visit.html(big_html, page), visit)


async def state(visit: PageVisit) -> Response:
    """``GET /t/CODE/state``: the whole state in one request."""
    person, actor = visit.known(), await visit.table(current=True)
    actor.seen(person, restores=False)
    return set_cookies(visit.json(actor.spectators.whole(visit.language, person)), visit)


async def record(visit: PageVisit) -> Response:
    """``GET /t/CODE/record``: the match so far as a record."""
    actor = await visit.table()
    text = await visit.house.record(actor)
    name = f'attachment; filename="{actor.room.kit.name}-{actor.code}.record"'
    return Response(text, media_type=TEXT, headers={"content-disposition": name})


async def qr(visit: PageVisit) -> Response:
    """``GET /t/CODE/qr.svg``: the table's link as a QR code, for people who may see the table."""
    actor = await visit.table()
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" {qr_code(visit.place(actor.code))}'
    return Response(picture, media_type=PICTURE, headers={"cache-control": "private, max-age=3600"})


async def events(visit: PageVisit) -> Response:
    """``GET /t/CODE/events``: the table's stream, from the last event that the client has."""
    request, house, limiter, address = visit.request, visit.house, visit.site.limiter, visit.address
    if request.method == "HEAD":
        return Response(media_type=EVENTS)
    actor = await visit.table()
    seq = whole_number(request.headers.get("last-event-id") or visit.query("from"))
    if (seq or 0) > actor.state.seq:  # the client has events of another node that this one lacks
        actor = await house.find(actor.code, current=True) or actor
    if house.process.cut_off:
        raise NotStored("store-unreadable", wait_s=AGAIN_S)
    if not limiter.stream_opens(address):
        raise Refused("streams", wait_s=FULL_S)
    stream = Stream(None if visit.wants_page else visit.person, visit.language)  # if visited, no page of ours

    async def serve(receive: Receive, send: Send) -> None:
        try:
            actor.join(stream)
            if house.closed:
                stream.end(CLOSING)
            stream.begin(actor.spectators.since(actor.state.seq if seq is None else seq, stream.language))
            await stream.serve(receive, send)
        finally:
            actor.leave(stream)
            limiter.stream_closed(address)

    return _Streamed(serve)


class _Streamed(Response):
    """An answer that goes on for hours. The guard runs it, without the framework's frames."""

    def __init__(self, serve: Callable[[Receive, Send], Awaitable[None]]) -> None:
        super().__init__(media_type=EVENTS)
        self._serve = serve

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[STREAM] = self._serve


def show(visit: PageVisit, actor: TableActor, status: int = 200, **told: Any) -> Response:
    """Answer with the page, with facts of a refusal (``refusal``, ``refused``, ``field``, ``posted``) or an answer
    (``said``).
    """
    return visit.html(html, _page(visit, actor, **told), status)


def _page(visit: PageVisit, actor: TableActor, **told: Any) -> TablePage:
    state, kit, tongue = actor.state, actor.room.kit, visit.tongue
    seat, moment = state.seat_of(visit.person), actor.spectators.context()
    lost = state.lost(moment.gone, moment.now)
    runs, own = state.may_run(visit.person, lost), state.seats_of(visit.person)
    removable = None if state.is_host(visit.person) else lost
    theirs = [at for at, chair in enumerate(state.chairs) if runs and chair.people and at not in own]
    return TablePage(
        code=format_code(actor.code),
        here=visit.house.link(actor.code),
        lessons=state.setup.lessons,
        chances=actor.spectators.chances.panel(visit.language),
        prices=prices.link_of(kit, state.setup.rules, len(state.chairs)) if state.stage == "gathering" else "",
        address=visit.place(actor.code),
        kit=kit,
        rules=rules_line(tongue, actor.room, state),
        view=_view(visit, actor),
        key=new_token(visit.site.source),
        seat=seat,
        seats=own,
        held=whole_number(visit.query("me")),
        queued=visit.person in dict(state.queue),
        host=runs,
        removable=removable,
        words="" if seat is None else visit.house.words(actor, seat, visit.language),
        theirs={
            at: visit.house.words(actor, at, visit.language)
            for at in theirs
            if not visit.is_pocket and (removable is None or at in removable)
        },
        story=tuple(actor.spectators.story(visit.language, STORY, state.only_seat_of(visit.person))),
        name=visit.name,
        pace_ms=state.pace_ms,
        bots=tuple(bot for bot in kit.bots if bot != PERFECT or len(state.chairs) <= MOST_PERFECT),
        banned=visit.person in state.banned,
        shut=state.shut if seat is not None else state.is_shut_to(visit.person),
        late=seat is None and comes_late(kit, state, visit.person),
        full=state.match is not None and is_full(state),
        real=state.setup.dice == "real",
        unreachable=visit.site.public_address.trouble(visit, tongue),
        origin=visit.public_origin,
        changeable=state.stage == "gathering" and not state.setup.night and runs,
        values=to_form(state.setup, kit),
        plan=plan_form(tongue, actor.room, state) if runs and state.stage != "playing" and not state.rematch else None,
        more=state.stage == "over" and following(kit, actor.room.games, state).planned,
        change="change" in visit.request.query_params,
        turning=shown_turning(visit, actor) if state.stage == "over" else NOT_SHOWN,
        night=visit.site.nights.link(read_night(state.setup.night).code) if state.setup.night else "",
        preview=preview_of(visit, actor) if state.stage == "over" else None,
        **told,
    )


def _view(visit: PageVisit, actor: TableActor) -> View:
    """Return the view, with the evening in words for its reader."""
    view = actor.spectators.view(visit.language)
    if view.evening is None or actor.state.only_seat_of(visit.person) is None:
        return view
    return with_fields(view, evening=tally(visit.tongue, actor.room, actor.state, visit.person))


def rules_line(tongue: Language, room: Room, state: RoomState) -> str:
    """Return the house rules in force, in a line."""
    kit, setup, say = room.kit, state.setup, tongue.say
    names = placeholders(max(len(state.chairs), least_seats(kit)))
    match = kit.match(kit.normalize(RawHeader({**setup.rules, "seats": ", ".join(names)})))
    rules = [Narrator(tongue, kit.words, match, names).rules()]
    if setup.dice == "real":
        rules.append(say("your own dice"))
    if setup.dice == "sealed":
        rules.append(say("sealed dice"))
    if setup.night:
        rules.append(say("the same dice as everybody in night {code}", code=format_code(read_night(setup.night).code)))
    if setup.clock_s:
        rules.append(tongue.count("{number} second a turn", "{number} seconds a turn", setup.clock_s))
    if setup.lessons:
        rules.append(say("lessons"))
    if setup.chances:
        rules.append(say("chances shown"))
    return sentence("; ".join(rules)) + "."


def html(frame: Frame, page: TablePage) -> str:
    """Return a table's page, for watchers and players: before, during or after a match."""
    return _rendered("table.html", frame, page)


def big_html(frame: Frame, page: TablePage) -> str:
    """Return a table for a big screen: all players' dice and the way in, without buttons."""
    return _rendered("big.html", frame, replace(page, seat=None, seats=(), host=False, words=""))


def _rendered(template: str, frame: Frame, page: TablePage) -> str:
    view, numbers, say = page.view, count(1), frame.language.say
    title, seats = say(page.kit.words.title), page.seats or (() if page.seat is None else (page.seat,))
    page = replace(page, seats=seats)
    own = seats[0] if len(seats) == 1 else None
    acts = page.seat is not None and (view.ask == "draw" or (view.mover in seats and not view.by_bot))
    if acts and view.left and own not in view.left.own:  # the mover sees the cup, not the last turn's dice
        view = with_fields(view, dice=[], left=None)
    dice: dict[int, DieView] = {die.place: die for die in view.dice}
    holder = page.held if page.held in seats else next(iter(seats), None)
    passing = len(seats) > 1 and acts and view.mover is not None and view.mover != holder
    sitting = sum(seat.kind != "empty" for seat in view.seats)
    enters = view.ask == "enter" and (acts or (page.seat is not None and view.by_bot))
    others = [at for at, seat in enumerate(view.seats) if seat.kind in ("person", "standin") and _goes(page, at)]
    waits = not acts and not enters and view.stage != "over" and page.seat is not None and not page.change
    if view.stage == "gathering":
        refresh_s = HOST_REFRESH_S if page.host else SLOW_REFRESH_S
    else:
        refresh_s = REFRESH_S if page.said is None else SLOW_REFRESH_S
    return render(
        template,
        frame,
        page=page,
        title=title,
        keeps_dice=page.kit.keeps_dice,
        view=view,
        panel=page.chances,
        wide=WIDE,
        high=HIGH,
        low=LOW,
        dice=dice,
        loose=sum(not view.rail or die.status != "locked" for die in view.dice),
        tapped=by_things(view.moves),
        chosen=any(die.status == "marked" for die in view.dice),
        big=template == "big.html",
        mine=view.seats[page.seat] if page.seat is not None else None,
        acts=acts,
        enters=enters,
        passing=passing,
        holder=holder,
        turn=_lobby(frame, page) if view.stage == "gathering" else _turn(frame.language, view, own, acts=acts),
        sitting=sitting,
        company=lambda: frame.language.join(
            seat.name for at, seat in enumerate(view.seats) if seat.kind != "empty" and at not in seats
        ),
        waits=waits and not page.refusal,
        others=others,
        shut_out=page.shut and (page.removable is not None or bool(others)),  # a host who leaves others is host no more
        empty=[at for at, seat in enumerate(view.seats) if seat.kind == "empty"],
        bots=[at for at, seat in enumerate(view.seats) if seat.kind == "bot"],
        fresh=lambda: f"{page.key}-{next(numbers)}",
        told=lambda line: line_text(line, own),
        called=lambda seat: view.seats[seat].name or say("Seat {number}", number=seat + 1),
        own=own,
        strokes=_strokes(view),
        modules=MODULES,
        refresh_s=refresh_s,
        phrases=[say(phrase) for phrase in PHRASES],
        spoken={
            **spoken(frame.language, title, pocket=frame.pocket, sits=page.seat is not None),
            "opening": f"{title}: {page.rules}",
        },
        preview=page.preview or _invitation(frame.language, page),
        kits=[page.kit] if page.changeable else [],
        changing=True,
        most_priced=page.kit.usual_game.most_seats if page.changeable and page.prices else 0,
        given={
            **page.values,
            "pace": str(page.pace_ms),
            "players": str(max(2, len(view.seats))),
            **(page.posted if page.refused == "rules" else {}),
        }.get,
    )


def _strokes(view: View) -> list[tuple[int, int]]:
    """Return the seats that have won rounds, each with its number of them, the most first.

    Empty for a single seat, because a sentence says it.
    """
    won = [(seat, wins) for seat, wins in enumerate(view.rounds) if wins and len(view.rounds) > 1]
    return sorted(won, key=lambda counted: -counted[1])


def _invitation(language: Language, page: TablePage) -> Preview:
    text = language.say("Enter your name and roll. No sign-up. {rules}", rules=page.rules)
    return Preview(language.say("Join us for {game}", game=language.say(page.kit.words.title)), text, page.origin)


def _lobby(frame: Frame, page: TablePage) -> str:
    """Return the heading and the title's text of a table that waits for people."""
    say = frame.language.say
    if frame.pocket:
        return say("Who plays on this phone?")
    if page.seat is None:
        return say("Join this table")
    if not page.host:
        return say("You're in")
    return say("Your table") if frame.near else say("Share this code")


def _turn(language: Language, view: View, own: int | None, *, acts: bool) -> str:
    if view.stage == "over" and view.result:
        return line_text(view.result[0], own).rstrip(".!")
    return language.say("Your turn") if acts and own in view.heading.own else line_text(view.heading, own)


def _goes(page: TablePage, seat: int) -> bool:
    """Return True if the reader may ask this seat's people to leave."""
    return seat not in page.seats and (page.removable is None or seat in page.removable)


def spoken(language: Language, title: str, *, pocket: bool = False, sits: bool = True) -> dict[str, str]:
    """Return the sentences that a table's scripts say and show, by name. The scripts fill in the {facts}.

    ``pocket``: the house runs on this device, so no connection can be lost. ``sits``: the person has a seat.
    """
    say = language.say
    blank = {name: f"{{{name}}}" for name in GAPS}

    def gap(text: str, *names: str) -> str:
        return say(text, **{name: blank[name] for name in names})

    return {
        "game": title,
        "take_tiles": say("Choose what you take"),
        "tap_by_key": gap("Choose with the number keys, such as {tiles}.", "tiles"),
        "tapped": gap("{tiles} chosen.", "tiles"),
        "tapped_more": gap("{tiles} chosen. You can add {more}.", "tiles", "more"),
        "or": gap("{some} or {last}", "some", "last"),
        "tapped_move": gap("{tiles} chosen. {key}: {move}.", "tiles", "key", "move"),
        "space": say("Space"),
        "question": say("question mark"),
        "tapped_none": say("Nothing chosen."),
        "tile_down": gap("{tile}: down", "tile"),
        "no_tile": gap("{tile} can't be taken now.", "tile"),
        "your_turn": say("Your turn"),
        "press_ready": gap("When you are ready, press “{choice}”.", "choice"),
        "lost": say("Pubdice doesn't answer. Your game is safe. Trying again.")
        if pocket
        else say("The connection is lost. Your seat waits. Trying again.")
        if sits
        else say("The connection is lost. Trying again."),
        "no_line": say("Waiting for Pubdice") if pocket else say("Waiting for the connection"),
        "back": say("Pubdice answers again.") if pocket else say("Connected again."),
        "sending": say("One moment…"),
        "unsent": say("No answer yet. Trying again."),
        "clock": gap("{time} left", "time"),
        "left": gap("{number} seconds left.", "number"),
        "away": gap("{name} is away. In {time} you can vote for a bot.", "name", "time"),
        "failed": say("That did not work. Try again."),
        "nothing": say("Nothing to tell just now."),
        "no_dice": say("No dice on the table."),
        "no_place": gap("No die lies in place {number}.", "number"),
        "no_face": gap("There is no {number} to choose.", "number"),
        "locked": say("That die is locked."),
        "locked_word": say("locked"),
        "die": gap("{die}: {word}.", "die", "word"),
        "kept": say("kept"),
        "keep": say("keep"),
        "reroll": say("reroll"),
        "free": say("free"),
        "undo_by": gap("{name}: undo", "name"),
        "way": gap("{name}: {choice}.", "name", "choice"),
        "button": say("Button"),
        "type_on": say("Type rematch to go on."),
        "pass": gap("Pass to {name}", "name"),
        "passing": gap("Pass to {name}. {key}: I'm {name}.", "name", "key"),
        "take": gap("I'm {name}", "name"),
        "more": gap("{number} more to tap", "number"),
        "confirm": gap("Confirm {dice}", "dice"),
        "to_go": gap("{face}; {number} to go.", "face", "number"),
        "all_in": gap("{dice}. Confirm, or tap a die to change it.", "dice"),
        "deleted": gap("Deleted. {number} to go.", "number"),
        "slot_full": gap("Die {number}: {face}. Change it", "number", "face"),
        "slot_empty": gap("Die {number}: still empty", "number"),
        "copied": say("Copied."),
        "copied_mark": say("Copied ✓"),
        "key_taken": say("That key is taken."),
        "key_set": say("Key changed."),
        "keys_off": say("Keys are switched off."),
        "no_undo": say("There's nothing to undo."),
        "type_answer": say("Type agree or decline."),
        "opened": gap("{name}: open.", "name"),
        "closed": gap("{name}: closed.", "name"),
    }


GAPS = "number time die word name face dice tile tiles key choice move more some last".split()  # noqa: SIM905 - on one line
"""The names of the facts in the sentences of ``spoken``."""

FROM = Field(
    "from",
    "The number of events known already. Last-Event-ID goes before it.",
    schema={"type": "integer", "minimum": 0, "maximum": 2**31},
)
ROUTES = (
    Route(
        "GET",
        "/t/{code}",
        page,
        "A table's page; a bare code leads to its link.",
        (CODE,),
        refuses=FINDING,
        gives={200: (PAGE,), 307: ()},
    ),
    Route("GET", "/t/{code}/big", big, "The table for a big screen.", (CODE,), refuses=FINDING, only="house"),
    Route(
        "GET",
        "/t/{code}/state",
        state,
        "A table as it stands.",
        (CODE,),
        returns=State,
        refuses=FINDING,
        gives={200: (JSON,)},
    ),
    Route(
        "GET",
        "/t/{code}/events",
        events,
        "A table's events from one on, as they happen: each message's data is an Update.",
        (CODE, FROM),
        refuses=(*FINDING, "streams"),
        gives={200: (EVENTS,)},
    ),
    Route(
        "GET",
        "/t/{code}/record",
        record,
        "The match so far as a record.",
        (CODE,),
        limit="record",
        refuses=(*FINDING, "no-record"),
        gives={200: (TEXT,)},
    ),
    Route(
        "GET",
        "/t/{code}/qr.svg",
        qr,
        "The table's address as a QR code.",
        (CODE,),
        refuses=FINDING,
        gives={200: (PICTURE,)},
        only="house",
    ),
)
