"""The solved races of a game with the solver of this machine: with numpy, or brought by an annex."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from pubdice.core.dice import Hand
from pubdice.core.errors import Unsolved
from pubdice.core.game import HandState, Keep, Seat
from pubdice.match.match import Match, MatchState
from pubdice.solve.acceleration import numpy_there
from pubdice.solve.race.automaton import Automaton
from pubdice.solve.race.seat import HandRace, OneSeat, one_seat
from pubdice.solve.without_numpy import pure_python


class AnyRace(Protocol):
    """A solved race: values of every seat, the mover's first."""

    @property
    def automaton(self) -> Automaton:
        """The automaton that every seat is."""

    def value(self, stage: int, kinds: Sequence[int]) -> Any:
        """The value of each seat, the mover's first."""

    def after(self, stage: int, action: int, others: Sequence[int]) -> Any:
        """The same once the mover has taken an action and before its dice fall."""


class AnySolution(Protocol):
    """A race with the bound of its values, which counts those of later rounds too."""

    @property
    def race(self) -> AnyRace:
        """The race that was solved."""

    @property
    def bound(self) -> float:
        """No value is further off."""


class AnyRaces(Protocol):
    """The solved races of one automaton."""

    def solved(self, seats: int, drinks: bool) -> AnySolution:
        """The race of this many seats, or the round of drinks. Raises BadNotation, or Unsolved("needs-house")."""

    def odds(self, seats: int, drinks: bool) -> tuple[tuple[float, ...], float, float]:
        """Each seat's chance of winning, or of buying, from Player 1 on; their bound; NashConv."""


@cache
def races(game: HandRace, folder: Path | None) -> AnyRaces:
    """The solved races of these rules, one set a process."""
    if not numpy_there():
        brought: AnyRaces = pure_python().races(game)
        return brought
    found: AnyRaces = import_module("pubdice.solve.race.solutions").solutions(game, folder)
    return found


def keep_values(one: OneSeat, solved: AnySolution, stage: int, hands: Sequence[Hand]) -> tuple[tuple[Hand, float], ...]:
    """The mover's legal keeps with their values, in the rules' order.

    stage: the mover's place counted from Player 1. hands: the mover's first, the others in turn order.
    """
    others = [one.kind[hand] for hand in hands[1:]]
    value = {
        action: float(solved.race.after(stage, action, others)[0])
        for action in solved.race.automaton.choices[one.kind[hands[0]]]
    }
    return tuple((dice, value[action]) for dice, action in one.keeps[hands[0]])


def values_of_two(game: HandRace, own: Hand, other: Hand) -> dict[Hand, float]:
    """The dice that may be kept of a hand, in the rules' order, each with the chance to win a race of two."""
    return dict(keep_values(one_seat(game), races(game, None).solved(2, drinks=False), 0, (own, other)))


MOST_SOLVED_SEATS = 6
"""Seven take minutes and gigabytes (``benchmarks.fourtwenty --seven``), so only ``solutions`` itself has them."""
THE_ROUND, LEAVING = "the round", "leaving"
"""The prizes of matches (``Format.prize``)."""
WINNING, NOT_BUYING = "chance of winning", "chance of not buying"


def start_odds(match: Match[Any, Keep], folder: Path | None = None) -> dict[str, Any]:
    """Every table seat's chance to win, or to buy, before a match begins, as plain data, with bound and NashConv.

    Kept on disk by themselves, so a race of six is answered without its values. Raises Unsolved and BadNotation as
    ``HandRaceSolver`` does.
    """
    drinks = _drinks(match, HandRaceSolver.title)
    found, bound, nash_conv = races(match.game, folder).odds(match.seats, drinks)
    first, seats = match.first, match.seats
    chances = [sum(found) / seats if first is None else found[seat - first] for seat in range(seats)]
    name, utility = ("buy", NOT_BUYING) if drinks else ("win", WINNING)
    return {name: chances, "utility": utility, "bound": bound, "nash_conv": nash_conv}


class HandRaceSolver:
    """A match, race or drinks, solved (``solve.solver.Solver``).

    Of keeps equally good to the mover, the one with the fewest dice, and of these the first in the rules' order, is
    taken. Raises Unsolved for more than ``MOST_SOLVED_SEATS``, BadNotation for more than five who drink.

    States: the merged kinds of every seat's hand (``seat``), the mover first, and in drinks the mover's place counted
    from Player 1. Utilities: *winning the round* in a race, *not buying* in drinks, through all rounds to come. Bellman
    equation, equilibrium, ties, stopping rule, bound and references, and the rounds of drinks: ``solve.race.race``.
    With two seats values are unique; with more they are those of the equilibrium found, in which everybody plays one
    policy.
    """

    title = "This game"
    """Stands in refusals."""

    def __init__(self, match: Match[Any, Keep], folder: Path | None = None) -> None:
        self.match, self._drinks = match, _drinks(match, self.title)
        game = match.game  # whose state has hands: that is what this solver is asked for
        self._one = one_seat(game)
        self._solutions = races(game, folder)
        self._bound = self._solutions.solved(match.seats, self._drinks).bound

    @property
    def utility(self) -> str:
        """The name of what the solver maximises."""
        return NOT_BUYING if self._drinks else WINNING

    @property
    def bound(self) -> float:
        """No value differs from the true one by more than this."""
        return self._bound

    def values(self, state: MatchState[Any]) -> tuple[float, ...]:
        """Every table seat's value; before the draw, the mean over who may be drawn."""
        if state.over:
            champions = self.match.format.champions(state.tally)
            return tuple(float(seat in champions) for seat in range(self.match.seats))
        if state.round is None:
            drawn = [self.values(self.match.draw(state, seat)) for seat in map(Seat, range(self.match.seats))]
            return tuple(sum(column) / len(drawn) for column in zip(*drawn, strict=True))
        local = self._local(state.round)
        found = [1.0] * self.match.seats  # a seat that is out does not buy
        for place, seat in enumerate(state.order):
            found[seat] = local[(place - state.round.mover) % len(local)]
        return tuple(found)

    def action_values(self, state: MatchState[Any]) -> tuple[tuple[Keep, float], ...]:
        """The mover's legal keeps with their values, in the rules' order; none where there is no keep to choose."""
        if state.over or state.round is None or state.round.kept is not None:
            return ()
        hands = _from_mover(state.round)
        solved = self._solutions.solved(len(hands), self._drinks)
        return tuple((Keep(dice), value) for dice, value in keep_values(self._one, solved, state.round.mover, hands))

    def facts(self, state: MatchState[Any]) -> tuple[tuple[Keep, dict[str, float]], ...]:
        """For each keep, the chance that rolling the rest wins at once (``win_now``)."""
        keeps = self.action_values(state)
        if state.round is None or not keeps:
            return ()
        automaton, actions = self._one.automaton, dict(self._one.keeps[_from_mover(state.round)[0]])
        return tuple((keep, {"win_now": automaton.wins[actions[keep.dice]] / automaton.total}) for keep, _ in keeps)

    def _local(self, state: HandState) -> list[float]:
        hands = _from_mover(state)
        race = self._solutions.solved(len(hands), self._drinks).race
        kinds = [self._one.kind[hand] for hand in hands]
        if state.kept is None:
            found = race.value(state.mover, kinds)
        else:
            found = race.after(state.mover, dict(self._one.keeps[hands[0]])[state.kept], kinds[1:])
        return [float(value) for value in found]


def _drinks(match: Match[Any, Keep], title: str) -> bool:
    """True if a match is for drinks. Raises Unsolved if it is neither that nor a race, or has too many seats."""
    if match.seats > MOST_SOLVED_SEATS:
        raise Unsolved("too-many-seats", title=title, seats=match.seats, most=MOST_SOLVED_SEATS)
    if match.format.prize not in (THE_ROUND, LEAVING):
        raise Unsolved("format", title=title)
    return match.format.prize == LEAVING


def _from_mover(state: HandState) -> tuple[Hand, ...]:
    return (*state.hands[state.mover :], *state.hands[: state.mover])
