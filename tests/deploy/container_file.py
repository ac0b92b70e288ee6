"""The container file, read: its instructions, and what the last stage sets."""

import re

from deploy.deployed import DEPLOY

FILE = DEPLOY / "Containerfile"


def instructions(text: str) -> list[tuple[str, str]]:
    """Each instruction with its words, in order; lines that go on are one."""
    joined = re.sub(r"\\\n\s*", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in joined.splitlines() if line.strip()]


def last_stage() -> dict[str, list[str]]:
    """The instructions of what is run, without those of what builds it."""
    found: dict[str, list[str]] = {}
    for name, words in instructions(FILE.read_text("utf-8")):
        if name == "FROM":
            found = {}
        found.setdefault(name, []).append(words)
    return found


def environment() -> dict[str, str]:
    """The variables that the image sets."""
    return dict(pair.split("=", 1) for words in last_stage()["ENV"] for pair in words.split())


def quoted(words: str) -> list[str]:
    """The words of an instruction in its form as a list."""
    return re.findall(r'"([^"]+)"', words)
