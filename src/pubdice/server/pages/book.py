"""The players' book: a page of one's own, by forms alone. Nobody sees another's, nor whether there is one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct
from starlette.responses import Response

from pubdice.advice.losses import Amounts, LossUnit
from pubdice.advice.rating import LEAST_MATCHES, Interval, Sums, added, less_luck, luck_band, per_decision, rating
from pubdice.core.errors import BadNotation, Refused
from pubdice.server.book import Book, read_book_words, told_words
from pubdice.server.pages.visit import PARTS_SOON_S, PageVisit
from pubdice.server.web import responses
from pubdice.server.web.browser import set_cookies
from pubdice.server.web.render import template
from pubdice.server.web.routing import JSON, PAGE, Form, Route
from pubdice.store.players_book import BookEntry, BookPlayer, BookSums, Opponent
from pubdice.text.language import Language

FORMS = ("join", "enter")
"""What a person does who is not in the book: the forms that show why they were refused."""
DEEDS = (*FORMS, "words", "leave", "erase")
"""What a form may ask of the book."""
RARE = 0.975
"""Of all cases: luck further out, for better or worse, comes to 1 of 20 players."""
MOST_LATEST, MOST_OPPONENTS = 20, 30
"""Matches and opponents that are shown."""
html = template("book.html")


class BookExport(Struct):
    """All that the players' book holds about a player; times are ms since 1970.

    words: what scrypt makes of name and words, in hex: nothing else is kept of them. opener: until a match counts, two
    bytes in hex that follow from the address; some 65,000 others have the same. browsers: hashes of their tokens,
    and since when. matches: one by one; sums: those that were too old to be kept so. met: other players of the book,
    with the results of the matches together.
    """

    name: str
    joined: int
    words: str
    opener: str
    browsers: list[dict[str, Any]]
    matches: list[dict[str, Any]]
    sums: list[dict[str, Any]]
    met: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Estimated:
    """A number as it is said, and its band; an empty band where it would say nothing."""

    value: str
    band: str = ""


@dataclass(frozen=True, slots=True)
class BookGame:
    """All of a player's matches at one game. lost: value lost per real decision. luck: all of it, and what is usual."""

    title: str
    games: str
    won: str
    lost: Estimated | None = None
    luck: Estimated | None = None
    rating: Estimated | None = None


@dataclass(frozen=True, slots=True)
class BookOpponent:
    """Another player of the book, and how the matches together ended, in a line."""

    name: str
    line: str


@dataclass(frozen=True, slots=True)
class BookMatch:
    """A finished match. day: its date (UTC). line: what came of it. receipt: where what decided it stands."""

    day: str
    title: str
    line: str
    receipt: str


@dataclass(frozen=True, slots=True)
class BookPage:
    """A player's page. name: "" for somebody who is not in the book; then the rest but the refusal is empty.

    words: the four words, where they have just been drawn. given: a name that was typed. refusal: of which form
    (refused: "join" or "enter"). erasing: whether the page asks before it erases everything. left: matches that
    are not worked out yet; again_s: when the page asks again.
    """

    name: str = ""
    words: str = ""
    given: str = ""
    refusal: str = ""
    refused: str = ""
    erasing: bool = False
    left: int = 0
    again_s: int = 0
    games: str = ""
    decisions: str = ""
    rating: Estimated | None = None
    luck: tuple[str, ...] = ()
    rows: tuple[BookGame, ...] = ()
    opponents: tuple[BookOpponent, ...] = ()
    latest: tuple[BookMatch, ...] = ()


@dataclass(frozen=True, slots=True)
class HeldBook:
    """What the book holds of a player: matches one by one, older ones in sums, other players met."""

    entries: Sequence[BookEntry]
    older: Sequence[BookSums] = ()
    opponents: Sequence[Opponent] = ()


async def page(visit: PageVisit) -> Response:
    """``GET /book``: the player's page, or the forms to come in."""
    return visit.html(html, await _page(visit))


async def ask(visit: PageVisit) -> Response:
    """``POST /book``: what the form asks for in ``do``."""
    visit.known()
    form: dict[str, str] = {}
    try:
        form = visit.form()
        visit.count("asking")
        return await _do(visit, form)
    except (Refused, BadNotation) as error:
        if form.get("do") not in FORMS or not visit.wants_page:
            raise
        status, why = visit.refusal(error)
        refused = BookPage(given=form.get("name", ""), refusal=why.why, refused=form["do"])
        return responses.patient(visit.html(html, refused, status), error)


async def export(visit: PageVisit) -> Response:
    """``GET /book/export``: all the book holds about the player."""
    book, players = visit.site.part(Book), visit.house.config.players
    player = await _player(visit)
    found = BookExport(**await book.read(players.export, player.id))
    response = responses.data(msgspec.json.format(msgspec.json.encode(found)))
    response.headers["content-disposition"] = 'attachment; filename="pubdice-book.json"'
    return response


async def _do(visit: PageVisit, form: dict[str, str]) -> Response:
    """Do what a form asks for. Raises Refused, NotStored, BadNotation."""
    do, name, person, book = form.get("do"), form.get("name", ""), visit.known(), visit.site.part(Book)
    if do == "join":
        number = None
        if await book.player(person) is None:
            visit.count("opening")
            number = await book.join(person, name, visit.address)
        if number is None:  # the page with the words was loaded again
            return visit.redirect("/book")
        told = told_words(number, visit.language)
        return set_cookies(visit.html(html, await _page(visit, BookPage(words=told))), visit)
    if do == "enter":
        limiter, now_s = visit.site.limiter, visit.now_s
        if wait_s := limiter.guess_book_words(visit.address, now_s):
            raise Refused("guesses", wait_s=wait_s)
        words = read_book_words(form.get("words", ""))
        if not await book.enter(person, name, words, visit.address):
            limiter.missed_book_words(visit.address, now_s)
            raise Refused("book-words")
        return set_cookies(visit.redirect("/book"), visit)
    if do == "leave":
        await book.leave(person)
        return visit.redirect("/book")
    player = await _player(visit)
    if do == "words":
        told = told_words(await book.change_words(player, visit.address), visit.language)
        return visit.html(html, await _page(visit, BookPage(words=told)))
    if do != "erase":
        raise Refused("fields", field="do")
    if form.get("sure") != "yes":
        return visit.html(html, BookPage(name=player.name, erasing=True))
    await book.erase(player)
    return visit.redirect("/book")


async def _player(visit: PageVisit) -> BookPlayer:
    """The player who asks. Raises Refused("not-in-book")."""
    player = await visit.site.part(Book).player(visit.person)
    if player is None:
        raise Refused("not-in-book")
    return player


async def _page(visit: PageVisit, page: BookPage | None = None) -> BookPage:
    """The page of the browser that asks, brought up to date. Raises Refused, NotStored."""
    page, book, players = page or BookPage(), visit.site.part(Book), visit.house.config.players
    player = await book.player(visit.person)
    if player is None:
        return replace(page, given=visit.name)
    if not page.words:
        visit.count("asking")
    left = await book.bring_up_to_date(player, asker=visit.asker)
    return told_book(
        replace(page, name=player.name, left=left, again_s=PARTS_SOON_S if left and not page.words else 0),
        visit.tongue,
        {name: kit.words.title for name, kit in visit.house.games.items()},
        HeldBook(
            await book.read(players.entries, player.id),
            await book.read(players.sums, player.id),
            await book.read(players.opponents, player.id, MOST_OPPONENTS),
        ),
        lambda code: f"{visit.house.link(code)}/receipt",
    )


def told_book(
    page: BookPage,
    language: Language,
    titles: Mapping[str, str],
    held: HeldBook,
    receipt: Callable[[str], str],
) -> BookPage:
    """The page with all the book holds. titles: of the games, by name. receipt: a table's link to what decided it."""
    games: dict[str, list[tuple[str, int, float, Sums]]] = {}
    for entry in held.entries:
        games.setdefault(entry.game, []).append((entry.utility, 1, entry.won, sums_in(entry.worth)))
    for each in held.older:
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
        opponents=tuple(
            BookOpponent(
                each.name,
                language.say(
                    "{games}; you won {won}, {name} won {theirs}",
                    games=language.count("{number} game", "{number} games", each.games),
                    won=_wins(language, each.won),
                    theirs=_wins(language, each.theirs),
                    name=each.name,
                ),
            )
            for each in held.opponents
        ),
        latest=tuple(
            BookMatch(
                datetime.fromtimestamp(entry.at / 1000, UTC).strftime("%Y-%m-%d"),
                language.say(titles.get(entry.game, entry.game)),
                _result(language, entry),
                receipt(entry.code) if entry.state == "worked" else "",
            )
            for entry in held.entries[:MOST_LATEST]
        ),
    )


def sums_in(worth: Mapping[str, float] | None) -> Sums:
    """The sums among what a match came to, by name."""
    names = Sums.__dataclass_fields__
    return Sums(**{name: amount for name, amount in (worth or {}).items() if name in names})  # type: ignore[arg-type]


def _rows(language: Language, title: str, parts: Sequence[tuple[str, int, float, Sums]]) -> list[BookGame]:
    """A game's rows: one for each kind of value. Matches without values count with the first."""
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
    """The rating; none before anything was at stake."""
    if not any(kind.rated for kind in kinds):
        return None

    def told(amount: float) -> str:
        return language.number(amount, 1).replace("-", "−")

    found = rating(kinds)
    return Estimated(told(found.value), _band(language, found, told))


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
    """An amount with its sign."""
    said = amounts.value(abs(amount))
    return said if abs(amount) < 5e-5 else ("+" if amount > 0 else "−") + said


def _band(language: Language, found: Interval, told: Callable[[float], str]) -> str:
    return language.say("{low} to {high}", low=told(found.low), high=told(found.high))


def _luck(language: Language, kinds: Sequence[Sums]) -> tuple[str, ...]:
    """How all luck so far compares with what dice alone give; nothing while there are too few games to say."""
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
    """Wins, a shared one as its part."""
    return language.number(won, 0 if won == int(won) else 1)


def _result(language: Language, entry: BookEntry) -> str:
    say = language.say
    players = language.count("{number} player", "{number} players", entry.seats)
    said = say("won") if entry.won == 1 else say("shared") if entry.won else say("not won")
    if entry.state == "new":
        return say("{result}, {players}; not worked out yet", result=said, players=players)
    sums = sums_in(entry.worth)
    if not sums.matches:
        return say("{result}, {players}", result=said, players=players)
    amounts = Amounts(language, LossUnit.of(entry.utility))
    return say(
        "{result}, {players}; luck {luck}, choices lost {lost}",
        result=said,
        players=players,
        luck=signed(amounts, sums.luck),
        lost=amounts.value(sums.lost),
    )


BOOK = ("often", "store-unwritable", "store-unreadable", "log-damaged")
"""Why the book is not shown; a name that nobody may have, and text that is no form, have 422 and 4xx."""
ROUTES = (
    Route("GET", "/book", page, "The players' book: one's own page, or a form to be written in.", refuses=BOOK),
    Route(
        "POST",
        "/book",
        ask,
        "Be written into the book, come in by four words, draw others, leave, or be erased.",
        takes=(Form("BookForm", ("do",), ("name", "words", "sure"), choices={"do": DEEDS}),),
        refuses=(*BOOK, "guesses", "asks-waiting", "book-words", "book-full", "book-here", "not-in-book"),
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
