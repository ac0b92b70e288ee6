"""Lessons at a table that is set up for them: hints on request, and a warning before a choice that loses much.

A dry run decides a command before the table carries it out, and its choice is weighed (``Answers.lesson``). So a
button, a key and a typed line are treated alike. If the player makes the same choice again after a warning, the table
carries it out. A choice that cannot be weighed in time goes ahead without a warning.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from pubdice.advice.lesson import Lesson
from pubdice.core.dice import Roll
from pubdice.core.errors import Refused
from pubdice.match.match import MatchState
from pubdice.match.record import Played
from pubdice.room import RoomState, Step
from pubdice.room.events import Moved
from pubdice.room.setup import with_seats
from pubdice.server.answers import Answers
from pubdice.server.jobs import HeaderRules, NoAnswer, teach
from pubdice.server.table.commit import Key
from pubdice.text.language import Language


def rules_of(state: RoomState) -> HeaderRules:
    """Return a table's rules as in a record's header, with a placeholder for each seat."""
    return tuple(with_seats(state.setup.rules, len(state.chairs)).items())


class OnlyOnes:
    """The cup of a dry run. Its dice are all ones: a choice does not depend on the dice that fall after it."""

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        """Return a one for each die."""
        return (1,) * number

    def draw(self, number: int, index: int) -> int:
        """Return 0, the first of ``number``."""
        return 0


class Lessons:
    """One table's lessons. It remembers the choices of the current decision that it has warned of.

    It does so in memory only. After a restart, or in another process, the player is warned again, which does no harm.
    """

    def __init__(self, answers: Answers, asker: str) -> None:
        self._answers, self._asker = answers, asker
        self._at: object = None
        self._warned: dict[Any, Key] = {}

    async def check(self, state: RoomState, steps: tuple[Step, ...], key: Key, tongue: Language, code: str) -> None:
        """Raise Refused("costly") before a choice that loses too much, once for each choice.

        ``steps`` are the steps of a dry run. Another ``key`` is a second press, and goes through. The same ``key`` is a
        repeated command, and is refused again.
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
        """Weigh the current decision ahead of time, so the player's command does not wait for it."""
        live = state.match
        if live is None or state.stage != "playing" or len(live.table.match.legal(live.state.match)) < 2:
            return
        with suppress(Refused):
            await self._answers.ask(self._asker, teach, rules_of(state), live.state.match, code)

    async def hint(self, now: Callable[[], RoomState], person: str, tongue: Language, code: str) -> str:
        """Return the mover's best choice in words, or a note that the choice was made meanwhile. Raises Refused."""
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
    """Return the first free choice among a dry run's steps: the match before it, the action, and the number of rolls so
    far. An action without an alternative does not count.
    """
    for step in steps:
        live, event = step.before.match, step.line.event
        if live is None or not isinstance(event, Moved) or not isinstance(event.event, Played):
            continue
        match = live.state.match
        if len(live.table.match.legal(match)) > 1:
            return match, event.event.action, step.before.rolls
    return None
