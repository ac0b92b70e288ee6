"""The engine for a page's worker: JavaScript's values in and out. Runs in Pyodide only."""

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
    """A ``Pocket`` that takes and returns JavaScript's values."""

    def __init__(self, engine: Pocket) -> None:
        self._engine = engine

    def answer(self, asked: Any, begin: Any, part: Any) -> Any:
        """Start a task that answers a request {method, target, headers, body, near, guest, phone}. JavaScript may await
        or cancel it.
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
        """Everything in one file, as [a Uint8Array, True if a phone can read it back].

        If there can be no file, the reason as text in the language of ``tag``.
        """
        try:
            file = self._engine.save()
            return to_js((file, can_be_read_back(file)))
        except NotStored as error:
            return refused_file(language(choose(tag, None)), error)

    def look(self, file: Any, tag: str) -> Any:
        """Start a task that checks a file before a restore. It gives the numbers of tables here and in the file, or the
        reason against it as text.
        """
        return asyncio.ensure_future(self._look(bytes(file.to_py()), tag))

    async def _look(self, data: bytes, tag: str) -> Any:
        try:
            return to_js(await self._engine.look(data))
        except NotStored as error:
            return refused_file(language(choose(tag, None)), error)

    def restore(self, file: Any, tag: str) -> Any:
        """Start a task that puts a file's contents (a Uint8Array) in place. It gives "" or the reason for no change."""
        return asyncio.ensure_future(self._restore(bytes(file.to_py()), tag))

    async def _restore(self, data: bytes, tag: str) -> str:
        try:
            await self._engine.restore(data)
        except NotStored as error:
            return refused_file(language(choose(tag, None)), error)
        return ""

    def go_on(self, kept: str) -> Any:
        """Start a task that goes on with the tables that this phone has kept as a guest, in JSON.

        It gives their paths, without tables that cannot go on.
        """
        return asyncio.ensure_future(self._go_on(kept))

    async def _go_on(self, kept: str) -> Any:
        try:
            return to_js(await self._engine.go_on(kept))
        except NotStored:
            return to_js([])

    def end(self) -> Any:
        """Start a task that writes all pending data and closes the files."""
        return asyncio.ensure_future(self._engine.end())


async def open_engine(folder: str, prefix: str, origin: str) -> Any:
    """The engine on a folder, begun. ``prefix`` and ``origin`` are the folder's path and host in the browser."""
    engine = Pocket(partial(Engine, Path(folder), time.time_ns, secrets.token_bytes, prefix=prefix, origin=origin))
    await engine.begin()
    return create_proxy(JsEngine(engine))
