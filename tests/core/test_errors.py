"""The five families of failures: one base, one name for the code, and one place for what a command ends with."""

import pickle
import subprocess
from pathlib import Path

import pytest

from pubdice.core.errors import BadNotation, Failure, IllegalAction, NotStored, Place, Refused, Unsolved
from pubdice.failures import UNSOLVED, exit_status, explain
from pubdice.games import GAMES
from pubdice.text.catalogues import language
from pubdice.text.language import Language

SOURCE = Path(__file__).parents[2] / "src/pubdice"
FAMILIES = (BadNotation, IllegalAction, Refused, NotStored, Unsolved)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_failure_has_a_code_and_its_facts_and_is_caught_as_one(family: type[Failure]) -> None:
    with pytest.raises(Failure) as caught:
        raise family("some-code", number=3)
    assert (caught.value.code, caught.value.facts) == ("some-code", {"number": 3})
    assert str(caught.value) == "some-code {'number': 3}"


def test_no_family_is_part_of_another() -> None:
    assert all(not issubclass(one, other) for one in FAMILIES for other in FAMILIES if one is not other)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_failure_comes_back_whole_from_another_process(family: type[Failure]) -> None:
    back = pickle.loads(pickle.dumps(family("some-code", number=3)))
    assert (type(back), back.code, back.facts) == (family, "some-code", {"number": 3})


def test_a_failure_is_its_sentence_once_somebody_has_looked_it_up() -> None:
    error = BadNotation("face", Place(4, 6, "7"))
    error.sentence = explain(Language(), error)
    assert str(error) == 'Line 4, column 6, "7": Dice show 1 to 6.'


def test_a_match_that_is_not_solved_says_why() -> None:
    error = Unsolved("too-many-seats", title="420", seats=9, most=6)
    assert explain(Language(), error) == "420 is solved for 6 seats at most."


def test_a_match_that_is_too_large_says_by_how_much_in_every_language() -> None:
    error = Unsolved("too-many-positions", count=600015, most=600000)
    said = "This match is not solved: it has 600,015 positions or more, and the limit is 600,000."
    assert explain(Language(), error) == said
    assert "600.015 Stellungen" in explain(language("de"), error)
    for code in UNSOLVED:
        failure = Unsolved(code, title="420", seats=9, most=6, count=7, moves=9, steps=8)
        assert explain(language("de", strict=True), failure) != explain(Language(), failure)


def test_a_solver_does_not_know_what_a_game_is_called_but_its_words_do() -> None:
    error = Unsolved("too-many-seats", title="Ship", seats=9, most=6)
    said = explain(Language(), error, GAMES["ship"].words)
    assert said == "Ship, Captain and Crew is solved for 6 seats at most."


def test_a_command_ends_with_two_for_notation_three_for_rules_and_one_for_all_else() -> None:
    assert [exit_status(family("code")) for family in FAMILIES] == [2, 3, 1, 1, 1]


def test_nobody_guesses_under_which_name_a_code_stands() -> None:
    found = subprocess.run(
        ["grep", "-rnE", r'getattr\((error|why|failure), "(code|rule|fault|field)"', str(SOURCE)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.stdout == ""
