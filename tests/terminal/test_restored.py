"""``join`` at a house whose file is another one when it opens again: an older copy, or one without the table."""

import io
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPMessage
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError

import pytest

from pubdice.store import copy
from pubdice.terminal.console import Console
from pubdice.terminal.join import RemoteGame
from pubdice.terminal.web_client import HouseError, WebTable
from pubdice.text.language import Language
from support.house_process import House
from terminal.house_tables import own_table

WITHIN_S = 20.0
ANEW = "The house restarted. This is the table now."
GONE = "That link isn't complete. Scan the QR code again, or ask for the whole link."
"""Said by a new house, whose links are others."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, limits=False) as opened:
        yield opened


def until(so: Callable[[], bool]) -> None:
    """Wait until it is so."""
    end = time.monotonic() + WITHIN_S
    while not so():
        assert time.monotonic() < end
        time.sleep(0.02)


def ann(house: House) -> WebTable:
    """Ann's table, which she has opened for herself."""
    return own_table(house, name="Ann", people=1, rules={"format": "rounds 5"})


@contextmanager
def watching(address: str) -> Iterator[tuple[RemoteGame, io.StringIO, Thread]]:
    """A spectator in a terminal, and what they are told."""
    told = io.StringIO()
    table = WebTable(address, time.sleep)
    visit = RemoteGame(table, Console(io.StringIO(), told, live=False), Language(), "face", brief=False)
    visit._take_in(table.state())
    thread = Thread(target=visit._listen, daemon=True)
    thread.start()
    try:
        yield visit, told, thread
    finally:
        table.closed = True


def opened_with(house: House, file: Path | None) -> None:
    """Close the house, and open it over this file instead, or a new one."""
    house.stop()
    house.file.unlink()
    if file is not None:
        file.rename(house.file)
    house.open()


def test_after_an_older_copy_was_put_back_the_table_is_told_again_once(house: House, tmp_path: Path) -> None:
    table = ann(house)
    with watching(table.address) as (visit, told, _):
        copy(house.file, tmp_path / "copy.db")
        before = visit.seq
        table.ask("roll")
        table.ask("roll", marks=[0])
        seen = table.ask("roll", marks=[1])["seq"]
        until(lambda: visit.seq == seen)
        opened_with(house, tmp_path / "copy.db")
        until(lambda: visit.seq == before)
        assert told.getvalue().endswith(f"{ANEW}\n{visit.view['whose']['text']}\n")
        after = len(told.getvalue())
        table.ask("roll")
        until(lambda: visit.seq == before + 1)
        until(lambda: "Ann rolled" in told.getvalue()[after:])
        assert told.getvalue().count(ANEW) == 1


@pytest.mark.nightly
def test_who_has_missed_too_much_is_shown_the_table_as_it_stands(house: House) -> None:
    table = ann(house)
    seen = [table.ask("pace", ms=number % 2)["seq"] for number in range(501)][-1]
    [update] = [next(WebTable(table.address, time.sleep).follow(0))]
    assert update["anew"]
    assert (update["seq"], update["log"]) == (seen, [])


def test_who_listens_to_a_table_that_is_no_more_is_told_so_and_leaves(house: House) -> None:
    table = ann(house)
    with watching(table.address) as (visit, told, thread):
        opened_with(house, None)
        thread.join(WITHIN_S)
        assert not thread.is_alive()
        assert told.getvalue().endswith(f"{GONE}\n")
        assert visit.table.closed
        visit.play()
    assert told.getvalue().count(GONE) == 1


@pytest.mark.parametrize(("refusal", "again"), [(429, True), (500, True), (503, True), (403, False), (404, False)])
def test_only_what_is_for_now_is_tried_again(refusal: int, again: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    table = WebTable("http://127.0.0.1:9/t/ABCDEF", asked.append)

    def refuse(*_: object, **__: object) -> None:
        if len(asked) == 3:
            table.closed = True
        raise HTTPError("", refusal, "", HTTPMessage(), io.BytesIO(b'{"why": "No."}'))

    monkeypatch.setattr("pubdice.terminal.web_client.urlopen", refuse)
    if again:
        assert list(table.follow(0)) == []
        assert len(asked) == 3
    else:
        with pytest.raises(HouseError, match=r"No\."):
            list(table.follow(0))
        assert not asked
