"""Damaged files of a pocket, in ordinary Python: what is said, what still works, and that nothing is overwritten."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

from pocket.pockets import GOES_ON, Answered, at, content, live, page, pocket
from pubdice.core.errors import NotStored
from pubdice.server.backups import refused_file
from pubdice.server.table.house import House
from pubdice.store.bundle import BOOK, COOKIES, KEY, OPENED, TABLES
from pubdice.store.sqlite.house_files import bundle_path
from pubdice.text.catalogues import language
from pubdice_pocket.browser.pocket import Pocket

WITHIN_S = 10
SPOILT = b"\xaa" * 4096
Damage = Callable[[bytes], bytes]


def head(contents: bytes) -> bytes:
    """As where a disk lost the first block."""
    return SPOILT[: len(contents)] + contents[4096:]


def middle(contents: bytes) -> bytes:
    """As where a disk lost a block in the middle, which holds lines of a log or of an index."""
    half = len(contents) // 2
    return contents[:half] + SPOILT + contents[half + 4096 :]


def cut(contents: bytes) -> bytes:
    """As where a phone died while a file grew."""
    return contents[: len(contents) // 3]


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = live(tmp_path_factory.mktemp("lived") / "pocket").parent

    async def once(of: Pocket) -> Answered:
        return await page(of, "/")

    assert at(folder, once).status == 200
    return folder


@pytest.fixture
def folder(lived: Path, tmp_path: Path) -> Path:
    return shutil.copytree(lived, tmp_path / "pocket")


def spoil(folder: Path, name: str, how: Damage) -> tuple[Path, bytes]:
    """Damage a file; where it lies, and what it held."""
    file = bundle_path(folder / TABLES, name)
    before = file.read_bytes()
    file.write_bytes(how(before))
    return file, before


async def nothing(of: Pocket) -> None:
    """Only open and close."""


@pytest.mark.parametrize(
    ("name", "how"), [(TABLES, head), (TABLES, cut), (BOOK, head), (BOOK, cut), (KEY, cut), (KEY, head), (OPENED, head)]
)
def test_a_damaged_file_keeps_the_house_shut_and_stays_as_it_is(folder: Path, name: str, how: Damage) -> None:
    whole = content(folder / TABLES)
    file, before = spoil(folder, name, how)
    damaged = file.read_bytes()
    with pytest.raises(NotStored, match=r"store-unreadable|secret-file"):  # the shell's words go by these
        at(folder, nothing)
    assert file.read_bytes() == damaged
    file.write_bytes(before)
    assert content(folder / TABLES) == whole, "all the others were left alone too"


IN_THE_MIDDLE = "REALDC", "DRYNKS"
"""The tables whose lines lie in the page in the middle of the tables' file, or are found through it."""


def test_a_damaged_page_of_the_tables_costs_no_other(folder: Path) -> None:
    whole = content(folder / TABLES)
    file, before = spoil(folder, TABLES, middle)
    damaged = file.read_bytes()

    async def asked(of: Pocket) -> tuple[list[Answered], str]:
        targets = "/", "/book", "/record", *(f"/t/{code}" for code in IN_THE_MIDDLE)
        answers = [await page(of, target) for target in targets]
        with pytest.raises(NotStored) as refused:
            of.save()
        return answers, refused_file(language("en"), refused.value)

    answers, refused = at(folder, asked)
    assert [answer.status for answer in answers] == [200, 200, 200, 503, 503]
    for table in answers[3:]:
        assert "The file of this table is damaged. Nothing was changed." in table.text
    assert refused == (
        "Some tables here are damaged, so not everything fits into a file. You can still save each table that opens."
    )
    assert file.read_bytes() == damaged
    file.write_bytes(before)
    at(folder, nothing)
    assert content(folder / TABLES)[TABLES] == whole[TABLES]


def test_a_damaged_page_of_the_book_costs_no_table(folder: Path) -> None:
    file, before = spoil(folder, BOOK, middle)

    async def asked(of: Pocket) -> list[int]:
        return [(await page(of, target)).status for target in ("/", f"/t/{GOES_ON}", "/t/SHYPPP/record", "/book")]

    assert at(folder, asked) == [200, 200, 200, 503]
    assert file.read_bytes() == middle(before)


def test_damaged_cookies_cost_no_table(folder: Path) -> None:
    spoil(folder, COOKIES, head)

    async def asked(of: Pocket) -> list[int]:
        return [(await page(of, target)).status for target in ("/", f"/t/{GOES_ON}", "/t/SHYPPP/record", "/book")]

    assert at(folder, asked) == [200] * 4


def test_a_start_that_fails_is_told_at_once(folder: Path) -> None:
    """The page says that Pubdice couldn't start; it waited for 45 s, and said that the start is slow."""

    async def begun() -> None:
        await asyncio.wait_for(pocket(folder).begin(), WITHIN_S)

    with (
        patch.object(House, "heartbeat", side_effect=ValueError("spoilt")),
        pytest.raises(ValueError, match="spoilt"),
    ):
        asyncio.run(begun())
