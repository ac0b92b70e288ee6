"""Costs that are counted, not timed: a start, a deed, an idle minute and a solved match cost what is written down."""

from pathlib import Path

import pytest

from costs.contract import too_long
from costs.groups import hold, measured


@pytest.mark.parametrize("group", ["start", "server", "solving", "idle"])
def test_it_costs_no_more_than_is_written_down(group: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    hold(group, measured(group, tmp_path), request.config)


def test_a_deed_costs_what_is_written_and_holds_no_loop(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    costs = measured("deeds", tmp_path)
    hold("deeds", costs, request.config)
    assert not too_long(costs), "\n".join(too_long(costs))


def test_no_page_holds_the_event_loop(tmp_path: Path) -> None:
    costs = measured("pages", tmp_path)
    assert not too_long(costs), "\n".join(too_long(costs))
