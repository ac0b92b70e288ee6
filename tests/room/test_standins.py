"""Bots for people: a seat given away and taken back, and the vote for a bot at the seat of somebody absent."""

import pytest

from pubdice.core.errors import Refused
from pubdice.core.game import Seat
from pubdice.room import commands as ask
from pubdice.room.events import BotSeated, BotSubstituted, Left, Resumed, Voted
from room.scripted_room import Evening, evening, over, played

GRACE_S = 120


def _absent(*people: str, seat: int, waited_s: float = GRACE_S, bots: tuple[str, ...] = ()) -> Evening:
    """A match where somebody went away so long ago."""
    table = played(*people, bots=bots)
    table.away(seat)
    table.wait(waited_s)
    return table


# given away


def test_a_seat_is_given_to_a_bot_and_taken_back() -> None:
    table = played("ann", "bob")
    assert table.ask("ann", ask.Give()) == [BotSubstituted(0, "tip", "gave")]
    assert (table.kinds, table.names) == ("sp", "Ann Bob")
    assert table.refused("ann", ask.RollOrBank("roll")) == "bot-plays"
    table.ask(None, ask.Bot(), [(5,)])
    assert table.ask("ann", ask.Resume()) == [Resumed(0)]
    assert table.kinds == "pp"
    table.ask("ann", ask.PlayAction("hold"))


def test_any_bot_the_game_knows_may_play_for_a_person() -> None:
    table = played("ann", "bob")
    assert table.ask("ann", ask.Give("lucky")) == [BotSubstituted(0, "lucky", "gave")]
    assert table.refused("bob", ask.Give("hal")) == "no-such-bot"


def test_a_seat_is_given_away_once() -> None:
    table = played("ann", "bob")
    table.ask("ann", ask.Give())
    assert table.refused("ann", ask.Give("lucky")) == "bot-plays-already"


def test_there_is_nothing_to_take_back_where_no_bot_plays() -> None:
    table = played("ann", "bob")
    assert table.refused("ann", ask.Resume()) == "no-bot-plays"
    table.ask("bob", ask.Give())
    assert table.refused("ann", ask.Resume(1)) == "no-bot-plays", "one's own, whatever seat is named"


def test_the_table_gives_no_bots_own_seat_to_anybody() -> None:
    assert played("ann", bots=["tip"]).refused(None, ask.Resume(1)) == "no-bot-plays"
    assert played("ann", bots=["tip"]).refused(None, ask.Resume(9)) == "no-such-seat"
    assert played("ann", bots=["tip"]).refused(None, ask.Resume()) == "not-seated"


@pytest.mark.parametrize("command", [ask.Give(), ask.Resume(), ask.Vote(1), ask.Nudge()], ids=str)
def test_bots_stand_in_only_while_a_match_is_played(command: ask.Command) -> None:
    table = evening("pig", 3)
    table.sit("ann")
    assert table.refused("ann", command) == "not-started"
    assert over("ann", "bob").refused("ann", command) == "match-over"


def _marks(table: Evening) -> tuple[int, ...]:
    return table.play.marks


def test_marks_stay_when_a_bot_stands_in_and_go_with_its_choice() -> None:
    table = played("ann", "bob", game="midnight")
    table.roll("ann", (1, 2, 3, 4, 5, 6))
    table.ask("ann", ask.Mark((0,)))
    table.ask("ann", ask.Give())
    assert _marks(table) == (0,)
    table.ask("ann", ask.Resume())
    assert _marks(table) == (0,)
    table.ask("ann", ask.Give())
    table.ask(None, ask.Bot(table.table.match.game.read_action("k46")))
    assert _marks(table) == ()
    assert [die.place for die in table.table.view(table.play, Seat(0))] == [3, 5]


def test_who_gave_a_seat_away_may_leave_it() -> None:
    table = played("ann", "bob")
    table.ask("ann", ask.Give("lucky"))
    assert table.ask("ann", ask.Leave()) == [Left(0), BotSeated(0, "tip", "Tip")]


# voted away


def test_before_the_grace_is_over_nobody_may_vote() -> None:
    table = _absent("ann", "bob", seat=1, waited_s=GRACE_S - 0.5)
    why = table.refusal("ann", ask.Vote(1))
    assert isinstance(why, Refused)
    assert (why.code, why.facts) == ("still-waiting", {"seconds": 1, "name": "Bob"})
    table.wait(0.5)
    table.ask("ann", ask.Vote(1))


def test_the_grace_is_a_house_rule() -> None:
    table = played("ann", "bob", grace_s=0)
    table.away(1)
    table.ask("ann", ask.Vote(1))


def test_the_only_one_present_decides_alone() -> None:
    table = _absent("ann", "bob", seat=1)
    assert table.ask("ann", ask.Vote(1, "lucky")) == [Voted(0, 1), BotSubstituted(1, "lucky", "voted")]
    assert table.kinds == "ps"
    assert table.state.votes == ()


def test_bots_are_not_asked() -> None:
    table = _absent("ann", "bob", seat=1, bots=("tip", "tip", "tip"))
    assert table.ask("ann", ask.Vote(1))[-1] == BotSubstituted(1, "tip", "voted")


def test_more_than_half_of_those_present_must_be_for_it() -> None:
    table = _absent("ann", "bob", "cid", "dot", "eve", seat=4)
    assert table.ask("ann", ask.Vote(4)) == [Voted(0, 4)]
    assert table.ask("bob", ask.Vote(4)) == [Voted(1, 4)], "two of four are half"
    assert table.ask("cid", ask.Vote(4)) == [Voted(2, 4), BotSubstituted(4, "tip", "voted")]


def test_those_who_are_away_too_are_not_counted() -> None:
    table = _absent("ann", "bob", "cid", seat=2)
    table.away(1)
    assert table.ask("ann", ask.Vote(2))[-1] == BotSubstituted(2, "tip", "voted")


def test_who_has_voted_and_is_then_the_only_one_present_may_decide() -> None:
    table = _absent("ann", "bob", "cid", seat=2)
    assert table.ask("ann", ask.Vote(2)) == [Voted(0, 2)]
    assert table.refused("ann", ask.Vote(2)) == "voted-already"
    table.away(1)
    assert table.ask("ann", ask.Vote(2)) == [BotSubstituted(2, "tip", "voted")]


def test_a_spectator_who_gave_a_seat_away_is_present_and_votes() -> None:
    table = _absent("ann", "bob", "cid", seat=2)
    table.ask("bob", ask.Give())
    assert table.ask("ann", ask.Vote(2)) == [Voted(0, 2)]
    assert table.ask("bob", ask.Vote(2))[-1] == BotSubstituted(2, "tip", "voted")


def test_only_somebody_absent_can_be_voted_for() -> None:
    table = _absent("ann", "bob", "cid", seat=2, bots=("tip",))
    assert table.refused("ann", ask.Vote(1)) == "not-absent"
    assert table.refused("ann", ask.Vote(3)) == "not-absent"
    assert table.refused("ann", ask.Vote(9)) == "no-such-seat"
    assert table.refused("stranger", ask.Vote(2)) == "not-seated"
    assert table.refused("ann", ask.Vote(2, "hal")) == "no-such-bot"


def test_nobody_votes_for_a_bot_at_their_own_seat() -> None:
    table = _absent("ann", "bob", seat=0)
    assert table.refused("ann", ask.Vote(0)) == "not-absent"


def test_where_a_bot_plays_already_there_is_nothing_to_vote_for() -> None:
    table = _absent("ann", "bob", seat=1)
    table.ask("ann", ask.Vote(1))
    assert table.refused("ann", ask.Vote(1)) == "not-absent"


def test_a_phone_is_one_voice_with_the_others_of_its_seat() -> None:
    table = _absent("ann", "bob", "cid", seat=2)
    table.ask("ann2", ask.Join(0))
    table.ask("ann", ask.Vote(2))
    assert table.refused("ann2", ask.Vote(2)) == "voted-already"


def test_a_vote_is_gone_when_the_absent_one_comes_back() -> None:
    table = _absent("ann", "bob", "cid", seat=2)
    table.ask("ann", ask.Vote(2))
    table.gone.clear()
    assert table.refused("bob", ask.Vote(2)) == "not-absent"
    table.wait(600)
    table.away(2)
    table.wait(GRACE_S)
    assert table.ask("bob", ask.Vote(2)) == [Voted(1, 2)], "ann's vote was about the last time"
    assert table.ask("ann", ask.Vote(2)) == [Voted(0, 2), BotSubstituted(2, "tip", "voted")]


def test_a_vote_is_gone_when_the_voter_leaves() -> None:
    table = _absent("ann", "bob", "cid", "dot", seat=3)
    table.ask("ann", ask.Vote(3))
    table.ask("ann", ask.Leave())
    assert table.state.votes == ()
    table.sit("eve")
    assert table.ask("bob", ask.Vote(3)) == [Voted(1, 3)]


def test_a_vote_outlives_another_phone_at_the_seat_that_cast_it() -> None:
    table = _absent("ann", "bob", "cid", seat=2)
    table.ask("ann", ask.Vote(2))
    table.ask("ann2", ask.Join(0))
    assert table.ask("bob", ask.Vote(2)) == [Voted(1, 2), BotSubstituted(2, "tip", "voted")]


def test_who_was_voted_away_plays_again_as_soon_as_they_are_back() -> None:
    table = _absent("ann", "bob", seat=1)
    table.ask("ann", ask.Vote(1))
    table.gone.clear()
    assert table.ask(None, ask.Resume(1)) == [Resumed(1)]
    assert table.kinds == "pp"


def test_who_was_voted_away_in_their_own_turn_has_all_its_time_when_back() -> None:
    table = played("ann", "bob", clock_s=60, dice="real")
    table.away(0)
    table.wait(GRACE_S)
    table.ask("bob", ask.Vote(0))
    table.wait(600)
    table.ask(None, ask.Resume(0))
    assert table.state.turn_at == table.now


def test_a_person_alone_with_bots_may_stay_away_without_limit() -> None:
    table = _absent("ann", seat=0, bots=("tip",), waited_s=10**6)
    assert table.refused("ann", ask.Vote(0)) == "not-absent"
    assert table.refused("stranger", ask.Vote(0)) == "not-seated"
