"""Rounds as environments for learners: PettingZoo's AEC for all seats, Gymnasium for one seat among bots.

Needs the extra ``environments``. Derived from the rules, so no game is named. Dice are thrown, and moves with no
alternative made, by the environment; an agent acts where it has a choice. Rewards come at the end: each seat's share of
the match, or for a seat alone its score (where the lowest wins, its negative). ``info`` has what a learner is measured
by: the exact ``value`` of the position to the mover under best play by all, and the ``regret`` of every action.

Observations are the state as the rules have it, number for number (``stepwise.observed``), which everybody at the table
sees.
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
"""The learner's seat."""


def _space(table: StepwiseMatch, extra: int = 0) -> spaces.Dict:
    """Observations: the round with some numbers more, and the mask of legal actions."""
    numbers = spaces.Box(ABSENT, LARGEST, (table.size + extra,), np.int32)
    return spaces.Dict({"observation": numbers, "action_mask": spaces.Box(0, 1, (len(table.actions),), np.int8)})


class RawRound(AECEnv[str, Any, Any]):  # type: ignore[misc]  # where the package has no types
    """A match for PettingZoo; ``aec`` wraps it as others are."""

    metadata: ClassVar[dict[str, Any]] = {"name": "pubdice_v0", "render_modes": [], "is_parallelizable": False}
    render_mode = None

    def __init__(self, game: str, seats: int = 2, **header: str) -> None:
        super().__init__()
        self.table = StepwiseMatch(game, seats, header)
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._space, self._actions = _space(self.table, 1), spaces.Discrete(len(self.table.actions))
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        """The same for all."""
        return self._space

    def action_space(self, agent: str) -> Any:
        """Numbers of ``action_list``."""
        return self._actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; where nobody has a choice, another. Raises Refused("no-choice") as ``SeatEnv.reset``."""
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
        place = self.table.place(state, seat)
        chooses = not state.over and state.mover == seat
        mask = self.table.mask() if chooses else np.zeros(len(self.table.actions), dtype=np.int8)
        return {"observation": np.append(self.table.observation(), np.int32(place)), "action_mask": mask}

    def render(self) -> None:
        """Nothing is drawn."""

    def close(self) -> None:
        """Nothing is held."""


def aec(game: str, seats: int = 2, **header: str) -> Any:
    """A match for PettingZoo: ``aec("midnight", 2)``. An illegal action ends it, with ``StepwiseMatch.illegal``."""
    with explained():
        plain = RawRound(game, seats, **header)
    raw = wrappers.TerminateIllegalWrapper(plain, illegal_reward=plain.table.illegal)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))


class SeatEnv(gymnasium.Env[dict[str, Any], Any]):
    """A match for Gymnasium, in which one seat learns: ``SeatEnv("midnight", ["tip", "you"])`` is the chase.

    seats: bots, and "you" once; alone it is one turn for the mean score. An illegal action ends it with
    ``StepwiseMatch.illegal`` as reward. Matches in which the learner never has a choice are left out, so the mean
    reward of an episode is not its share of all matches. ``value`` and ``regret`` take it that the others play best, so
    they are exact in a turn alone, for who moves last, and against ``perfect``.
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
        """Begin a match; up to the first choice of the learner. Where it has none, another is begun.

        Raises Refused("no-choice") where it has none in a thousand matches.
        """
        super().reset(seed=seed)
        self.table.until_choice(self._begin)
        self._over = False
        return self._seen(), self.table.worth()

    def step(self, action: Any) -> Any:
        """Play an action, and the bots after it. Raises ResetNeeded after the end, and InvalidAction for no action."""
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
