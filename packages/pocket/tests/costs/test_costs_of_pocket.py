"""Tests of counted costs (not times): requests from a pocket's own page and from a guest cost no more than is written
down.
"""

from pathlib import Path

import pytest

from costs.groups import hold, measured


def test_it_costs_no_more_than_is_written_down(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    hold("pocket", measured("pocket", tmp_path), request.config)
