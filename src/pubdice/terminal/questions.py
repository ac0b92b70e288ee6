"""``odds``, ``advise``, ``price`` and ``card``: questions to a solved game. Each game adds flags of its own."""

import argparse
from collections.abc import Mapping
from functools import partial
from typing import Any

from pubdice.advice.questions import question as question_of
from pubdice.advice.ranking import PositionAdvice, advise_state
from pubdice.checked_record import Checked
from pubdice.command_line import Parser, kit_named
from pubdice.core.errors import BadNotation
from pubdice.kit import Answer, Kit, Question
from pubdice.terminal.arguments import Environment
from pubdice.terminal.reading import sound, tell, text_of
from pubdice.terminal.table_coach import worked_out
from pubdice.text.language import Language
from pubdice.typed_rules import read_choice, read_format

DESCRIPTIONS = {
    "odds": "Each player's chances if everybody plays perfectly, exact to the bound that --json prints.",
    "advise": "The value of every choice in a position, best first, and its loss against the best.",
    "price": "The effect of each house rule on the player who goes first, changed one at a time, under perfect play.",
    "card": "Best play on a card, with the cost of each line if you ignore it, and the loss of the whole card.",
}
RECORD = "a record that ends at a player's choice: a file, the number of a saved game, or - for standard input"


class SingleUseAction(argparse.Action):
    """A flag that may be given only once. argparse alone would silently drop the first of two values."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: Any = None
    ) -> None:
        """Store the value. If the flag has a value already, end with an error."""
        if getattr(namespace, self.dest) is not None:
            assert isinstance(parser, Parser), "it is ours"
            raise parser.fault(parser.language.say("{option} is given twice.", option=option_string))
        setattr(namespace, self.dest, values)


def parser_without_game(name: str, games: Mapping[str, Kit], language: Language) -> Parser:
    """Return the parser of a question for a command line that does not name a game."""
    parser = Parser(name, language)
    parser.describe(DESCRIPTIONS[name])
    parser.epilog = language.say("pubdice {name} GAME --help lists the flags.", name=name)
    parser.take_game([kit.name for kit in games.values() if question_of(kit, name) is not None])
    return parser


def parser_with_game(question: Question, name: str, kit: Kit, language: Language) -> Parser:
    """Return the parser of a question to one game, with the game's flags."""
    parser = Parser(f"{name} {kit.name}", language)
    parser.describe(DESCRIPTIONS[name])
    if name == "advise":
        parser.take("file", "RECORD", RECORD, nargs="?")
    for flag in question.flags:
        if flag.value:
            parser.add_argument(f"--{flag.name}", metavar=flag.value, help=flag.meaning, action=SingleUseAction)
        else:
            parser.add_argument(f"--{flag.name}", action="store_const", const="", help=flag.meaning)
    parser.switch("--json", "print the answer as JSON")
    return parser


def _joined(words: list[str], asked: Question) -> list[str]:
    """Join each flag with its value by "=". So a value may begin with a dash, as in ``--hands -,6551``."""
    valued = {f"--{flag.name}" for flag in asked.flags if flag.value}
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] in valued and not word.startswith("--"):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def ask(name: str, words: list[str], outside: Environment, language: Language) -> None:
    """Ask a game a question, by the command's name."""
    games = outside.games
    if not words or words[0].startswith("-"):
        parser_without_game(name, games, language).parse_args(words)
    kit = kit_named(words[0], games, language)
    found = question_of(kit, name, language)
    if found is None:
        raise BadNotation("unsolved" if kit.solver is None else "no-card", title=kit.words.title)
    chosen = parser_with_game(found, name, kit, language).parse_args(_joined(words[1:], found))
    flags = vars(chosen)
    given = {flag.name: text for flag in found.flags if (text := flags[flag.name.replace("-", "_")]) is not None}
    for option in kit.options:
        if option.key in given:
            given[option.key] = read_choice(given[option.key], option, language)
    if "format" in given:
        given["format"] = read_format(given["format"], kit, language)
    if name == "advise" and chosen.file is not None:
        if given:
            raise BadNotation("advise-flag", flag=next(iter(given)))
        work = partial(_advise_record, kit, sound(text_of(chosen.file, outside), outside.games, language))
    else:
        work = partial(found.answer, given)
    text = (
        language.say("Solving the match once for each house rule. This may take a minute.") if name == "price" else ""
    )
    if (lines := found.lines) is not None and not chosen.json:

        def say_each() -> None:
            for line in lines(given, kit.tongue(language)):
                outside.line.say([line])

        worked_out(kit, language, outside.line, say_each, text)
        return
    answer: Answer = worked_out(kit, language, outside.line, work, text)
    tell(answer, outside, kit.tongue(language), as_json=chosen.json)


def _advise_record(kit: Kit, checked: Checked) -> PositionAdvice:
    """Return advice on the position at the end of a record. Raises BadNotation and Unsolved."""
    if checked.kit.name != kit.name:
        raise BadNotation("record-game", other=checked.kit.words.title, title=kit.words.title)
    return advise_state(kit, checked.match, checked.steps[-1].after if checked.steps else checked.match.start())
