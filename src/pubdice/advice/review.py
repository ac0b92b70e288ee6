"""A match reviewed: every decision graded, every roll weighed, and the result split for each seat. Knows no game.

With v(s) the values of every seat in state s, each step from s to t changes them by v(t) - v(s). For each seat

    expectation + luck + skill + given = result,

expectation: v at the start of the record; luck: the changes by draws and rolls, anybody's; skill: those by the seat's
own decisions; given: those by the others'; result: v where the record ends. The sum telescopes, so it is exact. Under
best play by all, luck is 0 on average, and skill is never above 0.

A solver that looks no further than the round under way (``solve.solver.ByRound``) starts each round afresh: what a
fresh round is worth is then expectation too, and the result is what all rounds together came to.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from math import sqrt
from statistics import fmean
from typing import Any

from pubdice.advice.coach import Choice, Coach
from pubdice.core.cup import SeededCup
from pubdice.core.dice import Roll
from pubdice.core.game import Seat
from pubdice.kit import Checked
from pubdice.match.match import MatchState
from pubdice.match.record import Drawn, Played, ReplayStep, Rolled, write_steps
from pubdice.solve.pauses import Enough, InParts, Steps, all_at_once
from pubdice.solve.solver import LOW_SCORE, ByRound, as_counted
from pubdice.text.language import Language, sentence


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
    """A decision with more than one legal action: the state, what was chosen, and the best. ``turn`` counts from 1.

    blind: what a choice by lot loses on average, every legal action as likely as any other.
    """

    turn: int
    seat: Seat
    state: MatchState[Any]
    chosen: Choice
    best: Choice
    counts: bool
    blind: float = 0.0


@dataclass(frozen=True, slots=True)
class Fall:
    """A roll, and what the roller gained by it. step: which of the replay, from 0."""

    turn: int
    round: int
    seat: Seat
    dice: Roll
    gain: float
    step: int = 0


@dataclass(frozen=True, slots=True)
class Review:
    """What there is to say of a match. worst: the decision that lost most, None if none lost anything.

    best_roll: the roll that gained most for its roller, None if none gained anything. line: every seat's value before
    the first step and after each, with what earlier rounds came to, so that it ends at the result.
    """

    utility: str
    bound: float
    splits: tuple[Split, ...]
    decisions: tuple[GradedDecision, ...]
    worst: GradedDecision | None
    best_roll: Fall | None
    line: tuple[tuple[float, ...], ...] = ()


def review(coach: Coach, steps: Iterable[ReplayStep[MatchState[Any]]]) -> Review:
    """Every step of a replay weighed."""
    return InParts(reviewing(coach, steps)).at_once


def reviewing(coach: Coach, steps: Iterable[ReplayStep[MatchState[Any]]]) -> Steps[Review]:
    """The work of ``review``, which may be left after each step."""
    match, solver = coach.match, coach.solver
    here: Sequence[float] = solver.values(match.start())
    splits = [Split(value) for value in here]
    done = [0.0] * match.seats  # by rounds that the values have left behind
    decisions: list[GradedDecision] = []
    falls: list[Fall] = []
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
            falls.append(Fall(turn, before.number, mover, move.dice, ended[mover] - here[mover], at))
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
    """What a round that the step ended came to, and what the next starts from, if the solver starts each afresh."""
    ended = coach.match.round_ended(before, after)
    if ended is None or after.over or not isinstance(coach.solver, ByRound):
        return None
    return coach.solver.between(after)


def as_data(coach: Coach, found: Review, names: Sequence[str]) -> dict[str, Any]:
    """The review as plain data for programs; values as the game counts them, actions written as in records."""
    write, found = coach.match.game.write_action, counted(found)

    def decision(each: GradedDecision) -> dict[str, Any]:
        return {
            "turn": each.turn,
            "round": each.state.number,
            "seat": names[each.seat],
            "kept": write(each.chosen.action),
            "best": write(each.best.action),
            "value": each.chosen.value,
            "lost": each.chosen.lost,
            "verdict": each.chosen.verdict,
            "counts": each.counts,
        }

    fall = found.best_roll
    return {
        "utility": found.utility,
        "bound": found.bound,
        "seats": {
            name: {
                "expectation": split.expectation,
                "luck": split.luck,
                "skill": split.skill,
                "given": split.given,
                "result": split.result,
            }
            for name, split in zip(names, found.splits, strict=True)
        },
        "decisions": [decision(each) for each in found.decisions],
        "worst": decision(found.worst) if found.worst else None,
        "best_roll": {
            "turn": fall.turn,
            "round": fall.round,
            "seat": names[fall.seat],
            "roll": list(fall.dice),
            "gain": fall.gain,
        }
        if fall
        else None,
    }


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


@dataclass(frozen=True, slots=True)
class LuckRanks:
    """Every seat's rank, and the number of replays it rests on; no ranks if there were too few."""

    replays: int
    seats: tuple[LuckRank, ...] = ()


def luck_ranks(coach: Coach, text: str, luck: Sequence[float]) -> LuckRanks:
    """The ranks of every seat's luck in a match that is over. text: its record, which seeds the dice of the replays."""
    sample = LuckSample(coach, text)
    sample.go_on()
    return sample.ranks(luck)


class LuckSample:
    """Every seat's luck in the replays of one match, which are played a part at a time, so that others can have a turn
    between: however they are parted, they are the same replays.
    """

    def __init__(self, coach: Coach, text: str) -> None:
        self._replays, self._same = _Replays(coach, sha256(text.encode()).hexdigest()), coach.same
        self._found: list[tuple[float, ...]] = []
        self._played = InParts(self._playing())

    def go_on(self, enough: Enough = all_at_once) -> bool:
        """Play on until it is enough; whether all replays are played."""
        return self._played.go_on(enough) is not None

    def _playing(self) -> Steps[int]:
        """Play all replays; how many they are."""
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
    """Wilson's score interval for 95 %: where the true share lies of which ``share`` was seen in so many trials.

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
        """The state after one move. What an equally good choice changes is taken out of everybody's luck."""
        match, self._index = self._match, self._index + 1
        self.spent += 0.1
        if match.to_draw(state):
            return match.draw(state, Seat(self._cup.draw(match.seats, self._index)))
        if due := match.to_roll(state):
            return match.roll(state, tuple(sorted(self._cup.roll(due, self._index))))
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


# How every seat's luck in a record compares with replays, in sentences and as data: what page and terminal say.


def sample_of(checked: Checked, coach: Coach) -> LuckSample:
    """The replays of the match in a record, seeded by the record."""
    steps = ((step.before, step.move, step.after) for step in checked.steps)
    return LuckSample(coach, write_steps(checked.header, checked.match, steps))


def ranks_of(checked: Checked, coach: Coach, found: Review) -> LuckRanks:
    """How every seat's luck compares; nothing before the match is over."""
    if not checked.steps or not checked.steps[-1].after.over:
        return LuckRanks(0)
    sample = sample_of(checked, coach)
    sample.go_on()
    return sample.ranks([split.luck for split in found.splits])


def rank_told(language: Language, name: str, rank: LuckRank) -> str:
    """How a seat's luck compares with that of the replays; none has more, or less, where play was not the best."""
    if rank.share in (0, 1):
        text = (
            "{name} had more luck than in all replays." if rank.share else "{name} had less luck than in all replays."
        )
        return sentence(language.say(text, name=name))
    return sentence(
        language.say(
            "{name} had more luck than in {share} of the replays (95 % sure: {low} to {high}).",
            name=name,
            share=language.per_cent(rank.share),
            low=language.per_cent(rank.low),
            high=language.per_cent(rank.high),
        )
    )


def rests_told(language: Language, ranks: LuckRanks) -> str:
    """What ranks rest on, or that there are none."""
    if not ranks.seats:
        return language.count(
            "This match is too long to replay often enough: {number} replay was possible.",
            "This match is too long to replay often enough: {number} replays were possible.",
            ranks.replays,
        )
    return language.say(
        "The house has replayed this match {number} times, with everybody playing best. Equal luck counts half. "
        "Where choices were not the best, luck can lie outside all replays.",
        number=language.whole(ranks.replays),
    )


def ranks_data(names: Sequence[str], ranks: LuckRanks) -> dict[str, Any]:
    """The ranks as plain data for programs."""
    seats = {
        name: {"share": rank.share, "low": rank.low, "high": rank.high}
        for name, rank in zip(names, ranks.seats, strict=False)
    }
    return {"replays": ranks.replays, "seats": seats}
