"""Costs of an idle house over PostgreSQL (tests/costs/README.md)."""

from pathlib import Path

import pytest

from costs.groups import hold, measured
from support.postgres import database


def test_an_idle_minute_over_postgresql_costs_what_is_written(
    tmp_path: Path, postgres_server: str, empty_database: str, request: pytest.FixtureRequest
) -> None:
    with database(postgres_server):
        hold("idle_postgres", measured("idle_postgres", tmp_path, empty_database), request.config)
