"""``quick``: the same frozen values, made faster; what it would drop without a word is refused at once."""

from copy import copy, deepcopy
from dataclasses import FrozenInstanceError, dataclass, field, replace
from pickle import dumps, loads
from typing import Any

import pytest

from pubdice.core.frozen import maker, quick


@quick
@dataclass(frozen=True, slots=True)
class Point:
    """Two fields, one of them usual."""

    x: int
    y: int = 2


def test_a_quick_class_is_the_same_frozen_dataclass() -> None:
    assert Point(1) == Point(1, 2) == Point(y=2, x=1)
    assert hash(Point(1)) == hash(Point(1, 2))
    assert repr(Point(1)) == "Point(x=1, y=2)"
    with pytest.raises(FrozenInstanceError):
        Point(1).x = 3  # type: ignore[misc]


def test_a_quick_value_is_copied_pickled_and_replaced_as_any_other() -> None:
    point = Point(1, 5)
    for other in (copy(point), deepcopy(point), loads(dumps(point)), replace(Point(3, 5), x=1)):
        assert (other, type(other)) == (point, Point)
        with pytest.raises(FrozenInstanceError):
            other.x = 3  # type: ignore[misc]


def test_a_maker_makes_what_the_class_makes() -> None:
    made = maker(Point)
    assert (made(1), made(y=3, x=1), type(made(1))) == (Point(1), Point(1, 3), Point)
    with pytest.raises(FrozenInstanceError):
        made(1).x = 3  # type: ignore[misc]
    with pytest.raises(TypeError, match="missing"):
        made()  # type: ignore[call-arg]


def _checked() -> Any:
    @quick
    @dataclass(frozen=True, slots=True)
    class Checked:
        x: int

        def __post_init__(self) -> None:
            raise ValueError(self.x)

    return Checked


def _made() -> Any:
    @quick
    @dataclass(frozen=True, slots=True)
    class Made:
        x: list[int] = field(default_factory=list)

    return Made


def _named() -> Any:
    @quick
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Named:
        x: int

    return Named


def _left_out() -> Any:
    @quick
    @dataclass(frozen=True, slots=True)
    class LeftOut:
        x: int = field(default=1, init=False)

    return LeftOut


def _inherited() -> Any:
    @quick
    @dataclass(frozen=True, slots=True)
    class Space(Point):
        z: int = 3

    return Space


@pytest.mark.parametrize("kind", [_checked, _made, _named, _left_out, _inherited])
def test_what_quick_would_drop_is_refused_as_the_class_is_made(kind: Any) -> None:
    with pytest.raises(TypeError, match="quick"):
        kind()
