"""Rankings, lessons, chances, receipts and ledgers, worked out in a worker process that keeps its solvers."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from pubdice.advice.chances_told import SeatChances, chances
from pubdice.advice.coach import Coach
from pubdice.advice.daily import DayQuestion, find, header_of
from pubdice.advice.daily_told import ToldDay, read_question, told_day
from pubdice.advice.figures import BestPlayFigure, data_of, figure
from pubdice.advice.ledger import Ledger, LedgerWriter
from pubdice.advice.lesson import Lesson, lesson
from pubdice.advice.losses import MatchLosses, match_losses
from pubdice.advice.questions.house_questions import question
from pubdice.advice.questions.ranking import Ranking, at_decision, by_flags
from pubdice.advice.questions.rule_prices import FAIR, NOW, PricedRules, Worth, compared, worth
from pubdice.advice.receipt_parts import Highlights, Receipt, highlights
from pubdice.advice.receipt_told import Weighing, told
from pubdice.advice.rule_prices_told import PricedPart, told_part
from pubdice.core.errors import BadNotation, Failure, IllegalAction, Unsolved
from pubdice.failures import no_solution
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.match.match import Match, MatchState
from pubdice.match.notation import Header, RawHeader, parse
from pubdice.records import kit_of, read_checked
from pubdice.room.setup import placeholders
from pubdice.solve.solver import Solver
from pubdice.text.catalogues import language
from pubdice.text.language import Language

T = TypeVar("T")

FLAG = re.compile("--([a-z]+(?:-[a-z]+)*)")
_MOST_SOLVERS = 6
"""Solvers kept in memory, the latest used."""
RECEIPT_PART = 500
"""Decisions in replays until another question has its turn: 0.1 to 0.3 s."""
_MOST_WEIGHED = 4
"""Matches weighed that are kept, so that another language costs nothing more."""


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Why a question has no answer: a code and a sentence."""

    code: str
    why: str


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
        return by_flags(_with_cache(game, cache), language(code), dict(given))
    except (BadNotation, Unsolved, MemoryError) as error:
        refusal = _refusal(error, kit, code)
        return replace(refusal, why=by_labels(kit, refusal.why, language(code)))


def by_labels(kit: Kit, text: str, tongue: Language) -> str:
    """A sentence about flags as it is said beside a form: with the fields' labels in place of the flags."""
    asked = question(kit, "advise")
    labels = {flag.name: tongue.say(flag.label) for flag in asked.flags if flag.label} if asked else {}
    return FLAG.sub(lambda found: f'"{labels[found[1]]}"' if found[1] in labels else found[0], text)


def rank_decision(text: str, number: int | None, code: str, cache: Path | None) -> Answer:
    """The ranking at a record's decision, in the worker."""
    tongue, kit = language(code), None
    try:
        checked = read_checked(text, GAMES, tongue)
        kit = checked.kit
        rules = _nameless(checked.header)
        return at_decision(checked, lambda: _solver(rules, cache), number, tongue)
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
        header = kit.normalize(RawHeader(fields))
        return tell(Coach(_solver(tuple(header.fields.items()), cache), kit.match(header)), kit, tongue)
    except (Unsolved, MemoryError) as error:
        return _refusal(error, kit, code)


def rank_day(games: tuple[str, ...], day: int, code: str, cache: Path | None) -> DayAnswer:
    """A day's position of Last orders among these games, told and ranked, in the worker."""
    tongue = language(code)
    try:
        question = _question(games, day, cache)
        checked = read_question(question, GAMES, tongue)
        rules = tuple(checked.header.fields.items())
        return told_day(question, checked, lambda: _solver(rules, cache), tongue)
    except (Unsolved, MemoryError) as error:
        return _refusal(error, None, code)


def best_play_figure(game: str, name: str, code: str, cache: Path | None) -> FigureAnswer:
    """A figure of a game's best play, in the worker."""
    kit = _with_cache(game, cache)
    try:
        return figure(
            kit,
            name,
            language(code),
            _usual_solver(cache),
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
    return find({name: GAMES[name] for name in games}, day, _usual_solver(cache))


def _usual_solver(cache: Path | None) -> Callable[[Kit, Match[Any, Any]], Solver]:
    """What makes the solver of a game's usual match."""
    return lambda kit, match: _solver(tuple(header_of(kit).fields.items()), cache)


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
        weighed = _weighing(text, cache).go_on(RECEIPT_PART)
        return None if weighed is None else told(weighed, tongue)
    except (BadNotation, IllegalAction, Unsolved, MemoryError) as error:
        return _refusal(error, kit, code)


def find_highlights(text: str, code: str, cache: Path | None) -> Highlights | NoAnswer:
    """The dearest keep and the luckiest roll of the match in a record that is over, in the worker."""
    tongue, kit = language(code), None
    try:
        kit = kit_of(parse(text), GAMES)
        return highlights(told(_weighing(text, cache).at_once(), tongue))
    except (BadNotation, IllegalAction, Unsolved, MemoryError) as error:
        return _refusal(error, kit, code)


@lru_cache(maxsize=_MOST_WEIGHED)
def _weighing(text: str, cache: Path | None) -> Weighing:
    checked = read_checked(text, GAMES, language("en"))
    return Weighing(checked, Coach(_solver(_nameless(checked.header), cache), checked.match))


def weigh_losses(text: str, but: frozenset[int], cache: Path | None) -> MatchLosses | NoAnswer:
    """What the seats of the match in a record lost, but for these, in the worker; if not, why in English."""
    kit = None
    try:
        checked = read_checked(text, GAMES, language("en"))
        kit = checked.kit
        return match_losses(checked, Coach(_solver(_nameless(checked.header), cache), checked.match), but)
    except (BadNotation, IllegalAction, Unsolved, MemoryError) as error:
        return _refusal(error, kit, "en")


def check_solvable(rules: tuple[tuple[str, str], ...], code: str, cache: Path | None) -> NoAnswer | bool:
    """True if a match of these rules can be solved, in the worker; or why not."""
    header = Header(dict(rules))
    kit = GAMES[header.fields["game"]]
    try:
        _solver(_nameless(header), cache).values(kit.match(header).start())
    except (BadNotation, Unsolved, MemoryError) as error:
        return _refusal(error, kit, code)
    return True


def _nameless(header: Header) -> tuple[tuple[str, str], ...]:
    """The rules of a match with names that all matches have, so that they share a solver."""
    names = placeholders(len(header.names))
    first = header.fields["first"]
    fields = {**header.fields, "seats": ", ".join(names)}
    if first != "draw":
        fields["first"] = names[header.names.index(first)]
    return tuple(fields.items())


def write_ledger(text: str, cache: Path | None) -> Ledger | NoAnswer | None:
    """The ledger of the match in a record that is over, in the worker; None: one part is done, ask for the next."""
    try:
        return _ledger_writer(text, cache).go_on()
    except (BadNotation, IllegalAction, Unsolved, MemoryError) as error:
        return _refusal(error, None, "en")


@lru_cache(maxsize=2)
def _ledger_writer(text: str, cache: Path | None) -> LedgerWriter:
    checked = read_checked(text, GAMES, language("en"))
    return LedgerWriter(checked, Coach(_solver(_nameless(checked.header), cache), checked.match))


def _refusal(error: Failure | MemoryError, kit: Kit | None, code: str) -> NoAnswer:
    why = no_solution(language(code), error, kit.words if kit else None)
    return NoAnswer("too-large" if isinstance(error, MemoryError) else error.code, why)


@lru_cache(maxsize=16)
def _with_cache(game: str, cache: Path | None) -> Kit:
    return GAMES[game].with_cache(cache)


@lru_cache(maxsize=_MOST_SOLVERS)
def _solver(rules: tuple[tuple[str, str], ...], cache: Path | None) -> Solver:
    fields = dict(rules)
    kit = _with_cache(fields["game"], cache)
    if kit.solver is None:
        raise Unsolved("no-solver", title=kit.words.title)
    return kit.solver(kit.match(Header(fields)))
