"""Chances shown at a table: exact, after the dice and never before them, in every game. Nowhere else anything of it."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from pubdice.games import GAMES
from pubdice.match.header import RawHeader
from pubdice.server.answers import _Queue
from pubdice.server.charts import MOST_ROWS
from pubdice.server.jobs import find_turning_point, tell_chances
from pubdice.server.table import shown_chances
from pubdice.server.table.lessons import rules_of
from pubdice.server.table.shown_chances import AT_ONCE
from pubdice.text.catalogues import language
from server.http.test_ask import Held
from support.asgi_client import Stream
from support.house import Pub, growing, play_out, play_turn, seated, table_of
from support.html_tree import Node, read

CLOSE = 0.00051
"""Half of a tenth of a percent, as chances are printed."""


async def worked_out(pub: Pub, code: str, speaks: str = "en") -> None:
    """Wait until all chances of a table are worked out, with those of its last move."""
    line = pub.actor(code).spectators.chances
    for _ in range(600):
        await pub.settle()
        shown = line.panel(speaks)  # asks again for what a busy machine did not answer
        if not line._busy and (shown is None or shown.why or (shown.seats and not shown.behind)):
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it takes too long")


def panels(stream: Stream) -> list[dict[str, Any]]:
    """The panels of chances that a stream brought, in order."""
    return [message.data for message in stream.messages if message.event == "chances"]


def shown(panel: Node) -> list[float]:
    """The chances that a panel shows."""
    return [float(node.words().removesuffix("%")) / 100 for node in panel.all("b")]


def exact(pub: Pub, code: str) -> list[float]:
    """The chances as the solver has them."""
    state = pub.actor(code).state
    assert state.match is not None
    kit = GAMES[state.setup.rules["game"]]
    match = kit.match(kit.normalize(RawHeader(dict(rules_of(state)))))
    assert kit.solver is not None
    return list(kit.solver(match).values(state.match.state.match))


SLOW = ("mexico", "midnight", "threes")


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=pytest.mark.nightly if game in SLOW else ()) for game in GAMES]
)
async def test_the_page_shows_what_the_solver_says_after_each_move(pub: Pub, game: str) -> None:
    ann, bob, code = await seated(pub, game=game, rules={}, chances=True)
    stream = await bob.look(code)
    await worked_out(pub, code)
    for _ in range(4):
        panel = read(panels(stream)[-1]["html"]).one("section", id="chances")
        assert shown(panel) == pytest.approx(exact(pub, code), abs=CLOSE)
        page = read((await ann.page(code)).text).one("section", id="chances")
        assert page.words() == panel.words()
        assert await play_turn(pub, code, [ann, bob])
        await worked_out(pub, code)
        if pub.actor(code).state.stage == "over":
            return
    assert len(page.one("table").one("tbody").all("tr")) >= 3
    assert (page.one("svg", **{"class": "chart"}).attrs["aria-label"] or "").startswith("Ann: ")


async def test_the_moves_of_a_long_match_are_asked_for_together(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob, code = await seated(pub, game="mexico", rules={"format": "rounds 20"}, chances=True)
    while len(pub.stored(code)) < 2 * AT_ONCE:
        assert await play_turn(pub, code, [ann, bob])
    asked, ask = list[int](), pub.house.services.answers.ask

    async def counted(asker: str, work: Any, *given: Any) -> Any:
        if work is tell_chances:
            asked.append(len(given[1]))
        return await ask(asker, work, *given)

    monkeypatch.setattr(pub.house.services.answers, "ask", counted)
    await bob.look(code)
    await worked_out(pub, code)
    assert sum(asked) > AT_ONCE
    assert len(asked) <= -(-sum(asked) // AT_ONCE), "no question for each move"


async def test_chances_come_after_the_news_of_the_dice(pub: Pub) -> None:
    ann, bob, code = await seated(pub, chances=True, rules={"format": "rounds 1"})
    streams = [await ann.look(code), await bob.look(code)]
    await worked_out(pub, code)
    while await play_turn(pub, code, [ann, bob]):
        await worked_out(pub, code)
    for stream in streams:
        told = 0
        assert len(panels(stream)) > 2
        for message in stream.messages:
            if message.event == "chances":
                assert message.data["seq"] <= told
            else:
                told = message.data["seq"]


async def test_a_table_without_chances_sends_and_works_out_none(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    asked = list[Callable[..., Any]]()

    async def ask(asker: str, work: Callable[..., Any], *given: object) -> None:
        asked.append(work)

    monkeypatch.setattr(pub.house.config.answers, "ask", ask)
    stream = await ann.look(code)
    await play_out(pub, code, [ann, bob])
    await pub.house.background.drain()  # a record is written in a thread
    assert not panels(stream)
    assert asked == [find_turning_point], "the turn of the match, once it is over"
    page = (await pub.client().page(code)).text
    assert 'id="chances"' not in page
    assert "chances.css" not in page


async def test_after_a_restart_the_whole_line_is_there_again(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob, code = await seated(pub, chances=True)
    stream = await ann.look(code)
    for _ in range(6):
        assert await play_turn(pub, code, [ann, bob])
    await worked_out(pub, code)
    before = read(panels(stream)[-1]["html"]).words()
    await pub.restart(kill=True)
    monkeypatch.setattr(shown_chances, "CAUGHT_UP_S", 0)
    assert "working out the chances" in (await ann.page(code)).text
    await worked_out(pub, code)
    assert read((await ann.page(code)).text).one("section", id="chances").words() == before
    stream = await bob.look(code)
    assert read(panels(stream)[0]["html"]).words() == before, "a page that comes later is told at once"
    assert panels(stream)[0]["say"] == ""


async def test_moves_of_a_long_match_keep_numbers_after_a_restart(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown_chances, "MOST_LINES", 6)
    monkeypatch.setattr(shown_chances, "CAUGHT_UP_S", 0)
    ann, bob, code = await seated(pub, chances=True)
    stream = await ann.look(code)
    for _ in range(6):
        assert await play_turn(pub, code, [ann, bob])
    await worked_out(pub, code)
    before = read(panels(stream)[-1]["html"]).one("tbody").all("tr")
    await pub.restart(kill=True)
    await ann.page(code)
    await worked_out(pub, code)
    after = read((await ann.page(code)).text).one("section", id="chances").one("tbody").all("tr")
    assert 0 < len(after) < len(before)
    assert [row.words() for row in after] == [row.words() for row in before[-len(after) :]]


async def test_a_match_that_is_not_solved_says_how_large_it_is(pub: Pub) -> None:
    people, code = await table_of(pub, "Ann", "Bob", "Cid", "Dot", game="mexico", people=4, chances=True)
    stream = await people[0].look(code)
    await worked_out(pub, code)
    assert "the limit is 1,500,000" in read(panels(stream)[-1]["html"]).words()


async def test_the_line_is_bounded(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown_chances, "MOST_MOVES", MOST_ROWS + 5)
    monkeypatch.setattr(shown_chances, "AT_ONCE", 7)
    ann, bob, code = await seated(pub, game="ship", chances=True, rules={"format": "rounds 9"})
    stream = await ann.look(code)
    for _ in range(MOST_ROWS + 20):
        assert await play_turn(pub, code, [ann, bob])
        await worked_out(pub, code)
    line = pub.actor(code).spectators.chances
    assert len(line._moves) == MOST_ROWS + 5
    panel = read(panels(stream)[-1]["html"])
    rows = panel.one("tbody").all("tr")
    assert len(rows) == MOST_ROWS
    state = pub.actor(code).state
    assert state.match is not None
    assert rows[-1].one("th").words() == str(state.match.state.moved)
    assert len(panels(stream)[-1]["html"]) < 16_000


async def test_nothing_is_worked_out_before_the_match(pub: Pub) -> None:
    ann, _, code = await growing(pub, chances=True)
    pub.house.config.answers._work_out = None  # type: ignore[method-assign, assignment]
    await ann.look(code)
    assert 'id="chances"' not in (await ann.page(code)).text
    assert language("en").say("chances shown") in (await ann.page(code)).text


async def test_what_is_taken_back_is_taken_off_the_line(pub: Pub) -> None:
    ann, _, code = await seated(pub, chances=True, dice="real")
    stream = await ann.look(code)
    await ann.done(code, "enter", dice="264135")
    await worked_out(pub, code)
    before = len(read(panels(stream)[-1]["html"]).one("tbody").all("tr"))
    await ann.done(code, "back")
    await ann.done(code, "enter", dice="111111")
    await worked_out(pub, code)
    panel = read(panels(stream)[-1]["html"])
    assert len(panel.one("tbody").all("tr")) == before
    assert shown(panel) == pytest.approx(exact(pub, code), abs=CLOSE)


async def test_chances_of_a_move_taken_back_are_worked_out_again(pub: Pub) -> None:
    ann, _, code = await seated(pub, chances=True, dice="real")
    stream = await ann.look(code)
    await worked_out(pub, code)
    answers, asked = pub.house.config.answers, list[int]()
    work_out = answers.ask

    async def meanwhile(asker: str, work: Any, *given: Any) -> Any:
        found = await work_out(asker, work, *given)
        if found is None:  # a busy machine takes longer than the house waits at a time, and it asks again
            return found
        asked.append(len(given[1]))
        if len(asked) == 1:
            await ann.done(code, "back")
            await ann.done(code, "enter", dice="111111")
        return found

    answers.ask = meanwhile  # type: ignore[method-assign, assignment]
    await ann.done(code, "enter", dice="264135")
    await worked_out(pub, code)
    panel = read(panels(stream)[-1]["html"])
    assert shown(panel) == pytest.approx(exact(pub, code), abs=CLOSE)
    state = pub.actor(code).state
    assert state.match is not None
    assert panel.one("tbody").all("tr")[-1].one("th").words() == str(state.match.state.moved)
    assert len(asked) == 2


def held(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> Held:
    """The worker of the house's chances, which may be held up."""
    worker = Held()
    worker.may.set()
    monkeypatch.setattr(pub.house.config.answers, "_live", _Queue(worker))
    return worker


async def test_chances_of_an_older_position_say_so(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown_chances, "CAUGHT_UP_S", 0.01)
    worker = held(pub, monkeypatch)
    ann, bob, code = await seated(pub, chances=True, rules={"format": "rounds 2"})
    await ann.look(code)
    await worked_out(pub, code)
    worker.may.clear()
    assert await play_turn(pub, code, [ann, bob])
    page = read((await ann.page(code)).text).one("section", id="chances")
    assert "Before the last move." in page.words()
    assert "On average" not in page.words()
    stream = await bob.look(code)
    assert not panels(stream), "nobody is sent an older one"
    worker.may.set()
    await worked_out(pub, code)
    page = read((await ann.page(code)).text).one("section", id="chances")
    assert "Before the last move." not in page.words()
    assert shown(page) == pytest.approx(exact(pub, code), abs=CLOSE)
    assert len(panels(stream)) == 1


async def test_a_page_without_scripts_waits_for_its_chances(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown_chances, "CAUGHT_UP_S", 60.0)
    ann, bob, code = await seated(pub, chances=True, rules={"format": "rounds 2"})
    await ann.look(code)
    await worked_out(pub, code)
    assert await play_turn(pub, code, [ann, bob])
    page = read((await ann.page(code)).text).one("section", id="chances")
    assert shown(page) == pytest.approx(exact(pub, code), abs=CLOSE)


async def test_a_turn_that_ended_among_other_moves_is_heard(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = held(pub, monkeypatch)
    ann, bob, code = await seated(pub, chances=True, rules={"format": "rounds 9"})
    stream = await ann.look(code)
    await worked_out(pub, code)
    before, mover = len(panels(stream)), pub.actor(code).state.mover
    worker.may.clear()
    while pub.actor(code).state.mover == mover:
        assert await play_turn(pub, code, [ann, bob])
    other = pub.actor(code).state.mover
    assert await play_turn(pub, code, [ann, bob])
    assert pub.actor(code).state.mover == other, "the last move ended no turn"
    worker.may.set()
    await worked_out(pub, code)
    said = [news["say"] for news in panels(stream)[before:] if news["say"]]
    assert len(said) == 1
    assert said[0].startswith("Chances with Bob to move: Ann ")
