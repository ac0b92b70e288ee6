"""Results of which every use is noted, so that one question answers for all results that would be used alike.

A format is asked what follows a result. It may look at the winners and at scores, and most look little: rounds at
winners only, a format of lives at which score is the least. ``WatchedScore`` stands for a score and notes each
comparison with its outcome; another result with the same winners, for which every comparison noted comes out the
same, would have been answered in the same way (a path condition: King, Symbolic execution and program testing,
Communications of the ACM 19, 1976). Anything else done to such a score, such as adding it up, raises TypeError, and the
results are then asked about one by one.
"""

import operator
from collections.abc import Callable
from typing import Any, NoReturn

Comparison = tuple[Callable[[Any, Any], Any], int, "int | None", int, bool]
"""How a score was compared: by what, whose it was, with whose or (None) with which number, and the outcome."""


class WatchedScore:
    """A score that notes what it is compared with."""

    __slots__ = ("log", "seat", "value")

    def __init__(self, value: int, seat: int, log: list[Comparison]) -> None:
        self.value, self.seat, self.log = value, seat, log

    def _compared(self, other: object, how: Callable[[Any, Any], Any]) -> bool:
        if isinstance(other, WatchedScore):
            outcome = bool(how(self.value, other.value))
            self.log.append((how, self.seat, other.seat, 0, outcome))
        elif isinstance(other, int):
            outcome = bool(how(self.value, other))
            self.log.append((how, self.seat, None, other, outcome))
        else:
            raise TypeError(f"a score is compared with {other!r}")
        return outcome

    def __lt__(self, other: object) -> bool:
        return self._compared(other, operator.lt)

    def __le__(self, other: object) -> bool:
        return self._compared(other, operator.le)

    def __gt__(self, other: object) -> bool:
        return self._compared(other, operator.gt)

    def __ge__(self, other: object) -> bool:
        return self._compared(other, operator.ge)

    def __eq__(self, other: object) -> bool:
        return self._compared(other, operator.eq)

    def __ne__(self, other: object) -> bool:
        return self._compared(other, operator.ne)

    def __bool__(self) -> bool:
        return self._compared(0, operator.ne)

    def _used(self, *_: object) -> NoReturn:
        raise TypeError("a score is used other than by comparing it")

    def __hash__(self) -> int:
        raise TypeError("a score is used other than by comparing it")

    __str__ = __repr__ = __format__ = _used
