"""Headers of sealed dice that are given up: who holds the match up then, how it goes on, what the log tells of it."""

import pytest

from pubdice.core.seal import KeyedSeals, digest_of_seat
from pubdice.room import commands as ask
from pubdice.room.beginning import OPENING_MS, begins
from pubdice.room.events import Closed, Committed, Fixed, Left, Readied, Removed
from room.scripted_room import BEGIN, Evening, growing

SEAL = KeyedSeals(b"k" * 32, lambda size: b"\3" * size).first().write()


def gathered(*people: str, grace_s: int = 45) -> Evening:
    """A growing table with sealed dice; the phones of these people have told the digests of their first seeds."""
    table = growing(*people, dice="sealed", seal=SEAL, grace_s=grace_s)
    for person in people:
        tell(table, person, 1)
    return table


def tell(table: Evening, person: str, attempt: int) -> None:
    table.ask(person, ask.Commit(digest_of_seat(f"{person}{attempt}")))


def show(table: Evening, person: str, attempt: int) -> None:
    table.ask(person, ask.AddSeed(f"{person}{attempt}"))


def test_a_log_of_before_replays_in_which_somebody_says_ready_after_the_header_was_given_up() -> None:
    """The host began, Bob was not ready; Cid left while seeds were opened; Bob told a digest again and said ready."""
    digests = [f"{BEGIN} committed {seat} {str(seat) * 64}" for seat in range(3)]
    table = growing(dice="sealed", seal=SEAL)
    table.log = [
        f"{BEGIN} sat 0 ann Ann",
        f"{BEGIN} sat 1 bob Bob",
        f"{BEGIN} sat 2 cid Cid",
        *digests,
        f"{BEGIN} fixed",
        f"{BEGIN} left 2",
        f"{BEGIN} closed 2",
        f"{BEGIN} committed 1 {'ab' * 32}",
        f"{BEGIN} readied 1",
    ]
    state = table.replayed()
    assert state.seq == len(table.log) == 11
    assert [chair.ready for chair in state.chairs] == [False, True]


def test_a_log_replays_in_which_somebody_is_unready_whom_a_given_up_header_had_made_ready() -> None:
    table = gathered("ann", "bob", "cid")
    table.ask("ann", ask.Start())
    table.ask("cid", ask.Leave())
    table.ask("bob", ask.Unready())
    assert f"{BEGIN} readied 1" in table.log
    table.log.remove(f"{BEGIN} readied 1")
    assert not table.replayed().chairs[1].ready


@pytest.mark.parametrize("how", ["leaves", "is removed"])
def test_who_is_here_is_ready_as_a_header_is_given_up_and_the_log_says_so(how: str) -> None:
    table = gathered("ann", "bob", "cid", "dan")
    table.ask("ann", ask.Start())
    table.away(1)
    goes = Left(3) if how == "leaves" else Removed(3)
    events = table.ask("dan", ask.Leave()) if how == "leaves" else table.ask("ann", ask.Remove(3))
    assert events == [goes, Closed(3), Readied(0), Readied(2)], "Bob is away"
    assert table.replayed() == table.state


def test_a_table_without_sealed_dice_makes_nobody_ready_as_somebody_leaves() -> None:
    table = growing("ann", "bob", "cid")
    assert table.ask("cid", ask.Leave()) == [Left(2), Closed(2)]


def failed(table: Evening, *late: int) -> list[object]:
    """The minute is over: what the table's timer does."""
    table.wait(OPENING_MS / 1000)
    assert begins(table.room.kit, table.state, table.gone, table.now) == table.now
    events: list[object] = [*table.ask(None, ask.Begin())]
    assert events[: len(late)] == [Committed(seat, "-") for seat in late]
    return events


def test_a_phone_that_was_passed_over_holds_nobody_up_after_a_second_failed_attempt() -> None:
    table = gathered("ann", "bob", "cid")
    table.ask("ann", ask.Start())
    show(table, "ann", 1)
    show(table, "cid", 1)
    failed(table, 1)
    tell(table, "ann", 2)
    tell(table, "cid", 2)
    assert table.state.fixed
    show(table, "ann", 2)
    assert failed(table, 2) == [Committed(2, "-")]
    assert [chair.digest for chair in table.state.chairs] == ["", "-", "-"]
    tell(table, "ann", 3)
    show(table, "ann", 3)
    assert (table.state.stage, table.state.seeds, table.state.attempts) == ("playing", ("ann3", "-", "-"), 3)
    assert table.replayed() == table.state


def test_a_log_replays_in_which_a_seat_goes_without_a_seed_again_after_each_attempt() -> None:
    """Earlier logs: the seat counted as without a digest after each failed attempt."""
    table = gathered("ann", "bob")
    table.ask("ann", ask.Start())
    show(table, "ann", 1)
    failed(table, 1)
    table.log += [f"{table.now} committed 1 -", f"{table.now} committed 0 {'ab' * 32}", f"{table.now} fixed"]
    assert table.replayed().attempts == 2


def test_a_phone_that_never_opens_its_seed_is_passed_over_twice_and_then_not_waited_for() -> None:
    table = gathered("ann", "bob")
    table.ask("ann", ask.Start())
    for attempt in (1, 2):
        show(table, "ann", attempt)
        failed(table, 1)
        if attempt == 1:
            tell(table, "bob", 2)
        else:
            for command in (ask.Commit(digest_of_seat("bob3"), None), ask.AddSeed("typed")):
                assert table.refused("bob", command) == "seed-passed-over"
        tell(table, "ann", attempt + 1)
    assert table.state.chairs[1].digest == "-"
    show(table, "ann", 3)
    assert (table.state.stage, table.state.seeds) == ("playing", ("ann3", "-"))
    assert table.replayed() == table.state


def test_a_phone_that_was_passed_over_twice_is_not_waited_for_at_another_seat_either() -> None:
    table = gathered("ann", "bob")
    table.ask("ann", ask.Start())
    for attempt in (1, 2):
        show(table, "ann", attempt)
        failed(table, 1)
        if attempt == 1:
            tell(table, "bob", 2)
            tell(table, "ann", 2)
    table.ask("bob", ask.Leave())
    table.sit("bob")
    assert table.refused("bob", ask.Commit(digest_of_seat("bob3"))) == "seed-passed-over"
    tell(table, "ann", 3)
    assert table.ask("ann", ask.Start()) == [Committed(1, "-"), Fixed()]


def test_two_seats_of_one_phone_that_are_passed_over_at_once_count_as_one_time() -> None:
    table = gathered("ann", "bob")
    table.ask("bob", ask.Share("Cid"))
    tell(table, "bob", 2)
    table.ask("ann", ask.Start())
    show(table, "ann", 1)
    failed(table, 1, 2)
    for number in (3, 4):
        tell(table, "bob", number)
    assert [chair.digest for chair in table.state.chairs[1:]] == [digest_of_seat(f"bob{number}") for number in (3, 4)]


def test_a_new_person_waits_for_the_next_match_once_a_header_was_given_up() -> None:
    """Cid never opens a seed, leaves, and comes back without a cookie."""
    table = gathered("ann", "bob", "cid")
    table.ask("ann", ask.Start())
    assert table.refused("cid", ask.Share("Kim")) == "seeds-opening"
    table.ask("cid", ask.Leave())
    assert table.refused("eve", ask.Sit(None, "Eve")) == "seeds-begun"
    assert table.refused("bob", ask.Share("Kim")) == "seeds-begun"
    for person in ("ann", "bob"):
        tell(table, person, 2)
    for person in ("ann", "bob"):
        show(table, person, 2)
    assert (table.state.stage, table.state.attempts) == ("playing", 2)


def test_a_person_without_whom_nobody_could_play_holds_the_match_up_twice_at_most() -> None:
    table = gathered("ann", "bob")
    for attempt, person in enumerate(("bob", "eve1", "eve2"), 1):
        if attempt > 1:
            table.ask(person, ask.Sit(None, person))
            tell(table, "ann", attempt)
        if attempt < 3:
            tell(table, person, 1) if attempt > 1 else None
            table.ask("ann", ask.Start())
            table.ask(person, ask.Leave())
    assert table.refused("eve2", ask.Commit(digest_of_seat("late"))) == "seed-passed-over"
    table.ask("ann", ask.Start())
    show(table, "ann", 3)
    assert (table.state.stage, table.state.seeds) == ("playing", ("ann3", "-"))
    assert table.replayed() == table.state


def test_a_person_holds_a_match_up_no_longer_with_more_phones_at_one_seat() -> None:
    """Bob opens no seed, and a phone without a cookie joins his seat before each header is given up."""
    table = gathered("ann", "bob")
    table.ask("ann", ask.Start())
    for attempt in (1, 2):
        table.ask(f"bob{attempt}", ask.Join(1))
        show(table, "ann", attempt)
        failed(table, 1)
        if attempt == 1:
            tell(table, "bob1", 1)
            tell(table, "ann", 2)
    assert table.refused("bob2", ask.Commit(digest_of_seat("late"))) == "seed-passed-over"
    tell(table, "ann", 3)
    show(table, "ann", 3)
    assert (table.state.stage, table.state.seeds) == ("playing", ("ann3", "-"))


def test_who_leaves_seat_by_seat_with_a_shared_phone_holds_the_match_up_twice_at_most() -> None:
    table = gathered("ann", "bob")
    for number, name in enumerate(("Cid", "Dan", "Eve"), 2):
        table.ask("bob", ask.Share(name))
        tell(table, "bob", number)
    table.ask("ann", ask.Start())
    for attempt in (2, 3):
        table.wait(OPENING_MS / 1000 - 1)
        table.ask("bob", ask.Leave(len(table.state.chairs) - 1))
        if attempt == 2:
            for seat in range(1, len(table.state.chairs)):
                table.ask("bob", ask.Commit(digest_of_seat(f"bob{seat}again"), seat))
        tell(table, "ann", attempt)
    show(table, "ann", 3)
    assert (table.state.stage, table.state.seeds) == ("playing", ("ann3", "-", "-"))
    assert table.replayed() == table.state


def test_no_two_seats_have_one_digest() -> None:
    table = gathered("ann")
    table.sit("bob")
    assert table.refused("bob", ask.Commit(digest_of_seat("ann1"))) == "seed-copied"
    assert table.refused("bob", ask.AddSeed("ann1")) == "seed-copied"
    table.ask("bob", ask.AddSeed("typed"))
    table.ask("bob", ask.Share("Kim"))
    assert table.refused("bob", ask.Commit(digest_of_seat("typed"))) == "seed-copied"
    tell(table, "bob", 2)
    assert [chair.digest for chair in table.state.chairs] == [digest_of_seat("ann1"), "", digest_of_seat("bob2")]


def test_who_was_away_as_the_header_was_fixed_was_not_passed_over() -> None:
    table = gathered("ann", "bob")
    table.sit("cid")
    table.away(2)
    table.wait(45)
    table.ask("ann", ask.Start())
    assert table.state.chairs[2].digest == "-"
    assert table.state.passed_over == ()


@pytest.mark.parametrize(("away_at", "grace_s", "passed_at"), [(59, 3600, 60), (5, 20, 25), (0, 60, 60), (30, 45, 60)])
def test_who_goes_away_while_seeds_are_opened_is_waited_for_a_minute_at_most(
    away_at: int, grace_s: int, passed_at: int
) -> None:
    table = gathered("ann", "bob", grace_s=grace_s)
    table.ask("ann", ask.Start())
    show(table, "ann", 1)
    at = table.now
    table.wait(away_at)
    table.away(1)
    assert begins(table.room.kit, table.state, table.gone, table.now) == at + 1000 * passed_at
