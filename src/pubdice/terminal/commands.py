"""The commands: from words typed in a shell to what they do. Cup, store and clock are given."""

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from pubdice.cup import Cup
from pubdice.formats import OPENERS
from pubdice.game import BadNotation
from pubdice.kit import Kit
from pubdice.record import Header
from pubdice.store import Store
from pubdice.table import Refused
from pubdice.terminal import words as own
from pubdice.terminal.asking import ask_setup
from pubdice.terminal.faults import BAD_NOTATION, FaultError, explain
from pubdice.terminal.line import LeftError, Line
from pubdice.terminal.retell import retell
from pubdice.terminal.seating import USUAL_SEATS, Setup, read_seats
from pubdice.terminal.session import House, QuitError, Session
from pubdice.terminal.tables import latest, listed, load
from pubdice.words import Language

PAUSE_S = 0.8
LONGEST_SEED = 64


@dataclass(frozen=True, slots=True)
class Outside:
    """What the commands need of the world: games, a store, ``cup(seed, purpose)``, a way to wait, a conversation."""

    games: Mapping[str, Kit]
    store: Store
    cup: Callable[[str | None, str], Cup]
    sleep: Callable[[float], None]
    line: Line
    live: bool


class Parser(argparse.ArgumentParser):
    """An argument parser that refuses in one sentence."""

    def __init__(self, command: str, **facts: Any) -> None:
        super().__init__(
            prog=f"pubdice {command}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            **facts,
        )

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and leave with status 2."""
        raise FaultError(f"{message}. See {self.prog} --help.", BAD_NOTATION)


def run(words: list[str], outside: Outside) -> int:
    """Run one command; the exit status. A fault is one sentence on standard error."""
    language = Language()
    name = words[0] if words else "play"
    try:
        COMMANDS[name](words[1:], outside, language)
    except FaultError as error:
        return _sorry(name, str(error), error.status)
    except BadNotation as error:
        return _sorry(name, explain(language, error), BAD_NOTATION)
    except Refused as error:
        return _sorry(name, own.refused(language, error), 1)
    return 0


def _sorry(name: str, told: str, status: int) -> int:
    sys.stderr.write(f"pubdice {name}: {told}\n")
    return status


def _add_session_options(parser: Parser) -> None:
    parser.add_argument(
        "--keys", choices=("face", "position"), help="name dice by their faces (usual) or by their places"
    )
    parser.add_argument(
        "--pause",
        type=_seconds,
        metavar="SECONDS",
        help=f"before a bot acts; {PAUSE_S}, or 0 when the input is no terminal",
    )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 60:
        raise argparse.ArgumentTypeError(f'"{text}" is no number of seconds from 0 to 60')
    return seconds


def _play(words: list[str], outside: Outside, language: Language) -> None:
    games = outside.games
    parser = Parser(
        "play",
        description="Play a game. Without GAME, everything is asked for.",
        epilog=f"Bots: {'; '.join(kit.name + ': ' + ', '.join(kit.policies) for kit in games.values())}.\n"
        "The game is kept as it is played: leave with q, go on with pubdice resume.",
    )
    parser.add_argument("game", nargs="?", metavar="GAME", help=" or ".join(games))
    parser.add_argument(
        "--seats",
        metavar="NAMES",
        help="who plays, in order, with commas: names, bot, bot:POLICY or NAME=POLICY; or a number of people "
        f"({USUAL_SEATS})",
    )
    parser.add_argument(
        "--format", metavar="FORMAT", help="; ".join(f"{kit.name}: {_formats(kit)}" for kit in games.values())
    )
    parser.add_argument("--opener", choices=OPENERS, help="who opens the next round (rotate)")
    parser.add_argument("--first", metavar="NAME", help="who opens the first round, or draw to draw lots")
    for key, (kits, meaning) in _options(games).items():
        parser.add_argument(f"--{key}", metavar=key.upper(), help=f"{', '.join(kits)}: {meaning}")
    parser.add_argument("--dice", choices=("house", "real"), help="real: your own dice; you type what fell (house)")
    parser.add_argument("--seed", metavar="WORD", help="the same dice and bots again for the same word")
    _add_session_options(parser)
    chosen = parser.parse_args(words)
    asked = [option for option in vars(chosen) if option not in ("keys", "pause") and vars(chosen)[option] is not None]
    if asked and chosen.game is None:
        parser.error("name the game: " + " or ".join(games))
    try:
        setup = _setup(chosen, outside.games) if chosen.game else ask_setup(games, outside.line, language)
    except LeftError:
        return
    if chosen.keys:
        setup = Setup(setup.header, setup.bots, setup.dice, setup.seed, chosen.keys)
    _sit(outside.store.create(setup.write()), chosen.pause, None, outside, language)


def _formats(kit: Kit) -> str:
    return " or ".join(kit.format(kind).write().replace(" games ", ":").replace(" ", ":") for kind in kit.formats)


def _options(games: Mapping[str, Kit]) -> dict[str, tuple[list[str], str]]:
    """Every house rule of any game, with the games that have it and what it means."""
    found: dict[str, tuple[list[str], str]] = {}
    for kit in games.values():
        for option in kit.options:
            text = f"{option.meaning} ({' or '.join(choice.replace(' ', ',') for choice in option.choices)})"
            found.setdefault(option.key, ([], text))[0].append(kit.name)
    return found


def _kit(name: str, games: Mapping[str, Kit]) -> Kit:
    if name not in games:
        raise BadNotation("game", found=name, games=tuple(games))
    return games[name]


def _setup(chosen: argparse.Namespace, games: Mapping[str, Kit]) -> Setup:
    kit = _kit(chosen.game, games)
    for key in _options(games):
        if getattr(chosen, key) is not None and key not in {option.key for option in kit.options}:
            raise BadNotation("option-game", key=key, title=kit.words.title)
    if chosen.seed is not None and not (chosen.seed.isprintable() and 0 < len(chosen.seed) <= LONGEST_SEED):
        raise BadNotation("seed", longest=LONGEST_SEED)
    names, bots = read_seats(USUAL_SEATS if chosen.seats is None else chosen.seats, kit)
    fields = {"game": kit.name, "seats": ", ".join(names)}
    for key in ("format", "opener", "first", *(option.key for option in kit.options)):
        if getattr(chosen, key) is not None:
            fields[key] = getattr(chosen, key)
    return Setup(kit.settle(Header(fields)), bots, chosen.dice or "house", chosen.seed)


def _sit(number: int, pause_s: float | None, keys: str | None, outside: Outside, language: Language) -> None:
    """Play a kept table from where it stands."""
    loaded = load(outside.store, number, outside.games)
    if loaded.over:
        raise Refused("game-over", table=number)
    seed, line, say = loaded.setup.seed, outside.line, language.say
    wait_s = pause_s if pause_s is not None else PAUSE_S if outside.live else 0.0
    house = House(
        outside.store,
        outside.cup(seed, "dice"),
        outside.cup(seed, "bots"),
        lambda: outside.sleep(wait_s) if wait_s else None,
    )
    session = Session(loaded, house, line, language, "position" if keys == "position" else "face" if keys else None)
    session.open()
    try:
        session.play()
    except (QuitError, LeftError):
        line.say([say("Game {number} is kept. pubdice resume {number} goes on with it.", number=number)])
    except KeyboardInterrupt:
        line.say(["\n" + say("Game {number} is kept. pubdice resume {number} goes on with it.", number=number)])
        raise
    else:
        line.say([say("This was game {number}. pubdice replay {number} tells it again.", number=number)])


def _resume(words: list[str], outside: Outside, language: Language) -> None:
    parser = Parser("resume", description="Go on with a game that was left or cut off. Nothing of it is lost.")
    parser.add_argument("number", nargs="?", metavar="N", help="its number; the newest that waits if left out")
    _add_session_options(parser)
    chosen = parser.parse_args(words)
    number = latest(outside.store, outside.games) if chosen.number is None else _number(chosen.number)
    _sit(number, chosen.pause, chosen.keys, outside, language)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise BadNotation("game-number", found=text)
    return int(text)


def _games(words: list[str], outside: Outside, language: Language) -> None:
    Parser("games", description="List the games kept here, oldest first.").parse_args(words)
    rows = list(listed(outside.store, outside.games, language))
    for row in rows or [language.say("No game is kept here yet.")]:
        outside.line.say([row])


def _rules(words: list[str], outside: Outside, language: Language) -> None:
    parser = Parser("rules", description="The rules of a game in a minute's reading.")
    parser.add_argument("game", metavar="GAME", help=" or ".join(outside.games))
    outside.line.say([_kit(parser.parse_args(words).game, outside.games).rules().rstrip()])


def _replay(words: list[str], outside: Outside, language: Language) -> None:
    parser = Parser(
        "replay",
        description="Check a record and tell it again. Nothing is told unless all of it is sound.\n"
        "Exit status 2: it does not parse. 3: a move in it breaks the rules.",
    )
    parser.add_argument(
        "file", metavar="FILE", help="a record's file, the number of a kept game, or - for standard input"
    )
    parser.add_argument(
        "--json", action="store_true", help="print header, turns with their scores, winners and slate as JSON"
    )
    chosen = parser.parse_args(words)
    retell(_text(chosen.file, outside), outside.games, outside.line, language, as_json=chosen.json)


def _text(name: str, outside: Outside) -> str:
    path = Path(name)
    try:
        if name == "-":
            data = sys.stdin.buffer.read()
        elif not path.exists() and name.isascii() and name.isdigit():
            return load(outside.store, _number(name), outside.games).record()
        else:
            data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise BadNotation("file", found=name, reason=getattr(error, "strerror", None) or "no such file") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadNotation("file-text", found=name, at=error.start + 1) from None


def _record(words: list[str], outside: Outside, language: Language) -> None:
    parser = Parser("record", description="Print a kept game as a record, to share it or to keep it on paper.")
    parser.add_argument("number", metavar="N", help="the number of the game; pubdice games lists them")
    outside.line.say(
        [load(outside.store, _number(parser.parse_args(words).number), outside.games).record().rstrip("\n")]
    )


COMMANDS: dict[str, Callable[[list[str], Outside, Language], None]] = {
    "play": _play,
    "resume": _resume,
    "games": _games,
    "rules": _rules,
    "replay": _replay,
    "record": _record,
}
