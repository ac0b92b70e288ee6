"""Last orders on the web: graded as ``pubdice advise`` does, once a day, with nothing but a cookie for the streak."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import pytest

from pubdice.advice.days import DAY_MS, written_day
from support.asgi_client import Client
from support.console import Room
from support.house import Pub
from support.html_tree import read
from support.http_wire import Answer

TODAY = 214
FORM = "application/x-www-form-urlencoded"


class Visitor:
    """A browser that keeps the cookie of the days or of the drill, and no other."""

    def __init__(self, pub: Pub, speaks: str = "en") -> None:
        self.client, self.cookie = Client(pub, "", speaks), "none=1"

    async def get(self, target: str = "/daily", accept: str = "text/html") -> Answer:
        while (answer := await self.client.request("GET", target, accept=accept, cookie=self.cookie)).status == 202:
            assert answer.headers["retry-after"]
        return answer

    async def data(self, target: str = "/daily") -> dict[str, Any]:
        return dict((await self.get(target, "application/json")).data)

    async def post(self, fields: Mapping[str, str], target: str = "/daily", **more: str) -> Answer:
        headers = {"content_type": FORM, "accept": "text/html", "cookie": self.cookie, **more}
        answer = await self.client.request("POST", target, urlencode(fields).encode(), **headers)
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer

    async def reply(self, which: int = 0) -> Answer:
        """Answer today's position, by the form as it stands on the page."""
        form = read((await self.get()).text).one("main").one("form")
        hidden = form.one("input", type="hidden")
        fields = {str(hidden.attrs["name"]): str(hidden.attrs["value"])}
        choices = [str(node.attrs["value"]) for node in form.all("button", name="keep")]
        return await self.post({**fields, "keep": choices[which]})


@pytest.mark.parametrize("after", range(5))
async def test_the_grade_is_what_advise_says_is_lost_to_the_last_digit(pub: Pub, after: int) -> None:
    pub.clock.ms += after * DAY_MS
    ann = Visitor(pub)
    question = await ann.data()
    assert question["answer"] is None, "nothing of the answer before it is given"
    assert question["number"] == TODAY + after
    room = Room(games=pub.games)
    replied = await ann.reply()
    assert (replied.status, replied.headers["location"]) == (303, "/daily")
    shown = await ann.data()
    advised = room.run(f"advise {question['game']} {_file(pub, str(question['record']))} --json")
    assert shown["answer"] == json.loads(advised.out)
    choices = question["choices"]
    lost = next(each for each in json.loads(advised.out)["actions"] if each["action"] == choices[0])["lost"]
    page = read((await ann.get()).text)
    percent = f"{100 * lost:.1f}%"
    assert page.one("h1").words() == (
        "Best!" if not lost else f"Close: {percent} off" if lost < 0.05 else f"{percent} off"
    )
    (mine,) = [row for row in page.all("li") if "chosen" in str(row.attrs.get("class"))]
    assert "Your answer." in mine.words()
    assert page.one("p", id="line").words().startswith(f"Last orders {TODAY + after} · ")
    room.now_ms = int(pub.house.now())
    terminal = json.loads(room.run("daily --json").out)
    assert terminal == question


def _file(pub: Pub, record: str) -> str:
    path = pub.path.with_name("position.record")
    path.write_text(record, encoding="utf-8")
    return str(path)


async def test_a_second_answer_changes_nothing(pub: Pub) -> None:
    ann = Visitor(pub)
    await ann.reply(0)
    kept, page = ann.cookie, (await ann.get()).text
    again = await ann.post({"day": written_day(TODAY), "keep": "k3"})
    assert (again.status, "set-cookie" in again.headers) == (303, False)
    assert (ann.cookie, (await ann.get()).text) == (kept, page)


async def test_days_make_a_streak_and_a_missed_one_is_a_blank(pub: Pub) -> None:
    ann = Visitor(pub)
    for running in (1, 2, 3):
        await ann.reply()
        assert f"· {running} day" in read((await ann.get()).text).one("p", id="line").words()
        pub.clock.ms += DAY_MS
    asked = read((await ann.get()).text)
    assert "3 days running" in asked.words()
    pub.clock.ms += DAY_MS
    assert "running" not in read((await ann.get()).text).one("main").words()
    await ann.reply()
    page = read((await ann.get()).text)
    assert page.one("p", id="line").words().partition("1 day")[1]
    days = page.one("ol", **{"class": "days"}).all("li")
    assert [day.attrs["class"] == "missed" for day in days] == [False, False, False, True, False]
    assert "best: 3" in page.words()


@pytest.mark.parametrize(
    "cookie",
    [
        "daily=x",
        "daily=1.214.9.9.b0~00",
        "daily=",
        "daily=~",
        "daily=1.214.1.1.b0",
        "daily=\xff~\xe9",
        "daily=" + "9" * 400,
    ],
)
async def test_a_cookie_the_house_did_not_write_is_a_fresh_start(pub: Pub, cookie: str) -> None:
    ann = Visitor(pub)
    ann.cookie = cookie
    answer = await ann.get()
    assert answer.status == 200
    assert len(read(answer.text).one("main").all("form")) == 1
    assert (await ann.reply()).status == 303
    assert "1 day" in (await ann.get()).text


async def test_a_cookie_with_one_character_changed_is_a_fresh_start(pub: Pub) -> None:
    ann = Visitor(pub)
    await ann.reply()
    signed = ann.cookie
    assert "Path=/daily" in (await Visitor(pub).reply()).headers["set-cookie"]
    for at in range(len("daily="), len(signed)):
        ann.cookie = signed[:at] + ("0" if signed[at] != "0" else "1") + signed[at + 1 :]
        assert 'name="keep"' in (await ann.get()).text


async def test_an_earlier_day_stands_with_its_answer_and_ones_own(pub: Pub) -> None:
    ann, eve = Visitor(pub), Visitor(pub)
    await ann.reply(1)
    pub.clock.ms += DAY_MS
    link = read((await ann.get()).text).one("a", href=f"/daily/{written_day(TODAY)}")
    assert link.words() == "Yesterday"
    mine, theirs = [read((await each.get(str(link.attrs["href"]))).text) for each in (ann, eve)]
    assert mine.words().count("Your answer.") == 1
    assert "Your answer." not in theirs.words()
    assert theirs.one("h2", id="answer").words() == "The answer"
    assert not theirs.one("main").all("form")
    assert (await eve.data(f"/daily/{written_day(TODAY)}"))["answer"] is not None


@pytest.mark.parametrize(
    ("path", "status", "why"),
    [
        ("2030-01-01", 404, "That day is still to come."),
        ("2025-11-21", 404, "That day is still to come."),
        ("2025-04-20", 404, "Last orders began on 2025-04-21."),
        ("2025-02-30", 422, "That is no date. Write it like 2025-11-20."),
        ("yesterday", 422, "That is no date. Write it like 2025-11-20."),
        ("%3Cb%3E", 422, "That is no date. Write it like 2025-11-20."),
    ],
)
async def test_a_day_without_a_position_is_refused_in_a_sentence(pub: Pub, path: str, status: int, why: str) -> None:
    ann = Visitor(pub)
    page, data = await ann.get(f"/daily/{path}"), await ann.get(f"/daily/{path}", "*/*")
    assert (page.status, data.status, data.data["why"]) == (status, status, why)
    assert why in read(page.text).words()


async def test_an_answer_that_is_none_is_refused_and_nothing_is_kept(pub: Pub) -> None:
    ann = Visitor(pub)
    await ann.get()
    day = written_day(TODAY)
    for fields, status in (({"day": day}, 422), ({"day": day, "keep": "k7"}, 422), ({"keep": "k3"}, 409)):
        assert (await ann.post(fields)).status == status
    assert (await ann.post({"day": written_day(TODAY - 1), "keep": "k3"})).status == 409
    unchosen = read((await ann.post({"day": day})).text)
    assert unchosen.one("p", id="refusal").words() == "Choose one of the answers first."
    assert (await ann.post({"day": day}, content_type="application/json")).status == 415
    assert (await ann.post({"day": day, "keep": "k3"}, origin="http://elsewhere.example")).status == 403
    assert ann.cookie == "none=1"


async def test_a_house_whose_clock_is_before_the_first_day_says_so(pub: Pub) -> None:
    pub.clock.ms -= 400 * DAY_MS
    assert (await Visitor(pub).get()).status == 404


async def test_house_rules_in_the_address_have_a_position_a_day_that_counts_for_no_streak(pub: Pub) -> None:
    ann, here = Visitor(pub), "/daily?game=midnight&need=2,4"
    question = await ann.data(here)
    assert question["game"] == "midnight"
    assert "need: 2 4\n" in str(question["record"])
    assert question["answer"] is None
    page = read((await ann.get(here)).text).one("main")
    form = page.one("form")
    assert form.attrs["action"] == here
    assert "no streak" in form.words()
    assert page.all("a", href="/drill/midnight?need=2,4")
    choices = question["choices"]
    answered = await ann.post({"day": written_day(TODAY), "keep": choices[0]}, here)
    assert (answered.status, "set-cookie" in answered.headers) == (303, False)
    assert answered.headers["location"] == f"{here}&keep={choices[0]}"
    shown = await ann.data(answered.headers["location"])
    room = Room(games=pub.games)
    assert shown["answer"] == json.loads(room.run(f"advise midnight {_file(pub, str(question['record']))} --json").out)
    earlier = f"/daily/{written_day(TODAY - 1)}?game=midnight&need=2,4"
    assert page.all("a", href=earlier)
    assert (await ann.data(earlier))["answer"] is not None
    usual = await ann.data("/daily?game=midnight")
    assert "need: 1 4\n" in str(usual["record"])


@pytest.mark.parametrize(("target", "status"), [("?game=chess", 404), ("?game=midnight&need=1,5", 422)])
async def test_a_game_or_a_rule_that_is_not_here_has_no_day(pub: Pub, target: str, status: int) -> None:
    answer = await Visitor(pub).get(f"/daily{target}")
    assert answer.status == status
