"""Lines that no log can have: each clause of each event's ``fits`` refuses one of them."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import FunctionType
from typing import Any

import pytest

from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.seal import NO_SEED, KeyedSeals, digest_of_seat
from pubdice.room import commands as ask
from pubdice.room.event import Event, possible
from pubdice.room.events import EVENTS, Moved, read_line
from pubdice.room.state import RoomState
from room.scripted_room import BEGIN, Evening, evening, growing, over, played

SEALS = KeyedSeals(b"k" * 32, lambda size: b"\3" * size)
SEAL = SEALS.first()
FORK, DIGEST = "0123456789abcdef", digest_of_seat("heads")
UNSEEN = {
    # a table that plays has a match
    "BackAsked: state.match is not None",
    "Rematched: is_done: state.match is not None",
    "Reopened: is_done: state.match is not None",
    "Followed: is_done: state.match is not None",
    # a match is over when it has a rematch, but for one whose log is full
    "Followed: is_done(state)",
    "Followed: is_done: state.stage == 'over' or (state.match is not None and is_full(state))",
    "Followed: is_done: is_full(state)",
    "WentOn: goes_on_elsewhere: state.rematch",
    # the stage has been asked for before
    "WentOn: goes_on_elsewhere: state.stage != 'over'",
    # an empty seat has told no digest
    "Fixed: _is_taken(state)",
    "Fixed: _is_taken: bool(state.chairs)",
    "Fixed: _is_taken: all((chair.kind != 'empty' for chair in state.chairs))",
    # the header of a match without a seat is refused
    "Started: _is_taken: bool(state.chairs)",
    # what is no digest is not the digest either
    "SealOpened: opens: is_digest(seed)",
    # without this clause, more lines are refused
    "Started: commits: read_seal(setup.seal).version > 1",
}
"""Clauses that alone refuse no line of a log."""


def _add(table: Evening, line: str) -> None:
    (step,) = table.room.replay(table.state, [f"{BEGIN} {line}"])
    table.state = step.after


def _gathering() -> Evening:
    """Ann sits at a table of three seats. Bob was removed."""
    table = evening("pig", 3)
    table.sit("ann", "bob")
    table.ask("ann", ask.Remove(1))
    return table


def _ready() -> Evening:
    """Ann is ready, and Bob is not."""
    table = growing("ann", "bob")
    table.ask("ann", ask.Ready())
    return table


def _sealed() -> Evening:
    """Ann has told a digest, and Bob none."""
    table = growing("ann", "bob", dice="sealed", seal=SEAL.write())
    table.ask("ann", ask.Commit(DIGEST))
    return table


def _typed() -> Evening:
    """Ann and Bob have typed their seeds in."""
    table = growing("ann", "bob", dice="sealed", seal=SEAL.write())
    table.ask("ann", ask.AddSeed("heads"))
    table.ask("bob", ask.AddSeed("tails"))
    return table


def _old() -> Evening:
    """A table of the first version of seals, at which seeds are typed. Ann has typed hers in."""
    table = growing("ann", "bob", dice="sealed", seal=replace(SEAL, version=1).write())
    table.ask("ann", ask.AddSeed("heads"))
    return table


def _old_typed() -> Evening:
    table = _old()
    table.ask("bob", ask.AddSeed("tails"))
    return table


def _fixed() -> Evening:
    """The header is fixed. Bob has opened his seed, Ann has not, and Cid has none."""
    table = growing("ann", "bob", "cid", dice="sealed", seal=SEAL.write())
    table.ask("ann", ask.Commit(DIGEST))
    table.ask("bob", ask.Commit(digest_of_seat("tails")))
    _add(table, f"committed 2 {NO_SEED}")
    table.ask("ann", ask.Start())
    table.ask("bob", ask.AddSeed("tails"))
    return table


def _begun() -> Evening:
    return played("ann", "bob", bots=["tip"])


def _grown() -> Evening:
    table = growing("ann", "bob")
    table.ask("ann", ask.Start())
    return table


def _playing() -> Evening:
    """Ann, Bob and a bot play. Eve waits for the next match, and Fay was sent away."""
    table = played("ann", "bob", bots=["tip"])
    for person in ("eve", "fay"):
        table.ask(person, ask.Queue(person.capitalize()))
    table.ask("ann", ask.Unqueue("Fay"))
    table.roll("ann", (6,))
    return table


def _chosen() -> Evening:
    """Ann has chosen to roll once more."""
    table = played("ann", "bob", "cid")
    table.roll("ann", (6,))
    table.roll("ann", (6,))
    return table


def _asked() -> Evening:
    """Ann has asked Bob and Cid for her last choice, and Bob has agreed."""
    table = _chosen()
    table.ask("ann", ask.TakeBack())
    table.ask("bob", ask.Agree())
    return table


def _paused() -> Evening:
    table = played("ann", "bob", clock_s=60)
    table.ask("ann", ask.Pause())
    return table


def _left() -> Evening:
    """Ann has left her seat, and no bot has sat down there yet."""
    table = played("ann", "bob")
    _add(table, "left 0")
    return table


def _bots_alone() -> Evening:
    """Ann has left a match against a bot. Eve waits for the next match."""
    table = played("ann", bots=["tip"])
    table.ask("eve", ask.Queue("Eve"))
    table.roll("ann", (6,))
    for _ in range(3):
        table.roll("ann", (6,))
    table.ask("ann", ask.Leave())
    return table


def _over_alone() -> Evening:
    table = _bots_alone()
    table.ask(None, ask.Bot("hold"))
    return table


def _reopened() -> Evening:
    table = _over_alone()
    table.ask("eve", ask.Rematch("ABCDEF"))
    return table


def _over() -> Evening:
    """Ann has won against Bob. Eve waits for the next match."""
    table = over("ann", "bob")
    table.ask("eve", ask.Queue("Eve"))
    return table


def _night() -> Evening:
    table = _playing()
    table.state = table.state.but(setup=replace(table.state.setup, night="the dice of others"))
    return table


def _sealed_over() -> Evening:
    table = _over()
    table.state = table.state.but(setup=replace(table.state.setup, dice="sealed", seal=SEAL.write()))
    return table


def _opened() -> Evening:
    table = _sealed_over()
    _add(table, f"opened {SEALS.open(SEAL)}")
    return table


def _rematched() -> Evening:
    table = _over()
    table.ask("ann", ask.Rematch("ABCDEF"))
    return table


REFUSED: dict[Callable[[], Evening], list[str]] = {
    _gathering: ["sat 1 ann Bea", "sat 1 bob Bob", "sat 1 eve Ann", "shared 1 eve Kim", "shared 1 ann Ann",
                 "joined 0 ann", "joined 0 bob",  "botted 1 tip Ann", "removed 1", "shifted 0 9", "started"],
    _ready: ["renamed 0 Bob", "readied 0", "unreadied 1", "committed 0 -", "seeded 0 heads", "fixed", "admitted"],
    _sealed: [f"committed 0 {digest_of_seat('tails')}", "committed 1 heads", "seeded 0 tails", "seeded 1 a-b", "fixed",
              "started", f"wenton {FORK} 0 ann zoe"],
    _typed: ["started"],
    _old: ["committed 1 -"],
    _old_typed: ["fixed"],
    _night: [f"wenton {FORK} 1 zed zoe"],
    _sealed_over: [f"opened {'ab' * 32}"],
    _opened: [f"opened {SEALS.open(SEAL)}"],
    _fixed: ["committed 1 -", f"committed 2 {DIGEST}", "seeded 0 tails", "seeded 1 tails", "started"],
    _begun: ["sat 0 ann Ann", "sat 9 eve Eve", "sat 1 eve bob", "sat 0 eve Eve", "joined 0 bob", "joined 2 eve",
             "botted 0 tip Tip", "botted 2 tip Tip", "left 2", "removed 2", "closed 2", "closed 0", "started",
             "stoodin 2 tip gave", "resumed 0", "resumed 2", "voted 2 0", "timedout 9", "nudged 2", "unqueued eve",
             "back", "roll 7", "roll 11", "play hold", "mark 0", "draw 0"],
    _grown: ["sat 2 eve Eve", "shared 2 bob Kim", "botted 2 tip Tip"],
    _playing: ["unpaused 0", "timedout 1", "retimed", "queued ann Ann", "queued fay Fay", "queued eve Eve",
               "unqueued gus", "rematched 0 ABCDEF", "reopened eve ABCDEF", "voted 0 2", "voted 0 9", "voted 0 0",
               "backasked 0", "backdeclined 0",
               *[f"wenton {FORK} 1 zed {person}" for person in ("ann", "fay", "eve", "zed")],
               "wenton 0123 1 zed zoe", f"wenton {FORK} 2 zed zoe",
               *[f"recognised zed {person}" for person in ("ann", "fay", "eve", "zed")]],
    _chosen: ["unplay 1"],
    _asked: ["backasked 0", "backagreed 1"],
    _paused: ["paused 1", "timedout 0", "roll 1"],
    _left: ["roll 1"],
    _bots_alone: ["reopened eve ABCDEF"],
    _over_alone: ["reopened gus ABCDEF"],
    _reopened: ["reopened eve GHJKLM"],
    _over: ["followed 1", "reopened eve ABCDEF", f"opened {'ab' * 32}"],
    _rematched: ["rematched 0 GHJKLM", "followed 0", "queued gus Gus", "unqueued eve", 'ruled {"dice": "house"}',
                 "sat 1 eve Eve", "left 0", "nudged 0", "stoodin 0 tip gave", "roll 1", "timedout 0",
                 "reopened ann ABCDEF", "unqueued ann", "back"],
}  # fmt: skip


@pytest.mark.parametrize(("scene", "lines"), REFUSED.items())
def test_a_line_that_cannot_have_been_written_is_refused(scene: Callable[[], Evening], lines: list[str]) -> None:
    table = scene()
    for line in lines:
        with pytest.raises(IllegalAction):
            list(table.room.replay(table.state, [f"{BEGIN} {line}"]))


def _weaker(function: FunctionType) -> Iterator[tuple[str, FunctionType]]:
    """Yield the function without each of its clauses, with the clause."""
    source = textwrap.dedent(inspect.getsource(function))
    for number in range(len(list(_clauses(ast.parse(source))))):
        tree = ast.parse(source)
        holder, key, instead = list(_clauses(tree))[number]
        clause = ast.unparse(holder[key])
        holder[key] = instead
        names: dict[str, Any] = {}
        code = compile(ast.fix_missing_locations(tree), function.__name__, "exec")
        exec(code, function.__globals__, names)
        yield clause, names[function.__name__]


def _clauses(tree: ast.AST) -> Iterator[tuple[Any, Any, ast.expr]]:
    """Yield the place of each clause that may refuse, with the expression that stands for it when it is left out."""
    true, false, nothing = ast.Constant(value=True), ast.Constant(value=False), ast.Tuple([], ast.Load())
    for node in ast.walk(tree):
        match node:
            case ast.Return(value=ast.BoolOp(ast.And(), clauses)) | ast.Assign(value=ast.BoolOp(ast.And(), clauses)):
                yield from ((clauses, at, true) for at in range(len(clauses)))
            case ast.BoolOp(ast.Or(), [_, ast.BoolOp(ast.And(), clauses)]):
                yield from ((clauses, at, true) for at in range(len(clauses)))
            case ast.Return(value=ast.Call() | ast.Compare() | ast.BoolOp() | ast.Attribute() | ast.UnaryOp()):
                yield vars(node), "value", true
            case ast.Assign(value=ast.IfExp(body=ast.Compare())):
                yield from ((vars(node.value), branch, true) for branch in ("body", "orelse"))
            case ast.Compare(ops=[ast.NotIn()], comparators=[ast.Tuple(people)]):
                yield from ((people, at, ast.Starred(nothing, ast.Load())) for at in range(len(people)))
            case ast.UnaryOp(ast.Not(), ast.BoolOp(ast.Or(), clauses)):
                yield from ((clauses, at, false) for at in range(len(clauses)))
            case ast.If(test=ast.BoolOp(ast.Or(), clauses), body=[ast.Return(ast.Constant(value=False))]):
                yield from ((clauses, at, false) for at in range(len(clauses)))
            case ast.If(body=[ast.Return(ast.Constant(value=False))]):
                yield vars(node), "test", false


def _weaker_fits(kind: type[Event]) -> Iterator[tuple[str, Any]]:
    """Yield the ``fits`` of a kind of event without each clause, of its own or of a function that it asks."""
    fits = kind.fits
    assert isinstance(fits, FunctionType)
    yield from _weaker(fits)
    for name in fits.__code__.co_names:
        asked = fits.__globals__.get(name)
        if isinstance(asked, FunctionType) and asked.__module__.startswith("pubdice.room."):
            for clause, weaker in _weaker(asked) if asked.__annotations__["return"] is bool else ():
                yield f"{name}: {clause}", FunctionType(fits.__code__, {**fits.__globals__, name: weaker})


def _accepted(state: RoomState, event: Event) -> bool:
    try:
        return possible(state, event)
    except (AttributeError, IndexError, BadNotation):  # the clause was asked for what is not there
        return True


def test_each_clause_of_each_event_refuses_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: dict[type[Event], list[tuple[RoomState, Event]]] = {}
    for scene, lines in REFUSED.items():
        state = scene().state
        for line in lines:
            event = read_line(state.table, f"{BEGIN} {line}").event
            tried.setdefault(type(event), []).append((state, event))
    idle, kinds = set(), list[type[Event]]((*EVENTS, Moved))
    for kind in kinds:
        for clause, weaker in _weaker_fits(kind) if kind.fits is not Event.fits else ():
            with monkeypatch.context() as patch:
                patch.setattr(kind, "fits", weaker)
                if not any(_accepted(state, event) for state, event in tried.get(kind, ())):
                    idle.add(f"{kind.__name__}: {clause}")
    assert idle == UNSEEN
