"""Finds the place of a house by its address: a file, or a place that an installed package makes for the address's
scheme.

Such a package has an entry point in the group ``pubdice.stores``. The entry point's name is the scheme. It refers to a
function that takes the address and returns its ``HousePlace``. ``docs/contribute/annexes.md`` shows a whole package.
"""

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import cast

from pubdice.core.errors import NotStored
from pubdice.failures import reason_of
from pubdice.server.file_place import FilePlace
from pubdice.server.house_place import HousePlace

GROUP = "pubdice.stores"
OWN = ("postgres", "postgresql")
"""The schemes of pubdice's own annex, which the extra ``cluster`` installs."""


def read_place(word: str) -> HousePlace:
    """Return the place at a path or an address. Raises NotStored("no-driver"), ("bad-address") or ("store-broken").

    Any word with ``://`` is an address, never a path.
    """
    scheme, is_address, _ = word.partition("://")
    if not is_address:
        return FilePlace(Path(word))
    scheme = scheme.lower()
    found = sorted(entry_points(group=GROUP, name=scheme), key=lambda entry: entry.value)
    if not found:
        raise NotStored("no-driver" if scheme in OWN else "bad-address")
    try:
        read = cast(Callable[[str], HousePlace], found[0].load())
    except Exception as error:  # noqa: BLE001 - a stranger's package, which may raise anything as it is imported
        if scheme in OWN and isinstance(error, ImportError):
            raise NotStored("no-driver") from None
        raise NotStored("store-broken", command=f"{scheme}://", why=reason_of(error)) from None
    return read(word)
