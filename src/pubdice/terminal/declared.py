"""The arguments of each terminal command, in one table. Help pages, errors and completion are made from it.

This module imports none of the modules that run commands. The commands that ask a solved game (``odds`` and others)
have the flags of that game, and are in ``questions``.
"""

import argparse
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import get_args

from pubdice.advice.coach import MISTAKE
from pubdice.command_line import Parser, add_option_flags
from pubdice.kit import BOT, Kit
from pubdice.match.formats import OPENERS
from pubdice.match.table import Dice
from pubdice.terminal.play_help import formats, meanings, openers
from pubdice.text.language import Language, shorten
from pubdice.typed_dice import Keys, Names
from pubdice.typed_rules import dice_words

Games = Mapping[str, Kit]
SHELLS = ("bash", "zsh", "fish")
PAUSE_S = 0.8
USUAL_PER_CENT = MISTAKE * 100
"""The value lost from which the coach warns, unless ``--coach-at`` says otherwise. It is in percent of the yardstick:
of the match, of a round won, or of a round's stakes."""
USUAL_COUNT = 10
"""The usual number of positions in a drill."""


def usual_seats(language: Language) -> str:
    """Return the usual seats as typed: the player, and the game's usual bot."""
    return f"{language.say('you')},{BOT}"


def _play(parser: Parser, games: Games) -> None:
    language, say = parser.language, parser.language.say
    parser.describe("Play a game. Without GAME, pubdice asks which.")
    parser.epilog = meanings(games, language)
    parser.take_game(games, nargs="?")
    who = "the players in order, with commas: names, bot, bot:POLICY or NAME=POLICY. Or a number of people ({usual})"
    parser.add_argument("--seats", metavar="NAMES", help=say(who, usual=usual_seats(language)))
    how = "; ".join(f"{kit.name}: {formats(kit, language)}" for kit in games.values())
    parser.add_argument("--format", metavar="FORMAT", help=how)
    text = say("the player who goes first in the next round. {usual}", usual=openers(games, language))
    parser.add_argument("--opener", choices=OPENERS, help=text)
    parser.take("--first", "NAME", "the player who goes first in the first round, or draw to pick at random")
    add_option_flags(parser, games)
    text = "real: your own dice; you type what fell. sealed: every player can check them afterwards (house)"
    parser.take_one_of("--dice", get_args(Dice), dice_words(language), text)
    parser.take("--seed", "WORD", "the same word gives the same dice and bots again")
    _sit(parser)


def _resume(parser: Parser, games: Games) -> None:
    parser.describe("Go on with a game you left, or that was cut off. Nothing is lost.")
    parser.take("number", "N", "its number (your newest unfinished game)", nargs="?")
    _sit(parser)


def _sit(parser: Parser) -> None:
    """Add the options that ``play`` and ``resume`` share."""
    language, say = parser.language, parser.language.say
    _name_dice(parser)
    text = say("the wait of a bot ({pause}, or 0 without a terminal)", pause=PAUSE_S)
    parser.add_argument("--pause", type=partial(_seconds, language), metavar="SECONDS", help=text)
    parser.switch("--coach", "warn before a keep that loses much, and review at the end")
    text = (
        "the loss to warn of, in percent of what you play for ({usual}): the match, the round won, or a round's "
        "stakes. Implies --coach"
    )
    told = say(text, usual=f"{USUAL_PER_CENT:g}")
    parser.add_argument("--coach-at", type=partial(_per_cent, language), metavar="PERCENT", help=told)


def _name_dice(parser: Parser, keys: Keys | None = None, names: Names | None = None) -> None:
    """Add the options for naming dice. ``keys`` and ``names`` are their defaults. With None, the saved game decides."""
    text = "name dice by their faces (usual) or by their places"
    parser.take("--keys", None, text, choices=get_args(Keys), default=keys)
    text = "name the dice you keep (usual), or the dice you reroll: the others stay"
    parser.take("--choose", None, text, choices=get_args(Names), default=names)


def _seconds(language: Language, text: str) -> float:
    return _within(text, 60, language.say('"{found}" is no number of seconds from 0 to 60', found=shorten(text)))


def _per_cent(language: Language, text: str) -> float:
    return _within(text, 100, language.say('"{found}" is no percentage from 0 to 100', found=shorten(text))) / 100


def _within(text: str, most: float, wrong: str) -> float:
    """Return a number from 0 to ``most``, both included. Raises ArgumentTypeError with the message ``wrong``."""
    with suppress(ValueError):
        if 0 <= (number := float(text)) <= most:
            return number
    raise argparse.ArgumentTypeError(wrong)


def _games(parser: Parser, games: Games) -> None:
    parser.describe("List your saved games, oldest first.")


def _rules(parser: Parser, games: Games) -> None:
    parser.describe("Print the rules of a game: a minute's reading. Without GAME, list the games.")
    parser.take_game(games, nargs="?")


RECORD = "a record's file, the number of a saved game, or - for standard input"


def _replay(parser: Parser, games: Games) -> None:
    parser.describe(
        "Check a record, or several in one file, and tell it again. If any of it is wrong, tell nothing.\nExit "
        "status 2: pubdice can't read it. 3: a move in it breaks the rules."
    )
    parser.take("file", "FILE", RECORD)
    parser.switch("--json", "print header, turns with their scores, winners and standings as JSON")


def _record(parser: Parser, games: Games) -> None:
    parser.describe("Print a saved game as a record, to share it or keep it on paper.")
    parser.take("number", "N", "the number of the game (pubdice games lists them)")


def _verify(parser: Parser, games: Games) -> None:
    parser.describe(
        "Check the dice of a match against their seal from before it began. Needs the record only: no network, "
        "and not the house that wrote it. Give the records of an evening in their order, in one file or several, "
        "and it also checks that none is missing between them.\nExit status 1: not sealed, not opened, or this "
        "device can't read its notes. 2: pubdice can't read it. 3: the dice are not those sealed."
    )
    parser.take("files", "FILE", RECORD, nargs="+")
    parser.switch("--json", "print what was found as JSON")


def _night(parser: Parser, games: Games) -> None:
    parser.describe(
        "Rank the seats of a same-dice night by the value they lost, from the records of its tables. Checks first "
        "that the tables played the same match with the same dice. The loss is exact. The band of 95% says how "
        "far the mean loss of a real decision may be off.\nExit status 2: pubdice can't read a record, or the "
        "records aren't from the same night. 3: their dice differ."
    )
    parser.take("files", "FILE", RECORD, nargs="+")
    parser.switch("--json", "print the ranking as JSON")


def _perft(parser: Parser, games: Games) -> None:
    parser.describe(
        "Count the positions of one round, ply by ply, with the rolls and actions possible in them.\n"
        "A ply is a roll or an action. Counts grow fast: each ply takes longer than all before it."
    )
    parser.take_game(games)
    parser.take("--seats", "N", "number of players (the fewest the game allows)")
    parser.take("--depth", "N", "number of plies (4)", default="4")
    add_option_flags(parser, games)
    parser.switch("--json", "print the plies as JSON")


def _review(parser: Parser, games: Games) -> None:
    parser.describe(
        "Grade every decision of a match against best play, and split each seat's result exactly into "
        "expectation, luck and skill. Forced and equal choices do not count. Each seat's luck is compared with "
        "replays in which all seats play best. A file may hold several records."
    )
    parser.take("file", "FILE", RECORD)
    parser.switch("--json", "print the whole review as JSON")
    parser.switch("--steps", "tell its choices one by one: type Enter for the next, ? for the keys")


def _drill(parser: Parser, games: Games) -> None:
    parser.describe(
        "Answer positions as at the table. pubdice grades each answer against best play and says why. The ones "
        "you miss come back first next time. Without GAME, all solved games take turns."
    )
    parser.take_game([kit.name for kit in games.values() if kit.solver is not None], nargs="?")
    text = parser.language.say("number of positions ({usual})", usual=USUAL_COUNT)
    parser.add_argument("--count", metavar="N", help=text)
    parser.take("--seed", "WORD", "the same word gives the same new positions again")
    add_option_flags(parser, games)


def _daily(parser: Parser, games: Games) -> None:
    parser.describe(
        "Answer today's position. There is one a day, the same for everybody, here and at /daily of every house. "
        "It is graded exactly. Days one after the other make a streak. With DATE, such as 2025-11-20, you see an "
        "earlier day with its answer. A day begins at midnight UTC."
    )
    parser.take("date", "DATE", "an earlier day, from 2025-04-21 on", nargs="?")
    parser.switch("--json", "print the position as JSON, and the answer once it is known")


def _join(parser: Parser, games: Games) -> None:
    parser.describe("Play at a table on the web, from the terminal.")
    parser.take("address", "URL", "the table's address, as its page shows it")
    parser.take("--name", None, "sit down under this name (without it pubdice asks)")
    parser.switch("--watch", "only watch")
    parser.take("--words", "WORDS", "the four words of your seat, to take it here")
    parser.switch("--brief", "say only what happens, not the dice each time")
    _name_dice(parser, "face", "keep")


def _completion(parser: Parser, games: Games) -> None:
    parser.describe(
        "Print a script that completes commands, games and options in your shell. Write it once. New shells read "
        "it:\n  pubdice completion bash > ~/.local/share/bash-completion/completions/pubdice\n  pubdice "
        "completion zsh > ~/.zfunc/_pubdice (with ~/.zfunc in fpath, before compinit)\n  pubdice completion fish "
        "> ~/.config/fish/completions/pubdice.fish"
    )
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS))


DECLARED: Mapping[str, tuple[str, Callable[[Parser, Games], None]]] = {
    "play": ("playing", _play),
    "resume": ("playing", _resume),
    "games": ("reading", _games),
    "rules": ("reading", _rules),
    "replay": ("reading", _replay),
    "record": ("reading", _record),
    "verify": ("verify", _verify),
    "night": ("night", _night),
    "perft": ("reading", _perft),
    "review": ("reading", _review),
    "drill": ("drilling", _drill),
    "daily": ("daily", _daily),
    "join": ("join", _join),
    "completion": ("completion", _completion),
}
"""The commands by name. For each: the module that has a function of the same name, and the function that adds the
arguments."""


def parser_of(command: str, games: Games, language: Language) -> Parser:
    """Return the parser of a command in ``DECLARED``."""
    parser = Parser(command, language)
    DECLARED[command][1](parser, games)
    return parser
