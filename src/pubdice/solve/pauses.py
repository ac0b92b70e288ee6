"""Where solving may be left for a while, in a process that has nothing else to answer with meanwhile.

A solver that has just stored a part of what it looks for says so (``may_pause``). If time is up, ``PausedError`` ends
the question there; asked again, it finds that part and all before it, and goes on. So every part is worked out once,
and a question that takes a minute never holds a move up for longer than one part. Nothing pauses unless somebody says
for how long it may work (``pausing``).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class PausedError(Exception):
    """Time is up; what was stored so far stays. Ask again."""


_enough: list[Callable[[], bool]] = []


def may_pause() -> None:
    """Leave the work here if time is up. Raises PausedError."""
    if _enough and _enough[-1]():
        raise PausedError


@contextmanager
def pausing(enough: Callable[[], bool]) -> Iterator[None]:
    """Let work pause where it may, once it is enough."""
    _enough.append(enough)
    try:
        yield
    finally:
        _enough.pop()
