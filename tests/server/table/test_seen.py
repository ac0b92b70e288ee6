"""A seat's sight: it sees every roll that is told, and may not act on dice that it has not seen."""

import asyncio
import re
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import chain, combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play import KITS
from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep, KeepGame
from pubdice.kit import Kit
from pubdice.match.record import Played, Rolled
from pubdice.match.table import VERBS, Marked, Table, TableState
from pubdice.room import Step
from pubdice.room.commands import Command
from pubdice.room.log_lines import Moved
from pubdice.server.table.announce import Announcer
from pubdice.server.table.views import ViewContext, Viewer
from pubdice.server.wire import View
from pubdice.text.language import Language
from room.random_commands import Order, Walk, walks
from support.asgi_client import Client
from support.house import Pub, seated
from support.html_tree import read


class Watched(Walk):
    """An evening whose table is looked at after every command."""

    def __init__(self, order: Order) -> None:
        super().__init__(order)
        kit, language = self.room.kit, Language()
        self.viewer = Viewer(language, kit, Announcer(language, kit))
        self.rolls = self.forced = 0
        self.last: tuple[int, tuple[int, ...]] | None = None

    def attempt(self, person: str | None, command: Command) -> tuple[Step, ...]:
        """Ask for something, and look for what was rolled by it."""
        steps = super().attempt(person, command)
        view = self.viewer.view(self.state, ViewContext(self.now, self.gone, "/t/".__add__), [])
        for step in steps:
            self._follow(step)
            event = step.line.event.event if isinstance(step.line.event, Moved) else None
            mover = step.before.mover
            if mover is None:
                continue
            if isinstance(event, Rolled):
                self.rolls += 1
                assert _lies(view, mover, event.dice), (event, view.dice, view.seats[mover])
            elif isinstance(event, Played) and _was_forced(step):
                self.forced += 1
                assert step.before.match is not None
                tray = step.before.match.state.trays[mover]
                assert _lies(view, mover, tuple(face for face in tray.faces if face)), (event, view.dice)
        if self.last is not None and self.state.stage == "playing":
            assert _lies(view, *self.last), (self.last, view.dice, view.seats)
        self._look_at_choices(view)
        return steps

    def _follow(self, step: Step) -> None:
        """The last roll, by whom and what: it lies there until the next, unless its player had a choice among it."""
        event, mover = step.line.event, step.before.mover
        if isinstance(event, Moved) and isinstance(event.event, Rolled) and mover is not None:
            self.last = mover, event.event.dice
        elif not isinstance(event, Moved) or isinstance(event.event, Marked) or _was_forced(step):
            return
        else:
            self.last = None

    def _look_at_choices(self, view: View) -> None:
        """No die can be pressed but among the mover's, where they have a choice. Then the main button does something,
        or says what the dice marked lack.
        """
        if view.ask != "keep":
            assert all(die.marks is None for die in view.dice)
            return
        live = self.state.match
        assert live is not None
        assert len(live.table.match.legal(live.state.match)) > 1
        assert not any(die.marks is not None for die in view.dice if die.status in ("locked", "idle", "lying"))
        assert view.main is not None
        assert view.main.ready or view.bank is not None or any(die.marks is not None for die in view.dice)
        self._look_for_every_keep(view, live.table, live.state)

    def _look_for_every_keep(self, view: View, table: Table, play: TableState) -> None:
        """Each legal keep is meant by some of the dice that can be pressed, and one of the two verbs."""
        match, mover = table.match, play.mover
        assert mover is not None
        if play.marks or not isinstance(match.game, KeepGame):
            return
        places = [die.place for die in view.dice if die.marks is not None]
        meant = set[Keep]()
        for marks in chain.from_iterable(combinations(places, number) for number in range(len(places) + 1)):
            for verb in VERBS:
                with suppress(IllegalAction):
                    meant.add(table.meant(replace(play, marks=marks), verb))
        assert meant >= set(match.legal(play.match)), (view.dice, set(match.legal(play.match)) - meant)


def _was_forced(step: Step) -> bool:
    live = step.before.match
    return live is not None and len(live.table.match.legal(live.state.match)) == 1


def _lies(view: View, mover: int, dice: tuple[int, ...]) -> bool:
    """True if these dice lie on the table, or at the seat that rolled them."""
    places = ([die.face for die in view.dice], view.seats[mover].dice)
    return any(not Counter(dice) - Counter(shown) for shown in places)


@pytest.mark.parametrize(
    "kit",
    [
        pytest.param(kit, marks=pytest.mark.nightly if name in ("midnight", "threes") else ())
        for name, kit in KITS.items()
    ],
    ids=KITS,
)
@given(data=st.data())
def test_every_roll_and_all_dice_without_a_choice_are_seen(kit: Kit, data: st.DataObject) -> None:
    watched = Watched(data.draw(walks(kit)))
    watched.run(60)


WHY = "The dice have changed since you looked. Nothing happened. Look again, then choose."


async def rolled(pub: Pub, **order: Any) -> tuple[Client, Client, str]:
    """Ann has just rolled at Ann and Bob's table. Bob watches the same seat from a phone of his own."""
    ann, _, code = await seated(pub, **order)
    await ann.done(code, "roll")
    return ann, pub.client("Ann"), code


def dice(pub: Pub, code: str) -> list[str]:
    """The lines of the log that change dice."""
    return [line for line in pub.stored(code) if not re.search(r" marked?\b", line)]


@pytest.mark.parametrize("says", ["the view's", "none", "one to come"])
@pytest.mark.parametrize("second", [{"do": "roll", "marks": [1, 2]}, {"do": "mark", "marks": [1]}, {"do": "reroll"}])
async def test_of_two_keeps_at_once_the_second_changes_no_die(pub: Pub, second: dict[str, Any], says: str) -> None:
    ann, phone, code = await rolled(pub)
    now = (await pub.view(code))["seq"]
    seen = {"the view's": {"seen": now}, "none": {}, "one to come": {"seen": 1 << 53}}[says]
    first = asyncio.ensure_future(ann.ask(code, "roll", marks=[0], **seen))
    late = asyncio.ensure_future(phone.ask(code, **{**second, **seen}))
    done = await first
    stored, view = dice(pub, code), await pub.view(code)
    refused = await late
    assert done.status == 200
    assert (refused.status, refused.data["code"], refused.data["why"]) == (409, "seen-late", WHY)
    assert dice(pub, code) == stored
    assert (await pub.view(code))["dice"] == view["dice"]


@pytest.mark.parametrize("number", ["", str(1 << 53)], ids=["no number", "one to come"])
async def test_a_form_read_before_the_dice_changed_is_too_late(
    pub: Pub, number: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, phone, code = await rolled(pub)
    actor, stored = pub.actor(code), asyncio.Event()
    monkeypatch.setattr(type(actor), "restore_seat", lambda *_: stored.wait())
    fields = {"seen": number} if number else {}
    late = asyncio.ensure_future(phone.send(pub.house.link(code), key="form-0001", do="roll", marks="1 2", **fields))
    await asyncio.sleep(0)
    await ann.done(code, "roll", marks=[0])
    lines = dice(pub, code)
    stored.set()
    page = await late
    assert page.status == 409
    assert WHY in read(page.text).words()
    assert dice(pub, code) == lines


async def test_a_form_of_an_old_page_is_answered_with_the_dice(pub: Pub) -> None:
    ann, phone, code = await rolled(pub)
    old = read((await ann.page(code)).text)
    seen = {node.attrs["value"] for node in old.all("input", name="seen")}
    assert seen == {str((await pub.view(code))["seq"])}, "every form says what its page shows"
    await ann.done(code, "roll", marks=[0])
    stored = dice(pub, code)
    link = pub.house.link(code)
    for number, fields in enumerate(({"do": "roll"}, {"mark": "1"}, {"do": "type", "text": "r"})):
        page = await phone.send(link, key=f"form-{number:04}", seen=seen.copy().pop() or "", **fields)
        assert page.status == 409
        assert WHY in read(page.text).words()
        assert read(page.text).one("input", id="line").attrs["value"] == fields.get("text", "")
        assert {node.attrs["value"] for node in read(page.text).all("input", name="seen")} == {
            str((await pub.view(code))["seq"])
        }
    assert dice(pub, code) == stored


async def test_a_typed_line_is_for_the_dice_that_its_sender_saw(pub: Pub) -> None:
    ann, phone, code = await rolled(pub)
    view = await pub.view(code)
    face = view["dice"][0]["face"]
    await ann.done(code, "roll", marks=[0], seen=view["seq"])
    stored = dice(pub, code)
    late = await phone.ask(code, "type", text=f"{face} r", seen=view["seq"])
    assert (late.status, late.data["code"]) == (409, "seen-late")
    assert dice(pub, code) == stored


async def test_what_changes_no_dice_keeps_no_command_out(pub: Pub) -> None:
    """People who come, calls and marks: quick taps of one view, sent one after the other, all count."""
    ann, _, code = await seated(pub, people=None)
    await ann.done(code, "start")
    await ann.done(code, "roll")
    seen = (await pub.view(code))["seq"]
    await pub.client("Eve").done(code, "queue", name="Eve")
    await ann.done(code, "pace", ms=2000)
    taps = [ann.ask(code, "mark", marks=marks, seen=seen) for marks in ([0], [0, 1], [1])]
    answers = await asyncio.gather(*taps, ann.ask(code, "react", phrase=1), ann.ask(code, "roll", marks=[1], seen=seen))
    assert [answer.status for answer in answers] == [200] * 5


async def test_real_dice_are_entered_and_taken_back_once_from_one_view(pub: Pub) -> None:
    ann, bob, code = await seated(pub, dice="real", game="mexico", rules={"format": "lives 3"})
    for deed, fields in (("enter", {"dice": "64"}), ("back", {})):
        seen = (await pub.view(code))["seq"]
        await ann.done(code, deed, seen=seen, **fields)
        stored = dice(pub, code)
        late = await bob.ask(code, deed, seen=seen, **fields)
        assert (late.status, late.data["code"]) == (409, "seen-late")
        assert dice(pub, code) == stored


async def test_every_move_but_a_mark_counts_as_changed_dice(pub: Pub) -> None:
    _, _, code = await rolled(pub)
    actor = pub.actor(code)
    versions = list[tuple[int, str]]()
    state, room = actor.room.start(), actor.room
    number = pub.store.find(code)
    assert number is not None
    for step in room.replay(state, pub.store.read(number)[1:]):
        changed = step.after.dice_version == step.after.seq
        assert changed == (isinstance(step.line.event, Moved) and type(step.line.event.event).__name__ != "Marked")
        versions.append((step.after.dice_version, type(step.line.event).__name__))
    assert versions[-1][0] == actor.state.dice_version
