"""What Mexico says at a table: scores in words, also where a record is written or refused, and what the coach says."""

import pytest

from pubdice.checked_record import read_checked
from pubdice.command_line import FaultError
from pubdice.core.game import Keep
from pubdice.games import GAMES
from pubdice.games.mexico import Mexico
from pubdice.games.mexico.rules import MEXICO, MexicoRound, worth
from pubdice.games.mexico.words import MexicoWords
from pubdice.games.threes.rules import MOON, Threes
from pubdice.terminal.reading import sound
from pubdice.text.catalogues import language
from pubdice.text.language import Language
from support.console import Room

ONE_LIFE = "play mexico --seats Ann,Bob --format lives:1 --dice real"
RECORD = """pubdice 1
game: mexico
seats: Ann, Bob
format: lives 3

round 1
Ann: 12 = {mexico}
Bob: 33 = {double}
"""


def test_a_score_is_said_in_words() -> None:
    said = [MexicoWords().score(Language(), Mexico(), score) for score in (MEXICO, 300, 64)]
    assert said == ["Mexico", "double 3", "64"]
    assert MexicoWords().score(language("de"), Mexico(), 300) == "3er-Pasch"


def test_a_record_has_the_score_that_people_would_write() -> None:
    written = [Mexico().write_score(worth(hand)) for hand in ((1, 2), (1, 1), (6, 6), (4, 6))]
    assert written == ["21", "11", "66", "64"]
    room = Room()
    room.run(ONE_LIFE, "12", "33")
    assert room.run("record 1").out.splitlines()[-2:] == ["Ann: 12 k12 = 21", "Bob: 33 k33 = 33"]


@pytest.mark.parametrize(("mexico", "double"), [(21, 33), (1000, 300), ("021", "033")])
def test_a_record_is_read_whichever_way_it_has_the_score(mexico: object, double: object) -> None:
    read_checked(RECORD.format(mexico=mexico, double=double), GAMES, Language())


def test_a_wrong_score_in_a_record_is_answered_in_words() -> None:
    with pytest.raises(FaultError, match=r'Line 7, column 9, "= 12": That turn came to Mexico\.'):
        sound(RECORD.format(mexico=12, double=33), GAMES, Language())


def test_the_moon_of_threes_is_written_as_the_sum_of_its_dice() -> None:
    game = Threes("yes")
    assert [game.write_score(score) for score in (0, 29, MOON)] == ["0", "29", "30"]


def test_of_two_the_coach_weighs_the_chance_to_be_lowest() -> None:
    """Against 61 with one roll left: 18 of 36 rolls are lower, two are 61 again."""
    told = Room().run(ONE_LIFE, "43", "r", "61", "b", "41", "hint", "t").replies
    assert told[-3].splitlines()[1] == "Stop with 41 loses 46.7%: it is lowest with 100.0%, not 50.0%."
    assert told[-2].split("\n")[0] == "Ann has 61. Bob needs more. Chance to be lowest: 50.0%, to tie: 5.6%."


def test_a_tie_is_a_reason_where_neither_is_lower() -> None:
    best, other = {"win": 0.5, "share": 0.0, "mean": 60.0}, {"win": 0.4, "share": 0.1, "mean": 60.0}
    state = Mexico().start(2)
    assert MexicoWords().why(Language(), Mexico(), state, best, other) == "it ties with 10.0%, not 0.0%"
    assert MexicoWords().why(Language(), Mexico(), state, best, best) == ""
    assert MexicoWords().why(Language(), Mexico(), state, {}, {}) == "", "a solver need not know who wins a round"
    assert MexicoWords().chance(Language(), Mexico(), state, {}) == []


def test_of_three_the_facts_name_the_highest_alone() -> None:
    state, facts = Mexico().start(3), {"win": 0.3, "share": 0.05}
    assert MexicoWords().chance(Language(), Mexico(), state, facts) == ["Chance to be highest: 30.0%, to tie: 5.0%."]
    assert MexicoWords().why(Language(), Mexico(), state, facts, {"win": 0.1, "share": 0.0}) == ""


@pytest.mark.parametrize(
    ("scores", "names", "english", "german"),
    [
        ((52, 52), "Ann,Bob,Cid", "Ann and Bob have 52. Cid needs more.", "Ann und Bob haben 52. Cid braucht mehr."),
        ((52, 52), "Ann,,Cid", "You and Ann have 52. Cid needs more.", "Du und Ann habt 52. Cid braucht mehr."),
        ((52,), "Ann,,Cid", "Ann has 52. You need more.", "Ann hat 52. Du brauchst mehr."),
        (
            (1000,), "Ann,,Cid",
            "Ann has Mexico. You can only tie.", "Ann hat Mexico. Mehr als ein Gleichstand geht nicht.",
        ),
        (
            (52, 42, 42), "Ann,Bob,Cid,Dot",
            "Bob and Cid are lowest with 42. Ann is highest with 52.",
            "Bob und Cid haben am wenigsten, je 42. Ann hat am meisten: 52.",
        ),
        (
            (64, 64, 31), ",Bob,Cid,Dot",
            "Cid is lowest with 31. You and Bob are highest with 64.",
            "Cid hat am wenigsten: 31. Du und Bob habt am meisten, je 64.",
        ),
        (
            (42, 42, 52), "Ann,,Cid,Dot",
            "You and Ann are lowest with 42. Cid is highest with 52.",
            "Du und Ann habt am wenigsten, je 42. Cid hat am meisten: 52.",
        ),
    ],
)  # fmt: skip
def test_all_who_share_the_lowest_or_the_highest_score_are_named(
    scores: tuple[int, ...], names: str, english: str, german: str
) -> None:
    state, seats = MexicoRound(len(scores) + 1, scores, 2), tuple(names.split(","))
    for said, told in ((Language(), english), (language("de", strict=True), german)):
        assert " ".join(MexicoWords().to_beat(said, Mexico(), state, seats)) == told


@pytest.mark.parametrize(
    ("seats", "rolls", "english", "german"),
    [
        (2, 1, "The other player has 1 roll.", "Wer jetzt drankommt, hat 1 Wurf."),
        (2, 3, "The other player has up to 3 rolls.", "Wer jetzt drankommt, hat bis zu 3 Würfe."),
        (3, 2, "Everybody else has up to 2 rolls.", "Alle anderen haben bis zu 2 Würfe."),
    ],
)
def test_the_rolls_that_are_left_to_one_other_are_not_everybodys(
    seats: int, rolls: int, english: str, german: str
) -> None:
    before = MexicoRound(seats, (), 3, rolls, (), (4, 6))
    for said, told in ((Language(), english), (language("de", strict=True), german)):
        assert MexicoWords().action_sentences(said, Mexico(), "Ann", before, Keep((4, 6)))[-1] == told
