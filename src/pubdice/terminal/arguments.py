"""The environment that every terminal command gets, and a parser of game numbers."""

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
    """Everything that a command takes from outside: games, stores, dice, clock and console.

    Attributes:
        cup: Makes the cup for a seed and a purpose. Without a seed (None), the dice are truly random.
        now: Returns the time, in ms since 1970.
        live: True if a person types at a terminal.
        drills: The store of the drill's missed positions, apart from the games.
        tokens: The file with a session cookie for each house. If None, no cookie is stored.
        seals: Makes the service that seals dice. Raises NotStored.
        days: The store of the answers to Last orders.
        others: Returns the parsers of commands outside the terminal, by name. None for a command that is not installed.

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
    """Read the number of a saved game. Raises BadNotation("number")."""
    number = whole_number(text)
    if number is None:
        raise BadNotation("number", found=text)
    return number
