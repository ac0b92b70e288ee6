"""Scripts, styles and pictures: files of the house's own, as browsers get them, under addresses that never change."""

import gzip
import re
from functools import cache
from hashlib import sha256
from importlib.resources import files

STATIC = files("pubdice.server") / "web" / "static"
_COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*\*.*?\*/)[ \t]*$", re.MULTILINE | re.DOTALL)
"""A comment that has its lines of a script to itself. Comments are 8.8 KB of a page, compressed, which would have 48 KB
with them instead of 39. Each leaves its line ends, so that an error's line is the source's (decision 10)."""
_BLANK = re.compile(rb"/\*.*?\*/|\s+", re.DOTALL)
_SPARE = re.compile(rb"(?:\s*;)?\s*([{};,>/])\s*|(?<=[:(]) +|(?<![\w.])0(?=\.\d)")
"""Spaces that a style sheet may have and does not need, a tenth of it, compressed; and the zero that a formatter writes
before a point."""


@cache
def read_static(name: str) -> bytes:
    """A file of the house's own. Raises FileNotFoundError."""
    return (STATIC / name).read_bytes()


@cache
def edition() -> str:
    """A hash of all static files together, so that scripts that name each other by relative paths stay together."""
    mine = sorted((file.name, file.read_bytes()) for file in STATIC.iterdir() if file.is_file())
    return sha256(b"".join(name.encode() + b"\0" + content for name, content in mine)).hexdigest()[:12]


def link(name: str) -> str:
    """Where a static file is, under the hash of them all: browsers may cache it permanently."""
    return f"/static/{edition()}/{name}"


def _bare(found: re.Match[bytes]) -> bytes:
    return found[1] or b""


def _line_ends(found: re.Match[bytes]) -> bytes:
    return b"\n" * found[0].count(b"\n")


@cache
def served(name: str) -> tuple[bytes, bytes]:
    """A static file without comments, and the same compressed with gzip. Raises FileNotFoundError."""
    body = read_static(name)
    if name.endswith(".js"):
        body = _COMMENT.sub(_line_ends, body)
    elif name.endswith(".css"):
        body = _SPARE.sub(_bare, _BLANK.sub(b" ", body))
    return body, gzip.compress(body, compresslevel=9, mtime=0)
