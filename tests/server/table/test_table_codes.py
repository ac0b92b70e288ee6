"""Codes and links: fair, said and typed as people do, old ones still read, and links that nobody can make up."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from pubdice.server.table.codes import (
    CLOSING,
    LETTERS,
    OPENING,
    RUDE_CODES,
    RUDE_SYLLABLES,
    VOWELS,
    format_code,
    is_link,
    link,
    new_code,
    read_code,
    secret_in,
    syllables,
)
from pubdice.text.own_names import own_names

SECRET = b"a house's secret"


def test_every_syllable_of_a_code_is_as_likely_as_any_other() -> None:
    drawn: Counter[str] = Counter()
    for number in range(65_536):
        pulled = iter([number.to_bytes(2, "big"), b"\0\0", b"\0\0"])
        drawn[new_code(lambda _, pulled=pulled: next(pulled))[:3]] += 1  # type: ignore[misc]
    known = len(syllables())
    passed_over = 65_536 % known
    assert drawn.pop("BAF") == 65_536 // known + passed_over  # the next two bytes were used instead
    assert set(drawn) == set(syllables()) - {"BAF"}
    assert set(drawn.values()) == {65_536 // known}


@given(st.randoms(use_true_random=False), st.sampled_from([2, 3]))
def test_a_code_is_syllables_that_can_be_said(random: Random, count: int) -> None:
    code = new_code(random.randbytes, count)
    assert len(code) == 3 * count
    for at in range(0, len(code), 3):
        assert code[at] in OPENING
        assert code[at + 1] in VOWELS
        assert code[at + 2] in CLOSING
        assert code[at : at + 3] not in RUDE_SYLLABLES
    assert not any(rude in code for rude in RUDE_CODES)
    assert read_code(code) == read_code(format_code(code)) == read_code(format_code(code).lower()) == code


def test_what_a_language_calls_rude_is_drawn_for_no_table_and_read_as_before() -> None:
    assert {"FOLLAR", "POLLAS"} <= RUDE_CODES, "Spanish says so"
    assert all(code[:3] in syllables() and code[3:] in syllables() for code in map(str.upper, own_names("rude")))
    known, wanted = syllables(), iter(("FOL", "LAR", "KOR", "BUM"))
    assert new_code(lambda number: known.index(next(wanted)).to_bytes(number, "big")) == "KORBUM"
    assert read_code("fol-lar") == "FOLLAR"


def test_codes_hold_no_letter_that_can_be_taken_for_another_in_print_or_spelling() -> None:
    assert not set(OPENING + CLOSING) & set("CJQVXYZ")
    assert set(VOWELS) == set("AEIOU")


def test_codes_are_read_as_people_write_them() -> None:
    for text in ("abcdef", "ABC DEF", "abc-def", " A B C D E F\n", "abc–def", "http://pub:4224/t/abcdef/"):
        assert read_code(text) == "ABCDEF"
    for text in ("KOR BUM", "kor bum", "kor-bum", "Kor.Bum", "COR BUM", "qorbum", "k0r bum", "http://pub/t/KORBUM"):
        assert read_code(text) == "KORBUM"
    for text in ("", "ABCDE", "ABCDEFG", "ABCDE1", "OBCDEF", "IBCDEF", "ÄBCDEF", "ßCDEF", "/", "KORBUMTALFON"):
        assert read_code(text) is None


def test_a_code_of_an_earlier_version_is_read_as_it_was() -> None:
    random = Random(5)
    for _ in range(500):
        code = "".join(random.choice(LETTERS) for _ in range(6))
        assert read_code(code.lower()) == code


@given(st.text())
def test_no_text_upsets_the_readers(text: str) -> None:
    code = read_code(text)
    assert code is None or (len(code) in (6, 9) and code.isascii() and code.isupper())
    assert len(secret_in(text)) in (0, 12)


def test_a_link_is_read_however_it_was_copied() -> None:
    mine = link(SECRET, "KORBUM")
    for text in (mine, mine.upper(), f"http://pub:4224/t/{mine}/", f" https://x.example/t/{mine}?from=chat#play\n"):
        assert read_code(text) == "KORBUM"
        assert is_link(SECRET, "KORBUM", secret_in(text))


def test_the_secret_of_a_link_is_good_for_one_table_of_one_house() -> None:
    mine = secret_in(link(SECRET, "KORBUM"))
    assert len(mine) == 12
    assert not is_link(SECRET, "KORBUN", mine)
    assert not is_link(b"another's", "KORBUM", mine)
    assert not is_link(SECRET, "KORBUM", "")
    assert not is_link(SECRET, "KORBUM", mine[:-1] + ("a" if mine[-1] != "a" else "b"))
    assert len({secret_in(link(SECRET, f"KOR{syllable}")) for syllable in syllables()}) == len(syllables())
