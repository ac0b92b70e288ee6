"""Checks that pubdice solves two-seat 420 at least 200 times as fast as OpenSpiel's ``value_iteration``, to the same
value.

Both solve the same merged game: two seats, with 15 kinds of hand each. OpenSpiel gets it as a ``pyspiel.Game`` with
explicit chance, whose methods only look tables up. It runs ``open_spiel.python.algorithms.value_iteration`` with
``cyclic_game=True``, which enumerates the states, and iterates until no value changes by more than 1e-13. pubdice gets
it as an automaton, solves it, and knows its error bound. A second figure of pubdice includes making the merged game
from the rules, which OpenSpiel need not do. On the unmerged game (15,000 decisions, 2.5 million chance branches)
OpenSpiel does not finish.

Batches alternate in one process. Times are processor seconds. A rate is that of the fastest batch, a ratio is the
median over neighbouring batches. The exit status is 1 if the goal is missed, or if the values differ by more than
1e-11.

    python3 -m venv ../openspiel-env && ../openspiel-env/bin/pip install open_spiel cvxpy platformdirs
    PYTHONPATH=src ../openspiel-env/bin/python -m benchmarks.openspiel_values [--rounds 3]
"""

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from statistics import median
from time import process_time
from typing import Any

from benchmarks.openspiel import Race, figures, pyspiel, type_of
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.solve.race.race import solve
from pubdice.solve.race.seat import one_seat

GOAL = 200
AUTOMATON = one_seat(FourTwenty()).automaton
WON = AUTOMATON.kinds
OUTCOMES = [
    [(kind, ways / AUTOMATON.total) for kind, ways in enumerate((*row, won)) if ways]
    for row, won in zip(AUTOMATON.ways, AUTOMATON.wins, strict=True)
]
"""The chance outcomes of each action: the kind of hand reached, or ``WON``."""
LEGAL = [sorted(choices) for choices in AUTOMATON.choices]
TYPE = type_of("python_420_merged", "Python 420, merged")
INFO = figures(actions=len(AUTOMATON.wins), outcomes=WON + 1)


class Merged(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """Two-seat 420 over kinds of hand, as an OpenSpiel game."""

    def __init__(self, params: Any = None) -> None:
        super().__init__(TYPE, INFO, params or {})

    def new_initial_state(self) -> "MergedState":
        """Return the start: both seats with a fresh hand."""
        return MergedState(self)


class MergedState(Race):
    """A state: the kind of hand of both seats, the seat at turn, and its action while the dice are still to fall."""

    def __init__(self, game: Merged) -> None:
        super().__init__(game)
        self.kinds = [AUTOMATON.start, AUTOMATON.start]
        self.action: int | None = None

    def current_player(self) -> int:
        """Return the seat at turn, or chance while dice are to fall."""
        if self.won:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.seat if self.action is None else int(pyspiel.PlayerId.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        return LEGAL[self.kinds[self.seat]]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the kinds of hand that the dice may lead to, with their chances."""
        return OUTCOMES[self.action or 0]

    def _apply_action(self, action: int) -> None:
        if self.action is None:
            self.action = action
            return
        self.action = None
        if action == WON:
            self.won = True
            return
        self.kinds[self.seat] = action
        self.seat = 1 - self.seat

    def __str__(self) -> str:
        return f"{self.kinds} {self.seat} {self.won}"


pyspiel.register_game(TYPE, Merged)


def theirs() -> float:
    """Return Player 1's chance to win, by OpenSpiel."""
    value_iteration = import_module("open_spiel.python.algorithms.value_iteration").value_iteration
    game = pyspiel.load_game("python_420_merged")
    values = value_iteration(game, -1, 1e-13, cyclic_game=True)
    return (1 + float(values[str(game.new_initial_state())])) / 2


def ours() -> float:
    """Return Player 1's chance to win, by pubdice."""
    return float(solve(AUTOMATON, 2).start()[0])


def from_the_rules() -> float:
    """Return Player 1's chance to win, by pubdice, which makes the merged game from the rules first."""
    return float(solve(one_seat.__wrapped__(FourTwenty()).automaton, 2).start()[0])


def main() -> int:
    """Compare both. Return exit status 1 if the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    sys.setrecursionlimit(100_000)
    mine = from_the_rules()
    fast, whole, slow = [], [], []
    for _ in range(chosen.rounds):
        fast.append(timed(ours, 20))
        whole.append(timed(from_the_rules, 20))
        slow.append(timed(theirs, 1))
    other = theirs()
    print("two-seat 420 solved, the merged game")
    for name, taken in (("pubdice", fast), ("pubdice, from the rules on", whole), ("OpenSpiel", slow)):
        print(f"  {name:<28}{1000 * min(taken):>8,.1f} ms")
    print(f"  values {mine:.15f} and {other:.15f}, {abs(mine - other):.1e} apart")
    ratio = median(theirs / ours for ours, theirs in zip(fast, slow, strict=True))
    print(f"  OpenSpiel : pubdice {ratio:,.0f} (goal {GOAL}),", end=" ")
    print(f"from the rules on {median(theirs / ours for ours, theirs in zip(whole, slow, strict=True)):,.0f}")
    return 0 if ratio >= GOAL and abs(mine - other) < 1e-11 else 1


def timed(run: Callable[[], float], times: int) -> float:
    """Return the processor seconds of one run."""
    begin = process_time()
    for _ in range(times):
        run()
    return (process_time() - begin) / times


if __name__ == "__main__":
    sys.exit(main())
