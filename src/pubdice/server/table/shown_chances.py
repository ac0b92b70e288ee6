"""The chances of a table that shows them. They are worked out after each move, and sent after the news of the move.

A move is sent to the solver only once it is stored and told, so a page never has the chances before the dice behind
them. The solver is not asked for other tables, nor for a table with no page open.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any

import msgspec

from pubdice.advice.seat_chances import SeatChances
from pubdice.core.errors import Refused
from pubdice.match.match import MatchState
from pubdice.match.table import Marked, TakenBack
from pubdice.room import Room, RoomState, Step
from pubdice.room.events import Moved, Started
from pubdice.server.charts import ChancePanel, panel
from pubdice.server.charts import chances_html as chances_page
from pubdice.server.jobs import tell_chances
from pubdice.server.replay import Loaded
from pubdice.server.table.lessons import rules_of
from pubdice.server.table.presence import frame
from pubdice.server.table.services import TableServices
from pubdice.server.wire import ChanceNews, Told
from pubdice.text.language import Language

MOST_MOVES = 300
"""The most moves in the chart's line. They are the latest of the match."""
MOST_LINES = 400
"""The most log lines (moves and marks) replayed for the first page that shows the chances. They take 10 ms."""
AT_ONCE = 40
"""The most moves in one question to the solver. It takes 0.05 to 0.5 s. Then other questions have their turn."""
CAUGHT_UP_S = 0.5
"""The longest that a page waits for the last move's chances. A move takes 1 to 50 ms once the match is solved."""
MOST_WAITS = 300
"""The most answers to wait for, 2 s each. No match that can be solved takes longer."""


class ChanceLine:
    """One table's chances, by language. ``send`` sends a message to all pages in a language."""

    def __init__(
        self, room: Room, loaded: Loaded, services: TableServices, send: Callable[[str, bytes], None], asker: str
    ) -> None:
        self._room, self._loaded, self._services, self._send = room, loaded, services, send
        self._asker = asker
        self._moves: list[MatchState[Any]] = []
        self._first = 0
        self._begun = self._closed = False
        self._found: dict[str, tuple[int, SeatChances]] = {}
        self._why: dict[str, str] = {}
        self._busy: dict[str, asyncio.Event] = {}

    @property
    def _state(self) -> RoomState:
        return self._loaded.state

    @property
    def is_shown(self) -> bool:
        """True if this table shows chances now."""
        return self._state.setup.chances and self._state.stage == "playing"

    def note(self, steps: Sequence[Step]) -> None:
        """Take in steps that were stored."""
        if self._begun:
            self._add(steps)

    def ask(self, code: str) -> None:
        """Work out the chances that are missing in a language, and send them."""
        if not self.is_shown or code in self._busy or code in self._why or self._closed:
            return
        if not self._begun:
            self._begun = True
            tail = self._loaded.tail
            steps = tail.steps(self._room, max(tail.first, self._state.seq - MOST_LINES))
            if steps and (before := steps[0].before.match) is not None:
                self._first = before.state.moved + 1
            self._add(steps)
        if self._is_up_to_date(code):
            return
        self._busy[code] = asyncio.Event()
        self._services.background.spawn(self._work_out(code))

    async def catch_up(self, code: str) -> None:
        """Wait at most 0.5 s for the chances of the last move. A page without scripts gets no later message."""
        if self.is_shown:
            self.ask(code)
            if (done := self._busy.get(code)) is not None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(done.wait(), CAUGHT_UP_S)

    def close(self) -> None:
        """Work out nothing more. Drops ``send``: a reference cycle would keep the table in memory."""
        self._closed, self._send = True, _discard

    def panel(self, code: str) -> ChancePanel | None:
        """Return the panel of a page now. None at a table without chances. Asks the solver for missing chances."""
        if not self.is_shown:
            return None
        self.ask(code)
        found = self._found.get(code)
        if found is None:
            return ChancePanel(why=self._why.get(code, ""))
        end, told = found
        shown = panel(self._state.names, self._state.mover, told, end - len(told.said))
        return shown if self._is_up_to_date(code) else replace(shown, mover="", outlook="", behind=True)

    def message(self, code: str, begin: int | None = None) -> bytes | None:
        """Return the message that shows the chances. None while they are worked out, because it is sent afterwards.

        If a turn ended with move ``begin`` or later, the message also says the chances in words.
        """
        shown = self.panel(code)
        if shown is None or shown.behind or not (shown.seats or shown.why):
            return None
        tongue, said = self._services.language(code), ""
        if begin is not None and shown.seats and shown.mover and self._has_new_turn(begin):
            # This line comes later than the move's own lines, so it names the mover.
            said = tongue.say("Chances with {name} to move: {chances}.", name=shown.mover, chances=shown.line)
        news = ChanceNews(self._state.seq, chances_page(tongue, shown), said, self._line(tongue, shown))
        return frame(msgspec.json.encode(news), None, "chances")

    def _line(self, tongue: Language, shown: ChancePanel) -> Told:
        """Return all chances in one line, to be read out on request."""

        def told(you: int | None) -> str:
            texts = "{name} {score}", "You {score}"
            seats = enumerate(shown.seats)
            return ", ".join(
                [tongue.about(*texts, "" if at == you else seat.name, score=seat.said) for at, seat in seats]
            )

        chairs = self._state.chairs if shown.seats else ()
        return Told(told(None), {at: told(at) for at, chair in enumerate(chairs) if chair.people})

    def _has_new_turn(self, begin: int) -> bool:
        """Return True if the mover changed with move ``begin`` or later, or if the match began.

        Bots can be quicker than the solver, so several moves may come together.
        """
        live, at = self._state.match, begin - self._first
        if live is None or at <= 0:
            return True
        mover = live.table.match.mover
        return any(mover(one) != mover(other) for one, other in pairwise(self._moves[at - 1 :]))

    def _is_up_to_date(self, code: str) -> bool:
        return self._end(code) == self._first + len(self._moves)

    def _end(self, code: str) -> int:
        """Return the number of the first move that is not worked out in a language."""
        return self._found[code][0] if code in self._found else self._first

    def _add(self, steps: Sequence[Step]) -> None:
        for step in steps:
            event, live = step.line.event, step.after.match
            if live is not None and isinstance(event, Moved) and isinstance(event.event, TakenBack):
                self._take_back(live.state.moved)
                continue
            moved = isinstance(event, Moved) and not isinstance(event.event, Marked)
            if live is not None and (moved or isinstance(event, Started)):
                self._moves.append(live.state.match)
        more = max(0, len(self._moves) - MOST_MOVES)
        self._first += more
        del self._moves[:more]

    def _take_back(self, moved: int) -> None:
        """Forget the moves from this number on, after an undo."""
        del self._moves[max(0, moved + 1 - self._first) :]
        for code in [code for code, (end, _) in self._found.items() if end > moved + 1]:
            del self._found[code]

    def _has(self, begin: int, states: tuple[MatchState[Any], ...]) -> bool:
        """Return True if ``states`` are still the states after the moves from ``begin`` on."""
        at = begin - self._first
        return at >= 0 and states == tuple(self._moves[at : at + len(states)])

    async def _work_out(self, code: str) -> None:
        """Bring the chances in a language up to the last move, and send them."""
        news_from = self._end(code)
        try:
            for _ in range(MOST_WAITS):
                before = self._found.get(code)
                begin = max(self._end(code), self._first)
                known = before[1] if before is not None and before[0] == begin else None
                states = tuple(self._moves[begin - self._first :][:AT_ONCE])
                if not states or self._closed:
                    break
                found = await self._services.answers.ask(self._asker, tell_chances, rules_of(self._state), states, code)
                if isinstance(found, SeatChances):
                    if before is not self._found.get(code) or not self._has(begin, states):
                        continue  # moves were taken back during the wait, or the line dropped these as too old
                    self._found[code] = (begin + len(states), _joined(known, found))
                elif found is not None:
                    self._why[code] = found.why
                    break
        except Refused:
            return  # the next move asks again
        finally:
            self._busy.pop(code).set()
        if not self._closed and (news := self.message(code, news_from)) is not None:
            self._send(code, news)


def _discard(code: str, message: bytes) -> None:
    """Send nothing: the table is closed."""


def _joined(known: SeatChances | None, found: SeatChances) -> SeatChances:
    if known is None:
        return found
    return replace(
        found, units=(*known.units, *found.units)[-MOST_MOVES:], said=(*known.said, *found.said)[-MOST_MOVES:]
    )
