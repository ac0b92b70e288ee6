"""The players' book: a page of one's own, by forms alone. Nobody sees another's, nor whether there is one."""

from dataclasses import dataclass, replace

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pubdice.core.errors import BadNotation, NotStored, Refused
from pubdice.server.http.tables import Tables
from pubdice.server.http.worked_out import PARTS_SOON_S
from pubdice.server.live.book import Book
from pubdice.server.live.book_words import read_book_words, told_words
from pubdice.server.requests import BookExport
from pubdice.server.show import pages
from pubdice.server.show.book_page import MOST_OPPONENTS, BookPage, HeldBook, told_book
from pubdice.server.web import responses
from pubdice.server.web.browser import Browser, KnownBrowser, set_cookies
from pubdice.server.web.limits import block_of
from pubdice.server.web.refusals import refusal
from pubdice.store.players_book import BookPlayer
from pubdice.text.catalogues import language

FORMS = ("join", "enter")
"""What a person does who is not in the book: the forms that show why they were refused."""


@dataclass(frozen=True, slots=True)
class BookRoutes:
    """Writes players into the book, and shows each of them their own page."""

    tables: Tables
    book: Book

    async def page(self, request: Request) -> Response:
        """``GET /book``: the player's page, or the forms to come in."""
        browser = Browser(request)
        try:
            return self._html(browser, await self._page(browser))
        except (Refused, NotStored) as error:
            return responses.refused(browser, error, self.tables.games)

    async def ask(self, request: Request) -> Response:
        """``POST /book``: what the form asks for in ``do``."""
        browser = KnownBrowser(request, self.tables.source)
        form: dict[str, str] = {}
        try:
            form = browser.form()
            self._count(browser)
            return await self._do(browser, form)
        except (Refused, NotStored, BadNotation) as error:
            if form.get("do") not in FORMS or not browser.wants_page or isinstance(error, NotStored):
                return responses.refused(browser, error, self.tables.games)
            status, why = refusal(language(browser.language), error)
            page = BookPage(given=form.get("name", ""), refusal=why.why, refused=form["do"])
            return responses.patient(self._html(browser, page, status), error)

    async def export(self, request: Request) -> Response:
        """``GET /book/export``: all the book holds about the player."""
        browser = Browser(request)
        try:
            self._count(browser)
            player = await self._player(browser)
            found = await self.book.read(self.tables.house.config.players.export, player.id)
        except (Refused, NotStored) as error:
            return responses.refused(browser, error, self.tables.games)
        response = responses.data(msgspec.json.format(msgspec.json.encode(BookExport(**found))))
        response.headers["content-disposition"] = 'attachment; filename="pubdice-book.json"'
        return response

    async def _do(self, browser: KnownBrowser, form: dict[str, str]) -> Response:
        """Do what a form asks for. Raises Refused, NotStored, BadNotation."""
        do, name, code = form.get("do"), form.get("name", ""), browser.language
        if do == "join":
            number = None
            if await self.book.player(browser.person) is None:
                limiter, now_s = self.tables.limiter, self.tables.house.now() / 1000
                if wait_s := limiter.opening(browser.address, now_s):
                    raise Refused("often", wait_s=wait_s)
                number = await self.book.join(browser.person, name, browser.address)
            if number is None:  # the page with the words was loaded again
                return RedirectResponse("/book", 303)
            told = told_words(number, code)
            return set_cookies(self._html(browser, await self._page(browser, BookPage(words=told))), browser)
        if do == "enter":
            limiter, now_s = self.tables.limiter, self.tables.house.now() / 1000
            if wait_s := limiter.guess_book_words(browser.address, now_s):
                raise Refused("guesses", wait_s=wait_s)
            words = read_book_words(form.get("words", ""))
            if not await self.book.enter(browser.person, name, words, browser.address):
                limiter.missed_book_words(browser.address, now_s)
                raise Refused("book-words")
            return set_cookies(RedirectResponse("/book", 303), browser)
        if do == "leave":
            await self.book.leave(browser.person)
            return RedirectResponse("/book", 303)
        player = await self._player(browser)
        if do == "words":
            told = told_words(await self.book.change_words(player, browser.address), code)
            return self._html(browser, await self._page(browser, BookPage(words=told)))
        if do != "erase":
            raise Refused("fields", field="do")
        if form.get("sure") != "yes":
            return self._html(browser, BookPage(name=player.name, erasing=True))
        await self.book.erase(player)
        return RedirectResponse("/book", 303)

    async def _player(self, browser: Browser) -> BookPlayer:
        """The player who asks. Raises Refused("not-in-book")."""
        player = await self.book.player(browser.person)
        if player is None:
            raise Refused("not-in-book")
        return player

    async def _page(self, browser: Browser, page: BookPage | None = None) -> BookPage:
        """The page of the browser that asks, brought up to date. Raises Refused, NotStored."""
        page = page or BookPage()
        player = await self.book.player(browser.person)
        if player is None:
            return replace(page, given=browser.name)
        if not page.words:
            self._count(browser)
        left = await self.book.bring_up_to_date(player, asker=block_of(browser.address))
        players, read = self.tables.house.config.players, self.book.read
        return told_book(
            replace(page, name=player.name, left=left, again_s=PARTS_SOON_S if left and not page.words else 0),
            language(browser.language),
            {name: kit.words.title for name, kit in self.tables.house.games.items()},
            HeldBook(
                await read(players.entries, player.id),
                await read(players.sums, player.id),
                await read(players.opponents, player.id, MOST_OPPONENTS),
            ),
            lambda code: f"{self.tables.house.link(code)}/receipt",
        )

    def _count(self, browser: Browser) -> None:
        """Count a request that may hash or solve. Raises Refused("often")."""
        if wait_s := self.tables.limiter.asking(browser.address, self.tables.house.now() / 1000):
            raise Refused("often", wait_s=wait_s)

    def _html(self, browser: Browser, page: BookPage, status: int = 200) -> Response:
        text = pages.book(responses.frame(browser, self.tables.games), page)
        return responses.html(browser, text, status)
