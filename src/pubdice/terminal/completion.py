"""``completion``: print a script that completes commands, games, options and values in bash, zsh or fish.

The package shtab writes the script from the commands' parsers, in the user's language. The script works without
pubdice: while a user types, it does not start Python.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence

import shtab

from pubdice.advice.questions import question
from pubdice.command_line import everywhere_flags
from pubdice.kit import Kit
from pubdice.terminal.arguments import Environment
from pubdice.terminal.declared import DECLARED, parser_of
from pubdice.terminal.questions import DESCRIPTIONS, parser_with_game, parser_without_game
from pubdice.text.catalogues import CODES
from pubdice.text.language import Language

FILES = ("FILE", "FILE.zip", "DIR", "OLD", "RECORD", "FROM", "TO", "PLACE")
"""The placeholders of arguments and options whose value is a file or a folder."""
Parsers = Sequence[argparse.ArgumentParser]


def completion(chosen: argparse.Namespace, outside: Environment, language: Language) -> None:
    """Print the completion script for a shell."""
    everywhere, other = (argparse.ArgumentParser(add_help=False) for _ in range(2))
    for flag, value, meaning in everywhere_flags(language):
        everywhere.add_argument(flag, help=meaning, **({"choices": CODES} if value else {"action": "store_true"}))
    other.add_argument("files", nargs="*", metavar="FILE")
    root = argparse.ArgumentParser("pubdice", parents=[everywhere], add_help=False)
    for name in ("--help", "--version"):
        root.add_argument(name, action="store_true")
    commands = root.add_subparsers()
    others = [(name, [parser or other]) for name, parser in outside.others().items()]
    for name, parsers in [*_of_terminal(outside.games, language), *others]:
        meaning = (parsers[0].description or "").partition(". ")[0].partition("\n")[0].rstrip(".")
        command = commands.add_parser(name, add_help=False, help=meaning, description=meaning)
        for action in _actions([*parsers, everywhere], outside.games):
            command._add_action(action)
    script = shtab.complete(root, chosen.shell)
    # makes zsh accept the script through `source` as well as through `eval`
    outside.line.put(script.replace("$zsh_eval_context[-1] == eval ", "$zsh_eval_context[-1] == (eval|file) ") + "\n")


def _of_terminal(games: Mapping[str, Kit], language: Language) -> Iterator[tuple[str, Parsers]]:
    """Yield the terminal's commands, each with its parsers.

    A question such as ``odds`` has a parser for each game that can answer it.
    """
    for name in DECLARED:
        yield name, [parser_of(name, games, language)]
    for name in DESCRIPTIONS:
        asked = [(kit, found) for kit in games.values() if (found := question(kit, name, language)) is not None]
        with_game = [parser_with_game(found, name, kit, language) for kit, found in asked]
        yield name, [parser_without_game(name, games, language), *with_game]


def _actions(parsers: Parsers, games: Mapping[str, Kit]) -> list[argparse.Action]:
    """Return the distinct arguments and options of these parsers. Set the values, or the files, that complete each of
    them.
    """
    found = {tuple(action.option_strings) or action.dest: action for parser in parsers for action in parser._actions}
    for action in found.values():
        holder = action.metavar if isinstance(action.metavar, str) else ""
        if holder in FILES:
            vars(action)["complete"] = shtab.FILE  # shtab reads this attribute
        elif action.choices is None:
            action.choices = _values(action.dest, holder, games)
    return list(found.values())


def _values(key: str, holder: str, games: Mapping[str, Kit]) -> tuple[str, ...] | None:
    """Return all values that an argument or option can have in any game. Return None if any value is allowed."""
    if holder == "GAME":
        return tuple(games)
    if key == "format":
        return tuple(dict.fromkeys(kind.name for kit in games.values() for kind in kit.formats))
    choices = (option.choices for kit in games.values() for option in kit.options if option.key == key)
    return tuple(dict.fromkeys(choice.replace(" ", ",") for each in choices for choice in each)) or None
