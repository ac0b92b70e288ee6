"""The first player's rolls bind the others: the rules, what they say, and what the rule is worth."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from oracles.compare import compare, walks
from oracles.equation import holds
from oracles.max_n import MaxN
from pubdice.advice.bots import policy
from pubdice.advice.card_prices import answer
from pubdice.advice.figures import figure_names
from pubdice.advice.questions import question
from pubdice.core.dice import rolls
from pubdice.core.errors import IllegalAction, Unsolved
from pubdice.core.game import Keep, RoundState
from pubdice.games.midnight import KIT, Midnight
from pubdice.games.midnight.rules import MidnightFollow, tip
from pubdice.match.formats import OPENERS, Format, Points, Pot, Rounds, Total
from pubdice.match.match import Match
from pubdice.solve.choose import solve_match
from pubdice.solve.turns.limited import CountedTurn, LimitedSolver, first_rolls
from pubdice.solve.turns.totals import LimitedTotals
from pubdice.solve.turns.turn import turn
from pubdice.text.catalogues import language
from small_games import Pair

ROOT = Path(__file__).parents[3]
GAME = MidnightFollow()
ROLLS_IN_ALL = 6


def _turn(state: RoundState, *steps: str) -> RoundState:
    """Rolls as they fell and keeps: ``344512 k45``."""
    for step in " ".join(steps).split():
        if step[0] == "k":
            state = GAME.play(state, GAME.read_action(step))
        else:
            state = GAME.roll(state, tuple(sorted(map(int, step))))
    return state


def test_the_openers_rolls_are_the_most_that_each_of_the_others_has() -> None:
    state = _turn(GAME.start(3), "145566 k1466 56 k56")
    assert (state.scores, state.limit) == ((23,), 2)
    state = _turn(state, "112346 k146")
    assert len(GAME.legal(state)) == 0
    state = _turn(state, "236")
    assert GAME.legal(state) == (Keep((2, 3, 6)),)
    state = _turn(state, "k236")
    assert (state.scores, state.limit) == ((23, 17), 2), "the second's rolls bind nobody"
    state = _turn(state, "146666 k146666")
    result = GAME.result(state)
    assert result is not None
    assert result.winners == (2,)


def test_an_opener_may_keep_all_dice_at_once_and_leaves_the_others_one_roll() -> None:
    state = _turn(GAME.start(2), "114566 k114566", "123456")
    assert GAME.legal(state) == (Keep((1, 2, 3, 4, 5, 6)),)


def test_dice_of_a_last_roll_cannot_be_rolled_again() -> None:
    state = _turn(GAME.start(2), "114566 k114566", "123456")
    with pytest.raises(IllegalAction) as refused:
        GAME.play(state, Keep((1, 4)))
    assert refused.value.code == "all-stay"


def test_an_opener_who_uses_all_rolls_leaves_the_game_as_it_is_without_the_rule() -> None:
    state = _turn(GAME.start(2), "123456 k1 23456 k4 2356 k6 235 k5 26 k6 3 k3")
    assert (state.scores, state.limit) == ((20,), ROLLS_IN_ALL)
    state = _turn(state, "123456 k1 23456 k4 2356 k6 235 k5 26")
    assert len(GAME.legal(state)) == 3


def test_keeps_of_equal_dice_are_made_once() -> None:
    opener, other = _turn(GAME.start(2), "123456"), _turn(GAME.start(3), "145566 k1466 56 k56 123456")
    assert GAME.legal(opener) is GAME.legal(other), "MidnightFollow.legal"


def test_bots_play_on_where_all_dice_must_stay() -> None:
    state = _turn(GAME.start(2), "114566 k114566", "123456")
    for weighted in (tip(GAME, state), policy("steady", None, GAME, state), policy("bold", 22, GAME, state)):
        assert weighted == ((Keep((1, 2, 3, 4, 5, 6)), 1),)
    fresh = _turn(GAME.start(2), "123456")
    usual = Midnight().roll(Midnight().start(2), (1, 2, 3, 4, 5, 6))
    assert policy("steady", None, GAME, fresh) == policy("steady", None, Midnight(), usual)


def test_everybody_hears_how_many_rolls_the_opener_leaves() -> None:
    said, words = KIT.tongue(language("en")), KIT.words
    before = _turn(GAME.start(3), "145566 k1466 56")
    assert words.action_sentences(said, GAME, "Ann", before, Keep((5, 6))) == [
        "Ann kept 5 6.",
        "Ann scored 23: 6 6 6 5.",
        "Everybody else has up to 2 rolls.",
    ]
    after = _turn(before, "k56")
    assert words.to_roll(said, GAME, after) == "You have 2 rolls left. Roll 6 dice."
    assert words.to_roll(said, GAME, GAME.start(2)) == "You set the number of rolls: up to 6. Roll 6 dice."
    last = _turn(after, "112346 k146")
    assert words.rolled(said, GAME, "Bob", last, (2, 3, 6)) == ["The last roll: all dice stay."]
    assert words.action_sentences(said, GAME, "Bob", _turn(last, "236"), Keep((2, 3, 6))) == ["Bob scored 17: 6 6 3 2."]


@dataclass(frozen=True, slots=True)
class FollowPair(MidnightFollow):
    """The same with two dice: the sum counts, but nothing without a 1."""

    number_of_dice: ClassVar[int] = 2

    @property
    def unlimited(self) -> Pair:  # type: ignore[override]
        return Pair()

    def worth(self, hand: tuple[int, ...]) -> int:
        return sum(hand) if 1 in hand else 0


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("form", [Rounds(1), Rounds(3)], ids=str)
def test_values_are_those_of_exact_fractions(form: Format, opener: str) -> None:
    match = Match(FollowPair(), 2, form, opener)
    solver, oracle = solve_match(match), MaxN(match)
    assert isinstance(solver, LimitedSolver)
    assert compare(solver, oracle) > 20


@pytest.mark.parametrize(
    ("form", "opener"),
    [(Total(1), opener) for opener in OPENERS]
    + [pytest.param(Total(2), opener, marks=pytest.mark.nightly) for opener in OPENERS],
    ids=str,
)
def test_values_of_scores_that_add_up_are_those_of_exact_fractions(form: Format, opener: str) -> None:
    match = Match(FollowPair(), 2, form, opener)
    solver = solve_match(match)
    assert isinstance(solver, LimitedTotals)
    assert compare(solver, MaxN(match)) > 20


def test_a_total_of_one_round_is_a_round_of_two() -> None:
    total, one = Match(GAME, 2, Total(1)), Match(GAME, 2, Rounds(1))
    assert solve_match(total).values(total.start()) == pytest.approx(solve_match(one).values(one.start()), abs=1e-12)


def test_a_turn_whose_rolls_are_counted_is_worth_what_going_through_it_for_each_roll_says() -> None:
    counted, chance = CountedTurn(turn(Midnight()), ROLLS_IN_ALL), np.random.default_rng(3)
    scores = len(counted.turn.scores)
    worth = chance.random((ROLLS_IN_ALL, scores, 5))
    assert counted.opener(worth, 0) == pytest.approx(first_rolls(counted.turn, worth)[-1], abs=1e-13)
    one = chance.random((scores, 5))
    alike = np.broadcast_to(one, (ROLLS_IN_ALL, *one.shape))
    assert counted.second(one, 0) == pytest.approx(first_rolls(counted.turn, alike), abs=1e-13)


ADDED_UP: list[tuple[MidnightFollow, Format]] = [
    *[(FollowPair(), form) for form in (Points(9), Points(12, 1), Total(3))],
    *[(GAME, form) for form in (Points(10), Points(12, 1), Total(2))],
]
BY_DAY = (GAME, Points(10), "winner")
"""Of the six with all dice; those with two are all tried."""


@pytest.mark.parametrize(
    ("game", "form", "opener"),
    [
        pytest.param(*played, opener, marks=[pytest.mark.nightly] * (played[0] == GAME and (*played, opener) != BY_DAY))
        for played in ADDED_UP
        for opener in ("rotate", "winner")
    ],
    ids=str,
)
def test_what_adds_up_is_worth_what_best_play_makes_of_what_follows(
    game: MidnightFollow, form: Format, opener: str
) -> None:
    match = Match(game, 2, form, opener)
    solver = solve_match(match)
    states = list(dict.fromkeys(walks(match, 3, 3)))
    for state in states[:: max(1, len(states) // 8)]:
        holds(match, solver, state, 1e-9)
        assert sum(solver.values(state)) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("game", "form"), [(FollowPair(), Rounds(2)), (FollowPair(), Pot(1, 2)), (GAME, Rounds(2))], ids=str
)
def test_values_are_what_best_play_makes_of_the_values_after_them(game: MidnightFollow, form: Format) -> None:
    match = Match(game, 2, form)
    solver = solve_match(match)
    states = list(dict.fromkeys(walks(match, 3, 3)))
    for state in states[:: max(1, len(states) // 6)]:
        holds(match, solver, state, max(1e-9, 2 * solver.bound))


def test_one_seat_alone_has_all_rolls() -> None:
    usual, follow = Match(Midnight(), 1, Rounds(1)), Match(GAME, 1, Rounds(1))
    assert solve_match(follow).values(follow.start()) == pytest.approx(solve_match(usual).values(usual.start()))


@pytest.mark.parametrize(
    ("seats", "form", "code"),
    [(3, Rounds(5), "too-many-seats"), (3, Points(100), "adds-up-seats"), (3, Total(1), "adds-up-seats")],
)
def test_what_is_too_large_is_refused_at_once(seats: int, form: Format, code: str) -> None:
    with pytest.raises(Unsolved) as refused:
        solve_match(Match(GAME, seats, form))
    assert refused.value.code == code
    assert refused.value.facts["title"] == "Midnight"


def test_points_that_are_too_many_are_refused_with_the_number_that_would_do() -> None:
    page = " ".join((ROOT / "docs/solve/solving.md").read_text(encoding="utf-8").split())
    for opener, said in (("rotate", "| `follow` | 123 ("), ("winner", " | 72 (17) |")):
        with pytest.raises(Unsolved) as refused:
            solve_match(Match(GAME, 2, Points(1000), opener))
        most = refused.value.facts["most"]
        assert refused.value.code == "too-many-points"
        assert isinstance(most, int)
        assert str(most) in said
        assert said in page
        assert solve_match(Match(GAME, 2, Points(most), opener)).utility == "share of the match", (
            "nothing is solved yet"
        )


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("forms", "printed"),
    [
        ("rounds 1", 1),
        pytest.param("total 5", 1, marks=pytest.mark.nightly),
    ],
)
def test_what_the_pages_print_of_the_rule_is_computed(forms: str, printed: int) -> None:
    page = (ROOT / "docs/games/midnight.md").read_text(encoding="utf-8")
    rows = re.findall(rf"\| `({forms})`(?:, `(\w+)`)? \| ([−0-9.]+)(?: ?%)? \| ([−0-9.]+)", page)
    assert len(rows) == printed
    for form, opener, *told_values in rows:
        for game, told in zip((Midnight(), GAME), told_values, strict=True):
            match = Match(game, 2, KIT.format(form), opener or "rotate")
            value = solve_match(match).values(match.start())[0]
            written = f"{value:.4f}".replace("-", "−") if form.startswith("pot") else f"{100 * value:.3f}"
            assert written == told, (form, opener, game)


Held = tuple[bool, bool, int, int]
"""A 1 held, a 4 held, the sum of the other dice, how many dice are held."""


def _held(hand: tuple[int, ...]) -> Held:
    return 1 in hand, 4 in hand, sum(hand) - (1 in hand) - 4 * (4 in hand), len(hand)


@cache
def _after(held: Held) -> tuple[tuple[int, tuple[Held, ...]], ...]:
    """The ways of each roll, and what may be held after it, the last with all dice."""
    has_1, has_4, more, number = held
    found = []
    for hand, ways in rolls(ROLLS_IN_ALL - number):
        keeps = {
            tuple(face for face, stays in zip(hand, chosen, strict=True) if stays)
            for chosen in product((False, True), repeat=len(hand))
        } - {()}
        after = []
        for kept in sorted(keeps, key=len):
            one, four, rest, dice = _held((*kept, *(1,) * has_1, *(4,) * has_4))
            after.append((one, four, more + rest, number + dice - has_1 - has_4))
        found.append((ways, tuple(dict.fromkeys(after))))
    return tuple(found)


def _best(left: int, ended: Callable[[int, int], float]) -> float:
    """A turn of so many rolls at most; ended: what a score is worth after so many rolls."""

    @cache
    def value(held: Held, done: int) -> float:
        total, last = 0.0, done + 1 == left
        for ways, after in _after(held):
            total += ways * max(
                ended(each[2] if each[0] and each[1] else 0, done + 1)
                if each[3] == ROLLS_IN_ALL
                else -1.0
                if last
                else value(each, done + 1)
                for each in after
            )
        return float(total / 6 ** (ROLLS_IN_ALL - held[3]))

    return value((False, False, 0, 0), 0)


@pytest.mark.nightly
@pytest.mark.parametrize(("score", "limit"), [(20, 1), (17, 2), (23, 3)])
def test_a_limited_turn_is_what_dictionaries_of_dice_say(score: int, limit: int) -> None:
    right = _best(limit, lambda mine, _: float(mine > score) + 0.5 * (mine == score))
    match = Match(GAME, 2, Rounds(1))
    state = match.at(match.start(), RoundState(2, (score,), limit=limit))
    assert solve_match(match).values(state)[1] == pytest.approx(right, abs=1e-12)


@pytest.mark.nightly
def test_a_round_of_two_is_what_dictionaries_of_dice_say() -> None:
    @cache
    def second(score: int, limit: int) -> float:
        return _best(limit, lambda mine, _: float(mine > score) + 0.5 * (mine == score))

    opener = _best(ROLLS_IN_ALL, lambda score, limit: 1 - second(score, limit))
    match = Match(GAME, 2, Rounds(1))
    assert solve_match(match).values(match.start())[0] == pytest.approx(opener, abs=1e-12)


def test_no_card_and_no_position_of_a_turn_is_priced_as_if_nobody_limited_it() -> None:
    kit = KIT.with_usual({"follow": "yes"})
    assert "card" in figure_names(KIT)
    assert "card" not in figure_names(kit)
    with pytest.raises(Unsolved) as refused:
        answer(KIT, {"follow": "yes"})
    assert refused.value.code == "card-rules"
    for name in ("advise", "card"):
        asked = question(KIT, name)
        assert asked is not None
        assert {flag.name for flag in asked.flags} & {"need", "follow"} == {"need"}
    odds = question(KIT, "odds")
    assert odds is not None
    with pytest.raises(Unsolved) as refused:
        odds.answer({"follow": "yes"})
    assert refused.value.code == "limited-turn"
    assert odds.answer({"follow": "yes", "format": "rounds:1"}).data()["share"][0] == pytest.approx(0.6407, abs=1e-4)
