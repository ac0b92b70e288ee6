"""The engine as the worker of a page calls it, with JavaScript values in and out. It runs in Pyodide only."""

import asyncio
import secrets
import time
from functools import partial
from pathlib import Path
from typing import Any

from pyodide.ffi import create_proxy, to_js  # type: ignore[import-not-found]

from pubdice.core.errors import NotStored
from pubdice.server.backups import refused_file
from pubdice.text.catalogues import choose, language
from pubdice_pocket.browser.engine import Engine, PocketRequest
from pubdice_pocket.browser.pocket import Pocket, can_be_read_back


class JsEngine:
    """A ``Pocket`` that takes and returns JavaScript values."""

    def __init__(self, engine: Pocket) -> None:
        self._engine = engine

    def answer(self, asked: Any, begin: Any, part: Any) -> Any:
        """Start a task that answers a request {method, target, headers, body, near, guest, phone}. Return the task,
        which JavaScript may await or cancel.
        """
        headers = [(name, value) for name, value in asked.headers.to_py()]
        body = bytes(asked.body.to_py())
        request = PocketRequest(asked.method, asked.target, headers, body, asked.near, asked.guest, asked.phone)
        answer = self._engine.answer(
            request,
            lambda status, sent: begin(status, to_js(sent)),
            lambda piece, more: part(to_js(piece), more),
        )
        return asyncio.ensure_future(answer)

    def save(self, tag: str) -> Any:
        """Return the whole house in one file, as [a Uint8Array, True if a phone can read it back].

        If no file can be made, return the reason as text, in the language of ``tag``.
        """
        try:
            file = self._engine.save()
            return to_js((file, can_be_read_back(file)))
        except NotStored as error:
            return refused_file(language(choose(tag, None)), error)

    def look(self, file: Any, tag: str) -> Any:
        """Start a task that checks a file before it is restored. Its result is the numbers of tables here and in the
        file. If the file cannot be restored, its result is the reason as text.
        """
        return asyncio.ensure_future(self._look(bytes(file.to_py()), tag))

    async def _look(self, data: bytes, tag: str) -> Any:
        try:
            return to_js(await self._engine.look(data))
        except NotStored as error:
            return refused_file(language(choose(tag, None)), error)

    def restore(self, file: Any, tag: str) -> Any:
        """Start a task that replaces the house by the contents of a file (a Uint8Array). Its result is "", or the
        reason why nothing has changed.
        """
        return asyncio.ensure_future(self._restore(bytes(file.to_py()), tag))

    async def _restore(self, data: bytes, tag: str) -> str:
        try:
            await self._engine.restore(data)
        except NotStored as error:
            return refused_file(language(choose(tag, None)), error)
        return ""

    def go_on(self, kept: str) -> Any:
        """Start a task that goes on with the tables that this phone has kept as a guest. ``kept`` is JSON.

        Its result is the paths of the tables that can go on.
        """
        return asyncio.ensure_future(self._go_on(kept))

    async def _go_on(self, kept: str) -> Any:
        try:
            return to_js(await self._engine.go_on(kept))
        except NotStored:
            return to_js([])

    def end(self) -> Any:
        """Start a task that writes all data that is still to be stored, and closes the files."""
        return asyncio.ensure_future(self._engine.end())


async def open_engine(folder: str, prefix: str, origin: str) -> Any:
    """Open and start the engine of a folder. ``prefix`` is the path of the pocket on its host, and ``origin`` is the
    host's origin.
    """
    engine = Pocket(partial(Engine, Path(folder), time.time_ns, secrets.token_bytes, prefix=prefix, origin=origin))
    await engine.begin()
    return create_proxy(JsEngine(engine))
