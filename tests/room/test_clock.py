"""What a table does by its timer, the turn clock, and pauses, in which all of it stands still."""

import pytest

from pubdice.core.errors import BadNotation, Refused
from pubdice.room import commands as ask
from pubdice.room.events import (
    BotPaceSet,
    Nudged,
    Retimed,
    TimedOut,
    Unpaused,
)
from pubdice.room.nudge import NUDGE_MS
from pubdice.room.setup import MOST_PACE_MS
from pubdice.room.state import READ_MS, clock, due
from room.scripted_room import again, evening, growing, over, played

PACE_MS = 1200


# what is due


def test_nothing_is_due_while_people_gather_or_when_the_match_is_over() -> None:
    table = evening("pig", 3, "tip", clock_s=10)
    table.sit("ann")
    assert due(table.state) is None
    assert clock(table.state) is None
    assert due(over("ann", bots=["tip"], clock_s=10).state) is None


def test_a_person_without_a_clock_is_waited_for() -> None:
    assert due(played("ann", "bob").state) is None


def test_a_bot_acts_after_its_pause() -> None:
    table = played("ann", bots=["tip"])
    table.roll("ann", (1,))
    assert due(table.state) == (table.now + PACE_MS, "bot")
    assert clock(table.state) is None


def test_a_bot_for_a_person_acts_after_its_pause_too() -> None:
    table = played("ann", "bob", clock_s=10)
    table.wait(5)
    table.ask("ann", ask.Give())
    assert due(table.state) == (table.now + PACE_MS, "bot")


def test_whatever_else_goes_on_does_not_keep_a_bot_from_acting() -> None:
    table = played("ann", "bob", bots=["tip"])
    table.roll("ann", (1,))
    table.roll("bob", (1,))
    soon = due(table.state)
    for _ in range(3):
        table.wait(1)
        table.ask("bob", ask.Give())
        table.ask("bob", ask.Resume())
        table.ask("ann", ask.Pace(PACE_MS))
        table.ask(f"ann{table.now}", ask.Join(0))
    assert due(table.state) == soon


def test_a_bot_that_begins_a_rematch_waits_until_its_page_has_been_read() -> None:
    """By ear the page comes first, and the bot's turn was heard in the middle of it."""
    table = again(over("ann", bots=["tip"]), "ann")
    assert table.state.stage == "playing"
    assert table.state.mover is not None
    assert table.state.plays(table.state.mover), "the loser goes first"
    assert due(table.state) == (table.now + READ_MS, "bot")
    table.ask(None, ask.Bot(), [(2,)])
    assert due(table.state) == (table.now + PACE_MS, "bot")
    hurried = again(over("ann", bots=["tip"], pace_ms=0), "ann")
    assert due(hurried.state) == (hurried.now, "bot")


def test_at_a_table_without_a_pause_bots_act_at_once() -> None:
    table = played("ann", bots=["tip"], pace_ms=0)
    table.roll("ann", (1,))
    assert due(table.state) == (table.now, "bot")


def test_a_bot_with_real_dice_waits_for_somebody_to_roll_them_and_then_chooses() -> None:
    table = played("ann", bots=["tip"], dice="real", clock_s=10)
    table.ask("ann", ask.EnterDice((1,)))
    assert due(table.state) is None
    table.ask("ann", ask.EnterDice((5,)))
    assert due(table.state) == (table.now + PACE_MS, "bot")


def test_until_player_1_is_named_nothing_is_due() -> None:
    table = played("ann", "bob", "cid", game="420", dice="real", clock_s=10)
    assert table.state.mover is None
    assert due(table.state) is None
    assert clock(table.state) is None


# the clock


def test_a_persons_time_is_up_so_long_after_the_turn_began() -> None:
    table = played("ann", "bob", clock_s=30)
    began = table.now
    table.wait(20)
    table.roll("ann", (5,))
    assert due(table.state) == (began + 30_000, "clock"), "for the turn, not for the roll"
    table.ask("ann", ask.PlayAction("hold"))
    assert clock(table.state) == table.now + 30_000


def test_a_turn_has_all_its_time_again_when_somebody_comes_back_to_an_empty_table() -> None:
    table = played("ann", "bob", clock_s=30)
    mover = table.state.mover
    table.wait(3600)
    assert table.ask(None, ask.Retime()) == [Retimed()]
    assert clock(table.state) == table.now + 30_000
    assert due(table.state) == (table.now + 30_000, "clock")
    assert table.state.mover == mover, "it is still the same turn"


def test_only_the_table_itself_gives_time_back_and_only_where_a_clock_runs() -> None:
    table = played("ann", "bob", clock_s=30)
    with pytest.raises(AssertionError, match="only the table"):
        table.ask("ann", ask.Retime())
    table.ask("ann", ask.Pause())
    assert table.refused(None, ask.Retime()) == "paused"
    assert played("ann", "bob").refused(None, ask.Retime()) == "no-clock"


def test_when_time_is_up_a_bot_plays_this_turn_to_its_end_and_no_further() -> None:
    table = played("ann", "bob", clock_s=30)
    table.roll("ann", (5,))
    table.wait(30)
    assert table.ask(None, ask.TimeUp()) == [TimedOut(0)]
    assert table.kinds == "pp"
    assert table.refused("ann", ask.RollOrBank("bank")) == "bot-plays"
    assert table.refused("ann", ask.Mark(())) == "bot-plays"
    assert due(table.state) == (table.now + PACE_MS, "bot")
    table.ask(None, ask.Bot("roll"))
    table.ask(None, ask.Bot(), [(6,)])
    table.ask(None, ask.Bot("hold"))
    assert (table.state.mover, table.state.timed_out_seat) == (1, None)
    table.roll("bob", (1,))
    table.roll("ann", (5,))


def test_alone_too_a_bot_plays_only_the_turn_whose_time_is_up() -> None:
    table = played("ann", game="midnight", rules={"format": "rounds 2"}, clock_s=30)
    table.wait(30)
    table.ask(None, ask.TimeUp())
    table.ask(None, ask.Bot(), [(1, 4, 6, 6, 6, 6)])
    table.ask(None, ask.Bot(table.table.match.game.read_action("k146666")))
    assert (table.state.mover, table.state.timed_out_seat) == (0, None)
    assert clock(table.state) == table.now + 30_000


def test_time_is_not_up_before_it_is() -> None:
    table = played("ann", "bob", clock_s=30)
    table.wait(29.999)
    assert table.refused(None, ask.TimeUp()) == "no-clock"


def test_a_clock_that_runs_out_as_the_turn_passes_leaves_the_next_turn_alone() -> None:
    table = played("ann", "bob", clock_s=30)
    table.wait(30)
    table.roll("ann", (1,))
    assert table.refused(None, ask.TimeUp()) == "no-clock"


def test_where_there_is_no_clock_or_a_bot_plays_no_time_is_up() -> None:
    table = played("ann", "bob")
    table.wait(3600)
    assert table.refused(None, ask.TimeUp()) == "no-clock"
    table = played("ann", bots=["tip"], clock_s=10)
    table.roll("ann", (1,))
    table.wait(3600)
    assert table.refused(None, ask.TimeUp()) == "no-clock"
    assert evening("pig", 3).refused(None, ask.TimeUp()) == "not-started"
    assert over("ann", "bob").refused(None, ask.TimeUp()) == "match-over"


def test_the_seat_cannot_be_given_away_and_taken_back_for_more_time() -> None:
    table = played("ann", "bob", clock_s=30)
    up = clock(table.state)
    table.wait(29)
    table.ask("ann", ask.Give())
    table.ask("ann", ask.Resume())
    table.ask("ann2", ask.Join(0))
    assert clock(table.state) == up


def test_the_seat_cannot_be_left_and_taken_again_for_more_time() -> None:
    table = played("ann", "bob", clock_s=30)
    up = clock(table.state)
    for _ in range(2):
        table.wait(10)
        table.ask("ann", ask.Leave())
        table.wait(1)
        table.ask("ann", ask.Sit(0, "Ann"))
        assert clock(table.state) == up
    table.wait(8)
    assert table.ask(None, ask.TimeUp()) == [TimedOut(0)]
    assert clock(table.replayed()) is None


def test_neither_another_phone_nor_somebody_between_gives_the_one_who_left_more_time() -> None:
    table = played("ann", "bob", clock_s=30)
    table.ask("ann2", ask.Join(0))
    up = clock(table.state)
    table.wait(20)
    table.ask("ann", ask.Leave())
    table.ask("ann2", ask.Sit(0, "Ann"))
    assert clock(table.state) == up
    table.ask("ann2", ask.Leave())
    table.ask("cid", ask.Sit(0, "Cid"))
    assert clock(table.state) == table.now + 30_000, "a newcomer has all of it, once"
    up = clock(table.state)
    for person in ("ann", "cid"):
        table.wait(5)
        table.ask(table.state.chairs[0].people[0], ask.Leave())
        table.ask(person, ask.Sit(0, "Again"))
        assert clock(table.state) == up


def test_who_left_in_an_earlier_turn_has_all_the_time_of_a_later_one() -> None:
    table = played("ann", "bob", clock_s=30)
    table.ask("ann", ask.Leave())
    table.ask("ann", ask.Sit(0, "Ann"))
    table.roll("ann", (1,))
    assert table.state.stood_up == ()
    table.roll("bob", (1,))
    table.ask("ann", ask.Leave())
    table.ask("cid", ask.Sit(0, "Cid"))
    table.roll("cid", (1,))
    table.ask("bob", ask.Leave())
    table.wait(5)
    table.ask("ann", ask.Sit(1, "Ann"))
    assert clock(table.state) == table.now + 30_000, "it was another turn that ann left"


def test_a_turn_whose_time_is_up_stays_the_bots_whatever_the_seat_does() -> None:
    table = played("ann", "bob", clock_s=30)
    table.wait(30)
    table.ask(None, ask.TimeUp())
    table.ask("ann", ask.Give())
    table.ask("ann", ask.Resume())
    table.ask("ann2", ask.Join(0))
    assert table.refused("ann", ask.RollOrBank("roll")) == "bot-plays"
    assert due(table.state) is not None


def test_with_real_dice_a_turn_whose_time_is_up_waits_for_the_dice() -> None:
    table = played("ann", "bob", dice="real", clock_s=30)
    table.wait(30)
    table.ask(None, ask.TimeUp())
    assert due(table.state) is None
    table.ask("bob", ask.EnterDice((4,)))
    assert due(table.state) == (table.now + PACE_MS, "bot")


# the pace


def test_the_host_sets_the_bots_pace() -> None:
    table = played("ann", "bob", bots=["tip"])
    assert table.ask("ann", ask.Pace(0)) == [BotPaceSet(0)]
    assert table.state.pace_ms == 0
    assert table.ask("ann", ask.Pace(MOST_PACE_MS)) == [BotPaceSet(MOST_PACE_MS)]
    assert table.refused("bob", ask.Pace(0)) == "not-host"


@pytest.mark.parametrize("pace", [-1, MOST_PACE_MS + 1, 10**30])
def test_a_pace_has_bounds(pace: int) -> None:
    why = played("ann", "bob").refusal("ann", ask.Pace(pace))
    assert isinstance(why, BadNotation)
    assert why.code == "number-range"
    assert why.facts == {"found": pace, "key": "pace", "least": 0, "most": MOST_PACE_MS}


# reminding


def test_the_mover_is_reminded_after_a_while_and_again_after_another() -> None:
    table = played("ann", "bob", "cid")
    table.wait(NUDGE_MS / 1000 - 0.5)
    why = table.refusal("bob", ask.Nudge())
    assert isinstance(why, Refused)
    assert (why.code, why.facts) == ("nudge-soon", {"seconds": 1, "name": "Ann"})
    table.wait(0.5)
    assert table.ask("bob", ask.Nudge()) == [Nudged(1)]
    assert table.refused("cid", ask.Nudge()) == "nudge-soon"
    table.wait(NUDGE_MS / 1000)
    assert table.ask("cid", ask.Nudge()) == [Nudged(2)]


def test_each_turn_is_left_in_peace_at_first() -> None:
    table = played("ann", "bob")
    table.wait(3600)
    table.roll("ann", (1,))
    assert table.refused("ann", ask.Nudge()) == "nudge-soon"


def test_there_is_nobody_to_remind_but_another_person_who_moves() -> None:
    table = played("ann", "bob", bots=["tip"])
    table.wait(3600)
    assert table.refused("ann", ask.Nudge()) == "no-nudge"
    table.roll("ann", (1,))
    table.roll("bob", (1,))
    table.wait(3600)
    assert table.refused("ann", ask.Nudge()) == "no-nudge"
    table = played("ann", "bob", "cid", game="420", dice="real")
    table.wait(3600)
    assert table.refused("ann", ask.Nudge()) == "no-nudge"


def test_a_reminder_gives_no_more_time() -> None:
    table = played("ann", "bob", clock_s=60)
    up = clock(table.state)
    table.wait(30)
    table.ask("bob", ask.Nudge())
    assert clock(table.state) == up


def test_a_pause_stops_everything_and_costs_nobody_time() -> None:
    table = played("ann", "bob", clock_s=60)
    began = table.state.turn_at
    table.wait(20)
    table.ask("bob", ask.Pause())
    for person, command in (
        ("ann", ask.RollOrBank("roll")),
        ("bob", ask.Nudge()),
        (None, ask.TimeUp()),
        (None, ask.Bot()),
    ):
        assert table.refused(person, command) == "paused"
    assert table.refused("ann", ask.Pause()) == "paused"
    assert table.refused("eve", ask.Unpause()) == "not-seated"
    table.wait(600)
    assert table.refused(None, ask.TimeUp()) == "paused"
    table.ask("ann", ask.Unpause())
    assert table.state.turn_at == began + 600_000
    assert table.refused("bob", ask.Unpause()) == "not-paused"
    assert table.refused(None, ask.TimeUp()) == "no-clock"
    table.wait(40)
    table.ask(None, ask.TimeUp())


def test_who_takes_over_in_a_pause_has_all_the_time_and_no_more() -> None:
    table = played("ann", "bob", bots=["tip"], clock_s=60)
    table.ask("ann", ask.Give())
    table.ask("bob", ask.Pause())
    table.wait(500)
    table.ask("ann", ask.Leave())
    table.ask("cid", ask.Sit(0, "Cid"))
    table.wait(100)
    table.ask("bob", ask.Unpause())
    assert table.state.turn_at == table.now, "not after now"


def test_nobody_is_voted_away_in_a_pause() -> None:
    table = played("ann", "bob", "cid", grace_s=0)
    table.away(1)
    table.ask("ann", ask.Pause())
    assert table.refused("ann", ask.Vote(1)) == "paused"
    assert table.state.lost(table.gone, table.now) == frozenset()
    table.ask("cid", ask.Unpause())
    assert table.state.lost(table.gone, table.now) == {1}


def test_a_pause_ends_with_the_last_person_who_could_end_it() -> None:
    table = played("ann", "bob", bots=["tip"])
    table.ask("ann", ask.Pause())
    table.ask("ann", ask.Leave())
    assert table.state.paused_at, "Bob may go on"
    assert table.ask("bob", ask.Leave())[0] == Unpaused(1)
    assert (table.kinds, table.state.paused_at) == ("bbb", 0)


def test_pauses_come_to_an_end() -> None:
    table = played("ann", "bob")
    for _ in range(20):
        table.ask("ann", ask.Pause())
        table.ask("ann", ask.Unpause())
    assert table.refused("ann", ask.Pause()) == "pauses"


@pytest.mark.parametrize("command", [ask.Pause(), ask.Unpause()])
def test_nothing_is_paused_before_the_match(command: ask.Command) -> None:
    assert growing("ann").refused("ann", command) == "not-started"
