"""Matches as environments for learners: PettingZoo's AEC for all seats, Gymnasium for one seat among bots.

They need the extra ``environments``. They follow from the rules of any game. The environment rolls the dice and makes
forced moves, so an agent acts only at choices. Rewards come at the end: each seat's share of the match. A seat on its
own gets its score, negated if the lowest score wins. ``info`` has the measures of a learner: the exact ``value`` of the
position for the mover under best play by all, and the ``regret`` of every action.

An observation is the state of the rules as numbers (``stepwise.observed``). All players at a table see all of it.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction, ResetNeeded
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from pubdice.advice.bots import choose_action
from pubdice.core.errors import BadNotation
from pubdice.core.game import Seat
from pubdice_lab.simulation import explained
from pubdice_lab.stepwise import ABSENT, LARGEST, StepwiseMatch

YOU = "you"
"""The learner's name among the seats."""


def _space(table: StepwiseMatch, extra: int = 0) -> spaces.Dict:
    numbers = spaces.Box(ABSENT, LARGEST, (table.size + extra,), np.int32)
    return spaces.Dict({"observation": numbers, "action_mask": spaces.Box(0, 1, (len(table.actions),), np.int8)})


class RawRound(AECEnv[str, Any, Any]):  # type: ignore[misc]  # where the package has no types
    """A match for PettingZoo. ``aec`` adds the usual wrappers."""

    metadata: ClassVar[dict[str, Any]] = {"name": "pubdice_v0", "render_modes": [], "is_parallelizable": False}
    render_mode = None

    def __init__(self, game: str, seats: int = 2, **header: str) -> None:
        super().__init__()
        self.table = StepwiseMatch(game, seats, header)
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._space, self._actions = _space(self.table, 1), spaces.Discrete(len(self.table.actions))
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        """The same space for all agents."""
        return self._space

    def action_space(self, agent: str) -> Any:
        """Indices of ``action_list``."""
        return self._actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match with a choice for some seat. Raises Refused("no-choice") if none has one in 1,000 matches."""
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
        self.table.until_choice(lambda: self.table.begin(self._random))
        self._next()

    def step(self, action: Any) -> None:
        """Play an action of the selected agent."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.table.play(int(action), self._random)
        self._next()
        self._accumulate_rewards()

    def _next(self) -> None:
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
        """The round, then the agent's place in turn order. The mask is all 0 unless the agent is selected."""
        seat, state = Seat(self.possible_agents.index(agent)), self.table.state
        place = self.table.place(state, seat)
        chooses = not state.over and state.mover == seat
        mask = self.table.mask() if chooses else np.zeros(len(self.table.actions), dtype=np.int8)
        return {"observation": np.append(self.table.observation(), np.int32(place)), "action_mask": mask}

    def render(self) -> None:
        """Do nothing: there is no picture."""

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def aec(game: str, seats: int = 2, **header: str) -> Any:
    """A match for PettingZoo: ``aec("midnight", 2)``. An illegal action ends it (reward: ``StepwiseMatch.illegal``)."""
    with explained():
        plain = RawRound(game, seats, **header)
    raw = wrappers.TerminateIllegalWrapper(plain, illegal_reward=plain.table.illegal)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))


class SeatEnv(gymnasium.Env[dict[str, Any], Any]):
    """A match for Gymnasium with one learning seat: ``SeatEnv("midnight", ["tip", "you"])`` is the chase.

    ``seats`` has bots, and "you" once. A single seat plays one turn for the mean score. An illegal action ends the
    match with the reward ``StepwiseMatch.illegal``. The environment skips matches without a choice for the learner, so
    an episode's mean reward is not the learner's share of all matches. ``value`` and ``regret`` assume best play by the
    others. They are exact in a turn on its own, for the last seat to move, and against ``perfect``.
    """

    metadata = {"render_modes": []}  # noqa: RUF012  as the base class declares it

    def __init__(self, game: str, seats: Sequence[str] = (YOU,), **header: str) -> None:
        with explained():
            if list(seats).count(YOU) != 1:
                raise BadNotation("people-none")
            self.table, self.seat = StepwiseMatch(game, len(seats), header), list(seats).index(YOU)
            self.bots = [None if seat == YOU else self.table.plan.bot(seat) for seat in seats]
        self._over = True
        self.observation_space, self.action_space = _space(self.table), spaces.Discrete(len(self.table.actions))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin a match, up to the learner's first choice. Raises Refused("no-choice") if 1,000 matches have none."""
        super().reset(seed=seed)
        self.table.until_choice(self._begin)
        self._over = False
        return self._seen(), self.table.worth()

    def step(self, action: Any) -> Any:
        """Play an action, then the bots. Raises ResetNeeded after the end, InvalidAction for an invalid action."""
        if self._over:
            raise ResetNeeded("The match is over. Call reset to begin another.")
        if not self.action_space.contains(action):
            raise InvalidAction(f"Actions are whole numbers from 0 to {len(self.table.actions) - 1}.")
        if not self.table.mask()[int(action)]:
            self._over = True
            return self._seen(), self.table.illegal, True, False, self.table.worth()
        self.table.play(int(action), self.np_random)
        self._others()
        over = self._over = self.table.state.over
        return self._seen(), self.table.rewards()[self.seat] if over else 0.0, over, False, self.table.worth()

    def _begin(self) -> None:
        self.table.begin(self.np_random)
        self._others()

    def _others(self) -> None:
        table = self.table
        while not table.state.over and table.state.mover != self.seat:
            bot = self.bots[table.state.mover or 0]
            assert bot is not None, "all others are bots"
            action = choose_action(bot, table.match, table.state, lambda number: int(self.np_random.integers(number)))
            table.play(table.number[action], self.np_random)

    def _seen(self) -> dict[str, Any]:
        over = self.table.state.over
        mask = np.zeros(len(self.table.actions), dtype=np.int8) if over else self.table.mask()
        return {"observation": self.table.observation(), "action_mask": mask}
