"""Rematches: who sits where, who is waited for, and what an evening of them has come to."""

import pytest

from pubdice.core.errors import IllegalAction, Refused
from pubdice.core.game import Seat
from pubdice.match.header import LONGEST
from pubdice.match.record import Drawn
from pubdice.room import commands as ask
from pubdice.room import write_setup
from pubdice.room.beginning import begins, rules_of
from pubdice.room.events import Followed, Joined, Moved, Readied, Rematched, Reopened, Sat, Started
from pubdice.room.next_table import MOST_BANNED
from pubdice.room.next_table import evening as tally
from room.scripted_room import BEGIN, Evening, again, evening, growing, over, played

LATER = BEGIN + 3_600_000


def test_anybody_with_a_seat_asks_for_a_rematch_once_and_the_others_follow() -> None:
    table = over("ann", "bob")
    assert table.ask("bob", ask.Rematch("ABCDEF")) == [Rematched(1, "ABCDEF")]
    assert (table.state.rematch, table.state.inside) == ("ABCDEF", (1,))
    why = table.refusal("ann", ask.Rematch("GHJKLM"))
    assert isinstance(why, Refused)
    assert (why.code, why.facts) == ("rematch-laid", {"table": "ABCDEF"})
    assert table.ask("ann", ask.Follow()) == [Followed(0)]
    assert table.refused("ann", ask.Follow()) == "rematch-laid"
    assert table.state.inside == (1, 0)


def test_who_queues_plays_on_as_the_host_once_all_who_played_have_left() -> None:
    table = played("ann", bots=["tip"])
    table.ask("lou", ask.Queue("Lou"))
    assert table.refused("lou", ask.Rematch("ABCDEF")) == "not-over"
    for _ in range(4):
        table.roll("ann", (6,))
    table.ask("ann", ask.PlayAction("hold"))
    assert table.refused("lou", ask.Rematch("ABCDEF")) == "rematch-theirs"
    with pytest.raises(IllegalAction):
        list(table.room.replay(table.state, [f"{BEGIN} reopened lou ABCDEF"]))
    table = played("ann", bots=["tip"])
    table.ask("lou", ask.Queue("Lou"))
    for _ in range(4):
        table.roll("ann", (6,))
    table.ask("ann", ask.Leave())
    assert table.refused("lou", ask.Rematch("ABCDEF")) == "not-over"
    table.ask(None, ask.Bot("hold"))
    assert table.refused("mia", ask.Rematch("ABCDEF")) == "not-seated"
    assert table.ask("lou", ask.Rematch("ABCDEF")) == [Reopened("lou", "ABCDEF")]
    assert (table.replayed().host, table.state.rematch) == ("lou", "ABCDEF")
    assert table.refused("lou", ask.Rematch("GHJKLM")) == "rematch-laid"


def test_a_rematch_waits_for_the_end() -> None:
    assert played("ann", "bob").refused("ann", ask.Rematch("ABCDEF")) == "not-over"
    assert played("ann", "bob").refused("ann", ask.Follow()) == "not-over"
    table = evening("pig", 3)
    table.sit("ann")
    assert table.refused("ann", ask.Rematch("ABCDEF")) == "not-over"


def test_the_next_table_keeps_every_seat_and_bots_sit_there() -> None:
    following = again(over("ann", "bob", bots=["tip", "tip"], grace_s=30, clock_s=60, listed=True))
    assert following.names == "Ann Bob Tip Tip 2"
    assert following.kinds == "..bb"
    assert following.state.stage == "gathering"
    setup = following.room.setup
    assert (setup.grace_s, setup.clock_s, setup.listed, setup.opened, setup.before) == (30, 60, True, LATER, "ABCDEF")


def test_it_begins_when_all_are_there_and_ready_and_not_before() -> None:
    following = again(over("ann", "bob", "cid"), "cid", "ann")
    assert (following.kinds, following.state.stage) == ("p.p", "gathering")
    assert following.ask("bob", ask.Sit(None, "")) == [Sat(1, "bob", "Bob")]
    assert following.state.stage == "gathering", "who has come may still look round"
    assert following.ask("bob", ask.Ready()) == [Readied(1), Started()]
    assert following.names == "Ann Bob Cid"


def test_it_begins_without_those_who_are_nowhere() -> None:
    following = again(over("ann", "bob", "cid", grace_s=30), "ann")
    following.gone = {2: following.now}
    following.wait(29)
    following.ask("bob", ask.Sit(None, ""))
    following.ask("bob", ask.Ready())
    assert following.kinds == "pp.", "waited for"
    following.wait(1)
    following.ask("ann", ask.Rename("Anna"))
    assert following.ask("dot", ask.Sit(None, "Dot"))[-1] == Sat(3, "dot", "Dot")
    following.ask("dot", ask.Ready())
    assert following.state.stage == "playing"
    assert following.names == "Anna Bob Dot"


def test_it_begins_by_itself_once_the_last_awaited_were_waited_for() -> None:
    following = again(over("ann", "bob", "cid", grace_s=30), "ann")
    kit, now = following.room.kit, following.now
    assert begins(kit, following.state, {}, now) is None, "one alone is too few"
    following.ask("bob", ask.Sit(None, ""))
    assert begins(kit, following.state, {2: now}, now) is None, "Bob is not ready"
    following.ask("bob", ask.Ready())
    at = begins(kit, following.state, {}, now)
    assert at is not None
    assert at > now + 30_000, "Cid is at another table"
    following.away(2)
    assert begins(kit, following.state, following.gone, now) == now + 30_000
    assert following.ask(None, ask.Begin()) == []
    following.wait(30)
    assert following.ask(None, ask.Begin())[-1] == Started()
    assert following.refused(None, ask.Begin()) == "started"


def test_the_host_starts_it_without_those_who_are_still_looking() -> None:
    following = again(over("ann", "bob", "cid"), "bob", "ann")
    assert following.refused("bob", ask.Start()) == "not-host"
    assert following.ask("ann", ask.Start())[-1] == Started()
    assert following.names == "Ann Bob"
    assert following.refused("cid", ask.Sit(None, "Cid")) == "table-full", "they watch, and queue"
    following.ask("cid", ask.Queue("Cid"))


def test_while_the_host_is_still_looking_nobody_else_starts_it_but_once_they_are_lost() -> None:
    following = again(over("ann", "bob", "cid", grace_s=10), "cid", "bob")
    assert following.state.host == "ann"
    assert following.refused("bob", ask.Start()) == "not-host"
    following.gone = {0: following.now}
    following.wait(10)
    assert following.ask("bob", ask.Start())[-1] == Started()
    assert following.state.host == "bob", "who sits first"


def test_a_seat_is_kept_for_its_people_and_so_is_its_name() -> None:
    following = again(over("ann", "bob"), "ann")
    assert following.refused("eve", ask.Sit(1, "Eve")) == "seat-kept"
    assert following.refused("eve", ask.Sit(None, "bob")) == "name-taken"
    assert following.ask("eve", ask.Sit(None, "Eve")) == [Sat(2, "eve", "Eve")]
    assert following.ask("bob", ask.Sit(1, "Bobby")) == [Sat(1, "bob", "Bobby")]


def test_the_host_takes_a_kept_seat_away_and_the_match_may_begin() -> None:
    following = again(over("ann", "bob", "cid"), "ann", "bob")
    following.ask("ann", ask.Close(2))
    assert following.state.stage == "playing"


@pytest.mark.parametrize("game", ["pig", "420"])
def test_player_1_moves_left_each_time(game: str) -> None:
    table = over("ann", "bob", "cid")
    openers = []
    for _ in range(4):
        table = again(table, "ann", "bob", "cid")
        openers.append(table.state.mover)
        win(table)
    assert openers == [1, 2, 0, 1]


def test_player_1_of_a_race_of_three_is_drawn_once_and_then_moves_left() -> None:
    table = race("ann", "bob", "cid")
    assert table.state.drawn == 1
    following = again(table, "ann", "bob", "cid")
    assert following.state.mover == 2
    assert rules_of(following.state)["first"] == "Cid"


def test_player_1_is_drawn_for_each_match_where_the_house_rule_says_so() -> None:
    table = race("ann", "bob", "cid", first="draw")
    following = again(table, "ann", "bob")
    following.ask("cid", ask.Sit(None, ""))
    assert following.ask("cid", ask.Ready(), draws=[0])[-1] == Moved(Drawn(Seat(0)))


def test_who_opens_opens_wherever_they_are_moved_to() -> None:
    following = again(over("ann", "bob", "cid"), "ann", "bob")
    following.ask("ann", ask.Shift(1, 0))
    assert following.names == "Bob Ann Cid"
    following.ask("cid", ask.Sit(None, ""))
    following.ask("cid", ask.Ready())
    assert following.state.mover == 0, "Bob, left of Ann"


def test_a_record_of_a_rematch_says_who_opened() -> None:
    assert rules_of(again(over("ann", "bob"), "ann", "bob").state)["first"] == "Bob"


def test_who_gave_a_seat_away_or_was_voted_away_is_waited_for_themselves() -> None:
    table = played("ann", "bob", "cid", grace_s=0)
    table.ask("bob", ask.Give())
    table.away(2)
    table.ask("ann", ask.Vote(2))
    table.ask("bob", ask.Vote(2))
    assert table.kinds == "pss"
    assert again(win(table), "ann", "bob", "cid").kinds == "ppp"


def test_phones_that_have_joined_have_their_seat_at_the_next_table_too() -> None:
    table = over("ann", "bob")
    table.ask("bob2", ask.Join(1))
    following = again(table)
    assert following.ask("bob2", ask.Sit(None, "")) == [Sat(1, "bob2", "Bob"), Joined(1, "bob")]


@pytest.mark.parametrize("order", [("ann", "zoe"), ("zoe", "ann")])
def test_a_second_phone_has_the_seat_of_a_shared_phone_again_in_either_order(order: tuple[str, str]) -> None:
    table = growing("ann", "bob")
    table.ask("ann", ask.Share("Kim"))
    table.ask("zoe", ask.Join(2))
    table.ask("ann", ask.Start())
    following = again(win(table))
    for person in order:
        if following.state.seat_of(person) is None:
            following.ask(person, ask.Sit(None, ""))
    assert (following.names, following.kinds) == ("Ann Bob Kim", "p.p")
    for person in order:
        if not all(following.state.chairs[seat].ready for seat in following.state.seats_of(person)):
            following.ask(person, ask.Ready())
    assert (following.state.seats_of("ann"), following.state.seats_of("zoe")) == ((0, 2), (2,))
    assert all(following.state.chairs[seat].ready for seat in (0, 2))
    assert following.replayed() == following.state


def test_the_host_stays_the_host_in_any_seat_and_when_others_come_first() -> None:
    table = evening("pig", 3)
    table.ask("ann", ask.Sit(2, "Ann"))
    table.sit("bob", "cid")
    following = again(win(table), "bob", "cid")
    assert following.state.host == following.room.setup.host == "ann"
    following.ask("ann", ask.Sit(None, ""))
    following.ask("ann", ask.Pace(0))


def test_a_seat_left_to_a_bot_stays_the_bots_and_a_late_comer_stays() -> None:
    table = played("ann", "bob", "cid")
    table.ask("bob", ask.Leave())
    table.ask("cid", ask.Leave())
    table.ask("dot", ask.Sit(2, "Dot"))
    assert again(win(table), "ann", "dot").names == "Ann Tip Dot"


def test_the_pace_stays_as_it_was_set() -> None:
    table = played("ann", "bob")
    table.ask("ann", ask.Pace(0))
    assert again(win(table)).state.pace_ms == 0


def test_who_was_removed_stays_out_of_the_whole_chain() -> None:
    table = played("ann", "bob", "eve")
    table.ask("ann", ask.Remove(2))
    for _ in range(2):
        table = again(win(table), "ann", "bob")
        assert table.state.stage == "playing"
        assert table.state.banned == ("eve",)
        for command in (ask.Sit(None, "Eve"), ask.Join(0), ask.Queue("Eve")):
            assert table.refused("eve", command) == "removed-before"


def test_who_is_still_to_come_can_be_removed() -> None:
    following = again(over("ann", "bob", "eve"), "ann", "bob")
    following.ask("ann", ask.Remove(2))
    assert following.state.stage == "playing"
    assert following.state.banned == ("eve",)


def test_who_queued_is_waited_for_at_the_next_table() -> None:
    table = played("ann", "bob")
    table.ask("lou", ask.Queue("Lou"))
    following = again(win(table), "ann", "bob")
    assert (following.names, following.kinds) == ("Ann Bob Lou", "pp.")
    following.ask("lou", ask.Sit(None, ""))
    following.ask("lou", ask.Ready())
    assert following.kinds == "ppp"
    assert following.state.stage == "playing"


def test_a_name_that_somebody_took_meanwhile_is_numbered_and_fits() -> None:
    table, name = played("ann", "bob"), "W" * LONGEST
    table.ask("lou", ask.Queue(name))
    table.ask("ann", ask.Rename(name))
    following = again(win(table), "ann", "bob", "lou")
    assert following.state.names == (name, "Bob", "W" * (LONGEST - 2) + " 2")
    assert following.state.stage == "playing"


def test_a_rematch_of_somebody_alone_is_played_alone() -> None:
    table = evening("midnight", 1)
    table.sit("ann")
    assert again(midnight(table), "ann").state.stage == "playing"


def test_the_evening_is_counted_for_each_format() -> None:
    table = midnight(played("ann", "bob", game="midnight", rules={"format": "rounds 3"}))
    following = again(table, "bob")
    following.ask("ann", ask.Sit(None, ""))
    following.ask("ann", ask.Rules({"format": "pot 2 rounds 1"}))
    following.ask("ann", ask.Ready())
    following.ask("bob", ask.Ready())
    games, rows = tally(midnight(following).state)
    assert games == 2
    assert [(row.name, row.wins, row.takings) for row in rows] == [
        ("Ann", 2, (("rounds", 3), ("chips", 2))),
        ("Bob", 0, (("rounds", 0), ("chips", -2))),
    ]


def test_the_evening_knows_who_buys() -> None:
    table = race("ann", "bob", form="drinks")
    assert [(row.name, row.wins, row.takings) for row in tally(table.state)[1]] == [
        ("Bob", 1, (("drinks", 0),)),
        ("Ann", 0, (("drinks", 1),)),
    ]


def test_all_rows_have_the_same_units_in_the_order_they_occurred_in() -> None:
    table = midnight(played("bob", "cid", game="midnight", rules={"format": "rounds 1"}, host="bob"))
    table.ask("ann", ask.Queue("Ann"))
    following = again(table)
    for person in ("bob", "cid", "ann"):
        following.ask(person, ask.Sit(None, ""))
    following.ask("bob", ask.Rules({"format": "pot 2 rounds 1"}))
    for person in ("bob", "cid", "ann"):
        following.ask(person, ask.Ready())
    assert [(row.name, row.takings) for row in tally(midnight(following).state)[1]] == [
        ("Bob", (("rounds", 1), ("chips", -2))),
        ("Cid", (("rounds", 1), ("chips", -2))),
        ("Ann", (("rounds", 0), ("chips", 4))),
    ]


def test_a_name_changed_keeps_what_it_has_won() -> None:
    following = again(over("ann", "bob", bots=["tip"]), "ann")
    following.ask("ann", ask.Rename("Queen Ann"))
    following.ask("bob", ask.Sit(None, ""))
    following.ask("bob", ask.Ready())
    games, rows = tally(win(following).state)
    assert [(row.name, row.wins) for row in rows] == [("Queen Ann", 1), ("Bob", 1), ("Tip", 0)]
    assert games == 2


def test_a_long_chain_stays_small() -> None:
    table = played("ann", "bob")
    sizes = []
    for number in range(80):
        table.ask(f"w{number}", ask.Queue(f"W{number}"))
        table = again(win(table), "ann", "bob")
        table.ask("ann", ask.Remove(2))
        assert (table.names, table.state.stage) == ("Ann Bob", "playing")
        sizes.append(len(write_setup(table.room.setup)))
    assert len(table.room.setup.banned) == MOST_BANNED
    assert [row.name for row in table.room.setup.evening] == ["Ann", "Bob"]
    assert sizes[-1] - sizes[70] < 10


def win(table: Evening) -> Evening:
    """The opener wins Pig at once."""
    assert table.state.mover is not None
    person = table.state.chairs[table.state.mover].people[0]
    for _ in range(4):
        table.roll(person, (6,))
    table.ask(person, ask.PlayAction("hold"))
    assert table.state.stage == "over"
    return table


def race(*people: str, first: str = "", form: str = "race") -> Evening:
    """A race that Bob, who was drawn, has won at once."""
    table = evening("420", len(people), rules={"format": form, **({"first": first} if first else {})})
    for person in people:
        table.ask(person, ask.Sit(None, person.capitalize()), draws=[1])
    while table.state.stage == "playing":
        assert table.state.mover is not None
        table.roll(people[table.state.mover], (5, 5, 5, 5))
    return table


def midnight(table: Evening) -> Evening:
    """Ann makes 24 each time, and everybody else 4."""
    while table.state.stage == "playing":
        assert table.state.mover is not None
        chair = table.state.chairs[table.state.mover]
        table.roll(chair.people[0], (1, 4, 6, 6, 6, 6) if chair.name == "Ann" else (1, 4, 1, 1, 1, 1))
        table.ask(chair.people[0], ask.RollOrBank("bank", (0, 1, 2, 3, 4, 5)))
    return table
