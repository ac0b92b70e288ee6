"""Answers at the prompt that are wrong or drawn at random: why is said, nothing is lost, and a table goes on."""

from dataclasses import dataclass
from functools import cache

import pytest

from malformed.bad_answers import ANSWERS
from malformed.cases import BadAnswer
from support.console import Room, Told, dice, unprintable

_MIDNIGHT = ("344512", "6326", "21", "3", "315426", "253", "66")
_FOURTWENTY = ("6541", "4332", "11", "6554")


@dataclass(frozen=True)
class Scene:
    """A command, what is typed up to the question, and a good answer to it."""

    command: str
    typed: tuple[str, ...]
    good: str
    rolls: tuple[str, ...] = ()

    def play(self, *more: str) -> tuple[Told, list[str]]:
        """What is said when more is typed, and the log."""
        room = Room(rolls=dice(*self.rolls))
        told = room.run(self.command, *self.typed, *more)
        return told, room.log()


def _house(game: str, good: str, *typed: str, keys: str = "face") -> Scene:
    rolls = _MIDNIGHT if game == "midnight" else _FOURTWENTY
    return Scene(f"play {game} --seats Ann,Bob --keys {keys}", typed, good, rolls)


def _real(game: str, good: str, *typed: str) -> Scene:
    return Scene(f"play {game} --seats Ann,Bob --dice real", typed, good)


SCENES = {
    "midnight, to roll": _house("midnight", "r"),
    "midnight, to choose": _house("midnight", "k 4 5 r", "r"),
    "midnight, by position": _house("midnight", "2 4 r", "r", keys="position"),
    "midnight, marked": _house("midnight", "r", "r", "4 5"),
    "midnight, second choice": _house("midnight", "6 6 r", "r", "k 4 5", "r"),
    "midnight, second choice by position": _house("midnight", "1 6 r", "r", "k 2 4", "r", keys="position"),
    "midnight, all marked": _house("midnight", "b", "r", "k 344512"),
    "midnight, real, to roll": _real("midnight", "344512"),
    "midnight, real, to choose": _real("midnight", "k 4 5 r", "344512"),
    "midnight, real, to roll the rest": _real("midnight", "6326", "344512", "k 4 5", "r"),
    "420, to roll": _house("420", "r"),
    "420, to choose": _house("420", "k 6 5 r", "r", "r"),
    "420, by position": _house("420", "k 1 2 r", "r", "r", keys="position"),
    "420, marked": _house("420", "r", "r", "r", "6 5"),
    "420, real, to roll": _real("420", "6541"),
    "420, real, to choose": _real("420", "k 6 5 r", "6541", "4332"),
    "420, real, to roll the rest": _real("420", "11", "6541", "4332", "k 6 5", "r"),
    "drinks, real, to draw": Scene("play 420 --seats Ann,Bob,Cid --format drinks --dice real", (), "Bob"),
}


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
