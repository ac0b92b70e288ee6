"""Shared by all commands of the terminal: the environment, and lookups of kits and saved games."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pubdice.command_line import Parser
from pubdice.core.cup import Cup
from pubdice.core.dice import whole_number
from pubdice.core.errors import BadNotation
from pubdice.core.seal import NoSeals, Seals
from pubdice.kit import Kit
from pubdice.match.header import read_name, typed_name
from pubdice.room.setup import unused
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


class SingleUseAction(argparse.Action):
    """A flag that may be given once: of two values one would be dropped without a word."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: Any = None
    ) -> None:
        """Store the value. Leaves as the parser does for a second one."""
        if getattr(namespace, self.dest) is not None:
            assert isinstance(parser, Parser), "it is ours"
            parser.error(parser.language.say("{option} is given twice.", option=option_string))
        setattr(namespace, self.dest, values)


def number_of(text: str) -> int:
    """A whole number. Raises BadNotation."""
    number = whole_number(text)
    if number is None:
        raise BadNotation("number", found=text)
    return number


BOT = "bot"


def usual_seats(language: Language) -> str:
    """The player, and the game's usual bot."""
    return f"{language.say('you')},{BOT}"


def read_seats(text: str, kit: Kit) -> tuple[tuple[str, ...], dict[str, str]]:
    """The names of the seats and the bots among them, by name.

    ``you,Ann,bot``: a name is a person; ``bot`` is the game's usual bot, ``bot:lucky`` one by name, ``Zoe=lucky`` one
    under another name; a number alone is that many people. Raises BadNotation.
    """
    digits = text.strip()
    if digits.isascii() and digits.removeprefix("-").isdigit():
        return kit.numbered(int(digits[:4])), {}  # more than any game seats already
    seats = [_seat(part.strip(), kit) for part in text.split(",")]
    taken = [name for name, _ in seats if name]
    names, bots = [], {}
    for given, policy in seats:
        name = given
        if policy is not None:
            name = given or unused(policy.capitalize(), taken)
            taken.append(name)
            bots[name] = policy
        names.append(name)
    return tuple(names), bots


def _seat(part: str, kit: Kit) -> tuple[str, str | None]:
    name, equals, policy = part.partition("=")
    kind, colon, which = part.partition(":")
    if equals:
        return read_name(typed_name(name)), _policy(policy.strip(), kit)
    if kind.strip().lower() == BOT:
        return "", _policy(which.strip(), kit) if colon else next(iter(kit.policies))
    return read_name(typed_name(part)), None


def _policy(text: str, kit: Kit) -> str:
    if text.lower() not in kit.bots:
        raise BadNotation("bot", found=text, bots=kit.bots)
    return text.lower()
