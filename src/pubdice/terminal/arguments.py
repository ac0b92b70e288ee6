"""The environment that every terminal command gets, and the parser of a game's number."""

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
    """The environment of the commands: games, stores, dice, clock and console.

    Attributes:
        cup: gives the random source for a seed and a purpose. The seed None means real randomness.
        now: the time, in ms since 1970.
        live: True if a person types at a terminal.
        drills: the store of missed drill positions, apart from the games.
        tokens: the file of session cookies by house; None keeps none.
        seals: gives the service that seals dice. Raises NotStored.
        days: the store of the answers to Last orders.
        others: parsers of commands outside the terminal, by name; None if unknown.

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
    """Read a whole number. Raises BadNotation."""
    number = whole_number(text)
    if number is None:
        raise BadNotation("number", found=text)
    return number
