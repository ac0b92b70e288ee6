"""``pubdice serve``, ``backup``, ``restore`` and ``check``: words typed into what they ask for.

Time, dice and places are given.
"""

import argparse
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from starlette.types import ASGIApp

from pubdice.core.cup import Cup
from pubdice.core.errors import BadNotation, NotStored
from pubdice.core.seal import KeyedSeals
from pubdice.failures import exit_status
from pubdice.kit import Kit, read_number
from pubdice.server.app import HttpConfig, create_app
from pubdice.server.backups import REFUSED_FILES, SUFFIX, StagedHouse, restore, save_all
from pubdice.server.http.public_address import PublicAddress
from pubdice.server.http.refusals import REFUSED
from pubdice.server.http.trusted_hosts import FAULTS, house_names, read_proxies
from pubdice.server.live.answers import Answers
from pubdice.server.live.bot_process import BotProcess
from pubdice.server.live.clock import LoopClock
from pubdice.server.live.house import House, HouseConfig
from pubdice.server.live.log_check import read_log, verify
from pubdice.server.live.replay_process import ReplayProcess
from pubdice.server.live.worker_process import WorkerProcess
from pubdice.server.observe import EventLog, start_log
from pubdice.server.run.banner import address_of, full_address, is_loopback
from pubdice.server.run.serve import PORT, serve
from pubdice.store.opened_seals import OpenedSealsFile
from pubdice.store.players import PlayersFile
from pubdice.store.players_schema import beside, copy_players
from pubdice.store.reader import SqliteReader
from pubdice.store.secret_file import read_secret
from pubdice.store.sqlite import SqliteStore, copy
from pubdice.text.catalogues import language
from pubdice.text.language import Language, Sentence, bad_notation, told_facts

MOST_PORT = 65_535
TROUBLE: dict[str, Sentence] = {
    "store-in-use": "Another pubdice has {file} open already.",
    "store-newer": "{file} was written by a newer pubdice; this one leaves it alone.",
    "store-unwritable": "Can't write {file} ({reason}).",
    "store-unreadable": "Can't read tables from {file} ({reason}).",
    "backup-exists": "{file} already exists. A backup never overwrites a file.",
    "secret-file": "{file} is needed to seal dice, and can't be used ({reason}). Put it back, or move it away.",
    "log-impossible": "event {event} of its log cannot have happened.",
    **REFUSED_FILES,
    "no-home": "There's no home folder to keep the tables in. Name a file with --data.",
}


@dataclass(frozen=True, slots=True)
class CliConfig:
    """What the house is given from outside.

    games, cups (dice by table; bots' lots), time_ns, source (random bytes), file (where the house is kept; None: no
    home), cache (where solutions are kept).
    """

    games: Mapping[str, Kit]
    cup: Callable[[int], Cup]
    bots: Cup
    time_ns: Callable[[], int]
    source: Callable[[int], bytes]
    file: Path | None
    cache: Path | None


def run(words: Sequence[str], config: CliConfig, out: TextIO, err: TextIO) -> int:
    """Run one of the house's commands; the exit status."""
    tongue = language("en")
    options = _parser(config.file).parse_args(list(words))
    if options.data is None:
        why = tongue.say("There's no home folder to keep the tables in. Name a file with --data.")
        err.write(f"pubdice: {why}\n")
        return 1
    try:
        if options.command == "serve":
            options.port = read_number("port", options.port, 0, MOST_PORT)
            return _serve(options, config, _http_config(options))
        if options.command == "backup":
            _backup(options.data, options.file, key=options.with_key)
            out.write(tongue.say("Copied all tables to {file}.", file=options.file) + "\n")
            return 0
        if options.command == "restore":
            _tell_restored(restore(options.file, options.data, config.games), tongue, out)
            return 0
        return _check(options.data, config.games, tongue, out)
    except (NotStored, BadNotation) as error:
        if isinstance(error, NotStored):
            said = trouble(tongue, error)
        else:
            said = bad_notation(tongue, error.code, error.facts, FAULTS)
        err.write(f"pubdice: {said}\n")
        return exit_status(error)


def trouble(tongue: Language, error: NotStored) -> str:
    """Why the store says no, to the operator."""
    table = TROUBLE if error.code in TROUBLE else REFUSED
    facts = {"file": "", "reason": "", **error.facts}
    return tongue.tell(table[error.code], told_facts(facts, tongue))


def _http_config(options: argparse.Namespace) -> HttpConfig:
    """How the house is reached. Raises BadNotation."""
    addresses = [options.address] if options.address else []
    address = full_address(options.address) if options.address else ""
    network = "" if is_loopback(options.host) else address_of(options.host, options.port)
    names, proxies = house_names([*addresses, options.host]), read_proxies(options.proxy)
    return HttpConfig(names=names, proxies=proxies, public_address=PublicAddress(address, network, options.how))


def _serve(options: argparse.Namespace, config: CliConfig, http: HttpConfig) -> int:
    store = SqliteStore(options.data)
    try:
        key = read_secret(options.data.with_name(options.data.name + ".seals"), config.source)
        opened = OpenedSealsFile(options.data.with_name(options.data.name + ".opened"))
        players = PlayersFile(beside(options.data))
    except NotStored:
        store.close()
        raise
    end_log = start_log()
    bot_process, replay_process = BotProcess(config.cache), ReplayProcess(options.data)
    solver_process, figures_process, live_process = WorkerProcess(), WorkerProcess(), WorkerProcess()
    house: list[House] = []

    def factory() -> ASGIApp:
        clock = LoopClock(config.time_ns)
        house_config = HouseConfig(
            games=config.games,
            store=store,
            clock=clock,
            cup=config.cup,
            seals=KeyedSeals(key, config.source, opened),
            bots=config.bots,
            choose=bot_process.choose,
            language=language,
            source=config.source,
            event_log=EventLog(config.source(16)),
            log_reader=replay_process,
            answers=Answers(solver_process, config.cache, figures_process, live_process),
            players=players,
        )
        house.append(House(house_config))
        return create_app(house[0], config.source, http)

    try:
        return serve(
            factory,
            host=options.host,
            port=options.port,
            address=options.address,
            on_stopping=lambda: house[0].closing() if house else None,
            qr=options.qr,
            how_to_open=options.how,
            language=language("en"),
        )
    finally:
        bot_process.close()
        replay_process.close()
        solver_process.close()
        figures_process.close()
        live_process.close()
        players.close()
        store.close()
        end_log()


def _backup(data: Path, file: Path, *, key: bool) -> None:
    """Save everything in a zip, or copy the tables, and the players' book beside them. NotStored as ``copy``."""
    if file.suffix.lower() == SUFFIX:
        save_all(data, file, key=key)
        return
    if key:
        raise NotStored("key-alone")
    book = beside(data)
    if book.exists() and beside(file).exists():
        raise NotStored("backup-exists", folder=str(file.parent), file=str(beside(file)))
    copy(data, file)
    if book.exists():
        copy_players(book, beside(file))


def _tell_restored(staged: StagedHouse, tongue: Language, out: TextIO) -> None:
    """Say what was restored, and how people who come from a phone take their seats again."""
    tables = tongue.count("{number} table is sound", "{number} tables are sound", staged.found.tables)
    out.write(tongue.say("{tables}, {events} events replayed.", tables=tables, events=staged.found.events) + "\n")
    out.write(tongue.say("Everything is in {file} now. Open it with: {command}", **_opening(staged.data)) + "\n")
    for path, seats in staged.found.places if staged.from_pocket else ():
        said = "To play on from another browser, open {path} there and enter the four words of your seat."
        out.write(tongue.say(said, path=path) + "\n")
        for name, words in seats:
            out.write(tongue.say("{name}: {words}", name=name, words=words) + "\n")


def _opening(data: Path) -> dict[str, str]:
    return {"file": str(data), "command": shlex.join(["pubdice", "serve", "--data", str(data)])}


def _check(file: Path, games: Mapping[str, Kit], tongue: Language, out: TextIO) -> int:
    """Replay every log; the exit status, 0 if all are sound."""
    reader = SqliteReader(file)
    try:
        wrong = reader.damage()
        sound = events = 0
        for number in reader.tables():
            try:
                events += verify(read_log(reader, number), games)
                sound += 1
            except NotStored as error:
                wrong.append(tongue.say("Table {table}: {why}", table=number, why=trouble(tongue, error)))
    finally:
        reader.close()
    for line in wrong:
        out.write(line + "\n")
    tables = tongue.count("{number} table is sound", "{number} tables are sound", sound)
    out.write(tongue.say("{tables}, {events} events replayed.", tables=tables, events=events) + "\n")
    return 1 if wrong else 0


def _parser(file: Path | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="pubdice", description="Pubdice on the web.")
    commands = parser.add_subparsers(dest="command", required=True)
    text = "Starts Pubdice for phones, keyboards and screen readers. Ctrl+C closes it; no game is lost."
    opens = commands.add_parser("serve", help="start Pubdice", description=text)
    opens.add_argument(
        "--host",
        default="127.0.0.1",
        help="where to listen: 127.0.0.1 (usual: this machine only), 0.0.0.0 (the network)",
    )
    opens.add_argument("--port", default=str(PORT), metavar="N", help=f"which port ({PORT})")
    opens.add_argument("--address", metavar="URL", help="the address people type, if a proxy stands in front")
    opens.add_argument("--proxy", action="append", default=[], metavar="IP", help="a proxy to trust about who asks")
    opens.add_argument("--qr", action=argparse.BooleanOptionalAction, help="whether to show the address as a QR code")
    opens.add_argument("--how", default="pubdice serve --host 0.0.0.0", help=argparse.SUPPRESS)
    text = "Copies all tables into a new file, also while they are played. Never overwrites a file."
    copies = commands.add_parser("backup", help="copy all tables", description=text)
    copies.add_argument(
        "file", type=Path, metavar="FILE", help="where to copy them; FILE.zip gets everything in one file"
    )
    copies.add_argument(
        "--with-key", action="store_true", help="the key of sealed dice too, to move a house: it tells dice to come"
    )
    text = "Makes a house of what backup wrote, or of a file saved on a phone. Never overwrites one."
    restores = commands.add_parser("restore", help="put a backup back", description=text)
    restores.add_argument("file", type=Path, metavar="FILE", help="a backup, or a file saved on a phone")
    checks = commands.add_parser("check", help="replay every log", description="Checks every table by replaying it.")
    for each in (opens, copies, restores, checks):
        each.add_argument(
            "--data", type=Path, default=file, metavar="FILE", help="the file with the tables (yours by default)"
        )
    return parser
