"""Measures the cost of sealed dice: whole matches decided, written and applied, with sealed dice and with the house's.

Matches of two bots alternate. The least of several batches counts, in processor time. Goal: a sealed match takes at
most 1.15 times as long. It has the seeds and one line more, and looks its seal up at each roll. This is the pure part
of a move, 50 us of the 400 that a house takes for a move, so the goal means 1.02 times as long for a move.

    .venv/bin/python -m benchmarks.sealed [--times 7] [--matches 60]
"""

import argparse
import sys
from time import process_time

from benchmarks.load.process import load_average
from pubdice.core.cup import SeededCup
from pubdice.core.game import pick
from pubdice.core.seal import KeyedSeals
from pubdice.games.midnight import KIT
from pubdice.match.table import Dice
from pubdice.room import Caller, Room, Setup
from pubdice.room import commands as ask
from pubdice.room.seeds import sealed
from pubdice.room.setup import checked

MOST = 1.15
SEALS = KeyedSeals(bytes(32), lambda size: b"\1" * size)


def match(dice: Dice, seed: int) -> int:
    """Play a match of two bots. Return the number of lines in its log."""
    rules = {"game": KIT.name, "format": "rounds 5"}
    setup = sealed(checked(KIT, Setup(rules, 3, "ann", 0, ("tip", "tip"), dice)), SEALS)
    room, cup, lots = Room(KIT, setup), SeededCup(str(seed)), SeededCup("lots")
    steps = list(room.decide(room.start(), ask.Sit(None, "Ann"), Caller("ann", 0), cup, SEALS))
    if dice == "sealed":
        steps += room.decide(steps[-1].after, ask.AddSeed(f"ann{seed}"), Caller("ann", 0), cup, SEALS)
    steps += room.decide(steps[-1].after, ask.Give(), Caller("ann", 0), cup, SEALS)
    lines = 0
    while (state := steps[-1].after).stage == "playing":
        live = state.match
        assert live is not None
        inner, rules_of_round = live.state.match, live.table.match
        action = None
        if not rules_of_round.to_roll(inner):
            weighted = KIT.policies["tip"](rules_of_round.game, inner.round)
            action = pick(weighted, lambda number, at=state.seq: lots.draw(number, at))  # type: ignore[misc]
        steps = list(room.decide(state, ask.Bot(action), Caller(None, 0), cup, SEALS))
        lines += len([step.write() for step in steps])
    return lines


def main() -> int:
    """Measure both. Return exit status 1 if sealed dice cost more than the goal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument("--matches", type=int, default=60)
    chosen = parser.parse_args()
    kinds: tuple[Dice, ...] = ("house", "sealed")
    least = dict.fromkeys(kinds, float("inf"))
    for _ in range(chosen.times):
        for dice in kinds:
            began = process_time()
            lines = sum(match(dice, number) for number in range(chosen.matches))
            least[dice] = min(least[dice], (process_time() - began) / lines)
    ratio = least["sealed"] / least["house"]
    times = " : ".join(f"{1e6 * least[dice]:.1f}" for dice in reversed(kinds))
    print(f"{ratio:.3f} times a line of house dice ({times} us), goal {MOST}; load {load_average()}")
    return int(ratio > MOST)


if __name__ == "__main__":
    sys.exit(main())
