"""A table's view: sides, dice that lead nowhere, words beside dice, a roll-off, the latest words."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

import crew
from play import KITS
from pubdice.core.dice import Hand
from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep, RoundState, TurnGame, keeps
from pubdice.games import GAMES
from pubdice.games.ship.rules import ROLLS, Ship
from pubdice.games.ship.words import ShipWords
from pubdice.match.table import Dice
from pubdice.room import Step
from pubdice.room import commands as ask
from pubdice.server.table.announce import Announcer
from pubdice.server.table.views import ViewContext, Viewer
from pubdice.server.wire import Button, View
from pubdice.text.catalogues import language
from pubdice.text.language import Language
from room.scripted_room import BEGIN, Evening, evening, played
from server.table.announced import told_to, view_of
from support.house import Pub, play_turn, seated


def test_two_at_a_table_with_sides_are_told_which_they_play() -> None:
    table = evening("420", 2, rules={"format": "race"})
    table.sit("ann")
    assert [seat.side for seat in view_of(table).seats] == ["", ""]
    steps = table.steps("bob", ask.Sit(None, "Bob"))
    assert told_to(table, steps, 0) == [
        "Bob sat down.",
        "The match begins.",
        "Ann plays Red, Bob plays Blue.",
        "Ann's turn.",
    ]
    view = view_of(table)
    assert [seat.side for seat in view.seats] == ["Red", "Blue"]
    assert view.whose.text == "Ann's turn. Here: Ann as Red and Bob as Blue."
    german = Viewer(language("de"), table.room.kit, Announcer(language("de"), table.room.kit))
    view = german.view(table.state, ViewContext(BEGIN, {1: BEGIN}, "/t/".__add__), [])
    assert [seat.side for seat in view.seats] == ["Rot", "Blau"]
    assert view.whose.text.endswith("Da: Ann als Rot. Weg: Bob als Blau.")


def test_the_player_drawn_to_begin_plays_the_first_side() -> None:
    table = evening("420", 2, rules={"format": "drinks"})
    table.sit("ann")
    steps = table.steps("bob", ask.Sit(None, "Bob"), draws=[1])
    assert told_to(table, steps, 0)[2:] == [
        "Player 1 is Bob. Round 1.",
        "Bob plays Red, Ann plays Blue.",
        "Bob's turn.",
    ]
    assert [seat.side for seat in view_of(table).seats] == ["Blue", "Red"]


def test_more_at_a_table_or_another_game_play_no_sides() -> None:
    for table in (
        played("ann", "bob", "cid", game="420", rules={"format": "race"}),
        played("ann", "bob", game="midnight"),
        played("ann", "bob"),
    ):
        assert not any(seat.side for seat in view_of(table).seats)
        assert " as " not in view_of(table).whose.text


class WordsOfRollsLeft(ShipWords):
    """Ship's words, with the number of rolls left beside the dice."""

    def stand(self, language: Language, game: Ship, state: RoundState, seat: int, marked: Hand) -> str:
        return f"{ROLLS - state.rolls} left" if seat == len(state.scores) else ""


def test_equal_dice_are_read_out_by_the_state_of_each() -> None:
    table = played("ann", "bob", game="ship", rules={"format": "rounds 1"})
    kit = replace(GAMES["ship"], words=WordsOfRollsLeft())
    viewer = Viewer(Language(), kit, Announcer(Language(), kit))

    def hand() -> str:
        return viewer.view(table.state, ViewContext(BEGIN, {}, "/t/".__add__), []).seats[0].own_hand

    table.roll("ann", (1, 1, 2, 2, 3))
    assert hand() == "You have 3 2 2 1 1: 2 left."
    table.roll("ann", (1, 1, 2, 2, 3))
    assert hand() == "You have 3 2 2 1 1: 1 left."


@dataclass(frozen=True, slots=True)
class Onesies(TurnGame):
    """Five dice, of which only ones may be kept, a pair of them at most. Where there are none, all stay."""

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


def test_the_game_says_which_dice_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    view = _view(monkeypatch, Explains(), 1)
    assert view.main is not None
    assert (view.main.label, view.main.ready) == ("Keep ones only", False)


def test_at_420_a_die_of_no_keep_is_idle_or_rolled_again() -> None:
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


FALLS = (1, 4, 4, 6, 6, 6)
KEPT = (0, 1, 2, 3, 4, 5)


def _tied(dice: Dice = "house") -> tuple[Evening, tuple[Step, ...]]:
    """Ann and Bob have 22 points each, and Cid none. The steps that led to the roll-off are there, too."""
    table = played("ann", "bob", "cid", game="midnight", rules={"format": "rounds 1 rolloff"}, dice=dice)
    steps: tuple[Step, ...] = ()
    for person, fallen in (("ann", FALLS), ("bob", FALLS), ("cid", (2,) * 6)):
        roll = ask.EnterDice(fallen) if dice == "real" else ask.RollOrBank("roll")
        table.ask(person, roll, () if dice == "real" else [fallen])
        steps = table.steps(person, ask.RollOrBank("bank", marks=KEPT))
    return table, steps


def _shown(view: View) -> list[list[int]]:
    return [seat.dice for seat in view.seats]


def test_all_hear_of_the_roll_off_and_the_first_rolls() -> None:
    table, steps = _tied()
    assert told_to(table, steps, 1, seat=0)[-3:] == [
        "You and Bob tie with 22. Cid has nothing.",
        "Roll-off: you and Bob roll one die each, the highest wins.",
        "Your turn. Roll one die.",
    ]
    assert told_to(table, steps, 1, seat=2)[-2:] == [
        "Roll-off: Ann and Bob roll one die each, the highest wins.",
        "Ann's turn.",
    ]


def test_a_roll_off_has_one_button_and_each_die_in_its_place() -> None:
    table, _ = _tied()
    view = view_of(table)
    assert (view.ask, view.due, view.main, view.counter) == (
        "roll",
        1,
        Button("roll", "Roll 1 die", gold=True),
        "Roll-off",
    )
    assert (view.heading.text, view.mover) == ("Ann's turn", 0)
    assert view.status.text == "Roll-off: no rolls yet."
    assert _shown(view)[:2] == [[], []]
    table.roll("ann", (3,))
    view = view_of(table)
    assert _shown(view) == [[3], [], []]
    assert (view.status.text, view.status.own[0]) == ("Roll-off: Ann has 3.", "Roll-off: you have 3.")
    assert view.seats[0].hand == "Ann: 3."
    table.roll("bob", (3,))
    view = view_of(table)
    assert (view.mover, view.status.text) == (0, "Roll-off: no rolls yet.")
    assert _shown(view)[0] == []


def test_the_page_names_the_winner_of_the_roll_off() -> None:
    table, _ = _tied()
    table.roll("ann", (3,))
    steps = table.steps("bob", ask.RollOrBank("roll"), [(6,)])
    view = view_of(table)
    assert view.heading.text == "Bob wins the roll-off!"
    assert (view.won, view.tied, view.won_dice) == ([1], False, [6, 6, 6, 4, 4, 1])
    assert view.result[1].text == "Score: Ann has 22, Bob has 22, Cid has nothing."
    assert "You win the roll-off! Score: Ann has 22, you have 22, Cid has nothing." in told_to(table, steps, 1, seat=1)


def test_a_roll_off_where_nobody_has_scored_has_a_winner() -> None:
    table = played("ann", "bob", game="midnight", rules={"format": "rounds 1 rolloff"})
    for person in ("ann", "bob"):
        table.roll(person, (2,) * 6)
        table.ask(person, ask.RollOrBank("bank", marks=KEPT))
    table.roll("ann", (3,))
    table.roll("bob", (2,))
    assert view_of(table).won == [0]


def test_real_dice_of_a_roll_off_may_be_taken_back() -> None:
    table, _ = _tied("real")
    view = view_of(table)
    assert (view.ask, view.due, view.main) == ("enter", 1, Button("enter", "Enter 1 die", gold=True))
    assert view.heading.own[0] == "Your turn: roll 1 die"
    table.ask("ann", ask.EnterDice((5,)))
    assert view_of(table).mover == 1
    table.ask("ann", ask.TakeBack())
    assert (view_of(table).mover, _shown(view_of(table))[0]) == (0, [])
    assert table.refused("ann", ask.EnterDice((5, 5))) == "roll-count"


@pytest.mark.parametrize("dice", ["house", "real"])
def test_a_die_of_the_roll_off_is_told_without_a_score(dice: Dice) -> None:
    table, _ = _tied(dice)
    for person, face in (("ann", 2), ("bob", 6)):
        enters = dice == "real"
        roll = ask.EnterDice((face,)) if enters else ask.RollOrBank("roll")
        table.ask(person, roll, () if enters else [(face,)])
        hands = [seat.hand for seat in view_of(table).seats if seat.dice]
        assert not [hand for hand in hands if "22" in hand], hands
    assert hands[:2] == ["Ann: 2.", "Bob: 6."]


def test_a_bot_rolls_its_die() -> None:
    table = played("ann", bots=("tip",), game="midnight", rules={"format": "rounds 1 rolloff"})
    table.roll("ann", (2,) * 6)
    table.ask("ann", ask.RollOrBank("bank", marks=KEPT))
    table.ask(None, ask.Bot(), [(2,) * 6])
    table.ask(None, ask.Bot(table.table.match.game.read_action("k222222")))
    table.roll("ann", (3,))
    table.ask(None, ask.Bot(), [(2,)])
    assert table.state.stage == "over"
    assert view_of(table).won == [0]


async def said(pub: Pub, code: str) -> list[str]:
    return [line["text"] for line in (await pub.view(code))["last"]]


async def longest(pub: Pub, game: str, ms: int) -> int:
    """The most lines that a view says of the latest move, in a match in which so much time goes by at each."""
    ann, bob, code = await seated(pub, game=game, rules={})
    found = list[int]()
    while await play_turn(pub, code, [ann, bob]) and len(found) < 40:
        found.append(len(await said(pub, code)))
        await pub.advance(ms)
    return max(found[2:])  # before that, it tells who came and sat down


@pytest.mark.parametrize("game", GAMES)
async def test_a_view_tells_the_latest_move_while_the_clock_stands(pub: Pub, game: str) -> None:
    still, ticking = await longest(pub, game, 0), await longest(pub, game, 1)
    assert still <= 2 * ticking < 10, (still, ticking)


async def test_a_table_loaded_again_says_the_latest_move(pub: Pub) -> None:
    ann, bob, code = await seated(pub, game="midnight", rules={"format": "rounds 3"})
    for _ in range(20):
        await play_turn(pub, code, [ann, bob])
        before: Any = await said(pub, code)
        pub.forget()
        assert await said(pub, code) == before
