"""All spectators of one table: their streams, what they are sent, and which players they see as away.

A broadcast holds all that happened since the last one, and is made and encoded once per language. Decides nothing.
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
"""The last message of a stream whose house stops: its page connects again, to another."""


class Messages:
    """The messages of one table, shown and told in whichever language somebody reads.

    language: the language of a code.
    """

    def __init__(self, room: Room, language: Callable[[str], Language]) -> None:
        self._room, self.language = room, language
        self._speakers: dict[str, tuple[Announcer, Viewer]] = {}
        self._spoken: tuple[Step, ...] = ()
        self._nights: dict[str, tuple[int, announce.Night]] = {}  # by language, as of which shape

    def announcer(self, code: str) -> Announcer:
        """The announcer of the table."""
        return self._speaker(code)[0]

    def _speaker(self, code: str) -> tuple[Announcer, Viewer]:
        speaker = self._speakers.get(code)
        if speaker is None:
            language, kit = self.language(code), self._room.kit
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
        """The whole state in one message, for a person."""
        view, seats = self.view(code, state, context), list(state.seats_of(person))
        game = self.language(code).say(self._room.kit.words.title)
        return State(state.seq, [], [], view, seat=state.seat_of(person), seats=seats, game=game)

    def encode_steps(self, code: str, steps: Sequence[Step], lines: Sequence[str], context: ViewContext) -> bytes:
        """The message that tells of steps, whose lines in the log are these."""
        state, speaker = steps[-1].after, self._speaker(code)
        said = speaker[0].tell(steps, context.gone)
        update = Update(state.seq, list(map(public, lines)), said, self._view(code, state, context, *speaker))
        return frame(msgspec.json.encode(update), state.seq)

    def encode_view(self, code: str, state: RoomState, context: ViewContext, say: Sequence[Say] = ()) -> bytes:
        """The message that shows a table in which nothing has happened."""
        update = Update(state.seq, [], list(say), self.view(code, state, context))
        return frame(msgspec.json.encode(update), None, "view")

    def called(self, code: str, state: RoomState, context: ViewContext, seat: int, phrase: int) -> bytes:
        """The message of a call across the table, which is kept nowhere."""
        say, react = announce.called(self.language(code), state, seat, phrase)
        update = Update(state.seq, [], [say], self.view(code, state, context), react)
        return frame(msgspec.json.encode(update), None, "view")

    def story(self, code: str, steps: Sequence[Step], most: int, seat: int | None = None) -> list[str]:
        """The lines said of these steps, the latest ``most``, as a seat hears them after the last."""
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
    """The audience of one table. loaded: holds the table's state, which the actor changes."""

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
                self._services.broadcaster.schedule(self.broadcast)
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
            self._send(lambda code: self.messages.encode_steps(code, steps, lines, context))
            if self.loaded.state.setup.chances:
                for code in {stream.language for stream in self.streams}:
                    self.chances.ask(code)

    def call(self, seat: int, phrase: int) -> None:
        """Send a reaction, which is stored nowhere."""
        self.broadcast()
        state, context = self.state, self.context()
        self._send(lambda code: self.messages.called(code, state, context, seat, phrase))

    def _send(self, encode: Callable[[str], bytes]) -> None:
        """Send everybody a message in their language. If that fails the streams end, and their pages reconnect."""
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
        """The facts that a view needs besides the state."""
        now, state = self._services.clock.now(), self.loaded.state
        sealed = state.setup.dice == "sealed" and state.stage == "playing"
        void = sealed and not self._services.seals.can_roll(read_seal(state.setup.seal))
        return ViewContext(now, self.presence.missing(state, now), self._services.link, void)

    def view(self, code: str) -> View:
        """The table as it stands, in a language."""
        return self.messages.view(code, self.state, self.context())

    def whole(self, code: str, person: str | None) -> State:
        """The whole state in one message, for a person."""
        return self.messages.whole(code, self.state, self.context(), person)

    def story(self, code: str, most: int, seat: int | None = None) -> list[str]:
        """The lines said so far, the latest ``most``, as a seat hears them."""
        latest = self.loaded.tail.steps(self.room, max(0, self.state.seq - LINES_A_SENTENCE * most))
        return self.messages.story(code, latest, most, seat)

    def since(self, seq: int, code: str) -> bytes:
        """The first message to a page that reconnects after ``seq`` events: the events it missed, and the view."""
        if seq == self.state.seq:
            return self.messages.encode_view(code, self.state, self.context())
        tail = self.loaded.tail
        if tail.first <= seq and 0 < self.state.seq - seq <= MOST_MISSED:
            missed = self.messages.encode_steps(code, tail.steps(self.room, seq), tail.since(seq), self.context())
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
        if self._closed:  # the house has put another actor in this one's place while the request waited
            stream.end()
        self.update_presence()
        if self.state.setup.chances and (news := self.chances.message(stream.language)) is not None:
            stream.put(news)

    def leave(self, stream: Stream) -> None:
        """A page closed its stream."""
        self.presence.leave(stream, self._services.clock.now())
        self.update_presence()

    def is_shown_away(self, seat: int) -> bool:
        """True if pages show this seat as away."""
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
            self._send(lambda code: self.messages.encode_view(code, self.state, context, self._news(code, shown)))
        change = self.presence.next_change(self.state, now)
        if change is not None:
            self._timer = self._services.clock.after((change - now) / 1000 + LATE_S, self.update_presence)

    def _news(self, code: str, shown: Mapping[int, bool]) -> list[Say]:
        """The lines for who has gone, who is back and whose grace time is over, since pages showed these as away."""
        say, names, inside = self.messages.language(code).say, self.state.names, {*self.state.inside}
        # at the next table, which is no connection lost
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
        """The choices of the others now that a seat's grace time is over; who watches hears of them, too."""
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
