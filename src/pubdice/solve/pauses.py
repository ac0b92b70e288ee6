"""Solving in parts: work that can pause, in a process that has nothing else to answer with meanwhile.

A solver that has just stored a part of what it looks for says so (``may_pause``). If time is up, ``PausedError`` ends
the question there; asked again, it finds that part and all before it, and goes on. So every part is worked out once,
and a question that takes a minute never holds a move up for longer than one part. Nothing pauses unless somebody says
for how long it may work (``pausing``).
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar


class PausedError(Exception):
    """Raised when time is up; parts stored so far stay. Ask again."""


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


T = TypeVar("T")
Steps = Generator[None, None, T]
"""Work that yields at each place where it can pause, and returns its result."""
ShouldYield = Callable[[], bool]
"""True once a part has taken long enough."""


def all_at_once() -> bool:
    """Never enough: for those who wait for the whole."""
    return False


class ResumableJob(Generic[T]):
    """Some work, as far as it is done. The result is the same however it is parted."""

    def __init__(self, steps: Steps[T]) -> None:
        self._steps, self._found, self._failed = steps, list[T](), list[BaseException]()

    def go_on(self, enough: ShouldYield = all_at_once) -> T | None:
        """Work until it is enough, one step at least; the result, None if there is more to do.

        Raises what the work raises, whenever it is asked.
        """
        if self._failed:
            raise self._failed[0]
        while not self._found:
            try:
                with pausing(all_at_once):  # a step that was left could not be gone on with
                    next(self._steps)
            except StopIteration as done:
                self._found.append(done.value)
                break
            except BaseException as error:  # Ctrl-C too: steps that were ended can't be gone on with
                self._failed.append(error)
                raise
            if enough():
                return None
        return self._found[0]

    @property
    def at_once(self) -> T:
        """Work to the end without a pause; the result."""
        self.go_on()
        return self._found[0]
