"""What a hub needs of the house, and nothing of how the house does it: time, dice, the store and the bots' choices."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from pubdice.cup import Cup
from pubdice.party import PartyState, Step
from pubdice.server.keys import Key
from pubdice.store import Repeated, Stored
from pubdice.words import Language

if TYPE_CHECKING:
    from pubdice.server.hub import Hub


class Keeper(Protocol):
    """What a hub needs of the house."""

    @property
    def cup(self) -> Cup:
        """Where rolls come from."""

    @property
    def bots(self) -> Cup:
        """Where bots draw lots."""

    def link(self, code: str) -> str:
        """Where the table of a code is, for those who are shown the way."""

    def now(self) -> int:
        """The time in ms since 1970."""

    def after(self, delay_s: float, do: Callable[[], None]) -> Any:
        """Do something later; the answer has a ``cancel``."""

    def spawn(self, work: Awaitable[None]) -> None:
        """Do something beside."""

    async def append(
        self, hub: "Hub", steps: Sequence[Step], lines: tuple[str, ...], key: Key | None, answer: bytes
    ) -> Stored | Repeated:
        """Store steps, and what they are written as, after the hub's log; NotStored if that fails."""

    def seen(self, code: str, people: Iterable[str]) -> int:
        """When one of these people was last at the table with this code; 0 if nobody knows."""

    def answer(self, hub: "Hub", key: Key) -> bytes | None:
        """The answer stored under a key."""

    async def choose(self, hub: "Hub", state: PartyState, seat: int) -> Sequence[tuple[Any, int]]:
        """The weighted actions of the bot that plays a seat."""

    def may_hurry(self) -> bool:
        """Whether one more bot may act fast now: the house has only so much for all that do."""

    def language(self, code: str) -> Language:
        """A language by its code."""

    def soon(self, hub: "Hub") -> None:
        """Have a hub tell what has happened, once whoever did it has an answer."""

    def moved(self, hub: "Hub", steps: Sequence[Step]) -> None:
        """Steps were stored and applied."""

    def failed(self, error: Exception) -> None:
        """Something that should not have happened, and stops nobody."""

    def renew(self, hub: "Hub") -> None:
        """Load a table anew."""
