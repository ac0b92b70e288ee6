"""The solved races of a game. numpy solves them if it is installed, otherwise an annex (``without_numpy``)."""

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
    """The questions that a solved race answers, however it was solved."""

    @property
    def automaton(self) -> Automaton:
        """The automaton that describes every seat."""

    def value(self, stage: int, kinds: Sequence[int]) -> Any:
        """Return the value of each seat in turn order, the mover's first."""

    def after(self, stage: int, action: int, others: Sequence[int]) -> Any:
        """Return the value of each seat, the mover's first, after the mover's choice and before its dice fall."""


class AnySolution(Protocol):
    """A race with the error bound of its values. In drinks, the bound includes the errors of later rounds."""

    @property
    def race(self) -> AnyRace:
        """The race that was solved."""

    @property
    def bound(self) -> float:
        """The error bound of a value."""


class AnyRaces(Protocol):
    """The solved races of one automaton."""

    def solved(self, seats: int, drinks: bool) -> AnySolution:
        """Return the race of this many seats. If ``drinks``, return the first round of drinks with this many seats.

        Raises BadNotation if there are too many or too few seats, or Unsolved("needs-house") if only a house with numpy
        can solve it.
        """

    def odds(self, seats: int, drinks: bool) -> tuple[tuple[float, ...], float, float]:
        """Return (each seat's chance from Player 1 on, its error bound, NashConv).

        The chance is to win the race, or if ``drinks`` to buy.
        """


@cache
def races(game: HandRace, folder: Path | None) -> AnyRaces:
    """Return the solved races of these rules, cached in the process."""
    if not numpy_there():
        brought: AnyRaces = pure_python().races(game)
        return brought
    found: AnyRaces = import_module("pubdice.solve.race.solutions").solutions(game, folder)
    return found


def keep_values(one: OneSeat, solved: AnySolution, stage: int, hands: Sequence[Hand]) -> tuple[tuple[Hand, float], ...]:
    """Return the mover's legal keeps with their values, in the rules' order.

    ``hands``: every seat's hand in turn order, the mover's first.
    """
    others = [one.kind[hand] for hand in hands[1:]]
    value = {
        action: float(solved.race.after(stage, action, others)[0])
        for action in solved.race.automaton.choices[one.kind[hands[0]]]
    }
    return tuple((dice, value[action]) for dice, action in one.keeps[hands[0]])


def values_of_two(game: HandRace, own: Hand, other: Hand) -> dict[Hand, float]:
    """Return the legal keeps of a hand, in the rules' order, each with the chance to win a race of two."""
    return dict(keep_values(one_seat(game), races(game, None).solved(2, drinks=False), 0, (own, other)))


MOST_SOLVED_SEATS = 6
"""The most seats of a match that is solved. Seven seats would take minutes and gigabytes (``benchmarks.fourtwenty
--seven``), so only a direct call of ``solutions`` solves them."""
THE_ROUND, LEAVING = "the round", "leaving"
"""The prizes (``Format.prize``) of a race and of drinks."""
WINNING, NOT_BUYING = "chance of winning", "chance of not buying"


def start_odds(match: Match[Any, Keep], folder: Path | None = None) -> dict[str, Any]:
    """Return every seat's chance to win or to buy before a match begins, the error bound and NashConv, as plain data.

    The chances have a file of their own in the folder, so the values of a race of six need not be read for them. Raises
    Unsolved and BadNotation, like ``HandRaceSolver``.
    """
    drinks = _drinks(match, HandRaceSolver.title)
    found, bound, nash_conv = races(match.game, folder).odds(match.seats, drinks)
    first, seats = match.first, match.seats
    chances = [sum(found) / seats if first is None else found[seat - first] for seat in range(seats)]
    name, utility = ("buy", NOT_BUYING) if drinks else ("win", WINNING)
    return {name: chances, "utility": utility, "bound": bound, "nash_conv": nash_conv}


class HandRaceSolver:
    """The solver of a match of races, for one round or for drinks (``solve.solver.Solver``).

    Of keeps that are equally good to the mover, it takes the one with the fewest dice, and of these the first in the
    rules' order. Raises Unsolved for more than ``MOST_SOLVED_SEATS``, and BadNotation for more than five seats in
    drinks.

    States: the kinds of every seat's hand (``seat``), the mover first, and in drinks the mover's place counted from
    Player 1. Utilities: *winning the round* in a race, *not buying* in drinks, through all rounds to come.
    ``solve.race.race`` has the Bellman equation, equilibrium, ties, stopping rule, bound, references, and the rounds of
    drinks. With two seats values are unique. With more seats they are the values of the equilibrium found, in which all
    seats play one policy.
    """

    title = "This game"
    """The game's name in the texts of refusals."""

    def __init__(self, match: Match[Any, Keep], folder: Path | None = None) -> None:
        self.match, self._drinks = match, _drinks(match, self.title)
        game = match.game  # the states of this game must have hands
        self._one = one_seat(game)
        self._solutions = races(game, folder)
        self._bound = self._solutions.solved(match.seats, self._drinks).bound

    @property
    def utility(self) -> str:
        """The name of the utility that the seats maximise."""
        return NOT_BUYING if self._drinks else WINNING

    @property
    def bound(self) -> float:
        """The error bound of a value."""
        return self._bound

    def values(self, state: MatchState[Any]) -> tuple[float, ...]:
        """Return the value of every seat at the table. Before the draw, it is the mean over all possible draws."""
        if state.over:
            champions = self.match.format.champions(state.tally)
            return tuple(float(seat in champions) for seat in range(self.match.seats))
        if state.round is None:
            drawn = [self.values(self.match.draw(state, seat)) for seat in map(Seat, range(self.match.seats))]
            return tuple(sum(column) / len(drawn) for column in zip(*drawn, strict=True))
        local = self._local(state.round)
        found = [1.0] * self.match.seats  # a seat that is out does not buy, so its value is 1
        for place, seat in enumerate(state.order):
            found[seat] = local[(place - state.round.mover) % len(local)]
        return tuple(found)

    def action_values(self, state: MatchState[Any]) -> tuple[tuple[Keep, float], ...]:
        """Return the mover's legal keeps with their values, in the rules' order.

        If there is no choice, return an empty tuple.
        """
        if state.over or state.round is None or state.round.kept is not None:
            return ()
        hands = _from_mover(state.round)
        solved = self._solutions.solved(len(hands), self._drinks)
        return tuple((Keep(dice), value) for dice, value in keep_values(self._one, solved, state.round.mover, hands))

    def facts(self, state: MatchState[Any]) -> tuple[tuple[Keep, dict[str, float]], ...]:
        """Return for each keep the chance that rolling the other dice wins at once (``win_now``)."""
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
    """Return True if the match is for drinks, False if it is a race.

    Raises Unsolved if its format is neither, or if it has too many seats.
    """
    if match.seats > MOST_SOLVED_SEATS:
        raise Unsolved("too-many-seats", title=title, seats=match.seats, most=MOST_SOLVED_SEATS)
    if match.format.prize not in (THE_ROUND, LEAVING):
        raise Unsolved("format", title=title)
    return match.format.prize == LEAVING


def _from_mover(state: HandState) -> tuple[Hand, ...]:
    return (*state.hands[state.mover :], *state.hands[: state.mover])
