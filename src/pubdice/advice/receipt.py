"""A receipt in numbers: what a review prints, rounded so that it adds up, and the moves it can be followed by.

Rounding is by the largest remainder. The seats' expectations are rounded together, and so are their results: each
column adds up to its rounded total. Then a seat's luck, skill and what the others gave are rounded to the difference of
the two that are printed: all are rounded down, and what is missing goes to the greatest remainders, one unit each. A
part that is nothing stays nothing. So every printed sum is exact, and a part is off by two units at most.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor
from typing import Any

from pubdice.advice.coach import Choice, Coach
from pubdice.advice.losses import SpokenAdvice
from pubdice.advice.review import (
    GradedDecision,
    LuckRanks,
    Review,
    Split,
    as_data,
    counted,
    rank_told,
    ranks_data,
    rests_told,
    reviewing,
    sample_of,
)
from pubdice.core.errors import Unsolved
from pubdice.kit import Checked
from pubdice.match.match import Match, MatchState
from pubdice.match.narrate import Narrator
from pubdice.match.record import Played, ReplayStep, Rolled
from pubdice.solve.pauses import Enough, InParts, all_at_once
from pubdice.solve.solver import as_counted
from pubdice.text.language import Language, one_line, sentence

# What a receipt is, told in a language: frozen data, ready for a page. Knows no game.


@dataclass(frozen=True, slots=True)
class PartTold:
    """A part of a seat's result. name: "seat", "luck", "skill", "others" or "result", as programs know it.

    units, reached: this part, and all parts up to it, in printed units. begin, end: where its bar begins and ends, as
    parts of the scale from 0 to 1.
    """

    name: str
    label: str
    line: str
    amount: str
    units: int
    reached: int
    begin: float
    end: float


@dataclass(frozen=True, slots=True)
class SeatTold:
    """A seat's receipt: its parts in order, and how its luck compares; empty where it does not."""

    name: str
    parts: tuple[PartTold, ...]
    rank: str


@dataclass(frozen=True, slots=True)
class Turning:
    """The dearest keep or the luckiest roll: dice, sentences, where in the match, and its decision or move."""

    dice: tuple[int, ...]
    lines: tuple[str, ...]
    where: str
    number: int


@dataclass(frozen=True, slots=True)
class MoveTold:
    """A move, and what every seat's chances are after it: as said, and in printed units. ends: as in ``ShownMove``."""

    lines: tuple[str, ...]
    dice: tuple[int, ...]
    where: str
    said: tuple[str, ...]
    units: tuple[int, ...]
    decision: int
    ends: int


@dataclass(frozen=True, slots=True)
class OptionTold:
    """A choice that a question offers. key: as in records. line: what it loses and why; lost: in the solver's unit."""

    key: str
    label: str
    value: str
    line: str
    lost: float
    best: bool
    played: bool


@dataclass(frozen=True, slots=True)
class QuestionTold:
    """A costly keep, asked again. number: of its decision, from 1. before: what had happened. answer: what is best."""

    number: int
    name: str
    before: tuple[str, ...]
    dice: tuple[int, ...]
    options: tuple[OptionTold, ...]
    answer: str
    played: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What decided a match, told. scale: printed units that make 1. chances: whether values are read in percent.

    share: a line of text to hand on. rests: what the ranks rest on. red: the faces that a turn needs.
    """

    result: tuple[str, ...]
    rules: str
    decided: str
    utility: str
    scale: int
    chances: bool
    names: tuple[str, ...]
    seats: tuple[SeatTold, ...]
    rests: str
    luckiest: Turning | None
    dearest: Turning | None
    moves: tuple[MoveTold, ...]
    decisions: tuple[tuple[int, str], ...]
    questions: tuple[QuestionTold, ...]
    share: str
    red: tuple[int, ...]
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Highlights:
    """The dearest keep and the luckiest roll of a match, with what they lost and gained, in the solver's unit.

    utility: what these are; chances: they are read in percent.
    """

    dearest: Turning | None
    lost: float
    luckiest: Turning | None
    gain: float
    utility: str
    chances: bool
    red: tuple[int, ...]


def highlights(receipt: Receipt) -> Highlights:
    """Those of a match with this receipt."""
    worst, best = receipt.data["worst"], receipt.data["best_roll"]
    return Highlights(
        receipt.dearest,
        worst["lost"] if worst else 0.0,
        receipt.luckiest,
        best["gain"] if best else 0.0,
        receipt.utility,
        receipt.chances,
        receipt.red,
    )


MOST_MOVES = 2_000
"""Moves of a match that a receipt is written for; a keep and a roll are one each."""
MOST_COSTLY = 5
"""Keeps that are asked again."""
MOST_OPTIONS = 5
"""Choices that such a question offers."""


@dataclass(frozen=True, slots=True)
class PrintedSplit:
    """A seat's split in printed units; expectation + luck + skill + given = result."""

    expectation: int
    luck: int
    skill: int
    given: int
    result: int


@dataclass(frozen=True, slots=True)
class ShownMove:
    """A move as it is shown: a draw, a roll or a choice, with the forced moves that followed it.

    steps: those of the replay, from and to, the last one left out. decision: its number from 1; 0 where there was none.
    ends: 2 if a round ended, 1 if a turn did, else 0.
    """

    first: int
    last: int
    decision: int
    ends: int


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


def shown_moves(match: Match[Any, Any], steps: Sequence[ReplayStep[MatchState[Any]]]) -> tuple[ShownMove, ...]:
    """The moves of a match that are shown. Raises Unsolved for more than ``MOST_MOVES``."""
    found: list[ShownMove] = []
    decisions = 0
    for at, step in enumerate(steps):
        legal = len(match.legal(step.before)) if isinstance(step.move, Played) else 0
        ends = 2 if match.round_ended(step.before, step.after) else int(match.passed_on(step.before, step.after))
        if legal == 1 and found:
            last = found[-1]
            found[-1] = ShownMove(last.first, at + 1, last.decision, max(ends, last.ends))
            continue
        decisions += legal > 1
        found.append(ShownMove(at, at + 1, decisions if legal > 1 else 0, ends))
    if len(found) > MOST_MOVES:
        raise Unsolved("too-long", count=len(found), most=MOST_MOVES)
    return tuple(found)


def costly(found: Review) -> tuple[tuple[int, GradedDecision], ...]:
    """The decisions that lost most, with their numbers from 1, in the order of the match."""
    lost = [(number, each) for number, each in enumerate(found.decisions, 1) if each.chosen.lost > 0]
    lost.sort(key=lambda numbered: -numbered[1].chosen.lost)
    return tuple(sorted(lost[:MOST_COSTLY], key=lambda numbered: numbered[0]))


# A receipt in a language, as plain data: what decided a match, its moves with their chances, its costly keeps as
# questions. Knows no page.


EXPECTED = {
    "": "What each could expect",
    "score": "The score each could expect",
    "chips": "The chips each could expect",
    "share of the match": "The share of the match each could expect",
    "round wins": "The round wins each could expect",
    "chance of winning": "The chance to win",
    "winning": "The chance to win",
    "chance of not buying": "The chance not to buy the drinks",
    "not buying": "The chance not to buy the drinks",
}
"""What a solver's values are over a match, by the utility's first words."""
DECIDED = {
    ("luck", 1): "The dice decided it: they gave {name} {amount}.",
    ("luck", -1): "The dice decided it: they cost {name} {amount}.",
    ("skill", -1): "Choices decided it: {name} gave {amount} away.",
    ("others", 1): "Choices decided it: the others gave {name} {amount}.",
    ("others", -1): "Choices decided it: those of the others cost {name} {amount}.",
}
"""What moved a result most, by the part and whether it was for the better."""
BY_DICE = {
    0: "The dice gave {name} what they give on average.",
    1: "The dice were kind to {name}: {amount} more than on average.",
    -1: "The dice were unkind to {name}: {amount} less than on average.",
}
BY_OTHERS = {
    0: "The others' choices changed nothing for {name}.",
    1: "The others' choices gave {name} {amount}.",
    -1: "The others' choices cost {name} {amount}.",
}
"""What luck and the others did for a seat, by its sign."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A match weighed: the same in every language."""

    checked: Checked
    coach: Coach
    found: Review
    moves: tuple[ShownMove, ...]
    ranks: LuckRanks


class Weighing:
    """A match being weighed, a part at a time: its review, then its replays.

    Raises ValueError before the match is over, Unsolved for one that is too long or too large.
    """

    def __init__(self, checked: Checked, coach: Coach) -> None:
        if not checked.steps or not checked.steps[-1].after.over:
            raise ValueError("the match is not over")
        self._checked, self._coach = checked, coach
        self._moves = shown_moves(checked.match, checked.steps)
        self._review, self._sample = InParts(reviewing(coach, checked.steps)), sample_of(checked, coach)

    def reviewed(self, enough: Enough = all_at_once) -> Weighed | None:
        """The match without its replays; None if there is more to weigh."""
        found = self._review.go_on(enough)
        return None if found is None else Weighed(self._checked, self._coach, found, self._moves, LuckRanks(0))

    def go_on(self, enough: Enough = all_at_once) -> Weighed | None:
        """The match weighed; None if there is more to weigh, or to replay."""
        reviewed = self.reviewed(enough)
        if reviewed is None or enough() or not self._sample.go_on(enough):
            return None
        return replace(reviewed, ranks=self._sample.ranks([split.luck for split in reviewed.found.splits]))


def told(weighed: Weighed, language: Language) -> Receipt:
    """The receipt in a language."""
    return _ReceiptTeller(weighed, language).receipt()


class _ReceiptTeller:
    """Tells one match's receipt in one language."""

    def __init__(self, weighed: Weighed, language: Language) -> None:
        self.weighed, self.language, self.say = weighed, language, language.say
        self.checked, self.coach, self.found = weighed.checked, weighed.coach, weighed.found
        self.match, self.words, self.names = self.checked.match, self.checked.kit.words, self.checked.header.names
        self.narrator = Narrator(language, self.words, self.match, self.names)
        self.spoken = SpokenAdvice(self.words, self.match, language, self.coach.solver)
        self.amounts = self.spoken.amounts
        self.counted = counted(self.found)
        self.splits = printed_splits(self.found.splits, self.amounts.scale)
        self.shown = printed_splits(self.counted.splits, self.amounts.scale)

    def receipt(self) -> Receipt:
        """Every part of the receipt."""
        last, found = self.checked.steps[-1].after, self.found
        result = tuple(map(sentence, self.narrator.ending(last.tally, last.last)))
        seats = tuple(self._seat(seat) for seat in range(len(self.names)))
        line = self.counted.line
        data = {
            **as_data(self.coach, found, self.names),
            "luck_rank": ranks_data(self.names, self.weighed.ranks),
            "line": [list(line[0]), *[list(line[move.last]) for move in self.weighed.moves]],
        }
        return Receipt(
            result=result,
            rules=self.narrator.rules(),
            decided=self._decided(),
            utility=self.say(EXPECTED.get(found.utility.partition(",")[0], EXPECTED[""])),
            scale=self.amounts.scale,
            chances=self.amounts.are_chances,
            names=self.names,
            seats=seats,
            rests=rests_told(self.language, self.weighed.ranks),
            luckiest=self._luckiest(),
            dearest=self._dearest(),
            moves=self._moves(),
            decisions=tuple((at, self._decision(each)) for at, each in enumerate(found.decisions, 1)),
            questions=tuple(self._question(number, each) for number, each in costly(found)),
            share=self._share(result),
            red=self.words.red(self.match.game),
            data=data,
        )

    # Who got what

    def _seat(self, seat: int) -> SeatTold:
        name, split, ranks = self.names[seat], self.splits[seat], self.weighed.ranks.seats
        shown = self.shown[seat]
        say, much, scale = self.say, self._much, self._scale
        before = say("Before the dice fell {name} could expect {amount}.", name=name, amount=much(shown.expectation))
        luck = say(BY_DICE[_sign(split.luck)], name=name, amount=much(abs(split.luck)))
        given = say(BY_OTHERS[_sign(split.given)], name=name, amount=much(abs(split.given)))
        first, last = self.amounts.printed(shown.expectation), self.amounts.printed(shown.result)
        parts = [_part("seat", say("Seat"), before, first, step=(0, shown.expectation), scale=scale)]

        def add(part: str, label: str, line: str, units: int) -> None:
            begin = parts[-1].reached
            parts.append(_part(part, label, line, self._signed(units), step=(begin, units), scale=scale))

        add("luck", say("Luck"), luck, shown.luck)
        add("skill", say("Skill"), self._skill(seat, split.skill), shown.skill)
        if len(self.names) > 1:
            add("others", say("Others"), given, shown.given)
        parts.append(_part("result", say("Result"), "", last, step=(0, shown.result), scale=scale))
        return SeatTold(name, tuple(parts), rank_told(self.language, name, ranks[seat]) if ranks else "")

    def _much(self, units: int) -> str:
        """So many printed units as they are said in a sentence."""
        return self._said(units / self.amounts.scale)

    def _said(self, amount: float) -> str:
        """An amount in a sentence, with a minus that is as wide as a plus."""
        said = self.amounts.value(abs(amount))
        return f"−{said}" if amount < 0 and said != self.amounts.value(0) else said

    @property
    def _scale(self) -> tuple[int, int]:
        """The least and the greatest that a bar may reach."""
        found = [0, self.amounts.scale if self.amounts.are_chances else 0]
        for split in self.shown:
            at = 0
            for units in (split.expectation, split.luck, split.skill, split.given):
                at += units
                found.append(at)
        return min(found), max(*found, min(found) + 1)

    def _signed(self, units: int) -> str:
        return ("+" if units > 0 else "") + self.amounts.printed(units)

    def _skill(self, seat: int, units: int) -> str:
        mine = [each for each in self.found.decisions if each.seat == seat and each.counts]
        text = "{name} always chose what was best."
        if not mine:
            text = "{name} had no choice that mattered."
        elif any(each.chosen.lost for each in mine):
            text = "Better choices would have been worth {amount} more to {name}."
        return self.say(text, name=self.names[seat], amount=self._much(-units))

    def _decided(self) -> str:
        """What moved the seat most whose result was furthest from what it could expect; empty where nothing did."""
        seat = max(
            range(len(self.names)), key=lambda seat: abs(self.splits[seat].result - self.splits[seat].expectation)
        )
        split, name = self.splits[seat], self.names[seat]
        sign = 1 if split.result > split.expectation else -1
        part, units = max(
            (("luck", split.luck), ("skill", split.skill), ("others", split.given)), key=lambda named: sign * named[1]
        )
        if sign * units <= 0:
            return ""
        amount = self._much(abs(units))
        return sentence(self.say(DECIDED[part, sign], name=name, amount=amount))

    def _share(self, result: Sequence[str]) -> str:
        champions = self.match.format.champions(self.checked.steps[-1].after.tally)
        seat = champions[0] if champions else 0
        split: PrintedSplit = self.shown[seat]
        parts = [
            (self.say("Seat"), self.amounts.printed(split.expectation)),
            (self.say("Luck"), self._signed(split.luck)),
            (self.say("Skill"), self._signed(split.skill)),
            (self.say("Others"), self._signed(split.given)),
        ]
        if len(self.names) == 1:
            parts.pop()
        listed = ", ".join(f"{label} {amount}" for label, amount in parts)
        text = "{name}: {parts}: {result}."
        told = self.say(text, name=self.names[seat], parts=listed, result=self.amounts.printed(split.result))
        ranks = self.weighed.ranks.seats
        return one_line(
            [*result[:1], told, *([rank_told(self.language, self.names[seat], ranks[seat])] if ranks else [])]
        )

    # What decided it

    def _where(self, number: int, name: str) -> str:
        """Round and name, to stand under something that happened."""
        if self.match.format.is_one_round:
            return name
        return self.say("{name}, round {number}", name=name, number=number)

    def _luckiest(self) -> Turning | None:
        fall = self.found.best_roll
        if fall is None:
            return None
        begun, gain = self.counted.line[fall.step][fall.seat], as_counted(self.found.utility, fall.gain)
        before, after = round(begun * self.amounts.scale), round((begun + gain) * self.amounts.scale)
        lines = (
            self.narrator.rolled(self.names[fall.seat], fall.dice),
            self.say("That gave {name} {gain}.", name=self.names[fall.seat], gain=self._much(abs(after - before))),
            self.say("{before} before it, {after} after it.", before=self._much(before), after=self._much(after)),
        )
        number = next(at for at, move in enumerate(self.weighed.moves, 1) if move.first <= fall.step < move.last)
        return Turning(fall.dice, tuple(map(sentence, lines)), self._where(fall.round, self.names[fall.seat]), number)

    def _dearest(self) -> Turning | None:
        worst = self.found.worst
        if worst is None:
            return None
        lines = (*self._chosen(worst), self._best(worst))
        number = 1 + self.found.decisions.index(worst)
        return Turning(self._dice(worst), lines, self._where(worst.state.number, self.names[worst.seat]), number)

    def _chosen(self, each: GradedDecision) -> tuple[str, ...]:
        """What was chosen, and what it lost and why."""
        played = self._played(each)
        return (played, self.spoken.compared(each.state, each.chosen, each.best)) if each.chosen.lost else (played,)

    def _played(self, each: GradedDecision) -> str:
        game, name = self.match.game, self.names[each.seat]
        said = self.words.told(self.language, game, name, each.state.round, each.chosen.action)
        return one_line(said)

    def _best(self, each: GradedDecision) -> str:
        return sentence(self.say("{act} is best.", act=self.spoken.act(each.state, each.best)))

    def _decision(self, each: GradedDecision) -> str:
        played = self._played(each)
        if not each.chosen.lost:
            return played
        return one_line([played, self.say("It lost {lost}.", lost=self.amounts.value(each.chosen.lost))])

    def _dice(self, each: GradedDecision) -> tuple[int, ...]:
        """The dice that could be chosen from; where none could, those that lay there."""
        mover = self.match.game.mover(each.state.round)
        assert mover is not None
        locked, free = self.match.game.dice(each.state.round, mover)
        return free or locked

    # Move by move

    def _moves(self) -> tuple[MoveTold, ...]:
        found = [MoveTold((), (), "", *self._values(0), 0, 0)]
        for move in self.weighed.moves:
            steps = self.checked.steps[move.first : move.last]
            lines = [line for step in steps for line in self.narrator.tell(step.before, step.move, step.after)]
            first = steps[0].move
            dice = first.dice if isinstance(first, Rolled) else ()
            if isinstance(first, Played):
                dice = self.match.game.kept(first.action)
            where = self.narrator.counter(steps[0].before)
            found.append(MoveTold(tuple(lines), dice, where, *self._values(move.last), move.decision, move.ends))
        return tuple(found)

    def _values(self, at: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Every seat's value after so many steps, as said and in printed units that add up."""
        units = rounded(self.counted.line[at], self.amounts.scale)
        return tuple(map(self.amounts.printed, units)), units

    # Play it again

    def _question(self, number: int, each: GradedDecision) -> QuestionTold:
        advice, write = self.coach.advise(each.state), self.match.game.write_action
        worse = [choice for choice in advice.choices if choice.lost > 0]
        apart = [
            one
            for one, last in zip(worse, [advice.best, *worse], strict=False)
            if one.lost > last.lost + self.coach.same
        ]
        offered = [advice.best, each.chosen, *apart, *advice.choices]
        kept = list({write(choice.action): choice for choice in offered}.items())[:MOST_OPTIONS]
        legal = [write(action) for action in self.match.legal(each.state)]
        kept.sort(key=lambda keyed: legal.index(keyed[0]))
        before = [self.narrator.counter(each.state), *self.narrator.standing(each.state.tally)]
        around = self.narrator.around(each.state.order)
        before += self.words.scores(self.language, self.match.game, each.state.round, around)
        options = [self._option(key, choice, each) for key, choice in kept]
        name, lines = self.names[each.seat], tuple(line for line in before if line)
        return QuestionTold(
            number, name, lines, self._dice(each), tuple(options), self._best(each), self._chosen(each)[0]
        )

    def _option(self, key: str, choice: Choice, each: GradedDecision) -> OptionTold:
        label = sentence(self.spoken.act(each.state, choice))
        line = self.spoken.compared(each.state, choice, each.best) if choice.lost else self._best(each)
        if not choice.lost and choice.action != each.best.action:
            line = sentence(self.say("{act} is as good as the best.", act=self.spoken.act(each.state, choice)))
        played = choice.action == each.chosen.action
        return OptionTold(key, label, self.amounts.worth(choice.value), line, choice.lost, not choice.lost, played)


def _sign(units: int) -> int:
    return (units > 0) - (units < 0)


def _part(name: str, label: str, line: str, amount: str, *, step: tuple[int, int], scale: tuple[int, int]) -> PartTold:
    """A part; step: where its bar begins, and how far it goes; scale: the least and the greatest a bar may reach."""
    (begin, units), (low, high) = step, scale
    first, last = sorted((end - low) / (high - low) for end in (begin, begin + units))
    return PartTold(name, label, sentence(line), amount, units, begin + units, first, last)
