"""Laws of a receipt (the page about what decided a match), for every solved game and format. Its parts add up to the
result, as numbers and as printed.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from laws.time_limit import MOST_S, within
from play import CASES, KITS, ONE, Case, bot_match
from pubdice.advice import luck_rank as ranks
from pubdice.advice.analysis import Analysis, AnalysisJob, printed_splits
from pubdice.advice.coach import Coach
from pubdice.advice.luck_rank import LuckRanks, LuckSample
from pubdice.advice.receipt import build_receipt
from pubdice.advice.receipt_parts import Receipt
from pubdice.advice.review import review
from pubdice.checked_record import read_checked
from pubdice.core.errors import Unsolved
from pubdice.core.game import Seat
from pubdice.match.match import MatchState
from pubdice.match.record import Drawn, Move, Played, ReplayStep, Rolled, advance
from pubdice.solve.choose import ADDED_UP, ADDED_UP_SEATS
from pubdice.solve.pauses import ResumableJob
from pubdice.text.catalogues import CODES, language
from support.luck import luck_ranks
from support.profiles import NIGHTLY

EXACT = 1e-9
SEATS = 2 if NIGHTLY else 3
"""The number of seats of a match. With three, a loss of one seat differs from the gain of another. The long run has two
seats."""

SWITCHED = ("ship", "flip", ONE)
"""Games whose formats are also tried by default with all switches on. For other games this happens only at night, since
the switches test the solver and not the game."""


def _one_a_format(cases: tuple[Case, ...]) -> Iterator[Any]:
    """Yield the cases of games with a solver. For each game and format, all cases but the first run only at night."""
    seen: set[tuple[str, str]] = set()
    for case in cases:
        form = case.kit.name, dict(case.fields)["format"]
        if case.kit.solver is not None:
            late = form in seen or ("rolloff" in form[1].split() and case.kit.name not in SWITCHED)
            yield pytest.param(case, id=str(case), marks=[pytest.mark.nightly] * late)
        seen.add(form)


def _one_a_game(cases: tuple[Case, ...]) -> Iterator[Any]:
    """Yield the cases of games with a solver. For each game, all cases but the first run only at night, since the
    sentences depend on the game only.
    """
    seen = set[str]()
    for case in cases:
        if case.kit.solver is not None:
            yield pytest.param(case, id=str(case), marks=[pytest.mark.nightly] * (case.kit.name in seen))
        seen.add(case.kit.name)


EVERY_FORMAT = pytest.mark.parametrize("case", list(_one_a_format(CASES)))

_found: dict[str, Analysis] = {}


@pytest.fixture(autouse=True)
def few_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play as few luck replays (replays of the match with other dice) as a test needs."""
    monkeypatch.setattr(ranks, "MOST_REPLAYS", 25)
    monkeypatch.setattr(ranks, "MOST_DECISIONS", 10**6)


def _weighed(case: Case) -> Analysis:
    """Return the analysis of a whole match between bots, from the cache if it is there."""
    if str(case) not in _found:
        _found[str(case)] = _weigh(case)
    return _found[str(case)]


def _weigh(case: Case) -> Analysis:
    seats = ADDED_UP_SEATS if case.table(SEATS)[1].match.format.prize in ADDED_UP else SEATS
    text = bot_match(case, seats, "receipt").text()
    checked = read_checked(text, KITS, language("en"))
    assert case.kit.solver is not None
    try:
        with within(MOST_S, str(case)):
            weighed = AnalysisJob(checked, Coach(case.kit.solver(checked.match), checked.match)).go_on()
    except Unsolved as error:
        pytest.skip(str(error))
    assert weighed is not None
    return weighed


@EVERY_FORMAT
def test_expectation_luck_skill_and_what_others_gave_make_the_result(case: Case) -> None:
    weighed = _weighed(case)
    scale = 1000
    printed = printed_splits(weighed.found.splits, scale)
    for split, shown in zip(weighed.found.splits, printed, strict=True):
        assert split.expectation + split.luck + split.skill + split.given == pytest.approx(split.result, abs=EXACT)
        assert shown.expectation + shown.luck + shown.skill + shown.given == shown.result
        for name in ("expectation", "luck", "skill", "given", "result"):
            assert abs(getattr(shown, name) - scale * getattr(split, name)) <= 2
        assert shown.skill <= 0
    line = weighed.found.line
    assert line[-1] == pytest.approx([split.result for split in weighed.found.splits], abs=EXACT)
    assert len(line) == len(weighed.checked.steps) + 1


@pytest.mark.parametrize("case", list(_one_a_game(CASES)))
def test_a_receipt_says_the_same_numbers_in_every_language(case: Case) -> None:
    receipts: list[Receipt] = [build_receipt(_weighed(case), language(code)) for code in CODES]
    for found in receipts:
        assert found.data == receipts[0].data
        for seat in found.seats:
            *parts, result = seat.parts
            assert sum(part.units for part in parts) == result.units
            assert all(0 <= part.begin <= part.end <= 1 for part in seat.parts)
            assert all(part.line.endswith(".") for part in parts)
            assert seat.rank
        assert found.turning.rows[-1] == tuple(seat.parts[-1].units for seat in found.seats)
        steps = [line for move in found.moves for line in move.lines]
        said = [
            found.turning.challenge,
            *found.turning.told,
            found.rests,
            found.decided,
            found.rules,
            *found.result,
            *steps,
            *[line for each in found.decisions for line in each.lines],
        ]
        assert not [text for text in said if "{" in text or "None" in text]
        assert [move.decision for move in found.moves if move.decision] == [each.number for each in found.decisions]
        for question in found.questions:
            assert 2 <= len(question.options) <= 5
            assert [option.best for option in question.options].count(True) >= 1
            assert [option.played for option in question.options].count(True) == 1
            assert not any(option.played and option.best for option in question.options)


class Recorder:
    """A match that records each move made in it."""

    def __init__(self, match: Any) -> None:
        self.match, self.moves = match, list[Move]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.match, name)

    def draw(self, state: MatchState[Any], seat: Seat) -> MatchState[Any]:
        self.moves.append(Drawn(seat))
        return self.match.draw(state, seat)  # type: ignore[no-any-return]

    def roll(self, state: MatchState[Any], hand: tuple[int, ...]) -> MatchState[Any]:
        self.moves.append(Rolled(hand))
        return self.match.roll(state, hand)  # type: ignore[no-any-return]

    def play(self, state: MatchState[Any], action: Any) -> MatchState[Any]:
        self.moves.append(Played(action))
        return self.match.play(state, action)  # type: ignore[no-any-return]


@EVERY_FORMAT
def test_the_luck_of_a_replay_is_what_a_review_of_it_says_and_nobody_errs_in_it(case: Case) -> None:
    coach = _weighed(case).coach
    recorder: Any = Recorder(coach.match)
    replays = LuckSample(Coach(coach.solver, recorder), "a seed")
    for _ in range(3):
        recorder.moves.clear()
        luck = ResumableJob(replays.next_luck()).at_once
        steps, state = [], coach.match.start()
        for move in recorder.moves:
            after = advance(coach.match, state, move)
            steps.append(ReplayStep(state, move, after, None))
            state = after
        assert state.over
        found = review(coach, steps)
        within = max(EXACT, coach.solver.bound)  # the bound is large if ties make a pot grow
        assert luck == pytest.approx([split.luck for split in found.splits], abs=within)
        lost = len(steps) * max(within, coach.same)  # each choice is equal to the best one within that
        assert [split.skill for split in found.splits] == pytest.approx([0] * coach.match.seats, abs=lost)


@pytest.mark.parametrize("case", list(_one_a_game(CASES)))
def test_the_same_record_has_the_same_ranks(case: Case) -> None:
    weighed = _weighed(case)
    luck = [split.luck for split in weighed.found.splits]

    def ranks(text: str) -> LuckRanks:
        return luck_ranks(weighed.coach, text, luck)

    assert ranks("one") == ranks("one")
    assert ranks("one").replays == 25
    for rank in ranks("one").seats:
        assert 0 <= rank.low <= rank.share <= rank.high <= 1
