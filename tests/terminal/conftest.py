"""A house for the tests of the terminal: its own process and file, and real sockets."""

from collections.abc import Iterator

import pytest

from support.house_process import House


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that waits for its stream for as long as a busy machine takes."""
    monkeypatch.setattr("pubdice.terminal.join.SHOWN_WITHIN_S", 60.0)


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One for all tests of this folder that bring none of their own."""
    with House(tmp_path_factory.mktemp("house"), limits=False) as opened:
        yield opened
