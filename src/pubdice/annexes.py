"""Commands that other distributions add to ``pubdice``, found by their entry points of the group ``pubdice.commands``.

An entry point has the name of the command, and names a module with two functions: ``run(words, context)`` runs the
command and returns the exit status; ``parsers(context)`` returns its parser by its name, for ``pubdice completion``.
``docs/annexes.md`` shows a whole one. pubdice's own annexes are distributions like any other: the core works without
them, and says how to get the one that a command needs.
"""

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
    """All that a command needs of the world: the composition root picks it.

    language: the terminal's. games: every game by its name. out, err: where answers and complaints go. clock: seconds
    from any zero. new_seed: draws a seed. cache: the folder of solutions and compiled code, None where there is none.
    plain: draw nothing.
    """

    language: Language
    games: Mapping[str, Kit]
    out: TextIO
    err: TextIO
    clock: Callable[[], float]
    new_seed: Callable[[], str]
    cache: Path | None
    plain: bool


class CommandModule(Protocol):
    """The functions of the module that an entry point names."""

    def run(self, words: Sequence[str], context: CommandContext) -> int:
        """Run the command, whose name is the first word; the exit status."""

    def parsers(self, context: CommandContext) -> "Mapping[str, ArgumentParser]":
        """The parsers of commands whose words a shell can complete, by the name of the command."""


@cache
def installed() -> Mapping[str, EntryPoint]:
    """The entry points of all commands that are installed, by name; of two with one name the first."""
    found = sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value))
    return {entry.name: entry for entry in reversed(found)}


def names() -> tuple[str, ...]:
    """The names of all commands that annexes bring, and of those that pubdice's own would bring."""
    return tuple(dict.fromkeys((*EXTRAS, *installed())))


def run_command(words: Sequence[str], context: CommandContext) -> int:
    """Run the command of an annex, or say how to install it; the exit status. Raises KeyError for an unknown name."""
    name = words[0]
    say = context.language.say
    if name not in installed():
        text = (
            "{command} is not installed. To install it: pip install 'pubdice[{extra}]'; with pipx: "
            "pipx install --force 'pubdice[{extra}]'."
        )
        complain(context.err, f"pubdice: {say(text, command=name, extra=EXTRAS[name])}\n")
        return OTHER
    try:
        module = _load(name)
    except Exception as error:  # noqa: BLE001 - a stranger's package, which may raise anything as it is imported
        why = reason_of(error)
        complain(context.err, f"pubdice: {say('{command} is broken ({why}).', command=name, why=why)}\n")
        return OTHER
    return module.run(words, context)


def command_parsers(context: CommandContext) -> "dict[str, ArgumentParser | None]":
    """The parsers of all commands of annexes, by name; None where there is none, or its package is broken."""
    found: dict[str, ArgumentParser | None] = dict.fromkeys(names())
    for name in installed():
        with suppress(Exception):  # of a stranger's package, as above; the other commands are completed
            found |= _load(name).parsers(context)
    return found


def _load(name: str) -> CommandModule:
    return cast(CommandModule, installed()[name].load())
