"""The analysis of a match: its review and its luck ranks, in printed units and in sentences.

A review splits a seat's result into parts: its value at the start (expectation), and the changes by rolls (luck), by
its own choices (skill) and by the other seats' choices (given).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import floor
from typing import Any

from pubdice.advice.coach import Coach, Verdict
from pubdice.advice.luck_rank import UNRANKED, LuckRanks, LuckSample
from pubdice.advice.review import GradedDecision, Review, RollLuck, Split, counted, receipt_moves, review, reviewing
from pubdice.advice.spoken_advice import SpokenAdvice, briefly
from pubdice.checked_record import Checked
from pubdice.core.dice import Hand
from pubdice.core.game import Game
from pubdice.match.record import write_steps
from pubdice.solve.pauses import ResumableJob, ShouldYield, all_at_once
from pubdice.text.game_words import kept_names, told_dice
from pubdice.text.language import Language, Sentence, sentence


@dataclass(frozen=True, slots=True)
class PrintedSplit:
    """A seat's split in printed units (whole numbers, such as tenths of a percent): expectation + luck + skill + given
    = result.
    """

    expectation: int
    luck: int
    skill: int
    given: int
    result: int


def rounded(parts: Sequence[float], scale: int, total: int | None = None) -> tuple[int, ...]:
    """Round parts to whole units, ``scale`` of which make 1.

    The units add up to ``total`` or, if it is None, to the rounded sum of the parts.

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
    """Round each seat's split for print, by the largest remainder, so that the printed numbers add up exactly.

    First the expectations of all seats are rounded together, and so are their results. So each of these columns adds up
    to its rounded total. Then each seat's luck, skill and given are rounded so that they add up to its printed result
    less its printed expectation: all are rounded down, and the missing units go to the greatest remainders, one each. A
    part of 0 stays 0. A printed part differs from its exact value by at most two units.
    """
    begun = rounded([split.expectation for split in splits], scale)
    ended = rounded([split.result for split in splits], scale)
    found = []
    for split, expectation, result in zip(splits, begun, ended, strict=True):
        luck, given, skill = rounded([split.luck, split.given, split.skill], scale, result - expectation)
        found.append(PrintedSplit(expectation, luck, skill, given, result))
    return tuple(found)


def sample_of(checked: Checked, coach: Coach) -> LuckSample:
    """Make the replays of a record's match, with dice seeded by the record."""
    steps = ((step.before, step.move, step.after) for step in checked.steps)
    return LuckSample(coach, write_steps(checked.header, checked.match, steps))


VERDICTS: dict[Verdict, Sentence] = {
    "best": ("{number} best", "{number} best", "count"),
    "equal": ("{number} as good", "{number} as good", "count"),
    "small": ("{number} small slip", "{number} small slips", "count"),
    "mistake": ("{number} mistake", "{number} mistakes", "count"),
    "blunder": ("{number} blunder", "{number} blunders", "count"),
}

GRADES: dict[Verdict, str] = {"small": "a small slip", "mistake": "a mistake", "blunder": "a blunder"}


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis of a match, before it is put into a language."""

    checked: Checked
    coach: Coach
    found: Review
    ranks: LuckRanks = UNRANKED  # empty until the match is over

    def data(self) -> dict[str, Any]:
        """Return the review and the luck ranks as data for programs."""
        names, write = self.checked.header.names, self.checked.match.game.write_action
        return {**self.found.data(names, write), "luck_rank": self.ranks.data(names)}

    def sentences(self, language: Language) -> list[str]:
        """Return the analysis in sentences: results, each seat's grades, every mistake, the worst choice and the best
        roll.
        """
        return _AnalysisTeller(self, language).sentences()


def analyse(checked: Checked, coach: Coach) -> Analysis:
    """Review the match in a record, as far as it goes. If the match is over, replay it too, for the luck ranks."""
    found = review(coach, checked.steps)
    if not checked.is_over:
        return Analysis(checked, coach, found)
    sample = sample_of(checked, coach)
    sample.go_on()
    return Analysis(checked, coach, found, sample.ranks([split.luck for split in found.splits]))


def chosen_from(game: Game[Any, Any], each: GradedDecision) -> Hand:
    """Return the dice from which a decision chose. If no die was free, return the locked dice."""
    mover = game.mover(each.state.round)
    assert mover is not None, "a decision has a mover"
    locked, free = game.dice(each.state.round, mover)
    return free or locked


class _AnalysisTeller:
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
        opening = self.say("The review. Counted: {utility}.", utility=utility)
        if not over:
            opening += " " + self.say("The record ends before the match does, so the result is the score so far.")
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
        """Return a sentence on a seat's result and its parts, with the same rounding as a receipt on the web."""

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
            self.say("{name}: {choices}. {grades}.", name=name, choices=choices, grades=", ".join(grades))
        )

    def _graded(self, each: GradedDecision) -> str:
        """Return sentences on a decision: the player, the choice, its loss with the reason, and the best choice."""
        best = self.spoken.act(each.state, each.best)
        compared = self.spoken.compared(each.state, each.chosen, each.best)
        game = self.checked.match.game
        dice = chosen_from(game, each)
        facts = {
            "grade": self.say(GRADES[each.chosen.verdict]),
            "name": self.names[each.seat],
            "number": each.state.called,
            "dice": told_dice(self.language, game, dice),
        }
        text = "{grade} by {name} in round {number} with {dice}: {compared} Best was {best}."
        if not dice:  # a decision before a roll has no dice
            text = "{grade} by {name} in round {number}: {compared} Best was {best}."
        return self.say(text, best=best, compared=compared[:1].lower() + compared[1:], **facts)

    def _fall(self, fall: RollLuck) -> str:
        dice = told_dice(self.language, self.checked.match.game, fall.dice)
        facts = {"name": self.names[fall.seat], "number": self.checked.steps[fall.step].before.called, "dice": dice}
        text = "The best roll: {dice} by {name} in round {number}, {gain}."
        if self.checked.steps[fall.step].before.roll_off is not None:
            text = "The best roll: {dice} by {name} in the roll-off, {gain}."
        return self.say(text, gain=self.amounts.change(fall.gain), **facts)


class AnalysisJob:
    """The analysis of a match in steps: first its review, then its replays.

    Raises ValueError if the match is not over, and Unsolved if it is too long or too large.
    """

    def __init__(self, checked: Checked, coach: Coach) -> None:
        if not checked.is_over:
            raise ValueError("the match is not over")
        receipt_moves(checked.match, checked.steps)  # raises Unsolved if there are too many moves
        self._checked, self._coach = checked, coach
        self._review, self._sample = ResumableJob(reviewing(coach, checked.steps)), sample_of(checked, coach)

    def reviewed(self, enough: ShouldYield = all_at_once) -> Analysis | None:
        """Go on with the review. Return the analysis without replays, or None if the review needs more steps."""
        found = self._review.go_on(enough)
        return None if found is None else Analysis(self._checked, self._coach, found)

    def go_on(self, enough: ShouldYield = all_at_once) -> Analysis | None:
        """Go on with the analysis. Return the whole analysis, or None if it needs more steps."""
        reviewed = self.reviewed(enough)
        if reviewed is None or enough() or not self._sample.go_on(enough):
            return None
        return replace(reviewed, ranks=self._sample.ranks([split.luck for split in reviewed.found.splits]))
