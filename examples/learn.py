"""A small learner on any game, measured by what it loses by choice, exactly: no opponent's luck, no noise of results.

    python examples/learn.py ship --matches 60000 --file ship.csv
    pubdice plot learning ship.csv

It knows nothing of dice: a table of mean returns by what it sees and does (Monte Carlo control: Sutton and Barto,
Reinforcement Learning, 2nd edition 2018, section 5.4). Again and again it plays some matches as well as it can, and the
regrets that ``info`` has for its choices are added up. Needs the extra ``environments``.
"""

import argparse
import csv
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from pubdice.games import GAMES
from pubdice_lab.environments import SeatEnv

MEASURED, TIMES = 200, 12
"""Matches played to measure, and how often they are."""
TRIES = 0.15
"""The share of choices, while it learns, at which it tries any action."""


class Learner:
    """Mean returns by what is seen and done."""

    def __init__(self, env: Any, seed: int) -> None:
        self.env, self.random, self.seed = env, np.random.default_rng(seed), seed
        self.total: dict[bytes, Any] = defaultdict(lambda: np.zeros(env.action_space.n))
        self.count: dict[bytes, Any] = defaultdict(lambda: np.zeros(env.action_space.n))

    def play(self, tries: float) -> float:
        """A match, from which it learns; the regret of all its choices together."""
        seen, info = self.env.reset(seed=self.seed)
        self.seed += 1
        path, regret, over, reward = [], 0.0, False, 0.0
        while not over:
            key, legal = seen["observation"].tobytes(), np.flatnonzero(seen["action_mask"])
            if self.random.random() < tries or key not in self.count:
                action = int(self.random.choice(legal))
            else:
                tried = self.count[key][legal]
                action = int(
                    legal[np.argmax(np.where(tried > 0, self.total[key][legal] / np.maximum(tried, 1), -np.inf))]
                )
            regret += float(info["regret"][action])
            path.append((key, action))
            seen, reward, over, _, info = self.env.step(action)
        if tries:
            for key, action in path:
                self.total[key][action] += reward
                self.count[key][action] += 1
        return regret


def learn(game: str, matches: int, seed: int) -> list[tuple[int, float]]:
    """How many matches it has learned from, and the regret of a match then, on average. Ends for an unsolved game."""
    kit = GAMES[game]
    if kit.solver is None:
        raise SystemExit(f"{game} is not solved, so the loss of a choice is unknown.")
    alone = kit.usual_game.least_seats == 1
    learner = Learner(SeatEnv(game) if alone else SeatEnv(game, ["you", "perfect"]), seed)
    curve, learned = [], 0
    for goal in np.unique(np.geomspace(1, matches, TIMES).astype(int)).tolist():
        for _ in range(goal - learned):
            learner.play(TRIES)
        learned = goal
        curve.append((goal, float(np.mean([learner.play(0.0) for _ in range(MEASURED)]))))
    return curve


def main() -> None:
    """Learn, and write the curve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--matches", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", type=Path)
    chosen = parser.parse_args()
    file = chosen.file or Path(f"{chosen.game}.csv")
    if chosen.matches < 1:
        parser.error("--matches takes 1 or more.")
    if file.is_dir() or not os.access(file if file.exists() else file.parent, os.W_OK):
        parser.error(f"Couldn't write {file}.")
    curve = learn(chosen.game, chosen.matches, chosen.seed)
    with file.open("w", encoding="utf-8", newline="") as to:
        writer = csv.writer(to)
        writer.writerow(["series", "matches", "regret"])
        writer.writerows([chosen.game, matches, regret] for matches, regret in curve)
    for matches, regret in curve:
        print(f"{matches:>9,} matches: {regret:.4f} lost by choice")


if __name__ == "__main__":
    main()
