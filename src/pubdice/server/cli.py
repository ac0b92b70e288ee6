"""``serve``, ``doctor``, ``backup``, ``restore``, ``check`` and ``move-house``: words typed into what they ask for.

Time, dice and places are given.
"""

import argparse
import asyncio
import logging
import shlex
import signal
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TextIO

from starlette.types import ASGIApp

from pubdice.command_line import FaultError, Parser, complain
from pubdice.core.cup import Cup
from pubdice.core.errors import BadNotation, NotStored
from pubdice.core.seal import KeyedSeals, OpenedSeals
from pubdice.failures import exit_status
from pubdice.kit import Kit, read_number
from pubdice.server.answers import Answers
from pubdice.server.app import HttpConfig, create_app
from pubdice.server.backups import REFUSED_FILES, StagedHouse, restore
from pubdice.server.banner import address_of, is_loopback
from pubdice.server.bot_processes import BotProcess
from pubdice.server.doctor import Patient, examine, over_network, tell
from pubdice.server.log_process import ReplayProcess
from pubdice.server.moving import REFUSED_PLACES, Teller, back_up, check, check_against, move_house
from pubdice.server.observe import EventLog, start_log
from pubdice.server.processes import WorkerProcess
from pubdice.server.serve import PORT, serve
from pubdice.server.table.clock import LoopClock, SharedClock
from pubdice.server.table.commit import Found, Reads, at_once
from pubdice.server.table.house import House, HouseConfig
from pubdice.server.web import render
from pubdice.server.web.browser import PublicAddress
from pubdice.server.web.refusals import REFUSED
from pubdice.server.web.trusted_hosts import FAULTS, MOST_PORT, house_names, read_address, read_proxies
from pubdice.store.disk import OpenedSealsFile, read_secret
from pubdice.store.house_store import HouseReads, HouseStore, Nodes, Wakeups
from pubdice.store.players_book import PlayersBook
from pubdice.store.sqlite.players import PlayersFile, book_path
from pubdice.store.sqlite.store import SqliteReader, SqliteStore
from pubdice.store.writer import Deadline, ThreadWriter
from pubdice.text.catalogues import language as spoken
from pubdice.text.language import Language, Sentence, bad_notation, localized_facts
from pubdice_cluster.copying import DatabaseAddress, HousePlace, read_place
from pubdice_cluster.replication import Cluster

# What a house is made of where it is kept: in a file, which it has to itself, or in a database that several share.


READING = 4
"""Threads that read from a database for the event loop, each over a connection of its own."""
BEATING = 2
"""The same for the nodes: a beat does not wait for a look that is held up."""

AWAY = "store-unreachable"
"""The code of a database that is not there yet, or lets nobody in as it starts; a house that starts waits for it."""
WENT_AWAY = ("store-unreadable", "store-unwritable")
"""Codes of one that was there and then went; so it is tried again, ``TRIES`` times in a row at most."""
TRIES = 3


@dataclass(frozen=True, slots=True)
class HouseParts:
    """An open house. reader: opens its logs in another process. read: runs reads for the event loop. beat: asks the
    nodes, by threads of its own.

    nodes, wakeups: of the processes that share it; None where it has no others. refresh: reads which seals they opened.
    """

    store: HouseStore
    reader: Callable[[], HouseReads]
    seals_key: bytes
    opened_seals: OpenedSeals
    players: PlayersBook
    read: Reads = at_once
    beat: Reads = at_once
    nodes: Nodes | None = None
    wakeups: Wakeups | None = None
    refresh: Callable[[], object] = lambda: None


class InThreads:
    """Reads that wait for a network, a limited number at once."""

    def __init__(self, most: int) -> None:
        self._threads = ThreadPoolExecutor(most, "pubdice-reader")

    async def __call__(self, ask: Callable[..., Found], *values: object) -> Found:
        """The result of the read."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, ask, *values)

    def close(self) -> None:
        """End the threads, once each has come back."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def open_house(
    place: HousePlace,
    source: Callable[[int], bytes],
    ending: Deadline | None = None,
    wait: Callable[[NotStored], object] | None = None,
) -> AbstractContextManager[HouseParts]:
    """The house in a place; made if there is none. source: returns that many random bytes. ending: of the process.

    wait: called with the reason while a database is away, before it is tried again; None tries once. Raises NotStored:
    at once for what waiting does not help, such as a wrong password or a schema that is unknown here.
    """
    if isinstance(place, Path):
        return _house_in_file(place, source, ending or Deadline())
    return _house_in_database(place.address, source, ending or Deadline(), wait)


@contextmanager
def _house_in_file(file: Path, source: Callable[[int], bytes], ending: Deadline) -> Iterator[HouseParts]:
    """The house in a file and the files beside it. source: returns that many random bytes. Raises NotStored."""
    with ExitStack() as stack:
        store = stack.enter_context(closing(SqliteStore(file, writer=partial(ThreadWriter, ending=ending))))
        key = read_secret(file.with_name(file.name + ".seals"), source)
        opened = OpenedSealsFile(file.with_name(file.name + ".opened"))
        players = stack.enter_context(closing(PlayersFile(book_path(file))))
        yield HouseParts(store, partial(SqliteReader, file), key, opened, players)


@contextmanager
def _house_in_database(
    address: str, source: Callable[[int], bytes], ending: Deadline, wait: Callable[[NotStored], object] | None
) -> Iterator[HouseParts]:
    """The house in a database, as one of its processes. Raises NotStored."""
    from pubdice_cluster import reach  # noqa: PLC0415 - the driver is an extra, and there as the address was read

    failed, opened = 0, ExitStack()
    while True:
        try:
            reach(address, to_serve=True)
            with ExitStack() as stack:
                failed += 1  # it was there, so what fails now is the database going away again, or no matter of time
                parts = stack.enter_context(_parts_in_database(address, source, ending))
                opened = stack.pop_all()
            break
        except NotStored as error:
            away = error.code == AWAY
            if wait is None or not (away or (error.code in WENT_AWAY and failed < TRIES)):
                raise
            failed = 0 if away else failed
            wait(error)
    with opened:
        yield parts


@contextmanager
def _parts_in_database(address: str, source: Callable[[int], bytes], ending: Deadline) -> Iterator[HouseParts]:
    """The house in a database that can be reached. Raises NotStored."""
    from pubdice_cluster import (  # noqa: PLC0415 - as above
        OpenedSealsTables,
        PlayersTables,
        PostgresReader,
        PostgresStore,
        PostgresWakeups,
        Primary,
        read_shared_secret,
    )

    with ExitStack() as stack:
        make_writer, primary = partial(ThreadWriter, ending=ending), Primary(address)
        primary.meet()
        made = PostgresStore(address, writer=make_writer, ending=ending, primary=primary)
        store = stack.enter_context(closing(made))
        players = stack.enter_context(closing(PlayersTables(address, primary)))
        opened = OpenedSealsTables(store)
        reads, beats = (stack.enter_context(closing(InThreads(number))) for number in (READING, BEATING))
        yield HouseParts(
            store,
            partial(PostgresReader, address, READING, primary=primary),
            read_shared_secret(address, source),
            opened,
            players,
            reads,
            beats,
            store.nodes,
            PostgresWakeups(primary, store.nodes.id),
            opened.refresh,
        )


AGAIN_S = 1.0
"""Between two tries at a database that is away when the house starts."""
TROUBLE: dict[str, Sentence] = {
    "store-in-use": "Another pubdice has {file} open already.",
    "store-newer": "{file} was written by a newer pubdice; this one leaves it alone.",
    "store-unwritable": "Can't write {file} ({reason}).",
    "store-unreadable": "Can't read tables from {file} ({reason}).",
    "backup-exists": "{file} already exists. A backup never overwrites a file.",
    "secret-file": "{file} is needed to seal dice, and can't be used ({reason}). Put it back, or move it away.",
    "game-gone": "its game, {game}, is not installed here, so it was not replayed. It is kept as it is.",
    "log-impossible": "event {event} of its log cannot have happened.",
    **REFUSED_FILES,
    **REFUSED_PLACES,
    "no-home": "There's no home folder to keep the tables in. Name a file with --data.",
    "restore-file": "restore writes to a file, not to {file}: name one with --data, and pubdice move-house copies it "
    "there.",
}


@dataclass(frozen=True, slots=True)
class CliConfig:
    """The environment of the house.

    games, cups (dice by table; bots' lots), time_ns, source (random bytes), file (of the house; None: no home), cache
    (the folder of solutions), place (a path or an address, in place of file), end (ends the process at once, with a
    status, where something still hangs when it should have ended; None: waits), home (the platform's folder for the
    house, the only one that is made without asking), language (of what the operator reads), left_out (installed games
    that cannot be played: name and package of each), ask (a question that is answered with yes or no; None: nobody is
    there).
    """

    games: Mapping[str, Kit]
    cup: Callable[[int], Cup]
    bots: Cup
    time_ns: Callable[[], int]
    source: Callable[[int], bytes]
    file: Path | None
    cache: Path | None
    place: str | None = None
    end: Callable[[int], object] | None = None
    home: Path | None = None
    language: Language = field(default_factory=Language)
    left_out: Sequence[tuple[str, str]] = ()
    ask: Callable[[str], bool] | None = None


def run(words: Sequence[str], config: CliConfig, out: TextIO, err: TextIO) -> int:
    """Run one of the house's commands; the exit status."""
    tongue, command = config.language, words[0]
    try:
        options = parsers(tongue)[command].parse_args(list(words[1:]))
    except FaultError as fault:
        complain(err, f"pubdice {command}: {fault}\n")
        return fault.status
    options.command = command
    teller = Teller(tongue, out, trouble)
    try:
        if options.command == "move-house":
            source, target = read_place(options.source), read_place(options.target)
            return move_house(source, target, config.games, teller, damaged=options.damaged)
        if options.command in ("backup", "check"):
            return _read(options, config, _place(options, config), teller)
        if options.command in ("serve", "doctor"):
            least = 1 if options.command == "doctor" else 0  # 0 opens any free port, and is none to look at
            options.port = read_number("port", options.port, least, MOST_PORT)
            if options.address:
                options.address = read_address(options.address)
            if options.command == "doctor":
                return tell(examine(_patient(options, config)), tongue, out)
            status = _serve(options, config, _http_config(options), err)
            if out.isatty():
                out.write("\n")  # behind the ^C that the terminal shows
            return status
        place = _place(options, config)
        if isinstance(place, DatabaseAddress):
            raise NotStored("restore-file", file=str(place))
        if options.file.is_file():  # else there is nothing to restore, which restore says
            _make_folder(place, config)
        _tell_restored(restore(options.file, place, config.games), tongue, out)
        return 0
    except (NotStored, BadNotation) as error:
        if isinstance(error, NotStored):
            said = trouble(tongue, error)
        else:
            said = bad_notation(tongue, error.code, error.facts, FAULTS)
        complain(err, f"pubdice: {said}\n")
        return exit_status(error)


def trouble(tongue: Language, error: NotStored) -> str:
    """Why the store says no, to the operator."""
    table = TROUBLE if error.code in TROUBLE else REFUSED
    facts = {"file": "", "reason": "", **error.facts}
    return tongue.tell(table[error.code], localized_facts(facts, tongue))


def _http_config(options: argparse.Namespace) -> HttpConfig:
    """The access to the house. Raises BadNotation."""
    addresses = [options.address] if options.address else []
    network = "" if is_loopback(options.host) else address_of(options.host, options.port)
    names, proxies = house_names(addresses, options.host), read_proxies(options.proxy)
    return HttpConfig(
        names=names, proxies=proxies, public_address=PublicAddress(options.address or "", network, options.how)
    )


def _serve(options: argparse.Namespace, config: CliConfig, http: HttpConfig, err: TextIO) -> int:
    place, tongue = _place(options, config), config.language
    if isinstance(place, Path):
        _make_folder(place, config)
        if said := over_network(tongue, place.parent):
            complain(err, f"pubdice: {said}\n")
    ending = Deadline(end=None if config.end is None else partial(_end_late, tongue, err, config.end))
    with ExitStack() as stack:
        end = stack.enter_context(ended_by_signals())
        parts = stack.enter_context(open_house(place, config.source, ending, Patience(tongue, err, end)))
        stack.callback(start_log())
        bot_process = stack.enter_context(closing(BotProcess(config.cache)))
        replay_process = stack.enter_context(closing(ReplayProcess(parts.reader)))
        solver, figures, live = (stack.enter_context(closing(WorkerProcess())) for _ in range(3))
        house: list[House] = []

        def factory() -> ASGIApp:
            clock, cluster = LoopClock(config.time_ns), None
            if parts.nodes is not None and parts.wakeups is not None:
                clock = SharedClock(config.time_ns)
                clock.begin(parts.nodes.now_ms)
                cluster = Cluster(parts.nodes, parts.wakeups, clock, parts.beat, parts.refresh)
            events = EventLog(config.source(16))
            for game, package in config.left_out:
                events.write("game-left-out", logging.WARNING, game=game, package=package)
            house_config = HouseConfig(
                games=config.games,
                store=parts.store,
                clock=clock,
                cup=config.cup,
                seals=KeyedSeals(parts.seals_key, config.source, parts.opened_seals),
                bots=config.bots,
                choose=bot_process.choose,
                language=spoken,
                source=config.source,
                event_log=events,
                log_reader=replay_process,
                answers=Answers(solver, config.cache, figures, live),
                players=parts.players,
                read=parts.read,
                cluster=cluster,
                trace=options.trace,
            )
            for name in render.templates():  # 0.3 s here, or as long for everybody at the first page of each kind
                render.load(name)
            house.append(House(house_config))
            return create_app(house[0], config.source, http)

        return serve(
            factory,
            host=options.host,
            port=options.port,
            address=options.address,
            before_stopping=lambda wait: leave(house, wait),
            on_stopping=lambda: house[0].closing() if house else None,
            qr=options.qr,
            how_to_open=options.how,
            language=tongue,
            ending=ending,
        )


@dataclass
class Patience:
    """Waits a second, and says once what for. end: ends the process that was told to. sleep: waits some seconds."""

    tongue: Language
    err: TextIO
    end: Callable[[], None]
    sleep: Callable[[float], object] = time.sleep
    said: bool = False

    def __call__(self, error: NotStored) -> None:
        """Wait, as the database is away for this reason."""
        self.end()
        if not self.said:
            why = trouble(self.tongue, error)
            said = self.tongue.say("{why} Pubdice waits until the database is there.", why=why)
            complain(self.err, f"pubdice: {said}\n")
            self.err.flush()
        self.said = True
        self.sleep(AGAIN_S)


@contextmanager
def ended_by_signals() -> Iterator[Callable[[], None]]:
    """End at once on SIGTERM, with status 0, and on SIGINT as Python does. Yields a function that ends it again.

    SIGTERM also in a container, where the first process has to ask for that. A loop calls the function in each turn:
    Python drops what a signal raises while an object is being deleted, and a signal comes once. uvicorn takes both over
    while it serves, and leaves SIGTERM ignored once it was told to stop.
    """
    told: list[BaseException] = []

    def end() -> None:
        if told:
            raise told[0]

    if threading.current_thread() is not threading.main_thread():
        yield end
        return

    def terminated(number: int, frame: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # supervisors repeat it, and files are still closed
        told.append(SystemExit(0))
        end()

    def interrupted(number: int, frame: object) -> None:
        told.append(KeyboardInterrupt())
        end()

    ours = {signal.SIGTERM: terminated, signal.SIGINT: interrupted}
    before = {number: signal.signal(number, handler) for number, handler in ours.items()}
    try:
        yield end
    finally:
        for number, handler in ours.items():
            if signal.getsignal(number) is handler:
                signal.signal(number, before[number])


def _end_late(tongue: Language, err: TextIO, end: Callable[[int], object]) -> None:
    said = tongue.say("Something didn't answer, so Pubdice ends without it. All that was answered is saved.")
    with suppress(OSError, ValueError):
        complain(err, f"pubdice: {said}\n")
        err.flush()
    end(1)


async def leave(house: Sequence[House], wait: Callable[[float], Awaitable[object]]) -> None:
    """Have an open house leave its tables to its other processes."""
    for each in house:
        await each.drain(wait)


def _place(options: argparse.Namespace, config: CliConfig) -> HousePlace:
    """The house meant: the one that is named, else the environment's, else the one at home. Raises NotStored."""
    if options.data is not None:
        return Path(options.data)
    if named := options.store or config.place:
        return read_place(named)
    if config.file is None:
        raise NotStored("no-home")
    return config.file


def _make_folder(place: Path, config: CliConfig) -> None:
    """Make the folder of a house if somebody says so. Raises BadNotation: nobody does.

    A typo, in PUBDICE_DATA too, would show an empty house to people whose tables lie elsewhere.
    """
    folder = place.parent
    if folder == config.home or folder.is_dir():
        return
    question = config.language.say("There's no folder {folder}. Make it? y or n:", folder=folder)
    if config.ask is None or not config.ask(question):
        raise BadNotation("data-folder", folder=str(folder))
    folder.mkdir(parents=True)


def _patient(options: argparse.Namespace, config: CliConfig) -> Patient:
    """The house that the doctor looks at. Raises NotStored."""
    place, now_ms = _place(options, config), config.time_ns() // 1_000_000
    address, said = options.address or "", partial(trouble, config.language)
    return Patient(place, options.host, options.port, address, config.home, now_ms, config.language, said)


def _read(options: argparse.Namespace, config: CliConfig, place: HousePlace, teller: Teller) -> int:
    """Back a house up, or check it; the exit status."""
    if options.command == "backup":
        back_up(place, options.file, key=options.with_key)
        teller.say(teller.tongue.say("Copied all tables to {file}.", file=options.file))
        return 0
    status = check(place, config.games, teller)
    if options.against:
        status = max(status, check_against(place, read_place(options.against), teller))
    return status


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


def parsers(tongue: Language) -> dict[str, Parser]:
    """The parsers of the commands, by name, in a language."""
    say = tongue.say
    text = say("Starts Pubdice for phones, keyboards and screen readers. Ctrl+C closes it; no game is lost.")
    opens = Parser("serve", tongue, description=text)
    text = say("where to listen: 127.0.0.1 (usual: this machine only), 0.0.0.0 (the network)")
    opens.add_argument("--host", default="127.0.0.1", help=text)
    opens.add_argument("--qr", action=argparse.BooleanOptionalAction, help=say("show the address as a QR code, or not"))
    text = say("log each command from the request to the answer, under one id at every process")
    opens.add_argument("--trace", action="store_true", help=text)
    text = say("your proxy, which tells the house from which address a request comes")
    opens.add_argument("--proxy", action="append", default=[], metavar="IP", help=text)
    opens.add_argument("--how", default="pubdice serve --host 0.0.0.0", help=argparse.SUPPRESS)
    text = say("Says in sentences what is wrong with a house and its network. It looks, and changes nothing.")
    looks = Parser("doctor", tongue, description=text)
    text = say("where the house listens: 0.0.0.0 (usual: the network)")
    looks.add_argument("--host", default="0.0.0.0", help=text)  # noqa: S104
    for each in (opens, looks):
        each.add_argument("--port", default=str(PORT), metavar="N", help=say("which port ({port})", port=PORT))
        text = say("the address people type, if a proxy stands in front")
        each.add_argument("--address", metavar="URL", help=text)
    text = say("Copies all tables into a new file, also while people play. Never overwrites a file.")
    copies = Parser("backup", tongue, description=text)
    text = say("where to copy them; FILE.zip gets everything in one file")
    copies.add_argument("file", type=Path, metavar="FILE", help=text)
    text = say("the key of sealed dice too, to move a house; it gives away all rolls to come")
    copies.add_argument("--with-key", action="store_true", help=text)
    text = say("Makes a house of what backup wrote, or of a file saved on a phone. Never overwrites one.")
    restores = Parser("restore", tongue, description=text)
    restores.add_argument("file", type=Path, metavar="FILE", help=say("a backup, or a file saved on a phone"))
    checks = Parser("check", tongue, description=say("Checks every table by replaying it."))
    text = say("another copy of the same house: what has this one lost?")
    checks.add_argument("--against", metavar="OLD", help=text)
    for each in (opens, looks, copies, restores, checks):
        kinds = each.add_mutually_exclusive_group()
        kinds.add_argument("--data", type=Path, metavar="FILE", help=say("the file with the tables (yours by default)"))
        text = "where the tables are: a file, or postgresql://USER:PASSWORD@HOST/NAME (PUBDICE_STORE by default)"
        kinds.add_argument("--store", metavar="PLACE", help=say(text))
    text = say(
        "Copies a house, compares every row of the copy and replays every log, before anything counts. FROM and TO are"
        " a file, or a database of PostgreSQL: postgresql://USER:PASSWORD@HOST/NAME. TO must be empty."
    )
    moves = Parser("move-house", tongue, description=text)
    moves.add_argument("source", metavar="FROM", help=say("where the house is; stop it first"))
    moves.add_argument("target", metavar="TO", help=say("where it will be"))
    text = say("also copy logs that can't be replayed, as they are")
    moves.add_argument("--damaged", action="store_true", help=text)
    return {
        "serve": opens,
        "doctor": looks,
        "backup": copies,
        "restore": restores,
        "check": checks,
        "move-house": moves,
    }
