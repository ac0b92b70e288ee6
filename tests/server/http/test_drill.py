"""The drill on the web: graded as ``pubdice advise`` does; what is missed comes again; a cookie is all it keeps."""

import json

import pytest

from pubdice.server.web.limits import Limits, Rate
from server.http.test_daily import Visitor
from support.console import Room
from support.house import Pub, at_the_pub
from support.html_tree import read


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


async def test_what_is_missed_comes_again_and_a_second_answer_counts_nothing(pub: Pub) -> None:
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


@pytest.mark.parametrize(
    "path",
    ["roulette", "roulette/1", "threes/0", "threes/01", "threes/x", "threes/1000000", "threes/-1", "threes/\u0661"],
)
async def test_what_is_no_position_is_no_page(pub: Pub, path: str) -> None:
    ann = Visitor(pub)
    assert (await ann.get(f"/drill/{path}")).status == 404
    assert (await ann.post({"keep": "k1"}, f"/drill/{path}")).status in (404, 405)
    assert ann.cookie == "none=1"


@pytest.mark.parametrize("fields", [{}, {"keep": ""}, {"keep": "k7"}, {"keep": "<b>"}])
async def test_no_answer_is_refused_in_a_sentence(pub: Pub, fields: dict[str, str]) -> None:
    ann = Visitor(pub)
    answer = await ann.post(fields, "/drill/threes/1")
    assert answer.status == 422
    assert read(answer.text).one("p", id="refusal").words() == "Choose one of the answers first."
    assert ann.cookie == "none=1"
    assert (
        read((await ann.get("/drill/threes/1?keep=<b>")).text).one("main").one("form").attrs["action"]
        == "/drill/threes/1"
    )


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
    backs = {str(field.attrs["value"]) for field in page.all("input", name="back")}
    assert backs == {graded.headers["location"]}, "another language shows the same answer"
    assert await next_for(ann) == "/drill/threes/1"


@at_the_pub(games={})
async def test_a_house_without_solved_games_says_so(pub: Pub) -> None:
    assert "nothing to drill" in read((await Visitor(pub).get("/drill")).text).one("main").words()


async def test_house_rules_in_the_address_are_drilled_and_scored_by_themselves(pub: Pub) -> None:
    ann = Visitor(pub)
    assert (await ann.get("/drill/midnight?need=1,5")).status == 422
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
