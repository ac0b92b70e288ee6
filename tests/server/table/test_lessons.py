"""Lessons: hints and warnings are the coach's, for all, at each way to move. Other tables have none."""

import asyncio
from typing import Any

import pytest

from pubdice.games import GAMES
from pubdice.match.header import RawHeader
from pubdice.server.answers import Answers
from pubdice.server.processes import ThreadWorker
from pubdice.server.table.lessons import rules_of
from pubdice.terminal.table_coach import TableCoach
from pubdice.text.catalogues import language
from support.asgi_client import Client
from support.house import Pub, growing, play_out, play_turn, seated
from support.html_tree import read
from support.scripted_cup import ScriptedCup

pytestmark = pytest.mark.usefixtures("patient_solver")

FIRST = (2, 6, 4, 1, 3, 5)
COSTLY = [0]
"""The place of the 2, a bad keep alone."""
BEST = [1]


async def rolled(pub: Pub, lessons: int = 2, **order: Any) -> tuple[Client, Client, str]:
    """Ann has rolled at a table with lessons."""
    pub.cup = ScriptedCup([FIRST, FIRST[:5], FIRST[:5], FIRST[:4], FIRST[:3]])
    ann, bob, code = await seated(pub, lessons=lessons, **order)
    await ann.done(code, "roll")
    return ann, bob, code


async def test_a_costly_choice_is_warned_of_once(pub: Pub) -> None:
    ann, _, code = await rolled(pub)
    before = pub.stored(code)
    warned = await ann.ask(code, "roll", "key-of-ann", marks=COSTLY)
    assert (warned.status, warned.data["code"]) == (409, "costly")
    assert "Keep 2 loses" in warned.data["why"]
    assert "Keep 6 is best." in warned.data["why"]
    assert warned.data["why"].endswith("Nothing has happened yet. If you mean it, do it again.")
    assert pub.stored(code) == before
    assert (await ann.ask(code, "roll", "key-of-ann", marks=COSTLY)).data["code"] == "costly", "sent again by itself"
    await ann.done(code, "roll", marks=COSTLY)
    assert [line.split(" ", 1)[1] for line in pub.stored(code)[len(before) :]][:2] == ["play k2 0", "roll 26413"]


async def test_a_good_choice_and_what_loses_less_go_ahead(pub: Pub) -> None:
    ann, _, code = await rolled(pub)
    await ann.done(code, "roll", marks=BEST)
    bob = pub.client("Bea")
    other = await bob.order(rules={"format": "rounds 2"}, lessons=50)
    await pub.client("Cid").done(other, "sit", name="Cid")
    pub.cup = ScriptedCup([FIRST, FIRST[:5]])
    await bob.done(other, "roll")
    await bob.done(other, "roll", marks=COSTLY)


async def test_typed_moves_and_forms_are_warned_of_alike(pub: Pub) -> None:
    ann, _, code = await rolled(pub)
    before = pub.stored(code)
    typed = await ann.ask(code, "type", text="k 2 r")
    assert (typed.status, typed.data["code"]) == (409, "costly")
    assert pub.stored(code) == before, "all of a line or none of it"
    await ann.done(code, "mark", marks=[4])
    link = pub.house.link(code)
    warned = await ann.send(link, do="roll", key="key-of-form")
    assert warned.status == 409
    assert "Keep 3 loses" in read(warned.text).one("p", id="refusal").words()
    assert (await ann.send(link, do="roll", key="another-key")).status == 303, "the same choice once more"


async def test_another_choice_and_the_next_decision_are_warned_of_too(pub: Pub) -> None:
    ann, _, code = await rolled(pub)
    pub.cup = ScriptedCup([(1, 4, 6, 6, 5)])
    assert (await ann.ask(code, "roll", marks=COSTLY)).status == 409
    assert (await ann.ask(code, "roll", marks=[4])).status == 409, "a 3 alone is another bad keep"
    await ann.done(code, "roll", marks=COSTLY)
    again = await ann.ask(code, "roll", marks=[5])
    assert again.data["code"] == "costly", "another roll, another decision"


async def test_a_command_sent_again_gets_its_answer_and_no_warning(pub: Pub) -> None:
    ann, bob, code = await seated(pub, game="mexico", rules={}, lessons=1)
    pub.cup = ScriptedCup([(4, 1), (3, 3), (6, 5)])
    mover = ann if pub.actor(code).state.mover == 0 else bob
    await mover.done(code, "roll")
    first = await mover.ask(code, "roll", "key-of-ann")
    assert first.status == 200, "rolling a 41 again is best"
    again = await mover.ask(code, "roll", "key-of-ann")
    assert (again.status, again.body) == (200, first.body), "though rolling the double 3 again would be costly"
    assert (await mover.ask(code, "roll", "another-key")).data["code"] == "costly"


async def test_tables_without_lessons_ask_no_solver(pub: Pub) -> None:
    pub.cup = ScriptedCup([FIRST, FIRST[:5]])
    pub.house.config.answers._work_out = None  # type: ignore[method-assign, assignment]
    ann, _, code = await seated(pub)
    await ann.done(code, "roll")
    assert (await ann.ask(code, "hint")).data["code"] == "no-lessons"
    await ann.done(code, "roll", marks=COSTLY)


async def test_hints_are_for_the_mover_and_those_of_the_terminal(pub: Pub) -> None:
    ann, bob, code = await rolled(pub)
    state = pub.actor(code).state
    assert state.match is not None
    kit, tongue = GAMES["midnight"], language("en")
    match = kit.match(kit.normalize(RawHeader(dict(rules_of(state)))))
    told = " ".join(TableCoach(kit, match, tongue).advice(state.match.state.match, others=1))
    assert (await ann.ask(code, "hint")).data["said"] == told
    assert (await ann.ask(code, "type", text="hint")).data["said"] == told
    for speaks, word, best in (("de", "Tipp", "Am besten: "), ("es", "pista", "Lo mejor es ")):
        there = pub.client("Ann", speaks=speaks)
        said = (await there.ask(code, "type", text=word)).data["said"]
        assert said == (await there.ask(code, "type", text="hint")).data["said"]
        assert best in said
    page = read((await ann.send(pub.house.link(code), do="hint", key="key-of-form")).text)
    assert page.one("p", id="hint").words() == told
    assert (await bob.ask(code, "hint")).data["code"] == "not-your-turn"
    assert (await pub.client("Eve").ask(code, "hint")).status == 403
    await ann.done(code, "roll", marks=BEST)
    german = pub.client("Ann", speaks="de")
    assert "Am besten: " in (await german.ask(code, "hint")).data["said"]


async def test_a_match_that_is_not_solved_says_so_and_goes_on(pub: Pub) -> None:
    people = [pub.client(name) for name in ("Ann", "Bob", "Cid", "Dot")]
    code = await people[0].order(game="mexico", people=4, lessons=1)
    pub.cup = ScriptedCup([(3, 1), (3, 1)])
    for client in people[1:]:
        await client.done(code, "sit", name=client.name)
    mover = people[int(pub.actor(code).state.mover or 0)]
    await mover.done(code, "roll")
    while "One moment" in (said := (await mover.ask(code, "hint")).data["said"]):
        await asyncio.sleep(0.1)
    assert "the limit is 1,500,000" in said
    await mover.done(code, "roll")


class Slow(ThreadWorker):
    """A worker that never comes to an end."""

    async def run(self, work: Any, *arguments: object) -> Any:
        await asyncio.Event().wait()


async def test_a_move_waits_for_no_solver_that_takes_long(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pubdice.server.answers.WAIT_S", 0.01)
    ann, _, code = await rolled(pub)
    pub.actor(code).lessons._answers = Answers(Slow())
    assert "One moment" in (await ann.ask(code, "hint")).data["said"]
    await ann.done(code, "roll", marks=COSTLY)


class Counted(ThreadWorker):
    """A worker that notes what it works out."""

    def __init__(self) -> None:
        self.done: list[object] = []

    async def run(self, work: Any, *arguments: object) -> Any:
        self.done.append(arguments)
        return await super().run(work, *arguments)


async def test_a_choice_is_weighed_as_its_dice_fall(pub: Pub) -> None:
    ann, bob, code = await seated(pub, lessons=2)
    counted = Counted()
    pub.actor(code).lessons._answers = Answers(counted)
    mover = ann if pub.actor(code).state.mover == 0 else bob
    await mover.done(code, "roll")
    for _ in range(400):
        await pub.settle()
        if not pub.house.background._tasks:
            break
        await asyncio.sleep(0.05)
    assert len(counted.done) == 1, "before anybody has chosen"
    await mover.ask(code, "hint")
    assert len(counted.done) == 1, "the hint is that"


async def test_the_host_turns_lessons_on_and_off_before_the_match(pub: Pub) -> None:
    ann, _, code = await growing(pub)
    await ann.done(code, "rules", lessons=5, chances=True)
    assert "lessons; chances shown" in (await ann.page(code)).text
    await pub.restart()
    assert (pub.actor(code).state.setup.lessons, pub.actor(code).state.setup.chances) == (5, True)
    await ann.done(code, "rules", lessons=0, chances=False)
    await pub.restart()
    assert (pub.actor(code).state.setup.lessons, pub.actor(code).state.setup.chances) == (0, False)
    assert (await ann.ask(code, "rules", lessons=51)).status == 422


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_is_played_to_its_end_with_lessons(pub: Pub, game: str) -> None:
    ann, bob, code = await seated(pub, game=game, lessons=50, rules={})
    clients, hint = [ann, bob], ""
    while not hint:
        view = await pub.view(code)
        mover = next(one for one in clients if one.person in pub.actor(code).state.chairs[view["mover"]].people)
        if view["ask"] in ("keep", "move"):
            while "One moment" in (hint := (await mover.ask(code, "hint")).data["said"]):
                await asyncio.sleep(0.1)
        else:
            assert await play_turn(pub, code, clients)
    assert " best" in hint or "equally good" in hint
    assert (await play_out(pub, code, clients))["stage"] == "over"


async def test_a_hint_that_comes_after_the_choice_says_nothing_of_it(pub: Pub) -> None:
    ann, _, code = await rolled(pub)
    await pub.house.background.drain()  # the choice is weighed already
    answers = pub.house.config.answers
    work_out = answers.ask

    async def meanwhile(asker: str, work: Any, *given: Any) -> Any:
        found = await work_out(asker, work, *given)
        answers.ask = work_out  # type: ignore[method-assign]
        await ann.done(code, "roll", marks=BEST)
        return found

    answers.ask = meanwhile  # type: ignore[method-assign, assignment]
    late = (await ann.ask(code, "hint")).data["said"]
    assert late == "That choice is made already. Ask for a hint at the next one."
    assert "is best" in (await ann.ask(code, "hint")).data["said"]
