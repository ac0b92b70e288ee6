"""Finds the table, or the night, that a client means: by a link, by a code, or because they have sat there.

Nobody can guess a link's secret, so links have no limit. A bare code can be guessed: wrong ones are counted
(``limits``), and a code is retired when nobody has played at its table for a month, or a day after the match is over.
It always lets in people who have sat at the table, or at one of the night.
"""

from dataclasses import dataclass

from pubdice.core.errors import Refused
from pubdice.server.live.house import House
from pubdice.server.live.hub import Hub
from pubdice.server.live.new_tables import DAY_MS, MONTH_MS
from pubdice.server.live.nights import DuplicateNight, Nights
from pubdice.server.live.table_codes import is_link, read_code, secret_in
from pubdice.server.web.browser import Browser
from pubdice.server.web.limits import Limiter


@dataclass(frozen=True, slots=True)
class Finder:
    """The way to a house's tables."""

    house: House
    limiter: Limiter

    async def table(self, browser: Browser, text: str, *, current: bool = False) -> Hub:
        """The table of a link or a code; current: see ``House.find``. Raises Refused; counts codes that lead nowhere.

        Raises NotStored. Raises Refused("night-held") for a table of a duplicate night at which this person still plays
        elsewhere.
        """
        hub = await self._table(browser, text, current)
        if hub.state.setup.night and hub.state.seat_of(browser.person) is None:
            await Nights(self.house).check_shown(hub, browser.person)
        return hub

    async def _table(self, browser: Browser, text: str, current: bool) -> Hub:
        code, secret = read_code(text), secret_in(text)
        known = self.house.hubs.get(code) if code else None
        if known is not None and known.state.seat_of(browser.person) is not None:
            if known.is_shared:
                return await self.house.find(known.code, current=current) or known
            known.used = self.house.now()
            return known
        if secret:
            return await self._linked(code, secret, current)
        house, person = self.house, browser.person
        sat = code is not None and person is not None and await house.read(house.store.sat, person, code)
        wait_s = 0 if sat else self.limiter.guess(browser.address, self.house.now() / 1000)
        if wait_s:  # before anything is looked up: how long that takes would tell which codes there are
            raise Refused("guesses", wait_s=wait_s)
        hub = await self.house.find(code, current=current) if code else None
        if hub is None:
            self.missed(browser)
            raise Refused("no-table")
        kept_ms = DAY_MS if hub.state.stage == "over" else MONTH_MS
        if not sat and not browser.is_pocket and self.house.now() - hub.state.at > kept_ms:
            self.missed(browser)
            raise Refused("code-retired")
        return hub

    async def night(self, browser: Browser, text: str) -> DuplicateNight | None:
        """The duplicate night of a link or a code; None if there is none. Raises Refused("guesses"), ("no-link").

        Counts nothing: a code that leads to no night may be a table's. Raises NotStored.
        """
        code, secret, nights = read_code(text), secret_in(text), Nights(self.house)
        if secret and (code is None or not is_link(self.house.secret, code, secret, "night")):
            raise Refused("no-link")
        freely = secret or (code and await nights.has_sat(code, browser.person))
        if not freely and (wait_s := self.limiter.guess(browser.address, self.house.now() / 1000)):
            raise Refused("guesses", wait_s=wait_s)
        return await nights.find(code)

    def check_words(self, browser: Browser) -> None:
        """Refuse an address that has tried the words of seats too often."""
        if wait_s := self.limiter.guess_words(browser.address, self.house.now() / 1000):
            raise Refused("guesses", wait_s=wait_s)

    def wrong_words(self, browser: Browser) -> None:
        """Count a try at the words of a seat that was wrong."""
        self.limiter.missed_words(browser.address, self.house.now() / 1000)

    async def _linked(self, code: str | None, secret: str, current: bool) -> Hub:
        """The table of a link: nothing is looked up unless its secret is right."""
        if code is None or not is_link(self.house.secret, code, secret):
            raise Refused("no-link")
        hub = await self.house.find(code, current=current)
        if hub is None:  # it was there: an older copy of the house was put back
            raise Refused("no-table")
        return hub

    def missed(self, browser: Browser) -> None:
        """Count a code that leads nowhere."""
        self.limiter.missed(browser.address, self.house.now() / 1000)
