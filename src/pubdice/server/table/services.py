"""The services that every live table of a house needs: time, background tasks, dice, bots, broadcaster, languages.

Knows no table.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pubdice.core.cup import Cup
from pubdice.core.seal import Seals
from pubdice.server.answers import Answers
from pubdice.server.observe import Metrics
from pubdice.server.table.background import Background
from pubdice.server.table.bot_moves import Bots
from pubdice.server.table.broadcasts import Broadcaster
from pubdice.server.table.clock import Clock
from pubdice.server.table.commit import Trace
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class TableServices:
    """The services that a house hands to its actors.

    cup: where rolls come from. seals: of sealed dice. link: the address of the table with this code, with its secret.
    seen_before: when one of these people was last at the table with this code (ms since 1970), 0 if nobody knows.
    answers: works out what choices are worth. reload: loads the table with this code again, where memory and log may
    differ. ended: hears of the table with this code whose match has just ended, where somebody watches. trace: follows
    commands in the event log; None follows none.
    """

    clock: Clock
    background: Background
    metrics: Metrics
    broadcaster: Broadcaster
    bots: Bots
    answers: Answers
    cup: Callable[[], Cup]
    seals: Seals
    language: Callable[[str], Language]
    link: Callable[[str], str]
    seen_before: Callable[[str, Iterable[str]], int]
    reload: Callable[[str], None]
    ended: Callable[[str], None]
    trace: Trace | None = None
