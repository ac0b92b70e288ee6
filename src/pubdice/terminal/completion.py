"""``completion``: a script by which bash, zsh or fish completes commands, games, options and their values.

It is written from the parsers of the commands themselves, in the language of the terminal, and asks nothing of pubdice
while somebody types.
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from shlex import quote

from pubdice.advice.questions import question
from pubdice.command_line import everywhere_flags
from pubdice.kit import Kit
from pubdice.terminal.arguments import Environment
from pubdice.terminal.declared import DECLARED, parser_of
from pubdice.terminal.questions import DESCRIPTIONS, parser_with_game, parser_without_game
from pubdice.text.catalogues import CODES
from pubdice.text.language import Language

FILES = ("FILE", "FILE.zip", "DIR", "OLD", "RECORD", "FROM", "TO", "PLACE")
"""Placeholders of arguments and values that are files or folders."""


@dataclass(frozen=True, slots=True)
class OptionToComplete:
    """An option: its names, its meaning, and its values: the words there are, files, or anything (neither)."""

    names: tuple[str, ...]
    meaning: str = ""
    takes_value: bool = False
    values: tuple[str, ...] = ()
    files: bool = False


@dataclass(frozen=True, slots=True)
class CommandToComplete:
    """A command: its name, its meaning in a sentence, the words and files it takes, its options."""

    name: str
    meaning: str = ""
    words: tuple[str, ...] = ()
    files: bool = False
    options: tuple[OptionToComplete, ...] = ()


def completion(chosen: argparse.Namespace, outside: Environment, language: Language) -> None:
    """Print the script of a shell."""
    others = [_of_parser(name, parser, outside.games) for name, parser in outside.others().items()]
    found = [*_of_terminal(outside.games, language), *others]
    everywhere = [
        OptionToComplete((flag,), meaning, bool(value), CODES if value else ())
        for flag, value, meaning in everywhere_flags(language)
    ]
    write = {"bash": _bash, "zsh": _zsh, "fish": _fish}[chosen.shell]
    outside.line.put("\n".join(write(found, everywhere)) + "\n")


def _of_terminal(games: Mapping[str, Kit], language: Language) -> Iterator[CommandToComplete]:
    """The terminal's commands; a question has the flags of all games that answer it."""
    for name in DECLARED:
        yield _of_parser(name, parser_of(name, games, language), games)
    for name in DESCRIPTIONS:
        asked = _of_parser(name, parser_without_game(name, games, language), games)
        options = {each.names: each for each in asked.options}
        for kit in games.values():
            if (found := question(kit, name, language)) is not None:
                each_of_kit = _of_parser(name, parser_with_game(found, name, kit, language), games)
                options |= {each.names: each for each in each_of_kit.options}
        yield replace(asked, options=tuple(options.values()))


def _of_parser(name: str, parser: argparse.ArgumentParser | None, games: Mapping[str, Kit]) -> CommandToComplete:
    """The words, files and options that a parser takes."""
    if parser is None:
        return CommandToComplete(name, files=True)
    meaning = (parser.description or "").partition(". ")[0].partition("\n")[0].rstrip(".")
    words, files, options = list[str](), False, list[OptionToComplete]()
    for action in parser._actions:  # argparse has no other way to ask what a parser takes
        holder = action.metavar if isinstance(action.metavar, str) else ""
        choices = tuple(map(str, action.choices or ())) or _values(action.dest, holder, games)
        if not action.option_strings:
            words += choices
            files = files or holder in FILES
        elif action.help is not argparse.SUPPRESS:
            takes = action.nargs != 0
            told = (action.help or "").replace("\n", " ")
            options.append(
                OptionToComplete(tuple(action.option_strings), told, takes, choices if takes else (), holder in FILES)
            )
    return CommandToComplete(name, meaning, tuple(words), files, tuple(options))


def _values(key: str, holder: str, games: Mapping[str, Kit]) -> tuple[str, ...]:
    """The words that an argument or a value can be, where games say so."""
    if holder == "GAME":
        return tuple(games)
    if key == "format":
        return tuple(dict.fromkeys(kind.name for kit in games.values() for kind in kit.formats))
    choices = (option.choices for kit in games.values() for option in kit.options if option.key == key)
    return tuple(dict.fromkeys(choice.replace(" ", ",") for each in choices for choice in each))


def _names(options: Iterable[OptionToComplete]) -> list[str]:
    return [name for option in options for name in option.names]


def _with_values(commands: Sequence[CommandToComplete]) -> Iterator[tuple[str, OptionToComplete]]:
    """Each option that takes a value, behind the pattern of its command and names as bash and zsh match them."""
    for command in commands:
        for option in command.options:
            if option.takes_value:
                yield "|".join(quote(f"{command.name} {name}") for name in option.names), option


def _bash(commands: Sequence[CommandToComplete], everywhere: Sequence[OptionToComplete]) -> list[str]:
    first = [*(command.name for command in commands), "--help", "--version", *_names(everywhere)]
    values, words = list[str](), list[str]()
    for patterns, option in _with_values(commands):
        reply = f"_pubdice_words {quote(' '.join(option.values))}" if option.values else ":"
        values.append(f"        {patterns}) {'_pubdice_files' if option.files else reply}; return ;;")
    for command in commands:
        offered = [*command.words, *_names(command.options), *_names(everywhere)]
        files = "_pubdice_files; " if command.files else ""
        words.append(f"        {quote(command.name)}) {files}_pubdice_words {quote(' '.join(offered))} ;;")
    return [
        "# Completion of pubdice for bash; pubdice completion bash wrote it.",
        '_pubdice_words() { COMPREPLY+=($(compgen -W "$1" -- "$cur")); }',
        '_pubdice_files() { compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$cur")); }',
        "_pubdice() {",
        "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= i",
        "    COMPREPLY=()",
        "    for ((i = 1; i < COMP_CWORD; i++)); do",
        "        case ${COMP_WORDS[i]} in --lang) ((i++)) ;; -*) ;; *) command=${COMP_WORDS[i]}; break ;; esac",
        "    done",
        f"    if [[ $prev == --lang ]]; then _pubdice_words {quote(' '.join(CODES))}; return; fi",
        '    case "$command $prev" in',
        *values,
        "    esac",
        "    case $command in",
        f"        '') _pubdice_words {quote(' '.join(first))} ;;",
        *words,
        "    esac",
        "}",
        "complete -F _pubdice pubdice",
    ]


def _zsh(commands: Sequence[CommandToComplete], everywhere: Sequence[OptionToComplete]) -> list[str]:
    def described(rows: Iterable[tuple[str, str]]) -> str:
        return " ".join(quote(name.replace(":", "\\:") + (f":{meaning}" if meaning else "")) for name, meaning in rows)

    def options(rows: Iterable[OptionToComplete]) -> list[tuple[str, str]]:
        return [(name, option.meaning) for option in rows for name in option.names]

    first = [*((command.name, command.meaning) for command in commands), ("--help", ""), ("--version", "")]
    values, words = list[str](), list[str]()
    for patterns, option in _with_values(commands):
        reply = f"compadd -- {' '.join(map(quote, option.values))}" if option.values else ":"
        values.append(f"        ({patterns}) {'_files' if option.files else reply}; return ;;")
    for command in commands:
        rows = [*((word, "") for word in command.words), *options(command.options), *options(everywhere)]
        files = "_files; " if command.files else ""
        words.append(f"        ({quote(command.name)}) list=({described(rows)}); {files}_describe word list ;;")
    return [
        "#compdef pubdice",
        "# Completion of pubdice for zsh; pubdice completion zsh wrote it.",
        "_pubdice() {",
        "    local command i",
        "    local -a list",
        "    for ((i = 2; i < CURRENT; i++)); do",
        "        case ${words[i]} in (--lang) ((i++)) ;; (-*) ;; (*) command=${words[i]}; break ;; esac",
        "    done",
        f"    if [[ ${{words[CURRENT-1]}} == --lang ]]; then compadd -- {' '.join(CODES)}; return; fi",
        '    case "$command ${words[CURRENT-1]}" in',
        *values,
        "    esac",
        "    case $command in",
        f"        ('') list=({described([*first, *options(everywhere)])}); _describe command list ;;",
        *words,
        "    esac",
        "}",
        'if [[ ${funcstack[1]} == _pubdice ]]; then _pubdice "$@"; else compdef _pubdice pubdice; fi',
    ]


def _fish(commands: Sequence[CommandToComplete], everywhere: Sequence[OptionToComplete]) -> list[str]:
    def spelled(text: str) -> str:
        escaped = text.replace("\\", "\\\\").replace("'", "\\'")
        return f"'{escaped}'"

    def line(option: OptionToComplete, when: str) -> str:
        names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
        takes = (" -rF" if option.files else " -x") if option.takes_value else ""
        given = f" -a {spelled(' '.join(option.values))}" if option.values else ""
        return f"complete -c pubdice {when}{names}{takes}{given} -d {spelled(option.meaning)}"

    lines = ["# Completion of pubdice for fish; pubdice completion fish wrote it.", "complete -c pubdice -f"]
    lines += [line(option, "") for option in everywhere]
    lines.append("complete -c pubdice -n __fish_use_subcommand -l version")
    for command in commands:
        told = f" -d {spelled(command.meaning)}" if command.meaning else ""
        lines.append(f"complete -c pubdice -n __fish_use_subcommand -a {command.name}{told}")
        when = f"-n '__fish_seen_subcommand_from {command.name}' "
        if command.words:
            lines.append(f"complete -c pubdice {when}-a {spelled(' '.join(command.words))}")
        if command.files:
            lines.append(f"complete -c pubdice {when}-F")
        lines += [line(option, when) for option in command.options]
    return lines
