"""A table shown and told, in whichever language somebody reads: views, messages, the story so far. Decides nothing."""

from collections.abc import Callable, Sequence

import msgspec

from pubdice.party import Party, PartyState, Step
from pubdice.party.events import Moved, public
from pubdice.server import company
from pubdice.server.seats import Moment
from pubdice.server.stream import frame
from pubdice.server.tell import Teller
from pubdice.server.views import Viewer
from pubdice.server.wire import Evening, Say, State, Told, Update, View
from pubdice.table import Marked
from pubdice.words import Language


class Showing:
    """What one table shows; ``languages`` gives a language by its code."""

    def __init__(self, party: Party, languages: Callable[[str], Language]) -> None:
        self._party, self._languages = party, languages
        self._speakers: dict[str, tuple[Teller, Viewer]] = {}
        self._spoken: tuple[Step, ...] = ()
        self._tallies: dict[str, tuple[int, Evening | None]] = {}  # by language, as of which shape

    def language(self, code: str) -> Language:
        """A language."""
        return self._languages(code)

    def teller(self, code: str) -> Teller:
        """Who tells of the table."""
        return self._speaker(code)[0]

    def _speaker(self, code: str) -> tuple[Teller, Viewer]:
        speaker = self._speakers.get(code)
        if speaker is None:
            language, kit = self._languages(code), self._party.kit
            teller = Teller(language, kit)
            speaker = self._speakers[code] = (teller, Viewer(language, kit, teller))
        return speaker

    def remember(self, steps: Sequence[Step]) -> None:
        """What was said last: at one time, as the log knows no commands. Marks say nothing."""
        for step in steps:
            if isinstance(step.line.event, Moved) and isinstance(step.line.event.event, Marked):
                continue
            before = self._spoken if self._spoken and self._spoken[-1].line.at == step.line.at else ()
            self._spoken = (*before, step)

    def view(self, code: str, state: PartyState, moment: Moment) -> View:
        """The table as it stands, in a language."""
        teller, viewer = self._speaker(code)
        last = [Told(say.text, say.own) for step in self._spoken for say in teller.told(step) if not say.level]
        language = self.language(code)
        known = self._tallies.get(code)
        if known is None or known[0] != state.shape:
            known = self._tallies[code] = state.shape, company.tally(language, state)
        return company.show(viewer.view(state, moment, last), language, self._party.kit, state, known[1])

    def whole(self, code: str, state: PartyState, moment: Moment, person: str | None) -> State:
        """The whole state in one message, for a person."""
        view, seats = self.view(code, state, moment), list(state.seats_of(person))
        return State(state.seq, [], [], view, seat=state.seat_of(person), seats=seats)

    def told(self, code: str, steps: Sequence[Step], lines: Sequence[str], moment: Moment) -> bytes:
        """The message that tells of steps, whose lines in the log are these."""
        state = steps[-1].after
        said = self.teller(code).tell(steps, moment.gone)
        update = Update(state.seq, list(map(public, lines)), said, self.view(code, state, moment))
        return frame(msgspec.json.encode(update), state.seq)

    def shown(self, code: str, state: PartyState, moment: Moment, say: Sequence[Say] = ()) -> bytes:
        """The message that shows a table in which nothing has happened."""
        update = Update(state.seq, [], list(say), self.view(code, state, moment))
        return frame(msgspec.json.encode(update), None, "view")

    def called(self, code: str, state: PartyState, moment: Moment, seat: int, phrase: int) -> bytes:
        """The message of a call across the table, which is kept nowhere."""
        say, react = company.called(self.language(code), state, seat, phrase)
        update = Update(state.seq, [], [say], self.view(code, state, moment), react)
        return frame(msgspec.json.encode(update), None, "view")

    def story(self, code: str, steps: Sequence[Step], most: int, seat: int | None = None) -> list[str]:
        """What was said of these steps, the latest ``most`` lines, as a seat is told it."""
        teller = self.teller(code)
        said = [say for step in steps for say in teller.told(step) if not say.level][-most:]
        return [say.text if seat is None else say.own.get(seat, say.text) for say in said]
