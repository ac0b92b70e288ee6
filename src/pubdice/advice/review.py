"""A match reviewed: every decision graded, every roll weighed, and the result split for each seat. Knows no game.

With v(s) the values of every seat in state s, each step from s to t changes them by v(t) - v(s). For each seat

    expectation + luck + skill + given = result,

expectation: v at the start of the record; luck: the changes by draws and rolls, anybody's; skill: those by the seat's
own decisions; given: those by the others'; result: v where the record ends. The sum telescopes, so it is exact. Under
best play by all, luck is 0 on average, and skill is never above 0.

A solver that looks no further than the round under way (``solve.solver.ByRound``) starts each round afresh: a fresh
round is then expectation too, and the result is the sum of all rounds.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from math import floor, sqrt
from statistics import fmean
from typing import Any

from pubdice.advice.coach import Choice, Coach, Verdict
from pubdice.advice.spoken_advice import SpokenAdvice, briefly
from pubdice.core.cup import SeededCup
from pubdice.core.dice import Hand, Roll
from pubdice.core.game import Game, Seat
from pubdice.kit import Checked
from pubdice.match.match import MatchState
from pubdice.match.record import Drawn, Played, ReplayStep, Rolled, write_steps
from pubdice.solve.pauses import ResumableJob, ShouldYield, Steps, all_at_once
from pubdice.solve.solver import LOW_SCORE, ByRound, as_counted
from pubdice.text.game_words import kept_names, told_dice
from pubdice.text.language import Language, Sentence, sentence


@dataclass(slots=True)
class Split:
    """A seat's result and what it is made of."""

    expectation: float
    luck: float = 0.0
    skill: float = 0.0
    given: float = 0.0
    result: float = 0.0


@dataclass(frozen=True, slots=True)
class GradedDecision:
    """A decision with more than one legal action: the state, the choice, and the best. ``turn`` counts from 1.

    blind: the average loss of a choice by lot, every legal action as likely as any other.
    """

    turn: int
    seat: Seat
    state: MatchState[Any]
    chosen: Choice
    best: Choice
    counts: bool
    blind: float = 0.0


@dataclass(frozen=True, slots=True)
class RollLuck:
    """A roll, and what the roller gained by it. step: which of the replay, from 0."""

    turn: int
    round: int
    seat: Seat
    dice: Roll
    gain: float
    step: int = 0


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a match. worst: the decision that lost most, None if none lost anything.

    best_roll: the roll that gained most for its roller, None if none gained anything. line: every seat's value before
    the first step and after each, with what earlier rounds came to, so that it ends at the result. names: the players,
    and write: an action as records have it, where a program is told (``to_dict``).
    """

    utility: str
    bound: float
    splits: tuple[Split, ...]
    decisions: tuple[GradedDecision, ...]
    worst: GradedDecision | None
    best_roll: RollLuck | None
    line: tuple[tuple[float, ...], ...] = ()
    names: tuple[str, ...] = ()
    write: Callable[[Any], str] = field(default=str, repr=False, compare=False)

    def data(self, names: Sequence[str], write: Callable[[Any], str]) -> dict[str, Any]:
        """The review for programs; values as the game counts them. write: an action as records have it."""
        return replace(counted(self), names=tuple(names), write=write).to_dict()

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data, such as ``json`` and data frames take. Values are as they stand here."""
        names = self.names

        def decision(each: GradedDecision) -> dict[str, Any]:
            return {
                "turn": each.turn,
                "round": each.state.number,
                "seat": names[each.seat],
                "kept": self.write(each.chosen.action),
                "best": self.write(each.best.action),
                "value": each.chosen.value,
                "lost": each.chosen.lost,
                "verdict": each.chosen.verdict,
                "counts": each.counts,
            }

        fall = self.best_roll
        roll = fall and {
            "turn": fall.turn,
            "round": fall.round,
            "seat": names[fall.seat],
            "roll": list(fall.dice),
            "gain": fall.gain,
        }
        return {
            "utility": self.utility,
            "bound": self.bound,
            "seats": {name: asdict(split) for name, split in zip(names, self.splits, strict=True)},
            "decisions": [decision(each) for each in self.decisions],
            "worst": self.worst and decision(self.worst),
            "best_roll": roll,
        }


def review(coach: Coach, steps: Iterable[ReplayStep[MatchState[Any]]]) -> Review:
    """Every step of a replay weighed."""
    return ResumableJob(reviewing(coach, steps)).at_once


def reviewing(coach: Coach, steps: Iterable[ReplayStep[MatchState[Any]]]) -> Steps[Review]:
    """The work of ``review``, which may be left after each step."""
    match, solver = coach.match, coach.solver
    here: Sequence[float] = solver.values(match.start())
    splits = [Split(value) for value in here]
    done = [0.0] * match.seats  # by rounds that the values have left behind
    decisions: list[GradedDecision] = []
    falls: list[RollLuck] = []
    line = [tuple(here)]
    turn, opened = 0, True
    for at, step in enumerate(steps):
        before, move, after = step.before, step.move, step.after
        mover = match.mover(before)
        if opened and not isinstance(move, Drawn):
            turn += 1
        opened = isinstance(move, Drawn) or match.passed_on(before, after)
        there = solver.values(after)
        ended, carried = between(coach, before, after) or (there, there)
        for seat, split in enumerate(splits):
            change = ended[seat] - here[seat]
            if not isinstance(move, Played):
                split.luck += change
            elif seat == mover:
                split.skill += change
            else:
                split.given += change
            split.expectation += there[seat] - carried[seat]
            done[seat] += ended[seat] - carried[seat]
        if mover is not None and isinstance(move, Rolled):
            falls.append(RollLuck(turn, before.number, mover, move.dice, ended[mover] - here[mover], at))
        elif mover is not None and isinstance(move, Played) and len(match.legal(before)) > 1:
            advice = coach.advise(before)
            chosen, blind = advice.of(move.action), fmean(choice.lost for choice in advice.choices)
            decisions.append(GradedDecision(turn, mover, before, chosen, advice.best, advice.counts, blind))
        here = there
        line.append(tuple([value + earlier for value, earlier in zip(here, done, strict=True)]))
        yield
    for seat, split in enumerate(splits):
        split.result = here[seat] + done[seat]
    worst = max((each for each in decisions if each.chosen.lost > 0), key=lambda each: each.chosen.lost, default=None)
    luckiest = max((each for each in falls if each.gain > coach.same), key=lambda each: each.gain, default=None)
    return Review(solver.utility, solver.bound, tuple(splits), tuple(decisions), worst, luckiest, tuple(line))


def counted(found: Review) -> Review:
    """The review as the game counts, to be told: where the lowest score wins, scores of a seat that plays alone are not
    below zero, and luck that helped it is a minus. Losses stay as they are.
    """

    def turn(amount: float) -> float:
        return as_counted(found.utility, amount)

    def turned(choice: Choice) -> Choice:
        return replace(choice, value=turn(choice.value))

    if found.utility != LOW_SCORE:
        return found
    splits = [
        Split(*map(turn, (each.expectation, each.luck, each.skill, each.given, each.result))) for each in found.splits
    ]
    decisions = tuple([replace(each, chosen=turned(each.chosen), best=turned(each.best)) for each in found.decisions])
    worst = found.worst and decisions[found.decisions.index(found.worst)]
    roll = found.best_roll and replace(found.best_roll, gain=turn(found.best_roll.gain))
    line = tuple([tuple(map(turn, row)) for row in found.line])
    return replace(found, splits=tuple(splits), decisions=decisions, worst=worst, best_roll=roll, line=line)


def between(
    coach: Coach, before: MatchState[Any], after: MatchState[Any]
) -> tuple[Sequence[float], Sequence[float]] | None:
    """The worth of a round the step ended, and the value the next starts from, if the solver starts each afresh."""
    ended = coach.match.round_ended(before, after)
    if ended is None or after.over or not isinstance(coach.solver, ByRound):
        return None
    return coach.solver.between(after)


# How a seat's luck in a match compares with replays in which everybody plays best. Knows no game.
#
# The replays are a Monte Carlo sample of the match: same rules, same seats, dice of a cup that is seeded by the
# record, every choice by the solver. The luck of a replay is what it is in a review (``advice.review``): how its
# rolls and draws changed a seat's value. Under best play nothing else changes it, but where several actions are
# equally good to the mover and not to another seat; those changes are taken out. So a replay needs values only at its
# ends and at such decisions.
#
# A rank is the share of replays in which the seat had less luck, those with equal luck counted half. Its band is
# Wilson's score interval for 95 %, which holds for shares near 0 and 1 too (E. B. Wilson, JASA 22, 1927); counting
# halves makes a sample vary less than wins and losses would, so the band is no narrower than it has to be.


MOST_REPLAYS, LEAST_REPLAYS = 1_000, 20
"""Replays of a match; and how many it takes to say anything."""
MOST_DECISIONS = 8_000
"""Decisions in all replays together; ten forced moves, rolls or draws count as one. That takes 1 to 5 s, as a solver
takes 0.1 to 0.5 ms for each. The replay under way is finished, so that long ones are not left out."""
Z95 = 1.959963984540054
"""The quantile of the normal distribution for 95 %."""


@dataclass(frozen=True, slots=True)
class LuckRank:
    """The share of replays in which a seat had less luck, and the band in which the true share lies with 95 %."""

    share: float
    low: float
    high: float

    def sentence(self, language: Language, name: str) -> str:
        """The rank of a seat of this name, "" for the reader's; none has more, or less, where play was not the best."""
        text = (
            "{name} had more luck than in {share} of the replays (95% sure: {low} to {high}).",
            "You had more luck than in {share} of the replays (95% sure: {low} to {high}).",
        )
        if self.share == 1:
            text = "{name} had more luck than in all replays.", "You had more luck than in all replays."
        if self.share == 0:
            text = "{name} had less luck than in all replays.", "You had less luck than in all replays."
        facts = {key: language.per_cent(value) for key, value in asdict(self).items()}
        return sentence(language.about(*text, name, **facts), kept_names([name]))


@dataclass(frozen=True, slots=True)
class LuckRanks:
    """Every seat's rank, and the number of replays it rests on; no ranks if there were too few."""

    replays: int
    seats: tuple[LuckRank, ...] = ()

    def basis(self, language: Language) -> str:
        """A sentence about the replays that ranks rest on, or that there are none."""
        if not self.seats:
            return language.count(
                "This match is too long to replay often enough: {number} replay was possible.",
                "This match is too long to replay often enough: {number} replays were possible.",
                self.replays,
            )
        return language.say(
            "The house has replayed this match {number} times, with everybody playing best. Equal luck counts half. "
            "Where choices were not the best, luck can lie outside all replays.",
            number=language.whole(self.replays),
        )

    def data(self, names: Sequence[str]) -> dict[str, Any]:
        """The ranks for programs."""
        seats = {name: asdict(rank) for name, rank in zip(names, self.seats, strict=False)}
        return {"replays": self.replays, "seats": seats}


class LuckSample:
    """Every seat's luck in the replays of one match, which are played a part at a time, so that others can have a turn
    between: however they are parted, they are the same replays.
    """

    def __init__(self, coach: Coach, text: str) -> None:
        self._replays, self._same = _Replays(coach, sha256(text.encode()).hexdigest()), coach.same
        self._found: list[tuple[float, ...]] = []
        self._played = ResumableJob(self._playing())

    def go_on(self, enough: ShouldYield = all_at_once) -> bool:
        """Play on until it is enough; True once all replays are played."""
        return self._played.go_on(enough) is not None

    def _playing(self) -> Steps[int]:
        """Play all replays; returns their number."""
        while len(self._found) < MOST_REPLAYS and self._replays.spent < MOST_DECISIONS:
            one = yield from self._replays.next_luck()
            if one is None:
                break
            self._found.append(one)
        return len(self._found)

    def ranks(self, luck: Sequence[float]) -> LuckRanks:
        """The ranks of these amounts of luck, a seat each, among the replays played so far."""
        number = len(self._found)
        if number < LEAST_REPLAYS:
            return LuckRanks(number)
        mine = enumerate(luck)
        return LuckRanks(number, tuple(_rank(each, [one[at] for one in self._found], self._same) for at, each in mine))


def _rank(mine: float, others: Sequence[float], same: float) -> LuckRank:
    less = sum(other < mine - same for other in others)
    equal = sum(abs(other - mine) <= same for other in others)
    share = (less + equal / 2) / len(others)
    return LuckRank(share, *wilson(share, len(others)))


def wilson(share: float, number: int) -> tuple[float, float]:
    """Wilson's score interval for 95 %: the bounds of a true share of which ``share`` was seen in a number of trials.

    >>> [round(end, 3) for end in wilson(0.5, 100)], [round(end, 3) for end in wilson(1.0, 20)]
    ([0.404, 0.596], [0.839, 1.0])
    """
    spread = Z95 * Z95 / number
    middle = (share + spread / 2) / (1 + spread)
    half = Z95 * sqrt(share * (1 - share) / number + spread / (4 * number)) / (1 + spread)
    return middle - half if share > 0 else 0.0, middle + half if share < 1 else 1.0


class _Replays:
    """Matches played by the solver, one after the other, with the dice of one seed. spent: of ``MOST_DECISIONS``."""

    def __init__(self, coach: Coach, seed: str) -> None:
        self._coach, self._match, self._solver, self.spent = coach, coach.match, coach.solver, 0.0
        self._cup, self._index = SeededCup(seed, "replays"), 0

    def next_luck(self) -> Steps[tuple[float, ...] | None]:
        """Every seat's luck in the next replay, which may be left after each move; None if it goes on for too long."""
        match, values = self._match, self._solver.values
        state = match.start()
        begun: Sequence[float] = values(state)
        luck = [0.0] * match.seats
        while not state.over:
            if self.spent > 2 * MOST_DECISIONS:
                return None
            before, state = state, self._moved(state, luck)
            if (ended := between(self._coach, before, state)) is not None:
                luck = [gained + there - here for gained, there, here in zip(luck, ended[0], begun, strict=True)]
                begun = values(state)
            yield
        return tuple([gained + there - here for gained, there, here in zip(luck, values(state), begun, strict=True)])

    def _moved(self, state: MatchState[Any], luck: list[float]) -> MatchState[Any]:
        """The state after one move. The change by an equally good choice is taken out of everybody's luck."""
        match, self._index = self._match, self._index + 1
        self.spent += 0.1
        if match.to_draw(state):
            return match.draw(state, Seat(self._cup.draw(match.seats, self._index)))
        if due := match.to_roll(state):
            return match.roll(state, tuple(sorted(self._cup.roll(due, self._index, match.game.faces.sides))))
        legal = match.legal(state)
        if len(legal) == 1:
            return match.play(state, legal[0])
        self.spent += 0.9
        valued = self._solver.action_values(state)
        best = max(value for _, value in valued)
        equal = [action for action, value in valued if value >= best - self._coach.same]
        after = match.play(state, equal[0])
        if len(equal) > 1:
            ended, _ = between(self._coach, state, after) or (self._solver.values(after), ())
            for seat, (there, here) in enumerate(zip(ended, self._solver.values(state), strict=True)):
                luck[seat] -= there - here
        return after


# A result as it is printed, rounded so that it adds up.
#
# Rounding is by the largest remainder. The seats' expectations are rounded together, and so are their results: each
# column adds up to its rounded total. Then a seat's luck, skill and what the others gave are rounded to the difference
# of the two that are printed: all are rounded down, and what is missing goes to the greatest remainders, one unit each.
# A part that is nothing stays nothing. So every printed sum is exact, and a part is off by two units at most.


@dataclass(frozen=True, slots=True)
class PrintedSplit:
    """A seat's split in printed units; expectation + luck + skill + given = result."""

    expectation: int
    luck: int
    skill: int
    given: int
    result: int


def rounded(parts: Sequence[float], scale: int, total: int | None = None) -> tuple[int, ...]:
    """The parts in whole units, of which ``scale`` make 1, adding up to the total: their rounded sum, if none is given.

    >>> rounded([1 / 3, 1 / 3, 1 / 3], 100), rounded([0.5, 0.0], 10, 6), rounded([0.25, -0.05], 10)
    ((34, 33, 33), (6, 0), (3, -1))
    """
    units = [round(part * scale, 6) for part in parts]
    found = [floor(unit) for unit in units]
    left = (round(sum(units)) if total is None else total) - sum(found)
    step = 1 if left > 0 else -1
    order = sorted(range(len(units)), key=lambda at: (not units[at], step * (found[at] - units[at])))
    most = sum(map(bool, units)) or len(units)
    for turn in range(abs(left)):
        found[order[turn % most]] += step
    return tuple(found)


def printed_splits(splits: Sequence[Split], scale: int) -> tuple[PrintedSplit, ...]:
    """Every seat's split as it is printed."""
    begun = rounded([split.expectation for split in splits], scale)
    ended = rounded([split.result for split in splits], scale)
    found = []
    for split, expectation, result in zip(splits, begun, ended, strict=True):
        luck, given, skill = rounded([split.luck, split.given, split.skill], scale, result - expectation)
        found.append(PrintedSplit(expectation, luck, skill, given, result))
    return tuple(found)


# A match weighed: the answer of ``review``, and what a receipt is told of.


def sample_of(checked: Checked, coach: Coach) -> LuckSample:
    """The replays of the match in a record, seeded by the record."""
    steps = ((step.before, step.move, step.after) for step in checked.steps)
    return LuckSample(coach, write_steps(checked.header, checked.match, steps))


VERDICTS: dict[Verdict, Sentence] = {
    "best": ("{number} best", "{number} best", "count"),
    "equal": ("{number} as good", "{number} as good", "count"),
    "small": ("{number} small slip", "{number} small slips", "count"),
    "mistake": ("{number} mistake", "{number} mistakes", "count"),
    "blunder": ("{number} blunder", "{number} blunders", "count"),
}
"""The number of decisions with each verdict."""
GRADES: dict[Verdict, str] = {"small": "a small slip", "mistake": "a mistake", "blunder": "a blunder"}
"""The name of one decision."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A match weighed: the same in every language. ranks: none before the match is over."""

    checked: Checked
    coach: Coach
    found: Review
    ranks: LuckRanks = LuckRanks(0)

    def data(self) -> dict[str, Any]:
        """The review for programs, with how every seat's luck compares."""
        names, write = self.checked.header.names, self.checked.match.game.write_action
        return {**self.found.data(names, write), "luck_rank": self.ranks.data(names)}

    def sentences(self, language: Language) -> list[str]:
        """The results, how well each seat chose, every mistake, the worst keep and the best roll."""
        return _AnalysisTeller(self, language).sentences()


def analyse(checked: Checked, coach: Coach) -> Analysis:
    """The match in a record, as far as it goes, weighed and replayed."""
    found = review(coach, checked.steps)
    if not checked.is_over:
        return Analysis(checked, coach, found)
    sample = sample_of(checked, coach)
    sample.go_on()
    return Analysis(checked, coach, found, sample.ranks([split.luck for split in found.splits]))


def chosen_from(game: Game[Any, Any], each: GradedDecision) -> Hand:
    """The dice that could be chosen from at a decision; where none could, those that lay there."""
    mover = game.mover(each.state.round)
    assert mover is not None, "a decision is somebody's"
    locked, free = game.dice(each.state.round, mover)
    return free or locked


class _AnalysisTeller:
    """Tells one analysis in one language."""

    def __init__(self, analysis: Analysis, language: Language) -> None:
        self.checked, self.found, self.ranks = analysis.checked, analysis.found, analysis.ranks
        self.language, self.counted, self.names, self.say = (
            language,
            counted(self.found),
            self.checked.header.names,
            language.say,
        )
        self.spoken = SpokenAdvice(self.checked.kit.words, self.checked.match, language, analysis.coach.solver)
        self.amounts = self.spoken.amounts

    def sentences(self) -> list[str]:
        found, over = self.found, self.checked.is_over
        utility = briefly(self.language, found.utility)
        opening = self.say("The review, by {utility}.", utility=utility)
        if not over:
            opening += " " + self.say("The record ends before the match does, so the result is where it stands.")
        told = [opening]
        splits = printed_splits(self.counted.splits, self.amounts.scale)
        told += [self._split(name, split) for name, split in zip(self.names, splits, strict=True)]
        if over:
            told.append(self.ranks.basis(self.language))
            told += [
                rank.sentence(self.language, name) for name, rank in zip(self.names, self.ranks.seats, strict=False)
            ]
        told += [self._grades(seat) for seat in range(len(self.names))]
        bad = [each for each in found.decisions if each.chosen.verdict in ("mistake", "blunder")]
        told += [self._sentence(self._graded(each)) for each in bad if each is not found.worst]
        if found.worst is not None:
            told.append(self.say("The worst choice: {graded}", graded=self._graded(found.worst)))
        if self.counted.best_roll is not None:
            told.append(self._fall(self.counted.best_roll))
        return told

    def _sentence(self, text: str) -> str:
        return sentence(text, kept_names(self.names))

    def _split(self, name: str, split: PrintedSplit) -> str:
        """A seat's result and its parts, rounded so that they add up, as a receipt on the web has them."""

        def value(units: int) -> str:
            return self.amounts.value(units / self.amounts.scale)

        def change(units: int) -> str:
            return self.amounts.change(units / self.amounts.scale)

        text = "{name}: expected {expectation}, {luck} by luck, {skill} by own choices, {given} by others: {result}."
        alone = "{name}: expected {expectation}, {luck} by luck, {skill} by own choices: {result}."
        facts = {
            "name": name,
            "expectation": value(split.expectation),
            "luck": change(split.luck),
            "skill": change(split.skill),
            "given": change(split.given),
            "result": value(split.result),
        }
        return self._sentence(self.say(text if len(self.names) > 1 else alone, **facts))

    def _grades(self, seat: int) -> str:
        mine = [each for each in self.found.decisions if each.seat == seat and each.counts]
        name = self.names[seat]
        if not mine:
            return self._sentence(self.say("{name}: no choice that counts.", name=name))
        number = Counter(each.chosen.verdict for each in mine)
        grades = [
            self.language.tell(VERDICTS[verdict], {"count": number[verdict]}) for verdict in VERDICTS if number[verdict]
        ]
        choices = self.language.count("{number} choice that counts", "{number} choices that count", len(mine))
        return self._sentence(
            self.say("{name}: {choices}; {grades}.", name=name, choices=choices, grades=", ".join(grades))
        )

    def _graded(self, each: GradedDecision) -> str:
        """A decision in sentences: player, choice, loss with its reason, best choice."""
        best = self.spoken.act(each.state, each.best)
        compared = self.spoken.compared(each.state, each.chosen, each.best)
        game = self.checked.match.game
        dice = chosen_from(game, each)
        facts = {
            "grade": self.say(GRADES[each.chosen.verdict]),
            "name": self.names[each.seat],
            "number": each.state.number,
            "dice": told_dice(self.language, game, dice),
        }
        text = "{grade} by {name} in round {number} with {dice}: {compared} Best was {best}."
        if not dice:  # before a roll
            text = "{grade} by {name} in round {number}: {compared} Best was {best}."
        return self.say(text, best=best, compared=compared[:1].lower() + compared[1:], **facts)

    def _fall(self, fall: RollLuck) -> str:
        dice = told_dice(self.language, self.checked.match.game, fall.dice)
        facts = {"name": self.names[fall.seat], "number": fall.round, "dice": dice}
        text = "The best roll: {dice} by {name} in round {number}, {gain}."
        if self.checked.steps[fall.step].before.roll_off is not None:
            text = "The best roll: {dice} by {name} in the roll-off, {gain}."
        return self.say(text, gain=self.amounts.change(fall.gain), **facts)
