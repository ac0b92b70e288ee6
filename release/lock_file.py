"""A lock of dependencies with hashes, as uv writes it: ``deploy/requirements.txt`` and ``release/tools.txt``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_HASH = re.compile(r"--hash=(sha256:[0-9a-f]{64})\b")
_VIA = re.compile(r"#\s+(?:via\s+)?(\S+)")


@dataclass(frozen=True, slots=True)
class Locked:
    """A package that is locked. hashes: of all its files; via: the packages that need it."""

    name: str
    version: str
    marker: str
    hashes: frozenset[str]
    via: frozenset[str]


def read_lock(file: Path) -> tuple[Locked, ...]:
    """Every package of a lock; one that differs by Python's version stands there twice. Raises ValueError."""
    return tuple(_locked(block) for block in _blocks(file.read_text("utf-8")))


def _blocks(text: str) -> Iterator[list[str]]:
    """The lines of each package: the first begins in the first column."""
    block: list[str] = []
    for line in text.splitlines():
        if line.startswith("#"):  # the head, and at the end what uv has left out
            continue
        if line[:1] not in ("", " "):
            if block:
                yield block
            block = []
        if block or line[:1] not in ("", " "):
            block.append(line)
    if block:
        yield block


def _locked(block: list[str]) -> Locked:
    asked = Requirement(block[0].removesuffix("\\").strip())
    (pinned,) = asked.specifier
    if pinned.operator != "==" or asked.url:
        raise ValueError(f"{asked} is not pinned")
    hashes = frozenset(_HASH.findall("\n".join(block)))
    if not hashes:
        raise ValueError(f"{asked} has no hash")
    via = [found[1] for line in block[1:] if (found := _VIA.search(line)) and found[1] != "via"]
    marker = "" if asked.marker is None else str(asked.marker)
    return Locked(canonicalize_name(asked.name), pinned.version, marker, hashes, frozenset(via))
