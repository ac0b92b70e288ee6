"""A match goes on at another house: a phone takes over the table, and recognises the people of the previous house."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from pubdice.core.errors import Refused
from pubdice.kit import Kit
from pubdice.room.decision import Decision, RoomCommand
from pubdice.room.event import Event, changed, logged
from pubdice.room.setup import Row
from pubdice.room.state import RoomState
from pubdice.text.language import Language

_FORK = re.compile("[0-9a-f]{16}")


def goes_on_elsewhere(state: RoomState) -> bool:
    """Return True if another house can continue the match from its log alone.

    No roll may depend on a secret of this house. A table that was ever sealed is excluded, because its log can hold
    seeds that people typed.
    """
    return state.stage != "over" and not (state.setup.seal or state.setup.night or state.rematch)


def is_fork(text: str) -> bool:
    """Return True for the identifier of a continuation (``WentOn``), which has 16 hex digits."""
    return bool(_FORK.fullmatch(text))


@dataclass(frozen=True, slots=True)
class WentOn(Event):
    """The event that the match goes on at another house, a person's phone.

    Its person is ``person`` there, and was ``before`` at the previous house. That person becomes the host. Before the
    match this needs a seat, or a table without people, because the host begins the match from a seat.
    """

    log = logged("wenton", fork=str, moves=int, before=str, person=str)
    stages = ("gathering", "playing")
    fork: str  # 16 hex digits that identify this continuation
    moves: int  # the moves of the match before it; a move that did not reach the phone does not count
    before: str
    person: str

    def fits(self, state: RoomState) -> bool:
        """Return True unless the dice depend on a secret of the previous house: sealed dice, or a duplicate night."""
        moves = 0 if state.match is None else state.match.state.moved
        return _is_new(state, self) and is_fork(self.fork) and self.moves == moves and goes_on_elsewhere(state)

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, **_known_as(state, self))

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        seats = after.seats_of(self.person)
        names = language.join([after.chairs[seat].name for seat in seats])
        told = (
            language.say("Your phone is the house now.")
            if (you,) == seats
            else language.say("The phone of {name} is the house now.", name=names)
            if names
            else language.say("Another phone is the house now.")
        )
        if after.match is None:
            return told
        return f"{told} {language.say('The match goes on after move {number}.', number=self.moves)}"

    def concerns(self, after: RoomState) -> set[int]:
        return set(after.seats_of(self.person))


@dataclass(frozen=True, slots=True)
class Recognised(Event):
    """The event that a phone of the previous house came here.

    Its person is ``person`` here, and was ``before`` there.
    """

    log = logged("recognised", before=str, person=str)
    stages = ("gathering", "playing", "over")
    before: str
    person: str

    def fits(self, state: RoomState) -> bool:
        return _is_new(state, self)

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, **_known_as(state, self))


Elsewhere = WentOn | Recognised
"""The events that give a person of the previous house a new identifier."""


def _is_new(state: RoomState, event: Elsewhere) -> bool:
    return event.person not in (*state.people, *state.banned, *dict(state.queue), event.before)


def _known_as(state: RoomState, event: Elsewhere) -> dict[str, Any]:
    """Return the fields that change when a person gets a new identifier: seats, queue, tally and removals."""
    before, person, setup = event.before, event.person, state.setup

    def known(people: Iterable[str]) -> tuple[str, ...]:
        return tuple([person if other == before else other for other in people])

    def rows(of: Iterable[Row]) -> tuple[Row, ...]:
        return tuple([replace(row, people=known(row.people)) for row in of])

    expected = tuple([replace(chair, people=known(chair.people)) for chair in setup.expected])
    chairs = [replace(chair, people=known(chair.people), awaited=known(chair.awaited)) for chair in state.chairs]
    seats = [who for chair in chairs for who in (*chair.people, *chair.awaited)]
    # before the match, the host must be seated to begin it
    runs = isinstance(event, WentOn) and (person in seats or state.match is not None or not state.people)
    return {
        "setup": replace(
            setup,
            expected=expected,
            evening=rows(setup.evening),
            won=rows(setup.won),
            banned=known(setup.banned),
        ),
        "chairs": tuple(chairs),
        "host": person if runs else known([state.host])[0],
        "banned": known(state.banned),
        "unshared": known(state.unshared),
        "renamed": known(state.renamed),
        "passed_over": tuple([(known([other])[0], attempt) for other, attempt in state.passed_over]),
        "stood_up": known(state.stood_up),
        "queue": tuple([(known([other])[0], name) for other, name in state.queue]),
    }


@dataclass(frozen=True, slots=True)
class GoOn(RoomCommand):
    """Let the match go on at this house, which knows one person by another identifier (``WentOn``).

    Raise Refused if its dice depend on a secret of the previous house.
    """

    fork: str
    before: str
    person: str

    def decide(self, decision: Decision) -> None:
        decision.check_own_timer()
        state = decision.state
        if not goes_on_elsewhere(state):
            raise Refused("seal-lost" if state.setup.seal else "night-lost" if state.setup.night else "match-over")
        moves = 0 if state.match is None else state.match.state.moved
        decision.add(WentOn(self.fork, moves, self.before, self.person))


@dataclass(frozen=True, slots=True)
class Recognise(RoomCommand):
    """Recognise a phone of the previous house, whose person has another identifier at this house (``Recognised``)."""

    before: str
    person: str

    def decide(self, decision: Decision) -> None:
        decision.check_own_timer()
        state = decision.state
        if self.person in (*state.people, *state.banned, *dict(state.queue)):
            raise Refused("seated-already")
        decision.add(Recognised(self.before, self.person))
