"""Rounds as environments for learners: PettingZoo's AEC for all seats, Gymnasium for one seat among bots.

Needs the extra ``environments``. Derived from the rules, so no game is named. Dice are thrown, and moves with no
alternative made, by the environment; an agent acts where it has a choice. Rewards come at the end: each seat's share of
the match, or for a seat alone its score (where the lowest wins, its negative). ``info`` has what a learner is measured
by: the exact ``value`` of the position to the mover under best play by all, and the ``regret`` of every action.

Observations are the state as the rules have it, number for number (``observed``), which everybody at the table sees.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from pubdice.advice.bots import Perfect
from pubdice.core.dice import hands
from pubdice.core.errors import BadNotation, Unsolved
from pubdice.core.game import KeepGame, Seat, pick, shared_keep
from pubdice.kit import PERFECT, Kit
from pubdice.lab.simulation import SimulationPlan, explained
from pubdice.match.match import Match, MatchState
from pubdice.solve.solver import Solver

SLOTS = 12
"""Numbers kept of a row of a state, such as dice, tiles or scores; shorter rows end with ``NOTHING``."""
NOTHING, ABSENT = -1, -2
"""The rest of a row, and of one that is not there, as of dice kept while there is still a choice."""
LARGEST = 2**31 - 1
YOU = "you"
"""The learner's seat."""


def action_list(game: Any) -> tuple[Any, ...]:
    """All actions of a game in a fixed order, by which they are numbered: its moves, or every keep of its dice."""
    if isinstance(game, KeepGame):
        rules: Any = game
        most = rules.to_roll(rules.start(max(2, game.least_seats)))
        return tuple([shared_keep(hand) for dice in range(most + 1) for hand in hands(dice, game.faces.sides)])
    return tuple(game.moves)


def observed(state: Any, rows: int) -> list[int]:
    """A state as numbers: each field a number, or a row of ``SLOTS``; rows of rows, such as hands, ``rows`` of them.

    Raises TypeError for a state that has anything else.
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


class StepwiseMatch:
    """One match played step by step between choices.

    header: the lines of a record's header, such as ``format``; one round where the game has such a format.
    """

    def __init__(self, game: str, seats: int, header: Mapping[str, str]) -> None:
        self.kit: Kit = SimulationPlan(game, (), 1, "").kit
        usual = next((kind.name for kind in self.kit.formats if kind.name == "rounds"), "")
        given = {**({"format": "rounds 1"} if usual else {}), **header}
        self.match: Match[Any, Any] = SimulationPlan(game, ("lucky",) * seats, 1, "", tuple(given.items())).match()
        self.actions = action_list(self.match.game)
        self.number = {action: at for at, action in enumerate(self.actions)}
        self.state: MatchState[Any] = self.match.start()
        self.size = len(self.observation())
        self._solver: Solver | None = None
        self._unsolved = self.kit.solver is None

    @property
    def solver(self) -> Solver | None:
        """The solver of the match, None where it is not solved."""
        if self._solver is None and not self._unsolved:
            assert self.kit.solver is not None, "it has one"
            try:
                self._solver = self.kit.solver(self.match)
            except Unsolved:
                self._unsolved = True
        return self._solver

    def begin(self, random: np.random.Generator) -> None:
        """A fresh match, up to the first choice."""
        self.state = self.match.start()
        self._go_on(random)

    def play(self, action: int, random: np.random.Generator) -> None:
        """An action, and all that follows up to the next choice. Raises IllegalAction."""
        self.state = self.match.play(self.state, self.actions[action])
        self._go_on(random)

    def _go_on(self, random: np.random.Generator) -> None:
        match = self.match
        while not self.state.over:
            due = match.to_roll(self.state)
            if match.to_draw(self.state):
                self.state = match.draw(self.state, Seat(int(random.integers(match.seats))))
            elif due:
                dice = tuple(sorted(map(int, random.integers(1, match.game.faces.sides + 1, due))))
                self.state = match.roll(self.state, dice)
            else:
                legal = match.legal(self.state)
                if len(legal) > 1:
                    return
                self.state = match.play(self.state, legal[0])

    def observation(self) -> NDArray[np.int32]:
        """The round as numbers, the same for every seat."""
        state = self.match.game.start(self.match.seats) if self.state.round is None else self.state.round
        return np.array(observed(state, self.match.seats), dtype=np.int32)

    def mask(self) -> NDArray[np.int8]:
        """[actions] 1 for those that are legal now."""
        found = np.zeros(len(self.actions), dtype=np.int8)
        found[[self.number[action] for action in self.match.legal(self.state)]] = 1
        return found

    def worth(self) -> dict[str, Any]:
        """The ``value`` of the position to the mover, and [actions] the ``regret`` of each, infinite for illegal ones.

        Empty where the match is not solved, or nobody chooses.
        """
        if self.state.over or self.solver is None:
            return {}
        valued = self.solver.action_values(self.state)
        best = max([value for _, value in valued], default=0.0)
        regret = np.full(len(self.actions), np.inf)
        for action, value in valued:
            regret[self.number[action]] = best - value
        return {"value": best, "regret": regret}

    def rewards(self) -> list[float]:
        """Each seat's, once the match is over: its share, or a seat alone its score."""
        if self.match.seats == 1:
            assert self.state.last is not None, "it is over"
            score = float(self.state.last.scores[0])
            return [-score if self.match.game.lowest_wins else score]
        champions = self.match.format.champions(self.state.tally)
        return [(seat in champions) / len(champions) for seat in range(self.match.seats)]

    def space(self, extra: int = 0) -> spaces.Dict:
        """Observations: the round with some numbers more, and the mask of legal actions."""
        numbers = spaces.Box(ABSENT, LARGEST, (self.size + extra,), np.int32)
        return spaces.Dict({"observation": numbers, "action_mask": spaces.Box(0, 1, (len(self.actions),), np.int8)})


class RawRound(AECEnv[str, Any, Any]):  # type: ignore[misc]  # where the package has no types
    """A match for PettingZoo; ``aec`` wraps it as others are."""

    metadata: ClassVar[dict[str, Any]] = {"name": "pubdice_v0", "render_modes": [], "is_parallelizable": False}
    render_mode = None

    def __init__(self, game: str, seats: int = 2, **header: str) -> None:
        super().__init__()
        self.table = StepwiseMatch(game, seats, header)
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._space, self._actions = self.table.space(1), spaces.Discrete(len(self.table.actions))
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        """The same for all."""
        return self._space

    def action_space(self, agent: str) -> Any:
        """Numbers of ``action_list``."""
        return self._actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
            for agent in self.possible_agents:
                self.action_space(agent).seed(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self.table.begin(self._random)
        self._next()

    def step(self, action: Any) -> None:
        """Play an action of the agent selected."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.table.play(int(action), self._random)
        self._next()
        self._accumulate_rewards()

    def _next(self) -> None:
        """Select who chooses next, or end."""
        state = self.table.state
        if state.over:
            self.rewards = dict(zip(self.agents, self.table.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {agent: {} for agent in self.agents}
            return
        assert state.mover is not None, "somebody chooses"
        self.agent_selection = self.possible_agents[state.mover]
        self.infos[self.agent_selection] = self.table.worth()

    def observe(self, agent: str) -> dict[str, Any]:
        """The round, with the agent's place in turn order last; and what it may do, nothing unless it is selected."""
        seat, state = Seat(self.possible_agents.index(agent)), self.table.state
        place = state.local(seat) if seat in state.order else NOTHING
        chooses = not state.over and state.mover == seat
        mask = self.table.mask() if chooses else np.zeros(len(self.table.actions), dtype=np.int8)
        return {"observation": np.append(self.table.observation(), np.int32(place)), "action_mask": mask}

    def render(self) -> None:
        """Nothing is drawn."""

    def close(self) -> None:
        """Nothing is held."""


def aec(game: str, seats: int = 2, **header: str) -> Any:
    """A match for PettingZoo: ``aec("midnight", 2)``. An illegal action ends it, with a reward of -1."""
    with explained():
        plain = RawRound(game, seats, **header)
    raw = wrappers.TerminateIllegalWrapper(plain, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))


class SeatEnv(gymnasium.Env[dict[str, Any], Any]):
    """A match for Gymnasium, in which one seat learns: ``SeatEnv("midnight", ["tip", "you"])`` is the chase.

    seats: bots, and "you" once; alone it is one turn for the mean score. An illegal action ends it with a reward of -1.
    ``value`` and ``regret`` take it that the others play best, so they are exact in a turn alone, for who moves last,
    and against ``perfect``.
    """

    metadata = {"render_modes": []}  # noqa: RUF012  as the base class declares it

    def __init__(self, game: str, seats: Sequence[str] = (YOU,), **header: str) -> None:
        with explained():
            if list(seats).count(YOU) != 1:
                raise BadNotation("people-none")
            self.table, self.seat = StepwiseMatch(game, len(seats), header), list(seats).index(YOU)
            bots = self.table.kit.bots
            for seat in seats:
                if seat != YOU and seat not in bots:
                    raise BadNotation("bot", found=seat, bots=bots)
            if PERFECT in seats and self.table.solver is None and self.table.kit.solver is not None:
                self.table.kit.solver(self.table.match)  # raises why it is not solved
        self.seats = tuple(seats)
        self.observation_space, self.action_space = self.table.space(), spaces.Discrete(len(self.table.actions))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin a match; up to the first choice of the learner. Where it has none, another is begun."""
        super().reset(seed=seed)
        while True:
            self.table.begin(self.np_random)
            self._others()
            if not self.table.state.over:
                return self._seen(), self.table.worth()

    def step(self, action: Any) -> Any:
        """Play an action, and the bots after it."""
        if not self.table.mask()[int(action)]:
            return self._seen(), -1.0, True, False, {}
        self.table.play(int(action), self.np_random)
        self._others()
        over = self.table.state.over
        return self._seen(), self.table.rewards()[self.seat] if over else 0.0, over, False, self.table.worth()

    def _others(self) -> None:
        table = self.table
        while not table.state.over and table.state.mover != self.seat:
            assert table.state.mover is not None, "somebody chooses"
            name = self.seats[table.state.mover]
            if name == PERFECT:
                assert table.solver is not None, "asked as it sat down"
                action = Perfect(table.solver).action(table.state)
            else:
                weighted = table.kit.policies[name](table.match.game, table.state.round)
                action = pick(weighted, lambda number: int(self.np_random.integers(number)))
            table.play(table.number[action], self.np_random)

    def _seen(self) -> dict[str, Any]:
        over = self.table.state.over
        mask = np.zeros(len(self.table.actions), dtype=np.int8) if over else self.table.mask()
        return {"observation": self.table.observation(), "action_mask": mask}
