"""Fixtures with which what a test does not measure waits for as long as a busy machine takes."""

from collections.abc import Iterator

import pytest

PATIENCE_S = 60.0


@pytest.fixture(scope="session", autouse=True)
def patient_writer() -> Iterator[None]:
    """A store that is closed waits so long for its writer. A test about a late writer sets its own time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pubdice.store.writer.END_WITHIN_S", PATIENCE_S)
        yield


@pytest.fixture
def patient_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house waits so long for its solver before it answers without it."""
    monkeypatch.setattr("pubdice.server.answers.WAIT_S", PATIENCE_S)


@pytest.fixture
def patient_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores in PostgreSQL wait so long for it."""
    monkeypatch.setattr("pubdice_cluster.reader.WITHIN_S", PATIENCE_S)
    monkeypatch.setattr("pubdice_cluster.transactions.KNOWN_WITHIN_S", PATIENCE_S)
