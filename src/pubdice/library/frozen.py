"""Frozen values of the library say what to do, if a program sets a field."""

from dataclasses import FrozenInstanceError
from typing import Any, TypeVar

Kind = TypeVar("Kind")


def frozen(kind: type[Kind]) -> type[Kind]:
    """Refuse every new value of a field, in one sentence.

    The method that a frozen dataclass with slots has itself fails on a name that is no field: ``super()`` then names
    the class before its slots were made.
    """

    def refuse(self: object, name: str, *value: Any) -> None:
        raise FrozenInstanceError(f"{type(self).__name__}.{name} can't be set. Its methods return new values.")

    kind.__setattr__ = refuse  # type: ignore[method-assign]
    kind.__delattr__ = refuse  # type: ignore[method-assign]
    return kind
