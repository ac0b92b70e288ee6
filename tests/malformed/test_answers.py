"""Bad answers at a table: each is told why, changes nothing but what is acknowledged, and the game goes on."""

from functools import cache

import pytest

from malformed.bad_answers import ANSWERS
from malformed.cases import BadAnswer
from malformed.scenes import SCENES
from support.console import Told, unprintable


@cache
def _unhindered(scene: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The log at the scene, and after a good answer to it."""
    played = SCENES[scene]
    before, after = played.play()[1], played.play(played.good)[1]
    assert len(after) > len(before), "the good answer must do something"
    return tuple(before), tuple(after)


def _reply(told: Told, number: int) -> str:
    assert told.status == 0
    assert told.err == ""
    assert not unprintable(told.out), unprintable(told.out)
    assert "Traceback" not in told.out
    return told.replies[number]


@pytest.mark.parametrize("bad", ANSWERS, ids=lambda bad: f"{bad.scene}, {bad.why}")
def test_a_bad_answer_says_why_and_loses_nothing(bad: BadAnswer) -> None:
    scene = SCENES[bad.scene]
    before, after = _unhindered(bad.scene)
    told, log = scene.play(bad.line)
    reply = _reply(told, len(scene.typed) + 1)
    assert bad.says in reply
    assert 15 < len(reply) < 500
    assert tuple(log) == (*before, *bad.does)
    if bad.does:
        return
    told, log = scene.play(bad.line, scene.good)
    assert tuple(log) == after
    assert _reply(told, len(scene.typed) + 2) == _reply(scene.play(scene.good)[0], len(scene.typed) + 1)


ENTER_GOES_ON = {
    *("midnight, to roll", "midnight, marked", "midnight, all marked"),
    *("420, to roll", "420, marked"),
}
"""The scenes in which Enter alone does what the gold button would: what is forced, or was marked."""


@pytest.mark.parametrize("scene", SCENES)
def test_enter_alone_changes_nothing_where_there_is_a_choice(scene: str) -> None:
    before = _unhindered(scene)[0]
    for line in ("", "   "):
        told, log = SCENES[scene].play(line)
        assert told.status == 0
        assert (tuple(log) != before) == (scene in ENTER_GOES_ON)


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_a_table_hears_every_question_and_changes_nothing(scene: object) -> None:
    for name, played in SCENES.items():
        if played is scene:
            before = _unhindered(name)[0]
            for line in ("t", "s", "l", "d", "?", "t s l d ?", ",,,"):
                told, log = played.play(line)
                assert tuple(log) == before
                assert told.status == 0
                assert line.strip(" ,") == "" or len(_reply(told, len(played.typed) + 1)) > 10
