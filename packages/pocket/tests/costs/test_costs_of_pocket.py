"""Counted costs, not times: requests of a pocket's own page and of a guest cost as much as is written down."""

from pathlib import Path

import pytest

from costs.groups import hold, measured


def test_it_costs_no_more_than_is_written_down(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    hold("pocket", measured("pocket", tmp_path), request.config)
