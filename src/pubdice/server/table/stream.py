"""The spectators of one table: their streams, their messages, and the players they see as away.

A broadcast has all news since the last one. It is made and encoded once per language. Decides nothing.
"""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from pubdice.core.seal import read_seal
from pubdice.room import Room, RoomState, Step
from pubdice.room.events import Committed, Seeded, public
from pubdice.server.replay import Loaded, said_last
from pubdice.server.table import announce
from pubdice.server.table.announce import Announcer
from pubdice.server.table.presence import Presence, Stream, frame
from pubdice.server.table.services import TableServices
from pubdice.server.table.shown_chances import ChanceLine
from pubdice.server.table.views import ViewContext, Viewer
from pubdice.server.wire import Say, State, Told, Update, View
from pubdice.text.language import Language

CLOSING = frame(b"{}", None, "closing")
"""The last message of a stream when the house stops. The page then reconnects to another process."""


class Messages:
    """The messages of one table, in each language that its spectators read."""

    def __init__(self, room: Room, language: Callable[[str], Language]) -> None:
        self._room, self.language = room, language
        self._speakers: dict[str, tuple[Announcer, Viewer]] = {}
        self._spoken: tuple[Step, ...] = ()
        self._nights: dict[str, tuple[int, announce.Night]] = {}

    def announcer(self, code: str) -> Announcer:
        """Return the table's announcer in a language."""
        return self._speaker(code)[0]

    def _speaker(self, code: str) -> tuple[Announcer, Viewer]:
        speaker = self._speakers.get(code)
        if speaker is None:
            language, kit = self.language(code), self._room.kit
            announcer = Announcer(language, kit)
            speaker = self._speakers[code] = (announcer, Viewer(language, kit, announcer))
        return speaker

    def remember(self, steps: Sequence[Step]) -> None:
        """Keep the steps of the last command (``said_last``)."""
        for step in steps:
            self._spoken = said_last(self._spoken, step)

    def view(self, code: str, state: RoomState, context: ViewContext) -> View:
        """Return the view of the table as it stands, in a language."""
        return self._view(code, state, context, *self._speaker(code))

    def _view(self, code: str, state: RoomState, context: ViewContext, announcer: Announcer, viewer: Viewer) -> View:
        language = announcer.language
        last = [
            Told(say.text, announce.by_seats_of(say.own, step.after, state))
            for step in self._spoken
            for say in announcer.sentences(step)
            if not say.level
        ]
        known = self._nights.get(code)
        if known is None or known[0] != state.layout_version:
            known = self._nights[code] = state.layout_version, announce.night(language, self._room, state)
        return announce.show(
            viewer.view(state, context, last), language, self._room.kit, state, known[1], void=context.void
        )

    def whole(self, code: str, state: RoomState, context: ViewContext, person: str | None) -> State:
        """Return the table's whole state in one message, with the seats of a person."""
        view, seats = self.view(code, state, context), list(state.seats_of(person))
        game = self.language(code).say(self._room.kit.words.title)
        return State(state.seq, [], [], view, seat=state.seat_of(person), seats=seats, game=game)

    def encode_steps(self, code: str, steps: Sequence[Step], lines: Sequence[str], context: ViewContext) -> bytes:
        """Return the message for these steps. ``lines`` are their lines in the log."""
        state, speaker = steps[-1].after, self._speaker(code)
        said = speaker[0].tell(steps, context.gone)
        update = Update(state.seq, list(map(public, lines)), said, self._view(code, state, context, *speaker))
        return frame(msgspec.json.encode(update), state.seq)

    def encode_view(self, code: str, state: RoomState, context: ViewContext, say: Sequence[Say] = ()) -> bytes:
        """Return the message that shows a table without new events."""
        update = Update(state.seq, [], list(say), self.view(code, state, context))
        return frame(msgspec.json.encode(update), None, "view")

    def called(self, code: str, state: RoomState, context: ViewContext, seat: int, phrase: int) -> bytes:
        """Return the message for a call across the table, which is not stored."""
        say, react = announce.called(self.language(code), state, seat, phrase)
        update = Update(state.seq, [], [say], self.view(code, state, context), react)
        return frame(msgspec.json.encode(update), None, "view")

    def story(self, code: str, steps: Sequence[Step], most: int, seat: int | None = None) -> list[str]:
        """Return the latest ``most`` lines said for these steps, as the player in ``seat`` hears them.

        If ``seat`` is None, as spectators hear them.
        """
        announcer = self.announcer(code)
        said = [(step, say) for step in steps for say in announcer.sentences(step) if not say.level][-most:]
        if seat is None:
            return [say.text for _, say in said]
        now = steps[-1].after if steps else None
        return [
            say.text if now is None else announce.by_seats_of(say.own, step.after, now).get(seat, say.text)
            for step, say in said
        ]


LINES_A_SENTENCE = 4
"""The number of log lines read for each sentence wanted. Some lines, such as marks, have no sentence."""
SEEDS_S = 0.5
"""News of seeds alone wait this long for more seeds. All phones of a table send theirs at once. Each message has the
whole view, and makes each page fetch it again: 14 KB in all. A page waits 3 s for the event of its own command.
"""
LATE_S = 0.002
"""The delay of a presence timer beyond the due time. A timer that is early would find no change."""
MOST_MISSED = 500
MOST_TOLD = 65_536
"""The most events that a reconnecting page gets, and the most bytes of their message. A page that missed more reloads.
"""


class Spectators:
    """The audience of one table. ``loaded`` holds the table's state, which the actor changes."""

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
        self._later: object = None  # the timer for news of seeds
        self._closed = False

    @property
    def state(self) -> RoomState:
        """The table's state after the last stored event."""
        return self.loaded.state

    @property
    def streams(self) -> set[Stream]:
        """The open streams of all pages."""
        return self.presence.streams

    def take(self, steps: Sequence[Step], lines: Sequence[str]) -> None:
        """Take in steps that were stored and applied. They go out with the next broadcast."""
        self.messages.remember(steps)
        if self.loaded.state.setup.chances:
            self.chances.note(steps)
        if self.presence.streams:  # a stream that opens later begins with the whole view
            self._untold += zip(steps, lines, strict=True)
            if [step for step in steps if not isinstance(step.line.event, Committed | Seeded)]:
                self._services.broadcaster.schedule(self.broadcast)
            elif self._later is None:
                self._later = self._services.clock.after(SEEDS_S, self.broadcast)

    def reseated(self, *, began: bool) -> None:
        """Show that people or the stage have changed. If the match just ``began``, the players hear again of lost
        seats.
        """
        self.broadcast()
        gone = self.presence.gone(self.state, self._services.clock.now())
        self._shown = {seat: lost and not began for seat, lost in self._shown.items() if seat in gone}
        self.update_presence()

    def broadcast(self) -> None:
        """Send all news since the last broadcast, in one message."""
        untold, self._untold = self._untold, []
        if self._later is not None:
            self._later.cancel()  # type: ignore[attr-defined]
            self._later = None
        if untold and self.presence.streams:
            steps, lines, context = [step for step, _ in untold], [line for _, line in untold], self.context()
            self._send(lambda code: self.messages.encode_steps(code, steps, lines, context))
            if self.loaded.state.setup.chances:
                for code in {stream.language for stream in self.streams}:
                    self.chances.ask(code)

    def call(self, seat: int, phrase: int) -> None:
        """Send a reaction, which is not stored."""
        self.broadcast()
        state, context = self.state, self.context()
        self._send(lambda code: self.messages.called(code, state, context, seat, phrase))

    def _send(self, encode: Callable[[str], bytes]) -> None:
        """Send each stream a message in its language. If that fails, the streams end, and their pages reconnect."""
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
        """Send a message to all pages in one language, after the news that it is about."""
        self.broadcast()
        for stream in self.streams:
            if stream.language == code:
                stream.put(message)

    def context(self) -> ViewContext:
        """Return the facts that a view needs besides the state."""
        now, state = self._services.clock.now(), self.loaded.state
        sealed = state.setup.dice == "sealed" and state.stage == "playing"
        void = sealed and not self._services.seals.can_roll(read_seal(state.setup.seal))
        return ViewContext(now, self.presence.missing(state, now), self._services.link, void)

    def view(self, code: str) -> View:
        """Return the view of the table as it stands, in a language."""
        return self.messages.view(code, self.state, self.context())

    def whole(self, code: str, person: str | None) -> State:
        """Return the whole state in one message, for a person."""
        return self.messages.whole(code, self.state, self.context(), person)

    def story(self, code: str, most: int, seat: int | None = None) -> list[str]:
        """Return the latest ``most`` lines said so far, as a seat hears them."""
        latest = self.loaded.tail.steps(self.room, max(0, self.state.seq - LINES_A_SENTENCE * most))
        return self.messages.story(code, latest, most, seat)

    def since(self, seq: int, code: str) -> bytes:
        """Return the first message to a page that reconnects after event ``seq``: its missed events, and the view."""
        if seq == self.state.seq:
            return self.messages.encode_view(code, self.state, self.context())
        tail = self.loaded.tail
        if tail.first <= seq and 0 < self.state.seq - seq <= MOST_MISSED:
            missed = self.messages.encode_steps(code, tail.steps(self.room, seq), tail.since(seq), self.context())
            if len(missed) <= MOST_TOLD:
                return missed
        return frame(b"{}", None, "reload")

    def join(self, stream: Stream) -> None:
        """Note that a page has opened a stream and watches."""
        self.broadcast()  # For the streams that were open before. The new stream begins with all that has happened.
        if not self.streams:
            self._shown = self.presence.absent(self.state, self._services.clock.now())
        self.presence.join(stream)
        if self._closed:  # the house replaced this actor while the request waited
            stream.end()
        self.update_presence()
        if self.state.setup.chances and (news := self.chances.message(stream.language)) is not None:
            stream.put(news)

    def leave(self, stream: Stream) -> None:
        """Note that a page has closed its stream."""
        self.presence.leave(stream, self._services.clock.now())
        self.update_presence()

    def is_shown_away(self, seat: int) -> bool:
        """Return True if pages show this seat as away."""
        return seat in self._shown

    def update_presence(self) -> None:
        """Show each seat that has gone, is back or may now be voted away. Sets a timer for the next such change."""
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
            self._send(lambda code: self.messages.encode_view(code, self.state, context, self._news(code, shown)))
        change = self.presence.next_change(self.state, now)
        if change is not None:
            self._timer = self._services.clock.after((change - now) / 1000 + LATE_S, self.update_presence)

    def _news(self, code: str, shown: Mapping[int, bool]) -> list[Say]:
        """Return the lines for seats that have gone, are back or are past their grace time, compared with ``shown``."""
        say, names, inside = self.messages.language(code).say, self.state.names, {*self.state.inside}
        # A player at the next table has not lost the connection.
        gone, before = self._shown.keys() - inside, shown.keys() - inside
        away = [Say(say("{name} has lost the connection.", name=names[seat])) for seat in sorted(gone - before)]
        back = [
            Say(say("{name} is back.", name=names[seat]), own={seat: say("You are back.")})
            for seat in sorted(before - gone)
            if seat < len(names)
        ]
        lost = [seat for seat in sorted(gone) if self._shown[seat] and not shown.get(seat)]
        return [*away, *back, *[way for seat in lost for way in self._ways_on(code, seat)]]

    def _ways_on(self, code: str, lost: int) -> list[Say]:
        """Return lines about the other players' options, as a seat's grace time is over. Spectators hear them too."""
        say, name, chair = self.messages.language(code).say, self.state.names[lost], self.state.chairs[lost]
        if self.state.host_is_lost({lost}):
            told = say("{name} is still away. Anyone at the table can start.", name=name)
            own = say("{name} is still away. Anyone here can start.", name=name)
        elif self.state.stage == "playing" and chair.kind == "person":
            told = say("{name} is still away. The players can now vote for a bot.", name=name)
            own = say("{name} is still away. You can now vote for a bot.", name=name)
        else:
            return []
        seated = [seat for seat, other in enumerate(self.state.chairs) if other.people and seat != lost]
        return [Say(told, own=dict.fromkeys(seated, own))]

    def end_streams(self, last: bytes = b"") -> None:
        """End all streams after a last message. Their pages reconnect."""
        for stream in list(self.streams):
            stream.end(last)

    def close(self) -> None:
        """Send the waiting news and end the streams. Their pages reconnect, and get the events they missed."""
        self.broadcast()
        self._closed = True
        self.chances.close()
        self.end_streams()
        self.update_presence()
