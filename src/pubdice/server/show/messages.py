"""A table shown and told, in whichever language somebody reads: views, messages, the story so far. Decides nothing."""

from collections.abc import Callable, Sequence

import msgspec

from pubdice.match.record import Played
from pubdice.match.table import Marked
from pubdice.room import Room, RoomState, Step
from pubdice.room.events import Moved, public
from pubdice.server.show import company
from pubdice.server.show.announce import Announcer
from pubdice.server.show.seats import ViewContext
from pubdice.server.show.views import Viewer
from pubdice.server.sse import frame
from pubdice.server.wire import Say, State, Told, Update, View
from pubdice.text.language import Language

SPOKEN = 63
"""Of steps that happened at one time, so many are remembered beside the latest."""


def said_last(spoken: tuple[Step, ...], step: Step) -> tuple[Step, ...]:
    """The steps of the latest command, once this one has happened. spoken: before it. Marks say nothing.

    A log has no boundaries of commands, and must show what a table in memory shows. So a command's steps are known by
    their time, which they share. But all moves of a match may share one, where the clock stands still or bots play at
    once. Of them a command is a choice, the roll straight after it, and the moves forced by that.
    """
    event = step.line.event
    if isinstance(event, Moved) and isinstance(event.event, Marked):
        return spoken
    if not spoken or spoken[-1].line.at != step.line.at:
        return (step,)
    begins = False
    if isinstance(event, Moved) and isinstance(spoken[-1].line.event, Moved):
        begins = _is_choice(step) if isinstance(event.event, Played) else not _is_choice(spoken[-1])
    return (step,) if begins else (*spoken[-SPOKEN:], step)


def _is_choice(step: Step) -> bool:
    """Whether somebody played, and could have played otherwise."""
    event, live = step.line.event, step.before.match
    return (
        live is not None and isinstance(event, Moved) and isinstance(event.event, Played) and len(live.state.legal) > 1
    )


class Messages:
    """What one table shows; ``languages`` gives a language by its code."""

    def __init__(self, room: Room, languages: Callable[[str], Language]) -> None:
        self._room, self._languages = room, languages
        self._speakers: dict[str, tuple[Announcer, Viewer]] = {}
        self._spoken: tuple[Step, ...] = ()
        self._nights: dict[str, tuple[int, company.Night]] = {}  # by language, as of which shape

    def language(self, code: str) -> Language:
        """The language of a code."""
        return self._languages(code)

    def announcer(self, code: str) -> Announcer:
        """Who tells of the table."""
        return self._speaker(code)[0]

    def _speaker(self, code: str) -> tuple[Announcer, Viewer]:
        speaker = self._speakers.get(code)
        if speaker is None:
            language, kit = self._languages(code), self._room.kit
            announcer = Announcer(language, kit)
            speaker = self._speakers[code] = (announcer, Viewer(language, kit, announcer))
        return speaker

    def remember(self, steps: Sequence[Step]) -> None:
        """Keep what was said last (``said_last``)."""
        for step in steps:
            self._spoken = said_last(self._spoken, step)

    def view(self, code: str, state: RoomState, context: ViewContext) -> View:
        """The table as it stands, in a language."""
        return self._view(code, state, context, *self._speaker(code))

    def _view(self, code: str, state: RoomState, context: ViewContext, announcer: Announcer, viewer: Viewer) -> View:
        language = announcer.language
        last = [Told(say.text, say.own) for step in self._spoken for say in announcer.told(step) if not say.level]
        known = self._nights.get(code)
        if known is None or known[0] != state.layout_version:
            known = self._nights[code] = state.layout_version, company.night(language, self._room, state)
        return company.show(
            viewer.view(state, context, last), language, self._room.kit, state, known[1], void=context.void
        )

    def whole(self, code: str, state: RoomState, context: ViewContext, person: str | None) -> State:
        """The whole state in one message, for a person."""
        view, seats = self.view(code, state, context), list(state.seats_of(person))
        return State(state.seq, [], [], view, seat=state.seat_of(person), seats=seats)

    def told(self, code: str, steps: Sequence[Step], lines: Sequence[str], context: ViewContext) -> bytes:
        """The message that tells of steps, whose lines in the log are these."""
        state, speaker = steps[-1].after, self._speaker(code)
        said = speaker[0].tell(steps, context.gone)
        update = Update(state.seq, list(map(public, lines)), said, self._view(code, state, context, *speaker))
        return frame(msgspec.json.encode(update), state.seq)

    def shown(self, code: str, state: RoomState, context: ViewContext, say: Sequence[Say] = ()) -> bytes:
        """The message that shows a table in which nothing has happened."""
        update = Update(state.seq, [], list(say), self.view(code, state, context))
        return frame(msgspec.json.encode(update), None, "view")

    def called(self, code: str, state: RoomState, context: ViewContext, seat: int, phrase: int) -> bytes:
        """The message of a call across the table, which is kept nowhere."""
        say, react = company.called(self.language(code), state, seat, phrase)
        update = Update(state.seq, [], [say], self.view(code, state, context), react)
        return frame(msgspec.json.encode(update), None, "view")

    def story(self, code: str, steps: Sequence[Step], most: int, seat: int | None = None) -> list[str]:
        """What was said of these steps, the latest ``most`` lines, as a seat is told it."""
        announcer = self.announcer(code)
        said = [say for step in steps for say in announcer.told(step) if not say.level][-most:]
        return [say.text if seat is None else say.own.get(seat, say.text) for say in said]
