"""The grammar of answers: dice by digits, lists, signs, words, and several of them in one line."""

import re
from unicodedata import normalize

import pytest

from pubdice.room.commands import HOUSE_WORDS, house_words
from pubdice.text.catalogues import CODES, language
from pubdice.typed import (
    IN_A_LANGUAGE,
    LISTS,
    SHIFTED,
    WORDS,
    Choose,
    CommandWord,
    Intent,
    Unclear,
    Word,
    command_words,
    own_words,
    read_answer,
    told_words,
    without_marks,
)

ROLL, BANK, UNDO = CommandWord("roll"), CommandWord("bank"), CommandWord("undo")
MEANINGS: dict[str, list[Intent]] = {
    "": [],
    "   ": [],
    ",": [],
    "1": [Choose("toggle", (1,))],
    "1 4 6": [Choose("toggle", (1, 4, 6))],
    "146": [Choose("toggle", (1, 4, 6))],
    "1,4, 6": [Choose("toggle", (1, 4, 6))],
    "1 4 r": [Choose("toggle", (1, 4)), ROLL],
    "146r": [Choose("toggle", (1, 4, 6)), ROLL],
    "r": [ROLL],
    "R": [ROLL],
    "  Roll ": [ROLL],
    "b": [BANK],
    "BANK": [BANK],
    "k 6 5": [Choose("keep", (6, 5))],
    "k65": [Choose("keep", (6, 5))],
    "K 6, 5": [Choose("keep", (6, 5))],
    "keep 6 5 5": [Choose("keep", (6, 5, 5))],
    "k -": [Choose("keep", ())],
    "k-": [Choose("keep", ())],
    "x 1 3": [Choose("reroll", (1, 3))],
    "x13 r": [Choose("reroll", (1, 3)), ROLL],
    "reroll 1": [Choose("reroll", (1,))],
    "+6": [Choose("mark", (6,))],
    "-6": [Choose("unmark", (6,))],
    "+6 -1 r": [Choose("mark", (6,)), Choose("unmark", (1,)), ROLL],
    "!": [Choose("mark", (1,))],
    "! $ r": [Choose("mark", (1,)), Choose("mark", (4,)), ROLL],
    "u u u": [UNDO, UNDO, UNDO],
    "k 1 4 u": [Choose("keep", (1, 4)), UNDO],
    "1 r 6 r": [Choose("toggle", (1,)), ROLL, Choose("toggle", (6,)), ROLL],
    "t s l d ?": [
        CommandWord("beat"),
        CommandWord("scores"),
        CommandWord("last"),
        CommandWord("dice"),
        CommandWord("help"),
    ],
    "q": [CommandWord("quit")],
}


@pytest.mark.parametrize(("text", "meaning"), MEANINGS.items())
def test_a_line_means_its_intents_in_order(text: str, meaning: list[Intent]) -> None:
    assert read_answer(text) == meaning


@pytest.mark.parametrize(("text", "word"), WORDS.items())
def test_every_word_is_known_in_small_and_large_letters(text: str, word: Word) -> None:
    for spelling in (text, text.upper(), text.capitalize()):
        assert read_answer(spelling) == [CommandWord(word)]


@pytest.mark.parametrize(("key", "digit"), SHIFTED.items())
def test_shift_and_a_digit_marks_that_face(key: str, digit: int) -> None:
    assert read_answer(key) == [Choose("mark", (digit,))]


@pytest.mark.parametrize(
    ("text", "found", "why"),
    [
        ("7", "7", "digit"),
        ("0", "0", "digit"),
        ("1 4 9", "9", "digit"),
        ("zz", "zz", "word"),
        ("r zz", "zz", "word"),
        ("zz r", "zz", "word"),
        ("k", "k", "list"),
        ("x", "x", "list"),
        ("1 4 keep", "keep", "list"),
        ("r!x", "x", "list"),
        (".", ".", "word"),
        ("+", "+", "word"),
        ("roll!", None, None),
    ],
)
def test_a_line_with_one_unclear_piece_means_nothing(text: str, found: str | None, why: str | None) -> None:
    meaning = read_answer(text)
    if found is None:
        assert meaning == [ROLL, Choose("mark", (1,))]
    else:
        assert meaning == Unclear(found, why)  # type: ignore[arg-type]


@pytest.mark.parametrize("code", CODES)
def test_a_language_has_a_word_of_its_own_for_every_command_and_english_ones_mean_the_same(code: str) -> None:
    english, said = IN_A_LANGUAGE.split(", "), language(code, strict=True).say(IN_A_LANGUAGE)
    own = said.split(", ")
    assert len(own) == len(english) == len({without_marks(word).lower() for word in own})
    known = {**HOUSE_WORDS, **WORDS}
    clash = [word for word, meant in own_words(language(code)).items() if known.get(word, known[meant]) != known[meant]]
    assert clash == [], "an English word of another command"
    words = command_words(language(code))
    for word, meant in zip(own, english, strict=True):
        assert word.isalpha(), word
        assert word.lower() not in LISTS, word
        for spelling in (word, word.upper(), normalize("NFD", word)):
            if meant in WORDS:
                assert read_answer(spelling, words=words) == [CommandWord(WORDS[meant])], spelling
            else:
                assert house_words(language(code))[normalize("NFC", spelling).lower()] == meant
    assert {word: words[word] for word in WORDS} == WORDS


@pytest.mark.parametrize("code", CODES)
def test_help_offers_the_words_of_a_language(code: str) -> None:
    tongue = language(code)
    every = told_words(tongue, {**HOUSE_WORDS, **WORDS}, "rb")
    if code == "en":
        assert every == []
        return
    own = tongue.say(IN_A_LANGUAGE).split(", ")
    told = [tongue.say("You can also type {words}.", words=tongue.join(own, "{some} or {last}"))]
    assert every == told, "at a table of the house"
    rolls, banks, *_, agrees, declines = own
    [alone] = told_words(tongue, WORDS, "r")
    said = re.findall(r"\w+", alone)
    assert rolls in said
    assert {banks, agrees, declines}.isdisjoint(said), "in the terminal, in a game that banks nothing"


def test_words_of_a_language_stand_among_dice_and_are_known_without_their_marks() -> None:
    german = command_words(language("de"))
    assert read_answer("1 4 würfeln", words=german) == [Choose("toggle", (1, 4)), CommandWord("roll")]
    assert read_answer("wurfeln zurück", words=german) == [CommandWord("roll"), CommandWord("undo")]
    assert read_answer("würfeln") == Unclear("würfeln", "word")
    assert read_answer("rückwärts", words=german) == Unclear("rückwärts", "word")
