"""Games that are spoilt in eleven ways. For each, the check says the law, what it looked at, and an example."""

import os
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from pubdice_workshop.check import Checker, check
from pubdice_workshop.new_game import new_game
from support.strangers import write_ends

TAKES = '''\
    def takes(self, move: str) -> tuple[int, ...]:
        """Tiles that do not lie there."""
        return (2, 6)

    def write_action(self, action: str) -> str:
        """A move in capitals."""
        return action.upper()

    def read_action(self, text: str) -> str:
        """A move in any letters."""
        return super(Ladder, self).read_action(text.lower())

    def begin('''
WORTH = '''\
        return sum(hand)

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        """The last keep comes twice."""
        return (*super(HeapRules, self).legal(state), *super(HeapRules, self).legal(state)[-1:])

    def play(self, state: RoundState, action: Keep) -> RoundState:
        """Nothing is refused."""
        legal = self.legal(state)
        return super(HeapRules, self).play(state, action if action in legal or not legal else legal[-1])
'''
RAISES = """\
        assert hand != (2, 2, 2), "no two twos"
        return {(1, 1, 1): 3}[hand] if hand[0] == 1 else sum(hand)
"""
TOTAL = '''

    def total(self, game: HeapRules, dice: tuple[int, ...]) -> int:
        """One more than the dice."""
        return sum(dice) + 1
'''
Spoilt = tuple[str, str, str, str, tuple[str, ...]]
"""The file, the text, what stands there now, the law that finds it, and parts of what it says."""
ENDS: tuple[Spoilt, ...] = (
    (
        "rules.py",
        "    def begin(",
        TAKES,
        "laws/test_move_laws.py::test_tiles_that_are_tapped_mean_one_move_and_every_move_can_be_tapped",
        ("It wants: taken <= {tile.number for tile", "state: Match(seats=", "Found: {2, 6} <= set()", "Draw 1: (ends-"),
    ),
    (
        "words.py",
        '{"low": "o"',
        '{"low": "d"',
        "laws/test_move_laws.py::test_every_legal_move_has_one_label_one_notation_and_one_letter",
        ("these letters ask something at every table: d ", "state: Match(seats=", "Found: "),
    ),
    (
        "words.py",
        '("{name} stopped on {low}."',
        '("{name} stops on {low}."',
        "laws/test_words_laws.py::test_events_are_told_in_the_past_and_fit_a_name_and_you",
        ("Ann stops on ",),
    ),
    (
        "rules.py",
        "begin(",
        "begin(",
        "laws/test_rules_laws.py::test_an_action_written_and_read_is_the_same_and_no_two_are_written_alike",
        ("It wants: all((text[0].islower()", "The first that breaks it: text = 'LOW'", "state: Match(seats="),
    ),
)
HEAP: tuple[Spoilt, ...] = (
    (
        "rules.py",
        "        return sum(hand)\n",
        WORTH,
        "laws/test_rules_laws.py::test_legal_actions_are_distinct_and_each_can_be_played",
        ("It wants: len(set(legal)) == len(legal)", "state: RoundState(seats=", "Found: "),
    ),
    (
        "rules.py",
        "is refused",
        "is refused",
        "laws/test_rules_laws.py::test_an_action_that_is_not_legal_is_refused_and_nothing_changes",
        ("It was done, though it is wrong: IllegalAction was due.", "action: k", "state: RoundState(seats="),
    ),
    (
        "RULES.md",
        "# Heap",
        "Heap",
        "one_game/test_one_game.py::test_its_rules_are_told_alike_in_every_language",
        ("the page of rules begins with the game's name", "english: 'Heap"),
    ),
    (
        "__init__.py",
        '{"tip": tip, "lucky": uniform}',
        '{"lucky": uniform, "tip": tip}',
        "one_game/test_one_game.py::test_its_kit_can_be_played",
        ("the bots tip and lucky come first", "Found: ['lucky', 'tip'] == ['tip', 'lucky']"),
    ),
    (
        "words.py",
        'score high"\n',
        f'score high"\n{TOTAL[1:]}',
        "laws/test_spoken_laws.py::test_no_sentence_contradicts_the_rules",
        ("Position(game=HeapRules(), state=RoundState(seats=",),
    ),
)
RAISING: tuple[Spoilt, ...] = (
    (
        "rules.py",
        "        return sum(hand)\n",
        RAISES,
        "laws/test_rules_laws.py::test_the_chances_of_every_roll_sum_to_one_and_every_roll_can_fall",
        ("The game raised, in rules.py, line 22: KeyError: (1, ", "state: RoundState(seats=", "game: HeapRules()"),
    ),
    (
        "rules.py",
        "        return {(1",
        "        return {(1",
        "laws/test_scores_laws.py::test_a_score_is_said_in_the_games_own_word",
        ("A claim of rules.py, line 21 is false: hand != (2, 2, 2)", "RoundState(seats="),
    ),
)


def _heap(folder: Path) -> Path:
    new_game("heap", folder / "heap")
    return folder / "heap/src/pubdice_heap"


@pytest.mark.parametrize(
    ("write", "spoilt"),
    [
        pytest.param(write_ends, ENDS, marks=pytest.mark.nightly, id="ends"),
        pytest.param(_heap, HEAP, id="heap"),
        pytest.param(_heap, RAISING, id="raising"),
    ],
)
def test_each_fault_is_a_law_a_place_and_an_example(
    write: Callable[[Path], Path], spoilt: tuple[Spoilt, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package, found = write(tmp_path), StringIO()
    for file, was, now, _, _ in spoilt:
        text = (package / file).read_text("utf-8")
        assert was in text
        (package / file).write_text(text.replace(was, now, 1), "utf-8")
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    monkeypatch.setattr(Checker, "_tool", lambda *words: None)
    laws = tuple(law for _, _, _, law, _ in spoilt)
    assert check(str(package.parents[1]), found, 600, laws) == 1
    told = found.getvalue()
    assert "AssertionError" not in told
    assert "assert " not in told.replace('assert hand != (2, 2, 2), "no two twos"', ""), told
    for *_, law, parts in spoilt:
        name = law.partition("::test_")[2].replace("_", " ").capitalize()
        said = told.partition(f"- {name} [")[2].partition("\n- ")[0]
        assert "It looked at: " in said, (name, told)
        for part in parts:
            assert part in said, (name, part, told)
