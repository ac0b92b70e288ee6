"""People who share a phone: whose turn it acts for, who leaves, who is removed, how it votes."""

from pubdice.room import commands as ask
from pubdice.room.events import (
    Readied,
    Shared,
    Started,
)
from room.scripted_room import growing


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
