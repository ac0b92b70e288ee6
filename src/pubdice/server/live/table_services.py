"""What every live table of a house needs of it: time, dice, bots, broadcaster, languages. Knows no table."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pubdice.core.cup import Cup
from pubdice.core.seal import Seals
from pubdice.server.live.answers import Answers
from pubdice.server.live.background import Background
from pubdice.server.live.bots import Bots
from pubdice.server.live.broadcaster import Broadcaster
from pubdice.server.live.clock import Clock
from pubdice.server.live.neighbours import Neighbours
from pubdice.server.live.trace import Trace
from pubdice.server.observe import Metrics
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class TableServices:
    """What a house hands to its hubs.

    cup: where rolls come from. seals: of sealed dice. link: the address of the table with this code, with its secret.
    seen_before: when one of these people was last at the table with this code (ms since 1970), 0 if nobody knows.
    answers: works out what choices are worth. reload: loads the table with this code again, where memory and log may
    differ. neighbours: the other processes that serve the house. call: tells them of a reaction: table, seat, phrase.
    trace: follows commands in the event log; None follows none.
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
    neighbours: Neighbours
    call: Callable[[int, int, int], None]
    trace: Trace | None = None
