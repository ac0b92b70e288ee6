"""One seat and several phones: who may act for it, how many, and who is let go."""

from pubdice.room import commands as ask
from pubdice.room.events import Joined
from pubdice.room.seats import MOST_PHONES
from room.scripted_room import evening, over, played


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
