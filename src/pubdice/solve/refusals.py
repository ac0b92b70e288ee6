"""A cache of refusals: matches that are too large to solve, in memory and in a folder for the next process.

Finding out that a match is too large takes up to half a minute. The key in the folder is a hash of the match and of the
source that counts it: all Python files beside each class of the game and of the format, and the files of
``solve.plain``. So after a change of the rules the match is counted again. A change in a file elsewhere goes unnoticed.
At worst, a match that could now be solved is still refused.
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
"""The most refusals held in memory."""
_REFUSED: dict[Match[Any, Any], Unsolved] = {}
MOST_BYTES = 1_024
"""The most bytes of a refusal, as JSON, that the folder keeps."""
LAYOUT = {"refusal": ((MOST_BYTES,), "|u1")}


def remembered(match: Match[Any, Any], folder: Path | None) -> Unsolved | None:
    """Return the cached refusal of a match, or None if there is none or its file is damaged."""
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
    """Cache the refusal of a match. If a folder is given and writable, cache it there too."""
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
    summed = sha256(repr(match).encode())
    classes = (*type(match.game).__mro__, *type(match.format).__mro__)
    modules = [sys.modules.get(each.__module__) for each in classes]
    files = {Path(file) for module in modules if (file := getattr(module, "__file__", None)) is not None}
    folders = {file.parent for file in files} | {Path(__file__).parent / "plain"}
    for path in sorted({path for folder in folders for path in folder.glob("*.py")}):
        summed.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return summed.hexdigest()
