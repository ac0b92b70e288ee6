"""The jobs of a worker process: answers about positions and matches. ``answers`` calls them.

A job's first argument is the folder of solutions. The other arguments identify its answer. A job that returns None has
done one part, and the caller asks again. The worker keeps the solvers that it has made.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

from pubdice.advice.analysis import AnalysisJob
from pubdice.advice.coach import Coach
from pubdice.advice.daily import DayQuestion, find, header_of
from pubdice.advice.drill import drill_question
from pubdice.advice.explained_day import ExplainedDay, explain_day
from pubdice.advice.figures import BestPlayFigure, answer_of, figure
from pubdice.advice.ledger import Ledger, writing_ledger
from pubdice.advice.lesson import Lesson, lesson
from pubdice.advice.losses import MatchLosses, weighing_losses
from pubdice.advice.questions import question
from pubdice.advice.ranking import Ranking, at_decision, by_flags
from pubdice.advice.receipt import build_highlights, build_receipt
from pubdice.advice.receipt_parts import Highlights, Receipt
from pubdice.advice.rule_prices import PricedPart, price_part
from pubdice.advice.rule_variants import FAIR, NOW, PricedRules, Worth, compared, worth
from pubdice.advice.seat_chances import SeatChances, chances
from pubdice.advice.turning import TurningPoint
from pubdice.advice.turning import find_turning_point as turning_point_in
from pubdice.checked_record import Checked, kit_of, read_checked
from pubdice.core.errors import BadNotation, IllegalAction, Unsolved
from pubdice.failures import no_solution
from pubdice.games import GAMES
from pubdice.kit import SOLVE, Kit
from pubdice.match.header import RawHeader
from pubdice.match.match import Match, MatchState
from pubdice.match.notation import parse
from pubdice.server.processes import PART_S, part_over
from pubdice.solve.acceleration import numpy_there
from pubdice.solve.choose import refused_seats
from pubdice.solve.pauses import ResumableJob, ShouldYield
from pubdice.solve.solver import Solver
from pubdice.solve.without_numpy import pure_python
from pubdice.text.catalogues import language
from pubdice.text.language import Language

T = TypeVar("T")

FLAG = re.compile("--([a-z]+(?:-[a-z]+)*)")
_MOST_SOLVERS = 6
"""The most solvers kept in memory (LRU)."""
PROCESS_PART_S = 0.25
"""The time for one part of an answer. Then other questions have a turn. Without numpy it is ``PART_S``, as moves may
wait for it.
"""
_MOST_WEIGHED = 4
"""The most analysed matches that are kept. The same match in another language needs no new analysis."""


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The reason why a question has no answer: a code and a sentence."""

    code: str
    why: str


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """The record of a finished match, identified by its place: a table's code and the number of its last event.

    ``text`` is the record. ``without`` has the seats to leave out. Only the place counts for equality, and so for the
    cache.
    """

    place: tuple[str, int]
    text: str = field(default="", compare=False)
    without: frozenset[int] = field(default=frozenset(), compare=False)


QUOTED = '"{label}"'
"""The form of a field's label within a sentence."""
RankingAnswer = Ranking | NoAnswer
"""A ranking, or the reason why there is none."""
DayAnswer = ExplainedDay | NoAnswer
"""A day's position with its answer, or the reason why there is none."""
FigureAnswer = BestPlayFigure | NoAnswer
"""A figure, or the reason why there is none."""
HeaderRules = tuple[tuple[str, str], ...]
"""A match's rules as pairs of names and values, as in a record's header. The names of the seats do not matter."""


def rank_position(cache: Path | None, game: str, given: tuple[tuple[str, str], ...], code: str) -> RankingAnswer:
    """Return the ranking of a position given as flags."""
    tongue = language(code)
    kit = replace(_with_cache(game, cache), solver=lambda match: _match_solver(game, match, cache))
    found = _attempt(code, kit, lambda: by_flags(kit, tongue, dict(given)))
    return replace(found, why=by_labels(kit, found.why, tongue)) if isinstance(found, NoAnswer) else found


def by_labels(kit: Kit, text: str, tongue: Language) -> str:
    """Replace the flags in a sentence by the labels of the form's fields. The page shows the form, not the flags."""
    asked = question(kit, "advise")
    labels = {flag.name: tongue.say(flag.label) for flag in asked.flags if flag.label} if asked else {}
    return FLAG.sub(lambda found: tongue.say(QUOTED, label=labels[found[1]]) if found[1] in labels else found[0], text)


def rank_decision(cache: Path | None, text: str, number: int | None, code: str) -> RankingAnswer:
    """Return the ranking at decision ``number`` of a record, counted from 1. None: at the record's end."""

    def ranked() -> Ranking:
        checked = read_checked(text, GAMES, language(code))
        return at_decision(checked, lambda: _coach(checked.kit, checked.match, cache).solver, number, language(code))

    return _attempt(code, _kit_in(text), ranked)


def teach(cache: Path | None, rules: HeaderRules, state: MatchState[Any], code: str) -> Lesson | NoAnswer:
    """Return the lesson (the coach's advice in words) at a decision of a match under way."""
    return _coached(rules, code, cache, lambda coach, kit: lesson(coach, kit.words, language(code), state))


def tell_chances(
    cache: Path | None, rules: HeaderRules, states: tuple[MatchState[Any], ...], code: str
) -> SeatChances | NoAnswer:
    """Return every seat's chances in each of these states of a match. Without states, return the chances at the match's
    start.
    """

    def seat_chances(coach: Coach, kit: Kit) -> SeatChances:
        return chances(coach, kit.words, language(code), states or (coach.match.start(),))

    return _coached(rules, code, cache, seat_chances)


def check_solvable(cache: Path | None, rules: HeaderRules, code: str) -> NoAnswer | bool:
    """Return True if a match of these rules can be solved. Otherwise return the reason why it can't."""
    return _coached(rules, code, cache, lambda coach, _: bool(len(coach.solver.values(coach.match.start()))))


def refused_at_once(kit: Kit, match: Match[Any, Any], code: str) -> NoAnswer | None:
    """Return the reason why a match can't be solved, if its game and seats alone decide that. None otherwise.

    This is not a job, because it takes no time.
    """
    most = kit.most_solved.get(match.format.kind.name, match.seats)
    refused = refused_seats(match) if kit.solver is SOLVE else None
    if kit.solver is None:
        refused = Unsolved("no-solver", title=kit.words.title)
    elif match.seats > most:
        refused = Unsolved("too-many-seats", title=kit.words.title, seats=match.seats, most=most)
    return None if refused is None else NoAnswer(refused.code, no_solution(language(code), refused, kit.words))


def _coached(rules: HeaderRules, code: str, cache: Path | None, work: Callable[[Coach, Kit], T]) -> T | NoAnswer:
    fields = dict(rules)
    kit = GAMES[fields["game"]]
    return _attempt(code, kit, lambda: work(_coach(kit, kit.match(kit.normalize(RawHeader(fields))), cache), kit))


def rank_day(cache: Path | None, games: tuple[str, ...], day: int, code: str) -> DayAnswer:
    """Return the position of Last orders on a day, among these games, with its text and its ranking."""
    return _attempt(code, None, lambda: _explained(_question(games, day, cache), code, cache))


def rank_drill(  # noqa: PLR0917 - a worker takes no keywords
    cache: Path | None, game: str, number: int, code: str, options: HeaderRules = (), day: str = ""
) -> DayAnswer:
    """Return a position of a game's drill, by its number, with its text and its ranking.

    ``options`` has the options that differ from the usual. ``day`` is the date, for a day's position at this one game.
    """
    return _attempt(code, GAMES[game], lambda: _explained(_drilled(game, number, options, day, cache), code, cache))


def _explained(question: DayQuestion, code: str, cache: Path | None) -> ExplainedDay:
    checked = read_checked(question.record, GAMES, language(code))
    return explain_day(question, checked, lambda: _coach(checked.kit, checked.match, cache).solver, language(code))


def best_play_figure(cache: Path | None, game: str, name: str, code: str, options: HeaderRules = ()) -> FigureAnswer:
    """Return a figure of a game's best play. ``options`` has the options that differ from the usual.

    Without numpy and without options, it is a figure that was made in advance.
    """
    kit = _with_cache(game, cache).with_usual(dict(options))

    def made() -> BestPlayFigure:
        if not options and not numpy_there() and (kept := pure_python().figure(game, name, code)) is not None:
            found: BestPlayFigure = kept
            return found
        # A card's numbers need arrays. Without them, prices of the usual rules take 22 s in one go, and one guest's
        # request would stop a phone's house.
        if not numpy_there() and (name == "card" or (name == "prices" and not options)):
            raise Unsolved("needs-house", title=kit.words.title)
        solve = _solver_of(cache)
        if options:
            _check_solved(kit, cache)
        made = figure(kit, name, language(code), solve, lambda kit, *given: _asked(kit.name, *given, options, cache))
        flags = "".join([f" --{key} {choice.replace(' ', ',')}" for key, choice in options])
        return made if name == "first-rolls" else replace(made, command=made.command + flags)

    return _attempt(code, kit, made)


@lru_cache(maxsize=512)
def _asked(game: str, name: str, given: tuple[tuple[str, str], ...], options: HeaderRules, cache: Path | None) -> Any:
    """Return a command's answer, the same in every language. The figures of all games need about 250 such answers."""
    return answer_of(_with_cache(game, cache).with_usual(dict(options)), name, given)


def _check_solved(kit: Kit, cache: Path | None) -> None:
    """Raise Unsolved if a kit's usual match, with the kit's options, can't be solved."""
    _match_solver(kit.name, kit.match(header_of(kit)), cache)


@lru_cache(maxsize=64)
def _question(games: tuple[str, ...], day: int, cache: Path | None) -> DayQuestion:
    """Return a day's position, the same in every language."""
    return find({name: GAMES[name] for name in games}, day, _solver_of(cache))


@lru_cache(maxsize=128)
def _drilled(game: str, number: int, options: HeaderRules, day: str, cache: Path | None) -> DayQuestion:
    """Return a position of the drill, or a day's position at one game. It is the same in every language.

    Raises Unsolved.
    """
    kit = GAMES[game].with_usual(dict(options))
    if options:
        _check_solved(kit, cache)
    return drill_question(kit, number, _solver_of(cache), day)


def _solver_of(cache: Path | None) -> Callable[[Kit, Match[Any, Any]], Solver]:
    """Return a function that makes the solver of a match. Matches have no names, so equal ones share a solver."""
    return lambda kit, match: _match_solver(kit.name, match, cache)


def price_rules(cache: Path | None, game: str, rules: HeaderRules, part: str, code: str) -> PricedPart | None:
    """Return a part of the prices of a match's rules. Each call works out one match."""
    priced = _priced(game, rules, part, cache)
    return price_part(GAMES[game], part, dict(rules), priced, language(code)) if priced.go_on() else None


@lru_cache(maxsize=16)
def _priced(game: str, rules: tuple[tuple[str, str], ...], part: str, cache: Path | None) -> PricedRules:
    now = dict(rules)
    others = [match for match in compared(GAMES[game], now, part) if part not in (NOW, FAIR) or match != now]
    return PricedRules([now, *others], lambda match: _worth(game, tuple(match.items()), cache), [])


@lru_cache(maxsize=2048)
def _worth(game: str, rules: tuple[tuple[str, str], ...], cache: Path | None) -> Worth:
    """Return the worth of a match (the output of ``odds --json``). The parts of a page, and pages of similar matches,
    share it.
    """
    return worth(_with_cache(game, cache), dict(rules))


def write_receipt(
    cache: Path | None, match: MatchRecord, code: str, you: int | None = None
) -> Receipt | NoAnswer | None:
    """Return the receipt of a match. ``you`` is the reader's seat, or None."""

    def written() -> Receipt | None:
        weighed = _weighing(match.text, cache).go_on(process_part())
        return None if weighed is None else build_receipt(weighed, language(code), you)

    return _attempt(code, _kit_in(match.text), written)


def find_highlights(
    cache: Path | None, match: MatchRecord, code: str, you: int | None = None
) -> Highlights | NoAnswer | None:
    """Return the costliest keep and the luckiest roll of a match. ``you`` is the reader's seat, or None."""

    def found() -> Highlights | None:
        weighed = _weighing(match.text, cache).reviewed(process_part())
        return None if weighed is None else build_highlights(weighed, language(code), you)

    return _attempt(code, _kit_in(match.text), found)


def find_turning_point(cache: Path | None, match: MatchRecord, code: str) -> TurningPoint | NoAnswer | None:
    """Return the turning point of a match, the same for all readers of a language."""

    def found() -> TurningPoint | None:
        weighed = _weighing(match.text, cache).reviewed(process_part())
        return None if weighed is None else turning_point_in(weighed, language(code))

    return _attempt(code, _kit_in(match.text), found)


@lru_cache(maxsize=_MOST_WEIGHED)
def _weighing(text: str, cache: Path | None) -> AnalysisJob:
    return AnalysisJob(*_read(text, cache))


def weigh_losses(cache: Path | None, match: MatchRecord) -> MatchLosses | NoAnswer | None:
    """Return the losses of a match's seats, except the ones in ``without``. A NoAnswer is in English."""
    work = partial(_losses, match.text, match.without, cache)
    return _attempt("en", _kit_in(match.text), lambda: work().go_on(process_part()))


@lru_cache(maxsize=2)
def _losses(text: str, but: frozenset[int], cache: Path | None) -> ResumableJob[MatchLosses]:
    return ResumableJob(weighing_losses(*_read(text, cache), but))


def write_ledger(cache: Path | None, match: MatchRecord) -> Ledger | NoAnswer | None:
    """Return the ledger of a match: the figures of each seat's play. A NoAnswer is in English."""
    return _attempt("en", _kit_in(match.text), lambda: _ledger(match.text, cache).go_on(process_part()))


@lru_cache(maxsize=2)
def _ledger(text: str, cache: Path | None) -> ResumableJob[Ledger]:
    return ResumableJob(writing_ledger(*_read(text, cache)))


def _read(text: str, cache: Path | None) -> tuple[Checked, Coach]:
    checked = read_checked(text, GAMES, language("en"))
    return checked, _coach(checked.kit, checked.match, cache)


def process_part() -> ShouldYield:
    """Return a function that returns True once the part that begins now has taken long enough."""
    return part_over(PROCESS_PART_S if numpy_there() else PART_S)


def _kit_in(text: str) -> Kit | None:
    """Return the kit of a record's game, for the wording of refusals. None if the text names no game."""
    try:
        return kit_of(parse(text).header, GAMES)
    except BadNotation:
        return None


def _attempt(code: str, kit: Kit | None, work: Callable[[], T]) -> T | NoAnswer:
    """Return the result of some work. If the work is refused, return the reason in the game's words."""
    try:
        return work()
    except (BadNotation, IllegalAction, Unsolved, MemoryError) as error:
        why = no_solution(language(code), error, kit.words if kit else None)
        return NoAnswer("too-large" if isinstance(error, MemoryError) else error.code, why)


def _coach(kit: Kit, match: Match[Any, Any], cache: Path | None) -> Coach:
    return Coach(_match_solver(kit.name, match, cache), match)


@lru_cache(maxsize=16)
def _with_cache(game: str, cache: Path | None) -> Kit:
    return GAMES[game].with_cache(cache)


@lru_cache(maxsize=_MOST_SOLVERS)
def _match_solver(game: str, match: Match[Any, Any], cache: Path | None) -> Solver:
    kit = _with_cache(game, cache)
    if kit.solver is None:
        raise Unsolved("no-solver", title=kit.words.title)
    return kit.solver(match)
