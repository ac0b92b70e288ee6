"""Shared parts of all command lines: argument parsers, help in 80 columns, flags for games and house rules, and faults.

The terminal, the house (the web server) and the annexes use them. Each command refuses in one sentence, in the language
of the terminal.
"""

import argparse
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from shutil import get_terminal_size
from textwrap import fill
from typing import Any, NoReturn, TextIO

from pubdice.core.errors import BadNotation, Failure, Refused
from pubdice.failures import BAD_NOTATION, OTHER, exit_status, explain
from pubdice.kit import Kit
from pubdice.text.catalogues import CODES, has_part
from pubdice.text.language import ISOLATES, Language, shorten, stopped
from pubdice.typed import without_marks
from pubdice.typed_rules import OwnWords, choice_words, read, read_choice, show


class FaultError(Exception):
    """A fault that ends a command. It holds the sentence to print and the exit status."""

    def __init__(self, told: str, status: int) -> None:
        super().__init__(told)
        self.status = status


ALIKE = 0.65  # words that are less similar by ``difflib`` are not suggested; "plya" and "play" have 0.75


def guess(found: str, names: Iterable[str]) -> str | None:
    """Return the word of ``names`` that a typo probably means.

    Only the typo's first word counts, without the numbers of a format such as "rounds:5". Returns None if no name is
    similar, or if the text is itself such a name.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only after a typo

    word = re.split("[ :]", found.strip().lower(), maxsplit=1)[0]
    close = get_close_matches(word, dict.fromkeys(names), 1, ALIKE)
    return close[0] if close and close[0] != word else None


def guessed(language: Language, found: str, names: Iterable[str]) -> str | None:
    """Return a question that suggests the word probably meant. None if no word is similar."""
    name = guess(found, names)
    text = '"{found}" means nothing here. Did you mean {name}?'
    return name and language.say(text, found=shorten(found), name=name)


ITEM = re.compile(r"\s*(?:[-*] |[0-9]+\. |\S{1,6}(?: \S{1,3}){0,3} {2,})?")
"""A pattern for the start of a line: spaces, then the mark of a list item or the first column of a row."""
MOST_COLUMNS = 80
EVERYWHERE = ("--lang", "--plain")


def everywhere_flags(language: Language) -> tuple[tuple[str, str, str], ...]:
    """Return the flags that every command has, as (name, placeholder, meaning). A switch has the placeholder "".

    ``pubdice.cli`` takes these flags out of the command line before the command runs.
    """
    whole = [code for code in CODES if has_part(code, "terminal")]  # in any other one it would speak English
    return (
        (
            EVERYWHERE[0],
            "CODE",
            language.say("speak this language: {codes}", codes=one_of(whole, language)),
        ),
        (EVERYWHERE[1], "", language.say("lines of text alone, nothing drawn or coloured")),
    )


def folded(line: str, width: int) -> str:
    """Wrap a line between words. In a list item, all later lines align with the first word.

    A line is never broken at a hyphen, because "new-game" is one word to type.
    """
    mark = ITEM.match(line)
    if not mark or len(line) <= width:
        return line
    return fill(line, width, subsequent_indent=" " * len(mark[0]), break_on_hyphens=False)


def complain(err: TextIO, text: str) -> None:
    """Write the sentence of a fault to ``err``. Lines are wrapped if ``err`` is a terminal, and left alone
    otherwise.
    """
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
) -> int:
    """Run an annex's command and return its exit status. If it fails, its failure is printed as a sentence.

    - ``refusals``: the annex's own sentences, by the code of the refusal.
    - ``unable``: the codes of refusals that end with status 1. All others end with 2, because they name unreadable
      input.
    """
    try:
        return run()
    except FaultError as fault:
        told, status = str(fault), fault.status
    except Refused as refused:
        told = language.say(refusals[refused.code], **refused.facts)
        status = OTHER if refused.code in unable else BAD_NOTATION
    except Failure as error:
        told, status = explain(language, error), exit_status(error)
    complain(err, f"pubdice {name}: {told}\n")
    return status


def mistyped(program: str, told: str, language: Language) -> FaultError:
    """Return the fault of an unreadable command line, with a pointer to the help page."""
    more = language.say("See {program} --help.", program=program)
    return FaultError(f"{shorten(stopped(told), 200)} {more}", BAD_NOTATION)


class Manual(argparse.RawDescriptionHelpFormatter):
    """A formatter of help pages. Paragraphs are as wide as the terminal, 80 columns at most."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=min(get_terminal_size().columns, MOST_COLUMNS) - 2)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(folded(line, width) for line in text.split("\n"))


class Parser(argparse.ArgumentParser):
    """An argument parser that speaks a language and refuses in one sentence.

    No text of argparse is shown or looked at: Python words it as it likes. The sentences follow from the place at which
    argparse finds a fault, and its help is put together here.
    """

    def __init__(self, command: str, language: Language) -> None:
        super().__init__(
            prog=f"pubdice {command}", formatter_class=Manual, allow_abbrev=False, add_help=False, exit_on_error=False
        )
        self.color = False  # Python 3.14 colours its own words
        self.language, say = language, language.say
        self._found = argparse.Namespace()
        self._positionals.title, self._optionals.title = say("arguments"), say("options")
        self.add_argument("-h", "--help", action="help", help=say("this page"))

    def describe(self, text: str, epilog: str = "") -> None:
        """Set the text above the arguments, and the one below the options."""
        self.description, self.epilog = self.language.say(text), epilog and self.language.say(epilog)

    def take_game(self, names: Collection[str], **how: Any) -> None:
        """Add the argument GAME: the name of one of these games."""
        self.add_argument("game", metavar="GAME", help=one_of(names, self.language), **how)

    def take(self, name: str, holder: str | None, meaning: str, **how: Any) -> None:
        """Add an argument or an option. ``holder`` is the placeholder of its value on the help page. Translates
        ``meaning``.
        """
        self.add_argument(name, metavar=holder, help=self.language.say(meaning), **how)

    def take_one_of(self, name: str, choices: Collection[str], words: OwnWords, meaning: str) -> None:
        """Add an option with a few choices, which may be typed in the language's own words. Its meaning is
        translated.
        """
        shown = ",".join(show(choice, words) for choice in choices)
        self.take(name, f"{{{shown}}}", meaning, choices=choices, type=lambda text: read(text, words))

    def switch(self, name: str, meaning: str) -> None:
        """Add an option without a value. Translates ``meaning``."""
        self.add_argument(name, action="store_true", help=self.language.say(meaning))

    def format_usage(self) -> str:
        """The usage alone."""
        return self._usage().format_help()

    def format_help(self) -> str:
        """The page of help, with the flags of every command."""
        page = self._usage()
        page.add_text(self.description)
        for group in self._action_groups:
            page.start_section(group.title)
            page.add_arguments(group._group_actions)
            page.end_section()
        page.add_text(self.epilog)
        everywhere = [f"  {' '.join(flag):<11}  {meaning}" for *flag, meaning in everywhere_flags(self.language)]
        return "\n".join([page.format_help(), self.language.say("with every command:"), *everywhere]) + "\n"

    def _usage(self) -> argparse.HelpFormatter:
        page = self._get_formatter()
        prefix = f"{self.language.say('usage:')} "
        page.add_usage(self.usage, self._actions, self._mutually_exclusive_groups, prefix)
        return page

    # typeshed gives parse_args three overloads, of which ours are two
    def parse_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Parse the words of a command. Raises FaultError."""
        self._found = argparse.Namespace() if namespace is None else namespace
        try:
            found, rest = self.parse_known_args(args, self._found)
        except argparse.ArgumentError as error:
            raise self._misused(error.argument_name) from None
        if rest:
            raise self.fault(self._did_you_mean(rest[0]) or self._say_unknown(" ".join(rest)))
        return found

    def fault(self, told: str) -> FaultError:
        """A fault of the words, with exit status 2."""
        return mistyped(self.prog, told, self.language)

    def error(self, message: str) -> NoReturn:
        """Raise the fault that an argument is missing. argparse calls this for no other one."""
        raise self._misused(None)

    def _misused(self, name: str | None) -> FaultError:
        """The fault of an option that may not stand there. Without a name, of the arguments that are missing."""
        say = self.language.say
        if name is None:
            unset = [each for each in self._actions if each.required and getattr(self._found, each.dest, None) is None]
            return self.fault(say("{names} is missing.", names=", ".join(map(_named, unset))))
        for group in self._mutually_exclusive_groups:
            members = {_named(each): each for each in group._group_actions}
            given = [other for other, each in members.items() if getattr(self._found, each.dest) != each.default]
            if name in members and (others := [other for other in given if other != name]):
                return self.fault(say("{option} does not go with {other}.", option=name, other=", ".join(others)))
        return self.fault(say("{option} takes no value.", option=name))

    def _match_argument(self, action: argparse.Action, arg_strings_pattern: str) -> int:
        try:
            return super()._match_argument(action, arg_strings_pattern)
        except argparse.ArgumentError:
            raise self.fault(self.language.say("{option} needs a value.", option=_named(action))) from None

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        read = self._registry_get("type", action.type, action.type)
        try:
            return read(arg_string)
        except argparse.ArgumentTypeError as error:
            raise self.fault(self.language.say("{option}: {why}.", option=_named(action), why=str(error))) from None
        except (TypeError, ValueError):
            told = self.language.say('{option}: "{found}" is no number.', option=_named(action), found=arg_string)
            raise self.fault(told) from None

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            shown = action.metavar if isinstance(action.metavar, str) else ""
            choices = shown.strip("{}").split(",") if shown[:1] == "{" else list(map(str, action.choices))
            text = '{option}: "{found}" is none of {choices}.'
            if not action.option_strings:
                text = '"{found}" is none of {choices}.'
            said = self.language.say(text, option=_named(action), found=value, choices=", ".join(choices))
            raise self.fault(guessed(self.language, str(value), choices) or said)

    def _say_unknown(self, found: str) -> str:
        return self.language.say('"{found}" means nothing here.', found=found)

    def _did_you_mean(self, found: str) -> str | None:
        """A question that suggests another option for a typo."""
        given = found.partition("=")[0]
        options = [name for action in self._actions for name in action.option_strings]
        return guessed(self.language, given, [*options, *EVERYWHERE]) if given.startswith("--") else None


def _named(action: argparse.Action) -> str:
    """The name of an argument or an option, as ``ArgumentError.argument_name`` has it."""
    if action.option_strings:
        return "/".join(action.option_strings)
    return action.metavar if isinstance(action.metavar, str) else action.dest


def kit_named(name: str, games: Mapping[str, Kit], language: Language) -> Kit:
    """Return the kit of the game with that name, or with that title in the language. Accents do not matter.

    Raises BadNotation("game") if no game has the name.
    """
    if name.lower() in games:
        return games[name.lower()]
    for kit in games.values():
        if without_marks(language.say(kit.words.title)).lower() == without_marks(name).lower():
            return kit
    raise BadNotation("game", found=name, games=tuple(games))


def one_of(names: Collection[str], language: Language) -> str:
    """Join names as a choice: "Ann, Bob or Cid"."""
    return language.join(names, "{some} or {last}")


def add_option_flags(parser: Parser, games: Mapping[str, Kit]) -> None:
    """Add a flag for each house rule that any of the games has."""
    language = parser.language
    for key, kits in _options(games).items():
        option = next(option for option in kits[0].options if option.key == key)
        words = choice_words(option, language)
        choices = one_of([show(choice.replace(" ", ","), words) for choice in option.choices], language)
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


def chosen_options(
    chosen: argparse.Namespace, kit: Kit, games: Mapping[str, Kit], language: Language
) -> dict[str, str]:
    """The house rules from flags. Raises BadNotation for a rule of another game."""
    given = {key: getattr(chosen, key) for key in _options(games) if getattr(chosen, key) is not None}
    kit.check_options(given)
    options = {option.key: option for option in kit.options}
    return {key: read_choice(text, options[key], language) for key, text in given.items()}


LONGEST_SEED = 64


def seed_of(text: str | None) -> str | None:
    """Return the seed if it is None, or printable text of 1 to 64 characters. Raises BadNotation("seed") otherwise."""
    if text is not None and not (text.isprintable() and 0 < len(text) <= LONGEST_SEED):
        raise BadNotation("seed", longest=LONGEST_SEED)
    return text
