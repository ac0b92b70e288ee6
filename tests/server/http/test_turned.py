"""The turn of a match on the web. It begins at the end of a watched match, and equals the one on the receipt."""

import asyncio
import gc
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest.mock import Mock
from xml.etree import ElementTree

import pytest

from pubdice.advice import luck_rank, review
from pubdice.advice.turning import TurningPoint
from pubdice.core.dice import SIX
from pubdice.core.errors import Refused
from pubdice.server import answers, jobs
from pubdice.server.answers import AHEAD, MOST_OF_ONE, MOST_TURNING_POINTS, Answers
from pubdice.server.finished_match import FinishedMatch
from pubdice.server.jobs import MatchRecord, NoAnswer, find_turning_point, rank_position
from pubdice.server.pages import preview, turned
from pubdice.server.pages.turned import TurningShown
from pubdice.server.processes import DirectWorker, ThreadWorker
from pubdice.server.result_picture import wide_picture
from pubdice.server.web.limits import Rate
from pubdice.text.catalogues import language
from server.http.test_ask import Held, asked_of
from server.http.test_receipt import played
from support.asgi_client import Client
from support.house import UNLIMITED, Pub, at_the_pub, play_out, seated
from support.html_tree import Node, read


@pytest.fixture(autouse=True)
def few_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck_rank, "MOST_REPLAYS", 25)


class Noted(ThreadWorker):
    """A worker that says what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def run(self, work: Callable[..., Any], *arguments: object) -> Any:
        self.asked.append(work.__name__)
        return await super().run(work, *arguments)


def noted(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The jobs that the house's worker is asked for from now on."""
    worker = Noted()
    monkeypatch.setattr(pub.worker, "run", worker.run)
    return worker.asked


async def end_of(client: Client, code: str) -> Node:
    return read((await client.page(code)).text).one("section", id="play")


async def test_it_is_the_turn_of_the_receipts_page_told_to_its_reader(pub: Pub) -> None:
    ann, code = await played(pub, form="rounds 2")
    data = (await asked_of(ann, f"/t/{code}/turn")).data
    page = read((await asked_of(ann, f"/t/{code}/receipt", "text/html")).text)
    told = next(node.words() for node in page.all("p") if "It turned here" in node.words())
    assert f"{data['told'].partition('.')[0]}." in told
    receipt = (await asked_of(ann, f"/t/{code}/receipt")).data
    assert data["line"] == pytest.approx([pytest.approx(row, abs=0.001) for row in receipt["line"]])
    assert data["names"] == ["Ann", "Bob"]
    stranger = (await asked_of(pub.client("Eve"), f"{pub.house.link(code)}/turn")).data
    assert "You" not in stranger["told"]
    assert ("You" in data["told"]) == ("Ann" in stranger["told"])


async def test_the_end_of_a_match_has_a_link_and_then_the_turn(pub: Pub) -> None:
    ann, code = await played(pub, form="rounds 2")
    link = f"{pub.house.link(code)}/receipt"
    page = await end_of(ann, code)
    slip = page.one("section", id="turned")
    assert slip.attrs["class"] == "slip needs-js", "a page that can ask leaves it its room"
    assert [node.attrs["href"] for node in slip.all("a")] == [link]
    assert [node.attrs["href"] for node in page.one("p", **{"class": "nojs"}).all("a")] == [link]
    data = (await asked_of(ann, f"/t/{code}/turn")).data
    page = await end_of(ann, code)
    slip = page.one("section", id="turned")
    assert slip.attrs["class"] == "slip", "without scripts, too"
    assert slip.one("h2").words() == f"It turned here {data['where']}"
    assert slip.words().endswith(f"{data['told']} What decided it")
    assert slip.one("svg").all("circle")
    assert "open a table" not in str(slip.one("svg").attrs["aria-label"]), "none is there"
    replay = page.one("a", id="replay")
    again = (f"{link}?again=1", "Play it again") if data["choices"] else (link, "Move by move")
    assert (replay.attrs["href"], replay.words()) == again


async def test_a_later_reader_has_the_turn_in_another_language(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs._weighing.cache_clear()  # another test may have played the same
    weighed = Mock(wraps=review.reviewing)
    monkeypatch.setattr("pubdice.advice.analysis.reviewing", weighed)
    ann, bob, code = await seated(pub, rules={"format": "rounds 2"})
    await ann.look(code)
    await play_out(pub, code, [ann, bob])
    turn = await _begun(pub, code)
    link = pub.house.link(code)
    for speaks in ("de", "es"):
        client = pub.client("Later", speaks)
        assert (await end_of(client, link.removeprefix("/t/"))).all("section", id="turned"), "its page asks"
        answer = await asked_of(client, f"{link}/turn")
        assert (answer.status, answer.data["move"]) == (200, turn.move)
        assert answer.data["utility"] == language(speaks).say(turn.utility) != turn.utility
        slip = (await end_of(client, link.removeprefix("/t/"))).one("section", id="turned")
        assert " ".join(answer.data["told"].split()) in slip.words()
    assert weighed.call_count == 1


async def test_picture_slip_and_receipt_name_the_same_move(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[FinishedMatch] = []
    monkeypatch.setattr(preview, "can_draw", drawn.append)
    asked = noted(pub, monkeypatch)
    ann, bob, code = await seated(pub, rules={"format": "rounds 2"})
    await ann.look(code)
    await play_out(pub, code, [ann, bob])
    turn, link = await _begun(pub, code), pub.house.link(code)
    tall = await pub.client("Eve").get(f"{link}/receipt.svg")
    assert "max-age" in tall.headers["cache-control"], "there is nothing more to come"
    assert "accept-language" in tall.headers["vary"], "a reader may choose another language"
    await pub.client("Chat").get(f"{link}/preview.png")
    assert set(asked) == {"find_turning_point"}
    told = f"It turned here: {SIX.shown(turn.dice)} in round {turn.round}"
    assert told in ["".join(node.itertext()) for node in ElementTree.fromstring(tall.text).iter()]
    assert [" ".join(found.turned) for found in drawn] == [told]
    assert [wide_picture(found).count("<polyline") for found in drawn] == [2]
    assert [found.change for found in drawn] == [f"{turn.names[turn.seat]}: {' → '.join(turn.change)}"]
    slip = (await end_of(ann, code)).one("section", id="turned")
    page = read((await asked_of(ann, f"{link}/receipt", "text/html")).text).one("main")
    assert turn.told_to(0) in slip.words()
    assert turn.told_to(0) in next(node.words() for node in page.all("p") if "It turned here:" in node.words())
    assert page.all("a", href=f"{link}/receipt?step={turn.move}#step")
    mover = {turn.seat}
    assert marked(slip, turn) == marked(page, turn) == mover
    assert {1 - seat for seat in marked(read(tall.text), turn)} == mover, "it draws the first seat last"


def marked(page: Node, turn: TurningPoint) -> set[int]:
    """The lines of a chart that the golden dot is on, half way through the move."""
    dot = next(node for node in page.all("circle") if node.attrs["fill"] == "#edb64d")
    place = [float(str(dot.attrs[name])) for name in ("cx", "cy")]
    found = set[int]()
    for at, line in enumerate(page.all("polyline")):
        points = [tuple(map(float, point.split(","))) for point in str(line.attrs["points"]).split()]
        ends = points[turn.move - 1 : turn.move + 1]
        if place == pytest.approx([sum(axis) / 2 for axis in zip(*ends, strict=True)], abs=0.11):
            found.add(at)
    return found


async def test_a_known_receipt_gives_picture_and_slip_its_turn(pub: Pub) -> None:
    ann, code = await played(pub)
    await asked_of(ann, f"/t/{code}/receipt")
    answers = pub.house.answers
    assert answers.known(find_turning_point, MatchRecord((code, _seq(pub, code))), "en") is None
    assert read((await ann.get(f"/t/{code}/receipt.svg")).text).all("polyline")
    assert (await end_of(ann, code)).one("section", id="turned").all("circle")
    assert (await ann.get(f"/t/{code}/turn")).status == 200


async def test_it_is_not_begun_where_nobody_watches(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = noted(pub, monkeypatch)
    ann, bob, code = await seated(pub)
    await play_out(pub, code, [ann, bob])
    await pub.settle()
    assert asked == []


async def test_a_house_without_a_worker_shows_the_link_alone(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a browser's Python moves would wait for it."""
    monkeypatch.setattr(pub.house, "answers", Answers(DirectWorker()))
    asked = noted(pub, monkeypatch)
    ann, bob, code = await seated(pub)
    await ann.look(code)
    await play_out(pub, code, [ann, bob])
    page = await end_of(ann, code)
    assert not page.all("section", id="turned")
    assert page.all("a", href=f"{pub.house.link(code)}/receipt")
    assert asked == []


async def crowded(pub: Pub, number: int, **rules: Any) -> tuple[Client, str]:
    """A match of so many players that is over: the host, a watcher of it, and its code."""
    people = [pub.client(f"P{number}") for number in range(number)]
    code = await people[0].order(people=number, **rules)
    for client in people[1:]:
        await client.done(code, "sit", name=client.name)
    await people[0].look(code)
    await play_out(pub, code, people)
    return people[0], code


@pytest.mark.parametrize(
    ("game", "form", "number", "why"),
    [
        ("midnight", "rounds 1", 7, "Midnight is solved for 6 seats at most."),
        ("ship", "total 1", 3, "If scores add up, Ship, Captain and Crew is solved for two players."),
        ("420", "drinks", 6, "420 is solved for 5 seats at most."),
    ],
)
async def test_a_match_of_too_many_players_says_so_at_once(  # noqa: PLR0917
    pub: Pub, game: str, form: str, number: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = noted(pub, monkeypatch)
    host, code = await crowded(pub, number, game=game, rules={"format": form})
    page = await end_of(host, code)
    await pub.settle()
    answer = await host.get(f"/t/{code}/turn")
    assert (answer.status, answer.data["why"]) == (422, why)
    assert asked == [], "nobody need try"
    assert why in page.words()
    assert not page.all("section", id="turned"), "a page waits for nothing"
    assert dead(page) == []


async def test_a_match_whose_like_was_tried_in_vain_says_so_at_once(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mexico with three or four who have lives takes seconds to find too large."""

    def refused(*_: object) -> NoAnswer:
        return NoAnswer("too-large", "This match is too large.")

    ann, bob, code = await seated(pub, game="mexico", rules={"format": "lives 1"})
    await play_out(pub, code, [ann, bob])
    assert (await end_of(ann, code)).all("section", id="turned")
    monkeypatch.setattr(turned, "find_turning_point", refused)
    assert (await asked_of(ann, f"/t/{code}/turn")).status == 422
    await end_of(ann, code)
    monkeypatch.undo()
    ann, bob, code = await seated(pub, game="mexico", rules={"format": "lives 1"})
    await play_out(pub, code, [ann, bob])
    page = await end_of(ann, code)
    assert "This match is too large." in page.words()
    assert dead(page) == page.all("section", id="turned") == []
    ann, bob, code = await seated(pub, game="mexico", rules={"format": "lives 2"})
    await play_out(pub, code, [ann, bob])
    assert (await end_of(ann, code)).all("section", id="turned"), "another format may be small enough"


def dead(page: Node) -> list[Node]:
    """The links of a page to what a solver would have to work out."""
    return [link for link in page.all("a") if re.search("/(receipt|ask)", str(link.attrs["href"]))]


@at_the_pub(limits=replace(UNLIMITED, records=Rate(1 / 60, 1)))
async def test_the_phones_of_a_table_have_its_log_read_once(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0.01)
    ann, code = await played(pub)
    held = Held()
    monkeypatch.setattr(pub.worker, "run", held.run)
    address = f"{pub.house.link(code)}/turn"
    asked = [await client.get(address) for client in (ann, pub.client("Bob"), pub.client("Eve"), ann)]
    assert [answer.status for answer in asked] == [202] * 4
    held.may.set()
    assert (await asked_of(ann, address)).data["names"] == ["Ann", "Bob"]


async def test_a_slip_is_drawn_once_for_each_reader(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int | None] = []

    def drawing(found: TurningPoint, you: int | None) -> TurningShown:
        drawn.append(you)
        return TurningShown(told=found.told_to(you))

    monkeypatch.setattr(turned, "_drawn", drawing)
    ann, code = await played(pub)
    await asked_of(ann, f"/t/{code}/turn")
    known = id(await _begun(pub, code))
    for reader in (ann, pub.client("Eve"), ann):
        await end_of(reader, code)
    assert drawn == [0, None]
    pub.house.answers._found.clear()
    gc.collect()
    assert known not in [id(kept) for kept in gc.get_objects() if type(kept) is TurningPoint]


async def _begun(pub: Pub, code: str) -> TurningPoint:
    """The turn of a match that has just ended, once it is known."""
    while (found := pub.house.answers.known(find_turning_point, MatchRecord((code, _seq(pub, code))), "en")) is None:
        await asyncio.sleep(0.01)
    assert isinstance(found, TurningPoint)
    return found


def _seq(pub: Pub, code: str) -> int:
    live = pub.actor(code).state.match
    assert live is not None
    return live.state.seq


async def test_a_question_asked_ahead_waits_for_those_of_players(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0.01)

    class Slow(Held):
        def __init__(self) -> None:
            super().__init__()
            self.order: list[object] = []

        async def run(self, work: Any, *arguments: object) -> Any:
            await self.may.wait()
            self.order.append(arguments[1])
            return "found"

    worker = Slow()
    house = Answers(worker)
    rolls = [(("roll", f"3362{face}"),) for face in range(1, 5)]
    await house.ask("Ann", rank_position, "threes", rolls[0], "en")  # at work
    ahead, own = MatchRecord(("AHEAD", 1), "record"), MatchRecord(("BOBS", 1), "record")
    await house.ask(AHEAD, find_turning_point, ahead, "en")
    for person in ("Ann", "Bob", "Cid"):
        await house.ask(person, rank_position, "threes", rolls[1 + ("Ann", "Bob", "Cid").index(person)], "en")
    await house.ask("Bob", find_turning_point, own, "en")
    worker.may.set()
    while house.known(find_turning_point, ahead, "en") is None:
        await asyncio.sleep(0)
    assert worker.order[-1] == ahead
    assert own in worker.order[:-1]


async def test_no_more_is_asked_ahead_than_one_asker_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages of the others ask by themselves."""
    monkeypatch.setattr(answers, "WAIT_S", 0.01)
    house, begun = Answers(Held()), 0
    for seq in range(MOST_OF_ONE + 3):
        try:
            await house.ask(AHEAD, find_turning_point, MatchRecord(("CODE", seq), "record"), "en")
        except Refused:
            continue
        begun += 1
    assert begun == MOST_OF_ONE


async def test_no_more_turns_are_kept_than_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 5)
    worker = Held()
    worker.may.set()
    house = Answers(worker)
    places = [MatchRecord(("CODE", seq), "nonsense") for seq in range(MOST_TURNING_POINTS + 5)]
    for place in places:
        await house.ask("Ann", find_turning_point, place, "en")
    known = [house.known(find_turning_point, place, "en") is not None for place in places]
    assert known == [False] * 5 + [True] * MOST_TURNING_POINTS
