"""A pocket that has become larger than what a phone reads back: it is saved all the same, and a house takes it."""

import io
import re
from pathlib import Path

import pytest

from pocket.pockets import at, content, live
from pubdice.core.errors import NotStored
from pubdice.store.bundle import COOKIES, TABLES, Bundle
from pubdice_pocket.browser import pocket
from pubdice_pocket.browser.pocket import Pocket
from support.console import pubdice


async def save(of: Pocket) -> bytes:
    return of.save()


def test_the_page_takes_files_as_large_as_the_engine_does() -> None:
    script = (Path(pocket.__file__).parents[1] / "static/shell_device.js").read_text("utf-8")
    found = re.search(r"const MOST_BYTES = (\d+e\d+);", script)
    assert found
    assert float(found[1]) == pocket.MOST_BYTES


def test_what_a_phone_cannot_read_back_is_saved_and_said_and_a_house_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = live(tmp_path / "pocket").parent
    file = at(folder, save)
    assert pocket.can_be_read_back(file)
    held = sum(part.size for part in Bundle(io.BytesIO(file)).files.values())
    monkeypatch.setattr(pocket, "MOST_BYTES", held - 1)
    before = content(folder / TABLES)

    async def save_and_read_back(of: Pocket) -> bytes:
        large = of.save()
        assert not pocket.can_be_read_back(large), "which the page says as it saves it"
        with pytest.raises(NotStored, match="bundle-large"):
            await of.restore(large)
        return large

    (tmp_path / "large.zip").write_bytes(at(folder, save_and_read_back))
    assert content(folder / TABLES) == before
    (tmp_path / "house").mkdir()
    assert pubdice("restore", str(tmp_path / "large.zip"), data=tmp_path / "house").status == 0
    assert content(tmp_path / "house" / TABLES) == {name: kept for name, kept in before.items() if name != COOKIES}
