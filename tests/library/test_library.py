"""The library's door: every public name on its page, every example run, every mistake one plain sentence."""

import doctest
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pubdice
from play import KITS, choices, play, seatings
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.library import MatchInPlay
from pubdice.match.record import advance
from pubdice.match.table import moves

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/library.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "examples/best_of_a_roll.py"


def test_every_example_of_the_page_does_what_it_says() -> None:
    assert doctest.testfile(str(ROOT / "docs/library.md"), module_relative=False).failed == 0


def test_every_public_name_is_on_the_page_and_every_name_on_the_page_is_public() -> None:
    shown = set(re.findall(r"`(?:pubdice\.)?(\w+)", PAGE)) | set(re.findall(r"pubdice\.(\w+)", PAGE))
    assert set(pubdice.__all__) - shown == set()
    assert set(re.findall(r"pubdice\.(\w+)", PAGE)) - {"core"} <= set(pubdice.__all__)


def test_every_name_of_the_door_is_there_and_listed_once() -> None:
    assert dir(pubdice) == sorted(pubdice.__all__) == pubdice.__all__
    assert all(getattr(pubdice, name) is not None for name in pubdice.__all__)


def test_a_name_that_is_not_there_says_which_are() -> None:
    with pytest.raises(AttributeError, match=r"has no 'advice_me'.*docs/library\.md.*new_match"):
        pubdice.advice_me  # type: ignore[attr-defined]  # noqa: B018


def test_importing_pubdice_loads_nothing_of_it() -> None:
    code = "import sys; before = set(sys.modules); import pubdice; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['pubdice']"


def test_the_sample_program_passes_a_strict_check_and_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--config-file=", str(EXAMPLE)],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
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
    state, done = live.table.match.start(), moves(live.events)
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
    '"1.5": Dice show 1 to 6.': lambda: START.roll(1.5),
    '"six": Dice show 1 to 6.': lambda: START.roll("six"),
    "You can't keep anything yet. Roll first.": lambda: START.keep(1),
    "You can't roll now.": lambda: START.roll("123456").roll("123456"),
    "6 is not among the dice just rolled: 1 2 3 4 4 5.": lambda: START.roll("344512").keep(6),
    '"3": An action of this game is written like k1.': lambda: START.roll("344512").play(3),
    "It's Ann's turn next.": lambda: START.roll("344512", by="Bob"),
    '"Zoe": Nobody here has that name. At the table: Ann and Bob.': lambda: START.roll("344512", by="Zoe"),
    f'"chess": {NO_GAME}': lambda: pubdice.new_match("chess"),
    'Midnight has no house rule called "neeed".': lambda: pubdice.new_match("midnight", neeed="2 4"),
    '"3 3": "need" can be 1 4 or 2 4.': lambda: pubdice.new_match("midnight", need="3 3"),
    '"Ann": Two players have the same name.': lambda: pubdice.new_match("midnight", ["Ann", "Ann"]),
    "There is nothing to choose now. Ann: Roll 6 dice.": lambda: pubdice.advise(START),
    "Draw Player 1 first.": lambda: pubdice.new_match("420", ["A", "B", "C"]).roll(1, 2, 3, 4),
    f'"hello": {NO_GAME}': lambda: pubdice.read_position("hello"),
    'Line 1, column 1, "hello": A record starts with the line "pubdice 1".': lambda: pubdice.read_record("hello"),
    "420 is solved for 6 seats at most.": lambda: pubdice.odds(pubdice.new_match("420", list("ABCDEFG"))),
    "A name is missing.": lambda: pubdice.new_match("midnight", seats=[""]),
    'A name is missing. Put commas between names: "Ann, Bob".': lambda: pubdice.new_match("midnight", seats=""),
    '"A,B": Use letters and digits for a name, with spaces or - \' . _ & between them.': lambda: pubdice.new_match(
        "midnight", seats=["A,B", "C"]
    ),
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
