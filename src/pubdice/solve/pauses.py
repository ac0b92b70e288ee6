"""Long computations that can pause, in a process that must answer other requests meanwhile.

A solver calls ``may_pause`` each time it has stored a part of its result. If time is up, ``may_pause`` raises
``PausedError``, which ends the call. The next call finds the stored parts and goes on, so no part is computed twice. A
computation of a minute then delays a player's move by at most one part. Outside ``pausing``, nothing pauses.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar


class PausedError(Exception):
    """Raised when time is up. The parts stored so far are kept, so the caller can ask again and the work goes on."""


_enough: list[Callable[[], bool]] = []


def may_pause() -> None:
    """Raise PausedError if time is up."""
    if _enough and _enough[-1]():
        raise PausedError


@contextmanager
def pausing(enough: Callable[[], bool]) -> Iterator[None]:
    """Make ``may_pause`` raise PausedError within this context, once ``enough()`` is true."""
    _enough.append(enough)
    try:
        yield
    finally:
        _enough.pop()


T = TypeVar("T")
Steps = Generator[None, None, T]
"""A computation as a generator. It yields at each point at which it can pause, and returns its result."""
ShouldYield = Callable[[], bool]
"""A function that returns True once the computation has run long enough and must pause."""


def all_at_once() -> bool:
    """Return False, so the computation never pauses: for callers who wait for the whole result."""
    return False


class ResumableJob(Generic[T]):
    """A computation run in parts. The result does not depend on the pauses."""

    def __init__(self, steps: Steps[T]) -> None:
        self._steps, self._found, self._failed = steps, list[T](), list[BaseException]()

    def go_on(self, enough: ShouldYield = all_at_once) -> T | None:
        """Run at least one step, and further steps until ``enough()`` is true.

        Return the result, or None if there is more to do. Raises the error that the computation raised, also on later
        calls.
        """
        if self._failed:
            raise self._failed[0]
        while not self._found:
            try:
                # a generator that raised cannot be resumed, so PausedError must not pass through it
                with pausing(all_at_once):
                    next(self._steps)
            except StopIteration as done:
                self._found.append(done.value)
                break
            # Ctrl-C too: after any error the generator is finished and cannot be resumed
            except BaseException as error:
                self._failed.append(error)
                raise
            if enough():
                return None
        return self._found[0]

    @property
    def at_once(self) -> T:
        """The result. Runs the rest of the computation without a pause."""
        self.go_on()
        return self._found[0]
