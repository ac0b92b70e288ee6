"""Announcements at a table and their listeners: turns as they begin and under way, and questions."""

import pytest

from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep
from pubdice.failures import explain
from pubdice.room import commands as ask
from pubdice.server.table.announce import Announcer, tally
from pubdice.server.table.views import ViewContext, Viewer
from pubdice.server.wire import Button, Sure
from pubdice.text.catalogues import language
from pubdice.text.language import Language
from room.scripted_room import BEGIN, Evening, evening, growing, over, played
from server.table.announced import announcer_of, said_to, told_to, view_of


def _buttons(table: Evening) -> tuple[str | None, str | None]:
    """The labels of the two buttons."""
    view = view_of(table)
    return view.main.label if view.main else None, view.bank.label if view.bank else None


def test_the_start_says_each_thing_once() -> None:
    table = evening("420", 3, rules={"format": "drinks"})
    table.sit("ann", "bob")
    steps = table.steps("cid", ask.Sit(None, "Cid"), draws=[1])
    assert told_to(table, steps, 0) == [
        "Cid sat down.",
        "The match begins.",
        "Player 1 is Bob. Round 1.",
        "Bob's turn.",
    ]
    table = evening("midnight", 1, rules={"format": "rounds 1"})
    assert told_to(table, table.steps("ann", ask.Sit(None, "Ann")), 0) == [
        "Ann sat down.",
        "The match begins.",
        "Ann's turn.",
    ]


def test_a_turn_is_announced_and_named_while_it_lasts() -> None:
    table = played("ann", "bob", game="midnight", rules={"format": "rounds 1"})
    assert view_of(table).heading.text == "Ann's turn"
    assert said_to(0, view_of(table).heading) == "Your turn"
    rolled = table.steps("ann", ask.RollOrBank("roll"), [(1, 4, 4, 6, 6, 6)])
    assert told_to(table, rolled, 1) == told_to(table, rolled, 1, seat=1) == ["Ann rolled 1 4 4 6 6 6."]
    assert told_to(table, rolled, seat=0) == [
        "You rolled 1 4 4 6 6 6.",
        "You need 1 and 4.",
        "Which dice do you keep?",
    ]
    assert told_to(table, rolled, 0, seat=0) == ["You rolled 1 4 4 6 6 6.", "Which dice do you keep?"]
    assert view_of(table).heading.text == "Ann's turn"
    assert said_to(0, view_of(table).heading) == "Your turn: keep one or more"
    kept = table.steps("ann", ask.RollOrBank("roll", (0, 3)), [(2, 2, 2, 2)])
    assert told_to(table, kept, seat=0) == [
        "You kept 1 6.",
        "You rolled 2 2 2 2.",
        "Free: key 2: two, key 3: two, key 5: two, key 6: two.",
        "You still need a 4.",
        "Which dice do you keep?",
    ]
    view = view_of(table)
    assert view.seats[0].own_hand == "Locked: 1 6; free: 2 2 2 2. You have 1, still need 4. Score 6."
    keyed = "Locked: 1 6; free: key 2: two, key 3: two, key 5: two, key 6: two. You have 1, still need 4. Score 6."
    assert view.seats[0].own_keys == keyed
    assert [said_to(seat, view.status) for seat in (0, 1)] == [
        "Get 1 and 4, then score high. You still need a 4.",
        "Get 1 and 4, then score high. Ann still needs a 4.",
    ]
    assert said_to(1, view.whose) == "Ann's turn. Here: Ann and Bob."
    assert said_to(0, view.whose) == "Your turn: keep one or more. Here: Ann and Bob."


def test_in_ship_the_mover_hears_what_is_aboard_and_the_choice() -> None:
    """A player by ear once heard "You still need a 4" with the 4 aboard, and threw a cargo of 12 away unasked."""
    table = played("ann", "bob", game="ship", rules={"format": "rounds 1"})
    table.roll("ann", (6, 5, 1, 2, 3))
    rolled = table.steps("ann", ask.RollOrBank("roll"), [(4, 6, 6)])
    assert told_to(table, rolled, seat=0) == [
        "You rolled 4 6 6.",
        "You have a cargo of 12.",
        "1 roll left.",
        "Stop, or roll again?",
    ]
    assert told_to(table, rolled, 0, seat=0) == ["You rolled 4 6 6.", "Stop, or roll again?"], "in brief, too"
    assert told_to(table, rolled, 1, seat=1) == ["Ann rolled 4 6 6."]
    view = view_of(table)
    assert said_to(0, view.heading) == "Your turn: stop or roll again"
    assert said_to(0, view.status) == "Get 6, 5, 4, then cargo. You have a cargo of 12. 1 roll left."
    assert _buttons(table) == ("Give up the cargo, roll 2", "Stop with 12")


def test_in_mexico_the_mover_hears_which_die_may_stay() -> None:
    table = played("ann", "bob", game="mexico", rules={"hold": "1 2"})
    rolled = table.steps("ann", ask.RollOrBank("roll"), [(6, 1)])
    assert told_to(table, rolled, seat=0) == [
        "You rolled 6 1. That's 61.",
        "2 rolls left.",
        "Roll again or stop?",
        "You may keep the 1 and roll the other die.",
    ]


def test_who_leads_and_who_must_beat_that_are_spoken_to() -> None:
    table = played("ann", "bob", "cid", game="midnight", rules={"format": "rounds 1"})
    assert [said_to(seat, view_of(table).beat) for seat in (None, 0)] == [
        "Ann goes first. Then 2 more.",
        "You go first. Then 2 more.",
    ]
    table.roll("ann", (1, 4, 5, 5, 5, 2))
    table.ask("ann", ask.RollOrBank("bank", (0, 1, 2, 3, 4, 5)))
    told = [said_to(seat, view_of(table).status) for seat in (None, 0, 1, 2)]
    assert told == [
        "Ann has 17, Bob needs 18.",
        "You have 17, Bob needs 18.",
        "Ann has 17, you need 18.",
        "Ann has 17, Bob needs 18.",
    ]
    table.roll("bob", (1, 4, 5, 5, 5, 2))
    table.ask("bob", ask.RollOrBank("bank", (0, 1, 2, 3, 4, 5)))
    told = [said_to(seat, view_of(table).status) for seat in (None, 0, 2)]
    assert told == [
        "Ann and Bob have 17, Cid needs 18.",
        "You and Bob have 17, Cid needs 18.",
        "Ann and Bob have 17, you need 18.",
    ]


def test_of_a_bot_only_that_it_is_its_turn_is_told() -> None:
    table = played("ann", game="midnight", bots=["tip"], rules={"format": "rounds 1"})
    table.roll("ann", (1, 4, 6, 6, 6, 6))
    steps = table.steps("ann", ask.RollOrBank("bank", (0, 1, 2, 3, 4, 5)))
    assert told_to(table, steps)[-1] == "Tip's turn."
    assert view_of(table).heading.text == "Tip's turn"
    assert view_of(table).whose.text == "Tip's turn. Here: Ann and Tip."


def test_the_mover_alone_hears_the_rule_of_keeping_none() -> None:
    table = played("ann", "bob", game="420", rules={"format": "race"})
    table.roll("ann", (6, 6, 3, 2))
    steps = table.steps("bob", ask.RollOrBank("roll"), [(5, 5, 1, 1)])
    assert told_to(table, steps, 0) == told_to(table, steps, 1) == ["Bob rolled 5 5 1 1. Bob has 12.", "Ann's turn."]
    assert told_to(table, steps, 0, seat=1) == ["You rolled 5 5 1 1. You have 12.", "Ann's turn."]
    mine = ["Bob rolled 5 5 1 1. Bob has 12.", "Your turn. You have 6 6 3 2: 17. Which dice do you keep?"]
    assert told_to(table, steps, 1, seat=0) == mine
    rule = "You may keep 6 alone, two from 10 or three from 15."
    assert told_to(table, steps, seat=0) == [*mine, rule]
    view = view_of(table)
    assert [said_to(seat, view.heading) for seat in (0, 1)] == ["Your turn: keep or reroll", "Ann's turn"]
    assert [said_to(seat, view.status) for seat in (0, 1)] == [f"You have 17. {rule}", "Ann has 17."]


def test_of_a_hand_it_is_always_said_whose_it_is() -> None:
    table = played("ann", "bob", game="420", rules={"format": "race"})
    table.roll("ann", (6, 5, 3, 2))
    table.roll("bob", (6, 6, 6, 4))
    steps = table.steps("ann", ask.RollOrBank("roll", (0, 1)), [(2, 4)])
    assert told_to(table, steps, 0, seat=0)[:2] == ["You kept 6 5.", "You rolled 2 4. You have 6 5 4 2: 17."]
    assert told_to(table, steps, 0, seat=1)[:2] == ["Ann kept 6 5.", "Ann rolled 2 4. Ann has 6 5 4 2: 17."]
    seat = view_of(table).seats[0]
    assert (seat.hand, seat.own_hand) == ("Ann: 6 5 4 2, 17.", "You have 6 5 4 2: 17.")


def test_dice_that_must_all_go_back_are_seen_and_told_why() -> None:
    table = played("ann", "bob", game="420", rules={"format": "race"})
    table.roll("ann", (6, 6, 6, 4))
    steps = table.steps("bob", ask.RollOrBank("roll"), [(5, 5, 1, 1)])
    assert "You have 22: too many. All four go back." in told_to(table, steps, 0, seat=0)
    view = view_of(table)
    assert [(die.face, die.status, die.marks) for die in view.dice] == [(face, "lying", None) for face in (6, 6, 6, 4)]
    assert said_to(0, view.status) == "22: too many. All four go back, and 20 still wins."
    assert (view.main, view.sure) == (Button("roll", "Roll 4 dice", gold=True), None)
    assert view.beam is not None
    assert view.beam.value == 22
    table.roll("ann", (3, 4, 4, 4))
    table.ask("bob", ask.RollOrBank("roll", (0, 1)), [(1, 1)])
    view = view_of(table)
    assert [die.face for die in view.dice] == [3, 4, 4, 4]
    assert said_to(0, view.status) == "You can keep none of 4 4 4 3. All four go back."


def test_a_hand_is_thrown_away_by_two_actions() -> None:
    table = played("ann", "bob", game="420", rules={"format": "race"})
    table.roll("ann", (6, 6, 3, 2))
    table.roll("bob", (5, 5, 1, 1))
    view = view_of(table)
    assert view.main == Button("roll", "Choose the dice you keep", ready=False)
    assert view.sure == Sure("reroll", "Reroll all four…", "Throw away 17?", "Reroll all four", "Go back")
    assert (
        table.refused("ann", ask.RollOrBank("roll")) == table.refused("ann", ask.RollOrBank("roll", ())) == "gives-up"
    )
    table.ask("ann", ask.Mark((2, 3)))
    view = view_of(table)
    assert view.main == Button("roll", "Keep at least 10 with 2 dice", ready=False)
    assert [die.status for die in view.dice] == ["reroll", "reroll", "marked", "marked"]
    table.ask("ann", ask.Mark((0, 1, 2, 3)))
    assert view_of(table).main == Button("roll", "Reroll one die or more", ready=False)
    table.ask("ann", ask.Mark((0, 1)))
    assert view_of(table).main == Button("roll", "Keep 6 6, roll 2", gold=True)
    assert len(table.ask("ann", ask.RollOrBank("roll", sure=True), [(1, 2, 3, 4)])) >= 2
    assert table.play.trays[0].faces == (1, 2, 3, 4)


def test_the_rail_shows_dice_won_and_chosen_slot_by_slot() -> None:
    table = played("ann", "bob", game="midnight", rules={"format": "rounds 1"})
    rail = view_of(table).rail
    assert rail is not None
    assert [(slot.face, slot.want) for slot in rail.slots] == [(0, 1), (0, 4), (0, 0), (0, 0), (0, 0), (0, 0)]
    table.roll("ann", (1, 1, 4, 6, 6, 6))
    table.ask("ann", ask.RollOrBank("roll", (0, 3)), [(1, 4, 2, 6)])
    table.ask("ann", ask.Mark((1, 5)))
    view = view_of(table)
    assert view.rail is not None
    slots = [(slot.face, slot.want, slot.preview) for slot in view.rail.slots]
    assert slots == [(1, 1, False), (0, 4, False), (6, 0, False), (6, 0, True), (1, 0, True), (0, 0, False)]
    assert (view.rail.total, view.red, view.beam) == ("13", [4], None)
    assert said_to(0, view.rail.said) == "You have 1, still need 4. Score 13."
    assert said_to(1, view.rail.said) == "Ann has 1, still needs 4. Score 13."
    assert (said_to(0, view.rail.label), said_to(0, view.rail.total_label)) == ("You need", "Your score")


def test_after_a_keep_of_real_dice_the_next_roll_is_said() -> None:
    table = played("ann", "bob", game="midnight", rules={"format": "rounds 1"}, dice="real")
    steps = table.steps("bob", ask.EnterDice((1, 4, 6, 2, 2, 3)))
    assert told_to(table, steps, 0) == ["Ann rolled 1 4 6 2 2 3."]
    steps = table.steps("ann", ask.RollOrBank("roll", (0, 1, 2)))
    assert told_to(table, steps, 0) == ["Ann kept 1 4 6.", "Ann rolls 3 dice."]
    assert told_to(table, steps, 0, seat=0) == ["You kept 1 4 6.", "Roll 3 dice."]
    said = announcer_of(table).tell(steps, {})
    assert [say.level for say in said] == [0, -1]
    assert told_to(table, table.steps("ann", ask.Undo()), 0) == ["Ann asks to take the last choice back."]
    steps = table.steps("bob", ask.Agree())
    assert told_to(table, steps, 0)[:2] == ["Bob agrees.", "The choice is taken back. The dice stay as they fell."]
    assert told_to(table, table.steps("ann", ask.Undo()), 0) == [
        "Undone.",
        "Ann rolls 6 dice.",
    ]


def test_of_a_bot_too_it_is_said_what_to_roll_for_it() -> None:
    table = played("ann", game="midnight", bots=["tip"], rules={"format": "rounds 1"}, dice="real", opens=1)
    table.ask("ann", ask.EnterDice((1, 4, 6, 2, 2, 3)))
    steps = table.steps(None, ask.Bot(Keep((1, 4, 6))))
    assert told_to(table, steps, 0) == ["Tip kept 1 4 6.", "Roll 3 dice for Tip."]


def test_a_rematch_says_who_wants_one() -> None:
    table = over("ann", "bob")
    steps = table.steps("bob", ask.Rematch("BCDEFG"))
    assert told_to(table, steps) == told_to(table, steps, seat=0) == ["Bob wants a rematch."]
    assert told_to(table, steps, seat=1) == ["You want a rematch."]


def test_who_changes_places_is_named_and_who_goes_first() -> None:
    table = growing("ann", "bob", "cy")
    assert told_to(table, table.steps("ann", ask.Shift(2, 0))) == ["Cy goes first from now on."]
    assert told_to(table, table.steps("ann", ask.Shift(0, 1))) == ["Cy has a new place in the order."]


def test_that_a_seat_is_on_another_phone_is_always_said() -> None:
    table = evening("midnight", 2)
    table.sit("ann")
    assert told_to(table, table.steps("eve", ask.Join(0)), 0) == ["Ann has this seat on another phone too."]


def test_after_a_tie_a_player_wants_to_play_on() -> None:
    table = played("ann", "bob", game="midnight", rules={"format": "rounds 1"})
    for person in ("ann", "bob"):
        table.roll(person, (1, 4, 6, 6, 6, 6))
        table.ask(person, ask.RollOrBank("roll", (*range(6),)))
    steps = table.steps("bob", ask.Rematch("BCDEFG"))
    assert told_to(table, steps, seat=0) == ["Bob wants to play on."]
    assert told_to(table, steps, seat=1) == ["You want to play on."]


def test_a_bot_is_called_one() -> None:
    table = played("ann", "bob", game="midnight", bots=["tip"], rules={"format": "rounds 2"})
    assert told_to(table, table.steps("bob", ask.Give("bold"))) == ["A bot (Bold) plays for Bob."]
    assert told_to(table, table.steps("bob", ask.Leave())) == ["Bob leaves.", "A bot, Tip 2, takes over from Bob."]
    assert told_to(table, table.steps("eve", ask.Sit(1, "Eve"))) == ["Eve takes over from Tip 2."]
    assert told_to(table, table.steps("ann", ask.Remove(1)))[:2] == [
        "Eve was removed.",
        "A bot, Tip 2, takes over from Eve.",
    ]
    assert table.replayed() == table.state
    table = evening("midnight", 2)
    table.sit("ann")
    assert told_to(table, table.steps("ann", ask.Start("tip")), 0)[0] == "A bot, Tip, sat down."


def test_when_the_mover_leaves_it_is_told_whose_turn_it_is_then() -> None:
    table = played("ann", "bob", bots=["tip"])
    assert told_to(table, table.steps("ann", ask.Leave()))[-1] == "Tip 2's turn."


def test_where_scores_add_up_the_leader_has_the_most_so_far() -> None:
    table = played("ann", "bob", game="midnight", rules={"format": "total 5"})
    assert view_of(table).beat.text == "No points yet."
    for player, said in (("ann", "Ann has 17, you have 0. Ann leads by 17."), ("bob", "Ann has 17, you have 17.")):
        table.roll(player, (1, 4, 5, 5, 5, 2))
        table.ask(player, ask.RollOrBank("bank", (0, 1, 2, 3, 4, 5)))
        assert said_to(1, view_of(table).beat).startswith(f"Points: {said}")


def test_before_and_after_a_match_the_table_says_why_it_waits() -> None:
    table = evening("midnight", 3, "tip")
    table.sit("ann")
    view = view_of(table)
    assert view.whose.text == "Waiting for 1 more player. Here: Ann and Tip."
    assert view.heading.text == "Waiting for 1 more player"
    table = evening("midnight", 1, grows=True)
    table.sit("ann")
    assert view_of(table).whose.text == "Waiting for 1 more player. Here: Ann."
    table.sit("bob")
    assert view_of(table).heading.text == "The game can start"
    assert view_of(table).whose.text == "The game can start. Here: Ann and Bob."
    assert not view.beat.text
    view = view_of(over("ann", "bob"))
    assert view.whose.text == "Ann wins the race! Here: Ann and Bob."
    assert (view.heading.text, view.heading.own) == ("Ann wins the race!", {0: "You win the race!"})
    assert view.won == [0]
    table = played("ann", "bob", "cid", game="420", rules={"format": "drinks"}, dice="real")
    view = view_of(table)
    assert view.whose.text == "Who is Player 1? Here: Ann, Bob and Cid."
    assert view.heading.text == "Who is Player 1?"
    assert not view.beat.text


def test_where_all_dice_are_kept_one_button_says_the_score() -> None:
    table = played("ann", "bob", game="midnight", rules={"format": "rounds 1"})
    table.roll("ann", (1, 4, 5, 5, 5, 5))
    assert _buttons(table) == ("Choose the dice you keep", None)
    table.ask("ann", ask.Mark((0,)))
    assert _buttons(table) == ("Keep 1, roll 5", None)
    table.ask("ann", ask.Mark((0, 1, 2, 3, 4, 5)))
    assert _buttons(table) == ("Keep 1 4 5 5 5 5, score 20", None)
    german = Viewer(language("de"), table.room.kit, Announcer(language("de"), table.room.kit))
    main = german.view(table.state, ViewContext(BEGIN, {}, "/t/".__add__), []).main
    assert main == Button("roll", "1 4 5 5 5 5 behalten: 20 Punkte", gold=True)
    table.ask("ann", ask.RollOrBank("bank"))
    table.roll("bob", (2, 3, 5, 5, 5, 5))
    table.ask("bob", ask.Mark((0, 1, 2, 3, 4, 5)))
    assert _buttons(table) == ("Keep 2 3 5 5 5 5: nothing", None)


def test_a_game_of_moves_has_a_button_for_each_and_no_other() -> None:
    table = played("ann", "bob")
    table.roll("ann", (6,))
    assert _buttons(table) == (None, None)
    assert [each.label for each in view_of(table).moves] == ["Roll again", "Hold 6"]


def test_somebody_whose_time_is_up_is_told_so_as_you() -> None:
    """The bot's moves are still their turn. The others hear their name."""
    table = played("ann", "bob", game="midnight", clock_s=30)
    table.roll("ann", (1, 4, 4, 6, 6, 6))
    table.wait(30)
    steps = table.steps(None, ask.TimeUp())
    assert told_to(table, steps, 0, seat=0)[0] == "Time is up: a bot plays this turn for you."
    assert told_to(table, steps, 0, seat=1)[0] == "Time is up: a bot plays this turn for Ann."
    kept = table.steps(None, ask.Bot(Keep((1, 4))))
    assert told_to(table, kept, 0, seat=0)[0] == "You kept 1 4."
    assert told_to(table, kept, 0, seat=1)[0] == "Ann kept 1 4."


def test_what_s_and_t_tell_is_never_nothing() -> None:
    """S at one's first turn, and after a match that leaves no slate. T says what the turn needs once dice lie there."""
    table = played("ann", "bob", game="midnight", rules={"format": "rounds 1"})
    assert view_of(table).scores.text == "No points yet."
    table.roll("ann", (2, 3, 5, 5, 5, 5))
    assert said_to(0, view_of(table).status) == "Get 1 and 4, then score high."
    race = played("ann", "bob", game="420", rules={"format": "race"})
    race.roll("ann", (5, 5, 5, 5))
    view = view_of(race)
    assert (view.stage, view.standing.text) == ("over", "Ann wins the race!")
    assert said_to(0, view.standing) == "You win the race!"


def test_a_single_round_is_summed_up_by_its_scores() -> None:
    table = played("ann", "bob", game="midnight", rules={"format": "rounds 1"})
    table.roll("ann", (2, 3, 5, 5, 5, 5))
    table.ask("ann", ask.RollOrBank("bank", (0, 1, 2, 3, 4, 5)))
    view = view_of(table)
    assert (view.seats[0].score, view.seats[0].hand) == ("nothing", "Ann: 5 5 5 5 3 2, nothing.")
    table.roll("bob", (1, 4, 5, 5, 5, 2))
    steps = table.steps("bob", ask.RollOrBank("bank", (0, 1, 2, 3, 4, 5)))
    ending = "Bob wins with 17. Ann has nothing."
    assert told_to(table, steps) == ["Bob kept 1 2 4 5 5 5. Bob scored 17: 5 5 5 2.", ending]
    assert told_to(table, steps, seat=0)[1:] == ["Bob wins with 17. You have nothing."]
    assert told_to(table, steps, seat=1) == [
        "You kept 1 2 4 5 5 5. You scored 17: 5 5 5 2.",
        "You win with 17. Ann has nothing.",
    ]
    view = view_of(table)
    assert " ".join(line.text for line in view.result) == ending
    assert (view.scores.text, view.standing.text) == ("", "Score: Ann has nothing, Bob has 17.")
    assert (view.seats[1].score, view.seats[1].hand) == ("17", "Bob: 5 5 5 4 2 1, 17.")
    assert (view.won, view.won_dice, view.won_with, view.tied) == ([1], [5, 5, 5, 4, 2, 1], "", False)
    told = tally(language("en"), table.room, table.state)
    assert told is not None
    assert told.buys == ["Ann buys: no win yet."]


def test_the_wait_of_bots_is_told_without_a_plural() -> None:
    """Languages differ in the form after a fraction: French says "1,2 seconde", Polish "1,2 sekundy"."""
    table = evening("midnight", 2)
    table.sit("ann")
    told_of = {0: "Bots do not wait.", 1000: "Seconds that bots wait: 1.", 400: "Seconds that bots wait: 0.4."}
    for ms, told in told_of.items():
        assert told_to(table, table.steps("ann", ask.Pace(ms))) == [told]


HANDS = {"18": (1, 4, 6, 6, 5, 1), "24": (1, 4, 6, 6, 6, 6), "20": (1, 4, 5, 5, 5, 5), "nothing": (6, 6, 6, 6, 6, 6)}


def midnights(*rounds: tuple[str, str]) -> Evening:
    """Rounds of Midnight between ann and bob, with what each came to."""
    table = played("ann", "bob", game="midnight", rules={"format": f"rounds {len(rounds)}"})
    for number, hands in enumerate(rounds):
        for person, hand in list(zip(("ann", "bob"), hands, strict=True))[:: 1 - 2 * (number % 2)]:
            table.roll(person, HANDS[hand])
            table.ask(person, ask.RollOrBank("bank", (0, 1, 2, 3, 4, 5)))
    return table


def test_the_winners_best_hand_is_shown() -> None:
    table = midnights(("24", "18"), ("20", "18"), ("nothing", "18"))
    assert table.replayed() == table.state
    view = view_of(table)
    assert (view.result[0].text, view.result[0].own) == ("Ann wins!", {0: "You win!"})
    assert (view.won, view.won_dice, view.won_with) == ([0], [6, 6, 6, 6, 4, 1], "24 in round 1")
    view = view_of(midnights(("nothing", "nothing"), ("nothing", "nothing")))
    assert (view.won, view.won_dice, view.won_with, view.tied) == ([], [], "", True)


def test_where_the_lowest_wins_the_best_hand_is_the_lowest() -> None:
    table = played("ann", "bob", game="threes", rules={"format": "rounds 3"})
    for person, dice in (
        *(("ann", (3, 3, 3, 3, 1)), ("bob", (6, 6, 6, 6, 5))),
        *(("bob", (6, 6, 6, 6, 5)), ("ann", (3, 3, 3, 1, 1))),
        *(("ann", (6, 6, 6, 6, 1)), ("bob", (6, 6, 6, 5, 5))),
    ):
        table.roll(person, dice)
        table.ask(person, ask.RollOrBank("bank", (0, 1, 2, 3, 4)))
    view = view_of(table)
    assert (view.won_dice, view.won_with) == ([3, 3, 3, 3, 1], "1 in round 1")


def test_a_best_turn_of_moves_is_told_without_dice() -> None:
    table = played("ann", "bob", game="shutbox", rules={"format": "rounds 2"})
    turns = {"ann": [(1, 1), (1, 2), (1, 1)], "bob": [(1, 1), (1, 1)]}  # 2 and 3 are shut, or 2: no other sum is there
    for person in ("ann", "bob", "bob", "ann"):
        for dice in turns[person]:
            table.roll(person, dice)
    view = view_of(table)
    assert (view.won, view.won_dice, view.won_with) == ([0], [], "Best turn: 40, round 1")


def test_where_scores_add_up_a_rounds_score_has_a_plus() -> None:
    for rules, beside in (("total 2", "+24"), ("rounds 2", "24")):
        table = played("ann", "bob", game="midnight", rules={"format": rules})
        table.roll("ann", HANDS["24"])
        table.ask("ann", ask.RollOrBank("bank", (0, 1, 2, 3, 4, 5)))
        assert view_of(table).seats[0].score == beside


def test_the_last_one_left_shows_a_hand_of_its_own() -> None:
    table = played("ann", "bob", "cid", game="mexico", rules={"format": "lives 1"})
    rolls = iter([(5, 4), (4, 3), (3, 1), (3, 1), (3, 2)])  # cid is out; then it is between ann and bob
    while table.state.mover is not None:
        person = ("ann", "bob", "cid")[table.state.mover]
        table.roll(person, next(rolls))
        if table.play.legal:
            table.ask(person, ask.RollOrBank("bank"))
    view = view_of(table)
    names = [seat.name for seat in view.seats]
    assert view.result[0].text == f"{names[view.won[0]]} wins!"
    assert (view.won_dice, view.won_with) in (([3, 2], "32 in round 2"), ([5, 4], "54 in round 1"))


def test_a_refusal_reads_dice_in_the_order_of_their_keys() -> None:
    table = played("ann", "bob", game="midnight")
    table.steps("ann", ask.RollOrBank("roll"), [(4, 2, 4, 1, 2, 5)])
    with pytest.raises(IllegalAction) as refused:
        table.steps("ann", ask.RollOrBank("roll"))
    assert explain(Language(), refused.value, table.room.kit.words, table.table.match.game) == (
        "Keep at least one of the dice just rolled: 4 2 4 1 2 5."
    )


def drinks(*rolls: tuple[int, int, int, int]) -> Evening:
    """420 for drinks, of which these are all rolls."""
    table = played("ann", "bob", "cid", game="420", rules={"format": "drinks"})
    for dice in rolls:
        assert table.state.mover is not None
        table.roll(("ann", "bob", "cid")[table.state.mover], dice)
    return table


def test_who_buys_shows_their_own_last_hand_and_never_a_winners() -> None:
    table = drinks((5, 5, 5, 5), (6, 5, 4, 4), (5, 5, 5, 5))
    view = view_of(table)
    assert (view.result[0].text, view.result[0].own) == ("Bob is buying!", {1: "You're buying!"})
    assert (view.pays, view.won, view.won_dice, view.won_with) == ([1], [0, 2], [6, 5, 4, 4], "Last hand: 19")
    told = tally(language("en"), table.room, table.state)
    assert told is not None
    assert {row.name: row.buys for row in told.rows} == {"Ann": False, "Cid": False, "Bob": True}
    assert told.buys == [], "the match has just said so"


def test_a_payer_who_did_not_roll_last_shows_no_dice() -> None:
    view = view_of(drinks((5, 5, 5, 4), (5, 5, 5, 5), (5, 5, 5, 5)))
    assert (view.result[0].text, view.pays, view.won_dice, view.won_with) == ("Ann is buying!", [0], [], "")


def test_the_needed_dice_of_the_best_hand_are_red() -> None:
    view = view_of(midnights(("24", "18"), ("20", "18"), ("nothing", "18")))
    assert (view.won_dice, view.won_red, view.rounds) == ([6, 6, 6, 6, 4, 1], [4, 5], [2, 1])
    view = view_of(midnights(("nothing", "18"), ("nothing", "18")))
    assert (view.won_dice, view.won_red) == ([6, 6, 5, 4, 1, 1], [3, 4]), "the second 1 was none that it needed"
    table = played("ann", "bob", game="ship", rules={"format": "rounds 1"})
    for person, dice in (("ann", (6, 5, 4, 6, 6)), ("bob", (6, 5, 4, 1, 1))):
        table.roll(person, dice)
        table.ask(person, ask.RollOrBank("bank", (0, 1, 2, 3, 4)))
    view = view_of(table)
    assert (view.won_dice, view.won_red) == ([6, 6, 6, 5, 4], [0, 3, 4]), "a cargo of sixes is black"
    assert view.rounds == [], "a single round is told by its scores"


def one_match_of_four(form: str) -> Evening:
    """A match of one round that Ann wins."""
    table = played("ann", "bob", "cid", "dan", game="midnight", rules={"format": form})
    for person in ("ann", "bob", "cid", "dan"):
        table.roll(person, HANDS["24" if person == "ann" else "18"])
        table.ask(person, ask.RollOrBank("bank", (0, 1, 2, 3, 4, 5)))
    return table


def test_after_one_match_of_many_nobody_buys_yet() -> None:
    table = one_match_of_four("rounds 1")
    told = tally(language("en"), table.room, table.state)
    assert told is not None
    assert (told.buys, [row.buys for row in told.rows]) == ([], [False] * 4)


def test_after_one_match_of_many_for_chips_who_lost_most_buys() -> None:
    table = one_match_of_four("pot 1 rounds 1")
    told = tally(language("en"), table.room, table.state)
    assert told is not None
    assert told.buys == ["Bob, Cid and Dan have lost one chip each, the most, and share the bill."]
    assert {row.name: row.buys for row in told.rows} == {"Ann": False, "Bob": True, "Cid": True, "Dan": True}
