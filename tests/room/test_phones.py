"""Several phones for one seat, and several people who share a phone."""

from pubdice.room import commands as ask
from pubdice.room.events import (
    Joined,
    Readied,
    Shared,
    Started,
)
from pubdice.room.seats import MOST_PHONES
from room.scripted_room import evening, growing, over, played


def test_who_shows_the_words_of_a_seat_has_it_on_another_phone_too() -> None:
    table = played("ann", "bob")
    assert table.ask("ann on a tablet", ask.Join(0)) == [Joined(0, "ann on a tablet")]
    assert table.state.seat_of("ann") == table.state.seat_of("ann on a tablet") == 0
    table.roll("ann on a tablet", (5,))
    table.ask("ann", ask.PlayAction("hold"))
    assert table.state.mover == 1


def test_no_more_than_four_phones_act_for_a_seat_and_the_oldest_is_let_go() -> None:
    table = played("ann", "bob")
    for number in range(MOST_PHONES):
        table.ask(f"bob{number}", ask.Join(1))
    assert table.state.chairs[1].people == ("bob0", "bob1", "bob2", "bob3")
    assert table.refused("bob", ask.Give()) == "not-seated"


def test_a_seats_first_phone_is_never_let_go_at_a_table_of_this_version() -> None:
    table = played("ann", "bob", first_stays=True)
    for number in range(3 * MOST_PHONES):
        table.ask(f"eve{number}", ask.Join(1))
        assert table.state.chairs[1].people[0] == "bob"
        assert len(table.state.chairs[1].people) <= MOST_PHONES
    assert table.state.chairs[1].people == ("bob", "eve9", "eve10", "eve11")


def test_a_host_runs_the_table_from_any_phone_of_that_seat() -> None:
    table = evening("pig", 4)
    table.sit("ann", "bob")
    table.ask("ann2", ask.Join(0))
    table.ask("ann2", ask.Pace(0))
    assert table.refused("bob", ask.Pace(1)) == "not-host"


def test_a_host_whose_first_phone_is_let_go_stays_the_host() -> None:
    table = evening("pig", 4)
    table.sit("bob")
    assert table.state.host == "bob"
    table.ask("ann", ask.Sit(2, "Ann"))
    table.ask("bob", ask.Leave())
    assert table.state.host == "ann"
    table.ask("bob", ask.Sit(0, "Bob"))
    for number in range(MOST_PHONES):
        table.ask(f"ann{number}", ask.Join(2))
    assert table.state.host == "ann0"
    table.ask("ann3", ask.Start())


def test_another_phone_needs_somebody_at_the_seat() -> None:
    table = evening("pig", 3, "tip")
    table.sit("ann")
    for seat in (1, 2):
        assert table.refused("bob", ask.Join(seat)) == "seat-empty"
    assert table.refused("bob", ask.Join(3)) == "no-such-seat"


def test_a_person_with_a_seat_does_not_take_another_ones() -> None:
    table = played("ann", "bob")
    assert table.refused("ann", ask.Join(1)) == "seated-already"
    assert table.refused("ann", ask.Join(0)) == "seated-already"


def test_another_phone_may_join_when_the_match_is_over() -> None:
    table = over("ann", "bob")
    table.ask("bob2", ask.Join(1))
    assert table.state.chairs[1].people == ("bob", "bob2")


def test_two_share_a_phone_and_it_acts_for_the_mover() -> None:
    table = growing("ann")
    assert table.ask("ann", ask.Share("Kim")) == [Shared(1, "ann", "Kim")]
    assert table.ask("ann", ask.Ready()) == [Readied(0), Readied(1), Started()]
    assert table.state.seats_of("ann") == (0, 1)
    for name in ("Ann", "Kim", "Ann"):
        assert table.state.names[table.state.seat_of("ann") or 0] == name
        table.roll("ann", (1,))


def test_several_sit_down_at_once_and_all_or_none() -> None:
    table = growing("ann")
    assert table.refused("ann", ask.Share("Kim, Dot, kim")) == "name-taken"
    assert table.state.names == ("Ann",)
    assert table.ask("ann", ask.Share("Kim, Dot,")) == [Shared(1, "ann", "Kim"), Shared(2, "ann", "Dot")]


def test_who_shares_a_phone_leaves_alone_or_all_together() -> None:
    table = growing("ann", "bob")
    table.ask("bob", ask.Share("Kim"))
    table.ask("bob", ask.Leave(2))
    assert table.names == "Ann Bob"
    assert table.refused("bob", ask.Leave(0)) == "not-your-seat"
    table.ask("bob", ask.Share("Kim"))
    table.ask("bob", ask.Leave())
    assert table.names == "Ann"


def test_who_is_removed_from_a_shared_phone_does_not_take_the_other_along() -> None:
    table = growing("ann", "bob")
    table.ask("bob", ask.Share("Kim"))
    table.ask("ann", ask.Remove(2))
    assert (table.names, table.state.banned) == ("Ann Bob", ())
    table.ask("ann", ask.Remove(1))
    assert (table.names, table.state.banned) == ("Ann", ("bob",))


def test_who_is_removed_from_a_shared_phone_is_not_back_on_it_under_another_name() -> None:
    table = growing("ann", "bob", "cid")
    table.ask("bob", ask.Share("Kim"))
    table.ask("ann", ask.Remove(3))
    assert table.refused("bob", ask.Share("Kim again")) == "table-shut"
    assert table.refused("cid", ask.Share("Kim")) == "table-shut"
    table.ask("ann", ask.Share("Dot"))
    table.ask("ann", ask.Admit())
    assert table.refused("bob", ask.Share("Kim")) == "share-removed"
    table.ask("cid", ask.Share("Eli"))
    table.ask("ann", ask.Start())
    assert table.names == "Ann Bob Cid Dot Eli", "and the phone plays on with the seat it has left"
    assert table.replayed().unshared == ("bob",)


def test_removing_a_seat_bars_every_phone_that_has_no_other() -> None:
    table = growing("ann", "bob")
    table.ask("bob", ask.Share("Kim"))
    table.ask("bob on a tablet", ask.Join(2))
    table.ask("ann", ask.Remove(2))
    assert table.state.banned == ("bob on a tablet",)
    table.ask("ann", ask.Remove(1))
    assert table.replayed().banned == ("bob on a tablet", "bob")
    table.ask("ann", ask.Admit())
    assert table.refused("bob", ask.Sit(None, "Kim")) == "removed-before"


def test_a_shared_phone_votes_for_all_who_share_it() -> None:
    table = growing("ann", "bob", grace_s=0)
    table.ask("ann", ask.Share("Kim"))
    table.ask("ann", ask.Start())
    table.away(1)
    assert len(table.ask("ann", ask.Vote(1))) == 3, "two votes, and the bot"
    assert table.kinds == "psp"
