"""The players' book: a player's own page, without scripts. It belongs to the phone, and only its player sees it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct
from starlette.responses import Response

from pubdice.advice.losses import LossUnit
from pubdice.advice.rating import LEAST_MATCHES, Interval, Sums, added, less_luck, luck_band, per_decision, rating
from pubdice.advice.spoken_advice import Amounts
from pubdice.core.errors import Refused
from pubdice.server.book import Book
from pubdice.server.pages.visit import PARTS_SOON_S, PageVisit
from pubdice.server.table.codes import format_code
from pubdice.server.web.browser import json_response, set_cookies, with_retry_after
from pubdice.server.web.render import template
from pubdice.server.web.routing import JSON, PAGE, Form, Route
from pubdice.store.players_book import BookEntry, BookSums
from pubdice.text.language import Language

FORMS = ("begin", "enter", "earlier")
"""The values of ``do`` in the forms on a phone without a book. These forms show a refusal."""
DEEDS = (*FORMS, "carry", "leave", "erase")
"""The values of ``do`` in all forms of the book."""
RARE = 0.975
"""The share of players with less luck (or, for bad luck, with more) from which on luck is called rare. Good and bad
luck together, that is 1 player in 20.
"""
MOST_LATEST = 20
"""The most matches shown."""
html = template("book.html")


class BookExport(Struct):
    """All that the players' book has about a player. Times are ms since 1970.

    - words: the hash, in hex, of a name and four words drawn by an earlier version, else empty.
    - browsers: hashes of their tokens, each with the time from which its matches count, 0 for all.
    - matches: the latest matches, one by one.
    - sums: the sums of older matches.
    """

    joined: int
    words: str
    browsers: list[dict[str, Any]]
    matches: list[dict[str, Any]]
    sums: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Estimated:
    """A number in words, and its band (a confidence interval). The band is empty if it would say nothing."""

    value: str
    band: str = ""


@dataclass(frozen=True, slots=True)
class BookGame:
    """A player's matches at one game. ``lost`` is the value lost per real decision. ``luck`` is the sum of all luck,
    with the band of usual luck.
    """

    title: str
    games: str
    won: str
    lost: Estimated | None = None
    luck: Estimated | None = None
    rating: Estimated | None = None


@dataclass(frozen=True, slots=True)
class BookMatch:
    """A finished match. ``day`` is its date (UTC), ``line`` its outcome, and ``receipt`` the link of its receipt."""

    day: str
    title: str
    line: str
    receipt: str


@dataclass(frozen=True, slots=True)
class BookPage:
    """A player's page."""

    phones: int = 0  # the phones with this book; 0: this phone has none, and the book's fields are empty
    can_begin: bool = False  # this phone has games, so it may begin a book
    earlier: bool = False  # the house has books of an earlier version
    given: str = ""  # the first field of the refused form
    refusal: str = ""  # the reason for a refusal
    refused: str = ""  # the refused form
    table: str = ""  # the table of the seat whose words open the book on another phone
    words: str = ""  # the four words of that seat
    erasing: bool = False  # ask before everything is erased
    left: int = 0  # the number of matches not worked out yet
    again_s: int = 0  # seconds until the page asks again
    games: str = ""
    decisions: str = ""
    rating: Estimated | None = None
    luck: tuple[str, ...] = ()
    rows: tuple[BookGame, ...] = ()
    latest: tuple[BookMatch, ...] = ()


async def page(visit: PageVisit) -> Response:
    """``GET /book``: the player's page, or the forms to begin or to open a book."""
    return visit.html(html, await _page(visit))


async def ask(visit: PageVisit) -> Response:
    """``POST /book``: the deed in the form's ``do``."""
    visit.known()
    form: dict[str, str] = {}
    try:
        form = visit.form()
        visit.count("asking")
        return await _do(visit, form)
    except Refused as error:
        if form.get("do") not in FORMS or not visit.wants_page:
            raise
        status, why = visit.refusal(error)
        given = form.get("name", "") if form["do"] == "earlier" else form.get("table", "")
        refused = replace(await _page(visit), given=given, refusal=why.why, refused=form["do"])
        return with_retry_after(visit.html(html, refused, status), error)


async def export(visit: PageVisit) -> Response:
    """``GET /book/export``: all that the book has about the player."""
    book, players = visit.site.part(Book), visit.house.config.players
    player = await book.player(visit.person)
    if player is None:
        raise Refused("not-in-book")
    found = BookExport(**await book.read(players.export, player.id))
    response = json_response(msgspec.json.format(msgspec.json.encode(found)))
    response.headers["content-disposition"] = 'attachment; filename="pubdice-book.json"'
    return response


async def _do(visit: PageVisit, form: dict[str, str]) -> Response:
    do, person, book = form.get("do"), visit.known(), visit.site.part(Book)
    player = await book.player(person)
    if do in FORMS:
        if player is None:
            await _open(visit, book, form)
        return set_cookies(visit.redirect("/book"), visit)
    if player is None:
        raise Refused("not-in-book")
    if do == "carry":
        table, words = await book.carried(player, visit.language)
        return visit.html(html, BookPage(player.phones, table=format_code(table), words=words))
    if do == "leave" and player.phones > 1:  # the book of the last phone would have no player: it is erased
        await book.leave(person)
        return visit.redirect("/book")
    if do not in DEEDS:
        raise Refused("fields", field="do")
    if do != "erase" or form.get("sure") != "yes":
        return visit.html(html, BookPage(player.phones, erasing=True))
    await book.erase(player)
    return visit.redirect("/book")


async def _open(visit: PageVisit, book: Book, form: Mapping[str, str]) -> None:
    person, limiter, address, now_s = visit.known(), visit.site.limiter, visit.address, visit.now_s
    if form["do"] == "begin":
        visit.count("opening")
        return await book.begin(person)
    if wait_s := limiter.guess_words(address, now_s):
        raise Refused("guesses", wait_s=wait_s)
    words = form.get("words", "")
    if form["do"] == "earlier":
        limiter.missed_words(address, now_s)  # before the hash, which is the cost of a try
        return await book.enter_earlier(person, form.get("name", ""), words)
    try:
        await book.enter(person, form.get("table", ""), words)
    except Refused:
        limiter.missed_words(address, now_s)
        raise


async def _page(visit: PageVisit) -> BookPage:
    """Return the page of this browser, brought up to date. Raises Refused, NotStored."""
    book, players = visit.site.part(Book), visit.house.config.players
    player = await book.player(visit.person)
    if player is None:
        can_begin, earlier = await book.has_games(visit.person), await book.read(players.has_words)
        return BookPage(can_begin=can_begin, earlier=earlier)
    visit.count("asking")
    left = await book.bring_up_to_date(player, asker=visit.asker)
    return filled_book(
        BookPage(player.phones, left=left, again_s=PARTS_SOON_S if left else 0),
        visit.tongue,
        {name: kit.words.title for name, kit in visit.house.games.items()},
        (await book.read(players.entries, player.id), await book.read(players.sums, player.id)),
        lambda code: f"{visit.house.link(code)}/receipt",
    )


def filled_book(
    page: BookPage,
    language: Language,
    titles: Mapping[str, str],
    held: tuple[Sequence[BookEntry], Sequence[BookSums]],
    receipt: Callable[[str], str],
) -> BookPage:
    """Fill the page with the book's content: matches one by one, and the sums of older ones (``held``).

    ``titles`` has the games' titles by name. ``receipt`` makes the link to a table's receipt.
    """
    entries, older = held
    games: dict[str, list[tuple[str, int, float, Sums]]] = {}
    for entry in entries:
        games.setdefault(entry.game, []).append((entry.utility, 1, entry.won, sums_in(entry.worth)))
    for each in older:
        games.setdefault(each.game, []).append((each.utility, each.games, each.won, sums_in(each.worth)))
    kinds = [
        added(part[3] for part in parts if part[0] == utility)
        for parts in games.values()
        for utility in dict.fromkeys(utility for utility, *_ in parts)
    ]
    number = sum(part[1] for parts in games.values() for part in parts)
    decided = sum(kind.decisions for kind in kinds)
    return replace(
        page,
        games=language.count("{number} game", "{number} games", number),
        decisions=language.count("{number} real decision", "{number} real decisions", decided),
        rating=_rating(language, kinds),
        luck=_luck(language, kinds),
        rows=tuple(
            row for game in sorted(games) for row in _rows(language, language.say(titles.get(game, game)), games[game])
        ),
        latest=tuple(
            BookMatch(
                datetime.fromtimestamp(entry.at / 1000, UTC).strftime("%Y-%m-%d"),
                language.say(titles.get(entry.game, entry.game)),
                _result(language, entry),
                receipt(entry.code) if entry.state == "worked" else "",
            )
            for entry in entries[:MOST_LATEST]
        ),
    )


def sums_in(worth: Mapping[str, float] | None) -> Sums:
    """Return the amounts in ``worth`` whose names are fields of ``Sums``."""
    names = Sums.__dataclass_fields__
    return Sums(**{name: amount for name, amount in (worth or {}).items() if name in names})  # type: ignore[arg-type]


def _rows(language: Language, title: str, parts: Sequence[tuple[str, int, float, Sums]]) -> list[BookGame]:
    """Return a game's rows, one for each kind of value. Matches that are not worked out count in the first row."""
    utilities = list(dict.fromkeys(utility for utility, *_ in parts if utility)) or [""]
    rows = []
    for utility in utilities:
        mine = [part for part in parts if part[0] == utility or (not part[0] and utility == utilities[0])]
        sums = added(part[3] for part in mine)
        games, won = sum(part[1] for part in mine), sum(part[2] for part in mine)
        row = BookGame(title, str(games), _wins(language, won))
        if sums.matches:
            amounts = Amounts(language, LossUnit.of(utility))
            row = replace(
                row,
                lost=_lost(language, amounts, sums),
                luck=_luck_of(language, amounts, sums),
                rating=_rating(language, [sums]),
            )
        rows.append(row)
    return rows


def _rating(language: Language, kinds: Sequence[Sums]) -> Estimated | None:
    """Return the rating. None if nothing was at stake so far."""
    if not any(kind.rated for kind in kinds):
        return None

    def points(amount: float) -> str:
        return language.number(amount, 1).replace("-", "−")

    found = rating(kinds)
    return Estimated(points(found.value), _band(language, found, points))


def _lost(language: Language, amounts: Amounts, sums: Sums) -> Estimated | None:
    found = per_decision(sums)
    if found is None:
        return None
    band = _band(language, found, amounts.value) if sums.matches >= LEAST_MATCHES else ""
    return Estimated(amounts.value(found.value), band)


def _luck_of(language: Language, amounts: Amounts, sums: Sums) -> Estimated:
    found = luck_band(sums)
    return Estimated(signed(amounts, found.value), _band(language, found, lambda end: signed(amounts, end)))


def signed(amounts: Amounts, amount: float) -> str:
    """Return an amount with its sign."""
    said = amounts.value(abs(amount))
    return said if abs(amount) < 5e-5 else ("+" if amount > 0 else "−") + said


def _band(language: Language, found: Interval, format_amount: Callable[[float], str]) -> str:
    return language.range(format_amount(found.low), format_amount(found.high))


def _luck(language: Language, kinds: Sequence[Sums]) -> tuple[str, ...]:
    """Compare all luck so far with dice alone, in sentences. Empty if there are too few games."""
    share = less_luck(kinds)
    if share is None or sum(kind.matches for kind in kinds) < LEAST_MATCHES:
        return ()
    if share >= 0.5:
        text = "So far the dice have been kinder to you than to {share} of players."
    else:
        share, text = 1 - share, "So far the dice have been harder on you than on {share} of players."
    meaning = "That is within what dice do."
    if share >= RARE:
        meaning = "That's rare: only 1 player in 20 has so much luck, good or bad."
    return language.say(text, share=language.per_cent(share)), language.say(meaning)


def _wins(language: Language, won: float) -> str:
    """Return wins in words. A shared win counts as a fraction."""
    return language.number(won, 0 if won == int(won) else 1)


def _result(language: Language, entry: BookEntry) -> str:
    say = language.say
    players = language.count("{number} player", "{number} players", entry.seats)
    said = say("won") if entry.won == 1 else say("shared") if entry.won else say("not won")
    if entry.state == "new":
        return say("{result}, {players} (not worked out yet)", result=said, players=players)
    sums = sums_in(entry.worth)
    if not sums.matches:
        return say("{result}, {players}", result=said, players=players)
    amounts = Amounts(language, LossUnit.of(entry.utility))
    return say(
        "{result}, {players} (luck {luck}, choices lost {lost})",
        result=said,
        players=players,
        luck=signed(amounts, sums.luck),
        lost=amounts.value(sums.lost),
    )


BOOK = ("often", "store-unwritable", "store-unreadable", "log-damaged", "game-gone")
"""The codes with which the house may refuse to show the book."""
ROUTES = (
    Route(
        "GET",
        "/book",
        page,
        "The players' book: one's own page, or forms to begin or open one.",
        refuses=BOOK,
    ),
    Route(
        "POST",
        "/book",
        ask,
        "Begin a book, open one by a seat's four words, carry it on, leave it, or erase it.",
        takes=(Form("BookForm", ("do",), ("table", "name", "words", "sure"), choices={"do": DEEDS}),),
        refuses=(*BOOK, "guesses", "book-empty", "book-uncarried", "book-words", "not-in-book"),
        gives={200: (PAGE,), 303: ()},
    ),
    Route(
        "GET",
        "/book/export",
        export,
        "All that the book holds about the player whose browser asks.",
        returns=BookExport,
        limit="asking",
        refuses=(*BOOK, "not-in-book"),
        gives={200: (JSON,)},
    ),
)
