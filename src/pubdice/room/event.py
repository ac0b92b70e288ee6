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
from pubdice.room.state import Chair, ChairKind, Live, RoomState, Stage
from pubdice.text.language import Language

TAKEN: tuple[ChairKind, ...] = ("person", "standin")


class LogForm(NamedTuple):
    """The form of an event in the log: ``TIME TAG FACTS``. Only the last fact can contain spaces.

    Logs are kept permanently, so each class writes out its tag and facts. Neither comes from a name in the code.
    """

    tag: str
    facts: Mapping[str, type[int] | type[str]]


def logged(tag: str, **facts: type[int] | type[str]) -> LogForm:
    """The form in the log: its tag, and its facts in order."""
    return LogForm(tag, facts)


class Event:
    """An event of a table."""

    __slots__ = ()
    log: ClassVar[LogForm]  # its line
    stages: ClassVar[tuple[Stage, ...]]  # when it can happen
    chairs: ClassVar[tuple[ChairKind, ...]] = ()  # if it names a seat, the kinds of chair that the seat can have
    new_seat: ClassVar[bool] = False  # its seat can also be a new one, at a table that grows
    changes_header: ClassVar[bool] = False  # it cannot happen between a fixed header and the first roll
    leads_on: ClassVar[bool] = False  # a match needs it, and no person can repeat it without limit
    ends: ClassVar[bool] = False  # it frees a seat or ends a match, so even a full log takes it
    level: ClassVar[int] = 0  # of its sentence, like ``urgent``, as in ``wire.Say``
    urgent: ClassVar[bool] = False

    def fits(self, state: RoomState) -> bool:
        """True if it can happen in this state. The stage and the seat are already checked."""
        return True

    def needed(self, state: RoomState) -> bool:
        """True if a match needs it. Then the log takes it even after too many changes."""
        return self.leads_on

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        """The state after it. ``at`` is the time in ms since 1970."""
        raise NotImplementedError

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        """The sentence about it, for all or for the seat ``you``. Empty if it needs none."""
        return ""

    def concerns(self, after: RoomState) -> set[int]:
        """The seats whose people hear a sentence of their own."""
        return {self.seat} if hasattr(self, "seat") else set()


def _has_seat(state: RoomState, event: Any) -> bool:
    """True if the event's seat exists and its chair is of an allowed kind, or if the event adds the seat."""
    if event.new_seat and event.seat == len(state.chairs):  # only before the match, which fixes the seats
        return state.match is None and state.setup.grows and len(state.chairs) < MOST_SEATS
    return 0 <= event.seat < len(state.chairs) and state.chairs[event.seat].kind in event.chairs


def possible(state: RoomState, event: Event) -> bool:
    """True if an event can happen now, so no log leads to an impossible table.

    The match checks moves against the rules of the game. ``decide`` checks the caller's rights.
    """
    if state.stage not in event.stages or (event.changes_header and state.fixed and state.match is None):
        return False
    return (not event.chairs or _has_seat(state, event)) and event.fits(state)


def changed(state: RoomState, at: int, **changes: Any) -> RoomState:
    """The state after one more event. It changes the layout unless ``changes`` has the old ``layout_version``."""
    seq = state.seq + 1
    return state.but(**{"seq": seq, "at": at, "layout_version": seq, **changes})


class SeatEvent(Event):
    """An event that changes a seat's people, or their state."""

    __slots__ = ()
    seat: int
    comes: ClassVar[bool] = False  # a person new to the seat has it
    empties: ClassVar[bool] = False  # its people leave it
    loosens: ClassVar[bool] = False  # it abandons a fixed header
    keeps_votes: ClassVar[bool] = False  # votes about the seat stay
    same_people: ClassVar[bool] = False  # a turn under way goes on
    quiet: ClassVar[bool] = False  # pages need not reload

    def chair(self, chair: Chair, *, first_stays: bool) -> Chair:
        """The chair after it. ``first_stays`` is as in ``Setup``."""
        raise NotImplementedError

    def starts_afresh(self, state: RoomState, chair: Chair) -> bool:
        """True if the mover gets the turn's full time, as a newcomer does."""
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
        if loosens and self.empties:  # without it, a shared phone delays the match with each of its seats
            facts["passed_over"] = passed_over(state, old.people)
        if self.comes:
            facts |= _came(state, new.people)
        if (live := state.match) is not None:
            facts["match"] = Live(replace(live.table, names=tuple([chair.name for chair in chairs])), live.state)
            if seat == state.mover and not self.same_people:
                facts |= {"moved_at": at, "turn_at": at if self.starts_afresh(state, old) else state.turn_at}
                if self.empties:
                    facts["stood_up"] = tuple(dict.fromkeys((*state.stood_up, *old.people)))
        return with_host(state.but(**facts), chairs[seat])


def passed_over(state: RoomState, people: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """The persons who ended an attempt to fix a header, each attempt once, with these for the present one."""
    return tuple(dict.fromkeys((*state.passed_over, *[(person, state.attempts) for person in people])))


def _came(state: RoomState, people: tuple[str, ...]) -> dict[str, Any]:
    """The fields changed when a person comes: no longer queued, nor waited for after too many fixed headers."""
    person = people[-1]
    facts: dict[str, Any] = {"queue": tuple([waiting for waiting in state.queue if waiting[0] != person])}
    if state.match is None and state.attempts >= MOST_PASSED:
        late = [(person, attempt) for attempt in range(1, MOST_PASSED + 1)]
        facts["passed_over"] = tuple(dict.fromkeys((*state.passed_over, *late)))
    return facts


def with_host(state: RoomState, changed: Chair) -> RoomState:
    """The state with its host after a change: the same while seated or awaited, else a person of this chair."""
    people = state.people
    if state.host in people or not people or state.kept_for(state.host):
        return state
    return state.but(host=(changed.people or people)[0])


def between(language: Language, texts: tuple[str, str, str], name: str, other: str, **facts: object) -> str:
    """A sentence about two people: with both names, for the first, and for the other. The listener's name is empty."""
    text = texts[0] if name and other else texts[2] if name else texts[1]
    return language.say(text, name=name, other=other, **facts)
