"""The daily position, drills and a tried turn: graded as the coach would, and what is no answer is refused."""

import json
import random
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from play import MORE
from pubdice.advice.days import DAY_MS, written_day
from pubdice.advice.streak import Streak
from pubdice.core.errors import Refused
from pubdice.games import GAMES
from pubdice.server.pages import daily, trial
from pubdice.server.pages.front import ROUTES as FRONT
from pubdice.server.web.limits import Limits, Rate
from support.asgi_client import Client
from support.console import Room
from support.house import Pub, at_the_pub
from support.html_tree import Node, read, way_back
from support.http_wire import Answer
from support.profiles import NIGHTLY

pytestmark = pytest.mark.usefixtures("patient_solver")

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


@pytest.mark.parametrize("after", range(5) if NIGHTLY else (0, 3))
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


async def test_a_cookie_that_the_house_did_not_write_is_a_fresh_start(pub: Pub) -> None:
    ann = Visitor(pub)
    await ann.reply()
    signed = ann.cookie
    changed = [f"{signed[:at]}{'0' if signed[at] != '0' else '1'}{signed[at + 1 :]}" for at in range(6, len(signed))]
    forged = [f"daily={told}" for told in ("x", "1.214.9.9.b0~00", "", "~", "1.214.1.1.b0", "\xff~\xe9", "9" * 400)]
    for cookie in (*changed, *forged):
        ann.cookie = cookie
        answer = await ann.get()
        assert answer.status == 200, cookie
        assert 'name="keep"' in answer.text, cookie
    assert (await ann.reply()).status == 303
    assert "1 day" in (await ann.get()).text


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


def test_each_day_but_the_first_leads_to_the_day_before() -> None:
    before = [daily.day_page(number, TODAY, Streak()).before for number in (1, 2)]
    assert before == ["", written_day(1)]


async def test_a_day_without_a_position_is_refused_in_a_sentence(pub: Pub) -> None:
    ann, no_date = Visitor(pub), "That is no date. Write it like 2025-11-20."
    for path, status, why in (
        ("2025-11-21", 404, "That day is still to come."),
        ("2025-04-20", 404, "Last orders began on 2025-04-21."),
        ("2025-02-30", 422, no_date),
        ("%3Cb%3E", 422, no_date),
    ):
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


async def test_house_rules_have_a_daily_position_without_a_streak(pub: Pub) -> None:
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


@pytest.mark.parametrize(("target", "status"), [("?game=chess", 404), ("?game=midnight&need=1,7", 422)])
async def test_a_game_or_a_rule_that_is_not_here_has_no_day(pub: Pub, target: str, status: int) -> None:
    answer = await Visitor(pub).get(f"/daily{target}")
    assert answer.status == status


async def next_for(learner: Visitor, game: str = "threes") -> str:
    answer = await learner.get(f"/drill/{game}")
    assert answer.status == 303
    return answer.headers["location"]


async def ranked(learner: Visitor, target: str) -> list[str]:
    """The actions at a position, the best first."""
    shown = await learner.data(target)
    assert shown["answer"] is None, "nothing of the answer before it is given"
    graded = await learner.data(f"{target}?keep={shown['choices'][0]}")
    return [each["action"] for each in graded["answer"]["actions"]]


@pytest.mark.parametrize("game", ["threes", "mexico"])
async def test_the_grade_is_what_advise_says(pub: Pub, game: str) -> None:
    ann = Visitor(pub)
    target = await next_for(ann, game)
    assert target == f"/drill/{game}/1"
    question = await ann.data(target)
    position = pub.path.with_name("position.record")
    position.write_text(question["record"], encoding="utf-8")
    advised = json.loads(Room(games=pub.games).run(f"advise {game} {position} --json").out)
    choice = question["choices"][0]
    replied = await ann.post({"keep": choice}, target)
    assert replied.status == 303
    shown = await ann.get(replied.headers["location"])
    assert (await ann.data(replied.headers["location"]))["answer"] == advised
    lost = next(each for each in advised["actions"] if each["action"] == choice)["lost"]
    assert (read(shown.text).one("h1").words() == "Best!") is (lost == 0)
    (mine,) = [row for row in read(shown.text).all("li") if "chosen" in str(row.attrs.get("class"))]
    assert "This answer." in mine.words()


async def test_a_missed_position_comes_again_and_counts_once(pub: Pub) -> None:
    ann, asked = Visitor(pub), list[str]()
    for number in range(6):
        target = await next_for(ann)
        asked.append(target.rpartition("/")[2])
        actions = await ranked(ann, target)
        for _ in range(2):
            await ann.post({"keep": actions[-1 if number == 1 else 0]}, target)
    assert asked == ["1", "2", "3", "4", "5", "2"]
    listed = read((await ann.get("/drill")).text).one("main").words()
    assert "5 of 6 right" in listed
    assert "1 comes again" not in listed
    assert ann.cookie == "drill=threes.5.6.5"
    assert await next_for(Visitor(pub)) == "/drill/threes/1", "a score is one browser's"


async def test_an_address_without_a_position_is_no_page(pub: Pub) -> None:
    ann = Visitor(pub)
    for path in ("roulette", "roulette/1", "threes/0", "threes/01", "threes/1000000", "threes/-1", "threes/\u0661"):
        assert (await ann.get(f"/drill/{path}")).status == 404, path
        assert (await ann.post({"keep": "k1"}, f"/drill/{path}")).status in (404, 405), path
    assert ann.cookie == "none=1"
    assert (await ann.get("/drill/threes/999999")).status == 200, "the last there is"


async def test_no_answer_is_refused_in_a_sentence(pub: Pub) -> None:
    ann, here = Visitor(pub), "/drill/threes/1"
    for keep in ("", "k7", "<b>"):
        answer = await ann.post({"keep": keep}, here)
        assert answer.status == 422
        assert read(answer.text).one("p", id="refusal").words() == "Choose one of the answers first."
    assert ann.cookie == "none=1"
    assert read((await ann.get(f"{here}?keep=<b>")).text).one("main").one("form").attrs["action"] == here


@at_the_pub(limits=Limits(questions=Rate(1, 2)))
async def test_an_answer_that_is_known_counts_as_no_question(pub: Pub) -> None:
    ann = Visitor(pub)
    statuses = [(await ann.client.get(f"/drill/threes/{number}")).status for number in (1, 2, 3)]
    assert statuses[2] == 429
    shown = [(await ann.client.get("/drill/threes/1?keep=k1")).status for _ in range(5)]
    assert shown == [200] * 5, "what is known costs nothing"


async def test_where_no_dice_are_chosen_none_are_told_to_choose_from(pub: Pub) -> None:
    for game, words in (("shutbox", ""), ("threes", "Choose the dice you keep")):
        main = read((await Visitor(pub).get(f"/drill/{game}/1")).text).one("main")
        assert ("To choose from: " in main.words()) == bool(words)
        assert [node.attrs.get("data-tap", "") for node in main.all("fieldset")] == [words]


async def test_a_position_out_of_turn_says_that_it_does_not_count(pub: Pub) -> None:
    ann = Visitor(pub)
    told = "This position doesn't count for you: position 1 is next."
    assert told in read((await ann.get("/drill/threes/5")).text).one("main").words()
    actions = await ranked(ann, "/drill/threes/5")
    graded = await ann.post({"keep": actions[0]}, "/drill/threes/5")
    page = read((await ann.get(graded.headers["location"])).text)
    assert told in page.one("main").words()
    assert way_back(page) == graded.headers["location"], "another language shows the same answer"
    assert await next_for(ann) == "/drill/threes/1"


@at_the_pub(games={})
async def test_a_house_without_solved_games_says_so(pub: Pub) -> None:
    assert "nothing to drill" in read((await Visitor(pub).get("/drill")).text).one("main").words()


async def test_house_rules_are_drilled_and_scored_by_themselves(pub: Pub) -> None:
    ann = Visitor(pub)
    assert (await ann.get("/drill/midnight?need=1,7")).status == 422
    target = (await ann.get("/drill/midnight?need=2,4")).headers["location"]
    assert target == "/drill/midnight/1?need=2,4"
    shown = await ann.data(target)
    assert "need: 2 4" in shown["record"]
    answered = await ann.post({"keep": shown["choices"][0]}, target)
    assert answered.headers["location"] == f"/drill/midnight/1?need=2,4&keep={shown['choices'][0]}"
    page = (await ann.get(answered.headers["location"])).body.decode()
    assert 'href="/drill/midnight?need=2,4"' in page
    assert (await ann.get("/drill/midnight?need=2,4")).headers["location"] != target
    assert await next_for(ann, "midnight") == "/drill/midnight/1", "by the usual rules nothing is answered yet"


ALL = {**GAMES, **MORE}
MOST_TAPS = 60


async def tried(client: Client, game: str, *fields: tuple[str, str]) -> Node:
    answer = await client.get(f"/try/{game}?{urlencode(fields)}", "text/html")
    assert answer.status == 200, answer.text
    return read(answer.text).one("form", id="trial")


def turn(form: Node) -> str:
    return str(form.one("input", name="turn").attrs["value"])


def heard(form: Node) -> str:
    """The words for a screen reader."""
    return form.one("output", id="said").one("span").words()


@pytest.mark.parametrize("game", ALL)
@at_the_pub(ALL)
async def test_a_turn_of_each_game_is_tried_to_its_end(pub: Pub, game: str) -> None:
    client, chance = pub.client("Ann"), random.Random(5)
    kit = ALL[game]
    form = await tried(client, game)
    due = kit.usual_game.to_roll(kit.usual_game.start(max(1, kit.usual_game.least_seats)))
    shown = [node for node in form.all("span", "label") if "data-face" in node.attrs]
    assert len(shown) == due
    assert len([node for node in shown if "data-fresh" in node.attrs]) == due
    assert heard(form).startswith("You rolled ")
    taps = 0
    while turn(form) and taps < MOST_TAPS:
        taps += 1
        boxes = [str(node.attrs["value"]) for node in form.all("input", type="checkbox")]
        deeds = [node for node in form.all("button") if "value" in node.attrs]
        assert bool(boxes) != bool(deeds), "dice to mark, or a few choices"
        fields = [("turn", turn(form))]
        if boxes:
            fields += [("keep", face) for face in chance.sample(boxes, chance.randint(1, len(boxes)))]
        else:
            fields.append(("do", str(chance.choice(deeds).attrs["value"])))
        form = await tried(client, game, *fields)
    assert not turn(form), "it ends"
    assert f"Your turn at {kit.words.title}: " in form.one("output", id="said").text, "and says its worth"
    assert [node.words() for node in form.all("button")] == ["Once more"]
    assert pub.store.tables_of(client.person, 9) == []
    assert not (await client.get("/", "text/html")).text.count('id="mine"')


WORTH = [
    ("midnight", "651412 k146 256", "k256", "19"),
    ("midnight", "665566 k6656 66", "k66", "nothing"),
    ("mexico", "63", "k36", "63"),
    ("mexico", "63 k- 12", "", "Mexico"),
    ("ship", "65443", "k34456", "7"),
    ("threes", "33211", "k11233", "4"),
    ("420", "6541 k46 31 k46 33", "", "16"),
]


@pytest.mark.parametrize(("game", "done", "do", "worth"), WORTH)
async def test_the_worth_is_what_the_rules_say(pub: Pub, game: str, done: str, do: str, worth: str) -> None:
    form = await tried(pub.client("Ann"), game, ("turn", done), ("do", do), *(("keep", face) for face in do[1:]))
    assert form.one("output", id="said").text.strip() == f"Your turn at {GAMES[game].words.title}: {worth}."


async def test_marks_that_may_not_stay_leave_the_dice_as_they_lay(pub: Pub) -> None:
    form = await tried(pub.client("Ann"), "midnight", ("turn", "651432"))
    assert form.one("output", id="said").words() == "Keep at least one of the dice just rolled: 1 2 3 4 5 6."
    assert turn(form) == "651432"
    form = await tried(pub.client("Ann"), "420", ("turn", "1116"), ("keep", "1"), ("keep", "6"))
    assert "6 1" in form.one("output", id="said").words()
    assert turn(form) == "1116"


NO_TURN = [
    ("midnight?turn=65143", 404), ("midnight?turn=651432+k9", 404), ("midnight?turn=651432+k6+k6", 404),
    ("midnight?turn=777777", 404), ("midnight?turn=x", 404), ("midnight?turn=651432&do=zz", 404), ("nothing", 404),
    ("shutbox?turn=12&keep=1", 422), ("midnight?turn=%00", 422), (f"midnight?turn={quote('651432 ' * 90)}", 422),
]  # fmt: skip


@pytest.mark.parametrize(("path", "status"), NO_TURN)
async def test_an_address_that_is_no_turn_is_refused(pub: Pub, path: str, status: int) -> None:
    answer = await pub.client("Ann").get(f"/try/{path}", "text/html")
    assert answer.status == status
    assert status in trial.ROUTES[0].statuses()


@pytest.mark.parametrize("choice", [("do", "k11"), ("keep", "77")])
async def test_dice_that_do_not_lie_there_are_kept_by_nobody(pub: Pub, choice: tuple[str, str]) -> None:
    assert turn(await tried(pub.client("Ann"), "midnight", ("turn", "651432"), choice)) == "651432"


def test_a_turn_of_too_many_words_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "thrown", lambda *_: pytest.fail("it is played"))
    with pytest.raises(Refused):
        trial.read_turn(GAMES["midnight"].usual_game, "1 " * (trial.MOST_WORDS + 1))


def test_nothing_of_it_is_a_deed_or_the_front_pages_own() -> None:
    assert all(route.method == "GET" for route in trial.ROUTES)
    assert not {route.path for route in trial.ROUTES} & {route.path for route in FRONT}
