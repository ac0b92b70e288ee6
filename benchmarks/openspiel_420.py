"""Checks that pubdice plays more whole 420 rounds a second and core than the same game for OpenSpiel in Python.

OpenSpiel (https://github.com/google-deepmind/open_spiel) is no dependency of pubdice. If it is not installed, this
script prints how to install it in a separate environment, and exits with status 2.

The game below is ours, written like OpenSpiel's own Python games (``python/games/kuhn_poker.py``): a state that
changes, explicit chance, and actions as numbers. It is as quick as that allows. A chance outcome is a whole sorted
roll, and legal keeps and outcomes come from tables. Two drivers play it:

- short cut: the driver throws the dice with the same calls as pubdice's side, and looks the outcome up. So the list of
  outcomes with their chances never passes from C++ to Python. One seed plays the same rounds on both sides. The script
  checks that first.
- usual loop: the driver asks for ``chance_outcomes`` and draws from them, as OpenSpiel's own examples do.

OpenSpiel's side checks no action, and keeps its history in C++. pubdice's side is timed twice. With its record, it
plays, checks every move and writes each round's record. The engine alone checks every move, and keeps the moves in a
list. Goals: with its record at least 1.8 times the rounds of the usual loop, and the engine alone ahead of the short
cut. The record against the short cut is printed, too. Batches alternate in one process. Times are processor seconds. A
rate is that of the fastest batch, a ratio is the median over neighbouring batches. The exit status is 1 if a goal is
missed.

    python3 -m venv ../openspiel-env && ../openspiel-env/bin/pip install open_spiel
    PYTHONPATH=src ../openspiel-env/bin/python -m benchmarks.openspiel_420 [--matches 1000] [--rounds 9] [--seed 420]
"""

import argparse
import sys
from collections.abc import Callable
from functools import cache
from random import Random
from statistics import median
from typing import Any

from benchmarks.openspiel import Race, figures, pyspiel, type_of
from benchmarks.play import FACES, play, steps, timed
from pubdice.core.dice import Hand, rolls
from pubdice.games import GAMES
from pubdice.match.header import RawHeader
from pubdice.match.match import Match

GOAL = 1.8
KEEPS: tuple[Hand, ...] = tuple(hand for number in range(4) for hand, _ in rolls(number))
"""All keeps. An action's number is its place here. A chance outcome's is its place in ``rolls`` of the dice due."""
NUMBER = {hand: number for number, hand in enumerate(KEEPS)}
OUTCOME = {hand: number for dice in range(1, 5) for number, (hand, _) in enumerate(rolls(dice))}
TYPE = type_of("python_420", "Python 420")
INFO = figures(actions=len(KEEPS), outcomes=len(rolls(4)))


@cache
def keeps_of(hand: Hand) -> list[int]:
    """Return the numbers of the keeps that 420 allows: the reset over 20, else foundations of 5 a die (Steere)."""
    if sum(hand) > 20:
        return [0]
    left = [keep for keep in KEEPS if sum(keep) >= 5 * len(keep) and all(hand.count(f) >= keep.count(f) for f in keep)]
    return [NUMBER[keep] for keep in left]


@cache
def outcomes_of(dice: int) -> list[tuple[int, float]]:
    """Return the chance outcomes of so many dice, each with its chance."""
    return [(number, count / 6**dice) for number, (_, count) in enumerate(rolls(dice))]


class Game420(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """420 for two, as an OpenSpiel game."""

    def __init__(self, params: Any = None) -> None:
        super().__init__(TYPE, INFO, params or {})

    def new_initial_state(self) -> "State420":
        """Return the start of a round."""
        return State420(self)


class State420(Race):
    """The state of a round."""

    def __init__(self, game: Game420) -> None:
        super().__init__(game)
        self.hands: list[Hand] = [(), ()]
        self.kept: Hand | None = ()

    def current_player(self) -> int:
        """Return the seat at turn, or chance while dice must be rolled."""
        if self.won:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.seat if self.kept is None else int(pyspiel.PlayerId.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        return keeps_of(self.hands[self.seat])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the sorted rolls of the dice due, with their chances."""
        return outcomes_of(4 - len(self.kept or ()))

    def _apply_action(self, action: int) -> None:
        if self.kept is None:
            self.kept = KEEPS[action]
            return
        hand = tuple(sorted(self.kept + rolls(4 - len(self.kept))[action][0]))
        self.hands[self.seat] = hand
        if sum(hand) == 20:
            self.won = True
            return
        self.seat = 1 - self.seat
        self.kept = None if self.hands[self.seat] else ()

    def __str__(self) -> str:
        return f"{self.hands} {self.seat} {self.kept}"


pyspiel.register_game(TYPE, Game420)
PLAYER_CHANCE = int(pyspiel.PlayerId.CHANCE)


def short_cut(game: Any, rng: Random) -> tuple[int, int]:
    """Play a round with dice thrown here. Return the points as pubdice counts them."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.current_player() == PLAYER_CHANCE:
            due = 4 - len(state.kept)
            state.apply_action(OUTCOME[tuple(sorted(rng.choices(FACES, k=due)))])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    first, _ = state.returns()
    return (1, 0) if first > 0 else (0, 1)


def usual_loop(game: Any, rng: Random) -> tuple[int, int]:
    """Play a round with outcomes drawn from ``chance_outcomes``. Return the points."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    first, _ = state.returns()
    return (1, 0) if first > 0 else (0, 1)


def engine(match: Match[Any, Any], rng: Random) -> tuple[int, ...]:
    """Play a round with pubdice's engine, and keep the moves in a list. Return the points."""
    moves = []
    state = match.start()
    for _, move, after in steps(match, rng):
        moves.append(move)
        state = after
    return state.tally.points


def main() -> int:
    """Compare all. Return exit status 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seed", type=int, default=420)
    chosen = parser.parse_args()
    kit = GAMES["420"]
    header = kit.normalize(RawHeader({"game": "420", "seats": ", ".join(kit.names)}))
    match, game = kit.match(header), pyspiel.load_game("python_420")
    ours, theirs = Random(chosen.seed), Random(chosen.seed)
    for _ in range(chosen.matches):
        points = engine(match, ours)
        if points != short_cut(game, theirs):
            raise SystemExit(f"pubdice came to {points}, OpenSpiel's side to another result")
    bodies: dict[str, Callable[[Random], object]] = {
        "pubdice, engine and record": lambda rng: play(match, header, rng),
        "pubdice, engine alone": lambda rng: engine(match, rng),
        "OpenSpiel, short cut": lambda rng: short_cut(game, rng),
        "OpenSpiel, usual loop": lambda rng: usual_loop(game, rng),
    }
    times: dict[str, list[float]] = {body: [] for body in bodies}
    for _ in range(chosen.rounds):
        for body, run in bodies.items():
            times[body].append(timed(run, chosen.matches, chosen.seed))
    print(f"whole 420 rounds between two seats, {chosen.matches} a batch, {chosen.rounds} alternating batches")
    for body, taken in times.items():
        print(f"  {body:<28}{chosen.matches / min(taken):>8,.0f} rounds/s and core")
    recorded, alone, short, usual = times.values()
    goals = [
        ahead(f"engine and record : usual loop (goal {GOAL})", recorded, usual) >= GOAL,
        ahead("engine alone : short cut (goal above 1)", alone, short) > 1,
    ]
    ahead("engine and record : short cut (unequal work)", recorded, short)
    return 0 if all(goals) else 1


def ahead(what: str, ours: list[float], theirs: list[float]) -> float:
    """Print and return how many times as fast the first side is: the median over neighbouring batches."""
    ratio = median(other / own for own, other in zip(ours, theirs, strict=True))
    print(f"  {what:<48}{ratio:.2f} x")
    return ratio


if __name__ == "__main__":
    sys.exit(main())
