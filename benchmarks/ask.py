"""Measures how long the house takes to answer a question about a two-player position, once the match is solved.

For every game, bots play a match. The script asks ``solver_process.rank_decision`` about each decision, as a page does:
the record goes in, sentences come out. The limit is 50 ms for the slowest game's median. The first question solves the
match, so it has a figure of its own.

    .venv/bin/python -m benchmarks.ask [--most 40]
"""

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.load.process import load_average
from pubdice.core.cup import SeededCup
from pubdice.core.game import Seat, pick
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.match.header import RawHeader
from pubdice.match.record import Drawn, Move, Played, Rolled, advance, write
from pubdice.server.jobs import NoAnswer, rank_decision

MOST_MS = 50.0


def match_of(kit: Kit) -> tuple[str, int]:
    """Play a seeded match of the game's usual bot. Return its record and its number of decisions."""
    header = kit.normalize(RawHeader({"game": kit.name, "seats": "Ann, Bob"}))
    match, cup = kit.match(header), SeededCup(kit.name)
    state, moves, decisions = match.start(), list[Move](), 0
    while not state.over:
        at = len(moves)
        move: Move
        if match.to_draw(state):
            move = Drawn(Seat(0))
        elif due := match.to_roll(state):
            move = Rolled(cup.roll(due, at))
        else:
            weighted = kit.policies[kit.bots[0]](match.game, state.round)
            move = Played(pick(weighted, lambda number, at=at: cup.draw(number, at)))  # type: ignore[misc]
            decisions += len(match.legal(state)) > 1
        moves.append(move)
        state = advance(match, state, move)
    return write(header, match, moves), decisions


def main() -> int:
    """Measure every game. Return exit status 1 if a game is slower than the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=40, help="decisions asked of a game")
    chosen = parser.parse_args()
    slowest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name, kit in GAMES.items():
            text, decisions = match_of(kit)
            times = []
            for number in range(1, min(decisions, chosen.most) + 1):
                began = perf_counter()
                answer = rank_decision(Path(folder), text, number, "en")
                times.append(1000 * (perf_counter() - began))
                if isinstance(answer, NoAnswer):
                    print(f"{name}: {answer.why}")
                    return 1
            middle = median(times[1:])
            slowest = max(slowest, middle)
            print(f"{name}: {middle:.1f} ms a question (most {max(times[1:]):.1f}), the first {times[0] / 1000:.2f} s")
    print(f"slowest {slowest:.1f} ms, {slowest / MOST_MS:.2f} of the limit of {MOST_MS:g} ms; load {load_average()}")
    return int(slowest > MOST_MS)


if __name__ == "__main__":
    sys.exit(main())
