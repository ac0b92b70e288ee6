"""The seam to other processes of one house: ``Nodes``, who lives and who writes where, and ``Wakeups``, hints of news.

All of it is a help: what is stored is decided by the log alone, so a list that is late or empty makes nothing wrong.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Node:
    """A process that serves the house. age_ms: since its last beat. acting: the tables whose timers it kept, if it
    leaves or has not beaten for a second; of others they may be left out.
    """

    id: int
    age_ms: int
    leaving: bool
    acting: tuple[int, ...] = ()


class Nodes(Protocol):
    """What this process tells the others and hears of them. Any thread may call; NotStored("store-unreadable").

    id: this process's own number, which no other process of the house ever had.
    """

    @property
    def id(self) -> int:
        """The number of this process."""

    def beat(self, acting: Sequence[int] | None, *, leaving: bool = False) -> Sequence[Node]:
        """Say that this process lives; all nodes, this one too. acting: the tables whose timers it keeps; None: those
        that it has told of last.
        """

    def leave(self) -> None:
        """Take this process off the list."""

    def now_ms(self) -> int:
        """The time that all processes share, in ms since 1970."""

    def heads(self, tables: Sequence[int]) -> Mapping[int, tuple[int, int]]:
        """How many lines the logs of these tables have, and which node wrote last; 0 if none did."""

    def codes_of(self, tables: Sequence[int]) -> Sequence[str]:
        """The codes of these tables, of those that have one."""

    def show(self, people: Mapping[int, str]) -> None:
        """Tell who is at these tables by this process, in its own words; "" if nobody is."""

    def shown(self, tables: Sequence[int]) -> Sequence[tuple[int, int, str]]:
        """What other nodes have told of these tables: table, node, their words."""


# Hints from one process of a house to the others that a table's log has grown.
#
# A hint may be lost, late, doubled or wrong: the log is the truth, and who serves a table looks there by itself every
# ``live.following.LOOK_EVERY_S``. So whatever carries small messages can carry them.


Heard = Callable[[int, int, int], object]
"""Called with a table's number, how many lines its log has, and which node wrote the last."""
Called = Callable[[int, int, int], object]
"""Called with a table's number, and which seat called which phrase there: a reaction, which is stored nowhere."""


class Wakeups(Protocol):
    """Carries hints. Lives in one event loop."""

    def tell(self, table: int, length: int) -> None:
        """Let others know how long a log is now, soon. Called after the commit; never waits, and never raises."""

    def call(self, table: int, seat: int, phrase: int) -> None:
        """Let others know of a reaction, soon. Never waits, and never raises."""

    async def run(self, heard: Heard, called: Called) -> None:
        """Send what is told, and call these two for what others tell, until cancelled; connect again after failures."""
