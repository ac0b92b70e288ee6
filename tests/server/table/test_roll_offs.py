"""A roll-off at a table of people: its button, the dice that lie there, who has what, and what everybody hears."""

import pytest

from pubdice.match.table import Dice
from pubdice.room import Step
from pubdice.room import commands as ask
from pubdice.server.wire import Button, View
from room.scripted_room import Evening, played
from server.table.announced import told_to, view_of

FALLS = (1, 4, 4, 6, 6, 6)
KEPT = (0, 1, 2, 3, 4, 5)


def _tied(dice: Dice = "house") -> tuple[Evening, tuple[Step, ...]]:
    """Ann and Bob have 22 points each, and Cid none; with the steps that led to the roll-off."""
    table = played("ann", "bob", "cid", game="midnight", rules={"format": "rounds 1 rolloff"}, dice=dice)
    steps: tuple[Step, ...] = ()
    for person, fallen in (("ann", FALLS), ("bob", FALLS), ("cid", (2,) * 6)):
        roll = ask.EnterDice(fallen) if dice == "real" else ask.RollOrBank("roll")
        table.ask(person, roll, () if dice == "real" else [fallen])
        steps = table.steps(person, ask.RollOrBank("bank", marks=KEPT))
    return table, steps


def _shown(view: View) -> list[list[int]]:
    return [seat.dice for seat in view.seats]


def test_everybody_hears_of_the_roll_off_and_the_first_is_asked_to_roll() -> None:
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


def test_the_page_has_one_button_and_shows_each_die_where_it_was_rolled() -> None:
    table, _ = _tied()
    view = view_of(table)
    assert (view.ask, view.due, view.main, view.counter) == (
        "roll",
        1,
        Button("roll", "Roll 1 die", gold=True),
        "Roll-off",
    )
    assert (view.heading.text, view.mover) == ("Ann's turn", 0)
    assert view.status.text == "Roll-off: nobody has rolled yet."
    assert _shown(view)[:2] == [[], []]
    table.roll("ann", (3,))
    view = view_of(table)
    assert _shown(view) == [[3], [], []]
    assert (view.status.text, view.status.own[0]) == ("Roll-off: Ann has 3.", "Roll-off: you have 3.")
    assert view.seats[0].hand == "Ann: 3."
    table.roll("bob", (3,))
    view = view_of(table)
    assert (view.mover, view.status.text) == (0, "Roll-off: nobody has rolled yet.")
    assert _shown(view)[0] == []


def test_the_page_says_who_has_won_the_roll_off_and_with_which_hand_of_the_match() -> None:
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


def test_real_dice_of_a_roll_off_are_entered_and_may_be_taken_back() -> None:
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
def test_a_die_of_the_roll_off_is_told_without_the_score_of_the_round(dice: Dice) -> None:
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
