"""How the tests talk to pubdice: the command line in this process, and a table without a disk."""

import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TextIO
from unittest.mock import patch

from pubdice import cli
from pubdice.core.cup import Cup, SeededCup
from pubdice.core.dice import Roll
from pubdice.core.seal import KeyedSeals, Seals
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.store import MemoryStore, Store
from pubdice.terminal.arguments import Environment
from pubdice.terminal.commands import run
from pubdice.terminal.console import Console
from pubdice.text.language import Language
from support.scripted_cup import ScriptedCup

NOW_MS = 1_763_638_000_000
"""When everything happens."""
CHAINS = Random(5)
"""Names the chains of seals."""
COMMAND = Path(sys.executable).with_name("pubdice")
"""The installed console script."""

_ANSWER = re.compile(r"^> .*\n?", re.MULTILINE)


@dataclass(frozen=True)
class Told:
    """What a command said and how it left."""

    status: int
    out: str
    err: str

    @property
    def replies(self) -> list[str]:
        """What followed each answer, up to the next one; the first is what was said before any."""
        return _ANSWER.split(self.out)

    @property
    def paragraphs(self) -> list[str]:
        """The lines said, echoed answers left out."""
        return [line for line in self.out.splitlines() if line and not line.startswith(">")]


def pubdice(
    *words: str, data: Path | None = None, typed: str | bytes = "", games: Mapping[str, Kit] | None = None
) -> Told:
    """The command line as a user meets it, in this process: standard streams and the data folder are the test's.

    data: the folder; None: what the environment says.
    """
    raw = typed if isinstance(typed, bytes) else typed.encode()
    sink, errors = io.StringIO(), io.StringIO()
    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, {} if data is None else {"PUBDICE_DATA": str(data)}))
        stack.enter_context(patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8")))
        if games is not None:
            stack.enter_context(patch.dict(GAMES, games))
        stack.enter_context(redirect_stdout(sink))
        stack.enter_context(redirect_stderr(errors))
        try:
            status = cli.main(words)
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else 1
    return Told(status, sink.getvalue(), errors.getvalue())


class Script(io.StringIO):
    """Typed lines; a function among them is called when its line is due, and gives the line (None: end of input)."""

    def __init__(self, lines: Iterable[str | Callable[[], str | None]]) -> None:
        super().__init__()
        self._lines = iter(lines)

    # typeshed gives readline two types in the two bases of StringIO
    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        for line in self._lines:
            typed = line if isinstance(line, str) else line()
            return "" if typed is None else typed + "\n"
        return ""


@dataclass
class Room:
    """A room with a table in it: a store, dice laid down beforehand (or seeded), and every pause that was asked for."""

    rolls: Sequence[Roll] = ()
    draws: Sequence[int] = ()
    games: Mapping[str, Kit] = field(default_factory=lambda: dict(GAMES))
    store: Store = field(default_factory=MemoryStore)
    live: bool = False
    colour: bool = False
    pauses: list[float] = field(default_factory=list)
    laid: Cup | None = None
    drills: Store = field(default_factory=MemoryStore)
    aside: TextIO | None = None
    seals: Callable[[], Seals] = lambda: KeyedSeals(bytes(32), CHAINS.randbytes)
    days: Store = field(default_factory=MemoryStore)
    now_ms: int = NOW_MS
    language: Language = field(default_factory=Language)

    def __post_init__(self) -> None:
        if self.rolls or self.draws:
            self.laid = ScriptedCup(self.rolls, self.draws)

    def cup(self, seed: str | None, purpose: str) -> Cup:
        """The dice laid down, or those of the seed."""
        return self.laid if self.laid and purpose == "dice" else SeededCup(seed or "room", purpose)

    def run(self, command: str, *typed: str | Callable[[], str | None], tokens: Path | None = None) -> Told:
        """One command, its words parted by spaces, with these lines typed; ``tokens``: who one is to houses."""
        sink, errors = io.StringIO(), io.StringIO()
        line = Console(self.source(typed), sink, live=self.live, colour=self.colour, aside=self.aside)
        outside = Environment(
            self.games,
            self.store,
            self.cup,
            self.pauses.append,
            lambda: self.now_ms,
            line,
            live=self.live,
            drills=self.drills,
            tokens=tokens,
            seals=self.seals,
            days=self.days,
            language=self.language,
        )
        with redirect_stderr(errors), redirect_stdout(sink):
            status = run(command.split(), outside)
        return Told(status, sink.getvalue(), errors.getvalue())

    @staticmethod
    def source(typed: Iterable[str | Callable[[], str | None]]) -> TextIO:
        """Typed lines as a stream."""
        return Script(typed)

    def log(self, table: int = 1) -> list[str]:
        """The events of a game's match as they are kept, without the people and the time."""
        texts = [line.partition(" ")[2] for line in self.store.read(table)[1:]]
        return texts[texts.index("started") + 1 :]


def dice(*texts: str) -> list[Roll]:
    """Rolls written as digits."""
    return [tuple(map(int, text)) for text in texts]


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file under a folder, byte by byte."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def unprintable(text: str) -> list[str]:
    """Characters that could move a cursor, change a colour or turn a line round."""
    return [char for char in text if char != "\n" and not char.isprintable()]


def one_sentence(told: Told, command: str) -> str:
    """The one sentence on standard error, once it is sure that it is one and that nothing else was said."""
    assert told.out == ""
    assert told.err.endswith("\n")
    assert told.err.count("\n") == 1, told.err
    assert "Traceback" not in told.err
    assert not unprintable(told.err), told.err
    start = f"pubdice {command}: " if command else "pubdice: "
    assert told.err.startswith(start), told.err
    sentence = told.err.removeprefix(start).rstrip("\n")
    assert sentence[-1] in ".?)", sentence
    assert 15 < len(sentence) < 400, sentence
    return sentence
