"""A turn that anybody may try: by the rules of every game, to its end, with nothing stored of it."""

import random
from urllib.parse import quote, urlencode

import pytest

from play import MORE
from pubdice.core.errors import Refused
from pubdice.games import GAMES
from pubdice.server.pages import trial
from pubdice.server.pages.front import ROUTES as FRONT
from support.asgi_client import Client
from support.house import Pub, at_the_pub
from support.html_tree import Node, read

ALL = {**GAMES, **MORE}
MOST_TAPS = 60


async def tried(client: Client, game: str, *fields: tuple[str, str]) -> Node:
    answer = await client.get(f"/try/{game}?{urlencode(fields)}", "text/html")
    assert answer.status == 200, answer.text
    return read(answer.text).one("form", id="trial")


def turn(form: Node) -> str:
    return str(form.one("input", name="turn").attrs["value"])


def heard(form: Node) -> str:
    """What the ear is told that the eye sees."""
    return form.one("output", id="said").one("span").words()


@pytest.mark.parametrize("game", ALL)
@at_the_pub(ALL)
async def test_a_turn_of_every_game_can_be_tried_to_its_end_and_says_its_worth(pub: Pub, game: str) -> None:
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


async def test_marks_that_may_not_stay_are_refused_in_a_sentence_and_the_dice_lie_as_they_lay(pub: Pub) -> None:
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


def test_a_turn_of_more_words_than_any_has_is_refused_before_it_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "thrown", lambda *_: pytest.fail("it is played"))
    with pytest.raises(Refused):
        trial.read_turn(GAMES["midnight"].usual_game, "1 " * (trial.MOST_WORDS + 1))


def test_nothing_of_it_is_a_deed_or_the_front_pages_own() -> None:
    assert all(route.method == "GET" for route in trial.ROUTES)
    assert not {route.path for route in trial.ROUTES} & {route.path for route in FRONT}
