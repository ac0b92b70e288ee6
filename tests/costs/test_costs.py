"""Costs that are counted, not timed: a start, a match, a deed at a table and memory take what is written down."""

from pathlib import Path

import pytest

from costs.contract import too_long
from costs.groups import hold, measured


@pytest.mark.parametrize("group", ["start", "games", "memory", "terminal", "server", "solving", "jobs"])
def test_it_costs_no_more_than_is_written_down(group: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    hold(group, measured(group, tmp_path), request.config)


def test_a_deed_costs_no_more_than_is_written_down_and_none_holds_the_loop(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    costs = measured("deeds", tmp_path)
    hold("deeds", costs, request.config)
    assert not too_long(costs), "\n".join(too_long(costs))
