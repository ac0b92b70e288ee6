"""The engine of a pocket, saved as one file to keep elsewhere, and replaced by what such a file holds.

See ``store.bundle`` for the file, and ``store.disk`` for why a phone that dies meanwhile loses nothing.
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
"""Of a file, and of its contents, unpacked: some 10,000 matches. The phone needs as much space again until they are in
place. More than that is saved all the same, as a house takes it."""


def can_be_read_back(file: bytes) -> bool:
    """True if a phone takes a file that a pocket has saved; if not, a house does."""
    try:
        Bundle(BytesIO(file), MOST_BYTES)
    except NotStored:
        return False
    return len(file) <= MOST_BYTES


class Pocket:
    """An engine on a folder, and the next one once a file is restored."""

    def __init__(self, make: Callable[[], Engine]) -> None:
        """make: opens the engine on what the folder holds."""
        self._make = make
        self.engine = make()
        self._running = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()

    async def begin(self) -> None:
        """Start the application's lifespan."""
        await self.engine.begin()
        self._running.set()

    async def answer(self, request: PocketRequest, begin: BeginAnswer, part: Part) -> None:
        """Answer a request, as ``Engine.answer`` does; while a file is restored it waits for the next engine."""
        await self._running.wait()
        await self.engine.answer(request, begin, part)

    async def go_on(self, kept: str) -> list[str]:
        """Go on as host with the tables that this phone has kept as a guest, in JSON; see ``Engine.go_on``.

        NotStored("bundle-damaged"), ("no-space").
        """
        tables = read_kept(kept)
        await self._running.wait()
        try:
            return await self.engine.go_on(tables)
        except OSError:
            raise NotStored("no-space") from None

    def save(self) -> bytes:
        """Everything in one file: tables, evening, book, the key of the seals, and who this browser is.

        NotStored("house-large"), ("store-unreadable"), ("no-space").
        """
        out = BytesIO()
        try:
            pack(self.engine.store, out)
        except OSError:
            raise NotStored("no-space") from None
        return out.getvalue()

    async def end(self) -> None:
        """Write what waits, and close the files."""
        async with self._one_at_a_time:
            self._running.clear()
            self.engine.house.closing()
            await self.engine.end()

    async def look(self, data: bytes) -> tuple[int, int]:
        """Check a file as ``restore`` does, and change nothing: the number of tables here, and in the file.

        NotStored as ``restore``, and ("store-unreadable").
        """
        async with self._one_at_a_time:
            staged = self._stage(data)
            staged.discard()
            return len(self.engine.store.tables()), staged.found.tables

    async def restore(self, data: bytes) -> None:
        """Put everything that a file holds in the place of what is here, once it has been checked.

        Cookies, and the key of the seals, stay: a house's file does not hold them. Seals that were opened here stay
        opened. NotStored("bundle-damaged"), ("bundle-newer"), ("bundle-large"), ("bundle-log"), ("no-space"): nothing
        has changed then. A kill at any moment leaves all of the old or all of the new.
        """
        async with self._one_at_a_time:
            await self._replace(self._stage(data))

    async def _replace(self, staged: StagedHouse) -> None:
        """End the engine, let the staged files count, and open them. Raises NotStored("no-space")."""
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
                self.engine = self._make()  # its store puts in place what counts
                await self.engine.begin()
            finally:
                self._running.set()

    def _stage(self, data: bytes) -> StagedHouse:
        try:
            return stage(BytesIO(data), self.engine.file, GAMES, most=MOST_BYTES)
        except NotStored as error:
            raise NotStored("no-space") if error.code == "store-unwritable" else error from None
