"""Commands that other distributions add to ``pubdice``, found by entry points of the group ``pubdice.commands``.

An entry point has the name of its command, and points to a module with two functions. ``run(words, context)`` runs the
command and returns the exit status. ``parsers(context)`` returns parsers by command, for ``pubdice completion``.
``docs/contribute/annexes.md`` shows a whole example. pubdice's own annexes are ordinary distributions. The core works
without them, and tells how to install a missing one.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TextIO, cast

from pubdice.command_line import complain
from pubdice.failures import OTHER, reason_of
from pubdice.kit import Kit
from pubdice.text.language import Language

if TYPE_CHECKING:
    from argparse import ArgumentParser

GROUP = "pubdice.commands"
EXTRAS = {
    "simulate": "lab",
    "arena": "lab",
    "plot": "lab",
    "paper": "lab",
    "new-game": "workshop",
    "game": "workshop",
    "move-house": "cluster",
    "pocket": "pocket",
}
"""The commands of pubdice's own annexes, each with the extra that installs it: ``pip install 'pubdice[lab]'``."""


@dataclass(frozen=True)
class CommandContext:
    """The outside world of a command. The composition root (``cli``) makes it."""

    language: Language  # of the terminal
    games: Mapping[str, Kit]  # every game by its name
    out: TextIO  # for answers
    err: TextIO  # for complaints
    clock: Callable[[], float]  # seconds from any zero
    new_seed: Callable[[], str]
    cache: Path | None  # the folder of solutions and compiled code
    plain: bool  # true to draw nothing


class CommandModule(Protocol):
    """The functions of the module that an entry point names."""

    def run(self, words: Sequence[str], context: CommandContext) -> int:
        """Run the command. ``words`` begins with its name. Returns the exit status."""

    def parsers(self, context: CommandContext) -> "Mapping[str, ArgumentParser]":
        """The parsers by command, for completion in a shell."""


@cache
def installed() -> Mapping[str, EntryPoint]:
    """The entry points of all installed commands by name. If two share a name, the first in order of value counts."""
    found = sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value))
    return {entry.name: entry for entry in reversed(found)}


def names() -> tuple[str, ...]:
    """The commands of all annexes. pubdice's own need not be installed."""
    return tuple(dict.fromkeys((*EXTRAS, *installed())))


def run_command(words: Sequence[str], context: CommandContext) -> int:
    """Run the command of an annex, or say how to install it. Returns the exit status. Raises KeyError for an unknown
    name.
    """
    name = words[0]
    say = context.language.say
    if name not in installed():
        complain(context.err, f"pubdice: {not_installed(name, EXTRAS[name], context.language)}\n")
        return OTHER
    try:
        module = _load(name)
    except Exception as error:  # noqa: BLE001 - the import of a foreign package may raise anything
        why = reason_of(error)
        complain(context.err, f"pubdice: {say('{command} is broken ({why}).', command=name, why=why)}\n")
        return OTHER
    return module.run(words, context)


CLONE = Path(__file__).parents[2]
"""The folder of the project, if this runs from a clone of it."""
TARGETS = {"serve": "make serve", "pocket": "make pocket"}
"""The commands of a clone that install what a command needs, and run it."""


def not_installed(command: str, extra: str, language: Language) -> str:
    """The sentence that says how to install the extra of a command. In the environment of a clone, make does it."""
    if Path(sys.prefix).parent == CLONE and (CLONE / "Makefile").is_file():
        how = TARGETS.get(command, "make .venv/.web")
        return language.say("{command} is not installed. To install it: {how}", command=command, how=how)
    text = (
        "{command} is not installed. To install it: pip install 'pubdice[{extra}]'; with pipx: "
        "pipx install --force 'pubdice[{extra}]'."
    )
    return language.say(text, command=command, extra=extra)


def command_parsers(context: CommandContext) -> "dict[str, ArgumentParser | None]":
    """The parsers of all annexes' commands by name. None if a command is not installed, has no parser or is broken."""
    found: dict[str, ArgumentParser | None] = dict.fromkeys(names())
    for name in installed():
        with suppress(Exception):  # a broken package must not stop the completion of other commands
            found |= _load(name).parsers(context)
    return found


def _load(name: str) -> CommandModule:
    return cast(CommandModule, installed()[name].load())
