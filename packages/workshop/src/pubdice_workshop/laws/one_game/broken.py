"""The text about a broken law: what the law looked at, what it wants, what it found, and the smallest example.

The text is made from the error alone, so a law is a plain ``assert`` and needs no message. The position, the action and
the seat are local variables of the law.
"""

import ast
import linecache
import os
import re
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from play import Case
from pubdice.failures import reason_of
from pubdice.kit import Kit

LAWS = Path(__file__).parents[1]
PLUGINS = ("told.py", "law_plugin.py", "broken.py")
LOOKED_AT = (
    "case",
    "game",
    "seats",
    "live",
    "state",
    "hand",
    "action",
    "move",
    "step",
    "seat",
    "mover",
    "code",
    "text",
)
"""The local variables of a law that say what it looked at, in this order. The names in the broken statement come
next."""
ACTIONS = ("action", "move", "step")
REPEATED = re.compile(
    r"(?:Falsifying example|Failing test case): \w+\((?:\s*(?:#[^\n]*|(?:kit|case|form|data)=[^\n]*|\w+=,))*\s*\)"
    r"|Explanation:[\s\S]*"
)
"""The parts of an example that repeat the parameters of its law, and that name lines of the house, as older and newer
versions of Hypothesis print them."""
MOST_LINES, MOST_OF_A_LINE = 14, 240
"""The most that is printed of a comparison. The law's own sentence and an example are printed whole."""


def fault(error: BaseException) -> Iterator[str]:
    """Yield the lines about an error that broke a law."""
    if isinstance(error, BaseExceptionGroup):  # Hypothesis found several faults
        for each in error.exceptions:
            yield from fault(each)
        return
    frames = list(traceback.walk_tb(error.__traceback__))
    broken = error
    if getattr(error, "code", "") == "game-failed" and error.__cause__ is not None:
        broken = error.__cause__  # the guard of installed games has caught it (``pubdice/guarded.py``)
        frames += traceback.walk_tb(broken.__traceback__)
    laws = [(frame, line) for frame, line in frames if _is_law(frame)]
    said, _, found = f"\n{error}".partition("\nassert ")
    if isinstance(error, pytest.fail.Exception):
        yield from re.sub("DID NOT RAISE .*", _not_refused, str(error)).splitlines()
    elif not isinstance(broken, AssertionError):
        yield _raised(broken, frames)[:MOST_OF_A_LINE]
    elif _of_the_game(frames[-1][0]):
        yield f"A claim of {_place(*frames[-1])} is false: {_source(*frames[-1])}"
    else:
        yield from _cut(said)
    if laws:
        yield from _cut("\n".join(_looked_at([frame for frame, _ in laws], _statement(*laws[-1]))))
    if laws and not str(error).startswith("paste"):
        yield f"It {'wants' if isinstance(error, AssertionError) else 'tried'}: {_source(*laws[-1])}"[:MOST_OF_A_LINE]
        yield from _first_of_all(*laws[-1]) or _cut(f"Found: {found}" if found else "")
    notes = REPEATED.sub("", "\n".join(getattr(error, "__notes__", ())))
    example = [line for line in notes.splitlines() if line.strip() and "reproduce_failure" not in line]
    yield from ["The smallest example found:", *example] if example else []


def _cut(text: str) -> Iterator[str]:
    lines = [line for line in text.splitlines() if line.strip()]
    yield from (line[:MOST_OF_A_LINE] for line in lines[:MOST_LINES])


def _is_law(frame: FrameType) -> bool:
    path = Path(frame.f_code.co_filename)
    return path.is_relative_to(LAWS) and path.name not in PLUGINS


def _of_the_game(frame: FrameType) -> bool:
    folder = os.environ.get("PUBDICE_ONE_GAME_FOLDER")
    return folder is not None and Path(frame.f_code.co_filename).is_relative_to(folder)


def _place(frame: FrameType, line: int) -> str:
    return f"{Path(frame.f_code.co_filename).name}, line {line}"


def _raised(error: BaseException, frames: list[tuple[FrameType, int]]) -> str:
    """Return the sentence about an error that nothing expected, with its place in the game."""
    own = [_place(*each) for each in frames if _of_the_game(each[0])]
    return f"{f'The game raised, in {own[-1]}' if own else 'It raised'}: {reason_of(error)}"


def _not_refused(text: re.Match[str]) -> str:
    kinds = re.findall(r"\b[A-Z]\w+\b", text[0].removeprefix("DID NOT RAISE"))
    return f"It was done, though it is wrong: {' or '.join(kinds)} was due."


def _statement(frame: FrameType, line: int) -> ast.stmt | None:
    """Return the innermost statement at a line of a law."""
    tree = ast.parse("".join(linecache.getlines(frame.f_code.co_filename)))
    spans = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and node.lineno <= line]
    return max((node for node in spans if line <= (node.end_lineno or 0)), key=lambda node: node.lineno, default=None)


def _source(frame: FrameType, line: int) -> str:
    """Return the claim or the statement at a line, in one line."""
    found = _statement(frame, line)
    text = ast.unparse(found.test if isinstance(found, ast.Assert) else found) if found is not None else ""
    return text.splitlines()[0] if text else ""


def _looked_at(frames: list[FrameType], statement: ast.stmt | None) -> Iterator[str]:
    """Yield the local variables that say what a law looked at. Those of inner functions are preferred."""
    known: dict[str, Any] = {}
    for frame in frames:
        known |= frame.f_locals
    used = [node.id for node in ast.walk(statement) if isinstance(node, ast.Name)] if statement is not None else []
    lines = [
        f"{name}: {text}"
        for name in dict.fromkeys((*LOOKED_AT, *used))
        if name in known and (text := _written(name, known[name], known.get("game")))
    ]
    yield from (f"{'    ' if at else 'It looked at: '}{line}" for at, line in enumerate(lines))


def _written(name: str, value: Any, game: Any) -> str:
    """Write a value in the notation of the game. Return "" for a value that has no text, such as a function."""
    if isinstance(value, Kit | Case):
        return value.name if isinstance(value, Kit) else str(value)
    try:
        if name == "live":  # a table under way, or a match that was played
            return repr(getattr(value, "end", None) or value.state)
        is_hand = isinstance(value, tuple) or value is None
        text = str(game.write_action(value)) if name in ACTIONS and game is not None and not is_hand else repr(value)
    except Exception as error:  # noqa: BLE001  a game may raise anything
        return f"(not written: {reason_of(error)})"
    return "" if text[:1] == "<" or " object at 0x" in text else text


def _first_of_all(frame: FrameType, line: int) -> list[str]:
    """Name the first value that breaks ``assert all(... for ... in ...)``. pytest shows no values there."""
    match _statement(frame, line):
        case ast.Assert(test=ast.Call(func=ast.Name("all"), args=[ast.GeneratorExp() as every])):
            claim, name = ast.unparse(every.elt), ast.unparse(every.generators[-1].target)
            loop = ast.unparse(every)[1:-1].removeprefix(claim)
            with suppress(Exception):
                names = {**frame.f_globals, **frame.f_locals}
                broken = eval(f"next(({name}) {loop} if not ({claim}))", names)
                return [f"The first that breaks it: {name} = {broken!r}"[:MOST_OF_A_LINE]]
    return []
