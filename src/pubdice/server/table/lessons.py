"""Lessons at a table that is set up for them: hints on request, and a warning before a choice that loses much.

A command is decided by a dry run before it is carried out, and its choice is weighed (``Answers.lesson``), so every way
to make a move is treated alike: button, key, typed line. A choice that was warned of is carried out when somebody asks
for it once more. A choice that cannot be weighed in time is not held up.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any

import msgspec

from pubdice.advice.lesson import Lesson
from pubdice.advice.seat_chances import SeatChances
from pubdice.core.dice import Roll
from pubdice.core.errors import Refused
from pubdice.match.match import MatchState
from pubdice.match.record import Played
from pubdice.match.table import Marked, TakenBack
from pubdice.room import Room, RoomState, Step
from pubdice.room.events import Moved, Started
from pubdice.room.setup import with_seats
from pubdice.server.answers import Answers
from pubdice.server.charts import ChancePanel, panel
from pubdice.server.charts import chances_html as chances_page
from pubdice.server.jobs import HeaderRules, NoAnswer, teach, tell_chances
from pubdice.server.replay import Loaded
from pubdice.server.table.commit import Key
from pubdice.server.table.presence import frame
from pubdice.server.table.services import TableServices
from pubdice.server.wire import ChanceNews, Told
from pubdice.text.language import Language


def rules_of(state: RoomState) -> HeaderRules:
    """A table's rules as a record's header has them, with a placeholder for each seat."""
    return tuple(with_seats(state.setup.rules, len(state.chairs)).items())


class OnlyOnes:
    """The cup of a dry run, whose dice are all ones: a choice does not depend on the dice that fall after it."""

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        """A one for each die."""
        return (1,) * number

    def draw(self, number: int, index: int) -> int:
        """Always the first of them."""
        return 0


class Lessons:
    """One table's lessons. Remembers the choices it has warned of at the decision under way, and nothing else.

    That is in memory alone: a house that restarts between a warning and the choice made once more warns a second time,
    and so does another process of the same house.
    Nothing happens by it that the player has not asked for, so no warning is stored. asker: ``TableActor.asker``.
    """

    def __init__(self, answers: Answers, asker: str) -> None:
        self._answers, self._asker = answers, asker
        self._at: object = None
        self._warned: dict[Any, Key] = {}

    async def check(self, state: RoomState, steps: tuple[Step, ...], key: Key, tongue: Language, code: str) -> None:
        """Raises Refused("costly") before a choice that loses too much, once. steps: of the command's dry run.

        key: the command's idempotency key; the same command sent again does not count as asking twice.
        """
        found = _choice(steps)
        if found is None:
            return
        match, action, number = found
        try:
            lesson = await self._answers.ask(self._asker, teach, rules_of(state), match, code)
        except Refused:
            return
        live = state.match
        if not isinstance(lesson, Lesson) or live is None:
            return
        place = live.table.match.legal(match).index(action)
        if lesson.costs[place] <= 0 or 100 * lesson.costs[place] < state.setup.lessons:
            return
        if self._at != (number, match):
            self._at, self._warned = (number, match), {}
        if self._warned.setdefault(action, key) != key:
            return
        warned = Refused("costly")
        warned.sentence = (
            f"{lesson.warnings[place]} {tongue.say('Nothing has happened yet. If you mean it, do it again.')}"
        )
        raise warned

    async def prepare(self, state: RoomState, code: str) -> None:
        """Weigh the choice that is due, if there is one, before it is made: nobody waits for it then."""
        live = state.match
        if live is None or state.stage != "playing" or len(live.table.match.legal(live.state.match)) < 2:
            return
        with suppress(Refused):
            await self._answers.ask(self._asker, teach, rules_of(state), live.state.match, code)

    async def hint(self, now: Callable[[], RoomState], person: str, tongue: Language, code: str) -> str:
        """The best choice now, for the mover; nothing of a choice that is made before it is worked out. Raises Refused.

        now: the table's state, which may change meanwhile.
        """
        state = now()
        if not state.setup.lessons:
            raise Refused("no-lessons")
        live, mover = state.match, state.mover
        if live is None or mover is None:
            raise Refused("not-started" if live is None else "match-over")
        if mover not in state.seats_of(person):
            raise Refused("not-your-turn", name=state.names[mover])
        match = live.state.match
        if not live.table.match.legal(match):
            return tongue.say("You can't choose yet. Roll first.")
        found = await self._answers.ask(self._asker, teach, rules_of(state), match, code)
        after = now().match
        if after is None or after.state.match != match:
            return tongue.say("That choice is made already. Ask for a hint at the next one.")
        if found is None:
            return tongue.say("One moment…")
        return found.why if isinstance(found, NoAnswer) else found.hint


def _choice(steps: tuple[Step, ...]) -> tuple[MatchState[Any], Any, int] | None:
    """The first choice among what a command would lead to: where, which action, and after how many rolls.

    Forced actions are none.
    """
    for step in steps:
        live, event = step.before.match, step.line.event
        if live is None or not isinstance(event, Moved) or not isinstance(event.event, Played):
            continue
        match = live.state.match
        if len(live.table.match.legal(match)) > 1:
            return match, event.event.action, step.before.rolls
    return None


# The chances of a table that shows them: worked out after each move, and sent to its pages after the move's news.
#
# A page never has them before the dice they follow from: what is asked for is stored and told already. Nothing is
# worked out at other tables, and where nobody looks.


MOST_MOVES = 300
"""Moves of the line, the latest."""
MOST_LINES = 400
"""Lines of the log replayed for the first page that looks, moves and marks: 10 ms."""
AT_ONCE = 40
"""Moves worked out before another question has its turn: 0.05 to 0.5 s."""
CAUGHT_UP_S = 0.5
"""The time that a page waits for the chances of the last move: one move takes 1 to 50 ms once the match is solved."""
MOST_WAITS = 300
"""Answers waited for, 2 s each: no match that is solved at all takes longer."""


class ChanceLine:
    """One table's chances, by language. send: gives a message to all pages in a language.

    asker: ``TableActor.asker``.
    """

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
        """Steps that were stored."""
        if self._begun:
            self._add(steps)

    def ask(self, code: str) -> None:
        """Work out what is missing in a language, and send it."""
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
        """Wait a little for chances of the last move: a page without scripts shows what it gets for good."""
        if self.is_shown:
            self.ask(code)
            if (done := self._busy.get(code)) is not None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(done.wait(), CAUGHT_UP_S)

    def close(self) -> None:
        """Work out nothing more, and let go of who was told: a cycle would keep the table in memory."""
        self._closed, self._send = True, _tell_nobody

    def panel(self, code: str) -> ChancePanel | None:
        """The panel of a page now; None at a table without chances. Asks for what is missing."""
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
        """The message that shows the chances; None while they are worked out, as it is sent then anyway.

        begin: the first move that it is news of; if a turn ended since, it is said, too.
        """
        shown = self.panel(code)
        if shown is None or shown.behind or not (shown.seats or shown.why):
            return None
        tongue, said = self._services.language(code), ""
        if begin is not None and shown.seats and shown.mover and self._has_new_turn(begin):
            # it comes later than the move's own lines, so it says what it belongs to
            said = tongue.say("Chances with {name} to move: {chances}.", name=shown.mover, chances=shown.line)
        news = ChanceNews(self._state.seq, chances_page(tongue, shown), said, self._line(tongue, shown))
        return frame(msgspec.json.encode(news), None, "chances")

    def _line(self, tongue: Language, shown: ChancePanel) -> Told:
        """All chances in a line, as they are told to somebody who asks."""

        def told(you: int | None) -> str:
            texts = "{name} {score}", "You {score}"
            seats = enumerate(shown.seats)
            return ", ".join(
                [tongue.about(*texts, "" if at == you else seat.name, score=seat.said) for at, seat in seats]
            )

        chairs = self._state.chairs if shown.seats else ()
        return Told(told(None), {at: told(at) for at, chair in enumerate(chairs) if chair.people})

    def _has_new_turn(self, begin: int) -> bool:
        """True if a turn ended with one of the moves from this number on, or the match began with it.

        Several moves may be worked out together, where bots are quick and the first of a round takes long.
        """
        live, at = self._state.match, begin - self._first
        if live is None or at <= 0:
            return True
        mover = live.table.match.mover
        return any(mover(one) != mover(other) for one, other in pairwise(self._moves[at - 1 :]))

    def _is_up_to_date(self, code: str) -> bool:
        """True if the last move is worked out in a language."""
        return self._end(code) == self._first + len(self._moves)

    def _end(self, code: str) -> int:
        """The number of the first move that is not worked out in a language."""
        return self._found[code][0] if code in self._found else self._first

    def _add(self, steps: Sequence[Step]) -> None:
        """Add the states after moves, and the match's start."""
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
        """Forget the moves from this number on: they never happened."""
        del self._moves[max(0, moved + 1 - self._first) :]
        for code in [code for code, (end, _) in self._found.items() if end > moved + 1]:
            del self._found[code]

    def _has(self, begin: int, states: tuple[MatchState[Any], ...]) -> bool:
        """True if these are still the states after the moves from this number on."""
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
                        continue  # meanwhile moves were taken back, or the line has left these behind
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


def _tell_nobody(code: str, message: bytes) -> None:
    """Send nothing: the table is forgotten."""


def _joined(known: SeatChances | None, found: SeatChances) -> SeatChances:
    """The chances after all moves known, the latest ``MOST_MOVES``."""
    if known is None:
        return found
    return replace(
        found, units=(*known.units, *found.units)[-MOST_MOVES:], said=(*known.said, *found.said)[-MOST_MOVES:]
    )
