"""One match played from choice to choice, as numbers, for any learning framework."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pubdice.core.dice import Roll, hands
from pubdice.core.errors import Refused, Unsolved
from pubdice.core.game import KeepGame, Seat, TurnGame, shared_keep
from pubdice.kit import LUCKY, Kit
from pubdice.match.match import Match, MatchState
from pubdice.match.record import Drawn, Move, Played, Rolled, advance
from pubdice.solve.solver import Solver
from pubdice.solve.turns.turn_nodes import one_turn
from pubdice_lab.counting import SimulationPlan
from pubdice_lab.simulation import explained

SLOTS = 12
"""Numbers for each row of a state, such as dice, tiles or scores. Shorter rows end with ``NOTHING``."""
NOTHING, ABSENT = -1, -2
"""The padding of a row, and of a row whose value is None, such as the kept dice before a choice."""
LARGEST = 2**31 - 1
UNREACHED = 10_000.0
"""More than any score of a turn. A seat on its own gets scores as rewards."""
MOST_WITHOUT_CHOICE = 1_000
"""The most matches to begin until one has a choice."""


def action_list(game: Any) -> tuple[Any, ...]:
    """All actions of a game in a fixed order, by which they are numbered: its moves, or every keep of its dice."""
    if isinstance(game, KeepGame):
        rules: Any = game
        most = rules.to_roll(rules.start(max(2, game.least_seats)))
        return tuple([shared_keep(hand) for dice in range(most + 1) for hand in hands(dice, game.faces.sides)])
    return tuple(game.moves)


def observed(state: Any, rows: int) -> list[int]:
    """A state as numbers: each field a number, a row of ``SLOTS``, or ``rows`` rows (hands). Else raises TypeError."""
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
    """The next move without a choice: a draw, a roll, or the only legal action. None at a choice or the end."""
    if state.over:
        return None
    if match.to_draw(state):
        return Drawn(Seat(draw(match.seats)))
    if due := match.to_roll(state):
        return Rolled(roll(due))
    legal = match.legal(state)
    return Played(legal[0]) if len(legal) == 1 else None


def _ordered(game: Any) -> bool:
    """True if a better score is always larger, or always smaller if the lowest wins. A moon breaks this."""
    if not isinstance(game, TurnGame) or type(game).better is TurnGame.better:
        return True
    best_first = sorted([score for score in one_turn(game).scores if score >= 0], key=game.better, reverse=True)
    return best_first == sorted(best_first, reverse=not game.lowest_wins)


class StepwiseMatch:
    """One match played from choice to choice.

    ``header`` has lines of a record's header, such as ``format``. Without one, the match is one round if the game has
    such a format. ``illegal`` is the reward of an illegal action, below the reward of any legal one.

    Raises BadNotation, and Refused("alone") for a single seat in a game whose better scores are not always larger (or
    always smaller).
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

    def begin(self, random: np.random.Generator) -> None:
        """Begin a match, and play up to the first choice."""
        self.state = self.match.start()
        self._go_on(random)

    def until_choice(self, begin: Callable[[], None]) -> None:
        """Begin matches until one has a choice. Raises Refused("no-choice") after ``MOST_WITHOUT_CHOICE``."""
        for _ in range(MOST_WITHOUT_CHOICE):
            begin()
            if not self.state.over:
                return
        with explained():
            raise Refused("no-choice", most=MOST_WITHOUT_CHOICE)

    def play(self, action: int, random: np.random.Generator) -> None:
        """Play an action, then everything up to the next choice. Raises IllegalAction."""
        self.state = self.match.play(self.state, self.actions[action])
        self._go_on(random)

    def _go_on(self, random: np.random.Generator) -> None:
        while move := self.due(random):
            self.state = advance(self.match, self.state, move)

    def due(self, random: np.random.Generator) -> Move | None:
        """The next move without a choice (``due_move``)."""
        sides = self.match.game.faces.sides
        return due_move(
            self.match,
            self.state,
            lambda dice: tuple(map(int, random.integers(1, sides + 1, dice))),
            lambda seats: int(random.integers(seats)),
        )

    def observation(self) -> NDArray[np.int32]:
        """The current round as numbers, the same for every seat."""
        return self.seen(self.state)

    def seen(self, state: MatchState[Any]) -> NDArray[np.int32]:
        """The round of any state of the match, as numbers."""
        here = self.match.game.start(self.match.seats) if state.round is None else state.round
        return np.array(observed(here, self.match.seats), dtype=np.int32)

    def place(self, state: MatchState[Any], seat: Seat) -> int:
        """A seat's place in turn order. ``NOTHING`` before Player 1 is drawn."""
        return int(state.local(seat)) if seat in state.order else NOTHING

    def mask(self) -> NDArray[np.int8]:
        """[actions] 1 for each legal action."""
        found = np.zeros(len(self.actions), dtype=np.int8)
        found[[self.number[action] for action in self.match.legal(self.state)]] = 1
        return found

    def worth(self) -> dict[str, Any]:
        """The mover's ``value`` of the position, and [actions] the ``regret`` of each action, infinite if illegal.

        Empty if the match is unsolved or over.
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
        """Each seat's reward if the loser forfeits: the others share the match equally."""
        others = self.match.seats - 1
        return [(self.illegal if not others else 0.0) if seat == loser else 1 / others for seat in range(others + 1)]

    def rewards(self) -> list[float]:
        """Each seat's reward after the match: its share, or the score of a seat on its own."""
        if self.match.seats == 1:
            assert self.state.last is not None, "it is over"
            score = float(self.state.last.scores[0])
            return [-score if self.match.game.lowest_wins else score]
        return list(self.match.shares(self.state.tally))
