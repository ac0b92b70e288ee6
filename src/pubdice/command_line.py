"""Shared parts of all command lines: argument parsers, help in 80 columns, flags for games and house rules, and faults.

Each command refuses in one sentence, in the language of the terminal. This holds for the terminal, the house and the
annexes.
"""

import argparse
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from shutil import get_terminal_size
from textwrap import fill
from typing import Any, NoReturn, TextIO

from pubdice.core.errors import BadNotation, Failure, Refused
from pubdice.failures import BAD_NOTATION, OTHER, exit_status, explain
from pubdice.kit import Kit
from pubdice.text.catalogues import CODES
from pubdice.text.language import ISOLATES, Language, shorten, stopped
from pubdice.typed import without_marks


class FaultError(Exception):
    """A fault with its sentence and exit status."""

    def __init__(self, told: str, status: int) -> None:
        super().__init__(told)
        self.status = status


ALIKE = 0.65  # the least similarity of a typo, by ``difflib``; "plya" and "play" have 0.75


def guess(found: str, names: Iterable[str]) -> str | None:
    """The likeliest word for a typo. None if no word is similar, or the text is that word. Numbers of a format are
    ignored.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only after a typo

    word = re.split("[ :]", found.strip().lower(), maxsplit=1)[0]
    close = get_close_matches(word, dict.fromkeys(names), 1, ALIKE)
    return close[0] if close and close[0] != word else None


def guessed(language: Language, found: str, names: Iterable[str]) -> str | None:
    """A question that suggests another word. None if no word is similar."""
    name = guess(found, names)
    text = '"{found}" means nothing here. Did you mean {name}?'
    return name and language.say(text, found=shorten(found), name=name)


ITEM = re.compile(r"\s*(?:[-*] |[0-9]+\. |\S{1,6}(?: \S{1,3}){0,3} {2,})?")
"""The mark of a list item, or the first column of a row, with the space before it."""
MOST_COLUMNS = 80
EVERYWHERE = ("--lang", "--plain")
MESSAGES = {
    r"the following arguments are required: (?P<names>.+)": "{names} is missing.",
    r"unrecognized arguments: (?P<found>.+)": '"{found}" means nothing here.',
    r"argument (?P<option>.+): expected (?:one|at least one) argument": "{option} needs a value.",
    r"argument (?P<option>.+): ignored explicit argument .+": "{option} takes no value.",
    r"argument (?P<option>.+): invalid choice: (?P<found>.*?) \(choose from (?P<choices>.+)\)": (
        '{option}: "{found}" is none of {choices}.'
    ),
    r"argument (?P<option>.+): not allowed with argument (?P<other>.+)": "{option} does not go with {other}.",
    r"argument (?P<option>.+): invalid (?:float|int) value: (?P<found>.+)": '{option}: "{found}" is no number.',
    r"argument (?P<option>.+): (?P<why>.+)": "{option}: {why}.",
}
"""Sentences for the errors of argparse (Python 3.11 to 3.13), by a pattern for its message."""


def everywhere_flags(language: Language) -> tuple[tuple[str, str, str], ...]:
    """The flags of every command, as (name, placeholder, meaning). The placeholder of a switch is "".

    ``pubdice.cli`` takes them before the command runs.
    """
    return (
        (
            EVERYWHERE[0],
            "CODE",
            language.say("speak this language: {codes}", codes=language.join(CODES, "{some} or {last}")),
        ),
        (EVERYWHERE[1], "", language.say("lines of text alone, nothing drawn or coloured")),
    )


def folded(line: str, width: int) -> str:
    """Wrap a line between words, but not at a hyphen, as in new-game. Later lines of a list item align with its first
    word.
    """
    mark = ITEM.match(line)
    if not mark or len(line) <= width:
        return line
    return fill(line, width, subsequent_indent=" " * len(mark[0]), break_on_hyphens=False)


def complain(err: TextIO, text: str) -> None:
    """Write a fault. Lines are wrapped on a terminal, but not in a file."""
    if err.isatty():
        columns = os.get_terminal_size(err.fileno()).columns or MOST_COLUMNS
        text = "\n".join(folded(line, columns) for line in text.translate(ISOLATES).split("\n"))
    err.write(text)


def guarded(
    name: str,
    run: Callable[[], int],
    language: Language,
    err: TextIO,
    *,
    refusals: Mapping[str, str],
    unable: Collection[str],
    named: bool = False,
) -> int:
    """Run an annex's command and return its exit status. A failure is printed as a sentence.

    ``refusals`` holds the annex's own sentences by code. If ``named`` is true, the command's name stands before them
    too. ``unable`` holds the codes that end with status 1. All other refusals end with 2, as they name unreadable
    input.
    """
    by = f"pubdice {name}"
    try:
        return run()
    except FaultError as fault:
        told, status = str(fault), fault.status
    except Refused as refused:
        told, by = language.say(refusals[refused.code], **refused.facts), by if named else "pubdice"
        status = OTHER if refused.code in unable else BAD_NOTATION
    except Failure as error:
        told, status = explain(language, error), exit_status(error)
    complain(err, f"{by}: {told}\n")
    return status


def mistyped(program: str, told: str, language: Language) -> FaultError:
    """The fault of unreadable words, with a hint at the help page."""
    more = language.say("See {program} --help.", program=program)
    return FaultError(f"{shorten(stopped(told), 200)} {more}", BAD_NOTATION)


class Manual(argparse.RawDescriptionHelpFormatter):
    """Help pages in paragraphs as wide as the terminal, 80 columns at most."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=min(get_terminal_size().columns, MOST_COLUMNS) - 2)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(folded(line, width) for line in text.split("\n"))


class Parser(argparse.ArgumentParser):
    """An argument parser that speaks a language and refuses in one sentence."""

    def __init__(self, command: str, language: Language) -> None:
        super().__init__(prog=f"pubdice {command}", formatter_class=Manual, allow_abbrev=False, add_help=False)
        self.language, say = language, language.say
        self._positionals.title, self._optionals.title = say("arguments"), say("options")
        self.add_argument("-h", "--help", action="help", help=say("this page"))

    def describe(self, text: str, epilog: str = "") -> None:
        """Set the text above the arguments, and the one below the options."""
        self.description, self.epilog = self.language.say(text), epilog and self.language.say(epilog)

    def take_game(self, names: Collection[str], **how: Any) -> None:
        """Add an argument: one of these games."""
        self.add_argument("game", metavar="GAME", help=one_of(names, self.language), **how)

    def take(self, name: str, holder: str | None, meaning: str, **how: Any) -> None:
        """Add an argument, or an option whose value is shown as ``holder``. Its meaning is translated."""
        self.add_argument(name, metavar=holder, help=self.language.say(meaning), **how)

    def switch(self, name: str, meaning: str) -> None:
        """Add an option without a value. Its meaning is translated."""
        self.add_argument(name, action="store_true", help=self.language.say(meaning))

    def format_usage(self) -> str:
        """The usage alone."""
        return self._in_language(super().format_usage())

    def format_help(self) -> str:
        """The page of help, with the flags of every command."""
        everywhere = [f"  {' '.join(flag):<11}  {meaning}" for *flag, meaning in everywhere_flags(self.language)]
        page = [super().format_help(), self.language.say("with every command:"), *everywhere]
        return self._in_language("\n".join(page) + "\n")

    def _in_language(self, page: str) -> str:
        usage, said = "usage:", self.language.say("usage:")
        lines = page.removeprefix(usage).split("\n")
        rest = lines.index("") if "" in lines else len(lines)
        hangs = " " * (len(said) - len(usage))  # later lines stay under the first word
        return said + "\n".join([lines[0], *(hangs + line for line in lines[1:rest]), *lines[rest:]])

    def error(self, message: str) -> NoReturn:
        """Raise the message as a fault with exit status 2."""
        raise mistyped(self.prog, self._told(message), self.language)

    def _told(self, message: str) -> str:
        """Translate a message of argparse. An unknown message stays as it is."""
        for pattern, sentence in MESSAGES.items():
            if found := re.fullmatch(pattern, message, re.DOTALL):
                facts = {key: text.replace("'", "") for key, text in found.groupdict().items()}
                return self._guessed(facts) or self.language.say(sentence, **facts)
        return message

    def _guessed(self, facts: Mapping[str, str]) -> str | None:
        """A question that suggests another option, or another value of one."""
        first = facts.get("found", "").partition(" ")[0]
        if "choices" in facts:
            return guessed(self.language, first, facts["choices"].split(", "))
        options = [name for action in self._actions for name in action.option_strings]
        given = first.partition("=")[0]
        return guessed(self.language, given, [*options, *EVERYWHERE]) if given.startswith("--") else None


def kit_named(name: str, games: Mapping[str, Kit], language: Language) -> Kit:
    """The kit with that name, or with that title in the language. Accents are ignored. Raises BadNotation."""
    if name.lower() in games:
        return games[name.lower()]
    for kit in games.values():
        if without_marks(language.say(kit.words.title)).lower() == without_marks(name).lower():
            return kit
    raise BadNotation("game", found=name, games=tuple(games))


def one_of(names: Collection[str], language: Language) -> str:
    """Names in a list to choose from."""
    return language.join(names, "{some} or {last}")


def add_option_flags(parser: Parser, games: Mapping[str, Kit]) -> None:
    """Add a flag for every house rule of any game."""
    language = parser.language
    for key, kits in _options(games).items():
        option = next(option for option in kits[0].options if option.key == key)
        choices = one_of([choice.replace(" ", ",") for choice in option.choices], language)
        names = ", ".join(kit.name for kit in kits)
        parser.add_argument(
            f"--{key}", metavar=key.upper(), help=f"{names}: {language.say(option.meaning)} ({choices})"
        )


def _options(games: Mapping[str, Kit]) -> dict[str, list[Kit]]:
    found: dict[str, list[Kit]] = {}
    for kit in games.values():
        for option in kit.options:
            found.setdefault(option.key, []).append(kit)
    return found


def chosen_options(chosen: argparse.Namespace, kit: Kit, games: Mapping[str, Kit]) -> dict[str, str]:
    """The house rules from flags. Raises BadNotation for a rule of another game."""
    given = {key: getattr(chosen, key) for key in _options(games) if getattr(chosen, key) is not None}
    kit.check_options(given)
    return given


LONGEST_SEED = 64


def seed_of(text: str | None) -> str | None:
    """Check the seed, if there is one. Raises BadNotation."""
    if text is not None and not (text.isprintable() and 0 < len(text) <= LONGEST_SEED):
        raise BadNotation("seed", longest=LONGEST_SEED)
    return text
