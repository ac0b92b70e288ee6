"""Costs that are counted, not timed: every page, cold and warm, and a minute of an idle house, by what is written."""

from pathlib import Path

import pytest

from costs import pages
from costs.contract import too_long
from costs.groups import hold, measured


def test_a_page_costs_no_more_than_is_written_down_and_none_holds_the_loop(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    costs = measured("pages", tmp_path)
    for path in pages.routes():
        cold = f"GET {path.replace('{game}', pages.GAME)}, cold: "
        assert any(name.startswith(cold) for name in costs), path
    hold("pages", costs, request.config)
    assert not too_long(costs), "\n".join(too_long(costs))


def test_no_page_about_another_game_holds_the_loop(tmp_path: Path) -> None:
    costs = measured("other_games", tmp_path)
    assert not too_long(costs), "\n".join(too_long(costs))


def test_an_idle_minute_costs_no_more_than_is_written_down(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    hold("idle", measured("idle", tmp_path), request.config)
