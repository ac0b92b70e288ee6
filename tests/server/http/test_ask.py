"""Questions over HTTP: a position asked about, whose question comes when, and a page until the answer is there."""

import asyncio
import json
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.requests import Request
from starlette.responses import Response

from pubdice.advice.questions import question
from pubdice.advice.ranking import PositionAdvice, by_flags
from pubdice.advice.seat_chances import SeatChances
from pubdice.core.errors import Refused
from pubdice.games import GAMES
from pubdice.server import answers, jobs
from pubdice.server.answers import MOST_OF_ONE, Answers
from pubdice.server.jobs import NoAnswer, best_play_figure, rank_position, tell_chances
from pubdice.server.pages.visit import SOON_S, PageVisit, soon
from pubdice.server.processes import ThreadWorker
from pubdice.server.table.codes import format_code
from pubdice.server.web.guard import HEADER_VALUES
from pubdice.server.web.limits import Limits, Rate
from pubdice.server.web.render import Frame
from support.asgi_client import Client
from support.house import Pub, at_the_pub, play_out, seated
from support.html_tree import read
from support.http_wire import Answer

ASKED: list[tuple[str, dict[str, str], dict[str, str]]] = [
    ("midnight", {"locked": "1", "roll": "65432", "to-beat": "18", "ties": "share", "need": "1 4"}, {"goal": "win"}),
    ("ship", {"roll": "65432", "cargo": "together", "boxcars": "no"}, {}),
    ("threes", {"roll": "33621", "to-come": "2", "moon": "no"}, {"goal": "win"}),
    ("420", {"hands": "6551,6442"}, {}),
    ("420", {"hands": "6551,6442", "format": "drinks", "player-one": "2"}, {}),
    ("midnight", {"roll": "65432", "locked": "4", "format": "pot", "stake": "2", "round": "2", "chips": "-4,-4"}, {}),
    ("mexico", {"roll": "64", "scores": "33", "limit": "2", "lives-left": "2,1"}, {}),
]

MEXICO_OF_FOUR = "its positions have some 3,100,000 moves, and the limit is 1,500,000. With 3 players it is."
TRIES = 100
"""Each waits 2 s at most for an answer that is worked out."""


async def asked_of(client: Client, target: str, accept: str = "*/*") -> Answer:
    """The answer, once it is worked out."""
    for _ in range(TRIES):
        if (answer := await client.get(target, accept)).status != 202:
            return answer
        assert answer.headers["retry-after"]
    raise AssertionError("it is never worked out")


@pytest.mark.parametrize(("game", "fields", "more"), ASKED, ids=lambda fact: fact if isinstance(fact, str) else "")
async def test_the_numbers_are_those_of_advise_to_the_last_digit(
    pub: Pub, game: str, fields: dict[str, str], more: dict[str, str]
) -> None:
    flags = {**fields, **more}
    if "goal" not in flags:
        flags.pop("ties", None)
    asked = question(GAMES[game], "advise")
    assert asked is not None
    found = asked.answer(flags)
    expected = found.data()
    ann = pub.client("Ann")
    answer = await asked_of(ann, f"/ask/{game}?{urlencode(fields)}")
    assert (answer.status, answer.data) == (200, json.loads(json.dumps(expected)))
    page = read((await asked_of(ann, f"/ask/{game}?{urlencode(fields)}", "text/html")).text)
    keeps = page.all("li", **{"class": "keep"}) + page.all("li", **{"class": "keep best"})
    assert len(keeps) == len(expected["actions"])
    ranked = by_flags(GAMES[game], pub.house.config.language("en"), flags)
    told = [row.line for row in ranked.rows]
    if not isinstance(found, PositionAdvice):  # in a match, a coach speaks
        assert told == found.sentences(pub.house.config.language("en"))
    assert page.one("h2", id="answer").words() == told[0]
    assert [line.words() for line in page.all("p", **{"class": "line"})] == told[1:]


MATCH = {"roll": "65432", "locked": "4", "format": "rounds", "rounds": "3", "round": "3", "wins": "2,1", "scores": "20"}


async def test_a_link_to_a_standing_fills_the_form(pub: Pub) -> None:
    ann = pub.client("Ann")
    link = f"/ask/midnight?{urlencode({**MATCH, 'opener': 'winner', 'ties': 'share'})}"
    text = (await asked_of(ann, link, "text/html")).text
    page = read(text)
    assert "Rounds won: Seat 1 has 2, Seat 2 has 1." in page.words()
    form = next(form for form in page.all("form") if form.attrs.get("action") == "/ask/midnight")
    fields, chosen = dict[str, str | None](), dict[str, str | None]()
    for node in form.all("input"):
        if node.attrs.get("type") != "radio":
            fields[node.attrs["name"] or ""] = node.attrs.get("value")
        elif "checked" in node.attrs:
            chosen[node.attrs["name"] or ""] = node.attrs["value"]
    assert {name: value for name, value in fields.items() if value} == {
        name: value for name, value in MATCH.items() if name != "format"
    }
    assert (chosen["format"], chosen["opener"]) == ("rounds", "winner")
    assert "open" in next(fold.attrs for fold in page.all("details") if "Rounds won" in fold.words())
    german = read((await asked_of(pub.client("Ann", "de"), link, "text/html")).text)
    assert "Platz 1" in german.words()


def test_a_link_and_a_record_of_one_match_share_a_solver() -> None:
    jobs._match_solver.cache_clear()
    asked = tuple({**MATCH, "opener": "rotate"}.items())
    assert rank_position(None, "midnight", asked, "en") == rank_position(None, "midnight", asked, "en")
    record = "pubdice 1\ngame: midnight\nseats: Ann, Bob\nformat: rounds 3\n\nround 1\nAnn: 654321"
    jobs.rank_decision(None, record, None, "en")
    assert jobs._match_solver.cache_info().misses == 1


async def test_an_empty_form_asks_for_each_flag_of_a_game(pub: Pub) -> None:
    ann = pub.client("Ann")
    assert (await ann.get("/ask", "text/html")).headers["location"] == "/ask/midnight"
    for game, kit in GAMES.items():
        page = read((await ann.get(f"/ask/{game}", "text/html")).text)
        main = page.one("main")
        fields = {node.attrs["name"] for node in main.all("input")}
        asked = question(kit, "advise")
        assert asked is not None
        assert fields == {flag.name for flag in asked.flags if flag.label}
        assert ("format" in fields) == (kit.name != "shutbox"), "a position of Shut the Box is a record"
        assert [form.attrs["action"] for form in main.all("form")] == ([f"/ask/{game}", "/ask"] if fields else ["/ask"])
        assert ("open" in main.all("details")[-1].attrs) == (not fields), "the only way to ask stands open"
        labels = {node.attrs["for"] for node in main.all("label")}
        assert labels == {*(node.attrs["id"] for node in main.all("input")), "record"}
        assert not main.all("select"), "a list that is filled in takes a screen reader away from the answer"
        checked = [node.attrs["name"] for node in main.all("input", type="radio") if "checked" in node.attrs]
        assert checked == [flag.name for flag in asked.flags if flag.label and flag.choices]
        assert len(main.one("nav").all("a")) == len(GAMES)


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("/ask/midnight?roll=1234567", '"What did you roll?" is dice'),
        ("/ask/midnight?roll=012345", "digits 1 to 6"),
        ("/ask/midnight?roll=65432", "6 together"),
        ("/ask/midnight?locked=1&need=1+4", 'Fill in "What did you roll?".'),
        ("/ask/midnight?roll=666666&to-beat=99", '"Score to beat" is a whole number'),
        ("/ask/420?hands=6553,66", "dice"),
        ("/ask/midnight?roll=654321&wins=2,0", '"Rounds won, in turn order" goes with "What you play" only.'),
        ("/ask/midnight?roll=654321&format=rounds&round=3&wins=-1,0", "each number is 0 to 2"),
        ("/ask/midnight?roll=654321&format=rounds&rounds=3&round=4&wins=0,0", '"Which round" is a whole number: 1'),
        ("/ask/midnight?roll=654321&format=rounds&to-beat=18", 'In a match, give "Scores of this round'),
        ("/ask/midnight?roll=654321&format=pot&pot-rounds=2&round=3&chips=1,-3", "That match is over already."),
        ("/ask/mexico?roll=64&lives-left=4,1", '"Lives left, in turn order": each number is 0 to 3.'),
        ("/ask/420?format=drinks", 'Fill in "All hands'),
        ("/ask?record=nonsense", "pubdice 1"),
        ("/ask?record=", "There is nothing to read."),
        ("/ask?record=pubdice+1%0Agame:+midnight%0Aseats:+Ann,+Bob%0A", "doesn't end at a player's choice"),
        pytest.param(
            "/ask?record=pubdice+1%0Agame:+mexico%0Aseats:+Ann,+Bob,+Cid,+Dot%0A%0Around+1%0AAnn:+41",
            f"This match is not solved: {MEXICO_OF_FOUR}",
            marks=pytest.mark.nightly,
        ),
    ],
)
async def test_a_position_that_cannot_be_is_refused_in_a_sentence(pub: Pub, target: str, why: str) -> None:
    ann = pub.client("Ann")
    data = await asked_of(ann, target)
    assert data.status == 422
    page = await asked_of(ann, target, "text/html")
    assert page.status == 422
    shown = read(page.text).one("p", id="refusal").words()
    assert why in shown
    assert shown == data.data["why"]
    assert "--" not in shown


async def test_what_is_no_field_and_no_game_is_refused(pub: Pub) -> None:
    ann = pub.client("Ann")
    assert (await ann.get("/ask/midnight?colour=red")).data["code"] == "fields"
    for page in ("ask", "best-play", "prices", "drill"):
        assert (await ann.get(f"/{page}/chess")).status == 404


async def test_each_decision_of_a_finished_match_has_its_answer(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    assert (await ann.get(f"/t/{code}/ask/1")).status == 409
    await play_out(pub, code, [ann, bob])
    first = read((await asked_of(ann, f"/t/{code}/ask/1", "text/html")).text)
    lead = first.one("p", **{"class": "lead"}).words()
    most = int(lead.rpartition(" ")[2])
    assert lead == f"Decision 1 of {most}"
    played = 0
    for number in range(1, most + 1):
        answer = await asked_of(ann, f"/t/{code}/ask/{number}", "text/html")
        assert answer.status == 200
        played += answer.text.count("That was played.")
    assert played == most
    assert (await asked_of(ann, f"/t/{code}/ask/{most + 1}")).status == 422
    assert (await asked_of(ann, f"/t/{code}/ask/0")).status == 422
    over = await ann.page(code)
    assert "/ask/1" in over.text


class Held(ThreadWorker):
    """A worker that works when it is let."""

    def __init__(self) -> None:
        self.may = asyncio.Event()
        self.asked = 0

    async def run(self, work: Any, *arguments: object) -> Any:
        self.asked += 1
        await self.may.wait()
        return work(*arguments)


async def test_an_answer_that_failed_is_worked_out_again() -> None:
    roll = (("roll", "33621"),)
    house = Answers(ThreadWorker())
    failed = asyncio.get_running_loop().create_future()
    failed.set_exception(Refused("asks-waiting"))
    house._found[(rank_position, "threes", roll, "en")] = failed
    assert house.known(rank_position, "threes", roll, "en") is None
    while (answer := await house.ask("Ann", rank_position, "threes", roll, "en")) is None:
        pass
    assert answer == rank_position(None, "threes", roll, "en")


async def test_a_player_asks_nothing_in_their_own_turn(pub: Pub) -> None:
    target = "/ask/threes?roll=33621"
    ann, bob, code = await seated(pub)
    mover, other = (ann, bob) if pub.actor(code).state.mover == 0 else (bob, ann)
    refused = await mover.get(target)
    assert (refused.status, refused.data["code"]) == (409, "own-turn")
    page = read((await mover.get(target, "text/html")).text)
    assert f"It's your turn in Midnight, at table {format_code(code)}." in page.words()
    there = next(node.attrs["href"] for node in page.one("main").all("a") if node.words() == "To the table")
    assert (await mover.get(str(there), "text/html")).status == 200
    assert pub.actor(code).code in str(there)
    assert (await asked_of(other, target)).status == 200
    await mover.done(code, "roll")
    assert (await mover.get(target)).data["code"] == "own-turn"
    await mover.done(code, "give")
    assert (await asked_of(pub.client("Eve"), target)).status == 200


async def test_players_of_a_table_with_lessons_ask_at_any_time(pub: Pub) -> None:
    ann, bob, _ = await seated(pub, lessons=2)
    for client in (ann, bob):
        assert (await asked_of(client, "/ask/threes?roll=33621")).status == 200


async def test_a_long_record_is_asked_about(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 20"})
    await play_out(pub, code, [ann, bob])
    lines = (await pub.house.record(pub.actor(code))).splitlines()
    last = max(number for number, line in enumerate(lines) if " k" in line)
    text = "\n".join([*lines[:last], lines[last].split(" k")[0]])
    assert len(f"/ask?{urlencode({'record': text})}") > 1_024
    answer = await asked_of(pub.client("Eve"), f"/ask?{urlencode({'record': text})}")
    assert answer.status == 200, answer.data


async def test_one_asker_leaves_room_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0.001)
    worker = Held()
    house = Answers(worker)
    for number in range(MOST_OF_ONE):
        await house.ask("Eve", rank_position, "threes", (("roll", str(number)),), "en")
    with pytest.raises(Refused, match="asks-waiting"):
        await house.ask("Eve", rank_position, "threes", (("roll", "one more"),), "en")
    assert await house.ask("Eve", rank_position, "threes", (("roll", "0"),), "en") is None, "it is asked already"
    assert await house.ask("Ann", rank_position, "threes", (("roll", "33621"),), "en") is None
    worker.may.set()
    while await house.ask("Ann", rank_position, "threes", (("roll", "33621"),), "en") is None:
        pass
    while await house.ask("Eve", rank_position, "threes", (("roll", "one more"),), "en") is None:
        pass
    assert not house._asked


@pytest.mark.parametrize("asked_by", [1, 3])
async def test_a_place_is_given_back_before_its_answer_is_told(asked_by: int) -> None:
    """A task that waits for nothing but the answer runs before the worker's next turn of the loop."""
    worker = Held()
    house = Answers(worker)
    asking = [house.ask(f"asker {at}", rank_position, "threes", (("roll", "33621"),), "en") for at in range(asked_by)]
    tasks = [asyncio.ensure_future(each) for each in asking]
    while not worker.asked:
        await asyncio.sleep(0)
    (answer,) = house._found.values()
    worker.may.set()
    await answer
    assert not house._asked
    await asyncio.gather(*tasks)
    assert worker.asked == 1


async def test_what_nobody_asks_for_any_longer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0.001)
    worker = Held()
    house = Answers(worker)
    assert await house.ask("Ann", rank_position, "threes", (("roll", "33621"),), "en") is None
    assert await house.ask("Ann", rank_position, "threes", (("roll", "33622"),), "en") is None
    for waiting in house._asked.values():
        waiting.asked_at -= answers.LEFT_AFTER_S + 1
    worker.may.set()
    while house._found and not all(one.done() for one in house._found.values()):
        await asyncio.sleep(0.01)
    assert worker.asked == 1, "the second had not begun, and nobody waits for it"
    assert await house.ask("Ann", rank_position, "threes", (("roll", "33622"),), "en") is not None
    assert not house._asked


async def test_lessons_and_chances_wait_for_no_strangers_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0.01)
    rules = (("game", "threes"), ("seats", "Ann Bob"))
    house = Answers(Held(), live=ThreadWorker())
    assert await house.ask("Ann", rank_position, "threes", (("roll", "33621"),), "en") is None
    while (found := await house.ask("Ann", tell_chances, rules, (), "en")) is None:
        pass
    assert isinstance(found, SeatChances)


async def test_no_position_waits_for_the_figures_of_best_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0.01)
    held = Held()
    house = Answers(ThreadWorker(), figures=held)
    assert await house.ask("Ann", best_play_figure, "threes", "spread", "en") is None
    while (answer := await house.ask("Ann", rank_position, "threes", (("roll", "33621"),), "en")) is None:
        pass
    assert answer == rank_position(None, "threes", (("roll", "33621"),), "en")
    assert held.asked == 1
    held.may.set()
    while await house.ask("Ann", best_play_figure, "threes", "spread", "en") is None:
        pass


TARGETS = ["/ask/threes?roll=33621", "/best-play/ship", "/prices/ship?format=rounds:2", "/daily", "/drill/threes/1"]


@pytest.mark.parametrize("target", TARGETS)
@at_the_pub(limits=Limits(questions=Rate(1, 2)))
async def test_a_household_that_asks_too_often_is_told_to_wait(
    pub: Pub, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0.0)
    pub.house.answers = Answers(Held())
    ann, statuses = pub.client("Ann"), list[int]()
    for network in (0, 0, 1, 0x100):
        ann.address = f"2001:db8:0:{network:x}::7"
        statuses.append((await ann.get(target)).status)
    assert statuses == [202, 202, 429, 202]


@pytest.mark.parametrize("target", ["/best-play/ship", "/prices/ship?seats=2&format=rounds:2"])
async def test_while_it_is_worked_out_a_page_asks_again(pub: Pub, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0.0)
    ann = pub.client("Ann")
    first = await ann.get(target, "text/html")
    assert first.status == 202
    assert read(first.text).one("main").all("section") == []
    assert read(first.text).all("meta", **{"http-equiv": "refresh"})
    monkeypatch.undo()
    assert (await asked_of(ann, target)).status == 200


TOO_LARGE = NoAnswer("too-large", "Too large.")


@dataclass(frozen=True)
class Shown:
    """A page of one answer."""

    line: str = ""
    refusal: str = ""
    again_s: int = 0


def html(frame: Frame, page: Shown) -> str:
    return page.line or (f"again in {page.again_s}" if page.again_s else f"<p>{page.refusal}")


def visit(accept: str) -> PageVisit:
    scope: dict[str, Any] = {"type": "http", "scheme": "http", "method": "GET", "path": "/", "query_string": b""}
    scope |= {"headers": [], HEADER_VALUES: {b"accept": accept.encode()}, "server": ("house", 80)}
    site: Any = SimpleNamespace(house=None, games=())
    return PageVisit(site, Request(scope))


@pytest.mark.parametrize(
    ("accept", "answer", "status", "body"),
    [
        ("text/html", "4 6", 200, b"4 6"),
        ("*/*", "4 6", 200, b'["4 6"]'),
        ("text/html", None, 202, b"again in 2"),
        ("text/html", TOO_LARGE, 422, b"<p>Too large."),
        ("*/*", TOO_LARGE, 422, b'{"code":"too-large","why":"Too large."}'),
    ],
)
def test_an_answer_is_shown_asked_for_again_or_refused(
    accept: str, answer: str | NoAnswer | None, status: int, body: bytes
) -> None:
    response = visit(accept).worked_out(
        html, Shown(), answer, lambda page, line: replace(page, line=line), lambda page, line: [line]
    )
    assert (response.status_code, response.body) == (status, body)
    assert response.headers.get("retry-after") == (str(SOON_S) if status == 202 else None)


def test_a_page_without_a_place_for_a_refusal_has_its_own() -> None:
    response = visit("text/html").no_answer(TOO_LARGE)
    assert response.status_code == 422
    assert b"Too large." in response.body
    data = visit("*/*").no_answer(TOO_LARGE)
    assert (data.status_code, data.media_type) == (422, "application/json")


def test_a_page_that_waits_keeps_the_status_of_a_refusal() -> None:
    assert (soon(Response(), 0).status_code, "retry-after" in soon(Response(), 0).headers) == (200, False)
    refused = soon(Response(status_code=422), 3)
    assert (refused.status_code, refused.headers["retry-after"]) == (422, "3")
