"""The command line, and the composition root: the only place that picks a cup, a store and a clock.

Nothing heavy is imported before it is known to be needed, so that ``pubdice --help`` is there at once.
"""

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

HELP = """\
pubdice plays pub dice games, and solves them. Play with friends on their
phones; or here in plain lines of text, against bots, at one keyboard, or with
real dice on the table.

usage: pubdice [COMMAND] [OPTIONS]

Without a command it asks what you want to play. pubdice rules names the games.

Playing
  play GAME       play; pubdice play --help lists seats and house rules
  resume [N]      go on with game N, or with your newest unfinished one
  games           list your saved games
  rules GAME      explain a game in a minute
  drill [GAME]    answer positions; the ones you miss come back first
  daily [DATE]    answer today's position, the same for everybody

On the web: phones, keyboards and screen readers at one table
  serve           start it; --host 0.0.0.0 lets phones in
  join URL        play at such a table from here
  backup FILE     copy all tables into a file, while they are played; FILE.zip
                  gets the players' book, too
  restore FILE    make a house of such a file, or of one saved on a phone
  check           verify every table by replaying it
  move-house FROM TO
                  copy a house between a file and a PostgreSQL database
  pocket DIR      build Pubdice for a phone without a server or a network

Records
  replay FILE|N   check a record or a saved game and tell it again
  review FILE|N   grade a match: every choice, the best roll, what was luck
  record N        print saved game N as a record
  verify FILE|N   check the sealed dice of a match
  night FILE...   rank the tables of a duplicate night by what was given away

The exact answer
  odds GAME       each player's chances if everybody plays perfectly
  advise GAME     every choice of a position, best first
  price GAME      what each house rule does for the player who goes first
  card GAME       best play on a beer mat; --svg to print it
  perft GAME      count positions, rolls and legal choices

  -h, --help      this page; pubdice COMMAND --help says more
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
PUBDICE_CACHE one for solutions and compiled code, and PUBDICE_STORE where the
tables of a house are; NO_COLOR turns colour off.
Exit status: 0 all went well, 1 pubdice couldn't do it, 2 it couldn't read what
you typed, 3 a move broke the rules.
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
)
HOUSE = ("serve", "backup", "restore", "check", "move-house")
"""Commands of the house on the web, which need its libraries."""
POCKET = "pocket"
"""The command that builds a house for browsers."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status. Whatever becomes of the streams, there is a status and no traceback."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the process that started us
            setattr(sys, name, open(os.devnull, "r+", encoding="utf-8"))  # noqa: SIM115
    try:
        try:
            status = _main(list(sys.argv[1:] if arguments is None else arguments))
        except SystemExit as left:  # argparse has printed a page of help
            status = left.code if isinstance(left.code, int) else 0
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output has gone; there is nobody to tell
        return _mute(0)
    except OSError as error:
        sys.stderr.write(f"pubdice: {error.strerror or error}.\n")
        return _mute(1)
    return status


def _mute(status: int) -> int:
    """Let nothing more be written, so that leaving does not fail too."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _main(words: list[str]) -> int:
    if words and words[0] in ("-h", "--help", "help"):
        sys.stdout.write(HELP)
        return 0
    if words and words[0] in ("-V", "--version"):
        from importlib.metadata import version

        sys.stdout.write(f"pubdice {version('pubdice')}\n")
        return 0
    if words and words[0] in HOUSE:
        return _house(words)
    if words and words[0] == POCKET:
        return _pocket(words)
    if words and words[0] not in COMMANDS:
        found = "".join(char if char.isprintable() else "?" for char in words[0][:40])
        sys.stderr.write(
            f'pubdice: "{found}" is no command. Choose {", ".join((*COMMANDS, *HOUSE, POCKET))}. See pubdice --help.\n'
        )
        return 2
    return _run(words)


def _data() -> "Path | None":
    """Where games and the house are kept."""
    from pathlib import Path

    named = os.environ.get("PUBDICE_DATA")
    return Path(named) if named else _home()


def _home() -> "Path | None":
    """The folder that the platform has for them."""
    from platformdirs import user_data_path

    try:
        return user_data_path("pubdice", appauthor=False)
    except RuntimeError:  # a user without a home
        return None


def _house(words: list[str]) -> int:
    import secrets
    import time

    from pubdice.cache_folder import cache_folder
    from pubdice.core.cup import Pool, SystemCup
    from pubdice.games import GAMES

    try:
        from pubdice.server.cli import CliConfig, run
    except ModuleNotFoundError as error:
        sys.stderr.write(f"pubdice: to play on the web you need {error.name}: pip install 'pubdice[web]'.\n")
        return 1
    data, home = _data(), _home()
    cup = SystemCup(Pool(secrets.token_bytes))
    file = data / "house.db" if data else None
    place = os.environ.get("PUBDICE_STORE") or None
    config = CliConfig(
        GAMES, lambda table: cup, cup, time.time_ns, secrets.token_bytes, file, cache_folder(), place, os._exit, home
    )
    return run(words, config, sys.stdout, sys.stderr)


def _pocket(words: list[str]) -> int:
    from pubdice.cache_folder import cache_folder
    from pubdice.pocket.cli import run

    return run(words, cache_folder(), sys.stdout, sys.stderr)


def _run(words: list[str]) -> int:
    # only now is anything heavy needed
    import secrets
    import time

    from pubdice.cache_folder import cache_folder
    from pubdice.core.cup import Cup, SeededCup, SystemCup
    from pubdice.core.seal import KeyedSeals, Seals
    from pubdice.games import GAMES
    from pubdice.store import FileStore
    from pubdice.store.disk import OpenedSealsFile, read_secret
    from pubdice.terminal.commands import Outside, run
    from pubdice.terminal.console import standard

    def cup(seed: str | None, purpose: str) -> Cup:
        return SystemCup(secrets.token_bytes) if seed is None else SeededCup(seed, purpose)

    def now() -> int:
        return time.time_ns() // 1_000_000

    line = standard(dict(os.environ))
    data = _data()
    kept = data if data is None or "PUBDICE_DATA" in os.environ else data / "games"
    drills = FileStore(kept / "drills" if kept else None)
    live = sys.stdin.isatty()
    games = {name: kit.with_cache(cache_folder()) for name, kit in GAMES.items()}
    tokens = kept / "houses.json" if kept else None

    def seals() -> Seals:
        if kept is None:
            return KeyedSeals(secrets.token_bytes(32), secrets.token_bytes)
        key, opened = read_secret(kept / "seals", secrets.token_bytes), OpenedSealsFile(kept / "seals.opened")
        return KeyedSeals(key, secrets.token_bytes, opened)

    outside = Outside(
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
    )
    return run(words, outside)
