"""Matches that are too large, remembered in this process and, in a folder, for the next: counting takes half a minute.

In a folder a refusal is kept under a hash of the match and of the source it was counted by: the Python files beside
every class of the game and of the format, and those of ``solve.plain``. So a changed rule is counted again. A rule that
is changed in a file elsewhere is not seen: then a match may still be refused that would be solved, and nothing worse.
"""

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from pubdice.core.errors import Unsolved
from pubdice.match.match import Match
from pubdice.solve import arrays

MOST_REFUSED = 100
"""Refusals that are remembered in this process."""
_REFUSED: dict[Match[Any, Any], Unsolved] = {}
MOST_BYTES = 1_024
"""Of a refusal as JSON."""
LAYOUT = {"refusal": ((MOST_BYTES,), "|u1")}


def remembered(match: Match[Any, Any], folder: Path | None) -> Unsolved | None:
    """The refusal of a match, if there is one that is remembered and not damaged."""
    found = _REFUSED.get(match) or (_kept(match, folder) if folder is not None else None)
    if found is not None:
        _note(match, found)
    return found


def _kept(match: Match[Any, Any], folder: Path) -> Unsolved | None:
    key = _key(match)
    kept = arrays.load(folder, _name(key), key, LAYOUT)
    if kept is None:
        return None
    told = json.loads(kept["refusal"].tobytes().rstrip(b"\0"))
    return Unsolved(told["code"], **told["facts"])


def remember(match: Match[Any, Any], folder: Path | None, refused: Unsolved) -> None:
    """Remember the refusal of a match; in the folder, too, if there is one and it may be written."""
    _note(match, refused.with_traceback(None))
    if folder is None:
        return
    key, told = _key(match), json.dumps({"code": refused.code, "facts": dict(refused.facts)}).encode()
    if len(told) <= MOST_BYTES:
        padded = np.frombuffer(told.ljust(MOST_BYTES, b"\0"), dtype=np.uint8)
        arrays.store(folder, _name(key), key, {"refusal": padded})


def _note(match: Match[Any, Any], refused: Unsolved) -> None:
    if match not in _REFUSED and len(_REFUSED) == MOST_REFUSED:
        del _REFUSED[next(iter(_REFUSED))]
    _REFUSED[match] = refused


def _name(key: str) -> str:
    return f"refused-{key[:16]}"


def _key(match: Match[Any, Any]) -> str:
    """A hash of a match and of the source by which it is counted."""
    summed = sha256(repr(match).encode())
    classes = (*type(match.game).__mro__, *type(match.format).__mro__)
    modules = [sys.modules.get(each.__module__) for each in classes]
    files = {Path(file) for module in modules if (file := getattr(module, "__file__", None)) is not None}
    folders = {file.parent for file in files} | {Path(__file__).parent / "plain"}
    for path in sorted({path for folder in folders for path in folder.glob("*.py")}):
        summed.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return summed.hexdigest()
