"""Dice that lead nowhere are not offered; of those that do, the game says what they lack."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

import crew
from play import KITS
from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep, RoundState, TurnGame, keeps
from pubdice.room import commands as ask
from pubdice.server.wire import View
from pubdice.text.language import Language
from room.scripted_room import played
from server.table.announced import view_of


@dataclass(frozen=True, slots=True)
class Onesies(TurnGame):
    """Five dice, of which only ones may be kept, a pair of them at most; where there are none, all stay."""

    number_of_dice = 5

    def worth(self, hand: tuple[int, ...]) -> int:
        return sum(hand)

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        ones = [keep for keep in keeps(state.free, 1) if keep.dice in ((1,), (1, 1))]
        return tuple(ones) or ((Keep(state.free),) if state.free else ())

    def play(self, state: RoundState, action: Keep) -> RoundState:
        if action not in self.legal(state):
            raise IllegalAction("ones-only", state=state, action=action)
        return TurnGame.play(self, state, action)


class Silent(crew.CrewWords):
    """Says nothing of what is missing."""


class Explains(crew.CrewWords):
    """Says what is missing."""

    def missing(self, language: Language, game: Any, rule: str, facts: Mapping[str, Any]) -> str:
        return "Keep ones only"


def _view(monkeypatch: pytest.MonkeyPatch, words: crew.CrewWords, *marks: int) -> View:
    kit = replace(crew.KIT, name="onesies", build=lambda options: Onesies(), words=words, solver=None)
    monkeypatch.setitem(KITS, "onesies", kit)
    table = played("ann", "bob", game="onesies")
    table.roll("ann", (1, 4, 1, 1, 6))
    if marks:
        table.ask("ann", ask.Mark(marks))
    return view_of(table)


def test_a_die_that_no_keep_holds_is_idle_and_cannot_be_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    view = _view(monkeypatch, Silent())
    assert [die.status for die in view.dice] == ["free", "idle", "free", "free", "idle"]
    assert [die.marks for die in view.dice] == ["0", None, "2", "3", None]
    assert view.seats[0].own_hand == "Free: 1 1 1; other: 4 6."
    assert view.seats[0].own_keys == "Free: key 1: one, key 3: one, key 4: one; other: 4 6."


def test_what_no_keep_holds_beside_the_marked_dice_is_idle_too(monkeypatch: pytest.MonkeyPatch) -> None:
    view = _view(monkeypatch, Silent(), 0, 2)
    assert [die.status for die in view.dice] == ["marked", "idle", "marked", "idle", "idle"]
    assert [die.marks for die in view.dice] == ["2", None, "0", None, None]
    assert view.main is not None
    assert view.main.ready


def test_the_game_says_what_is_missing_where_marks_came_faster_than_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    view = _view(monkeypatch, Explains(), 1)
    assert view.main is not None
    assert (view.main.label, view.main.ready) == ("Keep ones only", False)


def test_at_420_a_die_that_no_keep_holds_is_idle_and_beside_kept_ones_rolled_again() -> None:
    table = played("ann", "bob", game="420")
    for person, dice in (("ann", (2, 3, 4, 6)), ("bob", (1, 1, 2, 2))):
        table.roll(person, dice)
    view = view_of(table)
    by_face = {die.face: die for die in view.dice}
    assert {face: die.status for face, die in by_face.items()} == {2: "idle", 3: "idle", 4: "free", 6: "free"}
    assert by_face[2].marks is None
    assert by_face[4].marks is not None, "with the 6 it may stay"
    assert view.seats[0].own_hand == "You have 2 3 4 6: 15."
    table.ask("ann", ask.Mark((by_face[6].place,)))
    after = {die.face: (die.status, die.marks is None) for die in view_of(table).dice}
    assert after == {2: ("reroll", True), 3: ("reroll", True), 4: ("reroll", False), 6: ("marked", False)}
