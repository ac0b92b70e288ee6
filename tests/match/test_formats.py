import re
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pubdice.core.errors import BadNotation
from pubdice.core.game import Result, Seat
from pubdice.match.formats import (
    FORMATS,
    Drinks,
    Format,
    FormatKind,
    Points,
    Pot,
    Race,
    Rounds,
    Tally,
    buyer,
    read_format,
)


def _seats(*numbers: int) -> tuple[Seat, ...]:
    return tuple(map(Seat, numbers))


def _played(form: Format, seats: int, *winners: Iterable[int]) -> Tally:
    """The tally after rounds with these winners; between rounds the next is opened."""
    tally = form.start(seats)
    for won in winners:
        assert not form.over(tally)
        order = tally.still_in
        tally = form.settle(form.open(tally), Result(_seats(*won), tuple(seat in won for seat in range(seats))), order)
    return tally


def test_every_one_tied_wins_the_round() -> None:
    tally = _played(Rounds(3), 3, [0, 2], [2])
    assert tally == Tally(2, (1, 0, 2))
    assert not Rounds(3).over(tally)


def test_a_round_nobody_wins_counts_as_played() -> None:
    tally = _played(Rounds(2), 2, [], [1])
    assert tally == Tally(2, (0, 1))
    assert Rounds(2).over(tally)
    assert Rounds(2).champions(tally) == (1,)


def test_equal_leaders_share_the_match() -> None:
    assert Rounds(3).champions(_played(Rounds(3), 3, [0], [2], [])) == (0, 2)


def test_a_match_in_which_nobody_ever_won_is_shared_at_nil_by_every_seat() -> None:
    tally = _played(Rounds(2), 3, [], [])
    assert tally.points == (0, 0, 0)
    assert Rounds(2).champions(tally) == (0, 1, 2)


def test_a_sole_winner_takes_the_pot() -> None:
    tally = _played(Pot(2, 3), 3, [1])
    assert tally == Tally(1, (-2, 4, -2), pot=0)


@pytest.mark.parametrize(
    ("form", "winners", "notes"),
    [
        (Pot(2, 3), [[1]], ["−2", "+4", "−2"]),
        (Pot(2, 3), [], ["0", "0", "0"]),
        (Rounds(9), [[0], [0], [0], [0], [0], [0], [2]], ["||||| |", "", "|"]),
        (Rounds(1), [[0]], ["", "", ""]),
        (Race(), [[1]], ["", "", ""]),
    ],
)
def test_what_stands_beside_a_name_is_what_the_format_counts(
    form: Format, winners: list[list[int]], notes: list[str]
) -> None:
    tally = _played(form, 3, *winners)
    assert [form.words.seat_note(tally, Seat(seat)) for seat in range(3)] == notes


@pytest.mark.parametrize("nobody", [[], [0, 2], [0, 1, 2]])
def test_a_tie_or_nobody_carries_the_pot_into_the_next_game(nobody: list[int]) -> None:
    tally = _played(Pot(2, 3), 3, nobody)
    assert tally == Tally(1, (-2, -2, -2), pot=6)
    assert _played(Pot(2, 3), 3, nobody, [0]) == Tally(2, (8, -4, -4), pot=0)


def test_a_pot_left_hanging_is_played_on_for() -> None:
    form = Pot(1, 2)
    assert not form.over(_played(form, 2, [0], []))
    assert not form.over(_played(form, 2, [0], [], [0, 1]))
    last = _played(form, 2, [0], [], [0, 1], [1])
    assert form.over(last)
    assert last == Tally(4, (-2, 2))
    assert form.champions(last) == (1,)


def test_the_pot_is_not_over_before_its_games_are_played() -> None:
    assert not Pot(1, 2).over(_played(Pot(1, 2), 2, [0]))


@given(st.integers(2, 6), st.integers(1, 9), st.lists(st.sets(st.integers(0, 1)), max_size=8))
def test_chips_are_neither_made_nor_lost(seats: int, stake: int, rounds: list[set[int]]) -> None:
    form = Pot(stake, 99)
    for count in range(len(rounds) + 1):
        tally = _played(form, seats, *rounds[:count])
        assert sum(tally.points) + tally.pot == 0


def test_one_round_decides_a_race() -> None:
    assert not Race().over(Race().start(2))
    tally = _played(Race(), 3, [1])
    assert Race().over(tally)
    assert Race().champions(tally) == (1,)


def test_winners_drop_out_in_order_and_the_last_one_left_buys_the_drinks() -> None:
    two = _played(Drinks(), 4, [2], [0])
    assert (two.out, buyer(two), Drinks().over(two)) == ((2, 0), None, False)
    three = _played(Drinks(), 4, [2], [0], [3])
    assert Drinks().over(three)
    assert (three.out, buyer(three)) == ((2, 0, 3), 1)
    assert three.points == (1, 0, 1, 1)
    assert Drinks().champions(three) == (0, 2, 3)


def test_nobody_buys_before_anybody_is_out_or_where_nobody_drops_out() -> None:
    assert buyer(Drinks().start(2)) is None
    assert buyer(_played(Rounds(1), 2, [0])) is None
    assert buyer(_played(Drinks(), 2, [1])) == 0


@pytest.mark.parametrize("form", [Rounds(1), Rounds(20), Pot(3, 7), Race(), Drinks()])
def test_a_format_written_and_read_is_the_same(form: Format) -> None:
    assert read_format(form.write()) == form


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("rounds", Rounds(5)),
        ("pot", Pot(1, 5)),
        ("pot 2", Pot(2, 5)),
        ("pot 2 3", Pot(2, 3)),
        ("pot:2:3", Pot(2, 3)),
        ("pot rounds", Pot(1, 5)),
        ("pot 1 rounds", Pot(1, 5)),
        ("pot rounds 3", Pot(1, 3)),
        ("pot:2:rounds", Pot(2, 5)),
        ("  rounds   7 ", Rounds(7)),
        ("points 100 rolloff even", Points(100, 1, 1)),
        ("points even", Points(100, 1)),
    ],
)
def test_numbers_may_be_left_out_and_parted_by_colons(text: str, form: Format) -> None:
    assert read_format(text) == form


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "format"),
        ("sudden death", "format"),
        ("Rounds 5", "format"),
        ("rounds 0", "format-number"),
        ("rounds 21", "format-number"),
        ("rounds five", "format-number"),
        ("rounds -1", "format-number"),
        ("rounds ٣", "format-number"),
        ("rounds 9999999999999", "format-number"),
        ("pot 0", "format-number"),
        ("pot 1 rounds 0", "format-number"),
        ("rounds 5 6", "format-words"),
        ("pot 2 3 rounds", "format-words"),
        ("pot rounds 2 3", "format-words"),
        ("pot rounds rounds", "format-number"),
        ("race 1", "format-words"),
        ("drinks now", "format-words"),
        ("points 100 rolloff", "format-switch"),
        ("points 100 rolloff rolloff", "format-words"),
        ("points 100 rolloff 3", "format-words"),
    ],
)
def test_a_format_that_is_none_is_refused(text: str, fault: str) -> None:
    with pytest.raises(BadNotation) as error:
        read_format(text)
    assert error.value.code == fault


@pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.name)
def test_a_refusal_and_the_form_after_a_flag_name_every_switch(kind: FormatKind) -> None:
    switches = [field.word for field in kind.fields if field.named]
    with pytest.raises(BadNotation) as error:
        kind.read(["1"] * (len(kind.fields) + 1))
    assert re.findall(r" \[(\w+)\]", str(error.value.facts["shape"])) == switches
    assert re.findall(r"\[:(\w+)\]", kind.shape) == switches
