"""The table as it is drawn: no line wider than the terminal, no more rows than there are, and dice with their pips."""

import io
import re
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from aces import POKER
from play import meeting
from pubdice.games import GAMES
from pubdice.match.table import Die, TableState
from pubdice.terminal.board import LARGE, LEAST, PIP, ROOM, SMALL, TINY, Board, cut, drawn_die, padded
from pubdice.terminal.saved_games import load
from pubdice.terminal.speaker import Speaker
from pubdice.terminal.standard_streams import READERS, can_draw
from pubdice.text.catalogues import CODES, language
from pubdice.text.emoji import cells
from pubdice.text.language import printable
from support.console import Room, dice

SLOTS = re.compile(r"(?:(?:\[\d\]|\(\d\)| [1-6·] ) ?){6}")
"""The six places of a turn: dice won, chosen, and still wanted."""
SIZES = [(40, 16), (60, 20), (80, 24), (120, 40), (200, 60)]


def _boards(game: str, seats: str, code: str, keys: str, seed: int) -> Iterator[tuple[Board, TableState]]:
    """A table at each of its first decisions."""
    room = Room(language=language(code))
    lots = Random(seed)
    words = ["r", *(f"{lots.randint(1, 6)} {lots.choice(['r', 'b', '', ''])}" for _ in range(30))]
    room.run(f"play {game} --seats {seats} --seed {seed} --keys {keys} --pause 0", *words)
    loaded = load(room.store, 1, GAMES)
    table = loaded.live.table
    speaker = Speaker(table, loaded.kit, language(code), "face")
    for step in loaded.steps:
        if step.after.match is not None:
            board = Board(table, loaded.kit, speaker.narrator, keys == "position")
            yield board, step.after.match.state


@pytest.mark.parametrize(("game", "seats", "code"), meeting([*GAMES], ["you,Ann", "Zoë,bot,bot", "4", "9"], CODES))
def test_no_line_is_wider_than_the_terminal_and_there_is_room_for_the_question(
    game: str, seats: str, code: str
) -> None:
    drawn = 0
    for board, state in _boards(game, seats, code, "position", 7):
        for width, height in SIZES:
            lines = board.draw(state, width, height)
            assert len(lines) <= height - ROOM
            assert [line.write() for line in lines if line.width() > width] == []
            drawn += any("╭" in line.write() for line in lines)
    assert drawn > 5


def test_a_roll_off_is_drawn_with_what_each_has_rolled() -> None:
    room = Room(rolls=dice("144666", "144666", "4", "6"))
    kept = ["r", "k 144666", "b"]
    room.run("play midnight --seats Ann,Bob --format rounds:1:rolloff", *kept, *kept, "r", "r")
    loaded = load(room.store, 1, GAMES)
    table = loaded.live.table
    narrator = Speaker(table, loaded.kit, language("en"), "face").narrator
    board = Board(table, loaded.kit, narrator)
    states = [step.after.match.state for step in loaded.steps if step.after.match is not None]
    tied, rolled = (board.draw(state, 80, 40) for state in states if state.match.roll_off and not state.match.over)
    head, *seats = [["".join(text for text, _ in line.pieces) for line in lines[:3]] for lines in (tied, rolled)]
    assert "Midnight · Roll-off" in head[0]
    assert [line.split() for line in head[1:]] == [["▸", "Ann", "·"], ["Bob", "·"]]
    assert [line.split() for line in seats[0][1:]] == [["Ann", "4"], ["▸", "Bob", "·"]]
    assert len(rolled) > 4, "the die that is due"


def test_a_terminal_that_is_too_small_has_nothing_drawn() -> None:
    for board, state in _boards("midnight", "you,Ann", "en", "face", 7):
        assert board.draw(state, LEAST[0] - 1, 40) == []
        assert board.draw(state, 80, LEAST[1] - 1) == []


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("size", [LARGE, SMALL, TINY])
def test_a_die_shows_its_face(face: int, size: int) -> None:
    for status in ("free", "marked", "locked"):
        lines = drawn_die(Die(0, face, status), size, ())
        text = "".join(piece for line in lines for piece, _ in line.pieces)
        assert (text.count(PIP) == face) if size != TINY else (str(face) in text)
        assert {line.width() for line in lines} == {size + 2}
        assert ("┏" in text) is (status == "marked"), "seen without colour too"


@pytest.mark.parametrize("size", [LARGE, SMALL, TINY])
def test_a_die_with_other_faces_shows_the_name_of_its_face(size: int) -> None:
    for face, name in enumerate(POKER.names, 1):
        lines = drawn_die(Die(0, face, "free"), size, (), POKER)
        shown = "".join(piece for line in lines for piece, _ in line.pieces)
        assert name in shown
        assert PIP not in shown
        assert {line.width() for line in lines} == {size + 2}


def test_the_picture_says_what_the_sentences_say() -> None:
    boards = list(_boards("midnight", "you,Ann", "en", "face", 7))
    board, state = boards[1]
    text = "\n".join("".join(piece for piece, _ in line.pieces) for line in board.draw(state, 80, 24))
    assert "Midnight · Round 1 of 5" in text
    assert re.search(r"▸ you", text)
    assert re.search(r"You need +1 +4", text)
    assert text.count(PIP) == 22, "of 2 3 5 1 5 6"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("width", [40, 60, 80])
def test_where_words_have_no_room_the_dice_won_are_drawn_all_the_same(width: int, game: str) -> None:
    for board, state in _boards(game, "you,Ann", "de", "face", 7):
        lines = ["".join(piece for piece, _ in line.pieces) for line in board.draw(state, width, 24)]
        assert all(one or other for one, other in pairwise(lines)), "no two empty lines"
        if game == "midnight" and lines and state.mover is not None:
            assert any(SLOTS.search(line) for line in lines)


def test_names_are_measured_in_columns() -> None:
    assert (cells("Ann"), cells("安安"), cells("Zoe\u0308")) == (3, 4, 3)
    assert cut("安安安", 4) == "安…"
    assert padded("安", 4) == "安  "
    family, heart, flag = "👩\u200d👩\u200d👧", "♥\ufe0f", "🇩🇪"
    assert (cells(family), cells(heart), cells(flag), cells("🎲 Zoë")) == (2, 2, 2, 6)
    assert cut(f"{flag}{family}{heart}", 5) == f"{flag}{family}…", "no emoji is cut in two"
    assert printable(f"{family} {heart}\u200d\x1b") == f"{family} {heart}\ufffd\ufffd"


class _End(io.TextIOWrapper):
    def __init__(self, *, terminal: bool, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("environ", "ends", "plain", "drawn"),
    [
        ({}, (True, True), False, True),
        ({}, (False, True), False, False),
        ({}, (True, False), False, False),
        ({}, (True, True), True, False),
        ({"NO_COLOR": "1"}, (True, True), False, False),
        ({"NO_COLOR": ""}, (True, True), False, True),
        ({"TERM": "dumb"}, (True, True), False, False),
        ({"TERM": ""}, (True, True), False, False),
        *(({name: "1"}, (True, True), False, False) for name in READERS),
        ({"ACCESSIBLE": "0"}, (True, True), False, True),
        ({"BRLTTY_DRIVER": "auto"}, (True, True), False, False),
    ],
)
def test_pictures_are_for_terminals_that_are_looked_at(
    environ: dict[str, str], ends: tuple[bool, bool], plain: bool, drawn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", _End(terminal=ends[0]))
    monkeypatch.setattr("sys.stdout", _End(terminal=ends[1]))
    assert can_draw({"TERM": "xterm", **environ}, plain=plain) is drawn


def test_a_terminal_without_unicode_has_nothing_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", _End(terminal=True))
    monkeypatch.setattr("sys.stdout", _End(terminal=True, encoding="ascii"))
    assert not can_draw({"TERM": "xterm"})
