"""What every route of a table needs: the house, its limits, and the finder of its tables."""

from collections.abc import Callable
from dataclasses import dataclass

from pubdice.server.http.find_table import Finder
from pubdice.server.live.house import House
from pubdice.server.live.nights import Nights
from pubdice.server.web.browser import Browser, PublicAddress
from pubdice.server.web.limits import Limiter


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a house. source: random bytes, for tokens and keys. games: their names and titles."""

    house: House
    limiter: Limiter
    source: Callable[[int], bytes]
    games: tuple[tuple[str, str], ...]
    public_address: PublicAddress

    @property
    def finder(self) -> Finder:
        """The way to the tables."""
        return Finder(self.house, self.limiter)

    @property
    def nights(self) -> Nights:
        """The duplicate nights of the house."""
        return Nights(self.house)

    def place(self, browser: Browser, code: str) -> str:
        """A table's link as others can use it: that of this machine alone is of no use to a phone."""
        return f"{self.public_address.origin(browser)}{self.house.link(code)}"
