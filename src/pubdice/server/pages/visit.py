"""A request at a house: the person, the address, the table or night, and the answer.

A link has a secret that can't be guessed, so links have no limit. A bare code can be guessed, so wrong codes are
counted (``limits``). A code expires a day after its match is over, or a month after the last move. It still lets in
people who have had a seat at the table, or at a table of the night.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pubdice.core.errors import BadNotation, IllegalAction, NotStored, Refused
from pubdice.kit import Kit
from pubdice.server.jobs import NoAnswer
from pubdice.server.nights import DuplicateNight, Nights
from pubdice.server.table.actor import TableActor
from pubdice.server.table.codes import SECRET_LETTERS, is_link, read_code, secret_in
from pubdice.server.table.house import House
from pubdice.server.table.new_tables import DAY_MS, MONTH_MS
from pubdice.server.web.browser import (
    Browser,
    PublicAddress,
    frame_of,
    html_response,
    json_response,
    new_token,
    person_with,
    refusal_response,
)
from pubdice.server.web.limits import Limiter, block_of
from pubdice.server.web.refusals import UNREAD, Fault, refusal
from pubdice.server.web.render import Html, Trouble, trouble
from pubdice.server.web.routing import Field, Limit, Route
from pubdice.server.wire import Refusal
from pubdice.text.catalogues import TABLE, language
from pubdice.text.language import Language

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

JobArguments = ParamSpec("JobArguments")
T = TypeVar("T")
Page = TypeVar("Page")
P = TypeVar("P", bound="DataclassInstance")

SOON_S = 2
"""The seconds before the next request for an answer that is still being worked out."""
PARTS_SOON_S = 3
"""The seconds before the next request for a page of several parts. The page shows the parts that are ready."""
CODE = Field(
    "code",
    "A table's code, or its link: the code and a secret, which lets its holder in.",
    schema={"pattern": f"^([A-Za-z]{{6}}|[A-Za-z]{{9}})(-[a-z2-7]{{{SECRET_LETTERS}}})?$"},
)
FINDING = (
    "guesses",
    "no-table",
    "code-retired",
    "no-link",
    "log-damaged",
    "game-failed",
    "game-gone",
    "store-unreadable",
)
"""The codes with which the house may refuse to find or show a table."""
FAULTS = (Refused, NotStored, IllegalAction, BadNotation)
"""The errors that an endpoint may raise. Any other error is a fault of ours."""


def query_of(options: Iterable[tuple[str, str]]) -> str:
    """Return the query for these house rules, "" without any.

    >>> query_of([("need", "2 4")])
    '?need=2,4'
    """
    found = [(key, choice.replace(" ", ",")) for key, choice in options]
    return f"?{urlencode(found, safe=',')}" if found else ""


class Site:
    """A house as its pages know it. ``games``: names and titles. ``source``: random bytes, for tokens and keys."""

    def __init__(
        self,
        house: House,
        limiter: Limiter,
        source: Callable[[int], bytes],
        public_address: PublicAddress,
    ) -> None:
        self.house, self.limiter, self.source, self.public_address = house, limiter, source, public_address
        self.nights = Nights(house)
        self.games = tuple((kit.name, kit.words.title) for kit in house.games.values())
        self._parts: dict[Callable[[House], Any], Any] = {}

    def part(self, kind: Callable[[House], T]) -> T:
        """Return a page's own part of the house, such as its cache.

        Made at its first use, it lives as long as the house.
        """
        if kind not in self._parts:
            self._parts[kind] = kind(self.house)
        found: T = self._parts[kind]
        return found


class PageVisit(Browser):
    """A request at a house. ``kit`` is the game it is about, so refusals use the game's words."""

    __slots__ = ("house", "kit", "site")

    def __init__(self, site: Site, request: Request, part: str = TABLE) -> None:
        super().__init__(request, part)
        self.site, self.house = site, site.house
        self.kit: Kit | None = None

    # the client

    def known(self) -> str:
        """Return the person.

        A browser without a token gets one with the answer (``browser.set_cookies``), so a repeated command comes from
        the same person.
        """
        if not self.person:
            self.new = new_token(self.site.source)
            self.person = person_with(self.new)
        return self.person

    @property
    def asker(self) -> str:
        """The account to which the worker's time is charged: the block of the client's address."""
        return block_of(self.address)

    @property
    def tongue(self) -> Language:
        """The language of the answer."""
        return language(self.language)

    @property
    def now_s(self) -> float:
        """The time, in s since 1970."""
        return self.house.now() / 1000

    def count(self, limit: Limit) -> None:
        """Count the request for a rate limit of its address. Raises Refused("often")."""
        wait_s: float = getattr(self.site.limiter, limit)(self.address, self.now_s)
        if wait_s:
            raise Refused("often", wait_s=wait_s)

    async def ask(
        self,
        work: Callable[Concatenate[Path | None, JobArguments], T],
        *given: JobArguments.args,
        **named: JobArguments.kwargs,
    ) -> T | None:
        """Return the result of a worker's job for this asker, None if it is not ready. Raises as ``Answers.ask``."""
        return await self.house.answers.ask(self.asker, work, *given, **named)

    # the question

    def path(self, name: str) -> str:
        """Return a field of the path."""
        text: str = self.request.path_params[name]
        return text

    def query(self, name: str) -> str:
        """Return a field of the query, "" if the field is missing."""
        return self.request.query_params.get(name, "")

    def options(self, kit: Kit) -> tuple[tuple[str, str], ...]:
        """Return the house rules in the query that are not usual. Raises BadNotation("option")."""
        found = [(each, each.read(text)) for each in kit.options if (text := self.query(each.key))]
        return tuple([(each.key, choice) for each, choice in found if choice != each.choices[0]])

    def game(self) -> Kit:
        """Return the game in the address. Raises Refused("no-page")."""
        self.kit = self.house.games.get(self.path("game"))
        if self.kit is None:
            raise Refused("no-page")
        return self.kit

    @property
    def solved(self) -> dict[str, Kit]:
        """The games with a solver, by name, in the house's order."""
        return {name: kit for name, kit in self.house.games.items() if kit.solver is not None}

    def solved_game(self) -> Kit:
        """Return the game in the address, if it has a solver. Raises Refused("no-page")."""
        kit = self.game()
        if kit.solver is None:
            raise Refused("no-page")
        return kit

    async def table(self, text: str | None = None, *, current: bool = False) -> TableActor:
        """Return the table of a link or a code, by default from the address. For ``current`` see ``House.find``.

        Raises Refused, and counts wrong codes. Raises Refused("night-held") if this person still plays at another table
        of the same night, and NotStored.
        """
        actor = await self._table(self.path("code") if text is None else text, current)
        if actor.state.setup.night and actor.state.seat_of(self.person) is None:
            await self.site.nights.check_may_watch(actor, self.person)
        return actor

    async def finished(self) -> TableActor:
        """Return the table in the address. Raises Refused("not-over") unless its match is over. Raises as ``table``."""
        actor = await self.table()
        if actor.state.stage != "over":
            raise Refused("not-over")
        return actor

    async def _table(self, text: str, current: bool) -> TableActor:
        code, secret, house = read_code(text), secret_in(text), self.house
        known = house.actors.get(code) if code else None
        if known is not None and known.state.seat_of(self.person) is not None:
            return await house.find(known.code, current=current) or known
        if secret:
            return await self._linked(code, secret, current)
        sat = code is not None and self.person is not None and await house.read(house.store.sat, self.person, code)
        if not sat:  # before any look-up: its time would tell which codes exist
            self._check_guess()
        actor = await house.find(code, current=current) if code else None
        if actor is None:
            self.missed()
            raise Refused("no-table")
        kept_ms = DAY_MS if actor.state.stage == "over" else MONTH_MS
        if not sat and not self.is_pocket and house.now() - actor.state.at > kept_ms:
            self.missed()
            raise Refused("code-retired")
        return actor

    async def _linked(self, code: str | None, secret: str, current: bool) -> TableActor:
        """Return the table of a link. Looks nothing up unless the secret is right."""
        if code is None or not is_link(self.house.secret, code, secret):
            raise Refused("no-link")
        actor = await self.house.find(code, current=current)
        if actor is None:  # it existed: an older copy of the house was restored
            raise Refused("no-table")
        return actor

    async def night(self, text: str) -> DuplicateNight | None:
        """Return the duplicate night of a link or a code, or None.

        Raises Refused("guesses"), Refused("no-link"), NotStored.

        Counts no wrong code, because the code may be a table's.
        """
        code, secret, nights = read_code(text), secret_in(text), self.site.nights
        if secret and (code is None or not is_link(self.house.secret, code, secret, "night")):
            raise Refused("no-link")
        freely = secret or (code and await nights.has_sat(code, self.person))
        if not freely:
            self._check_guess()
        return await nights.find(code)

    def _check_guess(self) -> None:
        if wait_s := self.site.limiter.guess(self.address, self.now_s):
            raise Refused("guesses", wait_s=wait_s)

    def missed(self) -> None:
        """Count a wrong code."""
        self.site.limiter.missed(self.address, self.now_s)

    # the answer

    @property
    def public_origin(self) -> str:
        """The house's address for other devices. A loopback address would be of no use to a phone."""
        return self.site.public_address.origin(self)

    def place(self, code: str) -> str:
        """Return a table's link for other devices."""
        return f"{self.public_origin}{self.house.link(code)}"

    def html(self, html: Html[Page], page: Page, status: int = 200) -> Response:
        """Return a page as HTML."""
        return html_response(self, html(frame_of(self, self.site.games), page), status)

    def json(self, value: object, status: int = 200) -> Response:
        """Return a value as JSON."""
        return json_response(msgspec.json.encode(value), status)

    def redirect(self, to: str, status: int = 303) -> Response:
        """Return a redirect to another address of the house."""
        return RedirectResponse(to, status)

    def refusal(self, error: Fault, game: Any = None) -> tuple[int, Refusal]:
        """Return a refusal's status, and its reason in the reader's language. ``game``: the game of a match."""
        return refusal(self.tongue, error, self.kit, game)

    def refused(self, error: Fault, game: Any = None) -> Response:
        """Return a refusal, as a page of its own or as data."""
        return refusal_response(self, error, self.site.games, kit=self.kit, game=game)

    def no_answer(self, answer: NoAnswer) -> Response:
        """Return the reason why the worker has no answer, as a page of its own or as data."""
        if self.wants_page:
            return self.html(trouble, Trouble(UNREAD, answer.why, answer.code), UNREAD)
        return self.json(Refusal(answer.code, answer.why), UNREAD)

    def show(
        self, html: Html[Page], page: Page, data: Callable[[Page], object], again_s: int = 0, status: int = 200
    ) -> Response:
        """Return a page as HTML, or its data for a program.

        ``again_s`` is the time after which to ask again for missing parts. If it is 0, no part is missing.
        """
        response = self.html(html, page, status) if self.wants_page else self.json(data(page), status)
        return soon(response, again_s)

    def worked_out(
        self,
        html: Html[P],
        page: P,
        answer: T | NoAnswer | None,
        answered: Callable[[P, T], P],
        data: Callable[[P, T], object],
    ) -> Response:
        """Return a page with the worker's answer. The page has the fields ``again_s`` and ``refusal``.

        If the answer is not ready (None), the page asks again. If there is no answer, the page shows the reason.
        ``answered`` puts the answer into the page, and may raise Refused. ``data`` returns the answer for programs.
        """
        if answer is None:
            return soon(self.html(html, replace(page, again_s=SOON_S)), SOON_S)
        if isinstance(answer, NoAnswer):
            if not self.wants_page:
                return self.no_answer(answer)
            return self.html(html, replace(page, refusal=answer.why), UNREAD)
        page = answered(page, answer)
        return self.html(html, page) if self.wants_page else self.json(data(page, answer))


def soon(response: Response, again_s: int) -> Response:
    """Mark a response as incomplete: status 202, and Retry-After in ``again_s``. If ``again_s`` is 0, leave the
    response as it is.

    A refusal keeps its status.
    """
    if again_s:
        response.headers["retry-after"] = str(again_s)
        if response.status_code == 200:
            response.status_code = 202
    return response


def served(site: Site, route: Route) -> Callable[[Request], Awaitable[Response]]:
    """Return a route's endpoint for Starlette. It checks fields, counts the request, and turns errors into refusals."""
    if route.plain:
        return partial(route.answer, site)
    return partial(_serve, site, route, tuple(each for each in route.fields if each.pattern))


async def _serve(site: Site, route: Route, checked: tuple[Field, ...], request: Request) -> Response:
    visit = PageVisit(site, request, route.part)
    try:
        for each in checked:
            each.check(visit.query(each.name))
        if route.limit:
            visit.count(route.limit)
        return await route.answer(visit)
    except FAULTS as error:
        return visit.refused(error)


MOST_SEATED = 3
"""The most seats and queue places of one address at a listed table at a time. An address never gets most
of a table's seats.

The host's address has no such limit.
"""
GONE_MS = 10 * 60 * 1000
"""The time for which a person who left still counts. Otherwise an address could take one seat after another."""


class Newcomers:
    """The people at listed tables, by the address they sat down from, so one program can't take all seats.

    A whole pub may share the host's address, so it has no limit. Nor have unlisted tables, as their people have a link
    or a code. The counts are in memory only, and begin again after a restart.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._hosts: WeakKeyDictionary[TableActor, str] = WeakKeyDictionary()
        self._sat: WeakKeyDictionary[TableActor, dict[str, dict[str, int]]] = WeakKeyDictionary()
        self._coming: WeakKeyDictionary[TableActor, list[tuple[str, str, tuple[str, ...]]]] = WeakKeyDictionary()

    def comes(
        self, actor: TableActor, person: str, address: str, *, shares: tuple[str, ...] = ()
    ) -> Callable[[], None]:
        """Count a person as present during a request for a seat, or for the seats of ``shares``. Return a function that
        ends the count.

        Otherwise many requests sent at once would all be checked before the first person is noted. ``shares`` has the
        names for more seats of one person. Raises Refused as ``_check``.
        """
        self._check(actor, person, address, max(1, len(shares)))
        coming, asked = self._coming.setdefault(actor, []), (block_of(address), person, shares)
        coming.append(asked)
        return partial(coming.remove, asked)

    def _check(self, actor: TableActor, person: str, address: str, number: int) -> None:
        """Raise Refused if an address would have too many seats with ``number`` more. People who left lately count."""
        block = block_of(address)
        if actor.state.is_host(person):
            self._hosts[actor] = block
        own = len(actor.state.seats_of(person))  # several, if people share the phone
        if not actor.state.setup.listed or self._hosts.get(actor) == block or actor.state.kept_for(person):
            return
        coming = [(who, shares) for where, who, shares in self._coming.get(actor, ()) if where == block]
        # A stored seat is counted as one, although its request may still wait for its turn.
        names = actor.state.names
        more = Counter(who for who, shares in coming for name in shares if name not in names)
        others = {*self._lately(actor, block), *(who for who, _ in coming)} - {person}
        if sum(_seats(actor, other) + more[other] for other in others) + own + more[person] + number > _most(actor):
            raise Refused("seats-here")

    def note(self, actor: TableActor, person: str | None, address: str) -> None:
        """Remember the address of a person who has a seat, or waits for one."""
        state = actor.state
        if not state.setup.listed or person is None or not _is_in(actor, person):
            return
        block = block_of(address)
        if state.is_host(person):
            self._hosts[actor] = block
        else:
            self._lately(actor, block)[person] = self._house.now()

    def _lately(self, actor: TableActor, block: str) -> dict[str, int]:
        """Return the people of an address who have had a seat lately, each with the time of the last visit (ms since
        1970).
        """
        people = self._sat.setdefault(actor, {}).setdefault(block, {})
        now = self._house.now()
        for person in people:
            if _is_in(actor, person):
                people[person] = now
        for person in [person for person, at in people.items() if now > at + GONE_MS]:
            del people[person]
        return people


def _is_in(actor: TableActor, person: str) -> bool:
    """Return True if a person has a seat, or a place in the queue."""
    return actor.state.seat_of(person) is not None or person in dict(actor.state.queue)


def _seats(actor: TableActor, person: str) -> int:
    return max(1, len(actor.state.seats_of(person)))


def _most(actor: TableActor) -> int:
    return MOST_SEATED if actor.state.setup.grows else max(1, min(MOST_SEATED, (len(actor.state.chairs) - 1) // 2))
