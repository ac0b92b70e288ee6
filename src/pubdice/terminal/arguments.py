"""Shared by all commands of the terminal: the environment, and the number of a saved game."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pubdice.core.cup import Cup
from pubdice.core.dice import whole_number
from pubdice.core.errors import BadNotation
from pubdice.core.seal import NoSeals, Seals
from pubdice.kit import Kit
from pubdice.store import MemoryStore, Store
from pubdice.terminal.console import Console
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class Environment:
    """The environment of the commands: games, a store, ``cup(seed, purpose)``, a way to wait, a conversation.

    now: the time, in ms since 1970. drills: the store of what was missed in drills, apart from the games. tokens: the
    file of who one is to which house. seals: gives what seals dice; raises NotStored. days: the store of the answers to
    Last orders. language: the language spoken. others: the parsers of commands that are not the terminal's, None for
    unknown.
    """

    games: Mapping[str, Kit]
    store: Store
    cup: Callable[[str | None, str], Cup]
    sleep: Callable[[float], None]
    now: Callable[[], int]
    line: Console
    live: bool
    drills: Store = field(default_factory=MemoryStore)
    tokens: Path | None = None
    seals: Callable[[], Seals] = NoSeals
    days: Store = field(default_factory=MemoryStore)
    language: Language = field(default_factory=Language)
    others: Callable[[], Mapping[str, argparse.ArgumentParser | None]] = dict


def number_of(text: str) -> int:
    """A whole number. Raises BadNotation."""
    number = whole_number(text)
    if number is None:
        raise BadNotation("number", found=text)
    return number
