"""The commands ``serve``, ``doctor``, ``backup``, ``restore`` and ``check``, from their words to their exit status.

The caller gives the time, the dice and the places (``CliConfig``).
"""

import argparse
import logging
import shlex
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TextIO

from starlette.types import ASGIApp

from pubdice.command_line import FaultError, Parser, complain
from pubdice.core.cup import Cup
from pubdice.core.errors import BadNotation, NotStored
from pubdice.core.seal import KeyedSeals
from pubdice.failures import exit_status
from pubdice.kit import Kit, read_number
from pubdice.server.answers import Answers
from pubdice.server.app import HttpConfig, create_app
from pubdice.server.backups import StagedHouse, restore
from pubdice.server.banner import address_of, is_loopback
from pubdice.server.bot_processes import BotProcess
from pubdice.server.checks import check, check_against
from pubdice.server.doctor import examine, tell
from pubdice.server.file_place import FilePlace, over_network
from pubdice.server.findings import Patient
from pubdice.server.house_place import HousePlace
from pubdice.server.log_process import ReplayProcess
from pubdice.server.observe import EventLog, start_log, start_quiet_log
from pubdice.server.processes import WorkerProcess
from pubdice.server.serve import PORT, serve
from pubdice.server.stores import read_place
from pubdice.server.table.house import House
from pubdice.server.table.house_config import HouseConfig
from pubdice.server.table.services import LoopClock
from pubdice.server.teller import Teller, trouble
from pubdice.server.web import render
from pubdice.server.web.browser import PublicAddress
from pubdice.server.web.trusted_hosts import FAULTS, MOST_PORT, house_names, read_address, read_proxies
from pubdice.store.deadline import Deadline
from pubdice.text.catalogues import language as spoken
from pubdice.text.language import Language, bad_notation

AGAIN_S = 1.0
"""The pause between two tries to reach a database that is away when the house starts."""


@dataclass(frozen=True, slots=True)
class CliConfig:
    """The environment of the house."""

    games: Mapping[str, Kit]
    cup: Callable[[int], Cup]  # the dice of a table, by its number
    bots: Cup  # the random source of bots
    time_ns: Callable[[], int]
    source: Callable[[int], bytes]  # returns random bytes
    file: Path | None  # the default file of the house; None without a home folder
    cache: Path | None  # the folder of solutions
    place: str | None = None  # a path or an address, used instead of file
    end: Callable[[int], object] | None = None  # ends a process that hangs, with a status; None: wait
    home: Path | None = None  # the platform's folder for the house, made without a question
    language: Language = field(default_factory=Language)  # the operator's
    left_out: Sequence[tuple[str, str]] = ()  # games that can't be played, each with its package
    ask: Callable[[str], bool] | None = None  # asks a yes-or-no question; None without a terminal


def run(words: Sequence[str], config: CliConfig, out: TextIO, err: TextIO) -> int:
    """Run one of the house's commands. Return the exit status."""
    tongue, command = config.language, words[0]
    try:
        options = parsers(tongue)[command].parse_args(list(words[1:]))
    except FaultError as fault:
        complain(err, f"pubdice {command}: {fault}\n")
        return fault.status
    options.command = command
    teller = Teller(tongue, out)
    try:
        if options.command in ("backup", "check"):
            return _read(options, config, _place(options, config), teller)
        if options.command in ("serve", "doctor"):
            least = 1 if options.command == "doctor" else 0  # 0 opens any free port, which the doctor can't look at
            options.port = read_number("port", options.port, least, MOST_PORT)
            if options.address:
                options.address = read_address(options.address)
            if options.command == "doctor":
                return tell(examine(_place(options, config), _patient(options, config)), tongue, out)
            status = _serve(options, config, _http_config(options), err)
            if out.isatty():
                out.write("\n")  # a new line after the ^C that the terminal shows
            return status
        place = _place(options, config)
        if not isinstance(place, FilePlace):
            raise NotStored("restore-file", file=str(place))
        if options.file.is_file():  # restore reports a missing file itself
            _make_folder(place.path, config)
        _tell_restored(restore(options.file, place.path, config.games), tongue, out)
        return 0
    except (NotStored, BadNotation) as error:
        if isinstance(error, NotStored):
            said = trouble(tongue, error)
        else:
            said = bad_notation(tongue, error.code, error.facts, FAULTS)
        complain(err, f"pubdice {options.command}: {said}\n")
        return exit_status(error)


def _http_config(options: argparse.Namespace) -> HttpConfig:
    addresses = [options.address] if options.address else []
    network = "" if is_loopback(options.host) else address_of(options.host, options.port)
    names, proxies = house_names(addresses, options.host), read_proxies(options.proxy)
    return HttpConfig(
        names=names, proxies=proxies, public_address=PublicAddress(options.address or "", network, options.how)
    )


def _serve(options: argparse.Namespace, config: CliConfig, http: HttpConfig, err: TextIO) -> int:
    place, tongue = _place(options, config), config.language
    if isinstance(place, FilePlace):
        _make_folder(place.path, config)
        if said := over_network(tongue, place.path.parent):
            complain(err, f"pubdice serve: {said}\n")
    ending = Deadline(end=None if config.end is None else partial(_end_late, tongue, err, config.end))
    with ExitStack() as stack:
        end = stack.enter_context(ended_by_signals())
        parts = stack.enter_context(place.open(config.source, ending, Patience(tongue, err, end)))
        stack.callback(_start_log(place, tongue, err))
        bot_process = stack.enter_context(closing(BotProcess(config.cache)))
        replay_process = stack.enter_context(closing(ReplayProcess(parts.reader)))
        solver, figures, live = (stack.enter_context(closing(WorkerProcess())) for _ in range(3))
        house: list[House] = []

        def factory() -> ASGIApp:
            events = EventLog(config.source(16))
            for game, package in config.left_out:
                events.write("game-left-out", logging.WARNING, game=game, package=package)
            house_config = HouseConfig(
                games=config.games,
                store=parts.store,
                clock=LoopClock(config.time_ns),
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
                trace=options.trace,
            )
            for name in render.templates():  # takes 0.3 s now, else a hold-up at the first page of each kind
                render.load(name)
            house.append(parts.house(house_config))
            return create_app(house[0], config.source, http)

        return serve(
            factory,
            host=options.host,
            port=options.port,
            address=options.address,
            before_stopping=parts.leave,
            on_stopping=lambda: house[0].closing() if house else None,
            qr=options.qr,
            how_to_open=options.how,
            kept_in=str(place),
            language=tongue,
            ending=ending,
        )


def _start_log(place: HousePlace, tongue: Language, err: TextIO) -> Callable[[], None]:
    """Start the log. A terminal is for people: it gets a sentence at the first error. A file beside the tables keeps
    the log. Anywhere else the log goes to standard error, for a service's journal.
    """
    if not err.isatty():
        return start_log()
    file = place.path.with_name(f"{place.path.name}.log") if isinstance(place, FilePlace) else None

    def tell(kept: bool) -> None:
        said = tongue.say("Something failed. To see what, keep the log: pubdice serve 2>pubdice.log")
        if kept:
            said = tongue.say("Something failed. {file} says what.", file=file)
        complain(err, f"pubdice serve: {said}\n")
        err.flush()

    return start_quiet_log(file, tell)


@dataclass
class Patience:
    """Waits a second for a database that is away. Says the reason once. ``end`` raises if the process got a signal."""

    tongue: Language
    err: TextIO
    end: Callable[[], None]
    sleep: Callable[[float], object] = time.sleep
    said: bool = False

    def __call__(self, error: NotStored) -> None:
        """Say the reason once, and wait. ``error`` says that the database is away."""
        self.end()
        if not self.said:
            why = trouble(self.tongue, error)
            said = self.tongue.say("{why} Pubdice waits until the database is there.", why=why)
            complain(self.err, f"pubdice serve: {said}\n")
            self.err.flush()
        self.said = True
        self.sleep(AGAIN_S)


@contextmanager
def ended_by_signals() -> Iterator[Callable[[], None]]:
    """End at once on SIGTERM, with status 0, and on SIGINT as Python does. Yields a function to call in loops.

    The first process of a container ignores SIGTERM unless it has a handler. If a signal came, the function raises its
    exception again. Loops need it: Python drops an exception that a signal raises while an object is being deleted, and
    a signal comes only once. uvicorn takes over both signals while it serves. After a stop it leaves SIGTERM ignored.
    """
    told: list[BaseException] = []

    def end() -> None:
        if told:
            raise told[0]

    if threading.current_thread() is not threading.main_thread():
        yield end
        return

    def terminated(number: int, frame: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # supervisors repeat it while files are being closed
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
        complain(err, f"pubdice serve: {said}\n")
        err.flush()
    end(1)


def _place(options: argparse.Namespace, config: CliConfig) -> HousePlace:
    """Return the house's place: named in the command, else in the environment, else at home. Raises NotStored."""
    if options.data is not None:
        return FilePlace(options.data)
    if named := options.store or config.place:
        return read_place(named)
    if config.file is None:
        raise NotStored("no-home")
    return FilePlace(config.file)


def _make_folder(place: Path, config: CliConfig) -> None:
    """Make the folder of a house if the operator agrees. Raises BadNotation if not.

    Without the question, a typo (also in PUBDICE_DATA) would open an empty house in place of the one with the tables.
    """
    folder = place.parent
    if folder == config.home or folder.is_dir():
        return
    question = config.language.say("There's no folder {folder}. Make it? y or n:", folder=folder)
    if config.ask is None or not config.ask(question):
        raise BadNotation("data-folder", folder=str(folder))
    folder.mkdir(parents=True)


def _patient(options: argparse.Namespace, config: CliConfig) -> Patient:
    now_ms = config.time_ns() // 1_000_000
    address, said = options.address or "", partial(trouble, config.language)
    named = options.data is not None or bool(options.store or config.place)
    return Patient(options.host, options.port, address, config.home, now_ms, config.language, said, named)


def _read(options: argparse.Namespace, config: CliConfig, place: HousePlace, teller: Teller) -> int:
    if options.command == "backup":
        place.back_up(options.file, key=options.with_key)
        teller.say(teller.tongue.say("Copied all tables to {file}.", file=options.file))
        return 0
    status = check(place, config.games, teller)
    if options.against:
        status = max(status, check_against(place, read_place(options.against), teller))
    return status


def _tell_restored(staged: StagedHouse, tongue: Language, out: TextIO) -> None:
    """Report a restore, and tell players who come from a phone how to take their seats again."""
    tables = tongue.count("{number} table is sound", "{number} tables are sound", staged.found.tables)
    out.write(tongue.say("{tables}, {events} events replayed.", tables=tables, events=staged.found.events) + "\n")
    file = str(staged.data)
    command = shlex.join(["pubdice", "serve", "--data", file])
    out.write(tongue.say("Everything is in {file} now. Open it with: {command}", file=file, command=command) + "\n")
    for path, seats in staged.found.places if staged.from_pocket else ():
        said = "To play on from another browser, open {path} there and enter the four words of your seat."
        out.write(tongue.say(said, path=path) + "\n")
        for name, words in seats:
            out.write(tongue.say("{name}: {words}", name=name, words=words) + "\n")


def parsers(tongue: Language) -> dict[str, Parser]:
    """Return the parsers of the commands, by name, in a language."""
    opens, looks, copies, restores, checks = (
        Parser(name, tongue) for name in ("serve", "doctor", "backup", "restore", "check")
    )
    opens.describe("Starts Pubdice for phones, keyboards and screen readers. Ctrl+C closes it; no game is lost.")
    text = "where to listen: 127.0.0.1 (usual: this machine only), 0.0.0.0 (the network)"
    opens.take("--host", None, text, default="127.0.0.1")
    opens.take("--qr", None, "show the address as a QR code, or not", action=argparse.BooleanOptionalAction)
    opens.switch("--trace", "log each command from the request to the answer, under one id at every process")
    text = "your proxy, which tells the house from which address a request comes"
    opens.take("--proxy", "IP", text, action="append", default=[])
    opens.add_argument("--how", default="pubdice serve --host 0.0.0.0", help=argparse.SUPPRESS)
    looks.describe("Says in sentences what is wrong with a house and its network. It looks, and changes nothing.")
    looks.take("--host", None, "where the house listens: 0.0.0.0 (usual: the network)", default="0.0.0.0")  # noqa: S104
    for each in (opens, looks):
        each.add_argument("--port", default=str(PORT), metavar="N", help=tongue.say("which port ({port})", port=PORT))
        each.take("--address", "URL", "the address people type, if a proxy stands in front")
    copies.describe("Copies all tables into a new file, also while people play. Never overwrites a file.")
    copies.take("file", "FILE", "target of the copy. FILE.zip gets everything in one file", type=Path)
    copies.switch("--with-key", "the key of sealed dice too, to move a house. It gives away all rolls to come")
    restores.describe("Makes a house of what backup wrote, or of a file saved on a phone. Never overwrites one.")
    restores.take("file", "FILE", "a backup, or a file saved on a phone", type=Path)
    checks.describe("Checks every table by replaying it.")
    checks.take("--against", "OLD", "another copy of the same house: what has this one lost?")
    found = {"serve": opens, "doctor": looks, "backup": copies, "restore": restores, "check": checks}
    for each in found.values():
        kinds = each.add_mutually_exclusive_group()
        text = tongue.say("the file with the tables (yours by default)")
        kinds.add_argument("--data", type=Path, metavar="FILE", help=text)
        text = "where the tables are: a file, or postgresql://USER:PASSWORD@HOST/NAME (PUBDICE_STORE by default)"
        kinds.add_argument("--store", metavar="PLACE", help=tongue.say(text))
    return found
