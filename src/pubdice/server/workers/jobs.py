"""What is worked out in worker processes: answers about positions, bots' choices, and the replay of long logs.

A function here runs in a worker, which keeps the solvers it has made. ``BotProcess`` and ``ReplayProcess`` are the
house's ends of two of them; ``answers`` is that of the third.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from stat import S_ISREG
from time import perf_counter
from typing import Any, TypeVar

from pubdice.advice.bots import Perfect
from pubdice.advice.coach import Coach
from pubdice.advice.daily import DayQuestion, ToldDay, drill_question, find, read_question, told_day
from pubdice.advice.figures import BestPlayFigure, data_of, figure, kept_figure
from pubdice.advice.losses import Lesson, MatchLosses, SeatChances, chances, lesson, weighing_losses
from pubdice.advice.questions import question
from pubdice.advice.ranking import Ranking, at_decision, by_flags
from pubdice.advice.rating import Ledger, LedgerWriter
from pubdice.advice.receipt import Highlights, Receipt, Weighing, highlights, told
from pubdice.advice.rule_prices import FAIR, NOW, PricedPart, PricedRules, Worth, compared, told_part, worth
from pubdice.core.errors import BadNotation, Failure, IllegalAction, NotStored, Unsolved
from pubdice.failures import no_solution
from pubdice.games import GAMES
from pubdice.kit import PERFECT, Kit, kit_of, read_checked
from pubdice.match.match import Match, MatchState
from pubdice.match.notation import Header, RawHeader, parse
from pubdice.match.table import Table
from pubdice.room import Room, read_setup
from pubdice.server.replay import LINES_KEPT, Loaded, ReplayedSoFar, lines_of, replay, write_record
from pubdice.server.workers.processes import PART_S, FairLock, Worker, WorkerProcess, part_over
from pubdice.solve.acceleration import numpy_there
from pubdice.solve.pauses import Enough, InParts
from pubdice.solve.solver import Solver
from pubdice.store.house_store import HouseReads
from pubdice.text.catalogues import language
from pubdice.text.language import Language

T = TypeVar("T")

FLAG = re.compile("--([a-z]+(?:-[a-z]+)*)")
_MOST_SOLVERS = 6
"""Solvers kept in memory, the latest used."""
PROCESS_PART_S = 0.25
"""How long a part of an answer takes until another question has its turn; less where moves wait for it (``PART_S``)."""
_MOST_WEIGHED = 4
"""Matches weighed that are kept, so that another language costs nothing more."""


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Why a question has no answer: a code and a sentence."""

    code: str
    why: str


TAKE_NUMPY = ("card", "claims")
"""Figures whose numbers are found with arrays."""
QUOTED = '"{label}"'
"""A field's label within a sentence."""
Answer = Ranking | NoAnswer
DayAnswer = ToldDay | NoAnswer
"""A day's position with its answer; or why it has none."""
FigureAnswer = BestPlayFigure | NoAnswer
"""A figure; or why it could not be worked out."""
HeaderRules = tuple[tuple[str, str], ...]
"""A match's rules as a record's header has them, with any names for its seats."""


def rank_position(game: str, given: tuple[tuple[str, str], ...], code: str, cache: Path | None) -> Answer:
    """The ranking of a position that flags describe, in the worker."""
    kit = GAMES[game]
    try:
        return by_flags(
            _with_cache(game, cache), language(code), dict(given), lambda match: _match_solver(game, match, cache)
        )
    except (BadNotation, Unsolved, MemoryError) as error:
        refusal = _refusal(error, kit, code)
        return replace(refusal, why=by_labels(kit, refusal.why, language(code)))


def by_labels(kit: Kit, text: str, tongue: Language) -> str:
    """A sentence about flags as it is said beside a form: with the fields' labels in place of the flags."""
    asked = question(kit, "advise")
    labels = {flag.name: tongue.say(flag.label) for flag in asked.flags if flag.label} if asked else {}
    return FLAG.sub(lambda found: tongue.say(QUOTED, label=labels[found[1]]) if found[1] in labels else found[0], text)


def rank_decision(text: str, number: int | None, code: str, cache: Path | None) -> Answer:
    """The ranking at a record's decision, in the worker."""
    tongue, kit = language(code), None
    try:
        checked = read_checked(text, GAMES, tongue)
        kit = checked.kit
        solve = _solver_of(cache)
        return at_decision(checked, lambda: solve(checked.kit, checked.match), number, tongue)
    except (BadNotation, IllegalAction, Unsolved, MemoryError) as error:
        return _refusal(error, kit, code)


def teach(rules: HeaderRules, state: MatchState[Any], code: str, cache: Path | None) -> Lesson | NoAnswer:
    """The lesson at a decision of a match under way, in the worker."""
    return _coached(rules, code, cache, lambda coach, kit, tongue: lesson(coach, kit.words, tongue, state))


def tell_chances(
    rules: HeaderRules, states: tuple[MatchState[Any], ...], code: str, cache: Path | None
) -> SeatChances | NoAnswer:
    """Every seat's chances in these states of a match, or at its start if there is none, in the worker."""

    def told(coach: Coach, kit: Kit, tongue: Language) -> SeatChances:
        return chances(coach, kit.words, tongue, states or (coach.match.start(),))

    return _coached(rules, code, cache, told)


def _coached(
    rules: HeaderRules, code: str, cache: Path | None, tell: Callable[[Coach, Kit, Language], T]
) -> T | NoAnswer:
    """What there is to tell with a coach for a match of these rules; or why there is nothing."""
    fields, tongue = dict(rules), language(code)
    kit = GAMES[fields["game"]]
    try:
        match = kit.match(kit.normalize(RawHeader(fields)))
        return tell(Coach(_solver_of(cache)(kit, match), match), kit, tongue)
    except (BadNotation, Unsolved, MemoryError) as error:
        return _refusal(error, kit, code)


def rank_day(games: tuple[str, ...], day: int, code: str, cache: Path | None) -> DayAnswer:
    """A day's position of Last orders among these games, told and ranked, in the worker."""
    tongue = language(code)
    try:
        question = _question(games, day, cache)
        checked = read_question(question, GAMES, tongue)
        solve = _solver_of(cache)
        return told_day(question, checked, lambda: solve(checked.kit, checked.match), tongue)
    except (Unsolved, MemoryError) as error:
        return _refusal(error, None, code)


def rank_drill(game: str, number: int, code: str, cache: Path | None) -> DayAnswer:
    """A position of a game's drill, told and ranked, in the worker."""
    tongue, kit, solve = language(code), GAMES[game], _solver_of(cache)
    try:
        question = _drilled(game, number, cache)
        checked = read_question(question, GAMES, tongue)
        return told_day(question, checked, lambda: solve(checked.kit, checked.match), tongue)
    except (Unsolved, MemoryError) as error:
        return _refusal(error, kit, code)


def best_play_figure(game: str, name: str, code: str, cache: Path | None) -> FigureAnswer:
    """A figure of a game's best play, in the worker; without numpy one that was made before."""
    kit = _with_cache(game, cache)
    if not numpy_there() and (found := kept_figure(game, name, code, cache)) is not None:
        return found
    try:
        if not numpy_there() and name in TAKE_NUMPY:
            raise Unsolved("needs-house", title=kit.words.title)
        return figure(
            kit,
            name,
            language(code),
            _solver_of(cache),
            lambda kit, asked, given: _asked(kit.name, asked, given, cache),
        )
    except (BadNotation, Unsolved, MemoryError) as error:
        return _refusal(error, kit, code)


@lru_cache(maxsize=512)
def _asked(game: str, name: str, given: tuple[tuple[str, str], ...], cache: Path | None) -> Any:
    """What a command answers, which is the same in every language; figures of all games take about 250 of these."""
    return data_of(_with_cache(game, cache), name, given)


@lru_cache(maxsize=64)
def _question(games: tuple[str, ...], day: int, cache: Path | None) -> DayQuestion:
    """A day's position, which is the same in every language."""
    return find({name: GAMES[name] for name in games}, day, _solver_of(cache))


@lru_cache(maxsize=64)
def _drilled(game: str, number: int, cache: Path | None) -> DayQuestion:
    """A position of the drill, which is the same in every language."""
    return drill_question(GAMES[game], number, _solver_of(cache))


def _solver_of(cache: Path | None) -> Callable[[Kit, Match[Any, Any]], Solver]:
    """What makes the solver of a match. Nobody's name is in a match, so like matches share one."""
    return lambda kit, match: _match_solver(kit.name, match, cache)


def price_rules(
    game: str, rules: tuple[tuple[str, str], ...], part: str, code: str, cache: Path | None
) -> PricedPart | None:
    """A part of the prices of a match's rules, in the worker; None: one match is worked out, ask for the next."""
    priced = _priced(game, rules, part, cache)
    if not priced.go_on():
        return None
    return told_part(GAMES[game], part, dict(rules), priced, language(code))


@lru_cache(maxsize=16)
def _priced(game: str, rules: tuple[tuple[str, str], ...], part: str, cache: Path | None) -> PricedRules:
    now = dict(rules)
    others = [match for match in compared(GAMES[game], now, part) if part not in (NOW, FAIR) or match != now]
    return PricedRules([now, *others], lambda match: _worth(game, tuple(match.items()), cache), [])


@lru_cache(maxsize=2048)
def _worth(game: str, rules: tuple[tuple[str, str], ...], cache: Path | None) -> Worth:
    """What a match is worth, which parts of one page and pages of like matches share."""
    return worth(_with_cache(game, cache), dict(rules))


def write_receipt(text: str, code: str, cache: Path | None) -> Receipt | NoAnswer | None:
    """The receipt of the match in a record that is over, in the worker; None: one part is done, ask for the next."""
    tongue, kit = language(code), None
    try:
        kit = kit_of(parse(text), GAMES)
        weighed = _weighing(text, cache).go_on(_part())
        return None if weighed is None else told(weighed, tongue)
    except (BadNotation, IllegalAction, Unsolved, MemoryError) as error:
        return _refusal(error, kit, code)


def find_highlights(text: str, code: str, cache: Path | None) -> Highlights | NoAnswer | None:
    """The dearest keep and the luckiest roll of the match in a record that is over, in the worker; None: one part is
    done, ask for the next.
    """
    tongue, kit = language(code), None
    try:
        kit = kit_of(parse(text), GAMES)
        weighed = _weighing(text, cache).reviewed(_part())
        return None if weighed is None else highlights(told(weighed, tongue))
    except (BadNotation, IllegalAction, Unsolved, MemoryError) as error:
        return _refusal(error, kit, code)


@lru_cache(maxsize=_MOST_WEIGHED)
def _weighing(text: str, cache: Path | None) -> Weighing:
    checked = read_checked(text, GAMES, language("en"))
    return Weighing(checked, Coach(_solver_of(cache)(checked.kit, checked.match), checked.match))


def weigh_losses(text: str, but: frozenset[int], cache: Path | None) -> MatchLosses | NoAnswer | None:
    """What the seats of the match in a record lost, but for these, in the worker; if not, why in English. None: one
    part is done, ask for the next.
    """
    kit = None
    try:
        kit = kit_of(parse(text), GAMES)
        return _losses(text, but, cache).go_on(_part())
    except (BadNotation, IllegalAction, Unsolved, MemoryError) as error:
        return _refusal(error, kit, "en")


@lru_cache(maxsize=2)
def _losses(text: str, but: frozenset[int], cache: Path | None) -> InParts[MatchLosses]:
    checked = read_checked(text, GAMES, language("en"))
    coach = Coach(_solver_of(cache)(checked.kit, checked.match), checked.match)
    return InParts(weighing_losses(checked, coach, but))


def _part() -> Enough:
    """Whether a part that begins now has taken long enough."""
    return part_over(PROCESS_PART_S if numpy_there() else PART_S)


def check_solvable(rules: HeaderRules, code: str, cache: Path | None) -> NoAnswer | bool:
    """True if a match of these rules can be solved, in the worker; or why not."""

    def solved(coach: Coach, kit: Kit, tongue: Language) -> bool:
        coach.solver.values(coach.match.start())
        return True

    return _coached(rules, code, cache, solved)


def write_ledger(text: str, cache: Path | None) -> Ledger | NoAnswer | None:
    """The ledger of the match in a record that is over, in the worker; None: one part is done, ask for the next."""
    try:
        return _ledger_writer(text, cache).go_on(_part())
    except (BadNotation, IllegalAction, Unsolved, MemoryError) as error:
        return _refusal(error, None, "en")


@lru_cache(maxsize=2)
def _ledger_writer(text: str, cache: Path | None) -> LedgerWriter:
    checked = read_checked(text, GAMES, language("en"))
    return LedgerWriter(checked, Coach(_solver_of(cache)(checked.kit, checked.match), checked.match))


def _refusal(error: Failure | MemoryError, kit: Kit | None, code: str) -> NoAnswer:
    why = no_solution(language(code), error, kit.words if kit else None)
    return NoAnswer("too-large" if isinstance(error, MemoryError) else error.code, why)


@lru_cache(maxsize=16)
def _with_cache(game: str, cache: Path | None) -> Kit:
    return GAMES[game].with_cache(cache)


@lru_cache(maxsize=_MOST_SOLVERS)
def _match_solver(game: str, match: Match[Any, Any], cache: Path | None) -> Solver:
    kit = _with_cache(game, cache)
    if kit.solver is None:
        raise Unsolved("no-solver", title=kit.words.title)
    return kit.solver(match)


# The processes in which bots choose, so that a solver at work delays nobody's table.
#
# A process gets a match by the fields of its record's header, with its state, and keeps the solvers it has made.


MOST_WAITING = 512
"""Decisions that wait for one process; those of tables without people half as many."""
MOST_CACHED = 256 << 20
"""Bytes of solutions on the disk; beyond that the least recently used are deleted."""
_MOST_BOT_SOLVERS = 6
"""Solvers kept in memory, the latest used."""


class BotProcess:
    """Chooses for bots, one decision at a time; the perfect bot has a process of its own, so that no other bot waits.

    Of the tables that wait, those with people come first; among them the worker is shared out by asker (``FairLock``),
    as one address may keep 60 tables busy. A table asks for one decision at a time.
    """

    def __init__(self, cache: Path | None, worker: Callable[[], Worker] = WorkerProcess) -> None:
        self._cache = cache
        self._workers = {True: worker(), False: worker()}
        self._queues = {True: WorkerQueue(), False: WorkerQueue()}

    async def choose(
        self, rules: Mapping[str, str], bot: str, match: MatchState[Any], *, people: bool = True, asker: str = ""
    ) -> Sequence[tuple[Any, int]]:
        """The weighted actions of a bot at a decision. people: whether anybody plays there. asker: ``Hub.asker``.

        Raises NotStored("no-bots") if its process has died, or if too many wait; ask again.
        """
        solves = bot == PERFECT
        async with self._queues[solves].turn(asker, first=people):
            try:
                return await self._workers[solves].run(weigh, tuple(rules.items()), bot, match, self._cache)
            except BrokenExecutor:
                raise NotStored("no-bots") from None

    def close(self) -> None:
        """End both processes, even in the middle of a choice."""
        for worker in self._workers.values():
            worker.close()


class WorkerQueue:
    """The tables that wait for one worker process: a bounded queue."""

    def __init__(self) -> None:
        self._lock = FairLock()

    @asynccontextmanager
    async def turn(self, asker: str, *, first: bool) -> AsyncIterator[None]:
        """Have a turn once it comes. Raises NotStored("no-bots") if too many wait already."""
        if self._lock.waiting >= (MOST_WAITING if first else MOST_WAITING // 2):
            raise NotStored("no-bots")
        async with self._lock.turn(asker, not first):
            yield


def weigh(
    rules: tuple[tuple[str, str], ...], bot: str, state: MatchState[Any], cache: Path | None
) -> Sequence[tuple[Any, int]]:
    """The weighted actions of a bot at a decision."""
    kit, match = _match(rules)
    if bot == PERFECT:
        return [(_perfect(rules, cache).action(state), 1)]
    return kit.policies[bot](match.game, state.round)


@lru_cache(maxsize=64)
def _match(rules: tuple[tuple[str, str], ...]) -> tuple[Kit, Match[Any, Any]]:
    fields = dict(rules)
    kit = GAMES[fields["game"]]
    return kit, kit.match(kit.normalize(RawHeader(fields)))


@lru_cache(maxsize=_MOST_BOT_SOLVERS)
def _perfect(rules: tuple[tuple[str, str], ...], cache: Path | None) -> Perfect:
    kit, match = _match(rules)
    solve = kit.with_cache(cache).solver
    if solve is None:
        raise Unsolved("no-solver", title=kit.words.title)
    perfect = Perfect(solve(match))
    if cache is not None:
        forget_least_used(cache, MOST_CACHED)
    return perfect


def forget_least_used(folder: Path, most: int) -> None:
    """Delete the least recently used solutions until no more than ``most`` bytes of them are left."""
    found = []
    for file in folder.rglob("*.npz"):
        with suppress(OSError):
            status = file.stat()
            if S_ISREG(status.st_mode):
                found.append((max(status.st_atime_ns, status.st_mtime_ns), status.st_size, file))
    total = sum(size for _, size, _ in found)
    for _, size, file in sorted(found):
        if total <= most:
            return
        with suppress(OSError):
            file.unlink()
            total -= size


# A process that replays long logs, all but their end, or writes them as records, so that the house has time for
# moves.
#
# It starts with the first long log, and ends when there has been none for a while. It reads the log and returns a
# state or a record. The log stays the only truth: whatever goes wrong here, the house replays it itself.


OpenReader = Callable[[], HouseReads]

LONG = 2_000
"""A log of so many lines is long: the house would take 40 ms to replay it."""
REPLAYED_AT_ONCE, REPLAY_PART_S = 10_000, 0.25
"""Lines read at once; and how long one log has its turn, as others may be shorter."""
LEAVE_AFTER_S = 30.0
"""How long the process waits for another long log. It holds 40 MB."""


class ReplayProcess:
    """Replays long logs, one at a time; the one with the least left goes first. reader: opens them; it is pickled."""

    def __init__(self, reader: OpenReader) -> None:
        self._reader, self._stamp = reader, program_stamp()
        self._worker = WorkerProcess()
        self._lock = FairLock()
        self._leaving: asyncio.TimerHandle | None = None
        self._failed = False

    async def begin(self, table: int, lines: int) -> ReplayedSoFar | None:
        """The state near the end of a table's log, which has ``lines``; None for a short log, or if that failed."""
        if lines < LONG:
            return None
        begun: ReplayedSoFar | None = None
        while (left := lines - 1 - LINES_KEPT - (begun[0].seq if begun else 0)) > 0:
            async with self._lock.turn("", left):
                found = await self._do(replay_further, table, begun, left)
            if found is None:
                break
            begun = found
        return begun

    async def record(self, table: int, lines: int, header: Header, match: Table) -> str | None:
        """The record of a table's match, from the first ``lines`` of its log; None for a short log, or if it failed."""
        if lines < LONG:
            return None
        async with self._lock.turn("", lines):
            return await self._do(record_of, table, lines, header, match)

    async def _do(self, work: Callable[..., T | None], *arguments: object) -> T | None:
        if self._failed:
            return None
        if self._leaving is not None:
            self._leaving.cancel()
        try:
            found = await self._worker.run(work, self._reader, self._stamp, *arguments)
        except (BrokenExecutor, OSError):  # the system allows no such process: the house replays all logs itself
            self._failed = True
            self.close()
            return None
        self._leaving = asyncio.get_running_loop().call_later(LEAVE_AFTER_S, self.close)
        return found

    def close(self) -> None:
        """End the worker process, if one is running."""
        self._worker.close()


def replay_further(
    open_reader: OpenReader, stamp: object, table: int, begun: ReplayedSoFar | None, most: int
) -> ReplayedSoFar | None:
    """Replay so many lines more of a log, or as many as there is time for.

    None if that fails: the house then meets the error itself. stamp: the house's ``program_stamp``, as another version
    might have been installed since it started.
    """
    if stamp != program_stamp():
        return None
    until = perf_counter() + REPLAY_PART_S
    try:
        with closing(open_reader()) as reader:
            setup = read_setup(reader.part(table, 0, 1)[0])
            room = Room(GAMES[setup.rules["game"]], setup)
            loaded = Loaded(*begun) if begun else Loaded(room.start())
            end = loaded.state.seq + most
            while loaded.state.seq < end and (begun is None or perf_counter() < until):
                lines = reader.part(table, loaded.state.seq + 1, min(REPLAYED_AT_ONCE, end - loaded.state.seq))
                if not lines:
                    return None
                for _ in replay(room, loaded, lines):
                    pass
                begun = loaded.state, loaded.marks
            return begun
    except Exception:  # noqa: BLE001 - whatever it is, the house meets it too, and says so
        return None


def record_of(  # noqa: PLR0917 - a worker takes no keywords
    open_reader: OpenReader, stamp: object, table: int, lines: int, header: Header, match: Table
) -> str | None:
    """The record of a table's match, from the first ``lines`` of its log. None if that fails, as above."""
    if stamp != program_stamp():
        return None
    try:
        with closing(open_reader()) as reader:
            return write_record(header, match, lines_of(partial(reader.part, table), lines))
    except Exception:  # noqa: BLE001 - as above
        return None


def program_stamp() -> tuple[int, int, int]:
    """What tells one version of the program from another: how many files, their bytes, and the latest change (ns)."""
    found = [file.stat() for file in Path(__file__).parents[2].rglob("*.py")]
    return len(found), sum(status.st_size for status in found), max((status.st_mtime_ns for status in found), default=0)
