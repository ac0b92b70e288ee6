"""Prepares a snapshot of memory, which can hold no compiled module: all of pubdice that needs none is imported, and the
rest is compiled, to be imported from memory once the snapshot has been restored.
"""

import importlib
import pkgutil
import sys
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
)
from types import CodeType

import pubdice

COMPILED = ("msgspec",)
"""Libraries with compiled modules: what needs them is imported after the snapshot."""
_codes: dict[str, CodeType] = {}


class MemoryLoader(SourceFileLoader):
    """Loads a module from its code in memory, if it was compiled before the snapshot."""

    def get_code(self, fullname: str) -> CodeType | None:
        """A module's code, compiled before the snapshot or now."""
        return _codes.pop(fullname, None) or super().get_code(fullname)


def prepare() -> tuple[int, int]:
    """Import every module of pubdice that needs no compiled library, compile the others: how many of each."""
    kinds = (ExtensionFileLoader, EXTENSION_SUFFIXES), (MemoryLoader, SOURCE_SUFFIXES)
    sys.path_hooks.insert(0, FileFinder.path_hook(*kinds))
    sys.path_importer_cache.clear()
    for name in COMPILED:
        sys.modules[name] = None  # type: ignore[assignment] # so an import of it fails at once
    imported = 0
    for module in pkgutil.walk_packages(pubdice.__path__, "pubdice.", onerror=lambda _: None):
        try:
            importlib.import_module(module.name)
            imported += 1
        except ImportError:
            _compile(module)
    for name in COMPILED:
        del sys.modules[name]
    return imported, len(_codes)


def _compile(module: pkgutil.ModuleInfo) -> None:
    """Keep a module's code, unless a package above it can't be imported either."""
    finder = module.module_finder
    spec = finder.find_spec(module.name, None) if isinstance(finder, FileFinder) else None
    if spec is not None and isinstance(spec.loader, MemoryLoader):
        code = spec.loader.get_code(module.name)
        if code is not None:
            _codes[module.name] = code
