"""Tests of other files, with two houses over one database. Each request goes to one of the two at random.

A player at a page must not notice that there are two houses.
"""

from collections.abc import Callable, Iterator
from functools import wraps

import pytest

pytest.importorskip("pubdice_cluster", reason="no PostgreSQL: the extra `cluster` brings it")
from browser import test_lessons, test_whole_games
from browser.test_come_back import (  # noqa: F401 - tests that are run here again: what one house has to learn of the other
    test_a_lost_seat_is_voted_a_bot_and_given_back_on_return,
    test_a_rematch_by_one_tap_brings_everybody_along,
    test_a_seat_is_taken_on_another_phone_by_its_four_words_and_both_stay_in_step,
)
from cluster.houses import houses
from support.browser import BEHIND
from support.postgres import database
from support.random_proxy import RandomProxy

USUAL = {"reduced_motion": "reduce"}
"""Dice land at once. Other files test how they fall."""


def at_night(test: Callable[..., None]) -> Callable[..., None]:
    """Return a copy of a test that runs only nightly. The test itself stays as it is in its own file."""

    @wraps(test)
    def again(**told: object) -> None:
        test(**told)

    marked: Callable[..., None] = pytest.mark.nightly(again)
    return marked


test_a_costly_choice_is_heard_and_nothing_happens_until_it_is_made_again = at_night(
    test_lessons.test_a_costly_choice_is_heard_and_nothing_happens_until_it_is_made_again
)
test_two_people_play_each_other_by_ear_and_hear_the_same = at_night(
    test_whole_games.test_two_people_play_each_other_by_ear_and_hear_the_same
)


@pytest.fixture
def most_warnings() -> int:
    """Return the most warnings of one choice. Each of the two houses may warn once."""
    return 2


@pytest.fixture(scope="module")
def inn(postgres_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RandomProxy]:
    """Two houses, behind a proxy that picks one at random."""
    with (
        database(postgres_server) as address,
        houses(address, tmp_path_factory.mktemp("houses"), 2, *BEHIND) as two,
        RandomProxy([house.port for house in two], "two houses") as proxy,
    ):
        yield proxy
        assert min(proxy.asked[house.port] for house in two) > 10, "each was asked"
        for house in two:
            assert "Traceback" not in house.errors()
