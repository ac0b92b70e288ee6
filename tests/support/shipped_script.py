"""A script as it is sent to a browser, held against the file it was written in."""

import re

COMMENT = re.compile(rb"\s*(//|\* |/\*\*(?!.*\*/.*\S))")
"""A line with a comment alone, or the first line of one."""


def check_shipped(written: bytes, sent: bytes, name: str) -> None:
    """Each line is there as written, or empty where it held a comment alone."""
    pairs = list(zip(written.split(b"\n"), sent.split(b"\n"), strict=True))
    changed = [(line.strip(), there) for line, there in pairs if line != there]
    assert all(line.startswith((b"//", b"/**", b"*")) for line, _ in changed), name
    assert not any(there for _, there in changed), name
    assert not any(COMMENT.match(there) for _, there in pairs), name
