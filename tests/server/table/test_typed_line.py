"""Lines typed into a page's field: as in the terminal, each once, all of it or nothing."""

import re
from typing import Any
from unicodedata import normalize

import pytest

from pubdice.room.commands import house_words
from pubdice.server.table.typed_field import line_of
from pubdice.server.wire import TypeLine
from pubdice.text.catalogues import CODES, language
from support.asgi_client import Client
from support.house import Pub, play_turn, seated
from support.scripted_cup import ScriptedCup

FIRST, SECOND = (2, 6, 4, 1, 3, 5), (2, 3, 3)


async def typed(client: Client, code: str, text: str, key: str = "") -> tuple[int, str]:
    """Type a line: the status, and what answers it."""
    answer = await client.ask(code, "type", key, text=text)
    return answer.status, answer.data.get("said", answer.data.get("why"))


async def rolled(pub: Pub, **order: object) -> tuple[Client, Client, str]:
    """Ann has rolled."""
    pub.cup = ScriptedCup([FIRST, SECOND])
    ann, bob, code = await seated(pub, **order)
    assert await typed(ann, code, "r") == (200, "")
    return ann, bob, code


async def test_a_line_of_several_moves_is_one_command_that_counts_once(pub: Pub) -> None:
    ann, _, code = await rolled(pub)
    before = len(pub.stored(code))
    first = await ann.ask(code, "type", "the-one-key", text="1 6 4 r")
    again = await ann.ask(code, "type", "the-one-key", text="1 6 4 r")
    assert (first.status, first.body) == (again.status, again.body)
    moves = [line.split(" ", 1)[1] for line in pub.stored(code)[before:]]
    assert moves == ["mark 3 1 2", "play k146", "roll 233"]


async def test_dice_are_named_by_face_and_what_is_kept_is_said(pub: Pub) -> None:
    ann, _, code = await rolled(pub)
    assert await typed(ann, code, "1 6") == (200, "Keep 6 1, reroll 2 4 3 5.")
    assert await typed(ann, code, "u") == (200, "Keep 1, reroll 2 6 4 3 5.")
    assert await typed(ann, code, "k 4 1") == (200, "Keep 4 1, reroll 2 6 3 5.")
    assert await typed(ann, code, "x 5") == (200, "Keep 2 6 4 1 3, reroll 5.")


@pytest.mark.parametrize("text", ["h", "s", "t", "l", "w", "?", "d", "", "h s", "q", "hint", "W"])
async def test_a_question_is_answered_and_nothing_is_stored(pub: Pub, text: str) -> None:
    ann, _, code = await rolled(pub)
    before = pub.stored(code)
    status, said = await typed(ann, code, text)
    assert status == 200
    assert len(said) > 3
    assert pub.stored(code) == before


async def test_the_answers_are_those_of_the_keys_in_the_second_person(pub: Pub) -> None:
    ann, bob, code = await rolled(pub)
    view = await pub.view(code)
    assert (await typed(ann, code, "h"))[1] == (view["seats"][0]["own_hand"] or view["seats"][0]["hand"])
    assert (await typed(bob, code, "h"))[1] == view["seats"][0]["hand"]
    for text, name in (("t", "status"), ("w", "whose")):
        line = view[name]
        assert (await typed(ann, code, text))[1] == line["own"].get("0", line["text"])
    assert (await typed(ann, code, "l"))[1] == " ".join(line["own"].get("0", line["text"]) for line in view["last"])


@pytest.mark.parametrize("speaks", ["en", "de", "es"])
@pytest.mark.parametrize(
    ("game", "rules"), [("midnight", {"format": "points 10"}), ("midnight", {"format": "rounds 2"}), ("420", {})]
)
async def test_after_a_match_the_scores_are_told_once(pub: Pub, game: str, rules: dict[str, str], speaks: str) -> None:
    ann, bob, code = await seated(pub, game=game, rules=rules)
    while await play_turn(pub, code, [ann, bob]):
        pass
    _, said = await typed(pub.client("Ann", speaks), code, "s")
    sentences = re.findall(r"[^.!?]+[.!?]", said)
    assert sentences
    assert len(sentences) == len({each.strip() for each in sentences}), said


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        ("fly", 409, '"fly" means nothing here'),
        ("7", 409, '"7" is no die'),
        ("k", 409, "k and x need dice"),
        ("h r", 409, "Ask or move"),
        ("1 r 4 r", 409, "at the end of the line"),
        ("1 1", 409, "There aren't that many 1s"),
        ("+1 +1", 409, "You've chosen every 1 already"),
        ("-6", 409, "You haven't chosen a 6"),
        ("b", 409, "."),
        ("r", 409, "."),
    ],
)
async def test_what_cannot_be_done_is_refused_whole(pub: Pub, text: str, status: int, said: str) -> None:
    ann, _, code = await rolled(pub)
    before = pub.stored(code)
    found = await typed(ann, code, text)
    assert found[0] == status
    assert said in found[1]
    assert pub.stored(code) == before


async def test_a_refused_line_leaves_no_mark_behind(pub: Pub) -> None:
    ann, bob, code = await rolled(pub)
    before = pub.stored(code)
    assert (await typed(ann, code, "1 4 1 1"))[0] == 409
    assert (await typed(bob, code, "1 r"))[0] == 403
    assert (await typed(pub.client("Cy"), code, "r"))[0] == 403
    assert pub.stored(code) == before


async def test_all_four_of_420_are_rolled_again_only_if_that_is_said(pub: Pub) -> None:
    pub.cup = ScriptedCup([(6, 5, 3, 1), (6, 6, 4, 1), (1, 2, 3, 4)])
    ann, bob, code = await seated(pub, game="420", rules={"format": "race"})
    await typed(ann, code, "r")
    await typed(bob, code, "r")
    status, said = await typed(ann, code, "r")
    assert (status, "k - r" in said) == (409, True)
    assert (await typed(ann, code, "k - r"))[0] == 200


async def test_real_dice_are_typed_as_they_fell_and_so_is_player_one(pub: Pub) -> None:
    ann, bob, code = await seated(pub, dice="real", game="420", rules={"format": "race", "first": "draw"})
    assert (await typed(ann, code, "bob"))[0] == 200
    assert (await pub.view(code))["mover"] == 1
    assert (await typed(bob, code, "r"))[0] == 409
    assert (await pub.view(code))["back"] is not None, "who was drawn can be taken back"
    assert (await typed(bob, code, "6531"))[0] == 200
    assert (await pub.view(code))["seats"][1]["dice"] == [6, 5, 3, 1]
    assert (await typed(bob, code, "u"))[0] == 200
    view = await pub.view(code)
    assert (view["seats"][1]["dice"], view["back"]) == ([], None)
    status, said = await typed(bob, code, "ann")
    assert (status, said.startswith('"ann"')) == (409, True), "a name is no move once Player 1 is drawn"


async def test_the_example_for_player_one_is_no_command(pub: Pub) -> None:
    """It was "S: Player 1 is S.", and S tells the scores."""
    ann, _, code = await seated(pub, name="S", dice="real", game="420", rules={"format": "race", "first": "draw"})
    assert (await pub.view(code))["example"] == "Bob: Player 1 is Bob."
    assert (await typed(ann, code, "s"))[0] == 200
    assert (await pub.view(code))["ask"] == "draw"
    assert (await typed(ann, code, "Bob"))[0] == 200
    assert (await pub.view(code))["ask"] != "draw"


async def test_dice_typed_in_are_not_answered_as_a_choice(pub: Pub) -> None:
    ann, _, code = await seated(pub, dice="real", game="midnight", rules={"format": "rounds 1"})
    assert await typed(ann, code, "2 6 4 1 3 5") == (200, "")
    assert await typed(ann, code, "6") == (200, "Keep 6, reroll 2 4 1 3 5.")
    assert await typed(ann, code, "-6") == (200, "You've chosen no dice to keep.")


async def test_words_ask_for_what_their_buttons_do(pub: Pub) -> None:
    ann, _, code = await rolled(pub)
    assert (await typed(ann, code, "give"))[0] == 200
    assert (await typed(ann, code, "back"))[0] == 200
    assert (await typed(ann, code, "rematch"))[0] == 409
    assert [line.split()[1] for line in pub.stored(code)[-2:]] == ["stoodin", "resumed"]


async def test_help_has_the_language_s_own_words(pub: Pub) -> None:
    ann, _, code = await rolled(pub)
    assert "You can also type" not in (await typed(ann, code, "?"))[1]
    ann.speaks = "pl"
    said = (await typed(ann, code, "?"))[1]
    assert said.endswith(
        "Możesz też wpisać rzut, pas, cofnij, wynik, cel, ostatnie, kości, rada, pomoc, wyjdź, zgoda albo nie."
    )


@pytest.mark.parametrize("code", CODES)
def test_a_word_is_read_however_its_letters_are_composed(code: str) -> None:
    words = house_words(language(code))
    for word in words:
        typed = TypeLine(key="", text=normalize("NFD", f" {word.upper()} "))
        assert words[line_of(typed).lower()] == words[word]


async def test_without_javascript_the_answer_stands_beside_the_field(pub: Pub) -> None:
    ann, _, code = await rolled(pub)
    asked = await ann.send(f"/t/{code}", key="12345678", do="type", text="1 6")
    assert asked.status == 200
    assert "Keep 6 1, reroll 2 4 3 5." in asked.text
    moved = await ann.send(f"/t/{code}", key="12345679", do="type", text="4 r")
    assert 'id="typed-said"' in moved.text
    refused = await ann.send(f"/t/{code}", key="12345670", do="type", text="fly <b>")
    assert refused.status == 409
    assert "&lt;b&gt;" in refused.text
    assert "fly &lt;b&gt;" in refused.text


async def _boxed(pub: Pub) -> tuple[Client, Client, str]:
    """Ann and Bob at Shut the Box with real dice. Ann has 6 6."""
    ann, bob = pub.client("Ann"), pub.client("Bob")
    rules = {"format": "rounds 1", "first": "draw"}
    code = await ann.order(game="shutbox", dice="real", people=2, rules=rules)
    await bob.done(code, "sit", name="Bob")
    await ann.done(code, "draw", seat=0)
    await ann.done(code, "enter", dice="66")
    return ann, bob, code


def _down(view: dict[str, Any]) -> list[int]:
    return [tile["number"] for tile in view["things"]["tiles"] if not tile["up"]]


async def test_a_typed_line_names_tiles_a_word_or_a_label(pub: Pub) -> None:
    ann, _, code = await _boxed(pub)
    assert len((await pub.view(code))["moves"]) == 12
    await ann.done(code, "type", text="3 9")
    assert _down(await pub.view(code)) == [3, 9]
    await ann.done(code, "enter", dice="54")
    await ann.done(code, "type", text="Shut 8 and 1")
    await ann.done(code, "enter", dice="56")
    await ann.done(code, "type", text="s74")
    view = await pub.view(code)
    assert _down(view) == [1, 3, 4, 7, 8, 9]
    assert view["things"]["said"] == "Up: 2 5 6. They count 13."


async def test_a_move_that_is_not_open_is_refused_in_a_sentence(pub: Pub) -> None:
    ann, bob, code = await _boxed(pub)
    for do, asked, why in (
        ("choose", {"action": "s9"}, "such as 9 3."),
        ("choose", {"action": "k45"}, "written like s1"),
        ("bank", {}, "Name tiles that are up and add up to the dice"),
    ):
        refused = await ann.ask(code, do, **asked)
        assert refused.status in {409, 422}
        assert why in refused.data["why"]
    assert "Ann" in (await bob.ask(code, "choose", action="s93")).data["why"]
    assert _down(await pub.view(code)) == []
