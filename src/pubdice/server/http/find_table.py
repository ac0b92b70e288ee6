"""Finds the table that a client means, if the client may see it: by a link, by a code, or because they have sat there.

Nobody can guess a link's secret, so links have no limit. A bare code can be guessed: wrong ones are counted
(``limits``), and a code is retired when nobody has played at its table for a month, or a day after the match is over.
It always lets in people who have sat at the table.
"""

from dataclasses import dataclass

from pubdice.core.errors import Refused
from pubdice.server.http.browser import Browser
from pubdice.server.http.limits import Limiter
from pubdice.server.live.house import House
from pubdice.server.live.hub import Hub
from pubdice.server.live.new_tables import DAY_MS, MONTH_MS
from pubdice.server.live.nights import Nights
from pubdice.server.live.table_codes import is_link, read_code, secret_in


@dataclass(frozen=True, slots=True)
class Finder:
    """The way to a house's tables."""

    house: House
    limiter: Limiter

    async def table(self, browser: Browser, text: str) -> Hub:
        """The table of a link or a code. Raises Refused; counts codes that lead nowhere. Raises NotStored.

        Raises Refused("night-held") for a table of a duplicate night at which this person still plays elsewhere.
        """
        hub = await self._table(browser, text)
        if hub.state.setup.night and hub.state.seat_of(browser.person) is None:
            await Nights(self.house).check_shown(hub, browser.person)
        return hub

    async def _table(self, browser: Browser, text: str) -> Hub:
        code, secret = read_code(text), secret_in(text)
        known = self.house.hubs.get(code) if code else None
        if known is not None and known.state.seat_of(browser.person) is not None:
            if known.is_shared:
                return await self.house.find(known.code) or known
            known.used = self.house.now()
            return known
        if secret:
            return await self._linked(code, secret)
        house, person = self.house, browser.person
        sat = code is not None and person is not None and await house.read(house.store.sat, person, code)
        wait_s = 0 if sat else self.limiter.guess(browser.address, self.house.now() / 1000)
        if wait_s:  # before anything is looked up: how long that takes would tell which codes there are
            raise Refused("guesses", wait_s=wait_s)
        hub = await self.house.find(code) if code else None
        if hub is None:
            self._missed(browser)
            raise Refused("no-table")
        kept_ms = DAY_MS if hub.state.stage == "over" else MONTH_MS
        if not sat and not browser.is_pocket and self.house.now() - hub.state.at > kept_ms:
            self._missed(browser)
            raise Refused("code-retired")
        return hub

    def check_words(self, browser: Browser) -> None:
        """Refuse an address that has tried the words of seats too often."""
        if wait_s := self.limiter.guess_words(browser.address, self.house.now() / 1000):
            raise Refused("guesses", wait_s=wait_s)

    def wrong_words(self, browser: Browser) -> None:
        """Count a try at the words of a seat that was wrong."""
        self.limiter.missed_words(browser.address, self.house.now() / 1000)

    async def _linked(self, code: str | None, secret: str) -> Hub:
        """The table of a link: nothing is looked up unless its secret is right."""
        if code is None or not is_link(self.house.secret, code, secret):
            raise Refused("no-link")
        hub = await self.house.find(code)
        if hub is None:  # it was there: an older copy of the house was put back
            raise Refused("no-table")
        return hub

    def _missed(self, browser: Browser) -> None:
        self.limiter.missed(browser.address, self.house.now() / 1000)
