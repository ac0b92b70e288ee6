"""A pocket's engine, saved as one file to keep elsewhere, or replaced by the contents of such a file.

``store.bundle`` describes the file. ``store.disk`` says why a phone that dies meanwhile loses nothing.
"""

import asyncio
from collections.abc import Callable
from io import BytesIO

from pubdice.core.errors import NotStored
from pubdice.games import GAMES
from pubdice.server.backups import StagedHouse, stage
from pubdice.store.bundle import Bundle
from pubdice.store.sqlite.house_files import pack
from pubdice_pocket.browser.engine import BeginAnswer, Engine, Part, PocketRequest
from pubdice_pocket.browser.going_on import read_kept

MOST_BYTES = 100_000_000
"""The most bytes of a file that a phone restores, and of its unpacked contents: about 10,000 matches. Until they are in
place, the phone needs as much space again. A larger file is saved all the same, as a house takes it.
"""


def can_be_read_back(file: bytes) -> bool:
    """True if a phone takes a file that a pocket has saved. A house takes it in either case."""
    try:
        Bundle(BytesIO(file), MOST_BYTES)
    except NotStored:
        return False
    return len(file) <= MOST_BYTES


class Pocket:
    """An engine on a folder. A restore replaces it by the next engine."""

    def __init__(self, make: Callable[[], Engine]) -> None:
        """Open the folder: ``make`` opens an engine on it."""
        self._make = make
        self.engine = make()
        self._running = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()

    async def begin(self) -> None:
        """Start the application's lifespan."""
        await self.engine.begin()
        self._running.set()

    async def answer(self, request: PocketRequest, begin: BeginAnswer, part: Part) -> None:
        """Answer a request, as ``Engine.answer`` does. During a restore it waits for the next engine."""
        await self._running.wait()
        await self.engine.answer(request, begin, part)

    async def go_on(self, kept: str) -> list[str]:
        """Go on as host with the tables that this phone has kept as a guest, in JSON (see ``Engine.go_on``).

        Raises NotStored: "bundle-damaged" or "no-space".
        """
        tables = read_kept(kept)
        await self._running.wait()
        try:
            return await self.engine.go_on(tables)
        except OSError:
            raise NotStored("no-space") from None

    def save(self) -> bytes:
        """Everything in one file: tables, evening, book, the key of the seals, and this browser's cookies.

        Raises NotStored: "house-large", "store-unreadable" or "no-space".
        """
        out = BytesIO()
        try:
            pack(self.engine.store, out)
        except OSError:
            raise NotStored("no-space") from None
        return out.getvalue()

    async def end(self) -> None:
        """Write all pending data, and close the files."""
        async with self._one_at_a_time:
            self._running.clear()
            self.engine.house.closing()
            await self.engine.end()

    async def look(self, data: bytes) -> tuple[int, int]:
        """Check a file as ``restore`` does, and change nothing. Returns the numbers of tables here and in the file.

        Raises NotStored as ``restore``, and with "store-unreadable".
        """
        async with self._one_at_a_time:
            staged = self._stage(data)
            staged.discard()
            return len(self.engine.store.tables()), staged.found.tables

    async def restore(self, data: bytes) -> None:
        """Check a file, then replace everything here by its contents.

        If the file has no cookies or no key of the seals, as from a house, those here stay. Seals that were opened here
        stay opened. A kill at any moment leaves all of the old or all of the new.

        Raises NotStored: "bundle-damaged", "bundle-newer", "bundle-large", "bundle-log" or "no-space". In each case
        nothing has changed.
        """
        async with self._one_at_a_time:
            await self._replace(self._stage(data))

    async def _replace(self, staged: StagedHouse) -> None:
        """End the engine, commit the staged files, and open them. Raises NotStored("no-space")."""
        self._running.clear()
        try:
            self.engine.house.closing()
            await self.engine.end()
            staged.commit()
        except OSError:
            raise NotStored("no-space") from None
        finally:
            staged.discard()
            try:
                self.engine = self._make()  # its store moves committed files into place
                await self.engine.begin()
            finally:
                self._running.set()

    def _stage(self, data: bytes) -> StagedHouse:
        try:
            return stage(BytesIO(data), self.engine.file, GAMES, most=MOST_BYTES)
        except NotStored as error:
            raise NotStored("no-space") if error.code == "store-unwritable" else error from None
