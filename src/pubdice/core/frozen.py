"""Frozen dataclasses whose values are made quickly. Knows dataclasses only."""

from dataclasses import MISSING, fields
from typing import TypeVar

T = TypeVar("T")


def quick(cls: type[T]) -> type[T]:
    """A frozen, slotted dataclass with an ``__init__`` that fills its slots directly; nothing else about it changes.

    The ``__init__`` that dataclass writes for a frozen class goes through ``object.__setattr__``, which looks every
    field up by name. For states, of which every move makes several: a match
    takes 11 to 12 % less time with it (``benchmarks/frozen.py``; a value of five fields 284 ns against 869). Below a
    tenth it goes: then plain dataclasses do.

    Raises TypeError for a class whose ``__post_init__`` would be dropped, and for fields that are keyword-only, not in
    ``__init__``, or made by a factory.
    """
    if hasattr(cls, "__post_init__"):
        raise TypeError(f"{cls.__name__} has a __post_init__, which quick would drop")
    for field in fields(cls):  # type: ignore[arg-type]
        if field.default_factory is not MISSING or field.kw_only or not field.init:
            raise TypeError(f"{cls.__name__}.{field.name}: quick takes plain positional fields only")
    slow = cls.__init__
    names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
    scope = {f"set_{name}": getattr(cls, name).__set__ for name in names}
    lines = [f"def __init__(self, {', '.join(names)}):", *(f"    set_{name}(self, {name})" for name in names)]
    exec("\n".join(lines), scope)  # noqa: S102  as dataclass itself does: only the names of our own fields go in
    init = scope["__init__"]
    init.__qualname__, init.__defaults__, init.__annotations__ = (
        slow.__qualname__,
        slow.__defaults__,
        slow.__annotations__,
    )
    cls.__init__ = init  # type: ignore[method-assign]
    return cls
