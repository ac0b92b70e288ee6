"""The house on a phone, which can be saved as one file, and replaced by the contents of such a file.

``store.bundle`` describes the file. ``store.disk`` explains why nothing is lost if the phone dies meanwhile.
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
"""The most bytes of a file that a phone restores, and of its unpacked contents: about 10,000 matches. While it
restores, the phone needs as much space again. A larger file can still be saved, since a served house accepts it."""


def can_be_read_back(file: bytes) -> bool:
    """Return True if a phone accepts a file that a pocket has saved. A served house accepts it in either case."""
    try:
        Bundle(BytesIO(file), MOST_BYTES)
    except NotStored:
        return False
    return len(file) <= MOST_BYTES


class Pocket:
    """A holder of the current engine of a folder. A restore replaces the engine, and requests wait meanwhile."""

    def __init__(self, make: Callable[[], Engine]) -> None:
        """Open the folder. ``make`` opens an engine on it."""
        self._make = make
        self.engine = make()
        self._running = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()

    async def begin(self) -> None:
        """Start the application's lifespan."""
        await self.engine.begin()
        self._running.set()

    async def answer(self, request: PocketRequest, begin: BeginAnswer, part: Part) -> None:
        """Answer a request, as ``Engine.answer``. During a restore, wait for the new engine."""
        await self._running.wait()
        await self.engine.answer(request, begin, part)

    async def go_on(self, kept: str) -> list[str]:
        """Go on as host with the tables that this phone has kept as a guest. ``kept`` is JSON (see ``Engine.go_on``).

        Raises NotStored: "bundle-damaged" or "no-space".
        """
        tables = read_kept(kept)
        await self._running.wait()
        try:
            return await self.engine.go_on(tables)
        except OSError:
            raise NotStored("no-space") from None

    def save(self) -> bytes:
        """Return the whole house in one file: the tables, the current evening, the players' book, the key of the seals,
        and this browser's cookies.

        Raises NotStored: "house-large", "store-unreadable" or "no-space".
        """
        out = BytesIO()
        try:
            pack(self.engine.store, out)
        except OSError:
            raise NotStored("no-space") from None
        return out.getvalue()

    async def end(self) -> None:
        """Write all data that is still to be stored, and close the files."""
        async with self._one_at_a_time:
            self._running.clear()
            self.engine.house.closing()
            await self.engine.end()

    async def look(self, data: bytes) -> tuple[int, int]:
        """Check a file as ``restore`` does, but change nothing. Return the numbers of tables here and in the file.

        Raises NotStored as ``restore`` does, and also with "store-unreadable".
        """
        async with self._one_at_a_time:
            staged = self._stage(data)
            staged.discard()
            return len(self.engine.store.tables()), staged.found.tables

    async def restore(self, data: bytes) -> None:
        """Check a file, then replace the whole house by its contents.

        A file from a served house has no cookies and no key of the seals. Then the present ones stay. Seals that were
        opened here stay opened. If the process is killed, all of the old house or all of the new one is left.

        Raises NotStored: "bundle-damaged", "bundle-newer", "bundle-large", "bundle-log" or "no-space". In each case
        nothing has changed.
        """
        async with self._one_at_a_time:
            await self._replace(self._stage(data))

    async def _replace(self, staged: StagedHouse) -> None:
        """End the engine, commit the staged (prepared) files, and open a new engine on them. Raises
        NotStored("no-space").
        """
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
                self.engine = self._make()  # the new store moves the committed files into their places
                await self.engine.begin()
            finally:
                self._running.set()

    def _stage(self, data: bytes) -> StagedHouse:
        try:
            return stage(BytesIO(data), self.engine.file, GAMES, most=MOST_BYTES)
        except NotStored as error:
            raise NotStored("no-space") if error.code == "store-unwritable" else error from None
