"""A match that is played from choice to choice, with its states as numbers, for any framework of machine learning."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pubdice.core.dice import Roll, hands
from pubdice.core.errors import Refused, Unsolved
from pubdice.core.game import CanonicalStates, KeepGame, Seat, TurnGame, shared_keep
from pubdice.kit import LUCKY, Kit
from pubdice.match.match import Match, MatchState
from pubdice.match.record import Drawn, Move, Played, Rolled, advance
from pubdice.solve.solver import Solver
from pubdice.solve.turns.turn_nodes import one_turn
from pubdice_lab.counting import SimulationPlan
from pubdice_lab.features import ABSENT, LARGEST, NOTHING, SLOTS, Feature, features
from pubdice_lab.simulation import explained

UNREACHED = 10_000.0
"""A number above any score of a turn. A single seat gets its score as the reward."""
MOST_POSITIONS = 200_000
"""The most positions of a turn that are visited for its longest course."""
MOST_WITHOUT_CHOICE = 1_000
"""The most matches that are begun in search of one with a choice."""


def action_list(game: Any) -> tuple[Any, ...]:
    """Return all actions of a game in a fixed order: its moves, or every keep of its dice. The order numbers them."""
    if isinstance(game, KeepGame):
        rules: Any = game
        most = rules.to_roll(rules.start(max(2, game.least_seats)))
        return tuple([shared_keep(hand) for dice in range(most + 1) for hand in hands(dice, game.faces.sides)])
    return tuple(game.moves)


def observed(state: Any, rows: int) -> list[int]:
    """Return a state as a list of numbers.

    A field is one number, a row of ``SLOTS`` numbers, or ``rows`` such rows (hands). Raises TypeError for any other
    field.
    """
    found: list[int] = []
    for field in fields(state):
        value = getattr(state, field.name)
        if value is None or (isinstance(value, tuple) and not (value and isinstance(value[0], tuple))):
            found += _slots(value or (), ABSENT if value is None else NOTHING)
        elif isinstance(value, tuple):
            for row in (*value, *[()] * (rows - len(value))):
                found += _slots(row, NOTHING)
        elif isinstance(value, int):
            found.append(int(value))
        else:
            raise TypeError(f"{field.name} is neither a number nor a row of numbers")
    return found


def _slots(row: Sequence[int], rest: int) -> list[int]:
    if len(row) > SLOTS:
        raise TypeError(f"a row of {len(row)} numbers, and the most are {SLOTS}")
    return [*map(int, row), *[rest] * (SLOTS - len(row))]


def due_move(
    match: Match[Any, Any], state: MatchState[Any], roll: Callable[[int], Roll], draw: Callable[[int], int]
) -> Move | None:
    """Return the next move if no player has to choose: a draw, a roll, or the only legal action. Otherwise return
    None.
    """
    if state.over:
        return None
    if match.to_draw(state):
        return Drawn(Seat(draw(match.seats)))
    if due := match.to_roll(state):
        return Rolled(roll(due))
    legal = match.legal(state)
    return Played(legal[0]) if len(legal) == 1 else None


@lru_cache(maxsize=64)
def longest_turn(game: Any) -> int | None:
    """Return the most choices of a turn. A choice of one action counts too.

    Return None if a turn has no end, or more than ``MOST_POSITIONS`` positions. Also return None if a seat may have
    several turns in a round. In a round of one turn a seat, the end of a turn adds the score to ``scores``.
    """
    fresh = game.start(max(1, game.least_seats))
    first, scored = game.mover(fresh), getattr(fresh, "scores", None)
    same = game.canonical if isinstance(game, CanonicalStates) else lambda state: state
    most: dict[Any, int | None] = {}

    def left(state: Any) -> int:
        if game.mover(state) != first:
            if scored is None or len(state.scores) == len(scored):
                raise _EndlessError
            return 0
        state = same(state)
        if state not in most:
            most[state] = None  # until its successors are known
            if len(most) > MOST_POSITIONS:
                raise _EndlessError
            if due := game.to_roll(state):
                most[state] = max(left(game.roll(state, hand)) for hand in hands(due, game.faces.sides))
            else:
                most[state] = 1 + max(left(game.play(state, action)) for action in game.legal(state))
        if (found := most[state]) is None:
            raise _EndlessError
        return found

    with suppress(_EndlessError):
        return left(fresh)
    return None


class _EndlessError(Exception):
    """The sign that a turn has no longest course."""


def _ordered(game: Any) -> bool:
    """Return True if a better score is always a larger number (a smaller one if the lowest wins). A moon breaks this
    order.
    """
    if not isinstance(game, TurnGame) or type(game).better is TurnGame.better:
        return True
    best_first = sorted([score for score in one_turn(game).scores if score >= 0], key=game.better, reverse=True)
    return best_first == sorted(best_first, reverse=not game.lowest_wins)


class StepwiseMatch:
    """One match that is played from choice to choice.

    ``header`` has lines of a record's header, such as ``format``. If it names no format, the match is one round, in
    games with that format. ``illegal`` is the reward of an illegal action. It is below the reward of any legal one.

    Raises BadNotation. Raises Refused("alone") for a single seat in a game in which a better score is not always a
    larger number (or always a smaller one).
    """

    def __init__(self, game: str, seats: int, header: Mapping[str, str]) -> None:
        self.kit: Kit = SimulationPlan(game, (), 1, "").kit
        lines = tuple({**self.kit.one_round, **header}.items())
        self.plan = SimulationPlan(game, (LUCKY,) * seats, 1, "", lines)
        self.match: Match[Any, Any] = self.plan.match()
        if seats == 1 and not _ordered(self.match.game):
            raise Refused("alone")
        self.illegal = -1.0 if seats > 1 else -UNREACHED
        self.actions = action_list(self.match.game)
        self.number = {action: at for at, action in enumerate(self.actions)}
        self.state: MatchState[Any] = self.match.start()
        self.size = len(self.observation())

    @cached_property
    def solver(self) -> Solver | None:
        """The solver of the match. None if the match is not solved."""
        with suppress(Unsolved):
            return self.plan.solver()
        return None

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        """The name, range and unit of each number of an observation."""
        return features(self.match.game, self.match.seats)

    @cached_property
    def numbers(self) -> type[np.integer[Any]]:
        """The type of the numbers: of 32 bits, or of 64 if a feature is larger, as twelve tiles read as digits are."""
        return np.int32 if all(each.high <= LARGEST for each in self.features) else np.int64

    def begin(self, random: np.random.Generator) -> None:
        """Begin a match and play up to the first choice."""
        self.state = self.match.start()
        self._go_on(random)

    def until_choice(self, begin: Callable[[], None]) -> None:
        """Begin matches until one has a choice. Raises Refused("no-choice") after ``MOST_WITHOUT_CHOICE`` matches."""
        for _ in range(MOST_WITHOUT_CHOICE):
            begin()
            if not self.state.over:
                return
        with explained():
            raise Refused("no-choice", most=MOST_WITHOUT_CHOICE)

    def play(self, action: int, random: np.random.Generator) -> None:
        """Play an action, and then everything up to the next choice. Raises IllegalAction."""
        self.state = self.match.play(self.state, self.actions[action])
        self._go_on(random)

    def _go_on(self, random: np.random.Generator) -> None:
        while move := self.due(random):
            self.state = advance(self.match, self.state, move)

    def due(self, random: np.random.Generator) -> Move | None:
        """Return the next move if no player has to choose (``due_move``)."""
        sides = self.match.game.faces.sides
        return due_move(
            self.match,
            self.state,
            lambda dice: tuple(map(int, random.integers(1, sides + 1, dice))),
            lambda seats: int(random.integers(seats)),
        )

    def observation(self) -> NDArray[Any]:
        """Return the current round as numbers. It is the same for every seat."""
        return self.seen(self.state)

    def seen(self, state: MatchState[Any]) -> NDArray[Any]:
        """Return the round of a state of the match as numbers."""
        here = self.match.game.start(self.match.seats) if state.round is None else state.round
        return np.array(observed(here, self.match.seats), dtype=self.numbers)

    def place(self, state: MatchState[Any], seat: Seat) -> int:
        """Return a seat's place in turn order, from 0. ``NOTHING`` before Player 1 is drawn."""
        return int(state.local(seat)) if seat in state.order else NOTHING

    def mask(self) -> NDArray[np.int8]:
        """Return [actions] 1 for each legal action, and 0 for all others.

        After the match, all are 1. An environment that resets itself takes one more action, and does not play it.
        """
        if self.state.over:
            return np.ones(len(self.actions), dtype=np.int8)
        found = np.zeros(len(self.actions), dtype=np.int8)
        found[[self.number[action] for action in self.match.legal(self.state)]] = 1
        return found

    def worth(self) -> dict[str, Any]:
        """Return the mover's ``value`` of the position, and [actions] the ``regret`` of each action: the value that it
        loses.

        The regret of an illegal action is infinite. Returns {} if the match is not solved, or over.
        """
        if self.state.over or self.solver is None:
            return {}
        valued = self.solver.action_values(self.state)
        best = max([value for _, value in valued], default=0.0)
        regret = np.full(len(self.actions), np.inf)
        for action, value in valued:
            regret[self.number[action]] = best - value
        return {"value": best, "regret": regret}

    def forfeited(self, loser: int) -> list[float]:
        """Return each seat's reward if one seat forfeits the match. The other seats share the match equally."""
        others = self.match.seats - 1
        return [(self.illegal if not others else 0.0) if seat == loser else 1 / others for seat in range(others + 1)]

    def rewards(self) -> list[float]:
        """Return each seat's reward after the match: its share of the match. A single seat gets its score."""
        if self.match.seats == 1:
            assert self.state.last is not None, "it is over"
            score = float(self.state.last.scores[0])
            return [-score if self.match.game.lowest_wins else score]
        return list(self.match.shares(self.state.tally))
