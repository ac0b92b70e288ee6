"""The base class of all events of a table. Each event is declared beside the command that leads to it.

A class defines its line in the log, the stages at which it can happen, the state after it, and the sentence about it.
This module imports no event.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

from pubdice.kit import Kit
from pubdice.room.seeds import MOST_PASSED, loosened
from pubdice.room.setup import MOST_SEATS
from pubdice.room.state import Chair, ChairKind, Live, RoomState, Stage, unanswered
from pubdice.text.language import Language

TAKEN: tuple[ChairKind, ...] = ("person", "standin")


class LogForm(NamedTuple):
    """The form of an event in the log: ``TIME TAG FACTS``. Only the last fact can contain spaces.

    Logs are kept permanently, so each class writes out its tag and the names of its facts, independent of names in
    code.
    """

    tag: str
    facts: Mapping[str, type[int] | type[str]]


def logged(tag: str, **facts: type[int] | type[str]) -> LogForm:
    """Return an event's form in the log: its tag, and its facts in order."""
    return LogForm(tag, facts)


class Event:
    """An event of a table: a fact, and a line of the table's log."""

    __slots__ = ()
    log: ClassVar[LogForm]  # the form of its line in the log
    stages: ClassVar[tuple[Stage, ...]]  # the stages at which it can happen
    chairs: ClassVar[tuple[ChairKind, ...]] = ()  # if it names a seat, the kinds of chair that the seat can have
    new_seat: ClassVar[bool] = False  # True if its seat can also be a new one, at a table that grows
    changes_header: ClassVar[bool] = False  # True if it cannot happen between a fixed header and the first roll
    leads_on: ClassVar[bool] = False  # True if a match needs it, and no person can repeat it without limit
    ends: ClassVar[bool] = False  # True if it frees a seat or ends a match; even a full log takes it then
    level: ClassVar[int] = 0  # the level of its sentence; this and ``urgent`` are as in ``wire.Say``
    urgent: ClassVar[bool] = False

    def fits(self, state: RoomState) -> bool:
        """Return True if the event can happen in this state. The stage and the seat are already checked."""
        return True

    def needed(self, state: RoomState) -> bool:
        """Return True if a match needs the event. The log then takes it even after too many changes."""
        return self.leads_on

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        """Return the state after the event. ``at`` is the time in ms since 1970."""
        raise NotImplementedError

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        """Return the sentence about the event, for all listeners or for the seat ``you``. "" if it needs none."""
        return ""

    def concerns(self, after: RoomState) -> set[int]:
        """Return the seats whose people hear their own form of the sentence, with "you"."""
        return {self.seat} if hasattr(self, "seat") else set()


def _has_seat(state: RoomState, event: Any) -> bool:
    """Return True if the event's seat exists and has an allowed kind of chair, or if the event adds the seat."""
    if event.new_seat and event.seat == len(state.chairs):  # only before the match, as no seat is added later
        return state.match is None and state.setup.grows and len(state.chairs) < MOST_SEATS
    return 0 <= event.seat < len(state.chairs) and state.chairs[event.seat].kind in event.chairs


def possible(state: RoomState, event: Event) -> bool:
    """Return True if an event can happen now. This test keeps logs from leading to an impossible table.

    The match checks moves against the rules of the game. ``decide`` checks the caller's rights.
    """
    if state.stage not in event.stages or (event.changes_header and state.fixed and state.match is None):
        return False
    return (not event.chairs or _has_seat(state, event)) and event.fits(state)


def changed(state: RoomState, at: int, **changes: Any) -> RoomState:
    """Return the state after one more event.

    Pages must be laid out again after it, unless ``changes`` has the old ``layout_version``.
    """
    seq = state.seq + 1
    return state.but(**{"seq": seq, "at": at, "layout_version": seq, **changes})


class SeatEvent(Event):
    """An event that changes a seat's people, or their state."""

    __slots__ = ()
    seat: int
    comes: ClassVar[bool] = False  # True if a person new to the seat has it afterwards
    empties: ClassVar[bool] = False  # True if the seat's people leave it
    loosens: ClassVar[bool] = False  # True if it abandons a fixed header
    keeps_votes: ClassVar[bool] = False  # True if votes about the seat stay valid
    same_people: ClassVar[bool] = False  # True if the people stay the same, so a turn under way goes on
    quiet: ClassVar[bool] = False  # True if pages need not reload

    def chair(self, chair: Chair, *, first_stays: bool) -> Chair:
        """Return the seat's chair after the event. ``first_stays`` is as in ``Setup``."""
        raise NotImplementedError

    def starts_afresh(self, state: RoomState, chair: Chair) -> bool:
        """Return True if the mover gets the turn's full time after the event, as a newcomer does."""
        return False

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        seat, seq = self.seat, state.seq + 1
        before = state.chairs if seat < len(state.chairs) else (*state.chairs, Chair())
        loosens = self.loosens and bool(state.fixed) and state.match is None
        if loosens:
            before = loosened(state)
        old = before[seat]
        new = self.chair(old, first_stays=state.setup.first_stays)
        if state.match is not None and not new.name:
            new = Chair(old.name)  # the next event, in the same append, seats a bot here
        chairs = (*before[:seat], new, *before[seat + 1 :])
        facts: dict[str, Any] = {"chairs": chairs, "seq": seq, "at": at}
        if not self.quiet:
            facts["layout_version"] = seq
        if not self.keeps_votes:
            facts["votes"] = tuple(vote for vote in state.votes if seat not in vote[:2])
        if loosens:
            facts["fixed"] = ""
        if loosens and self.empties:  # or else a shared phone could delay the match once for each of its seats
            facts["passed_over"] = passed_over(state, old.people)
        if self.comes:
            facts |= _came(state, new.people)
        if (live := state.match) is not None:
            facts["match"] = Live(replace(live.table, names=tuple([chair.name for chair in chairs])), live.state)
            if seat == state.mover and not self.same_people:
                facts |= {"moved_at": at, "turn_at": at if self.starts_afresh(state, old) else state.turn_at}
                if self.empties:
                    facts["stood_up"] = tuple(dict.fromkeys((*state.stood_up, *old.people)))
        return with_host(_choice_after(state.but(**facts), seat), chairs[seat])


def _choice_after(state: RoomState, seat: int) -> RoomState:
    """Return the state with its choice to take back, after the people of a seat changed.

    If a person stops playing, the person's choice stands, and so does the choice for which the person asks. With real
    dice any player can still ask for the choice. A question that falls with a player has had no answer, so a player can
    ask for that choice again.
    """
    stops, asked = state.chairs[seat].kind != "person", state.question
    if stops and seat == state.chose and state.setup.dice != "real":
        state = state.but(chose=None)
    if asked is None:
        return state
    falls = (stops and seat == asked.seat) or not unanswered(state)
    return state.but(question=None, asked_for=state.asked_for - 1) if falls else state


def passed_over(state: RoomState, people: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Add ``people`` to the state's list of persons who ended an attempt to fix a header, for the present attempt.

    An entry is (person, attempt), and each is there only once.
    """
    return tuple(dict.fromkeys((*state.passed_over, *[(person, state.attempts) for person in people])))


def _came(state: RoomState, people: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields that change when a person comes to a seat.

    The person leaves the queue. After too many fixed headers, the match does not wait for the person's seed either.
    """
    person = people[-1]
    facts: dict[str, Any] = {"queue": tuple([waiting for waiting in state.queue if waiting[0] != person])}
    if state.match is None and state.attempts >= MOST_PASSED:
        late = [(person, attempt) for attempt in range(1, MOST_PASSED + 1)]
        facts["passed_over"] = tuple(dict.fromkeys((*state.passed_over, *late)))
    return facts


def with_host(state: RoomState, changed: Chair) -> RoomState:
    """Return the state with its host after a change of people. The host stays while seated or awaited.

    Otherwise a person of the ``changed`` chair becomes the host, or if it has none, the first person at the table.
    """
    people = state.people
    if state.host in people or not people or state.kept_for(state.host):
        return state
    return state.but(host=(changed.people or people)[0])


def between(language: Language, texts: tuple[str, str, str], name: str, other: str, **facts: object) -> str:
    """Return a sentence about two people. ``texts`` are its forms: with both names, for the first, and for the other.

    The listener's name is "".
    """
    text = texts[0] if name and other else texts[2] if name else texts[1]
    return language.say(text, name=name, other=other, **facts)
