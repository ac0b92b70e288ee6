"""Maskable PPO of sb3-contrib learns a game against perfect play, measured by its exact regret.

    pip install 'pubdice[environments,plots]' sb3-contrib
    python examples/ppo.py ship --steps 100000 --file ppo.csv
    pubdice plot learning ppo.csv

Half of its tables seat it first, half second. The regret is 1/2 less its share against ``perfect``, the mean of both
seats. The share is worked out over all rolls, so the curve has no noise of dice. The library brings PyTorch, some
1 GB. So it is no extra of pubdice, and is imported only to learn.
"""

import argparse
import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import pubdice
from pubdice.games import GAMES
from pubdice_lab.environments import SeatEnv
from pubdice_lab.stepwise import StepwiseMatch, observed

TABLES, STEPS, TIMES = 8, 256, 12
"""The tables at which it plays at once, its choices at each before it learns, and how often its regret is measured."""
Choose = Callable[[Any, Any], int]
"""A function from the scaled numbers of an observation and the mask to an action."""


class Scaled(gymnasium.ObservationWrapper[Any, Any, Any]):
    """Numbers from 0 to 1, by the ranges of the features. The mask comes from ``action_masks``."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.scale = scale(env.unwrapped.table)
        self.observation_space = gymnasium.spaces.Box(0, 1, (env.unwrapped.table.size,), np.float32)

    def observation(self, observation: Any) -> Any:
        """Scale an observation of the environment."""
        return self.scale(observation["observation"])


def scale(table: StepwiseMatch) -> Callable[[Any], Any]:
    """A function that scales the numbers of an observation to 0 to 1."""
    low, high = np.array([(each.low, each.high) for each in table.features], dtype=np.float32).T
    return lambda numbers: ((numbers - low) / (high - low)).astype(np.float32)


def exact_regret(game: str, choose: Choose) -> float:
    """1/2 less the share of a policy against perfect play, exactly, as the mean of both seats."""
    table = StepwiseMatch(game, 2, {})
    scaled = scale(table)

    def learner(rules: Any, state: Any) -> Any:
        mask, legal = np.zeros(len(table.actions), dtype=bool), rules.legal(state)
        mask[[table.number[action] for action in legal]] = True
        if len(legal) == 1:
            return ((legal[0], 1),)
        return ((table.actions[choose(scaled(np.array(observed(state, 2))), mask)], 1),)

    shares = []
    form: Any = table.kit.one_round
    both: tuple[list[Any], ...] = ([learner, "perfect"], ["perfect", learner])
    for seats in both:
        share = pubdice.simulate(game, seats, 1, seed=1, **form).seats[seats.index(learner)].share
        if share.exact is None:
            raise SystemExit(f"A match of {game} has too many positions for an exact share. Try ship or threes.")
        shares.append(share.exact)
    return 1 / 2 - sum(shares) / 2


def learn(game: str, steps: int, seed: int) -> list[tuple[int, float]]:
    """Learn in ``steps`` choices. For some numbers of matches so far, the regret of the policy then."""
    import torch  # noqa: PLC0415  1 GB
    from sb3_contrib import MaskablePPO  # noqa: PLC0415
    from stable_baselines3.common.vec_env import DummyVecEnv  # noqa: PLC0415

    torch.set_num_threads(1)  # the network is small
    tables = DummyVecEnv([
        lambda you=at % 2: Scaled(SeatEnv(game, 2, opponents="perfect", you=you)) for at in range(TABLES)
    ])  # fmt: skip
    model = MaskablePPO(
        "MlpPolicy", tables, n_steps=STEPS, batch_size=512, ent_coef=0.01, gamma=1.0, gae_lambda=0.95, seed=seed
    )

    def choose(numbers: Any, mask: Any) -> int:
        return int(model.predict(numbers, action_masks=mask, deterministic=True)[0])

    matches = 0

    def count(found: dict[str, Any], _: Any) -> bool:
        nonlocal matches
        matches += int(found["dones"].sum())
        return True

    curve = [(0, exact_regret(game, choose))]
    for _ in range(TIMES):
        model.learn(steps // TIMES, callback=count, reset_num_timesteps=False)
        curve.append((matches, exact_regret(game, choose)))
        print(f"{model.num_timesteps:>9,} choices, {matches:,} matches: {curve[-1][1]:.4f} of a match lost", flush=True)
    return curve


def main() -> None:
    """Learn, and write the curve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=GAMES, nargs="?", default="ship")
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", type=Path, default=Path("ppo.csv"))
    chosen = parser.parse_args()
    curve = learn(chosen.game, chosen.steps, chosen.seed)
    with chosen.file.open("w", encoding="utf-8", newline="") as to:
        writer = csv.writer(to)
        writer.writerow(["series", "matches", "regret"])
        writer.writerows([f"PPO at {chosen.game}", matches, regret] for matches, regret in curve)


if __name__ == "__main__":
    main()
