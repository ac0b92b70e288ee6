"""If the usual options are too large to solve, questions are answered for options that are solved."""

from dataclasses import replace

import pytest

import pig
from pubdice.advice.daily import find
from pubdice.advice.drill import drill_question
from pubdice.advice.figures import figure
from pubdice.advice.price_list import choices
from pubdice.advice.questions import question
from pubdice.advice.rule_variants import changes, match_rules
from pubdice.core.errors import Unsolved
from pubdice.failures import sentence
from pubdice.games import GAMES
from pubdice.kit import Kit, Option
from pubdice.solve.choose import solve_match
from pubdice.text.language import Language
from small_games import TurnedPig

TARGET = Option("target", ("400", "12", "8"), "the points that win", ("a long game", "a short game", "the shortest"))
LARGE = replace(pig.KIT, options=(TARGET,), build=lambda options: TurnedPig(int(options["target"])), solver=solve_match)
ENGLISH = Language()


def _price(kit: Kit, **given: str) -> dict[str, object]:
    asked = question(kit, "price")
    assert asked is not None
    assert [flag.name for flag in asked.flags] == [option.key for option in kit.options]
    found: dict[str, object] = asked.answer(given).data()
    return found


def test_another_choice_can_be_the_usual_one() -> None:
    kit = LARGE.with_usual({"target": "8"})
    assert kit.options[0].choices == ("8", "400", "12")
    assert kit.options[0].meanings == ("the shortest", "a long game", "a short game")
    assert kit.usual_game == TurnedPig(8)
    assert LARGE.with_usual({}).options == LARGE.options


def test_prices_are_compared_with_the_options_given() -> None:
    found = _price(GAMES["ship"], cargo="single")
    assert dict(found["usual"])["cargo"] == "single"  # type: ignore[call-overload]


def test_prices_are_compared_with_what_is_solved_where_the_usual_match_is_not() -> None:
    found = _price(LARGE)
    assert dict(found["usual"])["target"] == "12"  # type: ignore[call-overload]
    rows = [(row["rule"], row["choice"]) for row in found["rows"]]  # type: ignore[attr-defined]
    assert rows[:2] == [("target", "12"), ("target", "8")]


@pytest.mark.parametrize(
    ("game", "points"), [("midnight", (50, 100, 200)), ("ship", (25, 50, 100)), ("shutbox", (50, 100, 200))]
)
def test_a_match_for_points_is_priced_as_usual_halved_and_doubled(game: str, points: tuple[int, ...]) -> None:
    """No table plays to 1, 2 or 3 points. A match that takes longer to solve than twice the usual one has a shorter
    one beside it only.
    """
    kit, kind = GAMES[game], "out" if game == "shutbox" else "points"
    formats = [choice for rule, choice in choices(kit) if rule == "format"]
    assert [each for each in formats if each.startswith(f"{kind}:")] == [f"{kind}:{number}" for number in points]
    assert "rounds:20" in formats
    now = match_rules(kit, {"format": f"{kind}:{points[1]}"})
    assert {each["format"] for each in changes(kit, now)["format"]} >= {f"{kind}:{number}" for number in points}
    longest = match_rules(kit, {"format": f"{kind}:900"})
    numbers = [int(each["format"].split(":")[1]) for each in changes(kit, longest)["format"] if kind in each["format"]]
    assert max(numbers) == 900


def test_where_no_option_is_solved_the_price_is_refused_in_a_sentence() -> None:
    with pytest.raises(Unsolved) as refused:
        _price(replace(LARGE, options=(replace(TARGET, choices=("400", "300"), meanings=()),)))
    assert "With target " in sentence(ENGLISH, refused.value)


def test_drill_and_day_ask_about_options_that_are_solved() -> None:
    def solve(kit: Kit, match):  # type: ignore[no-untyped-def]
        return solve_match(match)

    assert "target: 12" in drill_question(LARGE, 1, solve).record
    assert "target: 12" in find({"pig": LARGE}, 1, solve).record
    drawn = figure(LARGE, "first-rolls", ENGLISH, solve)
    assert "First to 12." in drawn.lead
    assert drawn.rows
