"""A match that goes on at another house: the log says at whose and after which move, and each person has their seat."""

import pytest

from pubdice.core.errors import IllegalAction
from pubdice.core.seal import KeyedSeals
from pubdice.games import GAMES
from pubdice.match.record import Rolled
from pubdice.room import Caller, Room, Setup, read_setup, write_setup
from pubdice.room import commands as ask
from pubdice.room.events import Recognised, WentOn
from pubdice.room.going_on import goes_on_elsewhere
from pubdice.room.seeds import sealed
from pubdice.room.setup import Expected, Row, checked
from pubdice.room.state import clock
from room.scripted_room import BEGIN, again, evening, moved, over, played
from support.scripted_cup import ScriptedCup

FORK = "0123456789abcdef"


def test_the_log_says_who_went_on_and_after_which_move_and_their_seat_is_theirs() -> None:
    table = played("ann", "bob")
    table.roll("ann", (6,))
    assert table.ask(None, ask.GoOn(FORK, "bob", "bob-here")) == [WentOn(FORK, 1, "bob", "bob-here")]
    state = table.replayed()
    assert [chair.people for chair in state.chairs] == [("ann",), ("bob-here",)]
    assert state.host == "bob-here"
    assert table.refused("bob", ask.Rename("Robert")) == "not-seated", "the name that this house does not know"
    assert table.ask(None, ask.Recognise("ann", "ann-here")) == [Recognised("ann", "ann-here")]
    assert moved(table.roll("ann-here", (5,)))[-1] == Rolled((5,))


def test_marks_are_no_moves_and_before_the_match_there_are_none() -> None:
    table = evening("midnight", 3)
    table.sit("ann", "bob")
    assert table.ask(None, ask.GoOn(FORK, "ann", "ann-here")) == [WentOn(FORK, 0, "ann", "ann-here")]
    table.sit("cid")
    table.roll("ann-here", (6, 5, 4, 3, 2, 1))
    table.ask("ann-here", ask.Mark((0,)))
    assert table.ask(None, ask.GoOn("f" * 16, "bob", "bob-there")) == [WentOn("f" * 16, 1, "bob", "bob-there")]


def test_somebody_who_only_watched_goes_on_as_host_without_a_seat() -> None:
    table = played("ann", "bob")
    table.ask(None, ask.GoOn(FORK, "lou", "lou-here"))
    assert (table.state.host, table.state.seat_of("lou-here")) == ("lou-here", None)
    table.ask("lou-here", ask.Pace(0))
    table.ask(None, ask.Recognise("ann", "ann-here"))
    assert table.state.host == "lou-here"


def test_before_the_match_somebody_who_only_watched_leaves_its_beginning_to_who_sits_there() -> None:
    table = evening("midnight", 3)
    table.sit("ann", "bob")
    table.ask(None, ask.GoOn(FORK, "lou", "lou-here"))
    assert table.state.host == "ann"
    table.ask(None, ask.Recognise("ann", "ann-here"))
    assert table.ask("ann-here", ask.Start())
    alone = evening("midnight", 3)
    alone.ask(None, ask.GoOn(FORK, "lou", "lou-here"))
    assert alone.state.host == "lou-here", "nobody sits there"


def test_a_person_keeps_several_seats_the_queue_and_a_removal() -> None:
    table = evening("pig", 4)
    table.sit("ann", "bob")
    table.ask("ann", ask.Share("Kim"))
    table.ask("ann", ask.Remove(1))
    table.ask("ann", ask.Admit())
    table.sit("cid", "dee")
    table.ask("lou", ask.Queue("Lou"))
    for before in ("ann", "bob", "lou"):
        table.ask(None, ask.Recognise(before, f"{before}-here"))
    state = table.replayed()
    assert state.seats_of("ann-here") == (0, 2)
    assert state.banned == ("bob-here",)
    assert state.queue == (("lou-here", "Lou"),)


def test_who_left_in_a_turn_and_sits_down_again_has_no_more_time_at_the_other_house() -> None:
    table = played("ann", "bob", clock_s=30)
    up = clock(table.state)
    table.ask("ann", ask.Leave())
    table.ask("ann", ask.Queue("Ann"))
    table.ask(None, ask.GoOn(FORK, "bob", "bob-here"))
    table.ask(None, ask.Recognise("ann", "ann-here"))
    table.wait(20)
    table.ask("ann-here", ask.Sit(0, "Ann"))
    assert clock(table.replayed()) == up


def test_the_evening_and_the_seats_of_a_rematch_are_kept_for_the_person() -> None:
    first = over("ann", "bob")
    table = again(first)
    table.ask(None, ask.GoOn(FORK, "bob", "bob-here"))
    setup = table.replayed().setup
    assert [row.people for row in setup.evening] == [
        tuple("bob-here" if person == "bob" else person for person in row.people)
        for row in first.room.again(first.state, BEGIN).evening
    ]
    assert table.state.kept_for("bob-here") == (1,)
    assert table.state.kept_for("bob") == ()
    assert isinstance(setup.evening[0], Row)
    assert isinstance(setup.expected[0], Expected)


@pytest.mark.parametrize(
    "line",
    [
        f"wenton {FORK} 0 bob bob-here",
        f"wenton {FORK} 2 bob bob-here",
        f"wenton {FORK} 1 bob ann",
        f"wenton {FORK} 1 bob bob",
        f"wenton {FORK.upper()} 1 bob bob-here",
        "wenton 0123 1 bob bob-here",
        "recognised bob ann",
        "recognised bob bob",
    ],
)
def test_a_line_that_cannot_be_is_refused(line: str) -> None:
    table = played("ann", "bob")
    table.roll("ann", (6,))
    with pytest.raises(IllegalAction):
        list(table.room.replay(table.state, [f"{BEGIN} {line}"]))


def test_a_match_that_is_over_or_whose_dice_follow_from_a_key_goes_on_nowhere_else() -> None:
    assert over("ann", "bob").refused(None, ask.GoOn(FORK, "bob", "bob-here")) == "match-over"
    seals = KeyedSeals(bytes(32), bytes)
    for more, code in (({"dice": "sealed"}, "seal-lost"), ({"night": seals.night("KORBUM").write()}, "night-lost")):
        ordered = Setup({"game": "midnight"}, 2, "ann", BEGIN, **more)  # type: ignore[arg-type]
        setup = sealed(checked(GAMES["midnight"], ordered), seals)
        room = Room(GAMES["midnight"], read_setup(write_setup(setup)))
        state = room.start()
        assert not goes_on_elsewhere(state)
        with pytest.raises(Exception, match=code):
            room.decide(state, ask.GoOn(FORK, "bob", "bob-here"), Caller(None, BEGIN), ScriptedCup([]), seals)


def test_dice_that_were_sealed_before_the_host_changed_the_rules_count_as_sealed() -> None:
    """Somebody may have typed a seed, which stands in the log."""
    seals = KeyedSeals(bytes(32), bytes)
    setup = sealed(checked(GAMES["midnight"], Setup({"game": "midnight"}, 2, "ann", BEGIN, dice="sealed")), seals)
    room = Room(GAMES["midnight"], setup)
    state = room.start()
    for person, command in (("ann", ask.Sit(0, "Ann")), ("ann", ask.Rules(dice="house"))):
        state = room.decide(state, command, Caller(person, BEGIN), ScriptedCup([]), seals)[-1].after
    assert state.setup.dice == "house"
    assert not goes_on_elsewhere(state)


def test_no_person_gives_these_commands() -> None:
    table = played("ann", "bob")
    for command in (ask.GoOn(FORK, "bob", "bob-here"), ask.Recognise("bob", "bob-here")):
        with pytest.raises(AssertionError):
            table.room.decide(table.state, command, Caller("ann", BEGIN), ScriptedCup([]))
