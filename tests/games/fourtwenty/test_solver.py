"""420 solved: against the unmerged game, exact fractions, the real engine, and Steere's claims."""

from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

from oracles.exact_race import exact_two_seats
from oracles.interval_iteration import enclose
from pubdice.core.dice import Hand, rolls
from pubdice.core.errors import BadNotation, Unsolved
from pubdice.core.game import Keep, RoundSeat, Seat
from pubdice.games import GAMES
from pubdice.games.fourtwenty import FourTwenty, solving
from pubdice.games.fourtwenty.rules import RoundState
from pubdice.games.fourtwenty.solving import FourTwentySolver
from pubdice.match.formats import Drinks, Format, Race
from pubdice.match.match import Match
from pubdice.solve.finite.enumerated import steps
from pubdice.solve.race.race import SolvedRace
from pubdice.solve.race.races import MOST_SOLVED_SEATS, races, start_odds, values_of_two
from pubdice.solve.race.seat import one_seat, outcomes
from pubdice.solve.race.solutions import MOST, odds, solutions
from pubdice.text.language import Language

GAME = FourTwenty()
ONE = one_seat(GAME)
FIRST = Fraction(
    3738671938469428109436642653718981893204260453933698467426262339086700743871,
    7094054140995172567153540060137643634221237375947791570405362741488967081988,
)
"""Player 1's chance with two seats, exactly."""


def race_of(seats: int, drinks: bool = False) -> SolvedRace:
    return solutions(GAME, None).solved(seats, drinks).race


def test_a_seat_has_15_kinds_of_hand_and_14_actions() -> None:
    automaton = ONE.automaton
    assert (automaton.kinds, len(automaton.wins), automaton.total) == (15, 14, 6**4)
    assert len(ONE.kind) == 122  # fresh, and 126 hands of which 5 win
    assert automaton.least_win == Fraction(35, 1296)


def test_fresh_over_and_without_a_foundation_are_one_kind() -> None:
    fresh = ONE.kind[()]
    for hand, _ in rolls(4):
        if sum(hand) > 20 or (sum(hand) < 20 and max(hand) < 5):
            assert ONE.kind[hand] == fresh


def test_no_keep_depends_on_the_hand_it_came_from_or_on_the_other_seat() -> None:
    """What lets ``one_seat`` roll out each set of dice kept once, asked of the rules for every hand."""
    seen: dict[Hand, dict[Hand | None, int]] = {}
    for hand in list(ONE.kind)[1::3]:
        for other in ((1, 1, 1, 1), (3, 6, 6, 6)):
            state = RoundState((hand, other), RoundSeat(0), None)
            for keep in GAME.legal(state):
                found = outcomes(GAME, GAME.play(state, keep))
                assert seen.setdefault(keep.dice, found) == found


def test_the_first_turn_wins_35_in_1296() -> None:
    """Steere, "Object of the game": 2.7%, about 1 in 37."""
    automaton = ONE.automaton
    (only,) = automaton.choices[automaton.start]
    assert Fraction(automaton.wins[only], automaton.total) == Fraction(35, 1296)


def test_two_seats_exactly() -> None:
    exact = exact_two_seats(ONE.automaton)
    assert exact.start == FIRST
    assert (exact.worse, exact.equal) == (660, 0)  # every other keep in every merged state is strictly worse
    assert exact.least > Fraction(5, 1000)
    race, enclosed = race_of(2), enclose(ONE.automaton)
    assert enclosed.width <= 1e-12
    for state, numerator in enumerate(exact.numerators):
        value = Fraction(numerator, exact.denominator)
        assert abs(value - Fraction(float(race.values[0, 0, state]))) <= race.bound
        assert Fraction(float(enclosed.lower[state])) <= value <= Fraction(float(enclosed.upper[state]))
    assert odds(GAME, 2).chances[0] == pytest.approx(float(FIRST), abs=1e-15)


def test_the_merged_race_agrees_with_the_unmerged_hands() -> None:
    """Value iteration on all 122 x 122 pairs of hands: v = max over keeps of win + sum of (1 - v of the other)."""
    number = {hand: place for place, hand in enumerate(ONE.kind)}
    kept = sorted({dice for keeps in ONE.keeps.values() for dice, _ in keeps})
    win, move = np.zeros((len(kept), 1)), np.zeros((len(kept), len(number)))
    for row, dice in enumerate(kept):
        for hand, ways in rolls(4 - len(dice)):
            total = tuple(sorted(dice + hand))
            if sum(total) == 20:
                win[row] += ways / 6 ** (4 - len(dice))
            else:
                move[row, number[total]] += ways / 6 ** (4 - len(dice))
    legal = np.array([[dice in [each for each, _ in ONE.keeps[hand]] for dice in kept] for hand in number])
    value = np.zeros((len(number), len(number)))
    for _ in range(300):
        worth = win + move @ (1 - value.T)
        value = np.where(legal[:, :, None], worth[None], -1).max(axis=1)
    race = race_of(2)
    for mine, row in number.items():
        for other, column in number.items():
            merged = race.value(0, (ONE.kind[mine], ONE.kind[other]))[0]
            assert abs(merged - value[row, column]) < 1e-12


@pytest.mark.nightly
def test_the_merged_race_agrees_with_every_state_of_the_rules() -> None:
    """Value iteration on all positions of the rules object itself, nothing merged, nothing assumed."""
    csr_array = pytest.importorskip("scipy.sparse").csr_array
    number: dict[RoundState, int] = {GAME.start(2): 0}
    states, rows = [GAME.start(2)], []
    for state in states:
        after = list(steps(GAME, state))
        for each in after:
            if each not in number:
                number[each] = len(states)
                states.append(each)
        due = GAME.to_roll(state)
        rows.append((due, [number[each] for each in after], [ways / 6**due for _, ways in rolls(due)] if due else []))
    chance = [place for place, (due, _, _) in enumerate(rows) if due]
    choice = [place for place, (due, after, _) in enumerate(rows) if not due and after]
    value = np.array([float(GAME.result(state) is not None and state.mover == 0) for state in states])
    begins = np.cumsum([0, *(len(rows[place][1]) for place in chance)])
    matrix = csr_array(
        (
            np.concatenate([rows[place][2] for place in chance]),
            np.concatenate([rows[place][1] for place in chance]),
            begins,
        ),
        shape=(len(chance), len(states)),
    )
    offered = np.concatenate([rows[place][1] for place in choice])
    ends = np.cumsum([0, *(len(rows[place][1]) for place in choice)])[:-1]
    sign = np.array([1.0 if states[place].mover == 0 else -1.0 for place in choice])
    counts = np.array([len(rows[place][1]) for place in choice])
    for _ in range(300):
        value[chance] = matrix @ value
        value[choice] = sign * np.maximum.reduceat(value[offered] * np.repeat(sign, counts), ends)
    race = race_of(2)
    for place in (*chance, *choice):
        state = states[place]
        if state.kept is None:
            kinds = [ONE.kind[state.hands[(state.mover + step) % 2]] for step in range(2)]
            merged = race.value(0, kinds)[0]
            assert abs(merged - (value[place] if state.mover == 0 else 1 - value[place])) < 1e-11
    assert value[0] == pytest.approx(float(FIRST), abs=1e-12)


def test_prices_are_told_in_the_unit_of_the_odds_who_wins_and_who_buys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "MOST_PRICED", {False: 3, True: 3})  # six seats take half a minute
    asked = GAMES["420"].price
    assert asked is not None
    prices = asked({})
    data, told = prices.data(), prices.sentences(Language())
    for row, line in zip(data["rows"], told, strict=False):
        drinks, seats = row["rule"] == "drinks", int(row["choice"])
        assert sum(row["buy" if drinks else "win"]) == pytest.approx(1, abs=1e-9), "all seats' chances, of one thing"
        found = odds(GAME, seats, drinks=drinks).chances
        assert row["buy" if drinks else "win"] == pytest.approx(found, abs=1e-12)
        assert row["advantage"] == pytest.approx((found[0] - 1 / seats) * (-1 if drinks else 1), abs=1e-12)
        assert line.endswith(f"{'buys' if drinks else 'wins'} {', '.join(map(Language().per_cent, found))}.")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_chances_sum_to_1_and_nobody_gains_by_deviating(seats: int) -> None:
    found = odds(GAME, seats)
    assert sum(found.chances) == pytest.approx(1, abs=1e-13)
    assert list(found.chances) == sorted(found.chances, reverse=True)
    assert found.bound < 1e-12
    assert 0 <= found.nash_conv < 1e-12
    assert np.abs(race_of(seats).values.sum(axis=1) - 1).max() < 1e-12


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_one_buys_the_drinks_and_nobody_gains_by_deviating(seats: int) -> None:
    found = odds(GAME, seats, drinks=True)
    assert sum(found.chances) == pytest.approx(1, abs=1e-12)
    assert found.bound < 1e-12
    assert 0 <= found.nash_conv < 1e-12
    assert np.abs(race_of(seats, drinks=True).values.sum(axis=1) - (seats - 1)).max() < 1e-12


def test_with_two_seats_the_loser_of_the_race_buys() -> None:
    race, drinks = odds(GAME, 2), odds(GAME, 2, drinks=True)
    assert [1 - chance for chance in race.chances] == pytest.approx(drinks.chances, abs=1e-14)


@pytest.mark.nightly
def test_five_and_six_seats() -> None:
    assert odds(GAME, 5).chances == pytest.approx(
        (0.23963310397846, 0.21775877163218, 0.19805114961805, 0.18028774958019, 0.16426922519111), abs=1e-13
    )
    assert odds(GAME, 6).chances == pytest.approx(
        (0.20694602, 0.18864135, 0.17211035, 0.15717375, 0.14367087, 0.13145765), abs=1e-8
    )
    assert odds(GAME, 6).nash_conv < 1e-12
    assert sum(odds(GAME, 5, drinks=True).chances) == pytest.approx(1, abs=1e-12)


def test_with_two_or_three_seats_the_best_keep_depends_on_ones_own_hand_alone() -> None:
    for seats in (2, 3):
        race = race_of(seats)
        chosen = race.policy.reshape(15, -1)
        assert (chosen == chosen[:, :1]).all()
        assert race.gap() > 1e-3


def test_with_four_seats_only_5_6_6_and_a_1_or_a_2_looks_at_the_others() -> None:
    race = race_of(4)
    chosen = race.policy.reshape(15, -1)
    (looks,) = np.flatnonzero((chosen != chosen[:, :1]).any(axis=1))
    assert [hand for hand, kind in ONE.kind.items() if kind == looks] == [(1, 5, 6, 6), (2, 5, 6, 6)]
    assert race.gap() > 1e-5


@pytest.mark.parametrize("other", [(1, 4, 5, 6), (2, 3, 3, 4)])
def test_6551_rerolls_the_1_whatever_the_other_hand(other: Hand) -> None:
    """Steere, "Strategy", is right against (6,5,4,1); against (4,3,3,2) it would reroll 6 and 1 and lose 2.5%."""
    value = values_of_two(GAME, (1, 5, 5, 6), other)
    assert max(value, key=lambda dice: value[dice]) == (5, 5, 6)
    loses: dict[Hand, float] = {(1, 4, 5, 6): 0.0363754220816, (2, 3, 3, 4): 0.0246021337164}
    assert value[5, 5, 6] - value[5, 5] == pytest.approx(loses[other], abs=1e-12)


def test_after_going_over_the_reset_is_all_there_is() -> None:
    ((dice, value),) = values_of_two(GAME, (6, 6, 6, 6), (2, 3, 3, 4)).items()
    assert dice == ()
    assert value == pytest.approx(race_of(2).value(0, (ONE.kind[6, 6, 6, 6], ONE.kind[2, 3, 3, 4]))[0], abs=1e-15)


@pytest.mark.parametrize("seats", [1, 8])
def test_seats_that_are_not_solved_are_refused(seats: int) -> None:
    with pytest.raises(BadNotation, match="seats-solved"):
        odds(GAME, seats)
    with pytest.raises(BadNotation, match="seats-solved"):
        odds(GAME, 6, drinks=True)


def test_a_table_of_seven_is_refused_before_it_is_solved() -> None:
    with pytest.raises(Unsolved) as caught:
        FourTwentySolver(Match(GAME, 7, Race()))
    assert (caught.value.code, caught.value.facts) == ("too-many-seats", {"title": "420", "seats": 7, "most": 6})


def test_the_limits_that_help_names_are_those_of_the_solver() -> None:
    """``odds 420 --seats 7`` was taken, and took minutes and gigabytes, while the help said 6."""
    assert GAMES["420"].most_solved == {"race": MOST_SOLVED_SEATS, "drinks": MOST[True]}
    assert MOST[False] > MOST_SOLVED_SEATS


@pytest.mark.parametrize("form", [Race(), Drinks()])
@pytest.mark.parametrize("first", [None, Seat(0), Seat(2)])
def test_odds_before_a_match_are_its_values_at_the_start(form: Format, first: Seat | None) -> None:
    match = Match(GAME, 3, form, first=first)
    data, values = start_odds(match), FourTwentySolver(match).values(match.start())
    assert data["utility"] == FourTwentySolver(match).utility
    found = data["win"] if form == Race() else [1 - chance for chance in data["buy"]]
    assert found == pytest.approx(values, abs=1e-14)


@pytest.mark.parametrize("form", [Race(), Drinks()])
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("seed", range(3))
def test_the_values_of_a_match_are_those_one_step_on(form: Format, seats: int, seed: int) -> None:
    """A law of expectations, walked through the real match with its draw, rounds and changing Player 1."""
    match = Match(GAME, seats, form, first=None)
    solver, rng, state = FourTwentySolver(match), Random(seed), match.start()
    assert solver.values(state) == pytest.approx([sum(solver.values(state)) / seats] * seats, abs=1e-12)
    state = match.draw(state, Seat(rng.randrange(seats)))
    while not state.over:
        values, due = solver.values(state), match.to_roll(state)
        assert sum(values) == pytest.approx(1 if form == Race() else seats - 1, abs=1e-12)
        if due:
            after = [(solver.values(match.roll(state, hand)), ways / 6**due) for hand, ways in rolls(due)]
            mean = [sum(value[seat] * chance for value, chance in after) for seat in range(seats)]
            assert mean == pytest.approx(values, abs=1e-12)
            assert solver.action_values(state) == ()
            state = match.roll(state, tuple(sorted(rng.choices(range(1, 7), k=due))))
            continue
        mover = match.mover(state)
        assert mover is not None
        worth = solver.action_values(state)
        assert tuple(action for action, _ in worth) == match.legal(state)
        assert max(value for _, value in worth) == pytest.approx(values[mover], abs=1e-13)
        for action, value in worth:
            assert solver.values(match.play(state, action))[mover] == pytest.approx(value, abs=1e-14)
        state = match.play(state, rng.choice(worth)[0])
    assert sorted(solver.values(state)) == [0.0] * (seats - 1 if form == Race() else 1) + [1.0] * (
        1 if form == Race() else seats - 1
    )


def test_a_solver_says_what_it_maximises() -> None:
    for form, utility in ((Race(), "chance of winning"), (Drinks(), "chance of not buying")):
        solver = FourTwentySolver(Match(GAME, 3, form))
        assert solver.utility == utility
        assert 0 < solver.bound < 1e-12


def test_solutions_are_kept_in_the_folder_and_read_again(tmp_path: Path) -> None:
    first = odds(GAME, 4, folder=tmp_path)
    assert {path.name.split("-")[0] for path in tmp_path.iterdir()} == {"odds", "race"}
    solutions.cache_clear()
    assert odds(GAME, 4, folder=tmp_path) == first
    for path in tmp_path.iterdir():
        path.write_bytes(path.read_bytes()[:-9])
    solutions.cache_clear()
    assert odds(GAME, 4, folder=tmp_path).chances == pytest.approx(first.chances, abs=1e-13)


@pytest.mark.parametrize("turns", [100_000, pytest.param(1_000_000, marks=pytest.mark.nightly)])
def test_the_solved_policy_played_through_the_engine_wins_as_often_as_solved(turns: int) -> None:
    match: Match[RoundState, Keep] = Match(GAME, 2, Race())
    solver, rng = FourTwentySolver(match), Random(420)
    best: dict[tuple[Hand, Hand], Keep] = {}
    taken = rounds = won = 0
    state = match.start()
    while taken < turns:
        if due := match.to_roll(state):
            taken += 1
            state = match.roll(state, tuple(sorted(rng.choices((1, 2, 3, 4, 5, 6), k=due))))
            if state.over:
                rounds, won, state = rounds + 1, won + state.tally.points[0], match.start()
            continue
        assert state.round is not None
        key = (state.round.hands[state.round.mover], state.round.hands[1 - state.round.mover])
        if key not in best:
            worth = solver.action_values(state)
            best[key] = max(worth, key=lambda each: each[1])[0]
        state = match.play(state, best[key])
    chance = float(FIRST)
    assert abs(won / rounds - chance) < 4 * (chance * (1 - chance) / rounds) ** 0.5


def test_prices_line_by_line_are_kept_where_the_answer_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Races of six take a minute to solve."""
    folders = list[Path | None]()

    def noted(game: FourTwenty, folder: Path | None) -> object:
        folders.append(folder)
        return races(game, folder)

    monkeypatch.setattr(solving, "races", noted)
    monkeypatch.setattr(solving, "MOST_PRICED", {False: 2})
    kit = GAMES["420"].with_cache(tmp_path)
    assert kit.price_lines is not None
    assert len(list(kit.price_lines({}, Language()))) == 2
    assert folders == [tmp_path]
