"""Work that every start would do again, done once before a snapshot of the interpreter's memory is taken.

All modules are imported, static files are read, and a house is opened in memory that shows its front page: then
templates are compiled, catalogues read and regular expressions cached. Nothing of that house stays but these.
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
    """Import and open everything once; returns the number of modules imported."""
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
    except ImportError:  # it needs numpy, or something else that a browser has not
        return False
    return True


def _unheard(*_: object) -> None:
    """Nobody reads what is answered."""
