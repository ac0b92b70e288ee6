"""Python calls, SQL statements and bytes, counted exactly: the same numbers on every machine, however busy it is.

A call is counted when a Python function begins or, as a coroutine or generator, goes on; in one thread, the event
loop's. A call of pubdice's own functions and templates has the same number in every Python from 3.11 on: list, set and
dict comprehensions, which have a frame of their own in 3.11 alone, are not counted. A call in a library or in Python's
own modules counts for the function of ours that it serves, as ``isinstance`` with a protocol does; those numbers change
with the library. Calls that serve no function of ours are not counted: the event loop's own, and the test's.
"""

import gc
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

OWN, LIBRARY, TEST, SAME = "own", "library", "test", "same"
TESTS = ("costs", "support", "benchmarks", "__main__")
ANNEX = "pubdice_"
"""What the package of an annex begins with."""
"""Packages whose calls are the test's: the browser that asks, the clock, the disk."""
UNCOUNTED = ("importlib.", "asyncio.events.TimerHandle.", "concurrent.futures.", "threading.")
"""How Python finds a module depends on the folders it looks in, how timers are sorted on the machine's clock, and how a
thread is found for some work on which of them are idle: none of that is counted, nor what these call.
"""
SEEN_THROUGH = "costs.jumping_loop.JumpingLoop.run_in_executor"
"""The test's function in place of one of the event loop: what is called counts as if this were not there."""
COMPILED = " to "
"""Between the name of a function and of the C function that it calls."""
STATEMENTS, PLANS, WAKE_UPS = "SQL: ", "SQLite: ", "wake-ups for "
"""Before a statement, a step of its plan, and what a timer was set for."""
WAITS = (
    "time.sleep", "posix.fsync", "io.open", "_io.open", "posix.fork", "_posixsubprocess.fork_exec",
    "_socket.getaddrinfo", "_socket.gethostbyname", "_socket.gethostbyaddr",
)  # fmt: skip
"""C functions that wait for a clock, a disk, a process or the network: counted in every thread, as somebody may wait
for it, and those of libraries for us, as ``Path.write_text`` opens a file.
"""
TIMER, SOON_S = "asyncio.base_events.BaseEventLoop.call_at", 1.0
"""What sets a timer of the event loop, as ``asyncio.sleep`` does; one of a second at most counts as waited for."""
HEAVY = ("copy.", "dataclasses.asdict", "difflib.", "json.", "pickle.", "re.", "statistics.", "textwrap.")
"""What is Python's own, and one call of it may be long: such calls by ours are counted with those of C functions."""
INLINED = ("<listcomp>", "<setcomp>", "<dictcomp>")
SET = "object.__setattr__"
"""What the ``__init__`` that is made for a frozen dataclass calls for each field; ``core.frozen.quick`` has none."""
MADE = ("<module>", "__create_fn__")
"""Frames in which ``dataclasses`` makes methods: one a method before Python 3.13, one a class from there on."""


@dataclass
class Calls:
    """Calls by function. served: of libraries, by the function of ours and the library's. compiled: by ours, of C
    functions that are no builtin and no method of a built-in type, and of ``HEAVY``: a call may be long, and nothing is
    seen of it but that it was made; and of ``SET``, one a field of a frozen dataclass, as Python tells no profiler of
    those. waits: of ``WAITS`` by any thread, and timers. modules: of ours.
    """

    own: Counter[str] = field(default_factory=Counter)
    served: Counter[tuple[str, str]] = field(default_factory=Counter)
    compiled: Counter[tuple[str, str]] = field(default_factory=Counter)
    waits: Counter[tuple[str, str]] = field(default_factory=Counter)
    modules: set[str] = field(default_factory=set)

    @property
    def by_function(self) -> Counter[str]:
        """Each of our functions with its own calls and those of libraries for it."""
        found = Counter(self.own)
        for (function, _), number in self.served.items():
            found[function] += number
        for (function, called), number in (self.compiled | self.waits).items():
            found[f"{function}{COMPILED}{called}"] = number
        return found


def own_name(name: str) -> str:
    """The name of a module or a function of ours, of an annex's by the annex: ``pocket.browser.engine``."""
    return name.removeprefix("pubdice.").removeprefix(ANNEX)


def _kind(frame: FrameType) -> tuple[str, str, str]:
    """Whose a function is, its name, and its module."""
    code = frame.f_code
    module = str(frame.f_globals.get("__name__", ""))
    if code.co_name in INLINED or (code.co_filename == "<string>" and code.co_name in MADE):
        return SAME, "", module
    if not module and code.co_filename.startswith("<template"):
        return OWN, f"{frame.f_globals.get('name')}:{code.co_name}", "templates"
    if not module:  # ``core.frozen`` makes these
        return OWN, f"core.frozen:{code.co_name}", "pubdice.core.frozen"
    first = module.partition(".")[0]
    parts = [part for part in code.co_qualname.split(".") if part not in (*INLINED, "<locals>", "__create_fn__")]
    name = ".".join((module, *parts))
    if first == "pubdice" or first.startswith(ANNEX):
        return OWN, own_name(name), module
    if name == SEEN_THROUGH:
        return SAME, "", module
    return (TEST if first in TESTS else LIBRARY), name, module


def _fields_set(code: CodeType) -> int:
    """The fields that a function sets, if it is the ``__init__`` of a frozen dataclass."""
    is_made = code.co_filename == "<string>" and code.co_name == "__init__" and "__setattr__" in code.co_names
    return code.co_argcount + code.co_kwonlyargcount - 1 if is_made else 0


def name_in_c(called: Any) -> str:
    """The name of a C function; empty for builtins, and for methods of built-in types."""
    module = called.__module__ or type(called.__self__).__module__
    return "" if module == "builtins" else f"{module}.{called.__qualname__}"


class InThreads:
    """The profiler of other threads: what waits there counts while calls are counted, and nothing else."""

    def __init__(self) -> None:
        self.calls: Calls | None = None

    def __call__(self, frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call" and self.calls is not None and (c_name := name_in_c(called)) in WAITS:
            at: FrameType | None = frame
            while at is not None and _kind(at)[0] == LIBRARY:
                at = at.f_back
            if at is not None and (kind := _kind(at))[0] == OWN:
                self.calls.waits[kind[1], c_name] += 1


in_threads = InThreads()
"""Given to ``threading.setprofile`` by a process that measures, before its house has threads."""


class _Counting:
    """The profiler: keeps for whom each open frame works, and so for whom a library's does."""

    def __init__(self, calls: Calls) -> None:
        self.calls = calls
        self._open: list[str] = []
        self._known: dict[CodeType, tuple[str, str]] = {}

    def __call__(self, frame: FrameType, event: str, called: Any) -> None:
        if event == "call":
            self._open.append(self._enter(frame))
        elif event == "return" and self._open:
            self._open.pop()
        elif event == "c_call":
            kind = self._known.get(frame.f_code, (TEST, ""))[0]
            name = self._open[-1] if self._open else ""  # a comprehension's frame is its function's
            if name and kind != TEST and (c_name := name_in_c(called)):
                if kind != LIBRARY:
                    self.calls.compiled[name, c_name] += 1
                if c_name in WAITS:
                    self.calls.waits[name, c_name] += 1

    def _enter(self, frame: FrameType) -> str:
        """The function of ours that this frame works for; empty: none."""
        found = self._known.get(frame.f_code)
        if found is None:
            kind, name, module = _kind(frame)
            if kind == OWN:
                self.calls.modules.add(module)
            found = self._known[frame.f_code] = kind, name
        kind, name = found
        before = self._open[-1] if self._open else ""
        if kind == OWN:
            self.calls.own[name] += 1
            if fields := _fields_set(frame.f_code):
                self.calls.compiled[name, SET] += fields
            return name
        if kind == LIBRARY and before:
            self._note(frame, before, name)
        if kind == TEST or (kind == LIBRARY and name.startswith(UNCOUNTED)):
            return ""
        if kind == LIBRARY and before:
            self.calls.served[before, name] += 1
        return before

    def _note(self, frame: FrameType, own: str, called: str) -> None:
        """Of a call in a library for one of ours: whether it sets a timer, and whether it is a heavy one."""
        if called == TIMER and 0 < frame.f_locals["when"] - frame.f_locals["self"].time() <= SOON_S:
            self.calls.waits[own, "a timer"] += 1
        by = frame.f_back
        if called.startswith(HEAVY) and by is not None and self._known.get(by.f_code, (TEST, ""))[0] in (OWN, SAME):
            self.calls.compiled[own, called] += 1


@contextmanager
def counted_calls() -> Iterator[Calls]:
    """Count the calls of this thread while the block runs; garbage is collected before, and not meanwhile."""
    calls = Calls()
    gc.collect()
    was_on = gc.isenabled()
    gc.disable()
    in_threads.calls = calls
    sys.setprofile(_Counting(calls))
    try:
        yield calls
    finally:
        sys.setprofile(None)
        in_threads.calls = None
        if was_on:
            gc.enable()
