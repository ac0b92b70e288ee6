"""Runs a terminal command by its name. If it fails, one sentence goes to standard error, and the exit status says so.

A command's module is imported only after its arguments are parsed. So ``--help`` stays fast.
"""

import sys
from collections.abc import Sequence
from importlib import import_module

from pubdice.command_line import EVERYWHERE, FaultError, complain, guess, guessed
from pubdice.core.errors import BadNotation, NotStored, Refused
from pubdice.failures import exit_status
from pubdice.terminal.arguments import Environment
from pubdice.terminal.declared import DECLARED, parser_of
from pubdice.text.language import Language, shorten

__all__ = ["Environment", "no_command", "run"]


def run(words: list[str], outside: Environment) -> int:
    """Run one command and return its exit status."""
    name, *rest = words or ["play"]
    try:
        _run(name, rest, outside, outside.language)
    except FaultError as error:
        return _sorry(name, str(error), error.status)
    except (BadNotation, Refused, NotStored) as error:
        from pubdice.terminal.sentences import explain  # noqa: PLC0415 - it imports the words of a whole table

        return _sorry(name, explain(outside.language, error), exit_status(error))
    return 0


def _run(name: str, words: list[str], outside: Environment, language: Language) -> None:
    if name not in DECLARED:
        import_module("pubdice.terminal.questions").ask(name, words, outside, language)
        return
    chosen = parser_of(name, outside.games, language).parse_args(words)
    getattr(import_module(f"pubdice.terminal.{DECLARED[name][0]}"), name)(chosen, outside, language)


def no_command(found: str, commands: Sequence[str], games: Sequence[str], language: Language) -> str:
    """Return the message for an unknown command. If the word is a game's name, suggest ``pubdice play GAME``."""
    say, name = language.say, guess(found, (*commands, *games))
    more = say("See {program} --help.", program="pubdice")
    if found.startswith("-"):
        told = guessed(language, found, ("--help", "--version", *EVERYWHERE))
        told = told or say('"{found}" means nothing here.', found=shorten(found))
        return f"pubdice: {told} {more}\n"
    name = found if found in games else name
    if name is None:
        text = '"{found}" is no command. Choose {commands}.'
        told = say(text, found=shorten(found), commands=", ".join(commands))
    else:
        meant = f"play {name}" if name in games else name
        told = say('"{found}" is no command. Did you mean {name}?', found=shorten(found), name=f"pubdice {meant}")
    return f"pubdice: {told} {more}\n"


def _sorry(name: str, told: str, status: int) -> int:
    complain(sys.stderr, f"pubdice {name}: {told}\n")
    return status
