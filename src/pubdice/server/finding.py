"""Which table somebody means, and whether they may see it: by a link, by a code that was typed, or by a seat of theirs.

A link holds a secret nobody can guess, so it is checked without a limit. A bare code can be guessed: wrong ones are
counted (``limits``), and it is retired when nobody has played at its table for a month, or a day after the match is
over. People who have sat at a table are let in by its code always.
"""

from dataclasses import dataclass

from pubdice.server.codes import is_link, read_code, secret_in
from pubdice.server.house import DAY_MS, MONTH_MS, House
from pubdice.server.hub import Hub
from pubdice.server.limits import Limiter
from pubdice.server.visitor import Visitor
from pubdice.table import Refused


@dataclass(frozen=True, slots=True)
class Finder:
    """The way to a house's tables."""

    house: House
    limiter: Limiter

    async def table(self, visitor: Visitor, text: str) -> Hub:
        """The table of a link or a code. Raises Refused; codes that lead nowhere are counted."""
        code, secret = read_code(text), secret_in(text)
        known = self.house.hubs.get(code) if code else None
        if known is not None and known.state.seat_of(visitor.person) is not None:
            known.used = self.house.now()
            return known
        if secret:
            return await self._linked(code, secret)
        sat = code is not None and visitor.person is not None and self.house.store.sat(visitor.person, code)
        wait_s = 0 if sat else self.limiter.guess(visitor.address, self.house.now() / 1000)
        if wait_s:  # before anything is looked up: how long that takes would tell which codes there are
            raise Refused("guesses", wait_s=wait_s)
        hub = await self.house.find(code) if code else None
        if hub is None:
            self._missed(visitor)
            raise Refused("no-table")
        kept_ms = DAY_MS if hub.state.stage == "over" else MONTH_MS
        if not sat and self.house.now() - hub.state.at > kept_ms:
            self._missed(visitor)
            raise Refused("code-retired")
        return hub

    def check_words(self, visitor: Visitor) -> None:
        """Refuse an address that has tried the words of seats too often."""
        if wait_s := self.limiter.guess_words(visitor.address, self.house.now() / 1000):
            raise Refused("guesses", wait_s=wait_s)

    def wrong_words(self, visitor: Visitor) -> None:
        """Words were tried that are no seat's."""
        self.limiter.missed_words(visitor.address, self.house.now() / 1000)

    async def _linked(self, code: str | None, secret: str) -> Hub:
        """The table of a link: nothing is looked up unless its secret is right."""
        if code is None or not is_link(self.house.secret, code, secret):
            raise Refused("no-link")
        hub = await self.house.find(code)
        if hub is None:  # it was there: an older copy of the house was put back
            raise Refused("no-table")
        return hub

    def _missed(self, visitor: Visitor) -> None:
        self.limiter.missed(visitor.address, self.house.now() / 1000)
