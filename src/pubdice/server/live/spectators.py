"""All spectators of one table: their streams, what they are sent, and which players they see as away.

A broadcast holds all that happened since the last one, and is made and encoded once per language. Decides nothing.
"""

from collections.abc import Callable, Mapping, Sequence

from pubdice.core.seal import read_seal
from pubdice.room import Room, RoomState, Step
from pubdice.room.events import Committed, Seeded
from pubdice.server.live.chance_line import ChanceLine
from pubdice.server.live.loading import Loaded
from pubdice.server.live.presence import Presence
from pubdice.server.live.table_services import TableServices
from pubdice.server.show.messages import Messages
from pubdice.server.show.seats import ViewContext
from pubdice.server.sse import Stream, frame
from pubdice.server.wire import Say, State, View

LINES_A_SENTENCE = 4
"""Log lines read for each sentence wanted of what was said so far: marks, for one, have no sentence."""
SEEDS_S = 0.5
"""News of seeds alone wait so long for more of them: all phones of a table send theirs at once, and each message has
the whole view, and has each page fetched again, 14 KB of both. A page waits 3 s for the event of its own command.
"""
LATE_S = 0.002
"""A presence timer goes off so much late: a moment early, nobody's time would be over yet."""
MOST_MISSED = 500
MOST_TOLD = 65_536
"""Events, and bytes of their message, that a page which reconnects is sent; one that missed more reloads."""


class Spectators:
    """The audience of one table. loaded: holds the table's state, which the hub changes."""

    def __init__(
        self, room: Room, loaded: Loaded, presence: Presence, services: TableServices, *, asker: str = ""
    ) -> None:
        self.room, self.loaded, self.presence, self._services = room, loaded, presence, services
        self.messages = Messages(room, services.language)
        self.messages.remember(loaded.spoken)
        self.chances = ChanceLine(room, loaded, services, self._send_to, asker)
        self._untold: list[tuple[Step, str]] = []
        self._shown: Mapping[int, bool] = {}
        self._timer: object = None
        self._later: object = None  # the timer of news of seeds
        self._closed = False

    @property
    def state(self) -> RoomState:
        """The table as it stands."""
        return self.loaded.state

    @property
    def streams(self) -> set[Stream]:
        """The open streams of all pages."""
        return self.presence.streams

    # what is sent

    def take(self, steps: Sequence[Step], lines: Sequence[str]) -> None:
        """Steps that were stored and applied: they go out with the next broadcast."""
        self.messages.remember(steps)
        if self.loaded.state.setup.chances:
            self.chances.note(steps)
        if self.presence.streams:  # a stream that opens later begins with the whole view
            self._untold += zip(steps, lines, strict=True)
            if [step for step in steps if not isinstance(step.line.event, Committed | Seeded)]:
                self._services.broadcaster.schedule(self)
            elif self._later is None:
                self._later = self._services.clock.after(SEEDS_S, self.broadcast)

    def reseated(self, *, began: bool) -> None:
        """Show that people or the stage have changed.

        began: the match has just begun, so what the others can do about a lost seat is another thing, and said again.
        """
        self.broadcast()
        gone = self.presence.gone(self.state, self._services.clock.now())
        self._shown = {seat: lost and not began for seat, lost in self._shown.items() if seat in gone}
        self.update_presence()

    def broadcast(self) -> None:
        """Send what has happened since the last broadcast, in one message."""
        untold, self._untold = self._untold, []
        if self._later is not None:
            self._later.cancel()  # type: ignore[attr-defined]
            self._later = None
        if untold and self.presence.streams:
            steps, lines, context = [step for step, _ in untold], [line for _, line in untold], self.context()
            self._send(lambda code: self.messages.told(code, steps, lines, context))
            if self.loaded.state.setup.chances:
                for code in {stream.language for stream in self.streams}:
                    self.chances.ask(code)

    def call(self, seat: int, phrase: int) -> None:
        """Send a reaction, which is stored nowhere."""
        self.broadcast()
        state, context = self.state, self.context()
        self._send(lambda code: self.messages.called(code, state, context, seat, phrase))

    def _send(self, encode: Callable[[str], bytes]) -> None:
        """Send everybody a message in their language. Where that fails the streams end, and their pages reconnect."""
        everybody = self.presence.streams
        for code in {stream.language for stream in everybody}:
            streams = [stream for stream in everybody if stream.language == code]
            try:
                data = encode(code)
            except Exception as error:  # noqa: BLE001 - the event is stored, even where no words are found for it
                self._services.background.failed(error)
                for stream in streams:
                    stream.end()
                continue
            for stream in streams:
                stream.put(data)

    def _send_to(self, code: str, message: bytes) -> None:
        """Send a message to all who read one language, behind all news of what it is about."""
        self.broadcast()
        for stream in self.streams:
            if stream.language == code:
                stream.put(message)

    # what is shown

    def context(self) -> ViewContext:
        """What a view needs besides the state."""
        now, state = self._services.clock.now(), self.loaded.state
        void = state.setup.dice == "sealed" and self._is_void(state)
        return ViewContext(now, self.presence.missing(state, now), self._services.link, void)

    def _is_void(self, state: RoomState) -> bool:
        """Whether a match is under way whose sealed dice cannot be rolled."""
        if state.stage != "playing":
            return False
        return not self._services.seals.can_roll(read_seal(state.setup.seal))

    def view(self, code: str) -> View:
        """The table as it stands, in a language."""
        return self.messages.view(code, self.state, self.context())

    def whole(self, code: str, person: str | None) -> State:
        """The whole state in one message, for a person."""
        return self.messages.whole(code, self.state, self.context(), person)

    def story(self, code: str, most: int, seat: int | None = None) -> list[str]:
        """What was said so far, the latest ``most`` lines, as a seat is told it."""
        latest = self.loaded.tail.steps(self.room, max(0, self.state.seq - LINES_A_SENTENCE * most))
        return self.messages.story(code, latest, most, seat)

    def since(self, seq: int, code: str) -> bytes:
        """What a page that reconnects after ``seq`` events is sent first: what it missed, and the view."""
        if seq == self.state.seq:
            return self.messages.shown(code, self.state, self.context())
        tail = self.loaded.tail
        if tail.first <= seq and 0 < self.state.seq - seq <= MOST_MISSED:
            missed = self.messages.told(code, tail.steps(self.room, seq), tail.since(seq), self.context())
            if len(missed) <= MOST_TOLD:
                return missed
        return frame(b"{}", None, "reload")

    # who is here

    def join(self, stream: Stream) -> None:
        """A page opened a stream and watches."""
        self.broadcast()  # to those who were here before: this one begins with all that has happened
        if not self.streams:
            self._shown = self.presence.absent(self.state, self._services.clock.now())
        self.presence.join(stream)
        if self._closed:  # the house has put another hub in this one's place while the request waited
            stream.end()
        self.update_presence()
        if self.state.setup.chances and (news := self.chances.message(stream.language)) is not None:
            stream.put(news)

    def leave(self, stream: Stream) -> None:
        """A page closed its stream."""
        self.presence.leave(stream, self._services.clock.now())
        self.update_presence()

    def is_shown_away(self, seat: int) -> bool:
        """Whether pages show this seat as away."""
        return seat in self._shown

    def update_presence(self) -> None:
        """Show who has gone, who is back and who may be voted away; and set a timer to the next such change."""
        if self._timer is not None:
            self._timer.cancel()  # type: ignore[attr-defined]
            self._timer = None
        if not self.streams or self._closed:
            return
        now = self._services.clock.now()
        absent = self.presence.absent(self.state, now)
        if absent != self._shown:
            self.broadcast()
            shown, self._shown, context = self._shown, absent, self.context()
            self._send(lambda code: self.messages.shown(code, self.state, context, self._news(code, shown)))
        change = self.presence.next_change(self.state, now)
        if change is not None:
            self._timer = self._services.clock.after((change - now) / 1000 + LATE_S, self.update_presence)

    def _news(self, code: str, shown: Mapping[int, bool]) -> list[Say]:
        """The lines for who has gone, who is back and whose grace time is over, since pages showed these as away."""
        say, names, gone, before = self.messages.language(code).say, self.state.names, self._shown.keys(), shown.keys()
        away = [Say(say("{name} has lost the connection.", name=names[seat])) for seat in sorted(gone - before)]
        back = [Say(say("{name} is back.", name=names[seat])) for seat in sorted(before - gone) if seat < len(names)]
        lost = [seat for seat, is_lost in sorted(self._shown.items()) if is_lost and not shown.get(seat)]
        return [*away, *back, *[way for seat in lost for way in self._ways_on(code, seat)]]

    def _ways_on(self, code: str, lost: int) -> list[Say]:
        """What the others can do now that a seat's grace time is over."""
        say, name, chair = self.messages.language(code).say, self.state.names[lost], self.state.chairs[lost]
        if self.state.host_is_lost({lost}):
            return [Say(say("{name} is still away. Anyone here can start.", name=name))]
        if self.state.stage == "playing" and chair.kind == "person":
            return [Say(say("{name} is still away. You can now vote for a bot.", name=name))]
        return []

    def end_streams(self, last: bytes = b"") -> None:
        """End all streams, after a last message: their pages connect again."""
        for stream in list(self.streams):
            stream.end(last)

    def close(self) -> None:
        """Send what is waiting and end the streams: their pages reconnect for what they missed."""
        self.broadcast()
        self._closed = True
        self.chances.close()
        self.end_streams()
        self.update_presence()
