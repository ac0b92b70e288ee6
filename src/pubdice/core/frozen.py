"""Frozen dataclasses that are quick to construct."""

from collections.abc import Callable
from dataclasses import MISSING, fields
from types import new_class
from typing import Any, ParamSpec, TypeVar, cast

T = TypeVar("T")
P = ParamSpec("P")


def quick(cls: type[T]) -> type[T]:
    """Make a frozen, slotted dataclass quicker to construct. Nothing else about the class changes.

    A frozen dataclass refuses ``value.field = …`` even in its own ``__init__``. Its ``__init__`` therefore calls
    ``object.__setattr__``, a slow look-up, for each field. A class made by ``quick`` has a twin: a class with the same
    slots that is not frozen. A new value begins as an instance of the twin, plain assignments fill its fields, and a
    last assignment sets its real class. Python allows that between classes with the same slots (Language Reference,
    3.3.2.4).

    Use it for states, because every move makes several. ``benchmarks/frozen.py`` measures the saving for a match. If
    that falls below a tenth, go back to plain dataclasses.

    Raises TypeError if the class has a ``__post_init__``, which would never be called. Raises it too for a field that
    is keyword-only, not in ``__init__``, made by a factory, or inherited.
    """
    if hasattr(cls, "__post_init__"):
        raise TypeError(f"{cls.__name__} has a __post_init__, which quick would drop")
    names = list(vars(cls)["__slots__"])
    for field in fields(cls):  # type: ignore[arg-type]
        if field.default_factory is not MISSING or field.kw_only or not field.init or field.name not in names:
            raise TypeError(f"{cls.__name__}.{field.name}: quick takes plain positional fields of its own only")
    bases = vars(cls).get("__orig_bases__", cls.__bases__)
    twin = new_class(cls.__name__, bases, exec_body=lambda body: body.update(__slots__=names))
    filled = ["    self = Twin()", *(f"    self.{name} = {name}" for name in names)]
    lines = [
        f"def __new__(cls, {', '.join(names)}):",
        *filled,
        "    self.__class__ = cls",
        "    return self",
        f"def __make__({', '.join(names)}):",
        *filled,
        "    self.__class__ = Real",
        "    return self",
        "def __reduce__(self):",  # without this, pickle and copy would call __new__ without its fields
        f"    return self.__class__, ({', '.join(f'self.{name}' for name in names)},)",
    ]
    made: dict[str, Any] = {}
    exec("\n".join(lines), {"Twin": twin, "Real": cls}, made)  # noqa: S102  as dataclass itself does: only our own names
    for name, function in made.items():
        function.__qualname__ = f"{cls.__qualname__}.{name}"
        if name != "__reduce__":
            function.__defaults__, function.__annotations__ = cls.__init__.__defaults__, cls.__init__.__annotations__
    cls.__new__, cls.__reduce__ = made["__new__"], made["__reduce__"]  # type: ignore[method-assign]
    cls.__make__ = staticmethod(made["__make__"])  # type: ignore[attr-defined]
    del cls.__init__
    return cls


def maker(cls: Callable[P, T]) -> Callable[P, T]:
    """Return the function that constructs values of a quick class. It takes two thirds of the time of a call of the
    class.

    A call of a class goes through C and back into Python. A plain function does not. Use it only on the few lines that
    make a value at every move.
    """
    return cast(Callable[P, T], cls.__make__)  # type: ignore[attr-defined]
