"""Laws of a review, for every game that is solved: the result is expectation + luck + skill, and luck is fair."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from play import CASES, KITS, NIGHTLY, Case, choices, play
from pubdice.advice.coach import Coach
from pubdice.advice.review import Review, as_data, between, review
from pubdice.core.dice import FACES, rolls
from pubdice.core.errors import Unsolved
from pubdice.kit import Kit
from pubdice.match.notation import parse
from pubdice.match.record import replay
from pubdice.text.language import Language

SOLVED = {name: kit for name, kit in KITS.items() if kit.solver is not None}
EVERY_KIT = pytest.mark.parametrize("kit", SOLVED.values(), ids=SOLVED)
MOST_SEATS = 3
FEW = settings(max_examples=333 if NIGHTLY else 12)
"""An example solves and reviews a match: 0.1 s, ten times that of other laws."""
EXACT = 1e-9

MOST_S = 60
"""For one match to be solved in: the slowest takes a few seconds on a quiet machine."""

_COACHES: dict[tuple[str, int], Coach | None] = {}


@contextmanager
def _within(seconds: float, what: str) -> Iterator[None]:
    """Fail after so long, and say what it was that took so long."""

    def late(*_: object) -> None:
        raise AssertionError(f"{what}: not solved within {seconds} s; raise Unsolved for what is too large")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _coach(case: Case, seats: int) -> Coach:
    """One coach for each way to play, so that everything is solved once. What a kit says is unsolved is left out."""
    key = str(case), seats
    if key not in _COACHES:
        match = case.table(seats)[1].match
        assert case.kit.solver is not None
        try:
            with _within(MOST_S, f"{case}, {seats} seats"):
                coach = Coach(case.kit.solver(match), match)
                coach.solver.values(match.start())
        except Unsolved:
            _COACHES[key] = None
        else:
            _COACHES[key] = coach
    found = _COACHES[key]
    if found is None:
        reject()
    return found


def test_a_solver_that_takes_too_long_is_named() -> None:
    with pytest.raises(AssertionError, match="slow, 3 seats: not solved within"), _within(0.05, "slow, 3 seats"):
        time.sleep(5)


def _seatings(kit: Kit) -> st.SearchStrategy[tuple[Case, int]]:
    mine = [case for case in CASES if case.kit is kit]
    return st.tuples(st.sampled_from(mine), st.integers(mine[0].game.least_seats, MOST_SEATS))


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
    data_of = as_data(_coach(case, seats), found, live.header.names)
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
    case, seats = data.draw(_seatings(kit))
    found = _reviewed(case, seats, play(case, seats, data.draw(choices())).text())
    for seat, split in enumerate(found.splits):
        lost = sum(each.chosen.lost for each in found.decisions if each.seat == seat)
        assert split.skill == pytest.approx(-lost, abs=EXACT)
    if found.worst is None:
        assert all(split.skill == pytest.approx(0, abs=EXACT) for split in found.splits)
    else:
        assert found.worst.chosen.lost == max(each.chosen.lost for each in found.decisions)
    for each in found.decisions:
        assert each.counts or each.chosen.lost == 0
        assert (each.chosen.verdict in ("best", "equal")) == (each.chosen.lost == 0)


@EVERY_KIT
@FEW
@given(data=st.data())
def test_luck_is_nothing_on_average_and_best_play_keeps_every_value(kit: Kit, data: st.DataObject) -> None:
    """Values before a roll are the mean of those after it, for every seat; a best action keeps the mover's value.

    Where a roll ends a round and values start afresh in the next, what the round came to stands for the value after it.
    """
    case, seats = data.draw(_seatings(kit))
    match, coach = case.table(seats)[1].match, _coach(case, seats)
    values = coach.solver.values
    for state in {state.match for state in play(case, seats, data.draw(choices(30))).states}:
        here, due = values(state), match.to_roll(state)
        if match.to_draw(state):
            continue
        if 0 < due <= 3:
            mean = [0.0] * seats
            for hand, times in rolls(due):
                after = match.roll(state, hand)
                ended, _ = between(coach, state, after) or (values(after), ())
                for seat, value in enumerate(ended):
                    mean[seat] += value * times / len(FACES) ** due
            assert mean == pytest.approx(list(here), abs=EXACT)
        elif match.legal(state):
            mover = match.mover(state)
            assert mover is not None
            assert here[mover] == pytest.approx(coach.advise(state).best.value, abs=EXACT)


def test_a_roll_that_ends_a_round_of_one_seat_is_luck_and_the_next_round_is_expected() -> None:
    """Flip, two rounds: 7/3 is expected of each. A 4 that is rolled again counts 3.5 on average, and then it is 2."""
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
    for state in {state.match for state in play(case, seats, data.draw(choices(30))).states if not state.match.over}:
        if not match.legal(state):
            continue
        advice = coach.advise(state)
        said += [words.choice(Language(), match.game, state.round, choice.action) for choice in advice.choices]
        here = Language(), match.game, state.round
        whys = [words.why(*here, advice.best.facts, choice.facts) for choice in advice.choices]
        assert all(not why or why.startswith("it ") for why in whys)
        assert not any(words.why(*here, {}, choice.facts) for choice in advice.choices), "says less without facts"
        said += [*filter(None, whys), *words.chance(*here, coach.outlook(state))]
        assert words.chance(*here, {}) == []
    assert all(text and "{" not in text and "None" not in text for text in said)
