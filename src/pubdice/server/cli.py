"""``pubdice serve``, ``backup``, ``restore``, ``check`` and ``move-house``: words typed into what they ask for.

Time, dice and places are given.
"""

import argparse
import shlex
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TextIO

from starlette.types import ASGIApp

from pubdice.core.cup import Cup
from pubdice.core.errors import BadNotation, NotStored
from pubdice.core.seal import KeyedSeals
from pubdice.failures import exit_status
from pubdice.kit import Kit, read_number
from pubdice.server.answers import Answers
from pubdice.server.app import HttpConfig, create_app
from pubdice.server.backups import REFUSED_FILES, StagedHouse, restore
from pubdice.server.house_parts import open_house
from pubdice.server.moving import REFUSED_PLACES, Teller, back_up, check, check_against, move_house
from pubdice.server.observe import EventLog, start_log
from pubdice.server.run.serve import PORT, address_of, full_address, is_loopback, serve
from pubdice.server.table.house import House, HouseConfig
from pubdice.server.table.replication import Cluster
from pubdice.server.table.services import LoopClock, SharedClock
from pubdice.server.web import render
from pubdice.server.web.browser import PublicAddress
from pubdice.server.web.refusals import REFUSED
from pubdice.server.web.trusted_hosts import FAULTS, house_names, read_proxies
from pubdice.server.workers.jobs import BotProcess, ReplayProcess
from pubdice.server.workers.processes import WorkerProcess
from pubdice.store.places import DatabaseAddress, HousePlace, read_place
from pubdice.store.writer import Deadline
from pubdice.text.catalogues import language
from pubdice.text.language import Language, Sentence, bad_notation, localized_facts

MOST_PORT = 65_535
AGAIN_S = 1.0
"""Between two tries at a database that is away when the house starts."""
DATA = "the file with the tables (yours by default)"
STORE = "where the tables are: a file, or postgresql://USER:PASSWORD@HOST/NAME (PUBDICE_STORE by default)"
TROUBLE: dict[str, Sentence] = {
    "store-in-use": "Another pubdice has {file} open already.",
    "store-newer": "{file} was written by a newer pubdice; this one leaves it alone.",
    "store-unwritable": "Can't write {file} ({reason}).",
    "store-unreadable": "Can't read tables from {file} ({reason}).",
    "backup-exists": "{file} already exists. A backup never overwrites a file.",
    "secret-file": "{file} is needed to seal dice, and can't be used ({reason}). Put it back, or move it away.",
    "log-impossible": "event {event} of its log cannot have happened.",
    **REFUSED_FILES,
    **REFUSED_PLACES,
    "no-home": "There's no home folder to keep the tables in. Name a file with --data.",
    "restore-file": "restore writes to a file, not to {file}: name one with --data, and pubdice move-house copies it "
    "there.",
}


@dataclass(frozen=True, slots=True)
class CliConfig:
    """What the house is given from outside.

    games, cups (dice by table; bots' lots), time_ns, source (random bytes), file (where the house is kept; None: no
    home), cache (where solutions are kept), place (a path or an address, where the house is kept instead of in file),
    end (ends the process at once, with a status, where something still hangs when it should have ended; None: waits),
    home (the platform's folder for the house, the only one that is made).
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


def run(words: Sequence[str], config: CliConfig, out: TextIO, err: TextIO) -> int:
    """Run one of the house's commands; the exit status."""
    tongue = language("en")
    options = _parser().parse_args(list(words))
    teller = Teller(tongue, out, trouble)
    try:
        if options.command == "move-house":
            source, target = read_place(options.source), read_place(options.target)
            return move_house(source, target, config.games, teller, damaged=options.damaged)
        if options.command in ("backup", "check"):
            return _read(options, config, _place(options, config), teller)
        if options.command == "serve":
            options.port = read_number("port", options.port, 0, MOST_PORT)
            return _serve(options, config, _http_config(options), err)
        place = _place(options, config)
        if isinstance(place, DatabaseAddress):
            raise NotStored("restore-file", file=str(place))
        _tell_restored(restore(options.file, place, config.games), tongue, out)
        return 0
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
    return tongue.tell(table[error.code], localized_facts(facts, tongue))


def _http_config(options: argparse.Namespace) -> HttpConfig:
    """How the house is reached. Raises BadNotation."""
    addresses = [options.address] if options.address else []
    address = full_address(options.address) if options.address else ""
    network = "" if is_loopback(options.host) else address_of(options.host, options.port)
    names, proxies = house_names([*addresses, options.host]), read_proxies(options.proxy)
    return HttpConfig(names=names, proxies=proxies, public_address=PublicAddress(address, network, options.how))


def _serve(options: argparse.Namespace, config: CliConfig, http: HttpConfig, err: TextIO) -> int:
    place, tongue = _place(options, config), language("en")
    if isinstance(place, Path) and place.parent != config.home and not place.parent.is_dir():
        # A typo, in PUBDICE_DATA too, would show an empty house to people whose tables lie elsewhere.
        raise BadNotation("data-folder", folder=str(place.parent))
    ending = Deadline(end=None if config.end is None else partial(_end_late, tongue, err, config.end))
    with ExitStack() as stack:
        stack.enter_context(ended_by_sigterm())
        parts = stack.enter_context(open_house(place, config.source, ending, _Patience(tongue, err)))
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
            house_config = HouseConfig(
                games=config.games,
                store=parts.store,
                clock=clock,
                cup=config.cup,
                seals=KeyedSeals(parts.seals_key, config.source, parts.opened_seals),
                bots=config.bots,
                choose=bot_process.choose,
                language=language,
                source=config.source,
                event_log=EventLog(config.source(16)),
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


class _Patience:
    """Waits a second, and says once what for. sleep: waits so many seconds."""

    def __init__(self, tongue: Language, err: TextIO, sleep: Callable[[float], object] = time.sleep) -> None:
        self._tongue, self._err, self._sleep, self._said = tongue, err, sleep, False

    def __call__(self, error: NotStored) -> None:
        """Wait, as the database is away for this reason."""
        if not self._said:
            why = trouble(self._tongue, error)
            said = self._tongue.say("{why} Pubdice waits until the database is there.", why=why)
            self._err.write(f"pubdice: {said}\n")
            self._err.flush()
        self._said = True
        self._sleep(AGAIN_S)


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """End at once on SIGTERM, with status 0: also in a container, where the first process has to ask for that.

    uvicorn takes the signal over while it serves, and leaves it ignored once it was told to stop.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # supervisors repeat it, and files are still closed
        sys.exit(0)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGTERM) is end:
            signal.signal(signal.SIGTERM, before)


def _end_late(tongue: Language, err: TextIO, end: Callable[[int], object]) -> None:
    said = tongue.say("Something didn't answer, so Pubdice ends without it. All that was answered is saved.")
    with suppress(OSError, ValueError):
        err.write(f"pubdice: {said}\n")
        err.flush()
    end(1)


async def leave(house: Sequence[House], wait: Callable[[float], Awaitable[object]]) -> None:
    """Have an open house leave its tables to its other processes."""
    for each in house:
        await each.drain(wait)


def _place(options: argparse.Namespace, config: CliConfig) -> HousePlace:
    """Which house is meant: the one that is named, else the environment's, else the one at home. Raises NotStored."""
    if options.data is not None:
        return Path(options.data)
    if named := options.store or config.place:
        return read_place(named)
    if config.file is None:
        raise NotStored("no-home")
    return config.file


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


def _parser() -> argparse.ArgumentParser:
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
    opens.add_argument(
        "--trace",
        action="store_true",
        help="log each command from the request to the answer, under one id at every process",
    )
    opens.add_argument("--how", default="pubdice serve --host 0.0.0.0", help=argparse.SUPPRESS)
    text = "Copies all tables into a new file, also while people play. Never overwrites a file."
    copies = commands.add_parser("backup", help="copy all tables", description=text)
    copies.add_argument(
        "file", type=Path, metavar="FILE", help="where to copy them; FILE.zip gets everything in one file"
    )
    copies.add_argument(
        "--with-key",
        action="store_true",
        help="the key of sealed dice too, to move a house; it tells all rolls to come",
    )
    text = "Makes a house of what backup wrote, or of a file saved on a phone. Never overwrites one."
    restores = commands.add_parser("restore", help="put a backup back", description=text)
    restores.add_argument("file", type=Path, metavar="FILE", help="a backup, or a file saved on a phone")
    checks = commands.add_parser("check", help="replay every log", description="Checks every table by replaying it.")
    text = "another copy of the same house: what has this one lost?"
    checks.add_argument("--against", metavar="OLD", help=text)
    for each in (opens, copies, restores, checks):
        kinds = each.add_mutually_exclusive_group()
        kinds.add_argument("--data", type=Path, metavar="FILE", help=DATA)
        kinds.add_argument("--store", metavar="PLACE", help=STORE)
    text = (
        "Copies a house, compares every row of the copy and replays every log, before anything counts. FROM and TO are"
        " a file, or a database of PostgreSQL: postgresql://USER:PASSWORD@HOST/NAME. TO must be empty."
    )
    moves = commands.add_parser("move-house", help="copy a house between a file and PostgreSQL", description=text)
    moves.add_argument("source", metavar="FROM", help="where the house is; stop it first")
    moves.add_argument("target", metavar="TO", help="where it will be")
    moves.add_argument("--damaged", action="store_true", help="also copy logs that can't be replayed, as they are")
    return parser
