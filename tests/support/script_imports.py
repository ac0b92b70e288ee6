"""What a script of a page imports before it begins."""

import re
from collections.abc import Callable

STATIC_IMPORT = re.compile(rb"^import (?:[^;']*? from )?'\./([\w.]+)';", re.MULTILINE)
"""An import that a script waits for before it begins, unlike ``import('./x.js')``."""


def waited_for(programs: set[str], read: Callable[[str], bytes]) -> set[str]:
    """Scripts, and all that they import before they begin. read: gives a script by its name."""
    found = programs
    while more := {name.decode() for file in found for name in STATIC_IMPORT.findall(read(file))} - found:
        found = found | more
    return found
