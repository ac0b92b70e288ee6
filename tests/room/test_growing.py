"""Seats that grow with who comes: nobody is counted beforehand, and the match begins when all are ready."""

from pubdice.core.errors import Refused
from pubdice.room import commands as ask
from pubdice.room.beginning import begins
from pubdice.room.events import (
    BotSeated,
    Closed,
    Left,
    Readied,
    Ruled,
    Sat,
    Started,
    Unqueued,
    Unreadied,
)
from pubdice.room.setup import MOST_CHAIRS
from room.scripted_room import evening, growing, played


def test_a_person_who_sits_down_gets_a_new_seat() -> None:
    table = growing("ann", bots=["tip"])
    assert table.names == "Ann Tip"
    assert table.ask("bob", ask.Sit(None, "Bob")) == [Sat(2, "bob", "Bob")]
    assert table.names == "Ann Tip Bob"
    assert table.state.stage == "gathering", "full at every moment, and yet it waits"


def test_a_table_grows_to_the_most_seats_that_any_table_has() -> None:
    table = growing("ann", game="420")
    table.sit(*(f"p{number}" for number in range(MOST_CHAIRS - 1)))
    for person, command in (("zoe", ask.Sit(None, "Zoe")), ("ann", ask.AddBot()), ("ann", ask.Share("Kim"))):
        why = table.refusal(person, command)
        assert isinstance(why, Refused)
        assert (why.code, why.facts) == ("table-grown", {"most": MOST_CHAIRS})


def test_a_table_grows_no_further_than_its_game_goes() -> None:
    table = growing("ann", game="pig")
    most = table.room.kit.build(table.state.setup.rules).most_seats
    assert most < MOST_CHAIRS
    table.sit(*(f"p{number}" for number in range(most - 1)))
    assert table.refused("zoe", ask.Sit(None, "Zoe")) == "table-grown"


def test_a_table_that_had_more_seats_before_the_limit_plays_on() -> None:
    table = growing("ann", game="420")
    table.sit(*(f"p{number}" for number in range(MOST_CHAIRS - 1)))
    late = [f"{table.now} sat {MOST_CHAIRS + more} q{more} Q{more}" for more in range(2)]
    *_, table.state = [step.after for step in table.room.replay(table.state, late)]
    assert len(table.state.chairs) == MOST_CHAIRS + 2
    assert table.refused("zoe", ask.Sit(None, "Zoe")) == "table-grown"
    table.ask("ann", ask.Start(), draws=[0])
    assert table.state.stage == "playing"


def test_a_table_with_the_perfect_bot_stays_small() -> None:
    table = growing("ann", "bob", "cid", "dot", game="midnight")
    table.ask("ann", ask.AddBot("perfect"))
    assert table.refused("eve", ask.Sit(5, "Eve")) == "no-such-seat"
    assert table.ask("eve", ask.Sit(None, "Eve")) == [Sat(4, "eve", "Eve")], "in the bot's place"
    table.sit("fay")
    assert table.refused("ann", ask.AddBot("perfect")) == "perfect-seats"


def test_start_says_how_many_are_missing() -> None:
    table = growing("ann")
    why = table.refusal("ann", ask.Start())
    assert isinstance(why, Refused)
    assert (why.code, why.facts) == ("too-few-players", {"missing": 1})
    table.sit("bob")
    assert table.refused("bob", ask.Start()) == "not-host"
    assert table.ask("ann", ask.Start())[-1] == Started()


def test_a_bot_is_player_enough() -> None:
    table = growing("ann")
    assert table.ask("ann", ask.AddBot("lucky")) == [BotSeated(1, "lucky", "Lucky")]
    table.ask("ann", ask.Start())
    assert table.kinds == "pb"


def test_it_begins_when_everybody_is_ready() -> None:
    table = growing("ann", "bob")
    table.ask("ann", ask.Ready())
    assert table.refused("ann", ask.Ready()) == "ready-already"
    table.sit("cid")
    table.ask("bob", ask.Ready())
    assert table.state.stage == "gathering"
    assert table.ask("cid", ask.Ready()) == [Readied(2), Started()]


def test_ready_is_taken_back() -> None:
    table = growing("ann", "bob", "cid")
    assert table.refused("ann", ask.Unready()) == "not-ready"
    assert table.refused("dot", ask.Unready()) == "not-seated"
    table.ask("ann", ask.Share("Kim"))
    table.ask("ann", ask.Ready())
    table.ask("bob", ask.Ready())
    assert table.ask("ann", ask.Unready()) == [Unreadied(0), Unreadied(3)], "with all my seats"
    table.ask("cid", ask.Ready())
    assert table.state.stage == "gathering"
    assert table.ask("ann", ask.Ready()) == [Readied(0), Readied(3), Started()]
    assert table.refused("ann", ask.Unready()) == "started"
    assert table.replayed() == table.state


def test_it_does_not_begin_with_one_who_is_ready_alone() -> None:
    table = growing("ann")
    table.ask("ann", ask.Ready())
    assert table.state.stage == "gathering"


def test_it_begins_when_the_last_who_was_not_ready_leaves() -> None:
    table = growing("ann", "bob", "cid")
    table.ask("ann", ask.Ready())
    table.ask("bob", ask.Ready())
    assert table.ask("cid", ask.Leave()) == [Left(2), Closed(2), Started()]


def test_who_is_lost_and_not_ready_holds_up_nobody() -> None:
    table = growing("ann", "bob", "cid", grace_s=30)
    kit = table.room.kit
    table.ask("ann", ask.Ready())
    table.away(2)
    table.ask("bob", ask.Ready())
    assert table.state.stage == "gathering", "Cid may only have locked the phone"
    assert begins(kit, table.state, {}, table.now) is None, "Cid is back"
    assert begins(kit, table.state, table.gone, table.now) == table.now + 30_000
    table.wait(29)
    assert table.ask(None, ask.Begin()) == []
    table.wait(1)
    assert table.ask(None, ask.Begin()) == [Started()]
    assert table.names == "Ann Bob Cid"
    assert table.replayed() == table.state


def test_a_table_that_all_have_left_alone_does_not_begin() -> None:
    table = growing("ann", "bob", grace_s=30)
    table.away(0, 1)
    table.wait(3600)
    assert begins(table.room.kit, table.state, table.gone, table.now) is None, "nobody has said ready"
    assert table.ask(None, ask.Begin()) == []


def test_a_seat_that_is_left_goes() -> None:
    table = growing("ann", "bob", "cid")
    table.ask("bob", ask.Leave())
    assert table.names == "Ann Cid"
    table.ask("ann", ask.Leave())
    table.ask("cid", ask.Leave())
    assert table.kinds == ".", "the last seat stays, and the next person sits there"
    table.sit("dot")
    assert table.state.host == "dot"


def test_the_host_changes_order_bots_and_rules() -> None:
    table = growing("ann", "bob", game="midnight", bots=["tip"])
    table.ask("ann", ask.Shift(2, 0))
    assert table.names == "Bob Ann Tip"
    table.ask("ann", ask.Close(2))
    assert table.names == "Bob Ann"
    assert table.refused("ann", ask.Close(0)) == "seat-taken"
    table.ask("bob", ask.Ready())
    events = table.ask("ann", ask.Rules({"format": "rounds 2"}, clock_s=60, pace_ms=300))
    assert isinstance(events[0], Ruled)
    setup = table.state.setup
    assert (setup.rules["format"], setup.clock_s, table.state.pace_ms) == ("rounds 2", 60, 300)
    assert not any(chair.ready for chair in table.state.chairs), "they have not said so of these rules"
    assert table.refused("ann", ask.Rules({"format": "rounds 2"})) == "nothing-new"
    assert table.refused("ann", ask.Rules({"format": "rounds 99"})) == "format-number"
    assert table.refused("ann", ask.Rules({"colour": "red"})) == "header-key"
    assert table.refused("ann", ask.Rules(clock_s=5)) == "number-range"
    for command in (ask.Shift(0, 1), ask.Close(0), ask.AddBot(), ask.Rules({"format": "race"}), ask.HandOver(0)):
        assert table.refused("bob", command) == "not-host"
    assert table.replayed() == table.state


def test_a_new_format_brings_its_usual_opener_unless_one_is_named() -> None:
    table = growing("ann", "bob", game="midnight")
    usual = table.state.setup.rules["opener"]
    table.ask("ann", ask.Rules({"opener": "fixed"}))
    table.ask("ann", ask.Rules({"format": "pot 1 rounds 2"}))
    assert table.state.setup.rules["opener"] == usual != "fixed"
    table.ask("ann", ask.Rules({"format": "rounds 2", "opener": "loser"}))
    assert table.state.setup.rules["opener"] == "loser"


def test_after_the_start_nothing_of_that_is_changed() -> None:
    table = played("ann", "bob")
    for command in (ask.Shift(0, 1), ask.Close(1), ask.AddBot(), ask.Rules({"format": "race"}), ask.Ready()):
        assert table.refused("ann", command) == "started"
    assert table.refused("ann", ask.Share("Kim")) == "started"


def test_a_table_ordered_for_a_number_begins_when_it_is_full() -> None:
    table = evening("pig", 3)
    table.sit("ann", "bob")
    assert table.refused("cid", ask.Sit(3, "Cid")) == "no-such-seat"
    table.ask("bob", ask.Ready())
    table.ask("ann", ask.Ready())
    assert table.kinds == "pp.", "there are three seats"
    table.sit("cid")
    assert table.state.stage == "playing"


# names, hosts, the queue


def test_a_name_is_changed_five_times_and_no_more() -> None:
    table = played("ann", "bob")
    assert table.refused("ann", ask.Rename("Bob")) == "name-taken"
    assert table.refused("ann", ask.Rename("Anna", 1)) == "not-your-seat"
    for name in ("Anna", "Annie", "Anne", "ann", "Ann"):
        table.ask("ann", ask.Rename(name))
    assert table.refused("ann", ask.Rename("Anna")) == "renamed-often"
    assert table.table.names == ("Ann", "Bob")


def test_the_host_hands_over() -> None:
    table = growing("ann", "bob", bots=["tip"])
    assert table.refused("ann", ask.HandOver(1)) == "seat-empty"
    assert table.refused("ann", ask.HandOver(0)) == "nothing-new"
    table.ask("ann", ask.HandOver(2))
    assert table.refused("ann", ask.Start()) == "not-host"
    table.ask("bob", ask.Start())


def test_the_host_takes_somebody_off_the_queue_for_good() -> None:
    table = played("ann", "bob")
    table.ask("lou", ask.Queue("Lou"))
    assert table.refused("bob", ask.Unqueue("Lou")) == "not-host"
    assert table.refused("ann", ask.Unqueue("Mia")) == "not-queued"
    assert table.ask("ann", ask.Unqueue("Lou")) == [Unqueued("lou")]
    assert table.replayed().queue == ()
    assert table.refused("ann", ask.Unqueue("Lou")) == "not-queued"
    assert table.refused("lou", ask.Queue("Lou")) == "removed-before"
    table.ask("mia", ask.Queue("Lou"))


def test_who_comes_during_a_match_queues_for_the_next_once() -> None:
    table = played("ann", "bob", bots=["tip"])
    assert table.refused("ann", ask.Queue("Lou")) == "seated-already"
    assert table.refused("lou", ask.Queue("ann")) == "name-taken"
    table.ask("lou", ask.Queue("Lou"))
    assert table.refused("lou", ask.Queue("Lou 2")) == "queued-already"
    assert table.refused("mia", ask.Queue("Lou")) == "name-taken"
    for number in range(19):
        table.ask(f"q{number}", ask.Queue(f"Q{number}"))
    assert table.refused("mia", ask.Queue("Mia")) == "queue-full"
    table.ask("lou", ask.Sit(2, "Lou"))
    assert "lou" not in dict(table.state.queue), "there is a seat for Lou now"
    assert growing("ann").refused("lou", ask.Queue("Lou")) == "not-started"
