"""Work that each start would repeat. The build does it once, before it takes a snapshot of the interpreter's memory.

The work is to import all modules, read static files, open a house in a temporary folder and show its front page. That
compiles templates, reads catalogues and caches regular expressions. That house itself is deleted afterwards.
"""

import gc
import importlib
import pkgutil
import secrets
import shutil
import tempfile
import time
from pathlib import Path

import pubdice
import pubdice_pocket
from pubdice.server.web import render, static_files
from pubdice.text.catalogues import CODES
from pubdice_pocket.browser.engine import Engine, PocketRequest


async def warm_up() -> int:
    """Import and open everything once. Return the number of modules imported."""
    imported = 0
    for package in (pubdice, pubdice_pocket):
        modules = pkgutil.walk_packages(package.__path__, f"{package.__name__}.", _unheard)
        imported += sum(_is_imported(module.name) for module in modules)
    for name in render.templates():
        render.load(name)
    for file in static_files.STATIC.iterdir():
        static_files.served(file.name)
    folder = Path(tempfile.mkdtemp())
    engine = Engine(folder, time.time_ns, secrets.token_bytes)
    for tag in CODES:
        headers = [("accept", "text/html"), ("accept-language", tag)]
        await engine.answer(PocketRequest("GET", "/", headers, b""), _unheard, _unheard)
    engine.close()
    shutil.rmtree(folder)
    del engine
    gc.collect()
    return imported


def _is_imported(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:  # the module needs numpy, or something else that a browser lacks
        return False
    return True


def _unheard(*_: object) -> None:
    """Ignore an answer."""
