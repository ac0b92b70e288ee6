"""``completion``: print a script that completes commands, games, options and values in bash, zsh or fish.

shtab writes the script from the parsers of the commands, in the user's language. While a user types, the script does
not start pubdice.
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
"""Metavars of arguments and values that are files or folders."""
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
    # zsh reads the script with `source` as well as with `eval`
    outside.line.put(script.replace("$zsh_eval_context[-1] == eval ", "$zsh_eval_context[-1] == (eval|file) ") + "\n")


def _of_terminal(games: Mapping[str, Kit], language: Language) -> Iterator[tuple[str, Parsers]]:
    """The terminal's commands, each with its parsers. A question has one parser for each game that answers it."""
    for name in DECLARED:
        yield name, [parser_of(name, games, language)]
    for name in DESCRIPTIONS:
        asked = [(kit, found) for kit in games.values() if (found := question(kit, name, language)) is not None]
        with_game = [parser_with_game(found, name, kit, language) for kit, found in asked]
        yield name, [parser_without_game(name, games, language), *with_game]


def _actions(parsers: Parsers, games: Mapping[str, Kit]) -> list[argparse.Action]:
    """The distinct arguments and options of these parsers, with their choices or file completion set."""
    found = {tuple(action.option_strings) or action.dest: action for parser in parsers for action in parser._actions}
    for action in found.values():
        holder = action.metavar if isinstance(action.metavar, str) else ""
        if holder in FILES:
            vars(action)["complete"] = shtab.FILE  # shtab reads this attribute
        elif action.choices is None:
            action.choices = _values(action.dest, holder, games)
    return list(found.values())


def _values(key: str, holder: str, games: Mapping[str, Kit]) -> tuple[str, ...] | None:
    """The words that the games allow for an argument or a value. None if it can be anything."""
    if holder == "GAME":
        return tuple(games)
    if key == "format":
        return tuple(dict.fromkeys(kind.name for kit in games.values() for kind in kit.formats))
    choices = (option.choices for kit in games.values() for option in kit.options if option.key == key)
    return tuple(dict.fromkeys(choice.replace(" ", ",") for each in choices for choice in each)) or None
