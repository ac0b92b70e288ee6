"""Laws of a review, for every solved game. The result is expectation + luck + skill, and luck is 0 on average."""

import gc
import re
import time
from functools import cache

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from laws import time_limit
from laws.time_limit import MOST_S, TooSlow, solved_in_budget, within
from play import CASES, KITS, Case, choices, play, seated
from pubdice.advice.coach import Coach
from pubdice.advice.review import Review, between, review
from pubdice.core.dice import rolls
from pubdice.core.errors import Unsolved
from pubdice.kit import Kit
from pubdice.match.notation import parse
from pubdice.match.record import replay
from pubdice.text.language import Language
from support.profiles import NIGHTLY

SOLVED = {name: kit for name, kit in KITS.items() if kit.solver is not None}
EVERY_KIT = pytest.mark.parametrize("kit", SOLVED.values(), ids=SOLVED)
CLAUSE = re.compile(r"(it |\d[\d.,]*(%| points) (more|fewer|less) ).*[^.:;]")
"""A pattern for a reason, which is printed behind a colon. It has an amount by which a value is more or less, or "it"
with a verb."""
MOST_SEATS = 3
FEW = settings(max_examples=333 if NIGHTLY else 5)
"""Settings with few examples. An example of these laws solves and reviews a match, which takes 0.1 s, ten times as long
as an example of other laws."""
EVERY = 1 if NIGHTLY else 3
"""The laws of luck and of reasons try one position in this many. Three dice alone have 56 rolls to try at each."""
EXACT = 1e-9

_COACHES: dict[tuple[str, int], Coach] = {}


def _solve(way: tuple[Case, int]) -> bool:
    """Find and cache the coach (solver and match) of a case with this many seats. Return False if its kit raises
    Unsolved.
    """
    case, seats = way
    match = case.table(seats)[1].match
    assert case.kit.solver is not None
    try:
        coach = Coach(case.kit.solver(match), match)
        coach.solver.values(match.start())
    except Unsolved:
        return False
    _COACHES[str(case), seats] = coach
    return True


def _coach(case: Case, seats: int) -> Coach:
    """Return the cached coach of a case with this many seats. If the match cannot be solved, reject the Hypothesis
    example.
    """
    if (str(case), seats) not in _COACHES:
        with within(MOST_S, f"{case}, {seats} seats"):
            if not _solve((case, seats)):
                reject()
    return _COACHES[str(case), seats]


def _endless() -> None:
    with within(0.05, "slow, 3 seats"):
        while True:
            pass


def test_a_solver_that_takes_too_long_is_named() -> None:
    with pytest.raises(TooSlow, match="slow, 3 seats: not solved within"):
        _endless()


def _busy(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def _slow_callback(*_: object) -> None:
    _busy(0.1)


def _collect_in_time() -> None:
    with within(0.05, "slow"):
        gc.collect()
        _busy(5)


def test_a_limit_that_is_over_while_garbage_is_collected_is_kept() -> None:
    gc.callbacks.append(_slow_callback)
    try:
        with pytest.raises(TooSlow):
            _collect_in_time()
    finally:
        gc.callbacks.remove(_slow_callback)


def test_ways_that_take_long_are_left_out_by_name_after_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limit, "BUDGET_S", 0.05)
    monkeypatch.setattr(time_limit, "left_out", [])
    solved = time_limit.solved_in_budget(("quick", "none", "slow", "late"), _slowly, str)
    assert (solved, time_limit.left_out) == (["quick"], ["slow", "late"])
    monkeypatch.setattr(time_limit, "MOST_S", 0.05)
    with pytest.raises(TooSlow, match="slow: not solved within"):
        time_limit.solved_in_budget(("slow", "quick"), _slowly, str)


def _slowly(way: str) -> bool:
    while way == "slow":
        pass
    return way != "none"


@cache
def _ways_to_play(least: int) -> list[tuple[Case, int]]:
    """Return ways to play (cases with a number of seats). At night these are all ways. By default they are just enough
    that each pair of choices of a game occurs in one of them.
    """
    return seated(range(least, MOST_SEATS + 1))


@cache
def _solved_ways(name: str) -> list[tuple[Case, int]]:
    """Return the ways to play one game (cases with a number of seats) that are solved in the time available. At night
    all ways are returned, and each is solved when drawn. By default only the first sixth is tried, which has most pairs
    of choices. All four laws use the same few coaches.
    """
    kit = KITS[name]
    ways = [each for each in _ways_to_play(kit.usual_game.least_seats) if each[0].kit is kit]
    few = ways[: -(-len(ways) // 6)]
    return ways if NIGHTLY else solved_in_budget(few, _solve, lambda way: f"{way[0]}, {way[1]} seats")


def _seatings(kit: Kit) -> st.SearchStrategy[tuple[Case, int]]:
    ways = _solved_ways(kit.name)
    if not ways:
        pytest.skip("its kit says of every match that it is too large")
    return st.sampled_from(ways)


def _reviewed(case: Case, seats: int, text: str) -> Review:
    return review(_coach(case, seats), replay(case.table(seats)[1].match, parse(text)))


@EVERY_KIT
@FEW
@given(data=st.data())
def test_the_result_is_expectation_luck_and_skill_for_every_seat(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(_seatings(kit))
    live = play(case, seats, data.draw(choices()))
    found = _reviewed(case, seats, live.text())
    for split in found.splits:
        assert split.expectation + split.luck + split.skill + split.given == pytest.approx(split.result, abs=EXACT)
    inner, match = live.end.match, live.table.match
    steps = list(replay(match, parse(live.text())))
    data_of = found.data(live.header.names, match.game.write_action)
    assert list(data_of["seats"]) == list(live.header.names)
    if inner.over and seats == 1:
        ended = [match.round_ended(step.before, step.after) for step in steps]
        scored = sum(result.scores[0] for result in ended if result is not None)
        assert data_of["seats"][live.header.names[0]]["result"] == pytest.approx(scored, abs=EXACT), "as it counts"
    if inner.over and inner.number == 1:
        final = _coach(case, seats).solver.values(inner)
        assert [split.result for split in found.splits] == pytest.approx(list(final), abs=EXACT)


@EVERY_KIT
@FEW
@given(data=st.data())
def test_nobody_gains_by_choosing_and_what_is_lost_is_what_the_verdicts_say(kit: Kit, data: st.DataObject) -> None:
    """Choices never gain value, and the verdicts report exactly the value lost, within the solver's bound."""
    case, seats = data.draw(_seatings(kit))
    live = play(case, seats, data.draw(choices()))
    found = _reviewed(case, seats, live.text())
    near = EXACT + 2 * found.bound * len(live.states)
    for seat, split in enumerate(found.splits):
        lost = sum(each.chosen.lost for each in found.decisions if each.seat == seat)
        assert split.skill == pytest.approx(-lost, abs=near)
    if found.worst is None:
        assert all(split.skill == pytest.approx(0, abs=near) for split in found.splits)
    else:
        assert found.worst.chosen.lost == max(each.chosen.lost for each in found.decisions)
    for each in found.decisions:
        assert each.counts or each.chosen.lost == 0
        assert (each.chosen.verdict in ("best", "equal")) == (each.chosen.lost == 0)


@EVERY_KIT
@FEW
@given(data=st.data())
def test_luck_is_nothing_on_average_and_best_play_keeps_every_value(kit: Kit, data: st.DataObject) -> None:
    """The value before a roll is the mean of the values after it. A best action keeps the mover's value.

    A roll may end a round after which the values start afresh. Then the result of the round stands for the value after
    the roll. Both sides of the comparison may be wrong by the solver's bound. It is large for a pot that ties carry
    over.
    """
    case, seats = data.draw(_seatings(kit))
    match, coach = case.table(seats)[1].match, _coach(case, seats)
    values, near = coach.solver.values, EXACT + 2 * coach.solver.bound
    met = dict.fromkeys(state.match for state in play(case, seats, data.draw(choices(30))).states)
    for state in list(met)[::EVERY]:
        here, due = values(state), match.to_roll(state)
        if match.to_draw(state):
            continue
        if 0 < due <= 3:
            mean, sides = [0.0] * seats, match.game.faces.sides
            for hand, times in rolls(due, sides):
                after = match.roll(state, hand)
                ended, _ = between(coach, state, after) or (values(after), ())
                for seat, value in enumerate(ended):
                    mean[seat] += value * times / sides**due
            assert mean == pytest.approx(list(here), abs=near)
        elif match.legal(state):
            mover = match.mover(state)
            assert mover is not None
            assert here[mover] == pytest.approx(coach.advise(state).best.value, abs=near)


def test_a_roll_that_ends_a_round_of_one_seat_is_luck_and_the_next_round_is_expected() -> None:
    """In two rounds of Flip, each round's expected score is 7/3. Here the player rolls again after a 4. The second roll
    counts 3.5 on average, and is a 2.
    """
    kit = KITS["flip"]
    case = next(case for case in CASES if case.kit is kit)
    text = case.header(1, format="rounds 2").write() + "\n\nround 1\nAnn: 4 again 2 = 2\nround 2\nAnn: 3 stay = 3\n"
    (split,) = _reviewed(case, 1, text).splits
    assert (split.expectation, split.result) == pytest.approx((-14 / 3, -5), abs=EXACT)
    assert split.luck == pytest.approx((-3.5 + 7 / 3) + (-2 + 3.5) + (-3 + 7 / 3), abs=EXACT)
    assert split.skill == pytest.approx(0, abs=EXACT)


@EVERY_KIT
@FEW
@given(data=st.data())
def test_every_choice_and_every_reason_can_be_told(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(_seatings(kit))
    match, coach, words = case.table(seats)[1].match, _coach(case, seats), kit.words
    said: list[str] = []
    met = dict.fromkeys(state.match for state in play(case, seats, data.draw(choices(30))).states)
    for state in [state for state in met if not state.over and match.legal(state)][::EVERY]:
        advice = coach.advise(state)
        said += [words.choice(Language(), match.game, state.round, choice.action) for choice in advice.choices]
        here = Language(), match.game, state.round
        whys = [words.why(*here, advice.best.facts, choice.facts) for choice in advice.choices]
        assert all(not why or CLAUSE.fullmatch(why) for why in whys), whys
        assert not any(words.why(*here, {}, choice.facts) for choice in advice.choices), "says less without facts"
        said += [*filter(None, whys), *words.chance(*here, coach.outlook(state))]
        assert words.chance(*here, {}) == []
    assert all(text and "{" not in text and "None" not in text for text in said)
