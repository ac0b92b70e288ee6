"""Measures the exact solution of Midnight, each part against a plainer way to the same numbers, in one run.

- *utilities*: the turns solved for a new utility in a second. numpy is compared with a bare loop over lists (the same
  graph, the same sums), and numba (16 lanes side by side, all cores) with numpy. Goals: 80,000/s with numba on two
  cores, 1,900/s without. The script also compares the bytes read a second (one number for each choice and branch of the
  graph; the kernel reads fewer, from caches) with the machine's memory triad ``a = b + s c``, in numpy, in as many
  threads, over arrays far larger than any cache.
- *graph*: the graph of a turn made from the rules. It asks the rules for each keep once. The peer asks after each hand.
  Goal: 120 ms with empty caches of the rules.
- *match*: 20 rounds of two seats without numba, with nothing remembered. The peer solves 23 turns as lanes for every
  standing. Goal: 1 s for each opener rule. *table*: three seats over 20 rounds with numba, for scale.

The script checks that both sides of a ratio give the same numbers, to 1e-12. Batches alternate in one process. A rate
is that of the fastest batch, a ratio is the median over neighbouring batches. The exit status is 1 if a goal is missed.

    .venv/bin/python -m benchmarks.midnight [--batches 7]
"""

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from pubdice.core import dice, game
from pubdice.games.midnight import rules
from pubdice.games.midnight.rules import Midnight
from pubdice.match.formats import OPENERS, Rounds
from pubdice.match.match import Match
from pubdice.solve import acceleration
from pubdice.solve.arrays import Floats
from pubdice.solve.finite import backward_induction as induction
from pubdice.solve.finite import kernels
from pubdice.solve.finite.graph import Graph, enumerate_round
from pubdice.solve.turns.best_reply import replies
from pubdice.solve.turns.solver import TurnSolver
from pubdice.solve.turns.turn import TurnGraph, turn

CORES = 2
GOALS = {"numba/s": 80_000, "numpy/s": 1_900, "turn ms": 1.0, "graph ms": 120.0, "match s": 1.0}


def bare(graph: Graph) -> Callable[[Floats], list[float]]:
    """Return the loop that a person writes first: over lists, a maximum for each decision, a sum for each roll."""
    flat, ends = graph.flat, graph.ends
    after, starts = flat.after.tolist(), flat.after_starts.tolist()
    branch, prob, kinds = flat.branch.tolist(), flat.prob.tolist(), flat.branch_starts.tolist()
    runs = [after[starts[at] : starts[at + 1]] for at in range(graph.decisions)]
    ways = [list(zip(branch[low:high], prob[low:high], strict=True)) for low, high in pairwise(kinds)]
    spans = flat.spans.tolist()

    def solve(utility: Floats) -> list[float]:
        found = []
        for lane in utility.T.tolist():
            value, best = lane[:], list[float]()
            for first, behind, low, high in spans:
                best += [max([value[node] for node in run]) for run in runs[first:behind]]
                value += [sum([chance * best[at] for at, chance in run]) for run in ways[low - ends : high - ends]]
            found.append(value[-1])
        return found

    return solve


def triad(threads: int) -> float:
    """Return the bytes a second of ``a = b + s c``. numpy reads c and writes a, then reads a and b and writes a."""
    size = 8_000_000
    arrays = [[np.ones(size) for _ in range(3)] for _ in range(threads)]

    def one(at: int) -> None:
        a, b, c = arrays[at]
        np.multiply(c, 3.0, out=a)
        np.add(a, b, out=a)

    taken = []
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(6):
            begun = perf_counter()
            list(pool.map(one, range(threads)))
            taken.append(perf_counter() - begun)
    return 5 * 8 * size * threads / min(taken)


def timed(body: Callable[[], Any]) -> float:
    """Return the seconds by the clock."""
    begun = perf_counter()
    body()
    return perf_counter() - begun


def race(batches: int, sides: dict[str, tuple[Callable[[], Any], int]]) -> dict[str, list[float]]:
    """Run the sides in turn. Return each side's seconds a piece, for each batch."""
    taken: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(batches):
        for name, (body, pieces) in sides.items():
            taken[name].append(timed(body) / pieces)
    return taken


def ratio(slow: list[float], quick: list[float]) -> float:
    """Return how many times faster ``quick`` is: the median over neighbouring batches."""
    return median(one / other for one, other in zip(slow, quick, strict=True))


def utilities(turned: TurnGraph, batches: int) -> dict[str, float]:
    """Measure turns for a new utility ("utilities" above)."""
    graph, loop = turned.graph, bare(turned.graph)
    lanes = np.random.default_rng(1).random((graph.ends, 8192))
    few, some = lanes[:, :4], lanes[:, :256]

    def plain(utility: Floats) -> Floats:
        return np.concatenate(
            [induction.best_values(graph, utility[:, at : at + 32])[-1] for at in range(0, utility.shape[1], 32)]
        )

    expected = plain(some)
    assert np.abs(np.array(loop(few)) - expected[:4]).max() < 1e-12
    sides: dict[str, tuple[Callable[[], Any], int]] = {
        "bare": (lambda: loop(few), 4),
        "one": (lambda: [induction.best_values(graph, few[:, [at]]) for at in range(4)], 4),
        "numpy": (lambda: plain(some), some.shape[1]),
    }
    if acceleration.numba_there():
        assert np.abs(kernels.start_values(graph, some) - expected).max() < 1e-12
        sides["numba"] = (lambda: kernels.start_values(graph, lanes), lanes.shape[1])
    taken = race(batches, sides)
    rate = {name: 1 / min(times) for name, times in taken.items()}
    print(f"utilities: numpy / bare loop {ratio(taken['bare'], taken['numpy']):.1f}")
    print(f"  {rate['numpy']:,.0f}/s : {rate['bare']:,.0f}/s")
    print(f"  one at a time / bare loop {ratio(taken['bare'], taken['one']):.1f} ({1e3 * min(taken['one']):.2f} ms)")
    found = {"numpy/s": rate["numpy"], "turn ms": 1e3 * min(taken["one"])}
    if "numba" in rate:
        read = 8 * (len(graph.flat.after) + len(graph.flat.branch)) * rate["numba"]
        roof = triad(CORES)
        print(f"  numba / numpy {ratio(taken['numpy'], taken['numba']):.1f} ({rate['numba']:,.0f}/s)")
        print(
            f"  choices and branches, 8 bytes each / triad {read / roof:.2f} ({read / 1e9:.1f} : {roof / 1e9:.1f} GB/s)"
        )
        found["numba/s"] = rate["numba"]
    return found


def forget() -> None:
    """Empty the caches of the rules, as in a new process."""
    for cached in (
        dice.rolls,
        dice.subhands,
        dice.without,
        dice.together,
        game.shared_keep,
        game.keeps,
        game.legal_hands,
    ):
        cached.cache_clear()
    rules.lacking.cache_clear()
    rules.counted.cache_clear()


def graphs(batches: int) -> dict[str, float]:
    """Measure the graph of a turn ("graph" above)."""
    midnight = Midnight()

    def build(rerolled: bool) -> Graph:
        forget()
        return enumerate_round(midnight, midnight.start(1), rerolled)

    taken = race(batches, {"every hand": (lambda: build(False), 1), "once": (lambda: build(True), 1)})
    print(
        f"graph: each keep once / after every hand {ratio(taken['every hand'], taken['once']):.1f}"
        f" ({1e3 * min(taken['once']):.0f} ms : {1e3 * min(taken['every hand']):.0f} ms)"
    )
    return {"graph ms": 1e3 * min(taken["once"])}


def slow_match(turned: TurnGraph, number: int, opener: str) -> float:
    """Return the opener's share of a match of two. For every standing it solves 22 second turns and one first, as
    lanes.
    """
    again = {"fixed": (1, 1, 1), "rotate": (0, 0, 0), "winner": (1, 1, 0), "loser": (0, 1, 1)}[opener]
    value = {ahead: (1 + (ahead > 0) - (ahead < 0)) / 2 for ahead in range(-number, number + 1)}
    score = np.arange(len(turned.scores))
    for left in range(1, number + 1):
        here = {}
        for ahead in range(left - number, number - left + 1):
            won, level, lost = (
                value[ahead + lead] if same else 1 - value[-ahead - lead]
                for lead, same in zip((1, 0, -1), again, strict=True)
            )
            second = -np.where(score[:, None] > score, lost, np.where(score[:, None] == score, level, won))
            here[ahead] = float(turned.best(-turned.best(second)[:, None])[0])
        value = here
    return value[0]


def matches(turned: TurnGraph, batches: int) -> dict[str, float]:
    """Measure whole matches of two ("match" above)."""
    worst = 0.0
    for opener in OPENERS:
        match = Match(Midnight(), 2, Rounds(20), opener)

        def solve(match: Match[Any, Any] = match) -> float:
            replies.cache_clear()
            return TurnSolver(match).values(match.start())[0]

        assert abs(solve() - slow_match(turned, 20, opener)) < 1e-12
        sides: dict[str, tuple[Callable[[], Any], int]] = {
            "slow": (lambda opener=opener: slow_match(turned, 20, opener), 1),  # type: ignore[misc]
            "fast": (solve, 1),
        }
        taken = race(max(2, batches // 2), sides)
        worst = max(worst, min(taken["fast"]))
        print(
            f"match of 20 rounds, {opener}: looked up / solved as lanes {ratio(taken['slow'], taken['fast']):.1f}"
            f" ({min(taken['fast']):.2f} s : {min(taken['slow']):.2f} s), opener {solve():.6f}"
        )
    return {"match s": worst}


def table() -> None:
    """Solve three seats over 20 rounds, for scale, without a goal."""
    match = Match(Midnight(), 3, Rounds(20))
    taken = timed(lambda: TurnSolver(match).values(match.start()))
    print(f"three seats, 20 rounds, with numba: {taken:.1f} s")


def main() -> int:
    """Measure all claims. Return exit status 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batches", type=int, default=7)
    batches = parser.parse_args().batches
    turned = turn(Midnight())
    seen = graphs(batches) | matches(turned, batches) | utilities(turned, batches)
    if acceleration.numba_there():
        table()
    missed = [
        f"{name} {seen[name]:,.2f} instead of {goal:,}"
        for name, goal in GOALS.items()
        if name in seen and (seen[name] < goal if name.endswith("/s") else seen[name] > goal)
    ]
    print("goals missed: " + "; ".join(missed) if missed else "all goals met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
