"""Matches as environments for learning programs: PettingZoo's AEC for all seats, Gymnasium for one seat among bots.

They need the extra ``environments``. They are made from the rules, so any game will do. The environment rolls the dice
and makes forced moves, so an agent acts only where there is a choice. Rewards come at the end: each seat gets its share
of the match. A single seat gets its score, negated if the lowest score wins.

``info`` has two numbers to measure a learner by: ``value``, the exact value of the position for the mover under best
play by all, and ``regret``, the value that each action loses. An observation is the state of the rules as numbers
(``stepwise.observed``). All players at a table see all of it. ``features`` has the name, range and unit of each number.

``gymnasium.make("pubdice/Midnight-v0")`` makes a ``SeatEnv`` (``ids``), and ``pettingzoo.midnight_v0`` an ``aec``.
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
from pubdice.kit import BOT, Kit, read_number
from pubdice_lab.counting import SimulationPlan
from pubdice_lab.features import NOTHING, Feature
from pubdice_lab.ids import VERSION, register
from pubdice_lab.rendering import FRAMES_A_SECOND, MODES, render
from pubdice_lab.simulation import explained
from pubdice_lab.stepwise import StepwiseMatch

YOU = "you"
"""The name that stands for the learner in a list of seats."""


def _space(table: StepwiseMatch, *extra: Feature) -> spaces.Dict:
    features = (*table.features, *extra)
    low, high = (np.array(ends, table.numbers) for ends in zip(*[(one.low, one.high) for one in features], strict=True))
    numbers = spaces.Box(low, high, dtype=table.numbers)
    return spaces.Dict({"observation": numbers, "action_mask": spaces.Box(0, 1, (len(table.actions),), np.int8)})


def _checked(mode: str | None) -> str | None:
    if mode not in (None, *MODES):
        raise ValueError(f"render_mode is one of {', '.join(MODES)}, not {mode}")
    return mode


class RawRound(AECEnv[str, Any, Any]):  # type: ignore[misc]  # where the package has no types
    """A match for PettingZoo, without wrappers. ``aec`` adds the usual ones."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": list(MODES),
        "render_fps": FRAMES_A_SECOND,
        "is_parallelizable": False,
    }

    def __init__(self, game: str, seats: int = 2, *, render_mode: str | None = None, **header: str) -> None:
        super().__init__()
        self.table, self.render_mode = StepwiseMatch(game, seats, header), _checked(render_mode)
        self.metadata = {**type(self).metadata, "name": module_name(self.table.kit)}  # type: ignore[misc]
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        place = Feature("place", NOTHING, max(1, seats - 1), "place")
        self.features = (*self.table.features, place)
        self._space, self._actions = _space(self.table, place), spaces.Discrete(len(self.table.actions))
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        """Return the space of observations. It is the same for all agents."""
        return self._space

    def action_space(self, agent: str) -> Any:
        """Return the space of actions. An action is an index into ``action_list``."""
        return self._actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match in which some seat has a choice. Raises Refused("no-choice") if 1,000 matches have none."""
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
        """Play an action for the selected agent."""
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
        assert state.mover is not None, "a seat has a choice"
        self.agent_selection = self.possible_agents[state.mover]
        self.infos[self.agent_selection] = self.table.worth()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the round as numbers and then the agent's place in turn order, with the mask of legal actions.

        If the agent is not the selected one, its mask is all 0. After the match all masks are 1 (``mask``).
        """
        seat, state = Seat(self.possible_agents.index(agent)), self.table.state
        place = self.table.place(state, seat)
        chooses = state.over or state.mover == seat
        mask = self.table.mask() if chooses else np.zeros(len(self.table.actions), dtype=np.int8)
        return {"observation": np.append(self.table.observation(), self.table.numbers(place)), "action_mask": mask}

    def render(self) -> Any:
        """Return the table as the render mode says: text, or an array of pixels."""
        return render(self.table, self.render_mode)

    def close(self) -> None:
        """Do nothing, because there is nothing to release."""


def module_name(kit: Kit) -> str:
    """Return the name of a game in PettingZoo, with its version: ``midnight_v0``.

    A name to import cannot begin with a digit. For such a game, it is made of the name of the game's folder.
    """
    return f"{kit.name if kit.name.isidentifier() else kit.home.rpartition('.')[2]}_v{VERSION}"


def aec(game: str, seats: int = 2, *, render_mode: str | None = None, **header: str) -> Any:
    """Return a match for PettingZoo: ``aec("midnight", 2)``.

    An illegal action ends the match with the reward ``StepwiseMatch.illegal``.
    """
    with explained():
        plain = RawRound(game, seats, render_mode=render_mode, **header)
    raw = wrappers.TerminateIllegalWrapper(plain, illegal_reward=plain.table.illegal)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))


class SeatEnv(gymnasium.Env[dict[str, Any], Any]):
    """A match for Gymnasium with one learning seat. ``SeatEnv("midnight", 2, you=1)`` learns to roll last, after a bot.

    ``seats`` is the number of seats, ``you`` the learner's, from 0, and ``opponents`` the bot of all other seats, or a
    list of their bots in order. The usual bot is the game's own, mostly ``tip``. ``seats`` may also be a list of all
    names, with "you" once: ``SeatEnv("midnight", ["tip", "you"])``. A single seat plays one turn for the mean score.

    An illegal action ends the match with the reward ``StepwiseMatch.illegal``. Matches in which the learner has no
    choice are skipped. So the mean reward of an episode is not the learner's share of all matches.

    ``value`` and ``regret`` assume that the other seats play best. They are exact for a single seat, for the last seat
    to move, and against ``perfect``.
    """

    metadata = {"render_modes": list(MODES), "render_fps": FRAMES_A_SECOND}  # noqa: RUF012  as the base class has it

    def __init__(
        self,
        game: str,
        seats: int | Sequence[str] = (YOU,),
        *,
        opponents: str | Sequence[str] = BOT,
        you: int = 0,
        render_mode: str | None = None,
        **header: str,
    ) -> None:
        self.render_mode = _checked(render_mode)
        with explained():
            if isinstance(seats, int):
                rules = SimulationPlan(game, (), 1, "").kit.usual_game
                read_number("seats", str(seats), rules.least_seats, rules.most_seats)
                read_number("you", str(you), 0, seats - 1)
                others = [opponents] * (seats - 1) if isinstance(opponents, str) else list(opponents)
                read_number("opponents", str(len(others)), seats - 1, seats - 1)
                seats = [*others[:you], YOU, *others[you:]]
            if list(seats).count(YOU) != 1:
                raise BadNotation("people-none")
            self.table, self.seat = StepwiseMatch(game, len(seats), header), list(seats).index(YOU)
            read = self.table.kit.read_bot
            self.bots = [None if seat == YOU else self.table.plan.bot(read(seat)) for seat in seats]
        self._over = True
        self.features = self.table.features
        self.observation_space, self.action_space = _space(self.table), spaces.Discrete(len(self.table.actions))

    def action_masks(self) -> Any:
        """Return the mask of legal actions as booleans. sb3-contrib asks for it by this name."""
        return self.table.mask().astype(bool)

    def render(self) -> Any:
        """Return the table as the render mode says: text, or an array of pixels."""
        return render(self.table, self.render_mode)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begin a match and play up to the learner's first choice. Raises Refused("no-choice") if 1,000 matches have
        none.
        """
        super().reset(seed=seed)
        self.table.until_choice(self._begin)
        self._over = False
        return self._seen(), self.table.worth()

    def step(self, action: Any) -> Any:
        """Play an action, and then the bots' turns. Raises ResetNeeded after the end, and InvalidAction for an invalid
        number.
        """
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
        return {"observation": self.table.observation(), "action_mask": self.table.mask()}


register()
