"""The luck rank of each seat of a match, among replays of the match with best play. Works for any game.

The replays are a Monte Carlo sample of the match: the same rules and seats, dice from a cup seeded by the record, every
choice by the solver. Luck is defined as in a review (``advice.review``): the change of a seat's value by rolls and
draws. In a replay no other move changes values, with one exception. A choice among actions that are equally good to the
mover may change another seat's value. Such changes are taken out. So a replay needs values only at its ends and at such
choices.

A rank is the share of replays in which the seat had less luck. Equal luck counts half. Its band is Wilson's score
interval for 95%, which is also good for shares near 0 and 1 (E. B. Wilson, JASA 22, 1927). With half counts a sample
varies less than with wins and losses only, so the band is wide enough.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import sqrt
from typing import Any

from pubdice.advice.coach import Coach
from pubdice.advice.review import between
from pubdice.core.cup import SeededCup
from pubdice.core.game import Seat
from pubdice.match.match import MatchState
from pubdice.solve.pauses import ResumableJob, ShouldYield, Steps, all_at_once
from pubdice.text.game_words import kept_names
from pubdice.text.language import Language, sentence

MOST_REPLAYS, LEAST_REPLAYS = 1_000, 20  # the most replays of a match, and the fewest for a rank

MOST_DECISIONS = 8_000
"""The most decisions in all replays together. Ten forced moves, rolls or draws count as one decision. All of them take
1 to 5 s, because the solver takes 0.1 to 0.5 ms for each. The replay under way is finished, because dropping it would
favour short replays.
"""

Z95 = 1.959963984540054
"""The quantile of the normal distribution for a two-sided interval of 95%."""


@dataclass(frozen=True, slots=True)
class LuckRank:
    """The share of replays in which a seat had less luck, and the band that covers the true share with 95%."""

    share: float
    low: float
    high: float

    def sentence(self, language: Language, name: str) -> str:
        """Return the rank as a sentence. ``name`` is "" if the seat is the reader's.

        If play was not the best, luck can lie outside all replays.
        """
        text = (
            "{name} had more luck than in {share} of the replays (95% sure: {range}).",
            "You had more luck than in {share} of the replays (95% sure: {range}).",
        )
        if self.share == 1:
            text = "{name} had more luck than in all replays.", "You had more luck than in all replays."
        if self.share == 0:
            text = "{name} had less luck than in all replays.", "You had less luck than in all replays."
        share, low, high = map(language.per_cent, (self.share, self.low, self.high))
        told = language.about(*text, name, share=share, range=language.range(low, high))
        return sentence(told, kept_names((name,)))


@dataclass(frozen=True, slots=True)
class LuckRanks:
    """Every seat's rank, and the number of replays. If there were too few replays, there are no ranks."""

    replays: int
    seats: tuple[LuckRank, ...] = ()

    def basis(self, language: Language) -> str:
        """Return a sentence on the number of replays behind the ranks, or on the reason if there are no ranks."""
        if not self.seats:
            return language.count(
                "This match is too long to replay often enough: {number} replay was possible.",
                "This match is too long to replay often enough: {number} replays were possible.",
                self.replays,
            )
        return language.say(
            "The house has replayed this match {number} times, with best play at every seat. Equal luck counts "
            "half. If choices were not the best, luck can lie outside all replays.",
            number=language.whole(self.replays),
        )

    def data(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the ranks as data for programs."""
        seats = {name: asdict(rank) for name, rank in zip(names, self.seats, strict=False)}
        return {"replays": self.replays, "seats": seats}


UNRANKED = LuckRanks(0)


class LuckSample:
    """Every seat's luck in the replays of one match.

    The replays run in steps, so other work can run in between. The replays do not depend on the pauses.
    """

    def __init__(self, coach: Coach, text: str) -> None:
        self._coach, self._match, self._solver = coach, coach.match, coach.solver
        self._cup, self._index, self.spent = SeededCup(sha256(text.encode()).hexdigest(), "replays"), 0, 0.0
        self._found: list[tuple[float, ...]] = []
        self._played = ResumableJob(self._playing())

    def go_on(self, enough: ShouldYield = all_at_once) -> bool:
        """Play on until ``enough`` returns true. Return True once all replays are played."""
        return self._played.go_on(enough) is not None

    def _playing(self) -> Steps[int]:
        """Play all replays. Return their number."""
        while len(self._found) < MOST_REPLAYS and self.spent < MOST_DECISIONS:
            one = yield from self.next_luck()
            if one is None:
                break
            self._found.append(one)
        return len(self._found)

    def ranks(self, luck: Sequence[float]) -> LuckRanks:
        """Rank these amounts of luck, one for each seat, among the replays so far."""
        number = len(self._found)
        if number < LEAST_REPLAYS:
            return LuckRanks(number)
        mine, same = enumerate(luck), self._coach.same
        return LuckRanks(number, tuple(_rank(each, [one[at] for one in self._found], same) for at, each in mine))

    def next_luck(self) -> Steps[tuple[float, ...] | None]:
        """Play the next replay, one move a step. Return every seat's luck, or None if the replay is too long."""
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
        """Return the state after one move.

        If the move is a choice among equally good actions, take its effect out of ``luck``.
        """
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


def _rank(mine: float, others: Sequence[float], same: float) -> LuckRank:
    less = sum(other < mine - same for other in others)
    equal = sum(abs(other - mine) <= same for other in others)
    share = (less + equal / 2) / len(others)
    return LuckRank(share, *wilson(share, len(others)))


def wilson(share: float, number: int) -> tuple[float, float]:
    """Return Wilson's score interval for 95%: bounds of the true share, from the share observed in a number of trials.

    >>> [round(end, 3) for end in wilson(0.5, 100)], [round(end, 3) for end in wilson(1.0, 20)]
    ([0.404, 0.596], [0.839, 1.0])
    """
    spread = Z95 * Z95 / number
    middle = (share + spread / 2) / (1 + spread)
    half = Z95 * sqrt(share * (1 - share) / number + spread / (4 * number)) / (1 + spread)
    return middle - half if share > 0 else 0.0, middle + half if share < 1 else 1.0
