"""Shared by all command lines: parsers that speak a language, help in 80 columns, games and house rules by flags, and
faults ready to be told.

Every command refuses in one sentence, in the language of the terminal: those of the terminal, of the house
and of annexes.
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
    """A fault ready to be told: its sentence, and the exit status that goes with it."""

    def __init__(self, told: str, status: int) -> None:
        super().__init__(told)
        self.status = status


ALIKE = 0.65
"""The least likeness of a word to the one that was meant, as ``difflib`` measures it: "plya" is to "play" 0.75."""


def guess(found: str, names: Iterable[str]) -> str | None:
    """The word that was meant; None if none is like it, or it is that one. Of a format its numbers don't count."""
    from difflib import get_close_matches  # noqa: PLC0415 - only where somebody mistyped

    word = re.split("[ :]", found.strip().lower(), maxsplit=1)[0]
    close = get_close_matches(word, dict.fromkeys(names), 1, ALIKE)
    return close[0] if close and close[0] != word else None


def guessed(language: Language, found: str, names: Iterable[str]) -> str | None:
    """The question whether another word was meant; None if none is like it."""
    name = guess(found, names)
    text = '"{found}" means nothing here. Did you mean {name}?'
    return name and language.say(text, found=shorten(found), name=name)


ITEM = re.compile(r"\s*(?:[-*] |[0-9]+\. |\S{1,6}(?: \S{1,3}){0,3} {2,})?")
"""The mark of an item of a list, or the first column of a row, with what stands before it."""
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
"""Sentences for what argparse finds wrong (Python 3.11 to 3.13), by its own words."""


def everywhere_flags(language: Language) -> tuple[tuple[str, str, str], ...]:
    """The flags that go with every command, which ``pubdice.cli`` takes before the command sees them: name, placeholder
    of the value ("" for a switch), meaning.
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
    """A line broken between words, and never at the hyphen of a name such as new-game.

    The rest of an item of a list stands under its first word.
    """
    mark = ITEM.match(line)
    if not mark or len(line) <= width:
        return line
    return fill(line, width, subsequent_indent=" " * len(mark[0]), break_on_hyphens=False)


def complain(err: TextIO, text: str) -> None:
    """Write a fault; on a terminal lines break between words, in a file they are as long as they are."""
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
    """The exit status of an annex's command of that name; a failure is told in a sentence.

    refusals: the annex's own sentences, by code; named: true if its command stands before them, as before all others.
    unable: the codes for which a command ends with status 1; with 2 for all others, which name what it can't read.
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
    """The fault of words that a command can't read, with where to look."""
    more = language.say("See {program} --help.", program=program)
    return FaultError(f"{shorten(stopped(told), 200)} {more}", BAD_NOTATION)


class Manual(argparse.RawDescriptionHelpFormatter):
    """Pages of help in paragraphs as wide as the terminal, 80 columns at most."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=min(get_terminal_size().columns, MOST_COLUMNS) - 2)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Each line of a text as a paragraph; rows of a list hang under their first word."""
        return "\n".join(folded(line, width) for line in text.split("\n"))


class Parser(argparse.ArgumentParser):
    """An argument parser that speaks a language, and refuses in one sentence."""

    def __init__(self, command: str, language: Language) -> None:
        super().__init__(prog=f"pubdice {command}", formatter_class=Manual, allow_abbrev=False, add_help=False)
        self.language, say = language, language.say
        self._positionals.title, self._optionals.title = say("arguments"), say("options")
        self.add_argument("-h", "--help", action="help", help=say("this page"))

    def describe(self, text: str, epilog: str = "") -> None:
        """Say what the command does, above its arguments, and more below its options."""
        self.description, self.epilog = self.language.say(text), epilog and self.language.say(epilog)

    def take_game(self, names: Collection[str], **how: Any) -> None:
        """An argument: one of these games."""
        self.add_argument("game", metavar="GAME", help=one_of(names, self.language), **how)

    def take(self, name: str, holder: str | None, meaning: str, **how: Any) -> None:
        """An argument, or an option with a value, shown as ``holder``; its meaning is said."""
        self.add_argument(name, metavar=holder, help=self.language.say(meaning), **how)

    def switch(self, name: str, meaning: str) -> None:
        """An option without a value; its meaning is said."""
        self.add_argument(name, action="store_true", help=self.language.say(meaning))

    def format_usage(self) -> str:
        """The usage alone."""
        return self._in_language(super().format_usage())

    def format_help(self) -> str:
        """The page of help, with the flags that go with every command."""
        everywhere = [f"  {' '.join(flag):<11}  {meaning}" for *flag, meaning in everywhere_flags(self.language)]
        page = [super().format_help(), self.language.say("with every command:"), *everywhere]
        return self._in_language("\n".join(page) + "\n")

    def _in_language(self, page: str) -> str:
        usage, said = "usage:", self.language.say("usage:")
        lines = page.removeprefix(usage).split("\n")
        rest = lines.index("") if "" in lines else len(lines)
        hangs = " " * (len(said) - len(usage))  # what does not fit into a line stands under the first word
        return said + "\n".join([lines[0], *(hangs + line for line in lines[1:rest]), *lines[rest:]])

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and leave with status 2."""
        raise mistyped(self.prog, self._told(message), self.language)

    def _told(self, message: str) -> str:
        """A message of argparse as a sentence of ours; any other as it is."""
        for pattern, sentence in MESSAGES.items():
            if found := re.fullmatch(pattern, message, re.DOTALL):
                facts = {key: text.replace("'", "") for key, text in found.groupdict().items()}
                return self._guessed(facts) or self.language.say(sentence, **facts)
        return message

    def _guessed(self, facts: Mapping[str, str]) -> str | None:
        """The question whether another option, or another value of one, was meant."""
        first = facts.get("found", "").partition(" ")[0]
        if "choices" in facts:
            return guessed(self.language, first, facts["choices"].split(", "))
        options = [name for action in self._actions for name in action.option_strings]
        given = first.partition("=")[0]
        return guessed(self.language, given, [*options, *EVERYWHERE]) if given.startswith("--") else None


def kit_named(name: str, games: Mapping[str, Kit], language: Language) -> Kit:
    """The kit of that name, or with that title in the language, with marks or without. Raises BadNotation."""
    if name.lower() in games:
        return games[name.lower()]
    for kit in games.values():
        if without_marks(language.say(kit.words.title)).lower() == without_marks(name).lower():
            return kit
    raise BadNotation("game", found=name, games=tuple(games))


def one_of(names: Collection[str], language: Language) -> str:
    """Names to choose one from."""
    return language.join(names, "{some} or {last}")


def add_option_flags(parser: Parser, games: Mapping[str, Kit]) -> None:
    """A flag for every house rule of any game."""
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
    """The house rules given by flags. Raises BadNotation for one that is another game's."""
    given = {key: getattr(chosen, key) for key in _options(games) if getattr(chosen, key) is not None}
    for key in given:
        if key not in {option.key for option in kit.options}:
            raise BadNotation("option-game", key=key, title=kit.words.title)
    return given


LONGEST_SEED = 64


def seed_of(text: str | None) -> str | None:
    """A seed, if one was given. Raises BadNotation."""
    if text is not None and not (text.isprintable() and 0 < len(text) <= LONGEST_SEED):
        raise BadNotation("seed", longest=LONGEST_SEED)
    return text
