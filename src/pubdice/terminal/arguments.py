"""Shared by all commands: the environment, the argument parser, and lookups of kits and saved games."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from pubdice.core.cup import Cup
from pubdice.core.errors import BadNotation
from pubdice.core.seal import NoSeals, Seals
from pubdice.core.whole_number import whole_number
from pubdice.failures import BAD_NOTATION
from pubdice.kit import Kit
from pubdice.match.notation import read_name
from pubdice.room.setup import unused
from pubdice.store import MemoryStore, Store
from pubdice.terminal.console import Console
from pubdice.terminal.sentences import FaultError
from pubdice.text.language import shown

LONGEST_SEED = 64


@dataclass(frozen=True, slots=True)
class Environment:
    """What the commands need of the world: games, a store, ``cup(seed, purpose)``, a way to wait, a conversation.

    now: the time, in ms since 1970. drills: the store of what was missed in drills, apart from the games. tokens: the
    file of who one is to which house. seals: gives what seals dice; raises NotStored. days: the store of the answers to
    Last orders.
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


class Parser(argparse.ArgumentParser):
    """An argument parser that refuses in one sentence."""

    def __init__(self, command: str, **facts: Any) -> None:
        super().__init__(
            prog=f"pubdice {command}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            **facts,
        )

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and leave with status 2."""
        raise FaultError(f"{shown(message, 200)}. See {self.prog} --help.", BAD_NOTATION)


class SingleUseAction(argparse.Action):
    """A flag that may be given once: of two values one would be dropped without a word."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: Any = None
    ) -> None:
        """Store the value. Leaves as the parser does for a second one."""
        if getattr(namespace, self.dest) is not None:
            parser.error(f"{option_string} is given twice")
        setattr(namespace, self.dest, values)


def kit_named(name: str, games: Mapping[str, Kit]) -> Kit:
    """The kit of that name. Raises BadNotation."""
    if name.lower() not in games:
        raise BadNotation("game", found=name, games=tuple(games))
    return games[name.lower()]


def number_of(text: str) -> int:
    """A whole number. Raises BadNotation."""
    number = whole_number(text)
    if number is None:
        raise BadNotation("number", found=text)
    return number


def seed_of(text: str | None) -> str | None:
    """A seed, if one was given. Raises BadNotation."""
    if text is not None and not (text.isprintable() and 0 < len(text) <= LONGEST_SEED):
        raise BadNotation("seed", longest=LONGEST_SEED)
    return text


def add_option_flags(parser: Parser, games: Mapping[str, Kit]) -> None:
    """A flag for every house rule of any game."""
    for key, kits in _options(games).items():
        option = next(option for option in kits[0].options if option.key == key)
        choices = " or ".join(choice.replace(" ", ",") for choice in option.choices)
        names = ", ".join(kit.name for kit in kits)
        parser.add_argument(f"--{key}", metavar=key.upper(), help=f"{names}: {option.meaning} ({choices})")


def _options(games: Mapping[str, Kit]) -> dict[str, list[Kit]]:
    found: dict[str, list[Kit]] = {}
    for kit in games.values():
        for option in kit.options:
            found.setdefault(option.key, []).append(kit)
    return found


def chosen_options(chosen: argparse.Namespace, kit: Kit, games: Mapping[str, Kit]) -> dict[str, str]:
    """The house rules given by flags. Raises BadNotation for one that is another game's."""
    given = {key: getattr(chosen, key) for key in _options(games) if getattr(chosen, key) is not None}
    for key in given:
        if key not in {option.key for option in kit.options}:
            raise BadNotation("option-game", key=key, title=kit.words.title)
    return given


# Who sits at a table: names and bots, from the words of the command line.


BOT = "bot"
USUAL_SEATS = "you,bot"


def read_seats(text: str, kit: Kit) -> tuple[tuple[str, ...], dict[str, str]]:
    """The names of the seats and the bots among them, by name.

    ``you,Ann,bot``: a name is a person; ``bot`` is the game's usual bot, ``bot:lucky`` one by name, ``Zoe=lucky`` one
    under another name; a number alone is that many people. Raises BadNotation.
    """
    digits = text.strip()
    if digits.isascii() and digits.removeprefix("-").isdigit():
        game = kit.build({option.key: option.choices[0] for option in kit.options})
        number = int(digits[:4])  # more than any game seats already
        if not game.least_seats <= number <= game.most_seats:
            raise BadNotation("seats", found=text, least=game.least_seats, most=game.most_seats)
        names = [kit.names[at] if at < len(kit.names) else f"Seat {at + 1}" for at in range(number)]
        return tuple(names), {}
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
        return read_name(name), _policy(policy.strip(), kit)
    if kind.strip().lower() == BOT:
        return "", _policy(which.strip(), kit) if colon else next(iter(kit.policies))
    return read_name(part), None


def _policy(text: str, kit: Kit) -> str:
    if text.lower() not in kit.bots:
        raise BadNotation("bot", found=text, bots=kit.bots)
    return text.lower()
