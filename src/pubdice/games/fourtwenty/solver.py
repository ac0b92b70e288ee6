"""420 solved: values of any state of a match, chances of each seat, and the value of every keep.

States: the merged kinds of every seat's hand (``seat``), the mover first, and in drinks the mover's place counted from
Player 1. Utilities: *winning the round* in a race, *not buying* in drinks, through all rounds to come. Bellman
equation, equilibrium, ties, stopping rule, bound and references: ``solve.race``; the rounds of drinks:
``solve.dropout``. With two seats values are unique; with more they are those of the equilibrium found, in which
everybody plays one policy.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pubdice.dice import Hand
from pubdice.formats import Drinks, Race
from pubdice.game import Keep, Seat
from pubdice.games.fourtwenty.position import check
from pubdice.games.fourtwenty.rules import FourTwenty, Hands
from pubdice.games.fourtwenty.seat import OneSeat, one_seat, reroll
from pubdice.games.fourtwenty.solutions import Solution, Solutions
from pubdice.match import Match, MatchState

GAME = FourTwenty()


@dataclass(frozen=True, slots=True)
class Odds:
    """``chances``: of winning the race, or of buying the drinks, for each seat from Player 1 on.

    No chance is further off than ``bound``; ``nash_conv`` is what all seats could gain by leaving the policy,
    together.
    """

    chances: tuple[float, ...]
    bound: float
    nash_conv: float


@dataclass(frozen=True, slots=True)
class Advice:
    """``value`` to the mover, and of each legal keep; ``bound`` for every one of them.

    The keeps stand in the rules' order. A seat that has not rolled yet has nothing to choose, and no keeps.
    """

    value: float
    keeps: tuple[tuple[Hand, float], ...]
    bound: float


@cache
def solutions(game: FourTwenty, folder: Path | None) -> Solutions:
    """The solutions of these rules, one set a process."""
    return Solutions(one_seat(game).automaton, folder)


def odds(seats: int, drinks: bool = False, folder: Path | None = None) -> Odds:
    """The chances at a cleared table. Raises BadNotation if so many seats are not solved."""
    return Odds(*solutions(GAME, folder).odds(seats, drinks))


def advise(
    hands: Sequence[Hand], drinks: bool = False, player_one: int | None = None, folder: Path | None = None
) -> Advice:
    """The value of a position and of each keep.

    hands: the mover's first, the others in turn order, ``()`` for a seat that has not rolled. player_one: whose hand
    of these opened the round, by its place among them from 0; where some seat has not rolled it follows from that,
    else it is the mover if not given. It makes a difference in drinks only. Raises BadNotation for what cannot occur.
    """
    one = one_seat(GAME)
    stage, hands = check(hands, player_one)
    solved = solutions(GAME, folder).solved(len(hands), drinks)
    value = float(solved.race.value(stage, [one.kind[hand] for hand in hands])[0])
    keeps = _keeps(one, solved, stage, hands) if hands[0] else ()
    return Advice(value, keeps, solved.bound)


def _keeps(one: OneSeat, solved: Solution, stage: int, hands: Sequence[Hand]) -> tuple[tuple[Hand, float], ...]:
    others = [one.kind[hand] for hand in hands[1:]]
    value = {
        action: float(solved.race.after(stage, action, others)[0])
        for action in solved.race.automaton.choices[one.kind[hands[0]]]
    }
    return tuple((dice, value[action]) for dice, action in one.keeps[hands[0]])


class FourTwentySolver:
    """A match of 420, race or drinks, solved (``solve.solver.Solver``).

    Where keeps are equally good to the mover, the one with the fewest dice, and of these the first in the rules'
    order, is taken. Raises BadNotation if so many seats are not solved.
    """

    def __init__(self, match: Match[Hands, Keep], folder: Path | None = None) -> None:
        if not isinstance(match.game, FourTwenty) or not isinstance(match.format, Race | Drinks):
            raise ValueError(f"no match of 420: {match}")
        self.match = match
        self._drinks = isinstance(match.format, Drinks)
        self._one = one_seat(match.game)
        self._solutions = solutions(match.game, folder)
        self._bound = self._solutions.solved(match.seats, self._drinks).bound

    @property
    def utility(self) -> str:
        """What is maximised."""
        return "chance of not buying" if self._drinks else "chance of winning"

    @property
    def bound(self) -> float:
        """No value differs from the true one by more than this."""
        return self._bound

    def values(self, state: MatchState[Hands]) -> tuple[float, ...]:
        """Every table seat's value; before the draw, the mean over who may be drawn."""
        if state.over:
            champions = self.match.format.champions(state.tally)
            return tuple(float(seat in champions) for seat in range(self.match.seats))
        if state.round is None:
            drawn = [self.values(self.match.draw(state, seat)) for seat in map(Seat, range(self.match.seats))]
            return tuple(sum(column) / len(drawn) for column in zip(*drawn, strict=True))
        local = self._local(state.round)
        found = [1.0] * self.match.seats  # whoever is out does not buy
        for place, seat in enumerate(state.order):
            found[seat] = local[(place - state.round.mover) % len(local)]
        return tuple(found)

    def action_values(self, state: MatchState[Hands]) -> tuple[tuple[Keep, float], ...]:
        """The mover's legal keeps with their values, in the rules' order; none unless a keep is to be chosen."""
        if state.over or state.round is None or state.round.kept is not None:
            return ()
        hands = _from_mover(state.round)
        solved = self._solutions.solved(len(hands), self._drinks)
        return tuple((Keep(dice), value) for dice, value in _keeps(self._one, solved, state.round.mover, hands))

    def facts(self, state: MatchState[Hands]) -> tuple[tuple[Keep, dict[str, float]], ...]:
        """For each keep, the chances that rerolling the rest wins at once (``win_now``) and goes over (``over``)."""
        return tuple((keep, reroll(keep.dice)) for keep, _ in self.action_values(state))

    def _local(self, state: Hands) -> list[float]:
        hands = _from_mover(state)
        race = self._solutions.solved(len(hands), self._drinks).race
        kinds = [self._one.kind[hand] for hand in hands]
        if state.kept is None:
            found = race.value(state.mover, kinds)
        else:
            found = race.after(state.mover, dict(self._one.keeps[hands[0]])[state.kept], kinds[1:])
        return [float(value) for value in found]


def _from_mover(state: Hands) -> tuple[Hand, ...]:
    return (*state.hands[state.mover :], *state.hands[: state.mover])
