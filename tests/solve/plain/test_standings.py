"""Standings: found from the start, one for all that are alike; a format that counts what it should not is refused."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import mexico
from lives import Lives
from pubdice.core.errors import Unsolved
from pubdice.core.game import Result, Seat
from pubdice.games.mexico import Mexico
from pubdice.games.mexico.lives import Lives as PlayedOff
from pubdice.match.formats import Format, Pot, Rounds, Tally
from pubdice.match.match import Match
from pubdice.solve.plain.match_graph import MatchGraph, merged
from pubdice.solve.plain.positions import find_positions
from pubdice.solve.plain.standings import StandingFinder, alike_results
from pubdice.solve.plain.tallies import WatchedScore
from small_games import Pair


def _found(match: Match[Any, Any], hanging: int = 8) -> StandingFinder:
    shares = (1 / match.seats,) * match.seats
    finder = StandingFinder(match, lambda seats: find_positions(match.game, seats).results, hanging, shares)
    finder.explore(match.start())
    return finder


def _merged(match: Match[Any, Any]) -> MatchGraph:
    return merged(_found(match))


def test_lives_of_two_are_a_standing_each_and_openers_are_seen_from_themselves() -> None:
    finder = _found(Match(mexico.Mexico(), 2, Lives(3)))
    assert len(finder.standings) == 9
    assert {standing.state.tally.points for standing in finder.standings} == {
        (a, b) for a in (1, 2, 3) for b in (1, 2, 3)
    }


def test_results_that_a_format_treats_alike_are_one_end() -> None:
    graph = _merged(Match(mexico.Mexico(), 3, Lives(1)))
    assert int(graph.kinds[3].max()) + 1 == 7, "who is lowest: one, two or all of three"
    assert int(graph.kinds[2].max()) + 1 == 3


def test_the_same_lead_is_the_same_standing_and_what_is_decided_is_no_round_more() -> None:
    finder = _found(Match(Pair(), 2, Rounds(5)))
    graph = merged(finder)
    leads = {(tally.rounds, min(abs(a - b), 6 - tally.rounds)) for tally in finder.number for a, b in [tally.points]}
    assert len(graph.playing) < 2 * len(leads) < len(finder.standings)


def test_a_round_with_two_leaders_waits_for_the_play_off() -> None:
    """The real Mexico lets tied seats play on alone; the standing knows who rests, and who comes back."""
    finder = _found(Match(Mexico(), 3, PlayedOff(1), "loser"))
    resting = [standing.state for standing in finder.standings if standing.state.tally.resting]
    assert {len(state.order) for state in resting} == {2}
    assert all(state.order[0] == 0 for state in resting)


@dataclass(frozen=True, slots=True)
class Rising(Lives):
    """Lives in which the fourth round ends the match, though no rounds are planned."""

    def over(self, tally: Tally) -> bool:
        return Lives.over(self, tally) or tally.rounds >= 4


@dataclass(frozen=True, slots=True)
class Banker(Pot):
    """A pot that ends once somebody is up by two chips: chips had before count."""

    def over(self, tally: Tally) -> bool:
        return Pot.over(self, tally) or max(tally.points) > 2


@dataclass(frozen=True, slots=True)
class Totals(Rounds):
    """Points are scores added up, so every score matters and not who has the best."""

    def settle(self, tally: Tally, result: Result, order: tuple[Seat, ...]) -> Tally:
        points = tuple(have + score for have, score in zip(tally.points, result.scores, strict=True))
        return replace(tally, rounds=tally.rounds + 1, points=points)


@pytest.mark.parametrize("form", [Rising(3), Banker(1, 3)], ids=["rounds", "chips"])
def test_a_format_that_counts_rounds_or_chips_it_should_not_is_refused(form: Format) -> None:
    game = mexico.Mexico() if isinstance(form, Lives) else Pair()
    with pytest.raises(Unsolved) as refused:
        _found(Match(game, 2, form))
    assert refused.value.code == "format"


def test_a_format_that_adds_scores_up_is_asked_about_every_result() -> None:
    match = Match(Pair(), 2, Totals(2))
    finder = _found(match)
    results = find_positions(match.game, 2).results
    after = {tuple(result.scores) for result in results}
    assert {tally.points for tally in finder.number if tally.rounds == 1} == {(b, a) for a, b in after}


def test_watched_scores_note_comparisons_and_refuse_all_else() -> None:
    log: list[Any] = []
    one, two = WatchedScore(4, 0, log), WatchedScore(6, 1, log)
    assert one < two
    assert (one == 6) is False
    assert min([two, one]) is one
    same = alike_results(log, np.array([[4, 6], [1, 2], [6, 7], [2, 2], [5, 3]]))
    assert same.tolist() == [True, True, False, False, False]
    anything: Any = one
    uses = (lambda: anything + two, lambda: hash(one), lambda: str(one), lambda: sum([anything]), lambda: [0][anything])
    for use in uses:
        with pytest.raises(TypeError):
            use()
