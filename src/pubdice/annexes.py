"""Commands that other distributions add to ``pubdice``. They are found by entry points of the group
``pubdice.commands``.

An entry point has the name of its command, and points to a module with two functions. ``run(words, context)`` runs the
command and returns the exit status. ``parsers(context)`` returns the command's parser by its name, for ``pubdice
completion``. ``docs/contribute/annexes.md`` shows a whole example.

An annex is a distribution with such commands. pubdice's own annexes (lab, workshop, cluster, pocket) are ordinary
distributions too. pubdice works without them. If the annex of a command is missing, pubdice says how to install it.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from io import StringIO
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
"""The commands of pubdice's own annexes. For each command, the extra that installs it, as in ``pip install
'pubdice[lab]'``."""


@dataclass(frozen=True)
class CommandContext:
    """Everything that a command takes from outside: language, games, streams, clock, seeds and cache. ``pubdice.cli``
    makes it.
    """

    language: Language  # for everything that the command prints
    games: Mapping[str, Kit]  # every game by its name
    out: TextIO  # the stream for the command's output
    err: TextIO  # the stream for faults
    clock: Callable[[], float]  # seconds since some fixed moment
    new_seed: Callable[[], str]
    cache: Path | None  # the folder for solutions and compiled code; None to store nothing
    plain: bool  # True for text only: no drawing, no colour

    def waiting(self, text: str) -> AbstractContextManager[None]:
        """Say a line on the terminal if the block takes longer than ``console.PATIENCE_S``. A pipe gets no such
        line.
        """
        from pubdice.terminal.console import Console  # noqa: PLC0415 - most commands never wait

        return Console(StringIO(), self.out, live=False, aside=self.err if self.err.isatty() else None).waiting(text)


class CommandModule(Protocol):
    """The module that a command's entry point names, as pubdice uses it."""

    def run(self, words: Sequence[str], context: CommandContext) -> int:
        """Run the command, and return the exit status. ``words`` is the command line. Its first word is the command's
        name.
        """

    def parsers(self, context: CommandContext) -> "Mapping[str, ArgumentParser]":
        """Return the argument parser of each command by the command's name. Shell completion reads the options from
        it.
        """


@cache
def installed() -> Mapping[str, EntryPoint]:
    """Return the entry points of all installed commands, by command name.

    If two distributions have a command of the same name, the entry point whose module comes first in the alphabet
    counts.
    """
    found = sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value))
    return {entry.name: entry for entry in reversed(found)}


def names() -> tuple[str, ...]:
    """Return the names of all commands of annexes: those of pubdice's own annexes, installed or not, and all installed
    others.
    """
    return tuple(dict.fromkeys((*EXTRAS, *installed())))


def run_command(words: Sequence[str], context: CommandContext) -> int:
    """Run an annex's command, or print how to install it. Returns the exit status.

    ``words`` begins with the command's name. Raises KeyError if no annex has a command of that name.
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
    """Return the argument parser of each annex's command, by the command's name.

    The value is None if the command is not installed, if it has no parser, or if its package raises an error.
    """
    found: dict[str, ArgumentParser | None] = dict.fromkeys(names())
    for name in installed():
        with suppress(Exception):  # a broken package must not stop the completion of other commands
            found |= _load(name).parsers(context)
    return found


def _load(name: str) -> CommandModule:
    return cast(CommandModule, installed()[name].load())
