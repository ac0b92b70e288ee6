"""Playing again: the next table has the same people, bots and rules, and the next seat opens."""

from typing import Any

from party.evening import BEGIN, Evening, evening, over, played
from pubdice.cup import ScriptedCup
from pubdice.game import Seat
from pubdice.party import Party
from pubdice.party import commands as ask
from pubdice.party.apply import rules_of
from pubdice.party.events import Moved, Rematched, Sat, Started
from pubdice.party.setup import read_setup
from pubdice.record import Drawn
from pubdice.table import Refused

LATER = BEGIN + 3_600_000


def _again(table: Evening, draws: tuple[int, ...] = ()) -> Evening:
    """The next table, read from the log it begins with."""
    setup, steps = table.party.again(table.state, LATER, ScriptedCup(draws=draws))
    assert read_setup(setup.write()) == setup
    party = Party(table.party.kit, setup)
    following = Evening(party, party.start(), LATER)
    following.log = [step.write() for step in steps]
    following.state = following.replayed()
    assert following.state == steps[-1].after
    return following


def test_anybody_with_a_seat_asks_for_a_rematch_once() -> None:
    table = over("ann", "bob")
    assert table.ask("bob", ask.Rematch("ABCDEF")) == [Rematched(1, "ABCDEF")]
    assert table.state.rematch == "ABCDEF"
    why = table.refusal("ann", ask.Rematch("GHJKLM"))
    assert isinstance(why, Refused)
    assert (why.code, why.facts) == ("rematch-laid", {"table": "ABCDEF"})


def test_a_rematch_waits_for_the_end() -> None:
    assert played("ann", "bob").refused("ann", ask.Rematch("ABCDEF")) == "not-over"
    table = evening("pig", 3)
    table.sit("ann")
    assert table.refused("ann", ask.Rematch("ABCDEF")) == "not-over"


def test_the_same_people_and_bots_sit_at_the_next_table_and_it_has_begun() -> None:
    following = _again(over("ann", "bob", bots=["tip", "tip"], grace_s=30, clock_s=60, listed=True))
    assert following.names == "Ann Bob Tip Tip 2"
    assert following.kinds == "ppbb"
    assert following.state.stage == "playing"
    setup = following.party.setup
    assert (setup.grace_s, setup.clock_s, setup.listed, setup.opened) == (30, 60, True, LATER)


def test_the_next_seat_opens_each_time() -> None:
    table = over("ann", "bob", "cid")
    openers = []
    for _ in range(4):
        table = _again(table)
        openers.append(table.state.mover)
        assert table.state.mover is not None
        _win(table)
    assert openers == [1, 2, 0, 1]


def _win(table: Evening) -> None:
    """Whoever opens wins Pig at once."""
    assert table.state.mover is not None
    person = table.state.chairs[table.state.mover].people[0]
    for _ in range(4):
        table.roll(person, (6,))
    table.ask(person, ask.Go("bank"))
    assert table.state.stage == "over"


def test_where_player_1_is_drawn_they_are_drawn_again_each_time() -> None:
    table = played("ann", "bob", "cid", game="420", dice="real")
    table.ask("ann", ask.Draw(Seat(1)))
    table.ask("ann", ask.Enter((5, 5, 5, 5)))
    for _ in range(4):
        table = _again(table)
        assert table.state.mover is None, "to be named"
        table.ask("bob", ask.Draw(Seat(1)))
        table.ask("ann", ask.Enter((5, 5, 5, 5)))


def test_the_house_draws_player_1_again() -> None:
    table = played("ann", "bob", rules={"first": "draw"}, game="420")
    while table.state.stage == "playing":
        table.roll("ann", (5, 5, 5, 5))
    setup, steps = table.party.again(table.state, LATER, ScriptedCup(draws=[1]))
    assert [step.line.event for step in steps][-2:] == [Started(), Moved(Drawn(Seat(1)))]
    assert setup.rules["first"] == "draw"


def test_a_record_of_a_rematch_says_who_opened() -> None:
    following = _again(over("ann", "bob"))
    assert rules_of(following.state)["first"] == "Bob"


def test_who_gave_a_seat_away_or_was_voted_away_sits_there_again_themselves() -> None:
    table = played("ann", "bob", "cid", grace_s=0)
    table.ask("bob", ask.Give())
    table.away(2)
    table.ask("ann", ask.Vote(2))
    table.ask("bob", ask.Vote(2))
    assert table.kinds == "pss"
    _win(table)
    assert _again(table).kinds == "ppp"


def test_phones_that_have_joined_have_their_seat_at_the_next_table_too() -> None:
    table = over("ann", "bob")
    table.ask("bob2", ask.Join(1))
    table.ask("bob3", ask.Join(1))
    assert [chair.people for chair in _again(table).state.chairs] == [("ann",), ("bob", "bob2", "bob3")]


def test_the_host_stays_the_host_wherever_they_sit() -> None:
    table = evening("pig", 3)
    table.ask("ann", ask.Sit(2, "Ann"))
    table.sit("bob", "cid")
    assert table.state.host == "ann"
    _win(table)
    following = _again(table)
    assert following.state.host == following.party.setup.host == "ann"
    following.ask("ann", ask.Pace(0))


def test_a_seat_left_to_a_bot_stays_the_bots_and_a_late_comer_stays() -> None:
    table = played("ann", "bob", "cid")
    table.ask("bob", ask.Leave())
    table.ask("cid", ask.Leave())
    table.ask("dot", ask.Sit(2, "Dot"))
    _win(table)
    assert _again(table).names == "Ann Tip Dot"


def test_seats_taken_away_stay_away_and_the_pace_stays_as_it_was_set() -> None:
    table = evening("pig", 5, "tip")
    table.sit("ann", "bob")
    table.ask("ann", ask.Close(2))
    table.ask("ann", ask.Close(2))
    table.ask("ann", ask.Pace(0))
    _win(table)
    following = _again(table)
    assert following.names == "Ann Bob Tip"
    assert following.state.pace_ms == following.party.setup.pace_ms == 0


def test_a_rematch_of_a_rematch_goes_on() -> None:
    table = _again(over("ann", "bob"))
    _win(table)
    table.ask("ann", ask.Rematch("ABCDEF"))
    assert _again(table).state.mover == 0


def test_the_next_table_is_written_with_people_first_where_the_host_sits() -> None:
    following = _again(over("ann", "bob"))
    events: list[Any] = [step.line.event for step in following.party.replay(following.party.start(), following.log)]
    assert events == [Sat(0, "ann", "Ann"), Sat(1, "bob", "Bob"), Started()]
