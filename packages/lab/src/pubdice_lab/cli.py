"""The commands ``pubdice simulate`` and ``pubdice arena``."""

import csv
import json
import os
import shlex
import shutil
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from pubdice.annexes import CommandContext
from pubdice.command_line import (
    Parser,
    add_option_flags,
    chosen_options,
    complain,
    guarded,
    kit_named,
    seed_of,
)
from pubdice.core.errors import BadNotation, Refused
from pubdice.failures import OTHER
from pubdice.games import INSTALLED
from pubdice.kit import BOT, Kit, read_number
from pubdice.match.header import read_name
from pubdice.text.language import Language
from pubdice.typed_rules import read_format
from pubdice_lab.refusals import MISTYPED, TROUBLE

if TYPE_CHECKING:
    from pubdice_lab.workers import Workers

SIMULATE, ARENA = "simulate", "arena"
INTERRUPTED = 130
"""The exit status after Ctrl-C, by the convention of shells."""
BAR_COLUMNS = 30
TOLD_EVERY_S = 0.2


def parsers(context: CommandContext) -> dict[str, Parser]:
    """Return the commands' parsers, by name."""
    language = context.language.own["pubdice_lab"]
    return {SIMULATE: _simulate(language, context.games), ARENA: _arena(language, context.games)}


def run(words: Sequence[str], context: CommandContext) -> int:
    """Run a command and return its exit status."""
    own = replace(context, language=context.language.own["pubdice_lab"])
    for game in INSTALLED.left_out:
        complain(context.err, f"pubdice: {game.sentence}\n")

    def ran() -> int:
        chosen = parsers(context)[words[0]].parse_args(list(words[1:]))
        progress = ProgressBar(own.language, None if context.plain else context.err, context.clock)
        return {SIMULATE: _simulated, ARENA: _arena_held}[words[0]](chosen, own, progress)

    unable = TROUBLE.keys() - MISTYPED
    return guarded(words[0], ran, own.language, context.err, refusals=TROUBLE, unable=unable)


class ProgressBar:
    """A progress bar with the time that is left. It appears only on a terminal."""

    def __init__(self, language: Language, err: TextIO | None, clock: Callable[[], float]) -> None:
        self._language, self._clock = language, clock
        self._err = err if err is not None and err.isatty() else None
        self._begun: tuple[float, int] | None = None
        self._told = -TOLD_EVERY_S

    def __call__(self, done: int, of: int) -> None:
        """Show that ``done`` of ``of`` are done."""
        now = self._clock()
        if self._begun is None:
            self._begun = now, done
        if self._err is None or (now - self._told < TOLD_EVERY_S and done < of):
            return
        self._told = now
        begun, first = self._begun
        filled = BAR_COLUMNS * done // of
        left = ""
        if first < done < of:
            seconds = round((now - begun) * (of - done) / (done - first))
            time = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
            left = self._language.say("{time} left", time=time)
        bar = "#" * filled + "." * (BAR_COLUMNS - filled)
        self._err.write(f"\r[{bar}] {self._language.per_cent(done / of, 0)} {left}\x1b[K")
        self._err.flush()

    def now(self) -> float:
        """Return the time in seconds, from some fixed moment."""
        return self._clock()

    def clear(self) -> None:
        """Erase the bar."""
        if self._err is not None and self._begun is not None:
            self._err.write("\r\x1b[K")
            self._err.flush()


def _simulate(language: Language, games: Mapping[str, Kit]) -> Parser:
    parser = Parser(SIMULATE, language)
    parser.describe(
        "Simulate matches between bots, and say how they end, with standard errors, and with exact values if they "
        "are known. The same seed gives the same result for any number of workers. Ctrl-C prints what is counted "
        "so far.\nExit status 2: pubdice can't read what you typed, or the file of --resume. 130: it was "
        "interrupted."
    )
    parser.take_game(games)
    parser.take("--seats", "BOT,BOT", "a bot for each seat (the usual bot, twice)")
    parser.take("--games", "N", "number of matches (100000)", default="100000")
    _add_flags(parser, games)
    parser.take("--resume", "FILE", "keep what is counted in this file, and go on from it", type=Path)
    parser.take("--parquet", "FILE", "write the same table for data frames (needs pyarrow)", type=Path)
    return parser


def _add_flags(parser: Parser, games: Mapping[str, Kit]) -> None:
    parser.take("--seed", "SEED", "a word or a number (drawn by lot)")
    parser.take("--format", "FORMAT", "the format of the match, as in play", default="")
    parser.take("--opener", "RULE", "the opener of the next round, as in play", default="")
    add_option_flags(parser, games)
    parser.take("--workers", "W", "number of processes (1)", default="1")
    text = "count on this cluster of Dask, such as tcp://host:8786, in place of processes here"
    parser.take("--cluster", "ADDRESS", text)
    parser.switch("--json", "print the result as JSON")
    parser.take("--csv", "FILE", "write the result as a table, too", type=Path)


def _arena(language: Language, games: Mapping[str, Kit]) -> Parser:
    parser = Parser(ARENA, language)
    parser.describe(
        "Let bots and programs of your own play each other, every pair in both orders, and say how strong each is: "
        "exactly for bots of the house, for others with the luck of the dice taken out. A program is asked in JSON, a "
        'line a choice: see "Laboratory" in the documents. It runs with your rights. Ctrl-C prints the pairs '
        "that are done.\n"
        "Exit status 1: a player is out. 2: pubdice can't read what you typed, or there is no such program. 130: it "
        "was interrupted."
    )
    parser.take_game(games)
    parser.take("--bots", "BOT,BOT", "bots of the house (all of the game)")
    parser.take("--program", "NAME=COMMAND", "a program of yours (once for each)", action="append", default=[])
    parser.take("--games", "N", "matches of each order, if played (1000)", default="1000")
    parser.take("--time", "SECONDS", "the time for a choice of a program (1)", default="1")
    _add_flags(parser, games)
    parser.take("--svg", "FILE", "draw the strengths, too", type=Path)
    return parser


def _asked(
    chosen: Any, language: Language, games: Mapping[str, Kit]
) -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
    kit = kit_named(chosen.game, games, language)
    least = max(2, kit.usual_game.least_seats)
    named = ",".join([BOT] * least) if chosen.seats is None else chosen.seats
    seats = tuple(map(kit.read_bot, named.split(",")))
    return kit.name, seats, _header(chosen, kit, games, language)


def _header(chosen: Any, kit: Kit, games: Mapping[str, Kit], language: Language) -> tuple[tuple[str, str], ...]:
    form = chosen.format and read_format(chosen.format, kit, language)
    given = {"format": form, "opener": chosen.opener, **chosen_options(chosen, kit, games, language)}
    return tuple(sorted((key, value) for key, value in given.items() if value))


def _simulated(chosen: Any, context: CommandContext, progress: ProgressBar) -> int:
    # numpy loads here, so --help is quick
    from pubdice_lab.counting import (  # noqa: PLC0415
        MOST_GAMES,
        SAVED_EVERY_S,
        Counts,
        SimulationPlan,
        count_blocks,
        counted,
        save,
        saved,
    )
    from pubdice_lab.simulation import check, result  # noqa: PLC0415
    from pubdice_lab.workers import MOST_WORKERS  # noqa: PLC0415

    language = context.language
    game, seats, header = _asked(chosen, language, context.games)
    matches = read_number("games", chosen.games, 1, MOST_GAMES)
    workers = read_number("workers", chosen.workers, 1, MOST_WORKERS)
    seed = seed_of(chosen.seed) or ""
    plan = SimulationPlan(game, seats, matches, seed or context.new_seed(), header)
    check(plan, workers)
    _look_at_places(chosen.resume, chosen.csv, chosen.parquet)
    write_parquet = _parquet_writer() if chosen.parquet else None
    plan, counts = saved(chosen.resume, plan, seed) if chosen.resume else (plan, Counts(len(seats)))
    before, kept = counts.games, progress.now()

    def keep(file: Path) -> None:
        save(file, plan, counts)

    if chosen.resume:  # so a file that can't be written is refused before the work begins
        _written(chosen.resume, keep)

    def told(done: int, of: int) -> None:
        nonlocal kept
        progress(done, of)
        if chosen.resume and progress.now() - kept >= SAVED_EVERY_S:
            kept = progress.now()
            with suppress(Refused):  # the last save will report the error
                _written(chosen.resume, keep)

    expected = None

    def count(here: "Workers") -> None:
        nonlocal expected
        expected = counted(plan, counts, here, told)

    status, trouble = _worked(count, workers, chosen.cluster)
    if status == INTERRUPTED and workers == 1 and not chosen.cluster and counts.games > before:
        expected = count_blocks(plan, 0, 0)[1]  # already cached, so this costs nothing
    progress.clear()
    found, asked = result(plan, counts, expected), ""
    if status == INTERRUPTED:
        one, many = "Interrupted: {games} match was asked for.", "Interrupted: {games} matches were asked for."
        asked = language.count(one, many, plan.games, games=language.whole(plan.games))
    writings: Writings = [(chosen.resume, keep), (chosen.csv, lambda file: _write_csv(file, found.rows()))]
    if write_parquet is not None:
        writings.append((chosen.parquet, lambda file: write_parquet(file, found.rows())))
    _finish(_text(found, chosen, language, asked), context.out, writings, trouble)
    return status


def _worked(count: "Callable[[Workers], object]", workers: int, cluster: str | None) -> tuple[int, Refused | None]:
    """Run ``count`` with workers. Returns the exit status, and the refusal if a worker died.

    The status is ``INTERRUPTED`` after Ctrl-C, otherwise 0.
    """
    from pubdice_lab.workers import started  # noqa: PLC0415

    try:
        with started(workers, cluster=cluster) as here:
            count(here)
    except KeyboardInterrupt:
        return INTERRUPTED, None
    except Refused as refused:
        if refused.code != "worker-died":
            raise
        return 0, refused
    return 0, None


def _text(found: Any, chosen: Any, language: Language, interrupted: str) -> str:
    """Return a result as JSON or in sentences. The sentences include ``interrupted``, the sentence on an
    interruption.
    """
    lines = [json.dumps(found.to_dict())] if chosen.json else found.sentences(language)
    return "\n".join([*lines, *([interrupted] if interrupted and not chosen.json else [])]) + "\n"


def _players(chosen: Any, kit: Kit) -> dict[str, tuple[str, ...] | None]:
    """Return the players that the command line names. Raises BadNotation and Refused.

    If it names only programs, all bots of the game play too.
    """
    bots = kit.bots if chosen.bots is None and chosen.program else ()
    named: list[tuple[str, tuple[str, ...] | None]] = [(name, None) for name in bots]
    if chosen.bots is not None:
        named += [(kit.read_bot(each) if each.strip() else "", None) for each in chosen.bots.split(",")]
    for text in chosen.program:
        name, _, command = text.partition("=")
        try:
            words = tuple(shlex.split(command))
        except ValueError:  # the command has an unbalanced quotation mark
            words = ()
        if not words:
            raise Refused("player-program", found=text)
        if shutil.which(words[0]) is None:
            raise Refused("no-program", found=words[0])
        named.append((read_name(name), words))
    for number, (name, _) in enumerate(named):
        if name.casefold() in [other.casefold() for other, _ in named[:number]]:
            raise BadNotation("name-twice", found=name)
    return dict(named)


def _terminated(*_: object) -> None:
    raise SystemExit(128 + signal.SIGTERM)


def _arena_held(chosen: Any, context: CommandContext, progress: ProgressBar) -> int:
    # numpy loads here, so --help is quick
    from pubdice_lab.arena import MOST_MATCHES, MOST_SECONDS, SEATS, ArenaShares, Forfeit, concluded, hold, planned  # noqa: PLC0415
    from pubdice_lab.counting import SimulationPlan  # noqa: PLC0415
    from pubdice_lab.workers import MOST_WORKERS  # noqa: PLC0415

    language, games = context.language, context.games
    kit = kit_named(chosen.game, games, language)
    number = read_number("games", chosen.games, 1, MOST_MATCHES)
    workers = read_number("workers", chosen.workers, 1, MOST_WORKERS)
    seed, header = seed_of(chosen.seed) or context.new_seed(), _header(chosen, kit, games, language)
    players = _players(chosen, kit)
    try:
        seconds = float(chosen.time)
    except ValueError:
        raise Refused("player-seconds", found=chosen.time, most=MOST_SECONDS) from None
    plan = planned(SimulationPlan(kit.name, SEATS, number, seed, header), players, seconds)
    plan.check(workers)
    _look_at_places(chosen.csv, chosen.svg)
    found, gone = ArenaShares(), list[Forfeit]()
    before = signal.signal(signal.SIGTERM, _terminated)  # so the programs of players are killed too
    try:
        status, trouble = _worked(lambda here: hold(plan, here, found, gone, progress), workers, chosen.cluster)
    finally:
        signal.signal(signal.SIGTERM, before)
    progress.clear()
    come, cut = concluded(plan, found, gone), ""
    if status == INTERRUPTED:
        done, of = (language.whole(each) for each in (len(come.orders) // 2, come.pairs))
        cut = language.say("Interrupted: {done} of {pairs} pairs are done.", done=done, pairs=of)

    def draw(file: Path) -> None:
        file.write_text(come.svg(language), encoding="utf-8")

    writings: Writings = [(chosen.csv, lambda file: _write_csv(file, come.rows())), (chosen.svg, draw)]
    _finish(_text(come, chosen, language, cut), context.out, writings, trouble)
    return status or (OTHER if come.out else 0)


TableRows = list[dict[str, Any]]
Writings = list[tuple[Path | None, Callable[[Path], None]]]
"""Files, each with the function that writes it. The file is None if it was not asked for."""


def _look_at_places(*files: Path | None) -> None:
    """Check the output files before the work begins. Raises Refused if a folder is missing, or a file is named
    twice.
    """
    named = [file for file in files if file]
    for number, file in enumerate(named):
        if not file.parent.is_dir():
            raise Refused("not-written", file=str(file), why=os.strerror(ENOENT))
        if file.resolve() in [other.resolve() for other in named[:number]]:
            raise Refused("file-twice", file=str(file))


def _finish(told: str, out: TextIO, writings: Writings, trouble: Refused | None) -> None:
    """Write the files, and then print the text. Raises the first error at the end.

    ``trouble`` is an earlier error, or None.
    """
    for file, write in writings:  # the files come first, because printing may fail
        try:
            if file:
                _written(file, write)
        except Refused as refused:
            trouble = trouble or refused
    out.write(told)
    if trouble is not None:
        raise trouble


def _written(file: Path, write: Callable[[Path], None]) -> None:
    """Write a file. Raises Refused("not-written")."""
    try:
        write(file)
    except OSError as error:
        raise Refused("not-written", file=str(file), why=error.strerror or str(error)) from None


def _write_csv(file: Path, rows: TableRows) -> None:
    with file.open("w", encoding="utf-8", newline="") as to:
        writer = csv.DictWriter(to, list(rows[0] if rows else ()))
        writer.writeheader()
        writer.writerows(rows)


def _parquet_writer() -> Callable[[Path, TableRows], None]:
    """Return the function that writes a table in Parquet. Raises Refused("no-pyarrow"), before the work begins."""
    try:
        from pyarrow import Table, parquet  # noqa: PLC0415  heavy, and an extra
    except ModuleNotFoundError:
        raise Refused("no-pyarrow") from None
    return lambda file, rows: parquet.write_table(Table.from_pylist(rows), file)
