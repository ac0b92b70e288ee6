"""The command line, and the composition root: only this module chooses the cup (source of dice), the store and the
clock.

Modules that take long to import are imported inside functions, because that keeps ``pubdice --help`` fast.
"""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from pathlib import Path

    from pubdice.annexes import CommandContext
    from pubdice.text.language import Language

HELP = """\
pubdice plays pub dice games, and solves them. Play with friends on their
phones, or here in plain lines of text, against bots, at one keyboard, or with
real dice on the table.

usage: pubdice [COMMAND] [OPTIONS]

Without a command it asks what you want to play. pubdice rules names the games.

Playing
  play GAME       play (play --help lists the seats and house rules)
  resume [N]      go on with game N, or with your newest unfinished one
  games           list your saved games
  rules [GAME]    explain a game in a minute, or name them all
  drill [GAME]    answer positions (the ones you miss come back first)
  daily [DATE]    answer today's position, the same for everybody

On the web: phones, keyboards and screen readers at one table
  serve           start it (--host 0.0.0.0 lets phones in)
  doctor          say what is wrong with a house and its network
  join URL        play at such a table from here
  backup FILE     save the tables and the players' book, also during play
                  (FILE.zip is one file with both)
  restore FILE    make a house of such a file, or of one saved on a phone
  check           verify every table by replaying it
  move-house FROM TO
                  copy a house between a file and a PostgreSQL database
  pocket DIR      build Pubdice for a phone without a server or a network

Records
  replay FILE|N   check a record or a saved game and tell it again
  review FILE|N   grade a match: every choice, the best roll, the luck
  record N        print saved game N as a record
  verify FILE|N   check the sealed dice of a match
  night FILE...   rank the players of a same-dice night by their losses

A game of your own
  new-game NAME [DIR]
                  write the smallest game there is, as a package to go on from
  game check DIR  try a game: its rules, its words, its languages, its solver
  game words DIR  print the sentences that its languages lack
  game list       name every game that is here, and those left out

The exact answer
  odds GAME       each player's chances if everybody plays perfectly
  advise GAME     every choice of a position, best first
  price GAME      the effect of each house rule on the first player
  card GAME       best play on a beer mat (--svg to print it)
  perft GAME      count positions, rolls and legal choices
  simulate GAME   play bots against each other, millions of times
  arena GAME      rank bots, and programs of your own, by their strength
  plot            draw scores, chases and values
  paper DIR       work out every printed number again

  completion SHELL
                  complete commands and options in bash, zsh or fish
  -h, --help      this page (pubdice COMMAND --help says more)
  --version       the version

Examples
  pubdice play midnight --coach
  pubdice play midnight --seats you,Ann,bot --format pot:2
  pubdice play 420 --seats Ann,Bob,Cid --format drinks --dice real
  pubdice advise midnight --locked 1,4 --roll 6,5,2,2
  pubdice replay evening.record

Most commands print JSON with --json, and read standard input if the file is -.
pubdice saves a game as you play it, in a folder of your own, so you can leave
at any time and lose nothing. PUBDICE_DATA names another folder for games,
PUBDICE_CACHE one for solutions and compiled code, and PUBDICE_STORE the
tables of a house. It speaks the language that LC_ALL, LC_MESSAGES or LANG
names, or --lang. --plain has it draw nothing. NO_COLOR turns colour off.
Exit status: 0 all went well, 1 pubdice couldn't do it, 2 it couldn't read what
you typed, 3 a move broke the rules. A command's --help names its others.
"""

COMMANDS = (
    "play",
    "resume",
    "games",
    "rules",
    "replay",
    "record",
    "verify",
    "night",
    "perft",
    "odds",
    "advise",
    "price",
    "card",
    "review",
    "drill",
    "daily",
    "join",
    "completion",
)
HOUSE = ("serve", "doctor", "backup", "restore", "check")  # commands that need the libraries of the web

LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables that name the language of messages. An earlier one takes precedence (POSIX, "Environment
Variables")."""
ENGLISH = ("", "en", "c", "posix")  # the locales C and POSIX are English


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    If a standard stream is closed or breaks, the command ends with a status too, and without a traceback.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # the parent process closed it
            setattr(sys, name, open(os.devnull, "r+", encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # prints "?" for a character that the encoding lacks
    try:
        try:
            status = _main(list(sys.argv[1:] if arguments is None else arguments))
        except SystemExit as left:  # argparse has printed a help page and wants to exit
            status = left.code if isinstance(left.code, int) else 0
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the program that reads our output has ended, as ``head`` does
        return _mute(0)
    except OSError as error:
        sys.stderr.write(f"pubdice: {error.strerror or error}.\n")
        return _mute(1)
    return status


def _mute(status: int) -> int:
    """Send all further output to the null device, so Python's flush at exit cannot fail. Returns ``status``."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _main(words: list[str]) -> int:
    code, plain = "", False
    for word in words:
        if word[:6] == "--lang" or word == "--plain":
            words, code, plain = _everywhere(words)
            break
    for name in LOCALE:
        if not code and name in os.environ:
            code = os.environ[name].lower()
            for end in "_.@-":
                code = code.partition(end)[0]
    if words and words[0] in ("-h", "--help", "help"):
        sys.stdout.write(HELP if code in ENGLISH else _help(code))
        return 0
    if words and words[0] in ("-V", "--version"):
        from importlib.metadata import version

        sys.stdout.write(f"pubdice {version('pubdice')}\n")
        return 0
    if words and words[0] in HOUSE:
        return _house(words, code)
    if words and words[0] not in COMMANDS:
        return _annex(words, _language(code), plain=plain)
    return _run(words, _language(code), plain=plain)


def _everywhere(words: list[str]) -> tuple[list[str], str, bool]:
    """Take ``--lang`` and ``--plain`` out of the words of a command line.

    Returns the other words, the language's code ("" without ``--lang``), and True if ``--plain`` was given. Raises
    SystemExit for an unknown language.
    """
    from pubdice.text.catalogues import CODES
    from pubdice.text.language import Language

    rest, code, plain, wanted = list[str](), "", False, iter(words)
    for word in wanted:
        name, equals, value = word.partition("=")
        if name == "--lang":
            code = value if equals else next(wanted, "")
            if code not in CODES:
                sys.stderr.write(f"pubdice: --lang can be {Language().join(CODES, '{some} or {last}')}.\n")
                raise SystemExit(2)
        elif word == "--plain":
            plain = True
        else:
            rest.append(word)
    return rest, code, plain


def _language(code: str) -> "Language":
    """Return the language with this code, or English if it lacks the terminal's sentences. Then print that, in the
    language.
    """
    from pubdice.text.catalogues import CODES, language, spoken

    if code not in CODES:
        return language(CODES[0])
    if spoken(code, "terminal") != code:
        sys.stderr.write(f"pubdice: {language(code).say('The terminal speaks English.')}\n")
    return language(spoken(code, "terminal"))


def _help(code: str) -> str:
    """Return the help page in the language ``code``, or the English page if that language has none."""
    from pathlib import Path

    page = Path(__file__).parent / "locale" / code / "help.txt"
    if code.isalpha() and page.is_file():
        return page.read_text(encoding="utf-8")
    _language(code)
    return HELP


def _data() -> "Path | None":
    from pathlib import Path

    named = os.environ.get("PUBDICE_DATA")
    return Path(named) if named else _home()


def _home() -> "Path | None":
    """Return the platform's data folder. None if the user has no home folder."""
    from platformdirs import user_data_path

    try:
        return user_data_path("pubdice", appauthor=False)
    except RuntimeError:  # the user has no home folder
        return None


def _house(words: list[str], code: str) -> int:
    import secrets
    import time
    from functools import partial

    from pubdice.cache_folder import cache_folder
    from pubdice.command_line import complain
    from pubdice.core.cup import Pool, SystemCup
    from pubdice.games import GAMES, INSTALLED

    try:
        from pubdice.server.cli import CliConfig, run
    except ModuleNotFoundError:
        from pubdice.annexes import not_installed

        complain(sys.stderr, f"pubdice: {not_installed(words[0], 'web', _language(code))}\n")
        return 1
    _tell_left_out()
    data, home = _data(), _home()
    cup = SystemCup(Pool(secrets.token_bytes))
    file = data / "house.db" if data else None
    place = os.environ.get("PUBDICE_STORE") or None
    language = _language(code)
    config = CliConfig(
        GAMES,
        lambda table: cup,
        cup,
        time.time_ns,
        secrets.token_bytes,
        file,
        cache_folder(),
        place,
        os._exit,
        home,
        language,
        [(game.name, game.package) for game in INSTALLED.left_out],
        partial(_ask, language) if sys.stdin.isatty() else None,
    )
    return run(words, config, sys.stdout, sys.stderr)


def _ask(language: "Language", question: str) -> bool:
    """Ask a question on the terminal. Returns True if the answer begins with "y", or with the language's own letter for
    yes.
    """
    sys.stderr.write(f"pubdice: {question} ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower()[:1] in ("y", language.say("yes")[:1])


def _tell_left_out() -> None:
    """Print a sentence for each installed game that cannot be played."""
    from pubdice.command_line import complain
    from pubdice.games import INSTALLED

    for game in INSTALLED.left_out:
        complain(sys.stderr, f"pubdice: {game.sentence}\n")


def _annex(words: list[str], language: "Language", *, plain: bool) -> int:
    """Run the command of an annex (``pubdice.annexes``). Prints a refusal if the first word is no command."""
    from pubdice import annexes

    commands = annexes.names()
    if words[0] not in commands:
        from pubdice.command_line import complain
        from pubdice.games import GAMES
        from pubdice.terminal.commands import no_command

        known = tuple(dict.fromkeys((*COMMANDS, *HOUSE, *commands)))
        complain(sys.stderr, no_command(words[0], known, tuple(GAMES), language))
        return 2
    return annexes.run_command(words, _command_context(language, plain=plain))


def _command_context(language: "Language", *, plain: bool) -> "CommandContext":
    import secrets
    import time
    from functools import partial

    from pubdice.annexes import CommandContext
    from pubdice.cache_folder import cache_folder
    from pubdice.games import GAMES

    seed = partial(secrets.token_hex, 8)
    return CommandContext(language, GAMES, sys.stdout, sys.stderr, time.monotonic, seed, cache_folder(), plain)


def _run(words: list[str], language: "Language", *, plain: bool) -> int:
    import secrets
    import time
    from functools import partial

    from pubdice.cache_folder import cache_folder
    from pubdice.core.cup import Cup, SeededCup, SystemCup
    from pubdice.core.seal import KeyedSeals, Seals
    from pubdice.games import GAMES
    from pubdice.store import FileStore
    from pubdice.store.opened_seals_file import OpenedSealsFile
    from pubdice.store.secret_file import read_secret
    from pubdice.terminal.commands import Environment, run
    from pubdice.terminal.standard_streams import standard

    def cup(seed: str | None, purpose: str) -> Cup:
        return SystemCup(secrets.token_bytes) if seed is None else SeededCup(seed, purpose)

    def now() -> int:
        return time.time_ns() // 1_000_000

    line = standard(dict(os.environ), plain=plain)
    data = _data()
    kept = data if data is None or "PUBDICE_DATA" in os.environ else data / "games"
    drills = FileStore(kept / "drills" if kept else None)
    live = sys.stdin.isatty()
    _tell_left_out()
    games = {name: kit.with_cache(cache_folder()) for name, kit in GAMES.items()}
    tokens = kept / "houses.json" if kept else None

    def seals() -> Seals:
        if kept is None:
            return KeyedSeals(secrets.token_bytes(32), secrets.token_bytes)
        key, opened = read_secret(kept / "seals", secrets.token_bytes), OpenedSealsFile(kept / "seals.opened")
        return KeyedSeals(key, secrets.token_bytes, opened)

    outside = Environment(
        games,
        FileStore(kept),
        cup,
        time.sleep,
        now,
        line,
        live=live,
        drills=drills,
        tokens=tokens,
        days=FileStore(kept / "daily" if kept else None),
        seals=seals,
        language=language,
        others=partial(_other_parsers, language),
    )
    return run(words, outside)


def _other_parsers(language: "Language") -> "dict[str, ArgumentParser | None]":
    """Return the argument parsers of all commands outside ``terminal`` by name, for ``completion``.

    The value is None if the libraries that a command needs are not installed.
    """
    from pubdice.annexes import command_parsers

    found: dict[str, ArgumentParser | None] = dict.fromkeys(HOUSE)
    found |= command_parsers(_command_context(language, plain=False))
    try:
        from pubdice.server.cli import parsers
    except ModuleNotFoundError:  # the libraries of the web are not installed
        return found
    return {**found, **parsers(language)}
