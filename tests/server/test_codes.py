"""Codes and words: fair, forgiving, apart by ear, and of use to nobody who lacks the house's secret."""

import hashlib
from collections import Counter
from importlib.resources import files
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from pubdice.server.codes import LETTERS, new_code, read_code, read_words, same_words, words_for

WORDS = files("pubdice.server").joinpath("web", "words.txt").read_text(encoding="ascii").split()
SECRET = b"a house's secret"
BY_EAR = str.maketrans("pdgcqnvz", "btkkkmws")


def test_every_letter_of_a_code_is_as_likely_as_any_other() -> None:
    drawn: Counter[str] = Counter()
    for start in range(256):
        once = iter([bytes([start]) * 6])
        drawn[new_code(lambda _, once=once: next(once, b"\x00" * 6))[0]] += 1  # type: ignore[misc]
    # of 256 first bytes 240 give each letter ten times; the 16 others are passed over and the zeros after them used
    assert drawn.pop("A") == 10 + 16
    assert set(drawn) == set(LETTERS) - {"A"}
    assert set(drawn.values()) == {10}


@given(st.data())
def test_a_code_is_six_letters_whatever_the_bytes(data: st.DataObject) -> None:
    source = [data.draw(st.binary(min_size=6, max_size=6)) for _ in range(3)] + [bytes(range(6))]
    pulled = iter(source)
    code = new_code(lambda count: next(pulled))
    assert len(code) == 6
    assert set(code) <= set(LETTERS)
    assert read_code(code) == code


def test_codes_are_read_as_people_write_them() -> None:
    for text in ("abcdef", "ABC DEF", "abc-def", " A B C D E F\n", "abc–def", "http://pub:4224/t/abcdef/"):
        assert read_code(text) == "ABCDEF"
    for text in ("", "ABCDE", "ABCDEFG", "ABCDE1", "OBCDEF", "IBCDEF", "ÄBCDEF", "ßCDEF", "ABCDEF?x=1", "/"):
        assert read_code(text) is None


@given(st.text())
def test_no_text_upsets_the_readers(text: str) -> None:
    code, words = read_code(text), read_words(text)
    assert code is None or (len(code) == 6 and set(code) <= set(LETTERS))
    assert words is None or set(words.split()) <= set(WORDS)


def test_the_list_holds_1024_short_plain_words_and_never_changes() -> None:
    assert sorted(set(WORDS)) == WORDS
    assert len(WORDS) == 1024
    for word in WORDS:
        assert len(word) == 5
        assert word[1] in "aiou"
        assert word[3] in "aiou"
        assert word[0] in "bfhklmrst"
        assert word[2] in "bfklmrstw"
        assert word[4] in "fklnprstx"
    # a list that changes would change everybody's words
    assert hashlib.sha256(" ".join(WORDS).encode()).hexdigest() == PINNED


def test_any_two_words_differ_in_two_sounds_at_least() -> None:
    heard = [word.translate(BY_EAR) for word in WORDS]
    assert min(sum(a != b for a, b in zip(*pair, strict=True)) for pair in combinations(heard, 2)) == 2


def test_every_word_is_understood_as_a_german_or_an_english_ear_may_write_it() -> None:
    for at in range(0, 1024, 4):
        words = WORDS[at : at + 4]
        right = " ".join(words)
        for spelt in (
            right,
            right.upper(),
            "-".join(words),
            "".join(words),
            ", ".join(words) + ".",
            right.replace("k", "c"),
            right.replace("w", "v"),
            right.replace("i", "ie"),
            right.replace("u", "oo"),
            right.replace("x", "cks"),
            right.replace("f", "ph"),
            right.replace("t", "dd").replace("b", "p"),
            right.replace("m", "n").replace("s", "z"),
            right.replace("o", "ö").replace("a", "á"),
        ):
            assert read_words(spelt) == right, spelt


def test_one_sound_misheard_is_no_word() -> None:
    rest = " ".join(WORDS[1:4])
    for place in range(5):
        for letter in "bfhklmrstwaioux":
            word = WORDS[0][:place] + letter + WORDS[0][place + 1 :]
            assert read_words(f"{word} {rest}") in (None, " ".join(WORDS[:4]))


def test_the_words_of_a_seat_are_its_own() -> None:
    right = words_for(SECRET, "ABCDEF", 1, "ann", 1)
    assert right == words_for(SECRET, "ABCDEF", 1, "ann", 1)
    others = {
        words_for(b"another secret", "ABCDEF", 1, "ann", 1),
        words_for(SECRET, "ABCDEG", 1, "ann", 1),
        words_for(SECRET, "ABCDEF", 2, "ann", 1),
        words_for(SECRET, "ABCDEF", 1, "bob", 1),
        words_for(SECRET, "ABCDEF", 1, "ann", 2),
        words_for(SECRET, "ABCDEF1", 1, "nn", 1),
    }
    assert len(others) == 6
    assert right not in others
    assert same_words(right.upper(), right)
    assert not any(same_words(other, right) for other in others)
    assert not same_words("", right)
    assert not same_words("", "")
    assert len(right.split()) == 4


def test_all_words_come_up_equally_often() -> None:
    seen = Counter(word for seat in range(4096) for word in words_for(SECRET, "ABCDEF", seat, "ann", 1).split())
    assert len(seen) == 1024
    assert max(seen.values()) < 16 + 6 * 4  # 16 expected, with a standard deviation of 4


PINNED = "c009870efdb03c98913489a30f4a6521f74476fc3555966922afc812481f138f"
