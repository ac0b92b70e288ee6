"""The base of all events of a table. Each class of event is declared beside the command that leads to it.

A class says in one place which line of the log it is, when it can happen, the state after it, and the sentence that
tells of it. Knows no event.
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
    """The form of an event in the log: ``TIME TAG FACTS``. Facts in the order of the line; only the last holds spaces.

    Logs are kept for good. So each class writes its tag and facts out, and neither follows from a name in the code.
    """

    tag: str
    facts: Mapping[str, type[int] | type[str]]


def logged(tag: str, **facts: type[int] | type[str]) -> LogForm:
    """The form in the log: its tag, and its facts in their order."""
    return LogForm(tag, facts)


class Event:
    """An event of a table.

    log: its line. stages: when it can happen. chairs: the kinds of chair that the seat it names may have, if it names
    one. new_seat: that may be one more, where a table grows.
    changes_header: it can't happen between a fixed header and the first roll. leads_on: a match needs it, and no person
    can repeat it without limit. ends: it frees a seat or ends a match, so a full log still takes it. level, urgent: of
    its sentence, as in ``wire.Say``.
    """

    __slots__ = ()
    log: ClassVar[LogForm]
    stages: ClassVar[tuple[Stage, ...]]
    chairs: ClassVar[tuple[ChairKind, ...]] = ()
    new_seat: ClassVar[bool] = False
    changes_header: ClassVar[bool] = False
    leads_on: ClassVar[bool] = False
    ends: ClassVar[bool] = False
    level: ClassVar[int] = 0
    urgent: ClassVar[bool] = False

    def fits(self, state: RoomState) -> bool:
        """True if it can happen in this state, at this stage and with this seat."""
        return True

    def needed(self, state: RoomState) -> bool:
        """True if a match needs it, so that a log takes it in which too much has changed."""
        return self.leads_on

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        """The state after it. at: the time, in ms since 1970."""
        raise NotImplementedError

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        """The sentence that tells of it, to all or to the seat ``you``; empty if it is not worth one."""
        return ""

    def concerns(self, after: RoomState) -> set[int]:
        """The seats whose people hear a sentence of their own."""
        return {self.seat} if hasattr(self, "seat") else set()


def _has_seat(state: RoomState, event: Any) -> bool:
    """True if the event's seat is there, and its chair of a kind that the event may take; or if a new seat is added."""
    if event.new_seat and event.seat == len(state.chairs):  # only before the match, whose seats are fixed as it begins
        return state.match is None and state.setup.grows and len(state.chairs) < MOST_SEATS
    return 0 <= event.seat < len(state.chairs) and state.chairs[event.seat].kind in event.chairs


def possible(state: RoomState, event: Event) -> bool:
    """True if an event can happen now, so that no log leads to a table that cannot be.

    The match checks whether a move is within the rules. ``decide`` checks who may give which command.
    """
    if state.stage not in event.stages or (event.changes_header and state.fixed and state.match is None):
        return False
    return (not event.chairs or _has_seat(state, event)) and event.fits(state)


def changed(state: RoomState, at: int, **changes: Any) -> RoomState:
    """The state after one more event. It changes the layout, unless ``changes`` keep its version."""
    seq = state.seq + 1
    return state.but(**{"seq": seq, "at": at, "layout_version": seq, **changes})


class SeatEvent(Event):
    """An event that changes who has one seat, or how.

    comes: a person has the seat who had none. empties: its people leave it. loosens: it gives a fixed header up.
    keeps_votes: votes about the seat stay. same_people: a turn under way goes on. quiet: pages need not load again.
    """

    __slots__ = ()
    seat: int
    comes: ClassVar[bool] = False
    empties: ClassVar[bool] = False
    loosens: ClassVar[bool] = False
    keeps_votes: ClassVar[bool] = False
    same_people: ClassVar[bool] = False
    quiet: ClassVar[bool] = False

    def chair(self, chair: Chair, *, first_stays: bool) -> Chair:
        """The chair after it. first_stays: as in ``Setup``."""
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
            new = Chair(old.name)  # the next event seats a bot here, in the same append
        chairs = (*before[:seat], new, *before[seat + 1 :])
        facts: dict[str, Any] = {"chairs": chairs, "seq": seq, "at": at}
        if not self.quiet:
            facts["layout_version"] = seq
        if not self.keeps_votes:
            facts["votes"] = tuple(vote for vote in state.votes if seat not in vote[:2])
        if loosens:
            facts["fixed"] = ""
        if loosens and self.empties:  # else a shared phone holds up with each of its seats
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
    """The persons who ended an attempt to fix a header, with these of the attempt under way, each once."""
    return tuple(dict.fromkeys((*state.passed_over, *[(person, state.attempts) for person in people])))


def _came(state: RoomState, people: tuple[str, ...]) -> dict[str, Any]:
    """The fields changed as a person comes: out of the queue; and not waited for after too many fixed headers."""
    person = people[-1]
    facts: dict[str, Any] = {"queue": tuple([waiting for waiting in state.queue if waiting[0] != person])}
    if state.match is None and state.attempts >= MOST_PASSED:
        late = [(person, attempt) for attempt in range(1, MOST_PASSED + 1)]
        facts["passed_over"] = tuple(dict.fromkeys((*state.passed_over, *late)))
    return facts


def with_host(state: RoomState, changed: Chair) -> RoomState:
    """The state with its host after a change: the same while seated or awaited, else a person of the changed chair."""
    people = state.people
    if state.host in people or not people or state.kept_for(state.host):
        return state
    return state.but(host=(changed.people or people)[0])


def between(language: Language, texts: tuple[str, str, str], name: str, other: str, **facts: object) -> str:
    """A sentence about two people: with both names, to the first and to the other, whose name is empty then."""
    text = texts[0] if name and other else texts[2] if name else texts[1]
    return language.say(text, name=name, other=other, **facts)
