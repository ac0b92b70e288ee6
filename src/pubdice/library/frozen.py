"""A decorator for the library's frozen values. If a program sets a field, the error says what to do instead."""

from dataclasses import FrozenInstanceError
from typing import Any, TypeVar

Kind = TypeVar("Kind")


def frozen(kind: type[Kind]) -> type[Kind]:
    """Make every assignment to a field raise FrozenInstanceError with one sentence.

    The method that Python gives a frozen dataclass with slots fails with a TypeError on a name that is no field,
    because its ``super()`` names the class as it was before its slots were made.
    """

    def refuse(self: object, name: str, *value: Any) -> None:
        raise FrozenInstanceError(f"{type(self).__name__}.{name} can't be set. Its methods return new values.")

    kind.__setattr__ = refuse  # type: ignore[method-assign]
    kind.__delattr__ = refuse  # type: ignore[method-assign]
    return kind
