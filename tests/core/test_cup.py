from collections import Counter
from itertools import islice

import pytest

from pubdice.core.cup import Pool, SeededCup, SystemCup
from support.scripted_cup import ScriptedCup


class Bytes:
    """A source that gives these bytes."""

    def __init__(self, given: bytes) -> None:
        self.given = iter(given)

    def __call__(self, number: int) -> bytes:
        return bytes(islice(self.given, number))


@pytest.mark.parametrize("number", [1, 2, 3, 5, 6, 7, 20, 63, 100, 128, 256])
def test_over_all_bytes_every_lot_falls_equally_often(number: int) -> None:
    """Each byte alone decides one lot or is passed over: so 256 bytes give each lot ⌊256 / n⌋ times, exactly."""
    fallen: Counter[int] = Counter()
    for byte in range(256):
        lot = SystemCup(Bytes(bytes([byte, *[0] * 15]))).draw(number, 0)
        passed_over = byte >= 256 - 256 % number
        assert lot == (0 if passed_over else byte % number)
        if not passed_over:
            fallen[lot] += 1
    assert fallen == dict.fromkeys(range(number), 256 // number)


def test_a_die_is_served_by_252_bytes_42_a_face_and_four_are_passed_over() -> None:
    fallen = Counter(SystemCup(Bytes(bytes([byte, 5] + [0] * 14))).roll(1, 0)[0] for byte in range(252))
    assert fallen == dict.fromkeys(range(1, 7), 42)
    for byte in range(252, 256):
        assert SystemCup(Bytes(bytes([byte, 5] + [0] * 14))).roll(1, 0) == (6,)


def test_dice_of_one_roll_come_from_bytes_in_order() -> None:
    assert SystemCup(Bytes(bytes(range(16)))).roll(6, 0) == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize("number", [0, -1, 257])
def test_a_draw_among_none_or_too_many_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="1 to 256"):
        SeededCup("seed").draw(number, 0)


def test_seeded_dice_never_change_between_versions() -> None:
    """Published: changing these breaks every seeded game anybody has saved."""
    cup = SeededCup("pubdice")
    assert [cup.roll(6, index) for index in range(3)] == [(6, 1, 4, 1, 5, 4), (6, 1, 5, 6, 6, 3), (5, 3, 6, 2, 6, 5)]
    assert [SeededCup("pubdice", "bots").draw(20, index) for index in range(6)] == [5, 16, 13, 6, 14, 18]


def test_seeded_dice_depend_on_seed_purpose_and_index_and_on_nothing_else() -> None:
    here = SeededCup("a").roll(20, 7)
    assert SeededCup("a").roll(20, 7) == here
    assert here not in (SeededCup("b").roll(20, 7), SeededCup("a", "bots").roll(20, 7), SeededCup("a").roll(20, 8))


def test_a_longer_seeded_roll_begins_like_a_shorter_one() -> None:
    """More dice than one block of 32 bytes holds."""
    cup = SeededCup("long")
    assert cup.roll(100, 0)[:10] == cup.roll(10, 0)
    assert set(cup.roll(100, 0)) == {1, 2, 3, 4, 5, 6}


def test_a_script_gives_its_rolls_and_draws_in_order() -> None:
    cup = ScriptedCup([(1, 2), (6,)], [3])
    assert (cup.roll(2, 0), cup.draw(4, 1), cup.roll(1, 2)) == ((1, 2), 3, (6,))


def test_a_script_that_does_not_fit_says_what_it_held() -> None:
    with pytest.raises(ValueError, match=r"event 5 rolls 2 dice; the script holds \(1, 2, 3\)"):
        ScriptedCup([(1, 2, 3)]).roll(2, 5)
    with pytest.raises(ValueError, match="the script holds None"):
        ScriptedCup().roll(1, 0)
    with pytest.raises(ValueError, match="event 1 draws among 2; the script holds 2"):
        ScriptedCup(draws=[2]).draw(2, 1)
    with pytest.raises(ValueError, match="the script holds None"):
        ScriptedCup().draw(2, 0)


def test_a_pool_gives_every_byte_out_once_and_in_order() -> None:
    stream = iter(range(10_000))
    pool = Pool(lambda number: bytes(next(stream) % 256 for _ in range(number)), 100)
    given = b"".join(pool(number) for number in (1, 7, 16, 16, 99, 250, 3) * 5)
    assert given == bytes(number % 256 for number in range(len(given)))
