"""Reads a solved round that was saved, with numpy alone, and plays it a million times at once.

To make such a file: python -c "import pubdice; pubdice.solve_round('midnight').save('midnight.npz')".
To play it: python examples/read_solved_round.py midnight.npz
"""

import sys
from typing import Any

import numpy as np

ROUNDS = 1_000_000


def play(solved: Any, policy: Any, rounds: int, seed: int = 1) -> Any:
    """Where each of so many rounds ends, if at every choice the move is taken that the policy has for the position."""
    starts, after = solved["starts"], solved["after"]
    before = np.concatenate(([0.0], np.cumsum(solved["chance"])))  # of all moves before each
    dice = np.random.default_rng(seed)
    at = np.zeros(rounds, dtype=np.int64)  # every round begins at position 0
    playing = np.arange(rounds)
    while len(playing):
        here = at[playing]
        falls = before[starts[here]] + dice.random(len(here)) * (before[starts[here + 1]] - before[starts[here]])
        rolled = np.clip(np.searchsorted(before, falls, "right") - 1, starts[here], starts[here + 1] - 1)
        move = np.where(solved["mover"][here] >= 0, policy[here], rolled)
        at[playing] = after[move]
        playing = playing[solved["mover"][at[playing]] != -2]
    return at


def main() -> None:
    """Print what the round is worth, and what a million rounds of best play came to."""
    if len(sys.argv) < 2:
        sys.exit("usage: python examples/read_solved_round.py FILE.npz [ROUNDS]")
    with np.load(sys.argv[1]) as file:
        solved = {name: file[name] for name in file.files}
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS
    ends = play(solved, solved["policy"], rounds)
    print(f"{len(solved['mover'])} positions; {solved['utility']}, to {float(solved['bound']):.0e}")
    means = solved["values"][ends].mean(axis=0)
    for name, worth, mean in zip(solved["names"], solved["values"][0], means, strict=True):
        print(f"{name}: {worth:.4f}; {mean:.4f} in {rounds} rounds")


if __name__ == "__main__":
    main()
