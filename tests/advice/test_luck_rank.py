"""How luck compares with replays: against a share that is known exactly, with bounds on the work, and in words."""

from dataclasses import dataclass
from typing import Any

import pytest

from play import KITS
from pubdice.advice import luck_rank
from pubdice.advice.analysis import analyse
from pubdice.advice.coach import Coach
from pubdice.advice.luck_rank import LuckSample, wilson
from pubdice.checked_record import read_checked
from pubdice.core.game import Keep, RoundState
from pubdice.match.formats import Rounds
from pubdice.match.match import Match
from pubdice.solve.choose import solve_match
from pubdice.text.catalogues import language
from pubdice.text.language import Language
from small_games import OneRoll
from support.luck import luck_ranks

RECORD = """pubdice 1
game: 420
seats: Ann, Bob, Cid
format: race
first: Ann

round 1
Ann: 6431
"""


def coach_of(text: str) -> tuple[Coach, Any]:
    checked = read_checked(text, KITS, language("en"))
    assert checked.kit.solver is not None
    return Coach(checked.kit.solver(checked.match), checked.match), checked


@pytest.fixture(scope="module")
def three() -> Coach:
    return coach_of(RECORD)[0]


@pytest.mark.nightly
def test_the_band_holds_the_share_that_the_solver_knows(three: Coach) -> None:
    """A race has one winner, so under best play luck is 1 less the chance to win, or less that chance: as often as it
    loses a seat has less luck than none.
    """
    ranks = luck_ranks(three, "any record", [0.0, 0.0, 0.0])
    chances = three.solver.values(three.match.start())
    assert ranks.replays >= 500
    for rank, chance in zip(ranks.seats, chances, strict=True):
        assert rank.low <= 1 - chance <= rank.high
        assert rank.high - rank.low < 0.09
    assert sum(rank.share for rank in ranks.seats) == pytest.approx(2)


@pytest.fixture
def fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck_rank, "MOST_REPLAYS", 100)


@pytest.mark.usefixtures("fewer")
def test_more_luck_has_no_lower_rank_and_the_extremes_are_0_and_1(three: Coach) -> None:
    low, middle, high = (luck_ranks(three, "a record", [luck] * 3).seats[0] for luck in (-2.0, 0.1, 2.0))
    assert (low.share, low.low, high.share, high.high) == (0, 0, 1, 1)
    assert low.high < middle.share < high.low


@pytest.mark.usefixtures("fewer")
def test_equal_luck_counts_half(three: Coach) -> None:
    start = three.solver.values(three.match.start())[0]
    won, lost = (luck_ranks(three, "a record", [result - start] * 3).seats[0].share for result in (1.0, 0.0))
    lower, upper = (luck_ranks(three, "a record", [luck] * 3).seats[0].share for luck in (0.99 - start, 1.01 - start))
    assert won == pytest.approx((lower + upper) / 2)
    assert lost == pytest.approx(luck_ranks(three, "a record", [0.01 - start] * 3).seats[0].share / 2)


@dataclass(frozen=True, slots=True)
class Gift(OneRoll):
    """The first player loses in any case, and chooses who of the others wins, whatever the die shows."""

    def play(self, state: RoundState, action: Keep) -> RoundState:
        return RoundState(state.seats, (1, 2, 3) if action.dice else (0, 3, 2))


@pytest.mark.usefixtures("fewer")
def test_a_choice_that_is_equal_to_the_mover_alone_is_nobodys_luck() -> None:
    """Between equal choices the solver expects the higher score, and a replay takes the first; no die changes that."""
    match = Match(Gift(), 3, Rounds(1))
    coach = Coach(solve_match(match), match)
    assert [rank.share for rank in luck_ranks(coach, "a record", [0.0] * 3).seats] == [0.5] * 3


@pytest.mark.usefixtures("fewer")
def test_replays_are_the_same_however_they_are_parted(three: Coach) -> None:
    parted = LuckSample(three, "a record")
    parts = 1
    while not parted.go_on(lambda: True):
        parts += 1
    assert parts > 10
    assert parted.ranks([0.1] * 3) == luck_ranks(three, "a record", [0.1] * 3)


@pytest.mark.usefixtures("fewer")
def test_another_record_is_another_sample_and_the_same_the_same(three: Coach) -> None:
    one, same, other = (luck_ranks(three, text, [0.0] * 3) for text in ("one", "one", "other"))
    assert one == same
    assert one != other


def test_the_work_is_bounded_and_too_few_replays_say_nothing(three: Coach, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    ask = three.solver.action_values

    def counted(self: object, state: object) -> Any:
        asked.append(state)
        return ask(state)

    monkeypatch.setattr(type(three.solver), "action_values", counted)
    monkeypatch.setattr(luck_rank, "MOST_DECISIONS", 100)
    few = luck_ranks(three, "a record", [0.0] * 3)
    assert len(asked) <= 2 * 100 + 1
    assert 0 < few.replays < luck_rank.LEAST_REPLAYS
    assert few.seats == ()
    assert few.basis(Language()) == (
        f"This match is too long to replay often enough: {few.replays} replays were possible."
    )
    monkeypatch.setattr(luck_rank, "MOST_DECISIONS", 1)
    assert luck_ranks(three, "a record", [0.0] * 3).replays == 0, "one replay alone is too long"


def test_a_replay_that_takes_twice_what_all_may_take_is_left(three: Coach, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck_rank, "MOST_REPLAYS", 1)
    whole = LuckSample(three, "a record")
    whole.go_on()
    spent = whole.spent
    assert spent > 3.3, "half as much more than it may take is enough for it"
    for most, replays in ((spent / 2, 1), ((spent - 1.1) / 2, 0)):  # it is left before a move, and one takes 1 at most
        monkeypatch.setattr(luck_rank, "MOST_DECISIONS", most)
        assert luck_ranks(three, "a record", [0.0] * 3).replays == replays


def test_a_record_that_is_not_over_has_no_rank() -> None:
    coach, checked = coach_of(RECORD)
    assert analyse(checked, coach).data()["luck_rank"] == {"replays": 0, "seats": {}}


def test_wilsons_band_is_that_of_the_tables() -> None:
    """Brown, Cai and DasGupta, Statistical Science 16 (2001): at 0 of n the band ends at z²/(n + z²)."""
    assert wilson(0.0, 50) == pytest.approx((0, 1.959964**2 / (50 + 1.959964**2)))
    assert wilson(1.0, 50)[0] == pytest.approx(1 - wilson(0.0, 50)[1])
    low, high = wilson(0.3, 10)
    assert (low, high) == pytest.approx((0.10779, 0.60322), abs=1e-5)
