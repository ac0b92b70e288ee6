"""Whom a line is about hears "you" in it: no event names a person to that person, in any language."""

import re
from collections.abc import Iterator, Sequence
from typing import get_args

import pytest

from pubdice.core.seal import NO_SEED, KeyedSeals, digest_of_seat
from pubdice.room import RoomState, Step
from pubdice.room import commands as ask
from pubdice.room.beginning import Committed, Seeded
from pubdice.room.event import Event
from pubdice.room.going_on import Recognised
from pubdice.room.log_lines import LogLine
from pubdice.room.moves import Retimed
from pubdice.room.queue import Queued, Unqueued
from pubdice.room.rematches import Reopened
from pubdice.room.rules import BotPaceSet, Ruled
from pubdice.room.seats import Admitted
from pubdice.server.table.announce import Announcer
from pubdice.server.table.stream import Messages
from pubdice.server.table.views import ViewContext
from pubdice.server.wire import Say
from pubdice.text.catalogues import CODES, language
from pubdice.text.language import Language
from room.scripted_room import Evening, again, growing, over, played
from server.table.announced import said_to, told_to, view_of

SEAL = KeyedSeals(b"k" * 32, lambda size: b"\3" * size).first().write()
Told = tuple[Evening, tuple[Step, ...]]
NOBODYS = {Admitted, BotPaceSet, Queued, Reopened, Retimed, Ruled, Unqueued, Recognised}
"""Events about no player with a seat."""


def before_a_match() -> Iterator[Told]:
    """Players who come, go, change and are ready at a table that grows."""
    table = growing("ann")
    for person, command in (
        ("bob", ask.Sit(None, "Bob")),
        ("cid", ask.Sit(None, "Cid")),
        ("eve", ask.Join(1)),
        ("ann", ask.Shift(2, 0)),
        ("ann", ask.Shift(0, 1)),
        ("ann", ask.Rename("Anna", 0)),
        ("ann", ask.HandOver(2)),
        ("bob", ask.AddBot("")),
        ("ann", ask.Ready()),
        ("ann", ask.Unready()),
        ("cid", ask.Ready()),
        ("ann", ask.Leave()),
        ("bob", ask.Start()),
    ):
        yield table, table.steps(person, command, draws=[0])


def sealed() -> Iterator[Told]:
    """Seeds that are told, opened, waited for and left out."""
    table = growing("ann", "bob", dice="sealed", seal=SEAL)
    for person in ("ann", "bob"):
        yield table, table.steps(person, ask.Commit(digest_of_seat(f"{person}1")))
    yield table, table.steps("ann", ask.Start())
    yield table, table.steps("ann", ask.AddSeed("ann1"))
    for event in (Committed(1, NO_SEED), Seeded(1, "bob1")):
        yield table, applied(growing("ann", "bob", dice="sealed", seal=SEAL), event)


def applied(table: Evening, event: Event) -> tuple[Step, ...]:
    """An event that no command of these tests leads to."""
    line = LogLine(table.now, event)
    return (Step(table.state, line, table.room.apply(table.state, line)),)


def under_way() -> Iterator[Told]:
    """A match in which people nudge, pause, leave, are away, voted out, removed, come back, and whose time is up."""
    table = played("ann", "bob", "cid", clock_s=30, game="midnight", rules={"format": "rounds 1"})
    table.wait(25)
    yield table, table.steps("bob", ask.Nudge())
    yield table, table.steps("bob", ask.Pause())
    yield table, table.steps("bob", ask.Unpause())
    table.wait(40)
    yield table, table.steps(None, ask.TimeUp())
    yield table, table.steps("bob", ask.Give(""))
    yield table, table.steps("bob", ask.Resume())
    table.away(1)
    table.wait(120)
    yield table, table.steps("ann", ask.Vote(1))
    yield table, table.steps("cid", ask.Vote(1))
    table.gone.clear()
    yield table, table.steps("bob", ask.Resume())
    yield table, table.steps("cid", ask.Leave())
    yield table, table.steps("eve", ask.Sit(2, "Eve"))
    yield table, table.steps("ann", ask.Remove(1))
    yield table, table.steps(None, ask.GoOn("ab" * 8, "ann", "ann-here"))


def afterwards() -> Iterator[Told]:
    """A match that is over, and its rematch."""
    table = over("ann", "bob")
    following = again(table)
    yield table, table.steps("bob", ask.Rematch("BCDEFG"))
    yield table, table.steps("ann", ask.Follow())
    for person in ("ann", "bob"):
        yield following, following.steps(person, ask.Sit(None, ""))
        yield following, following.steps(person, ask.Ready(), draws=[0])


def a_duel() -> Iterator[Told]:
    """A game in which the two have sides, and a phone that two share."""
    table = growing("ann", game="420", rules={"format": "race"})
    yield table, table.steps("bob", ask.Sit(None, "Bob"))
    yield table, table.steps("ann", ask.Start(), draws=[0])
    table = growing("ann")
    yield table, table.steps("ann", ask.Share("Kim"))


def moves() -> Iterator[Told]:
    """A match from the first roll to its end, with the dice of the house and with real ones."""
    for dice in ("house", "real"):
        table = played("ann", "bob", game="midnight", dice=dice, rules={"format": "rounds 1"})
        for person, hand in (("ann", (1, 4, 6, 6, 6, 6)), ("bob", (1, 4, 6, 6, 6, 5))):
            rolls = ask.RollOrBank("roll") if dice == "house" else ask.EnterDice(hand)
            yield table, table.steps(person, rolls, [hand])
            yield table, table.steps(person, ask.RollOrBank("bank", tuple(range(6))))
        assert table.state.stage == "over"


STORIES = (before_a_match, sealed, under_way, afterwards, a_duel, moves)


def named(says: Sequence[Say], known: RoomState, then: RoomState) -> list[str]:
    """The lines that name the person to whom they are told. known: the state that pages had before.

    The roster of a match names everybody, and a bot that plays for somebody is told of by that person's name.
    """
    found = []
    played = {person for state in (known, then) for chair in state.chairs if chair.bot for person in chair.people}
    for seat, chair in enumerate(known.chairs):
        if not chair.people or chair.people[0] in played or len(known.seats_of(chair.people[0])) > 1:
            continue
        for say in says:
            text = say.own.get(seat, say.text)
            if say.level != 1 and re.search(rf"\b{chair.name}\b", text):
                found.append(f"to {chair.name}: {text}")
    return found


@pytest.mark.parametrize("code", CODES)
def test_no_event_names_a_person_to_that_person(code: str) -> None:
    kinds, found = set[type]() | NOBODYS, list[str]()
    for story in STORIES:
        for table, steps in story():
            kinds |= {type(step.line.event) for step in steps}
            says = Announcer(language(code), table.room.kit).tell(steps, table.gone)
            found += named(says, steps[0].before, steps[-1].after)
    assert found == []
    assert {kind.__name__ for kind in get_args(Event)} - {kind.__name__ for kind in kinds} <= {"SealOpened"}


def test_a_player_who_changes_places_hears_the_new_number() -> None:
    table = growing("ann", "bob", "cid")
    messages = Messages(table.room, lambda _: Language())
    steps = table.steps("ann", ask.Shift(2, 0))
    messages.remember(steps)
    said = "Cid goes first from now on.", "You go first from now on."
    assert [(say.text, say.own) for say in messages.announcer("en").tell(steps, {})] == [(said[0], {2: said[1]})]
    view = messages.view("en", table.state, ViewContext(table.now, {}, str))
    assert [(told.text, told.own) for told in view.last] == [(said[0], {0: said[1]})]
    assert [messages.story("en", steps, 9, seat) for seat in (0, 2, None)] == [[said[1]], [said[0]], [said[0]]]


def test_a_player_who_left_a_seat_is_not_told_of_its_new_one() -> None:
    table = played("ann", "bob", game="midnight", rules={"format": "rounds 1"})
    messages = Messages(table.room, lambda _: Language())
    steps = [*table.steps("bob", ask.Leave()), *table.steps("eve", ask.Sit(1, "Eve"))]
    assert messages.story("en", steps, 9, 1) == [
        "Bob leaves.", "A bot, Tip, takes over from Bob.", "You take over from Tip.",
    ]  # fmt: skip


def test_a_turn_that_a_bot_plays_is_nobodys_to_hear_and_to_see() -> None:
    """By ear it was "Ann's turn" to Ann, while the title said "Your turn" and the page offered her the move."""
    table = played("ann", "bob", clock_s=30, game="midnight", rules={"format": "rounds 1"})
    assert not view_of(table).by_bot
    table.wait(40)
    steps = table.steps(None, ask.TimeUp())
    assert told_to(table, steps, seat=0) == ["Time is up: a bot plays this turn for you."]
    assert said_to(0, view_of(table).heading) == "A bot plays your turn"
    assert view_of(table).by_bot
    table = played("ann", "bob", game="midnight", rules={"format": "rounds 2"})
    table.ask("bob", ask.Give(""))
    table.ask("ann", ask.RollOrBank("roll"), [(1, 4, 6, 6, 6, 6)])
    steps = table.steps("ann", ask.RollOrBank("bank", tuple(range(6))))
    assert told_to(table, steps, seat=1)[-1] == "A bot plays your turn."
