"""Dice with other faces than 1 to 6, from the cup to the record: poker dice, and dice of any number of sides."""

import itertools
import re
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import pytest

from aces import KIT as ACES
from aces import POKER
from pubdice.checked_record import read_checked
from pubdice.core.cup import SeededCup, fair_roll
from pubdice.core.dice import FACES, SIX, DieFaces, Hand, described, hands, numbered, rolls
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.game import MoveGame, uniform
from pubdice.core.seal import SealedCup, bound_by_header
from pubdice.kit import Kit
from pubdice.library.picture import Picture
from pubdice.match.header import RawHeader
from pubdice.match.match import MatchState
from pubdice.match.record import Played, Rolled, write
from pubdice.match.table import RollOrBank, Table, moves, read_event, write_event
from pubdice.text.catalogues import language
from pubdice.text.move_words import MoveWords
from pubdice.typed import Choose, CommandWord, Unclear, read_answer


@dataclass(frozen=True, slots=True)
class HighRound:
    """A round under way: the scores so far, and the die that lies there."""

    seats: int
    scores: tuple[int, ...] = ()
    dice: Hand = ()
    again: bool = False


@dataclass(frozen=True, slots=True)
class High(MoveGame[HighRound]):
    """One die of twenty faces, rolled again once if one likes; the highest wins."""

    faces: ClassVar[DieFaces] = numbered(20)
    moves: ClassVar[tuple[str, ...]] = ("again", "stay")

    def begin(self, seats: int) -> HighRound:
        return HighRound(seats)

    def legal(self, state: HighRound) -> tuple[str, ...]:
        return self.moves if state.dice else ()

    def after_roll(self, state: HighRound, dice: Hand) -> HighRound:
        if state.again:
            return HighRound(state.seats, (*state.scores, *dice))
        return HighRound(state.seats, state.scores, dice)

    def after_move(self, state: HighRound, move: str) -> HighRound:
        if move == "again":
            return HighRound(state.seats, state.scores, again=True)
        return HighRound(state.seats, (*state.scores, *state.dice))


HIGH = Kit(
    name="high",
    build=lambda options: High(),
    words=MoveWords("High", "one die of twenty faces"),
    policies={"tip": uniform},
    rules=lambda code: "The highest die wins.",
)


@pytest.mark.parametrize("sides", [2, 4, 6, 8, 10, 20, 100])
def test_every_face_of_a_cup_is_equally_likely(sides: int) -> None:
    found = Counter(fair_roll(itertools.cycle(range(256)), 256 // sides * sides, sides))
    assert found == dict.fromkeys(range(1, sides + 1), 256 // sides)
    assert sum(ways for _, ways in rolls(2, sides)) == sides**2
    assert len(hands(2, sides)) == sides * (sides + 1) // 2


def test_the_usual_die_rolls_as_it_always_did() -> None:
    assert SeededCup("seed").roll(20, 3) == SeededCup("seed").roll(20, 3, 6)
    assert SIX.names == tuple(map(str, FACES))
    assert numbered(6) == SIX
    assert numbered(6).write((6, 1)) == "61"


@pytest.mark.parametrize(
    "names", [("9",), ("9", "9"), ("j", "q"), ("J", "Q K"), ("1", "ABC"), tuple(map(str, range(101))), ("", "A")]
)
def test_faces_need_names_that_can_be_written(names: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="face"):
        DieFaces(names)


def test_faces_are_described_and_read_back() -> None:
    for die in (POKER, numbered(20), numbered(4), SIX):
        found = described(die.describe())
        assert found is not None
        assert found.names == die.names
    for text in ("", "0", "1", "101", "9 9", "a b", "9  10"):
        assert described(text) is None


def test_a_roll_of_a_face_that_the_die_lacks_is_refused() -> None:
    game = High()
    assert game.roll(game.start(2), (20,)).dice == (20,)
    for face in (0, 21):
        with pytest.raises(IllegalAction, match="other-faces"):
            game.roll(game.start(2), (face,))


@pytest.mark.parametrize("kit", [ACES, HIGH], ids=lambda kit: kit.name)
@pytest.mark.parametrize("seed", range(5))
def test_a_match_is_logged_and_recorded_by_the_names_of_its_faces(kit: Kit, seed: int) -> None:
    """Real dice play the same match from the log, and the record tells the same moves."""
    header = kit.normalize(RawHeader({"game": kit.name, "seats": "Ann, Bob", "format": "rounds 2"}))
    table = Table(kit.match(header), header.names)
    state, lines, cup = table.start(), [], SeededCup(f"{seed}")
    while not state.match.over:
        if table.match.to_roll(state.match):
            steps = table.steps(state, RollOrBank("roll"), cup)
        else:
            played = Played(state.legal[seed % len(state.legal)])
            steps = [(played, table.apply(state, played))]
        lines += [write_event(table, event) for event, _ in steps]
        state = steps[-1][1]
    events = [read_event(table, line) for line in lines]
    assert [write_event(table, event) for event in events] == lines
    text = write(header, table.match, moves(events))
    checked = read_checked(text, {kit.name: kit}, language("en"))
    assert checked.is_over
    assert [step.move for step in checked.steps] == moves(events)
    assert f"faces: {kit.usual_game.faces.describe()}\n" in text
    with pytest.raises(BadNotation):
        read_checked(re.sub("faces: .*\n", "", text), {kit.name: kit}, language("en"))
    with pytest.raises(BadNotation):
        read_checked(text.replace("faces: ", "faces: Z "), {kit.name: kit}, language("en"))


def test_a_line_names_faces_in_capitals_and_commands_in_small_letters() -> None:
    assert read_answer("K K r", POKER) == [Choose("toggle", (5, 5)), CommandWord("roll")]
    assert read_answer("k 10 K", POKER) == [Choose("keep", (2, 5))]
    assert read_answer("k10.K", POKER) == [Choose("keep", (2, 5))]
    assert read_answer("x A", POKER) == [Choose("reroll", (6,))]
    assert read_answer("q", POKER) == [CommandWord("quit")]
    assert read_answer("Q", POKER) == [Choose("toggle", (4,))]
    assert read_answer("k -", POKER) == [Choose("keep", ())]
    assert read_answer("17 4", numbered(20)) == [Choose("toggle", (17, 4))]
    assert read_answer("21", numbered(20)) == Unclear("21", "digit")


def test_a_picture_has_the_names_on_the_dice() -> None:
    svg = Picture((5, 2), (), POKER).svg()
    assert re.findall(">([0-9A-Z]+)</text>", svg) == ["K", "10"]
    assert "<title>Dice: K 10.</title>" in svg


def test_sealed_dice_of_other_faces_follow_from_the_seeds() -> None:
    cup = SealedCup("ab" * 32, bound_by_header("header"), 1)
    assert cup.roll(8, 0) == cup.roll(8, 0, 6)
    fallen = cup.roll(200, 0, 20)
    assert set(fallen) <= set(range(1, 21))
    assert len(set(fallen)) > 15


def test_a_position_is_told_by_the_words_of_the_die() -> None:
    match = ACES.match(ACES.normalize(RawHeader({"game": "aces", "seats": "Ann, Bob"})))
    state: MatchState[object] = match.roll(match.start(), (5, 5, 6))
    said = ACES.words.dice(language("en"), match.game, (5, 5, 6))  # type: ignore[attr-defined]
    assert said == "2 kings, an ace"
    assert match.game.write_action(match.legal(state)[-1]) == "kk.k.a"
    assert Rolled((5, 5, 6)).dice == (5, 5, 6)
