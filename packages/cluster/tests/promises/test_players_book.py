"""The core's tests for players' books, run over PostgreSQL."""

import pytest

from contracts.test_players_books import *  # noqa: F403
from pubdice_cluster.players import PlayersTables

pytestmark = pytest.mark.usefixtures("patient_database")


@pytest.fixture  # type: ignore[no-redef]
def opened(empty_database: str) -> PlayersTables:
    return PlayersTables(empty_database)
