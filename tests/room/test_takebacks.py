"""Choices taken back by consent: who is asked, one no, and people who cheat, flood, sleep or answer too late."""

from typing import Any

import pytest

from pubdice.core.errors import IllegalAction
from pubdice.games import GAMES
from pubdice.match.record import ChoiceTakenBack, Rolled, none_ended
from pubdice.match.table import TakenBack
from pubdice.room import Caller
from pubdice.room import commands as ask
from pubdice.room.events import BackAgreed, BackAsked, BackDeclined, Moved, read_line
from pubdice.room.state import ANSWER_MS, chosen_by, due, unanswered
from pubdice.room.takebacks import question
from pubdice.server.table.announce import Announcer
from pubdice.text.catalogues import language
from room.scripted_room import Evening, evening, moved, played
from support.scripted_cup import ScriptedCup

FALLEN = (3, 4, 4, 5, 1, 2)
REST = (6, 3, 2, 6, 1)
KEEP = ask.RollOrBank("roll", (1,))
END = ask.RollOrBank("roll", (0, 2, 3, 4, 5))
"""Ann keeps all the dice, and her turn ends."""
BACK, AGREE, DECLINE = ask.Undo(), ask.Agree(), ask.Decline()


def chosen(*people: str, bots: tuple[str, ...] = (), **more: Any) -> Evening:
    """Return a match of Midnight in which Ann has kept one 4 and rolled the other five."""
    table = played(*(people or ("ann", "bob")), game="midnight", bots=bots, **more)
    table.ask("ann", ask.RollOrBank("roll"), [FALLEN])
    table.ask("ann", KEEP, [REST])
    return table


def again(table: Evening, *places: int) -> list[object]:
    return moved(table.ask("ann", ask.RollOrBank("roll", places), [(5, 5, 5, 5, 5, 5)]))


def test_a_choice_comes_back_once_all_others_have_agreed() -> None:
    table = chosen("ann", "bob", "cid")
    assert table.ask("ann", BACK) == [BackAsked(0)]
    assert table.ask("bob", AGREE) == [BackAgreed(1)]
    assert table.play.choice is not None
    assert table.ask("cid", AGREE) == [BackAgreed(2), Moved(ChoiceTakenBack(2))]
    assert again(table, 1, 4)[1] == Rolled((6, 3, 2, 6))
    assert table.replayed() == table.state


def test_one_no_and_nothing_changes_and_that_choice_is_not_asked_for_again() -> None:
    table = chosen("ann", "bob", "cid")
    table.ask("ann", BACK)
    table.ask("bob", AGREE)
    before = table.play
    assert table.ask("cid", DECLINE) == [BackDeclined(2)]
    assert table.play == before
    assert table.refused("ann", BACK) == "asked-once"
    assert table.refused("bob", AGREE) == "nothing-asked"
    table.ask("ann", ask.RollOrBank("roll", (0,)), [(2, 2, 2, 2)])
    assert table.ask("ann", BACK) == [BackAsked(0)], "the next choice is another one"


def test_a_guest_who_floods_the_table_asks_once() -> None:
    table = chosen()
    table.ask("ann", BACK)
    for _ in range(20):
        assert table.refused("ann", BACK) == "asked-already"
        assert table.refused("bob", BACK) == "not-your-choice"
        assert table.refused("eve", BACK) == "not-seated"
        assert table.refused("eve", AGREE) == "not-seated"
    table.ask("bob", DECLINE)
    for _ in range(20):
        assert table.refused("ann", BACK) == "asked-once"


def test_the_player_who_asked_can_drop_the_question_but_cannot_agree_alone() -> None:
    table = chosen()
    table.ask("ann", BACK)
    assert table.refused("ann", AGREE) == "asked-already"
    assert table.ask("ann", DECLINE) == [BackDeclined(0)]
    assert table.refused("ann", BACK) == "asked-once"


def test_a_question_falls_as_soon_as_the_match_goes_on() -> None:
    table = chosen()
    table.ask("ann", BACK)
    table.ask("ann", ask.Mark((0,)))
    assert unanswered(table.state) == (1,), "a mark is no move"
    table.ask("ann", ask.RollOrBank("roll"), [(2, 2, 2, 2)])
    assert table.state.question is None
    assert table.refused("bob", AGREE) == "nothing-asked"


def test_a_yes_to_an_earlier_question_does_not_answer_a_later_one() -> None:
    table = chosen()
    table.ask("ann", BACK)
    seen = table.state.seq
    table.ask("ann", ask.RollOrBank("roll", (0,)), [(2, 2, 2, 2)])
    table.ask("ann", BACK)
    late = Caller("bob", table.now, seen=seen)
    for command in (AGREE, DECLINE):
        with pytest.raises(Exception, match="seen-late"):
            table.room.decide(table.state, command, late, ScriptedCup())
    assert table.room.decide(table.state, AGREE, Caller("bob", table.now, seen=table.state.seq), ScriptedCup())


def test_a_yes_given_twice_counts_once() -> None:
    table = chosen("ann", "bob", "cid")
    table.ask("ann", BACK)
    table.ask("bob", AGREE)
    assert table.refused("bob", AGREE) == "answered-already"


def test_after_a_crash_the_log_knows_the_question_and_the_answers() -> None:
    table = chosen("ann", "bob", "cid")
    table.ask("ann", BACK)
    table.ask("bob", AGREE)
    table.state = table.replayed()
    assert unanswered(table.state) == (2,)
    assert moved(table.ask("cid", AGREE)) == [ChoiceTakenBack(2)]


def test_a_choice_in_the_log_never_comes_back_without_a_question() -> None:
    table = chosen()
    line = read_line(table.table, f"{table.now} unplay 2")
    with pytest.raises(IllegalAction, match="cannot-happen"):
        table.room.apply(table.state, line)


def test_a_bot_agrees_once_a_round() -> None:
    table = chosen("ann", bots=("tip",))
    assert table.ask("ann", BACK) == [BackAsked(0), Moved(ChoiceTakenBack(2))]
    again(table, 1)
    assert table.refused("ann", BACK) == "bots-agreed"
    table.ask("ann", END)
    for _ in range(2):  # the bot's turn of this round and of the next, which it opens
        table.ask(None, ask.Bot(), [FALLEN])
        table.ask(None, ask.Bot(max(table.play.legal, key=lambda keep: len(keep.dice))))
    assert (table.play.match.number, table.state.mover) == (2, 0)
    table.ask("ann", ask.RollOrBank("roll"), [FALLEN])
    table.ask("ann", KEEP, [REST])
    assert moved(table.ask("ann", BACK)) == [ChoiceTakenBack(2)], "a new round"


def test_a_bots_own_choice_stands() -> None:
    table = chosen()
    table.ask("ann", END)
    table.ask("bob", ask.Give())
    table.ask(None, ask.Bot(), [FALLEN])
    table.ask(None, ask.Bot(table.play.legal[0]))
    assert table.refused("bob", BACK) == "bot-chose"


def test_a_choice_of_a_turn_whose_time_ran_out_stands() -> None:
    table = chosen(clock_s=30)
    table.ask("ann", BACK)
    table.wait(30)
    table.ask(None, ask.TimeUp())
    assert table.state.question is None
    assert table.refused("bob", AGREE) == "nothing-asked"
    assert table.refused("ann", BACK) == "bot-chose"


@pytest.mark.parametrize("dice", ["real", "house"])
def test_no_choice_comes_back_once_the_match_is_over(dice: str) -> None:
    table = played("ann", "bob", game="midnight", rules={"format": "rounds 1"}, dice=dice)
    for person in ("ann", "bob"):
        if dice == "real":
            table.ask(person, ask.EnterDice(FALLEN))
        else:
            table.ask(person, ask.RollOrBank("roll"), [FALLEN])
        table.ask(person, ask.RollOrBank("roll", (0, 1, 2, 3, 4, 5)))
    assert table.state.stage == "over"
    if dice == "real":
        assert moved(table.ask("ann", BACK)) == [TakenBack()], "real dice were always put right after the end"
    else:
        assert table.refused("bob", BACK) == "match-over"


def test_a_player_who_is_away_is_asked_until_the_grace_time_is_over() -> None:
    table = chosen("ann", "bob", "cid")
    table.away(2)
    table.ask("ann", BACK)
    assert table.ask("bob", AGREE) == [BackAgreed(1)]
    assert table.refused("ann", BACK) == "asked-already"
    table.wait(table.state.setup.grace_s)
    assert table.ask("ann", BACK) == [Moved(ChoiceTakenBack(2))]


def test_players_who_share_a_phone_need_no_tap() -> None:
    table = evening("midnight", 2)
    table.sit("ann")
    table.ask("ann", ask.Share("Amy"))
    table.ask("ann", ask.Start()) if table.state.stage == "gathering" else None
    table.ask("ann", ask.RollOrBank("roll"), [FALLEN])
    table.ask("ann", KEEP, [REST])
    assert moved(table.ask("ann", BACK)) == [ChoiceTakenBack(2)]


def test_while_a_question_is_open_a_bot_waits_for_the_answers() -> None:
    table = chosen("ann", "bob", "cid")
    table.ask("ann", END)
    table.ask("ann", BACK)
    table.ask("bob", ask.Give())
    found = due(table.state)
    assert found == (table.now + ANSWER_MS, "bot")


def test_while_the_match_is_paused_no_answer_counts() -> None:
    table = chosen()
    table.ask("ann", BACK)
    table.ask("bob", ask.Pause())
    assert table.refused("bob", AGREE) == "paused"
    assert table.refused("ann", BACK) == "paused"


def test_a_cheat_who_asks_at_a_table_of_a_same_dice_night_is_refused() -> None:
    table = chosen()
    table.state = table.state.but(turns=none_ended(2))
    assert table.refused("ann", BACK) == "choices-stand"
    assert chosen_by(table.state) is None


def test_with_real_dice_any_player_puts_a_mistyped_face_right_by_the_same_word() -> None:
    table = played("ann", "bob", game="midnight", dice="real")
    table.ask("ann", ask.EnterDice(FALLEN))
    assert moved(table.ask("bob", BACK)) == [TakenBack()], "no choice was made of these dice, so it is only typing"
    table.ask("ann", ask.EnterDice(FALLEN))
    table.ask("ann", KEEP)
    assert table.ask("bob", BACK) == [BackAsked(1)], "Ann has chosen, so she is asked"
    assert moved(table.ask("ann", AGREE)) == [ChoiceTakenBack(1)]
    assert moved(table.ask("bob", BACK)) == [TakenBack()]
    assert moved(table.ask("bob", ask.EnterDice((3, 4, 4, 5, 1, 1))))[0] == Rolled((3, 4, 4, 5, 1, 1))


def test_the_turn_comes_back_with_its_last_choice_until_the_next_player_rolls() -> None:
    table = chosen()
    table.ask("ann", END)
    assert table.state.mover == 1
    table.ask("ann", BACK)
    table.ask("bob", AGREE)
    assert table.state.mover == 0
    table.ask("ann", ask.RollOrBank("roll", (0, 2, 3, 4)), [(5,)])
    assert table.state.mover == 1
    table.ask("bob", ask.RollOrBank("roll"), [FALLEN])
    assert table.refused("ann", BACK) == "rolled-is-rolled"


def test_each_hears_the_question_once_in_a_form_of_their_own() -> None:
    table = chosen("ann", "bob", "cid")
    (step,) = table.steps("ann", BACK)
    event = step.line.event
    said = {you: event.said(language("en"), step.before, step.after, you) for you in (None, 0, 1, 2)}
    asked = "Ann asks to take the last choice back."
    assert said == {
        None: asked,
        0: "You ask to take the last choice back.",
        1: f"{asked} Do you agree?",
        2: f"{asked} Do you agree?",
    }
    assert event.concerns(step.after) == {0, 1, 2}


GOING: dict[str, tuple[str, Any]] = {
    "leaves": ("ann", ask.Leave()),
    "gives the seat to a bot": ("ann", ask.Give()),
    "is removed": ("bob", ask.Remove(0)),
}


@pytest.mark.parametrize("how", GOING)
def test_a_question_falls_with_the_player_who_asks(how: str) -> None:
    table = chosen("ann", "bob", "cid")
    table.ask("ann", ask.HandOver(1))
    table.ask("ann", BACK)
    (*_, step) = steps = table.steps(*GOING[how])
    assert step.after.question is None
    assert table.refused("bob", AGREE) == "nothing-asked"
    assert table.replayed() == table.state
    told = [say.text for say in Announcer(language("en"), GAMES["midnight"]).tell(steps, {})]
    assert "The choice stands." in told
    assert not any("asks" in text for text in told)


def test_a_player_who_is_voted_away_asks_no_more() -> None:
    table = chosen("ann", "bob", "cid")
    table.ask("ann", BACK)
    table.away(0)
    table.wait(table.state.setup.grace_s)
    table.ask("bob", ask.Vote(0))
    table.ask("cid", ask.Vote(0))
    assert table.state.question is None
    assert chosen_by(table.state) is None


def test_a_stranger_in_the_seat_cannot_take_the_last_players_choice_back() -> None:
    table = chosen()
    table.ask("ann", ask.Leave())
    table.ask("dan", ask.Sit(0, "Dan"))
    assert chosen_by(table.state) is None
    assert table.refused("dan", BACK) == "bot-chose"
    assert table.replayed() == table.state


def test_a_player_whose_bot_took_over_gets_no_choice_back_from_before() -> None:
    table = chosen()
    table.ask("ann", ask.Give())
    table.ask("ann", ask.Resume())
    assert table.refused("ann", BACK) == "bot-chose"


def test_with_real_dice_a_cheat_who_gives_the_seat_away_still_needs_the_others() -> None:
    table = played("ann", "bob", game="midnight", dice="real")
    table.ask("ann", ask.EnterDice(FALLEN))
    table.ask("ann", KEEP)
    table.ask("ann", ask.Give())
    assert table.ask("bob", BACK) == [BackAsked(1), Moved(ChoiceTakenBack(1))], "the dice are Bob's to put right"


@pytest.mark.parametrize("command", [ask.Leave(), ask.Give()])
def test_with_real_dice_a_question_falls_with_its_player_and_the_others_may_ask(command: Any) -> None:
    table = played("ann", "bob", "cid", game="midnight", dice="real")
    table.ask("ann", ask.EnterDice(FALLEN))
    table.ask("ann", KEEP)
    assert table.ask("bob", BACK) == [BackAsked(1)]
    table.ask("bob", command)
    assert table.state.question is None
    assert table.refused("ann", AGREE) == "nothing-asked"
    assert chosen_by(table.state) == 0
    assert table.ask("cid", BACK) == [BackAsked(2)]
    assert table.replayed() == table.state
    table.ask("ann", DECLINE)
    assert table.refused("cid", BACK) == "asked-once", "a no is a no"


def test_a_player_whose_seat_a_bot_plays_cannot_ask() -> None:
    table = played("ann", "bob", game="midnight", dice="real")
    table.ask("ann", ask.EnterDice(FALLEN))
    table.ask("ann", KEEP)
    table.ask("bob", ask.Give())
    assert table.refused("bob", BACK) == "bot-plays"
    table.ask("bob", ask.Resume())
    assert table.ask("bob", BACK) == [BackAsked(1)]


def test_on_a_shared_phone_the_player_without_a_bot_asks() -> None:
    table = evening("midnight", 3, dice="real")
    table.sit("ann")
    table.ask("ann", ask.Share("Amy"))
    table.sit("bob")
    for person in ("ann", "bob"):
        if table.state.stage == "gathering":
            table.ask(person, ask.Start())
    table.ask("bob", ask.EnterDice(FALLEN))
    table.ask("ann", KEEP)
    table.ask("ann", ask.Give())
    assert [table.state.chairs[seat].kind for seat in (0, 1)] == ["standin", "person"]
    assert table.ask("ann", BACK) == [BackAsked(1)]


@pytest.mark.parametrize("command", [ask.Leave(), ask.Give()])
@pytest.mark.parametrize("agreed", [False, True])
def test_a_question_that_is_left_with_no_person_to_answer_falls_and_may_be_asked_again(
    command: Any, *, agreed: bool
) -> None:
    table = chosen("ann", "bob", *["cid"] * agreed)
    table.ask("ann", BACK)
    if agreed:
        table.ask("cid", AGREE)
    table.ask("bob", command)
    assert table.state.question is None
    assert chosen_by(table.state) == 0
    assert table.replayed() == table.state
    assert table.ask("ann", BACK)[0] == BackAsked(0)
    if agreed:
        assert unanswered(table.state) == (2,)
        table.ask("cid", AGREE)
    assert table.play.choice is None or table.play.choice.seq < 2


def test_a_question_goes_on_with_the_people_who_stay() -> None:
    table = chosen("ann", "bob", "cid")
    table.ask("ann", BACK)
    table.ask("bob", ask.Leave())
    assert question(language("en"), table.state, 0) == "You asked Cid if the last choice may come back."
    assert moved(table.ask("cid", AGREE)) == [ChoiceTakenBack(2)]


def test_a_bot_waits_for_the_answers_as_long_as_it_did_before_a_pause() -> None:
    table = chosen("ann", "bob", "cid")
    table.ask("ann", END)
    table.ask("ann", BACK)
    table.ask("bob", ask.Give())
    table.ask("cid", ask.Pause())
    table.wait(60)
    table.ask("cid", ask.Unpause())
    assert due(table.state) == (table.now + ANSWER_MS, "bot")
    assert table.replayed() == table.state


def test_a_late_yes_gives_a_player_whose_time_ran_out_no_turn_back() -> None:
    table = chosen(clock_s=30)
    table.ask("ann", END)
    table.wait(29)
    table.ask("ann", BACK)
    table.wait(1)
    table.ask(None, ask.TimeUp())
    assert table.refused("bob", AGREE) == "nothing-asked"
    assert table.refused("ann", BACK) == "bot-chose"
    assert chosen_by(table.state) is None
    assert table.state.timed_out_seat == 1


def test_a_player_can_ask_again_once_the_only_other_is_lost() -> None:
    table = chosen()
    table.ask("ann", BACK)
    assert chosen_by(table.state, {0}) is None
    assert chosen_by(table.state, {1}) == 0
