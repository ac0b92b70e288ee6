"""The commands ``pubdice new-game`` and ``pubdice game``, for the author of a game."""

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from pubdice.annexes import CommandContext
from pubdice.command_line import Parser, guarded
from pubdice.core.errors import Refused
from pubdice.games import GAMES, INSTALLED
from pubdice.text.language import Language
from pubdice_workshop.check import MOST_S, WITHIN_S, check
from pubdice_workshop.check import words as unsaid
from pubdice_workshop.new_game import new_game
from pubdice_workshop.refusals import TROUBLE, UNABLE

NEW_GAME, GAME = "new-game", "game"


def parsers(context: CommandContext) -> dict[str, Parser]:
    """Return the parsers of the commands, by name."""
    language = context.language.own["pubdice_workshop"]
    return {NEW_GAME: _new_game(language), GAME: _game(language)}


def run(words: Sequence[str], context: CommandContext) -> int:
    """Run one command and return its exit status: 1 if the game has a fault, 3 if laws were not tried for lack
    of time.
    """
    language, err = context.language.own["pubdice_workshop"], context.err

    def ran() -> int:
        return _run(words, language, context)

    return guarded(words[0], ran, language, err, refusals=TROUBLE, unable=UNABLE)


def _run(words: Sequence[str], language: Language, context: CommandContext) -> int:
    out = context.out
    if words[0] == NEW_GAME:
        return _begin(words[1:], language, out)
    if not words[1:]:
        raise Refused("game-command")
    command = _game(language).parse_args(list(words[1:2])).command
    if command == "check":
        options = _check(language).parse_args(list(words[2:]))
        if not 0 < options.within <= MOST_S:
            raise Refused("check-seconds", most=MOST_S)
        return check(options.game, out, options.within)
    if command == "words":
        named = _words(language).parse_args(list(words[2:])).game
        with context.waiting(language.say("Working it out. This may take a minute.")):
            return unsaid(named, out)
    lists = Parser("game list", language)
    lists.describe("Names every game here, and those left out.")
    lists.parse_args(list(words[2:]))
    return _list(language, out)


def _new_game(language: Language) -> Parser:
    parser = Parser(NEW_GAME, language)
    parser.describe(
        "Writes the smallest game there is as a package: rules to change, words to say, and an entry point."
    )
    parser.take("name", "NAME", "the name people type to play it, such as pig")
    parser.take("folder", "DIR", "folder to write it in (NAME here)", nargs="?", type=Path)
    return parser


def _begin(words: Sequence[str], language: Language, out: TextIO) -> int:
    say, options = language.say, _new_game(language).parse_args(list(words))
    if options.name in GAMES:
        raise Refused("game-taken", name=options.name)
    folder = options.folder or Path(options.name)
    for path in new_game(options.name, folder):
        out.write(f"{path}\n")
    out.write(say("To check it: {command}", command=f"pubdice game check {folder}") + "\n")
    out.write(say("To play it: {command}", command=f"pip install --editable {folder}") + "\n")
    return 0


def _list(language: Language, out: TextIO) -> int:
    for name, kit in GAMES.items():
        title = language.say(kit.words.title)
        told = f"{name}: {title}"
        if name in INSTALLED.entries:
            package = INSTALLED.entries[name].partition(":")[0]
            told = language.say("{name}: {title}, from {package}", name=name, title=title, package=package)
        out.write(f"{told}\n")
    for game in INSTALLED.left_out:
        out.write(f"{game.sentence}\n")
    return 0


def _game(language: Language) -> Parser:
    parser = Parser(GAME, language)
    parser.describe("For people who write games.", "pubdice game check --help says more.")
    text = "check: try a game. words: print the sentences its languages lack. list: name all games"
    parser.take("command", "check|words|list", text, choices=("check", "words", "list"))
    return parser


def _check(language: Language) -> Parser:
    parser = _of_game(
        "game check",
        language,
        "Tries a game: it loads, its code is clean and typed, its translations are whole, and every law holds over it."
        " Exit status: 0 if all holds, 1 if something does not, 3 if the time was over before every law was tried,"
        " 130 if it was interrupted.",
    )
    text = language.say("seconds it may take ({seconds})", seconds=WITHIN_S)
    parser.add_argument("--within", type=float, default=WITHIN_S, metavar="S", help=text)
    return parser


def _words(language: Language) -> Parser:
    text = "Prints every sentence that a game's languages lack, to be pasted into the files that it names."
    return _of_game("game words", language, text)


def _of_game(command: str, language: Language, text: str) -> Parser:
    parser = Parser(command, language)
    parser.describe(text)
    parser.take("game", "DIR", "the folder of its package, or the name of a game that is here")
    return parser
