"""The losses of seats in matches, and the error band of each mean. Knows no game.

A seat's loss in a match is exact. As a measure of the player it is less so: another night would bring other decisions.
Slips are few and of very different size, most decisions lose nothing, and no loss is below 0, so the usual t interval
reaches below 0 and covers too little, and a bootstrap cannot think of a slip that was not made. The band here takes the
losses as a compound Poisson sum: slips that come by themselves, with sizes like those seen. It is the mid-p gamma
interval of M. P. Fay and S. Kim (Biometrical Journal 59, 2017; with the plain one of Fay and Feuer, 1997, it holds 99 %
and more): half of it thinks of one more slip, as dear as any choice of the night could have been: if it were as dear as
the dearest that was made, a night without slips would have no band at all. ``tests/advice/test_losses.py`` holds it
beside the other two.
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from math import exp, inf, lgamma, log, sqrt
from typing import Any

from pubdice.advice.coach import Advice, Choice, Coach
from pubdice.kit import Checked
from pubdice.match.match import Match, MatchState
from pubdice.match.narrate import turn_to_tell
from pubdice.match.record import Played
from pubdice.solve.pauses import ResumableJob, Steps
from pubdice.solve.solver import LOW_SCORE, InUnits, Solver, as_counted
from pubdice.text.game_words import GameWords
from pubdice.text.language import Language, sentence

LEVEL = 0.95
"""The share of cases in which a band holds."""


@dataclass(frozen=True, slots=True)
class SeatLosses:
    """A seat's name, and what it lost at each of its real decisions, those at which something could be lost.

    dearest: what the dearest choice at one of them would have lost; 0 without one.
    """

    name: str
    losses: tuple[float, ...]
    dearest: float

    @property
    def lost(self) -> float:
        """Its loss in the match."""
        return sum(self.losses)


@dataclass(frozen=True, slots=True)
class LossUnit:
    """The unit of losses, by the solver (``Solver.utility``, ``InUnits.amount``)."""

    utility: str
    amount: str = ""

    @classmethod
    def of(cls, text: str) -> "LossUnit":
        """The unit that a ledger names (``advice.ledger.Ledger.utility``)."""
        utility, _, amount = text.partition("|")
        return cls(utility, amount)


@dataclass(frozen=True, slots=True)
class MatchLosses:
    """Every seat's loss in a match, and the unit."""

    seats: tuple[SeatLosses, ...]
    unit: LossUnit


@dataclass(frozen=True, slots=True)
class LossBand:
    """The mean loss of a decision, and the band in which it lies with ``LEVEL``."""

    mean: float
    low: float
    high: float


def match_losses(checked: Checked, coach: Coach, but: Collection[int] = ()) -> MatchLosses:
    """The losses of the seats of a match. but: seats that are left out, such as bots'. Raises Unsolved."""
    return ResumableJob(weighing_losses(checked, coach, but)).at_once


def weighing_losses(checked: Checked, coach: Coach, but: Collection[int]) -> Steps[MatchLosses]:
    """The work of ``match_losses``, which may be left after each step."""
    lost: list[list[float]] = [[] for _ in checked.header.names]
    dearest = [0.0 for _ in checked.header.names]
    for step in checked.steps:
        yield
        mover = checked.match.mover(step.before)
        if mover is None or not isinstance(step.move, Played) or len(checked.match.legal(step.before)) == 1:
            continue
        advice = coach.advise(step.before)
        if advice.counts and mover not in but:
            lost[mover].append(advice.of(step.move.action).lost)
            dearest[mover] = max(dearest[mover], advice.choices[-1].lost)
    named = zip(checked.header.names, map(tuple, lost), dearest, strict=True)
    seats = tuple(SeatLosses(*each) for seat, each in enumerate(named) if seat not in but)
    return MatchLosses(seats, LossUnit(coach.solver.utility, getattr(coach.solver, "amount", "")))


def loss_band(losses: Sequence[float], dearest: float, most: float = inf) -> LossBand | None:
    """The band of the mean loss. dearest: the dearest slip that may have come, no less than each of these losses.

    most: what one decision can lose. None without a decision.
    """
    if not losses:
        return None
    number, total, squares = len(losses), sum(losses), sum(loss * loss for loss in losses)
    seen = GammaSpread(total * total / squares, squares / total) if total else GammaSpread()
    above, more = total + dearest, squares + dearest * dearest
    unseen = GammaSpread(above * above / more, more / above) if above else GammaSpread()
    low, high = (_between(seen, unseen, chance) for chance in ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return LossBand(total / number, low / number, min(high / number, most))


@dataclass(frozen=True, slots=True)
class GammaSpread:
    """A gamma variable; without a shape it is 0."""

    shape: float = 0.0
    scale: float = 0.0

    def below(self, value: float) -> float:
        """The chance that it is no greater."""
        return gamma_below(self.shape, value / self.scale) if self.shape else 1.0


def _between(one: GammaSpread, other: GammaSpread, chance: float) -> float:
    """The value that a variable that is one of two, each as often, lies below with this chance; to 9 digits."""

    def below(value: float) -> float:
        return (one.below(value) + other.below(value)) / 2

    if below(0.0) >= chance or not other.shape:
        return 0.0
    least, most = 0.0, other.scale * (other.shape + 12 * sqrt(other.shape) + 40)
    while most - least > 1e-9 * most:
        middle = (least + most) / 2
        least, most = (middle, most) if below(middle) < chance else (least, middle)
    return (least + most) / 2


@lru_cache(maxsize=4096)
def gamma_below(shape: float, value: float) -> float:
    """The chance that a gamma variable of scale 1 is no greater: its series, whose terms are all positive.

    >>> round(gamma_below(1, 7.377759 / 2), 6), round(gamma_below(5, 3.246973 / 2), 6)
    (0.975, 0.025)
    """
    if value <= 0:
        return 0.0
    if value > shape + 12 * sqrt(shape) + 40:  # what lies above is less than 1e-16; and exp would underflow from 745 on
        return 1.0
    term = total = exp(shape * log(value) - value - lgamma(shape + 1))
    at, last = shape, -inf
    while total != last:
        at += 1
        term *= value / at
        last, total = total, total + term
    return min(1.0, total)


# A coach's advice in sentences: amounts in the solver's unit, an action in words, and what it loses and why.


UNITS = {"chips": "{amount} chips", "score": "{amount} points", "round wins": "{amount} round wins"}
"""The words for an amount of a utility, by its first words; chances and shares are read in percent."""
UTILITIES = {
    "score": "The mean score, with best play after it.",
    LOW_SCORE: "The mean score, with best play after it.",
    "chips": "Chips, with best play after it.",
    "chips, one round at a time": "Chips in this round, with best play after it.",
    "share of the match": "The share of the match, with best play after it.",
    "round wins, one round at a time": "The share of this round, with best play after it.",
    "chance of winning": "The chance to win, with best play after it.",
    "winning": "The chance to win, with best play after it.",
    "chance of not buying": "The chance not to buy the drinks, with best play after it.",
    "not buying": "The chance not to buy the drinks, with best play after it.",
}
"""The utility of a solver, in a sentence."""
BRIEFLY = {
    "score": "score",
    LOW_SCORE: "score",
    "chips": "chips",
    "chips, one round at a time": "chips, one round at a time",
    "share of the match": "share of the match",
    "round wins, one round at a time": "round wins, one round at a time",
    "chance of winning": "chance of winning",
    "winning": "winning",
    "chance of not buying": "chance of not buying",
    "not buying": "not buying",
    "the pot, carried until somebody takes it": "the pot, carried until somebody takes it",
}
"""The same in brackets, behind a value."""
MOST_OTHERS = 3
"""Other actions read out beside the best."""


def briefly(language: Language, utility: str) -> str:
    """The name of a utility in a language; of one that no solver here has, as its solver names it."""
    return language.say(BRIEFLY[utility]) if utility in BRIEFLY else utility


class Amounts:
    """A solver's values and what is lost of them, as they are read out: in its unit, or in percent if it has none."""

    def __init__(self, language: Language, solver: Solver | LossUnit) -> None:
        self._language = language
        self._utility = solver.utility
        self._counted = solver.utility.partition(",")[0]
        self._own_unit = solver.amount if isinstance(solver, InUnits) else ""

    @property
    def are_chances(self) -> bool:
        """True if values are chances or shares, read in percent."""
        return not self._own_unit and self._counted not in UNITS

    def value(self, amount: float) -> str:
        """An amount in words: a loss, or a value that is counted as the game counts it (``as_counted``)."""
        if abs(amount) < 5e-5:
            amount = 0.0
        said = self._language.number(amount, 2)
        if self._own_unit:
            return self._language.say(self._own_unit, amount=said)
        if self._counted in UNITS:
            return self._language.say(UNITS[self._counted], amount=said)
        chance = self._language.per_cent(abs(amount))
        return chance if amount >= 0 else "-" + chance

    def worth(self, value: float) -> str:
        """A solver's value as it is said, counted as the game counts it."""
        return self.value(as_counted(self._utility, value))

    @property
    def scale(self) -> int:
        """The printed units that make 1: tenths of a percent of a chance, hundredths of anything else."""
        return 1000 if self.are_chances else 100

    def printed(self, units: int) -> str:
        """A number of printed units (``scale``), without their name: percent, or a number."""
        amount = abs(units) / self.scale
        said = self._language.per_cent(amount, 1) if self.are_chances else self._language.number(amount, 2)
        return ("−" if units < 0 else "") + said

    def change(self, amount: float) -> str:
        """More or less by so much."""
        text = "minus {amount}" if amount < -5e-5 else "plus {amount}"
        return self._language.say(text, amount=self.value(abs(amount)))


class SpokenAdvice:
    """A solver's facts on one match's decisions, in the words of a language."""

    def __init__(self, words: GameWords, match: Match[Any, Any], language: Language, solver: Solver) -> None:
        self._words, self._match, self._language, self._utility = words, match, language, solver.utility
        self.amounts = Amounts(language, solver)

    def advise(
        self, state: MatchState[Any], advice: Advice, marked: Any = None, others: int = MOST_OTHERS
    ) -> list[str]:
        """The best actions and a few others; ``marked``: the one that is marked now, told too if it loses anything."""
        say, best = self._language.say, advice.best
        utility = briefly(self._language, self._utility)
        value = self.amounts.worth(best.value)
        if len(advice.choices) == 1:
            act = self.act(state, best)
            return [say("There is only one choice, {act}: {value} ({utility}).", act=act, value=value, utility=utility)]
        if not advice.counts:
            return [say("Every choice is equally good here: {value} ({utility}).", value=value, utility=utility)]
        equals = [self.act(state, choice) for choice in advice.choices if choice.lost == 0][: 1 + others]
        acts = self._language.join(equals, "{some} or {last}")
        told = [sentence(say("{acts} is best: {value} ({utility}).", acts=acts, value=value, utility=utility))]
        worse = [choice for choice in advice.choices if choice.lost > 0]
        shown = worse[:others]
        told += [self.compared(state, choice, best) for choice in shown]
        if marked is not None and (mine := advice.of(marked)).lost > 0 and mine not in shown:
            told.append(say("What is marked: {compared}", compared=self.compared(state, mine, best)))
        return told

    def warning(self, state: MatchState[Any], choice: Choice, best: Choice) -> str:
        """The loss of a choice, and the best one."""
        told = self._language.say("{act} is best.", act=self.act(state, best))
        return f"{self.compared(state, choice, best)} {sentence(told)}"

    def act(self, state: MatchState[Any], choice: Choice) -> str:
        """An action in words."""
        return self._words.choice(self._language, self._match.game, state.round, choice.action)

    def compared(self, state: MatchState[Any], choice: Choice, best: Choice) -> str:
        """The loss of an action against the best, and its reason."""
        facts = {"act": self.act(state, choice), "lost": self.amounts.value(choice.lost)}
        told = turn_to_tell(self._match, state).round
        why = self._words.why(self._language, self._match.game, told, best.facts, choice.facts)
        said = "{act} loses {lost}: {why}." if why else "{act} loses {lost}."
        return sentence(self._language.say(said, why=why, **facts))


# A duplicate night ranked: who gave least away. Knows no game and no house.


@dataclass(frozen=True, slots=True)
class RankedSeat:
    """A seat in the ranking. rank: from 1, shared by those who lost equally much as it is printed; tied: it is shared.

    table: where it was, from 0, in the order of the tables given. lost: as it is printed. band: None without a real
    decision.
    """

    rank: int
    tied: bool
    table: int
    seat: SeatLosses
    lost: float
    band: LossBand | None


@dataclass(frozen=True, slots=True)
class NightRanking:
    """The ranking, best first. unit: of what was lost; None without a table."""

    rows: tuple[RankedSeat, ...] = ()
    unit: LossUnit | None = None

    @property
    def longest(self) -> float:
        """The end of the longest band."""
        return max((row.band.high for row in self.rows if row.band), default=0.0) or 1.0

    def lead(self, language: Language) -> str:
        """A sentence about the result."""
        if self.unit is None:
            return ""
        if not self.rows:
            return language.say("A bot played at each seat for a while, so nobody is ranked.")
        best, amount = [row.seat.name for row in self.rows if row.rank == 1], self.lost(self.rows[0], language)
        if len(best) == len(self.rows) > 1:
            return language.say("Everybody lost the same: {amount}.", amount=amount)
        if len(best) > 1:
            return language.say(
                "{names} made the fewest mistakes: {amount} lost each.", names=language.join(best), amount=amount
            )
        return language.say("{name} made the fewest mistakes: {amount} lost.", name=best[0], amount=amount)

    def lost(self, row: RankedSeat, language: Language) -> str:
        """A seat's loss, as it is said."""
        assert self.unit is not None
        return Amounts(language, self.unit).value(row.lost)

    def decisions(self, row: RankedSeat, language: Language) -> str:
        """A seat's real decisions, and what one cost on average."""
        if row.band is None or self.unit is None:
            return language.say("No real decision.")
        number = language.count("{number} real decision", "{number} real decisions", len(row.seat.losses))
        facts = {name: Amounts(language, self.unit).value(value) for name, value in asdict(row.band).items()}
        return language.say("{decisions}, {mean} each ({low} to {high}).", decisions=number, **facts)

    def sentences(self, language: Language) -> list[str]:
        """The ranking by ear: a line for each seat."""
        lines = [self.lead(language)]
        for row in self.rows:
            facts = {"rank": row.rank, "name": row.seat.name, "table": row.table + 1, "lost": self.lost(row, language)}
            said = language.say("{rank}. {name}, table {table}: lost {lost}.", **facts)
            lines.append(f"{said} {self.decisions(row, language)}")
        return lines

    def data(self) -> list[dict[str, Any]]:
        """The ranking for programs: unrounded."""
        return [
            {
                "rank": row.rank,
                "table": row.table + 1,
                "seat": row.seat.name,
                "lost": row.seat.lost,
                "decisions": len(row.seat.losses),
                "mean": row.band and row.band.mean,
                "low": row.band and row.band.low,
                "high": row.band and row.band.high,
            }
            for row in self.rows
        ]


def ranked(tables: Sequence[MatchLosses]) -> NightRanking:
    """The seats of all matches of a night, those that lost least first."""
    if not tables:
        return NightRanking()
    amounts = Amounts(Language(), tables[0].unit)
    scale, most = amounts.scale, 1.0 if amounts.are_chances else inf
    dearest = max((seat.dearest for table in tables for seat in table.seats), default=0.0)
    found = [(round(seat.lost * scale), at, seat) for at, table in enumerate(tables) for seat in table.seats]
    found.sort(key=lambda each: each[:2])
    printed = [units for units, *_ in found]
    rows = [
        RankedSeat(
            1 + printed.index(units),
            printed.count(units) > 1,
            at,
            seat,
            units / scale,
            loss_band(seat.losses, dearest, most),
        )
        for units, at, seat in found
    ]
    return NightRanking(tuple(rows), tables[0].unit)


# A lesson about one decision: what the coach advises, and what is said before a choice that loses much. Knows no
# game.
#
# The sentences are those of the terminal's coach (``advice.losses.SpokenAdvice``).


OTHERS = 1
"""Choices told beside the best: all of them are a link away once the match is over."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A decision in words. hint: the best choice. costs, warnings: by legal action, in the rules' order, the part of
    the prize that it loses, and a sentence about it.
    """

    hint: str
    costs: tuple[float, ...]
    warnings: tuple[str, ...]


def lesson(coach: Coach, words: GameWords, language: Language, state: MatchState[Any]) -> Lesson:
    """The lesson at a decision of a match."""
    advice, spoken = coach.advise(state), SpokenAdvice(words, coach.match, language, coach.solver)
    choices = [advice.of(action) for action in coach.match.legal(state)]
    return Lesson(
        hint=" ".join(spoken.advise(state, advice, others=OTHERS)),
        costs=tuple([choice.lost / coach.yardstick for choice in choices]),
        warnings=tuple([spoken.warning(state, choice, advice.best) if choice.lost else "" for choice in choices]),
    )


# Every seat's chances in a match under way, told: exact values under best play. Knows no game, only a solver.


@dataclass(frozen=True, slots=True)
class SeatChances:
    """The seats' expectations. units: a row a state, in printed units (``scale`` of them make 1), every seat's.

    said: the same as it is read out. utility: the name of the values. chances: true if they are read in percent.
    outlook: the mover's chances in the last state, such as to beat a score; empty where the game has none to tell.
    """

    units: tuple[tuple[int, ...], ...]
    said: tuple[tuple[str, ...], ...]
    utility: str
    scale: int
    chances: bool
    outlook: str


def chances(coach: Coach, words: GameWords, language: Language, states: Sequence[MatchState[Any]]) -> SeatChances:
    """The chances in these states of a match, of which there is one at least, the latest last."""
    amounts, utility = Amounts(language, coach.solver), coach.solver.utility
    rows = [[as_counted(utility, value) for value in coach.solver.values(state)] for state in states]
    last, outlook = states[-1], ""
    if last.round is not None and not last.over:
        told = turn_to_tell(coach.match, last).round
        outlook = " ".join(words.chance(language, coach.match.game, told, coach.outlook(last)))
    return SeatChances(
        units=tuple([tuple([round(value * amounts.scale) for value in row]) for row in rows]),
        said=tuple([tuple([amounts.value(value) for value in row]) for row in rows]),
        utility=language.say(UTILITIES[utility]),
        scale=amounts.scale,
        chances=amounts.are_chances,
        outlook=outlook,
    )
