"""Scripts, styles and pictures: files of the house's own, as browsers get them, at addresses that never change."""

import gzip
import re
from functools import cache
from hashlib import sha256
from importlib.resources import files

STATIC = files("pubdice.server") / "web" / "static"
_COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/)[ \t]*$", re.MULTILINE | re.DOTALL)
"""A comment on lines of its own in a script. Without comments, a page has 39 KB instead of 48, compressed. The line
ends stay, so an error has the line number of the source (decision 10).
"""
_BLANK = re.compile(rb"/\*.*?\*/|\s+", re.DOTALL)
_SPARE = re.compile(rb"(?:\s*;)?\s*([{};,>/])\s*|(?<=[:(]) +|(?<![\w.])0(?=\.\d)")
"""Spaces that a style sheet does not need: a tenth of its compressed size. Also the zero that a formatter writes before
a point.
"""
_SIGN = re.compile(rb'content:("[^"]*")/""')
"""A sign that is not read aloud. Safari before 17.4 drops a rule with ``/""``, so the sign alone comes before it."""


@cache
def read_static(name: str) -> bytes:
    """Return a file of the house's own. Raises FileNotFoundError."""
    return (STATIC / name).read_bytes()


@cache
def edition() -> str:
    """Return a hash of all static files together.

    It is a part of their addresses, so scripts that import each other by relative paths come from one version.
    """
    mine = sorted((file.name, file.read_bytes()) for file in STATIC.iterdir() if file.is_file())
    return sha256(b"".join(name.encode() + b"\0" + content for name, content in mine)).hexdigest()[:12]


def link(name: str) -> str:
    """Return the address of a static file. It contains ``edition``, so browsers may cache the file permanently."""
    return f"/static/{edition()}/{name}"


def without_comments(script: bytes) -> bytes:
    """Return a script without the comments on lines of their own. The other lines keep their numbers."""
    return _COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), script)


@cache
def served(name: str) -> bytes:
    """Return a static file without comments, also readable for the oldest browsers. Raises FileNotFoundError."""
    body = read_static(name)
    if name.endswith(".js"):
        body = without_comments(body)
    elif name.endswith(".css"):
        bare = _SPARE.sub(lambda found: found[1] or b"", _BLANK.sub(b" ", body))
        body = _SIGN.sub(rb"content:\1;\g<0>", bare)
    return body


@cache
def compressed(name: str) -> bytes:
    """Return a static file as ``served``, compressed with gzip. Raises FileNotFoundError."""
    return gzip.compress(served(name), compresslevel=9, mtime=0)
