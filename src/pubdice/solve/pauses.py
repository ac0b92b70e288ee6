"""Work that can pause, in a process that must answer other requests meanwhile.

A solver calls ``may_pause`` when it has stored a part of its result. If time is up, ``PausedError`` ends the call. The
next call finds the stored parts and goes on, so no part is computed twice. A computation of a minute delays a move by
one part at most. Nothing pauses outside ``pausing``.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar


class PausedError(Exception):
    """Raised when time is up. The parts stored so far stay. Ask again."""


_enough: list[Callable[[], bool]] = []


def may_pause() -> None:
    """Raise PausedError if time is up."""
    if _enough and _enough[-1]():
        raise PausedError


@contextmanager
def pausing(enough: Callable[[], bool]) -> Iterator[None]:
    """Within this context ``may_pause`` raises PausedError once ``enough()`` is true."""
    _enough.append(enough)
    try:
        yield
    finally:
        _enough.pop()


T = TypeVar("T")
Steps = Generator[None, None, T]
"""Work that yields at each place at which it can pause, and returns its result."""
ShouldYield = Callable[[], bool]
"""True once a part has taken long enough."""


def all_at_once() -> bool:
    """Never pause: for callers who wait for the whole result."""
    return False


class ResumableJob(Generic[T]):
    """A computation run in parts. The result does not depend on the pauses."""

    def __init__(self, steps: Steps[T]) -> None:
        self._steps, self._found, self._failed = steps, list[T](), list[BaseException]()

    def go_on(self, enough: ShouldYield = all_at_once) -> T | None:
        """Run at least one step, until ``enough()`` is true. Returns the result, or None if there is more to do.

        Raises the error that the work raised, also on later calls.
        """
        if self._failed:
            raise self._failed[0]
        while not self._found:
            try:
                with pausing(all_at_once):  # a generator cannot resume a step that raised
                    next(self._steps)
            except StopIteration as done:
                self._found.append(done.value)
                break
            except BaseException as error:  # Ctrl-C too: the generator is finished and cannot go on
                self._failed.append(error)
                raise
            if enough():
                return None
        return self._found[0]

    @property
    def at_once(self) -> T:
        """The result, computed to the end without a pause."""
        self.go_on()
        return self._found[0]
