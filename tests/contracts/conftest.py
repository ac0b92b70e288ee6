"""Stores that wait at their end for as long as a busy machine takes."""

import pytest


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each ``close`` waits for its writer."""
    monkeypatch.setattr("pubdice.store.writer.END_WITHIN_S", 60.0)
