"""Random bytes, good records with random harm done to them, random answers: nothing but the documented errors."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from malformed.bad_turns import ANN, BOB, DRINKS, FOURTWENTY, MIDNIGHT
from malformed.test_answers import SCENES
from pubdice.checked_record import kit_of
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.games import GAMES
from pubdice.match.notation import parse
from pubdice.match.record import replay
from pubdice.terminal.sentences import explain
from pubdice.text.language import Language
from pubdice.typed import Unclear, read_answer
from support.console import pubdice, unprintable

GOOD = (
    f"{MIDNIGHT}{ANN} = 20\n{BOB}\n",
    f"{MIDNIGHT.replace('rounds 1', 'pot 2 1')}Ann: 666666 k666666 = 0\nBob: 111111 k111111 = 0\nround 2\n{BOB}\n",
    f"{FOURTWENTY}Red: 6541 = 16\nBlue: 6666 = 24\nRed: k65 11 = 13\nBlue: 1111\nRed: k65 54 = 20\n",
    f"{DRINKS}draw Bob\nround 1\nBob: 6554 = 20\nround 2\nCid: 6554 = 20\n",
)
PIECES: tuple[str, ...] = (
    "k",
    "k45",
    "k-",
    "=",
    "= 20",
    "round",
    "round 2",
    "draw",
    "draw Ann",
    "Ann:",
    "Bob:",
    "344512",
    "7",
    ":",
    "#",
)
PIECES += ("\n", "\r", "\x1b[31m", "\0", "²", "１", "\u202e", "game: 420", "format: drinks", "seats: A", "9" * 400)


def _read(text: str) -> None:
    """Read a record as ``pubdice replay`` does; explain what is wrong with it."""
    kit = game = None
    try:
        record = parse(text)
        kit = kit_of(record.header, GAMES)
        match = kit.match(kit.normalize(record.header))
        game = match.game
        for _ in replay(match, record):
            pass
    except (BadNotation, IllegalAction) as error:
        told = explain(Language(), error, kit.words if kit else None, game)
        assert told.strip()
        assert not unprintable(told), told


@given(text=st.text())
def test_random_text_is_refused_and_explained(text: str) -> None:
    _read(text)
    _read("pubdice 1\n" + text)


@given(lines=st.lists(st.sampled_from(PIECES) | st.text(max_size=9), max_size=30))
def test_random_pieces_of_records_are_refused_and_explained(lines: list[str]) -> None:
    _read(" ".join(lines))
    for good in GOOD:
        _read(good.partition("round")[0] + "\nround 1\n" + "\n".join(lines))


def test_the_good_records_are_good(tmp_path: Path) -> None:
    for good in GOOD:
        told = pubdice("replay", "-", typed=good, data=tmp_path)
        assert (told.status, told.err) == (0, "")


@pytest.mark.parametrize("good", GOOD, ids=["rounds", "pot", "race", "drinks"])
@given(data=st.data())
def test_a_good_record_with_harm_done_is_read_or_refused(good: str, data: st.DataObject) -> None:
    text = good
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(at, min(len(text), at + 8)))
        piece = data.draw(st.sampled_from(PIECES) | st.text(max_size=3) | st.just(""))
        text = text[:at] + piece + text[end:]
    _read(text)


@pytest.mark.parametrize("good", GOOD, ids=["rounds", "pot", "race", "drinks"])
def test_a_good_record_cut_anywhere_is_read_or_refused(good: str) -> None:
    for at in range(len(good) + 1):
        _read(good[:at])


@given(raw=st.binary(max_size=200), good=st.sampled_from(GOOD), at=st.integers(0, 100))
def test_random_bytes_on_standard_input_are_told_of_in_one_sentence(raw: bytes, good: str, at: int) -> None:
    for data in (raw, good.encode()[:at] + raw + good.encode()[at:]):
        told = pubdice("replay", "-", typed=data, data=Path("/nowhere"))
        assert told.status in (0, 2, 3)
        assert (told.err == "") == (told.status == 0)
        assert told.err.count("\n") == (told.status != 0)
        assert not unprintable(told.err)


ANSWERS = st.lists(
    st.sampled_from(
        ("r", "b", "u", "s", "t", "l", "d", "?", "k", "x", "-", "+", "1", "4", "6", "7", "k 6 5", "!", "zz")
    )
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=5),
    max_size=8,
).map(" ".join)


@given(text=ANSWERS | st.text())
def test_a_random_answer_is_understood_or_unclear(text: str) -> None:
    intents = read_answer(text)
    assert isinstance(intents, list | Unclear)
    if isinstance(intents, Unclear):
        assert intents.found
        assert intents.found in text


@pytest.mark.parametrize("name", [name for name in SCENES if "real" in name])
@given(lines=st.lists(ANSWERS, max_size=6))
def test_random_answers_never_end_a_table_but_by_leaving(name: str, lines: list[str]) -> None:
    scene = SCENES[name]
    told, log = scene.play(*lines)
    assert (told.status, told.err) == (0, "")
    assert not unprintable(told.out)
    assert log[: len(scene.play()[1])] == scene.play()[1]
