"""Fault isolation: a fault of an installed game costs its own table, and nothing else.

The rules and words of an installed game run inside the process of the house. ``guard`` wraps their methods. If a method
raises an unexpected error, ends the process, or computes for ``BUDGET_S``, the caller gets Refused("game-failed"). The
error goes to the log.

A call that never ends is interrupted by a timer of processor time (SIGVTALRM). So a busy machine interrupts no game.
Windows and browsers have no such timer, and calls in other threads are not interrupted. Compiled code and generators
are not interrupted either. A game that is slow in each of millions of short calls holds up the tables that wait for the
same worker. Installed code is trusted not to hide from the guard: it catches faults, not attacks.
"""

import atexit
import logging
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import wraps
from inspect import isfunction, isgeneratorfunction
from pathlib import Path
from types import FrameType
from typing import Any

from pubdice.core.dice import MOST_SCORE_DIGITS
from pubdice.core.errors import Failure, Refused
from pubdice.failures import reason_of
from pubdice.kit import Kit

BUDGET_S = 1.0
"""The processor time that one call of a game may take. A call is interrupted at a tick of a timer of this interval, so
after one to two intervals."""
LOADING = 4
"""The ticks that a package may see while it is imported."""
MOST_OVERRUNS = 3
"""The number of calls of a game that may be interrupted. After that, its calls are refused until the process ends: each
of them holds up all other tables."""
CHECKS_SEATS = ("start", "begin", "check_seats")
"""Methods that raise ValueError for a wrong number of seats."""
_LOG = logging.getLogger("pubdice")


class OverrunError(Exception):
    """A call of a game took too long."""


class EndsProcessError(Exception):
    """A game called ``os._exit``."""


class _Call(threading.local):
    """The outermost call of a game in this thread."""

    is_under_way = False
    ticks = 0  # the ticks of the timer that the call may still see


_call, _overruns, _wrapped = _Call(), Counter[str](), set[type]()
_exit = os._exit


def _exit_unless_in_a_game(status: int) -> Any:
    if _call.is_under_way:
        raise EndsProcessError(f"os._exit({status})")
    _exit(status)


def _tick(number: int, frame: FrameType | None) -> None:
    """Interrupt the call under way once it has used up its ticks."""
    _call.ticks -= 1
    if _call.is_under_way and _call.ticks < 0:
        raise OverrunError("it took too long")


def start_timer() -> None:
    """Start the timer that interrupts calls, and keep games from ending the process."""
    os._exit = _exit_unless_in_a_game
    if hasattr(signal, "setitimer") and signal.getsignal(signal.SIGVTALRM) is signal.SIG_DFL:
        with suppress(ValueError):  # this is not the main thread
            signal.signal(signal.SIGVTALRM, _tick)
            signal.setitimer(signal.ITIMER_VIRTUAL, BUDGET_S, BUDGET_S)
            # as it ends, Python forgets the handler first, and a tick would then kill the process
            atexit.register(signal.setitimer, signal.ITIMER_VIRTUAL, 0)


@contextmanager
def guarding(game: str, *, checks_seats: bool = False, ticks: int = 1) -> Iterator[None]:
    """Guard the code of a game in the ``with`` block. Its own refusals pass. Raises Refused("game-failed")."""
    if _call.is_under_way:
        yield
        return
    if _overruns[game] >= MOST_OVERRUNS:
        raise _failed(game, "it took too long several times")
    _call.ticks, _call.is_under_way = ticks, True
    try:
        yield
    except Failure:
        raise
    except (Exception, SystemExit) as error:
        if checks_seats and isinstance(error, ValueError):
            raise
        _overruns[game] += isinstance(error, OverrunError)
        why = reason_of(error).rstrip(".: ")
        if _LOG.hasHandlers():  # in a house. Elsewhere Python would print the bare word
            _LOG.error("game-failed", extra={"facts": {"game": game, "error": type(error).__name__}})
        raise _failed(game, why) from error
    finally:
        _call.is_under_way = False


def _failed(game: str, why: str) -> Refused:
    return Refused("game-failed", game=game, why=why)


def _guarded(game: str, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with a guard. The scores that it returns must fit a record (``MOST_SCORE_DIGITS``)."""
    checks_seats = name in CHECKS_SEATS

    @wraps(call)
    def guarded(*args: Any, **facts: Any) -> Any:
        with guarding(game, checks_seats=checks_seats):
            found = call(*args, **facts)
            scores = getattr(found, "scores", ()) if name == "result" else (found,) if name == "score" else ()
            if any(isinstance(score, int) and abs(score) >= 10**MOST_SCORE_DIGITS for score in scores):
                raise OverflowError(f"a score has more than {MOST_SCORE_DIGITS} digits")
            return found

    return guarded


def _is_of(package: str, thing: Any) -> bool:
    """Return True if a class or function belongs to the package."""
    return str(getattr(thing, "__module__", "")).partition(".")[0] == package


def _guard_class(game: str, package: str, kind: type) -> None:
    """Guard the methods of a class, and of its base classes in the same package."""
    for each in kind.__mro__:
        if each in _wrapped or not _is_of(package, each):
            continue
        _wrapped.add(each)
        own = {name: method for name, method in vars(each).items() if isfunction(method) and name[:2] != "__"}
        for name, method in list(vars(each).items()):
            if isinstance(method, property) and method.fget is not None:
                setattr(each, name, property(_guarded(game, name, method.fget)))
        inherited = {name: getattr(each, name) for name in ("result", "score") if callable(getattr(each, name, None))}
        for name, method in (inherited | own).items():
            if not isgeneratorfunction(method):
                setattr(each, name, _guarded(game, name, method))


def _guard_values(game: str, package: str) -> None:
    """Guard what the house calls of the package's states without naming it: comparing, hashing and printing.

    Only methods written by hand are guarded. Those of a dataclass do not loop, and solvers call them millions of times.
    """
    modules = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] == package]
    for kind in {kind for module in modules for kind in vars(module).values() if isinstance(kind, type)}:
        for name in ("__eq__", "__hash__", "__repr__") if _is_of(package, kind) else ():
            method = vars(kind).get(name)
            if isfunction(method) and Path(method.__code__.co_filename).is_file():
                setattr(kind, name, _guarded(game, name, method))


def guard(kit: Kit, package: str) -> Kit:
    """Return the kit with guards around the rules, words, formats and bots that are classes or functions of its
    package.

    The classes themselves are changed, so solvers, bots and pages call guarded methods too.
    """
    title = kit.words.title
    _guard_values(title, package)
    _guard_class(title, package, type(kit.words))
    for kind in kit.formats:
        for part in (kind.usual, kind.usual.words):
            _guard_class(title, package, type(part))
    build = kit.build

    def built(options: Mapping[str, str]) -> Any:
        with guarding(title):
            game = build(options)
        _guard_class(title, package, type(game))
        return game

    # The house's own bots may work a turn out for longer than a call of a game may take.
    own = {name: policy for name, policy in kit.policies.items() if _is_of(package, policy)}
    policies = {**kit.policies, **{name: _guarded(title, name, policy) for name, policy in own.items()}}
    rules = None if kit.rules is None else _guarded(title, "rules", kit.rules)
    return replace(kit, build=built, policies=policies, rules=rules)
