"""Tables as large as they were before one took twelve people at most: their logs are kept, and are long."""

import pytest

from pubdice.server.table import ordered_setup


@pytest.fixture
def twenty_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table with twenty seats can be ordered."""
    monkeypatch.setattr(ordered_setup, "MOST_CHAIRS", 20)
