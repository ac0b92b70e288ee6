"""The library's door: every public name on its page, every example run, every mistake one plain sentence."""

import doctest
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import aces
import pubdice
from play import KITS, choices, play, read, seatings
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.library.match_in_play import GameName, MatchInPlay, TypedHouseRules
from pubdice.match.record import advance
from pubdice.match.record import moves as replayed
from support.annexes import of_all_annexes

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/build/library.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "examples/best_of_a_roll.py"


@of_all_annexes
@pytest.mark.parametrize("page", ["library", "laboratory", "environments"])
def test_every_example_of_the_page_does_what_it_says(page: str) -> None:
    assert doctest.testfile(str(ROOT / f"docs/build/{page}.md"), module_relative=False).failed == 0


def test_every_public_name_is_on_the_page_and_every_name_on_the_page_is_public() -> None:
    shown = set(re.findall(r"`(?:pubdice\.)?(\w+)", PAGE)) | set(re.findall(r"pubdice\.(\w+)", PAGE))
    assert set(pubdice.__all__) - shown == set()
    assert set(re.findall(r"pubdice\.(\w+)", PAGE)) - {"core"} <= set(pubdice.__all__)


@of_all_annexes
def test_every_name_of_the_door_is_there_and_listed_once() -> None:
    assert dir(pubdice) == sorted(pubdice.__all__) == pubdice.__all__
    assert all(getattr(pubdice, name) is not None for name in pubdice.__all__)


def test_a_name_that_is_not_there_says_which_are() -> None:
    with pytest.raises(AttributeError, match=r"has no 'advice_me'.*\"The library\" in the documents.*new_match"):
        pubdice.advice_me  # type: ignore[attr-defined]  # noqa: B018


def test_importing_pubdice_loads_nothing_of_it() -> None:
    code = "import sys; before = set(sys.modules); import pubdice; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['pubdice']"


def test_the_sample_program_runs() -> None:
    """`make types` checks it as strictly as the house itself."""
    told = subprocess.run([sys.executable, EXAMPLE, "344512"], capture_output=True, text=True, check=True).stdout
    assert "2: keep 4 (0.429)" in told
    wrong = subprocess.run([sys.executable, EXAMPLE, "7"], capture_output=True, text=True, check=False)
    assert (wrong.returncode, wrong.stderr) == (1, '"7": Dice show 1 to 6.\n')


FELL = st.lists(st.integers(1, 6), max_size=6)


@given(free=FELL, locked=FELL)
def test_a_picture_shows_every_die_and_names_it_in_words(free: list[int], locked: list[int]) -> None:
    shown = pubdice.picture(*free, locked=locked)
    lies = [*(["Locked:", *sorted(locked)] if locked else []), *(["Dice:", *free] if free else [])]
    told = str(shown).replace(".", "")
    assert told == (" ".join(map(str, lies)) or "No dice on the table")
    assert f"<title>{shown}</title>" in shown.svg()
    assert shown.svg().count("<rect ") == len(free) + len(locked)
    assert shown.svg().count("<circle ") == sum(free) + sum(locked)


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
@given(data=st.data())
def test_every_state_of_every_game_comes_back_from_its_position(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    live = play(case, seats, data.draw(choices()))
    state, done = live.table.match.start(), replayed(read(live.text())[1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, kit.name, kit)
        for number in range(len(done) + 1):
            match = MatchInPlay(kit, live.header, live.table.match, state, tuple(done[:number]))
            back = pubdice.read_position(match.position)
            assert (back, back.state) == (match, state)
            assert "\n" not in match.position
            if number < len(done):
                state = advance(live.table.match, state, done[number])


START = pubdice.new_match("midnight", ["Ann", "Bob"], format="rounds 1")
*OTHERS, LAST = GAMES
NO_GAME = f"There's no game of that name. Choose {', '.join(OTHERS)} or {LAST}."
MISTAKES: dict[str, Callable[[], Any]] = {
    "Enter 6 dice, not 3.": lambda: START.roll(1, 2, 3),
    '"1 2 3 4 5 7": Dice show 1 to 6.': lambda: START.roll(1, 2, 3, 4, 5, 7),
    '"1.5": Dice show 1 to 6.': lambda: START.roll(1.5),  # type: ignore[arg-type]
    '"six": Dice show 1 to 6.': lambda: START.roll("six"),
    "You can't keep anything yet. Roll first.": lambda: START.keep(1),
    "You can't roll now.": lambda: START.roll("123456").roll("123456"),
    "6 is not among the dice just rolled: 1 2 3 4 4 5.": lambda: START.roll("344512").keep(6),
    '"3": An action of this game is written like k1.': lambda: START.roll("344512").play(3),  # type: ignore[arg-type]
    "It's Ann's turn next.": lambda: START.roll("344512", by="Bob"),
    '"Zoe": No player here has that name. At the table: Ann and Bob.': lambda: START.roll("344512", by="Zoe"),
    f'"chess": {NO_GAME}': lambda: pubdice.new_match("chess"),
    'Midnight has no house rule called "neeed". Choose need or follow.': lambda: pubdice.new_match(
        "midnight", neeed="2 4"
    ),
    'Midnight has no house rule called "seets". Choose need or follow.': lambda: pubdice.new_match("midnight", seets=3),  # type: ignore[call-overload]
    '420 has no house rule called "need". It has none.': lambda: pubdice.new_match("420", need="2 4"),
    '"best": There\'s no bot of that name. Choose tip, lucky, steady, cautious, bold or perfect.': lambda: pubdice.bot(
        "best"
    ),
    '"None": Dice show 1 to 6.': lambda: START.roll(None),  # type: ignore[arg-type]
    '"/nope": Couldn\'t read that: No such file or directory.': lambda: pubdice.read_record(Path("/nope")),
    '"3 3": "need" can be 1 4, 2 4 or two different faces.': lambda: pubdice.new_match("midnight", need="3 3"),
    '"Ann": Two players have the same name.': lambda: pubdice.new_match("midnight", ["Ann", "Ann"]),
    "There is nothing to choose now. Ann: Roll 6 dice.": lambda: pubdice.advise(START),
    "Draw Player 1 first.": lambda: pubdice.new_match("420", ["A", "B", "C"]).roll(1, 2, 3, 4),
    f'"hello": {NO_GAME}': lambda: pubdice.read_position("hello"),
    'Line 1, column 1, "hello": A record starts with the line "pubdice 1".': lambda: pubdice.read_record("hello"),
    "420 is solved for 6 seats at most.": lambda: pubdice.odds(pubdice.new_match("420", list("ABCDEFG"))),
    "A name is missing.": lambda: pubdice.new_match("midnight", seats=[""]),
    'A name is missing. Put commas between names: "Ann, Bob".': lambda: pubdice.new_match("midnight", seats=""),
    '"A,B": A name has letters, digits or emoji, with spaces or - \' . _ & + / between them.': lambda: (
        pubdice.new_match("midnight", seats=["A,B", "C"])
    ),
    '"1.5": Give the players\' names, or their number.': lambda: pubdice.new_match("midnight", seats=1.5),  # type: ignore[call-overload]
    '"True": Give the players\' names, or their number.': lambda: pubdice.new_match("midnight", seats=True),
    '"21": This game is for 1 to 20 players.': lambda: pubdice.new_match("midnight", seats=21),
    '"3": Give a match in play, or the name of a game.': lambda: pubdice.odds(3),  # type: ignore[arg-type]
    '"Eve": No player here has that name. At the table: Ann and Bob.': lambda: pubdice.odds(START)["Eve"],
    '"clever": There\'s no bot of that name. Choose tip, lucky, steady, cautious, bold or perfect.': lambda: (
        pubdice.play_out(START, "clever", pubdice.cup("stout"))
    ),
    "No bot plays for Bob. Give one for every player, or one for all.": lambda: pubdice.play_out(START, {"Ann": "tip"}),
    '"Cid": No player here has that name. At the table: Ann and Bob.': lambda: pubdice.play_out(
        START, {"Ann": "tip", "Bob": "tip", "Cid": "tip"}
    ),
    '"None": Give a cup of dice: pubdice.cup().': lambda: START.throw(None),  # type: ignore[arg-type]
    '"7": Give a cup of dice: pubdice.cup().': lambda: pubdice.play_out(START, "tip", 7),  # type: ignore[arg-type]
    '"5": Give a record as text, or the path of its file.': lambda: pubdice.read_record(5),  # type: ignore[arg-type]
    '"5": Give a position as text, as MatchInPlay.position writes it.': lambda: pubdice.read_position(5),  # type: ignore[arg-type]
    '"4": A player is a bot, its name, or a function from a match to an action.': lambda: pubdice.play_out(START, 4),  # type: ignore[arg-type]
    '"7": No player here has that name. At the table: Ann and Bob.': lambda: START.roll("344512", by=7),  # type: ignore[arg-type]
    'The header says "need" twice.': lambda: pubdice.read_position("midnight; need 1 4; need 2 4 |"),
    'The header says "game" twice.': lambda: pubdice.read_position("midnight; game 420 |"),
}


@pytest.mark.parametrize("sentence", MISTAKES)
def test_a_mistake_is_one_plain_sentence(sentence: str) -> None:
    with pytest.raises(pubdice.Failure) as caught:
        MISTAKES[sentence]()
    assert str(caught.value).replace("\u2068", "").replace("\u2069", "") == sentence


@pytest.mark.parametrize("game", [name for name, kit in GAMES.items() if kit.solver is not None])
def test_a_whole_match_is_played_advised_and_reviewed(game: str) -> None:
    cup, match = pubdice.cup("stout"), pubdice.new_match(game)
    while not match.over:
        match = match.throw(cup) if match.to_roll or match.to_draw else match.play(pubdice.advise(match).best.action)
    assert match.winners
    found = pubdice.review(match)
    assert found.worst is None
    assert sum(pubdice.odds(match).values.values()) == pytest.approx(sum(split.result for split in found.splits))
    assert pubdice.read_record(match.record) == match == pubdice.read_position(match.position)
    assert hash(match) == hash(pubdice.read_record(match.record))
    assert "svg" in match._repr_svg_()


VALUES = [START, START.dice, pubdice.bot("tip"), pubdice.odds("420"), pubdice.advise(START.roll("344512"))]


@pytest.mark.parametrize("name", ["turn", "names", "no_field_at_all"])
@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_is_frozen_and_says_so(value: object, name: str) -> None:
    with pytest.raises(FrozenInstanceError, match=rf"^{type(value).__name__}\.{name} can't be set\."):
        setattr(value, name, "Bob")
    with pytest.raises(FrozenInstanceError, match="can't be set"):
        delattr(value, name)


def test_the_types_name_every_game_and_house_rule() -> None:
    """A checker finds ``seets=3``, and an editor completes the names. A new game adds its own here."""
    assert get_args(GameName) == tuple(GAMES)
    rules = {option.key: option.choices for kit in GAMES.values() for option in kit.options}
    typed = get_type_hints(TypedHouseRules)
    assert typed.keys() == rules.keys()
    assert {key: get_args(kind) for key, kind in typed.items() if get_origin(kind) is Literal} == {
        key: choices for key, choices in rules.items() if not any(" " in choice for choice in choices)
    }


def test_a_match_is_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Mock(wraps=GAMES["threes"].solver)
    monkeypatch.setitem(GAMES, "threes", replace(GAMES["threes"], solver=solver))
    for dice in ("11234", "66666"):
        pubdice.advise(pubdice.new_match("threes", 2, format="rounds 13").roll(dice))
    assert solver.call_count == 1, "the cache of library._coach"


def test_arguments_may_be_what_a_programmer_has(tmp_path: Path) -> None:
    match = pubdice.new_match("midnight", seats=2, need=(2, 4), format="rounds 1").roll("344512")
    assert match == pubdice.new_match("midnight", seats="Ann, Bob", need="2 4", format="rounds 1").roll("344512")
    best = pubdice.advise(match).best
    assert match.play(best) == match.play(best.action)
    file = tmp_path / "match.txt"
    file.write_text(match.record, encoding="utf-8")
    assert pubdice.read_record(file) == match
    values = pubdice.odds("420")
    assert values["red"] == values.to_dict()["values"]["Red"]
    assert json.loads(json.dumps(pubdice.advise(match).to_dict()))["ranked"][0]["action"] == best.action
    assert best.to_dict()["verdict"] == "best"
    assert match.play(pubdice.Keep.of(4)) == match.play("k4")


def test_a_file_that_is_no_text_is_told_as_in_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(pubdice.BadNotation) as caught:
        pubdice.read_record(file)
    assert caught.value.code == "file-text"
    assert str(caught.value).endswith(": That is no text in UTF-8: byte 1 is wrong.")


def test_dice_of_other_faces_are_kept_by_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "aces", aces.KIT)
    rolled = pubdice.new_match("aces").roll("K Q 9")
    assert rolled.keep("K") == rolled.keep(5) == rolled.play("kk")


@pytest.mark.parametrize("game", ["threes", "midnight"])
def test_a_review_is_plain_data_too_with_values_as_the_game_counts_them(game: str) -> None:
    played = pubdice.play_out(pubdice.new_match(game, seats=["Ann"], format="rounds 1"), "lucky", pubdice.cup("stout"))
    found = pubdice.review(played)
    told = json.loads(json.dumps(found.to_dict()))
    assert told["seats"]["Ann"]["result"] == found.splits[0].result >= 0
    assert {each["seat"] for each in told["decisions"]} == {"Ann"}
    kept = [each["kept"] for each in told["decisions"]]
    assert kept == [f"k{''.join(map(str, each.chosen.action.dice))}" for each in found.decisions]
    assert told["worst"]["lost"] == max(each["lost"] for each in told["decisions"])


def test_the_seed_0_is_a_seed_and_numbers_of_numpy_are_numbers() -> None:
    three: Any = np.int64(3)
    match = pubdice.new_match("midnight", three)
    assert len(match.names) == three
    named: Any = np.array(["Kim", "Lee"])
    assert pubdice.new_match("midnight", named).names == ("Kim", "Lee")
    first, second = (pubdice.play_out(match, pubdice.bot("lucky", 0), pubdice.cup(0)) for _ in range(2))
    assert first == second != pubdice.play_out(match, pubdice.bot("lucky", 1), pubdice.cup(1))


@pytest.mark.parametrize("game", GAMES)
def test_every_bot_of_every_game_plays_a_match_to_its_end_and_the_same_one_again(game: str) -> None:
    start = pubdice.new_match(game)
    for name in GAMES[game].bots:
        first, second = (pubdice.play_out(start, pubdice.bot(name, "ale"), pubdice.cup("stout")) for _ in range(2))
        assert first.over
        assert first == second
    one, *others = start.names
    mixed = pubdice.play_out(start, {one: lambda match: match.legal[0], **dict.fromkeys(others, "tip")})
    assert mixed.over


@pytest.mark.parametrize("game", ["threes", "midnight"])
def test_a_review_of_who_plays_alone_counts_as_the_game_does(game: str) -> None:
    """Where the lowest score wins, too: a solver's own values are negative there."""
    start = match = pubdice.new_match(game, seats=["Ann"], format="rounds 1")
    cup, advised = pubdice.cup("stout"), list[pubdice.Choices]()
    while not match.over:
        if match.to_roll:
            match = match.throw(cup)
            continue
        advised += [pubdice.advise(match)] * (len(match.legal) > 1)
        match = match.play(pubdice.advise(match).ranked[-1].action)
    found, last = pubdice.review(match), match.state.last
    (ann,) = found.splits
    assert last is not None
    assert ann.result == last.scores[0]
    assert ann.expectation == pytest.approx(pubdice.odds(start).values["Ann"])
    assert ann.expectation + ann.luck + ann.skill + ann.given == pytest.approx(ann.result)
    assert found.worst in found.decisions
    assert [(each.best.value, each.chosen.value) for each in found.decisions] == [
        (choices.best.value, choices.ranked[-1].value) for choices in advised
    ]


BACK = """pubdice 1
game: midnight
need: 1 4
seats: Ann, Bob
format: rounds 5
opener: rotate
first: Ann

round 1
Ann: 344512 k4 63261
back Ann
Ann: k44 6326 k6 135
"""


def test_a_record_with_a_choice_taken_back_is_written_as_it_was_and_goes_on() -> None:
    match = pubdice.read_record(BACK)
    assert match.record == BACK
    further = match.play("k135")
    assert further.record == BACK.replace("135\n", "135 k135 = 18\n")
    assert pubdice.read_record(further.record).record == further.record
    assert "back" not in further.position
