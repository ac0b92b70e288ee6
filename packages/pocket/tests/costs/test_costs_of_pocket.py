"""Costs that are counted, not timed: a request of a pocket's own page, or of a guest's, takes what is written down."""

from pathlib import Path

import pytest

from costs.groups import hold, measured


def test_it_costs_no_more_than_is_written_down(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    hold("pocket", measured("pocket", tmp_path), request.config)
