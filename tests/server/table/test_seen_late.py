"""Two commands from one view of one seat: the second is for dice its sender has not seen, and is refused."""

import asyncio
import re
from typing import Any

import pytest

from pubdice.room.log_lines import Moved
from support.asgi_client import Client
from support.house import Pub, seated
from support.html_tree import read

WHY = "The dice have changed since you looked. Nothing happened. Look again, then choose."


async def rolled(pub: Pub, **order: Any) -> tuple[Client, Client, str]:
    """Ann has just rolled at Ann and Bob's table; Bob watches the same seat from a phone of his own."""
    ann, _, code = await seated(pub, **order)
    await ann.done(code, "roll")
    return ann, pub.client("Ann"), code


def dice(pub: Pub, code: str) -> list[str]:
    """The lines of the log that change dice."""
    return [line for line in pub.stored(code) if not re.search(r" marked?\b", line)]


@pytest.mark.parametrize("says", ["the view's", "none", "one to come"])
@pytest.mark.parametrize("second", [{"do": "roll", "marks": [1, 2]}, {"do": "mark", "marks": [1]}, {"do": "reroll"}])
async def test_of_two_keeps_at_once_from_one_view_the_second_changes_no_die(
    pub: Pub, second: dict[str, Any], says: str
) -> None:
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
async def test_a_form_that_was_read_before_the_dice_changed_is_too_late_however_long_it_takes(
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


async def test_a_form_of_an_old_page_is_answered_with_the_dice_as_they_are(pub: Pub) -> None:
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


async def test_every_move_of_the_match_but_a_mark_counts_as_changed_dice(pub: Pub) -> None:
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
