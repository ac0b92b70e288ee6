"""Whole numbers and faces from text: what is read, and that only ASCII digits are."""

import pytest

from pubdice.core.dice import faces_in, whole_number


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("7", 7), ("007", 7), ("999999999", 999_999_999)])
def test_digits_are_a_number(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text", ["", " 1", "1 ", "+1", "-1", "1.5", "1_0", "0x1", "²", "١", "1²", "1000000000", "9" * 5000]
)
def test_what_is_no_number_is_none(text: str) -> None:
    assert whole_number(text) is None


def test_a_place_says_how_long_its_numbers_may_be() -> None:
    assert whole_number("1763638000123", 14) == 1_763_638_000_123
    assert whole_number("65536", 5) == 65_536
    assert whole_number("655360", 5) is None


@pytest.mark.parametrize("text", ["0", "7", "61x", "6 1", "6,1", "²", "١", "-1"])
def test_what_is_no_face_is_none(text: str) -> None:
    assert faces_in(text) is None


def test_faces_keep_the_order_they_are_written_in() -> None:
    assert faces_in("6152") == (6, 1, 5, 2)
    assert faces_in("6, 1 5", between=", ") == (6, 1, 5)
    assert faces_in("-", between="-") == faces_in("") == ()
