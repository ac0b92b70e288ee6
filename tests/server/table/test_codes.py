"""Codes, links and the words of a seat: fair, said and typed as people do, and made up by no stranger."""

import functools
import hashlib
from collections import Counter
from importlib.resources import files
from itertools import combinations
from random import Random

import pytest
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
from pubdice.server.table.seat_words import EARLIER, fold, read_words, same_words, words_for
from pubdice.text.own_names import own_names
from pubdice.text.word_lists import LANGUAGES, word_list
from sentences import own_laws

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


def test_a_rude_code_is_drawn_for_no_table() -> None:
    assert {"FOLLAR", "POLLAS"} <= RUDE_CODES, "Spanish says so"
    assert all(code[:3] in syllables() and code[3:] in syllables() for code in map(str.upper, own_names("rude")))
    known, wanted = syllables(), iter(("FOL", "LAR", "KOR", "BUM"))
    assert new_code(lambda number: known.index(next(wanted)).to_bytes(number, "big")) == "KORBUM"
    assert read_code("fol-lar") == "FOLLAR"


def test_codes_hold_no_letter_that_is_taken_for_another() -> None:
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


WORDS = files("pubdice.server").joinpath("web", "words.txt").read_text(encoding="ascii").split()
BY_EAR = str.maketrans("pdgcqnvz", "btkkkmws")


@given(st.text())
def test_no_text_upsets_the_reader(text: str) -> None:
    words = read_words(text)
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


def test_each_word_is_read_as_german_and_english_ears_write_it() -> None:
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_a_language_are_short_and_apart(language: str) -> None:
    words = word_list(language)
    assert len(words) == 1024
    assert len({fold(word) for word in words}) == 1024
    assert len({word[:2].casefold() for word in words}) > 100
    for word in words:
        assert 3 <= len(word) <= 8, word
        assert word.isalpha(), word
        assert word.istitle() == words[0].istitle(), word
        assert word[1:].islower(), word
    pinned = PINNED_ENGLISH if language == "en" else own_laws(language)["words"]["sha256"]
    assert hashlib.sha256(" ".join(words).encode()).hexdigest() == pinned


def test_words_of_any_language_are_read_as_typed() -> None:
    for seat in range(60):
        shown = [words_for(SECRET, "KORBUM", seat, "ann", language=language) for language in (*LANGUAGES, EARLIER)]
        assert len(set(shown)) == len(LANGUAGES) + 1
        for right in shown:
            assert len(right.split()) == 4
            plain = right.replace("ß", "ss")
            long = functools.reduce(lambda text, pair: text.replace(*pair), LONG, plain)
            for typed in (right, right.lower(), right.upper(), right.replace(" ", ""), "-".join(right.split()), long):
                assert same_words(f" {typed}. ", *shown), typed
        wrong = words_for(SECRET, "KORBUM", seat + 1000, "ann", language="de")
        assert not same_words(wrong, *shown)
        assert not same_words(" ".join(shown[0].split()[::-1]), *shown)
        assert not same_words(" ".join(shown[0].split()[:3]), *shown)
    assert not same_words("", *shown)
    assert not same_words("", "")


LONG = (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("Ä", "Ae"), ("Ö", "Oe"), ("Ü", "Ue"))
PINNED_ENGLISH = "2885faaca5d3d9cc405ebaa273a9f5cc87cdd28f01073a1b0b5ab5ead5f00d03"
PINNED = "c009870efdb03c98913489a30f4a6521f74476fc3555966922afc812481f138f"
