"""Shut the Box in words: what is left, and what a mover needs."""

import re
from dataclasses import replace
from itertools import product

import pytest

from pubdice.games.shutbox import KIT
from pubdice.games.shutbox.rules import BoxRound, ShutTheBox
from pubdice.text.catalogues import CODES, language

ENGLISH, GERMAN = language("en"), language("de")


@pytest.mark.parametrize(
    ("scores", "english", "german"),
    [
        ((), "You go first.", "Du fängst an."),
        ((7,), "Ann leads with 7. You need less than 7.", "Ann führt mit 7. Du brauchst weniger als 7."),
    ],
)
def test_who_moves_hears_how_little_must_be_left(scores: tuple[int, ...], english: str, german: str) -> None:
    names = (*["Ann"][: len(scores)], "", "Cid")[:2]
    state = BoxRound(2, scores)
    for code, said in ((ENGLISH, english), (GERMAN, german)):
        assert " ".join(KIT.words.to_beat(code.own[KIT.home], ShutTheBox(), state, names)) == said


@pytest.mark.parametrize(("left", "score"), [("sum", "13"), ("digits", "256")])
def test_the_box_says_what_its_tiles_count(left: str, score: str) -> None:
    things = KIT.words.things(ENGLISH, ShutTheBox(left=left, tiles=12), BoxRound(2, up=(2, 5, 6)))
    assert things is not None
    assert [tile.label for tile in things.tiles] == [str(number) for number in range(1, 13)]
    assert things.said == ("Up: 2 5 6. They count 13." if left == "sum" else "Up: 2 5 6."), "256 would be said twice"
    assert [(count.label, count.amount) for count in things.counts] == [("Left", score)]


@pytest.mark.parametrize("code", CODES)
def test_the_rules_say_what_those_score_who_have_not_rolled_when_the_box_is_shut(code: str) -> None:
    page = KIT.page(code)
    for left, tiles in product(KIT.options[1].choices, KIT.options[2].choices):
        game = ShutTheBox("no", left, int(tiles))
        shut = game.play(game.roll(replace(game.start(3), up=(3, 4)), (3, 4)), "s43")
        result = game.result(shut)
        assert result is not None
        assert result.scores[0] == 0
        assert re.search(rf"\b{result.scores[1]}\b", page), "as it counts with these options"
        assert game.worth((2, 5, 9)) in map(int, re.findall(r"\b[0-9]+\b", page))
