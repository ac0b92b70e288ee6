"""Ask the house: the numbers are those of ``pubdice advise``, a position has an address, a fault a sentence."""

import asyncio
import json
from typing import Any
from urllib.parse import urlencode

import pytest

from pubdice.advice.questions.house_questions import question
from pubdice.games import GAMES
from pubdice.server.http.limits import Limits
from pubdice.server.live import answers
from pubdice.server.live.answers import MOST_ASKED, Answers, ThreadWorker
from pubdice.server.live.solver_process import rank_position
from pubdice.server.rate_limit import Rate
from support.asgi_client import Client
from support.house import Pub, at_the_pub, play_out, seated
from support.html_tree import read
from support.http_wire import Answer

ASKED: list[tuple[str, dict[str, str], dict[str, str]]] = [
    ("midnight", {"locked": "1", "roll": "65432", "to-beat": "18", "ties": "share", "need": "1 4"}, {"goal": "win"}),
    ("midnight", {"roll": "665321", "need": "2 4", "ties": "carry"}, {}),
    ("ship", {"roll": "65432", "cargo": "together", "boxcars": "no"}, {}),
    ("threes", {"roll": "33621", "to-come": "2", "moon": "no"}, {"goal": "win"}),
    ("420", {"hands": "6551,6442"}, {}),
    ("420", {"hands": "6551,6442", "format": "drinks", "player-one": "2"}, {}),
]


async def asked_of(client: Client, target: str, accept: str = "*/*") -> Answer:
    """The answer, once it is worked out."""
    while (answer := await client.get(target, accept)).status == 202:
        assert answer.headers["retry-after"]
    return answer


@pytest.mark.parametrize(("game", "fields", "more"), ASKED, ids=lambda fact: fact if isinstance(fact, str) else "")
@at_the_pub()
async def test_the_numbers_are_those_of_advise_to_the_last_digit(
    pub: Pub, game: str, fields: dict[str, str], more: dict[str, str]
) -> None:
    flags = {**fields, **more}
    if "goal" not in flags:
        flags.pop("ties", None)
    asked = question(GAMES[game], "advise")
    assert asked is not None
    expected = asked.answer(flags)
    ann = pub.client("Ann")
    answer = await asked_of(ann, f"/ask/{game}?{urlencode(fields)}")
    assert (answer.status, answer.data) == (200, json.loads(json.dumps(expected)))
    page = read((await asked_of(ann, f"/ask/{game}?{urlencode(fields)}", "text/html")).text)
    keeps = page.all("li", **{"class": "keep"}) + page.all("li", **{"class": "keep best"})
    assert len(keeps) == len(expected["actions"])
    told = asked.tell(pub.house.config.language("en"), expected)
    assert page.one("h2", id="answer").words() == told[0]
    assert [line.words() for line in page.all("p", **{"class": "line"})] == told[1:]


@at_the_pub()
async def test_an_empty_form_asks_for_each_flag_and_names_every_solved_game(pub: Pub) -> None:
    ann = pub.client("Ann")
    assert (await ann.get("/ask", "text/html")).headers["location"] == "/ask/midnight"
    for game, kit in GAMES.items():
        page = read((await ann.get(f"/ask/{game}", "text/html")).text)
        main = page.one("main")
        fields = {node.attrs["name"] for node in main.all("input", "select")}
        asked = question(kit, "advise")
        assert asked is not None
        assert fields == {flag.name for flag in asked.flags if flag.label}
        assert fields or game == "mexico"
        assert {node.attrs["for"] for node in main.all("label")} == fields | {"record"}
        assert len(main.one("nav").all("a")) == len(GAMES)


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("/ask/midnight?roll=1234567", '"Just rolled" is dice'),
        ("/ask/midnight?roll=012345", "digits 1 to 6"),
        ("/ask/midnight?roll=65432", "6 together"),
        ("/ask/midnight?locked=1&need=1+4", 'Fill in "Just rolled".'),
        ("/ask/midnight?roll=666666&to-beat=99", '"Score to beat" is a whole number'),
        ("/ask/420?hands=6553,66", "dice"),
        ("/ask/420?format=drinks", 'Fill in "All hands'),
        ("/ask?record=nonsense", "pubdice 1"),
        ("/ask?record=pubdice+1%0Agame:+midnight%0Aseats:+Ann,+Bob%0A", "doesn't end where somebody has to choose"),
        (
            "/ask?record=pubdice+1%0Agame:+mexico%0Aseats:+Ann,+Bob,+Cid,+Dot%0A%0Around+1%0AAnn:+41",
            "This match is not solved: it has 600,015 positions or more, and the limit is 600,000.",
        ),
    ],
)
@at_the_pub()
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


@at_the_pub()
async def test_what_is_no_field_and_no_game_is_refused(pub: Pub) -> None:
    ann = pub.client("Ann")
    assert (await ann.get("/ask/midnight?colour=red")).data["code"] == "fields"
    assert (await ann.get("/ask/chess")).status == 404


@at_the_pub()
async def test_a_record_of_any_game_is_a_position(pub: Pub) -> None:
    text = "pubdice 1\ngame: mexico\nseats: Ann, Bob\nformat: lives 2\n\nround 1\nAnn: 41 k- 52\n"
    ann = pub.client("Ann")
    data = (await asked_of(ann, f"/ask?{urlencode({'record': text})}")).data
    assert [action["action"] for action in data["actions"]] == ["k-", "k25"]
    german = pub.client("Ann", "de")
    page = read((await asked_of(german, f"/ask?{urlencode({'record': text})}", "text/html")).text)
    assert "am besten" in page.words()
    assert "Ann" in page.words()


@at_the_pub()
async def test_every_decision_of_a_finished_match_has_its_answer_and_what_was_played(pub: Pub) -> None:
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


@at_the_pub(limits=Limits(questions=Rate(1, 2)))
async def test_questions_have_a_limit(pub: Pub) -> None:
    ann = pub.client("Ann")
    statuses = [(await ann.get("/ask/threes?roll=33621")).status for _ in range(3)]
    assert statuses == [200, 200, 429]


class Held(ThreadWorker):
    """A worker that works when it is let."""

    def __init__(self) -> None:
        self.may = asyncio.Event()
        self.asked = 0

    async def run(self, work: Any, *arguments: object) -> Any:
        self.asked += 1
        await self.may.wait()
        return work(*arguments)


def test_a_slow_question_is_worked_out_once_and_answered_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0.01)
    roll = (("roll", "33621"),)

    async def evening() -> None:
        worker = Held()
        house = Answers(worker)
        assert await house.by_flags("threes", roll, "en") is None
        assert await house.by_flags("threes", roll, "en") is None
        worker.may.set()
        while (answer := await house.by_flags("threes", roll, "en")) is None:
            pass
        assert answer == rank_position("threes", roll, "en", None)
        assert worker.asked == 1

    asyncio.run(evening())


def test_no_more_questions_wait_than_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0.001)

    async def evening() -> None:
        worker = Held()
        house = Answers(worker)
        for number in range(MOST_ASKED):
            await house.by_flags("threes", (("roll", str(number)),), "en")
        with pytest.raises(Exception, match="asks-waiting"):
            await house.by_flags("threes", (("roll", "one more"),), "en")
        worker.may.set()
        while await house.by_flags("threes", (("roll", str(MOST_ASKED - 1)),), "en") is None:
            pass
        assert await house.by_flags("threes", (("roll", "one more"),), "en") is not None

    asyncio.run(evening())


def test_no_position_waits_for_the_figures_of_best_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0.01)

    async def evening() -> None:
        held = Held()
        house = Answers(ThreadWorker(), figures=held)
        assert await house.figure("threes", "spread", "en") is None
        while (answer := await house.by_flags("threes", (("roll", "33621"),), "en")) is None:
            pass
        assert answer == rank_position("threes", (("roll", "33621"),), "en", None)
        assert held.asked == 1
        held.may.set()
        while await house.figure("threes", "spread", "en") is None:
            pass

    asyncio.run(evening())
