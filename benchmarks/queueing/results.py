"""What a simulation came to: percentiles, utilisations, and whether it was steady, by Little's law."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from benchmarks.queueing.figures import Costs
from benchmarks.queueing.simulation import Setting, World

SAMPLES = 2_000
SLOW_S = 0.1
MOST_OFF, LEAST_OFF = 0.05, 0.5
"""How far Little's law may be off, as a share and in moves: the instants are a sample."""


@dataclass(frozen=True, slots=True)
class Run:
    """Times in seconds, of moves; news_p99_s of the news of a move to the table's phones.

    process: the utilisation of processes in the mean, hints: the part of it that is hints and what follows from them;
    database: the utilisation of the shards' cores. group: appends in a group. waiting: moves under way in the mean, as
    counted at regular instants; little: the same by Little's law, from the time that each move took.
    slow_until_s: when the last move came that took more than SLOW_S.
    """

    setting: Setting
    moves: int
    mean_s: float
    p50_s: float
    p99_s: float
    worst_s: float
    news_p99_s: float
    process: float
    hints: float
    database: float
    group: float
    waiting: float
    little: float
    slow_until_s: float


def quantile(ordered: Sequence[float], share: float) -> float:
    """Of sorted values, the one that this share of them is below."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def simulate(setting: Setting, costs: Costs) -> Run:
    """Run a simulation. RuntimeError if a move was never answered, or if Little's law does not hold."""
    world = World(setting, costs)
    if any(move.answered == inf for move in world.moves):
        raise RuntimeError("a move was never answered")
    ours = [move for move in world.moves if world.since <= move.came < world.until]
    took = sorted(move.answered - move.came for move in ours)
    told = sorted(when - came for came, when in world.told_s if world.since <= came < world.until)
    mean_s = sum(took) / len(took)
    processes = [process.busy for process in world.processes]
    shards = [shard.busy for shard in world.shards]
    within = (min(move.answered, world.until) - max(move.came, world.since) for move in world.moves)
    waiting, little = _waiting(world), sum(each for each in within if each > 0) / setting.seconds
    if abs(waiting - little) > MOST_OFF * little + LEAST_OFF:
        raise RuntimeError(f"Little's law does not hold: {waiting} and {little}")
    return Run(
        setting=setting,
        moves=len(ours),
        mean_s=mean_s,
        p50_s=quantile(took, 0.5),
        p99_s=quantile(took, 0.99),
        worst_s=took[-1],
        news_p99_s=quantile(told, 0.99) if told else 0.0,
        process=sum(busy.utilisation() for busy in processes) / len(processes),
        hints=sum(busy.utilisation("hints") for busy in processes) / len(processes),
        database=sum(busy.utilisation() for busy in shards) / len(shards),
        group=world.appends / max(1, world.groups),
        waiting=waiting,
        little=little,
        slow_until_s=max((move.came for move in ours if move.answered - move.came > SLOW_S), default=0.0),
    )


def _waiting(world: World) -> float:
    """Moves that have come and are not answered, counted at regular instants."""
    came = sorted(move.came for move in world.moves)
    answered = sorted(move.answered for move in world.moves)
    instants = [world.since + (world.until - world.since) * (at + 0.5) / SAMPLES for at in range(SAMPLES)]
    return sum(bisect_right(came, when) - bisect_right(answered, when) for when in instants) / SAMPLES


def knee(setting: Setting, costs: Costs, limit_s: float, between: tuple[float, float], steps: int = 6) -> Run:
    """The last run whose p99 is within a limit: bisected between two rates of one process."""
    low, high = between
    found = None
    for _ in range(steps):
        rate = (low + high) / 2
        run = simulate(replace(setting, rate=rate * setting.processes), costs)
        if run.p99_s <= limit_s:
            low, found = rate, run
        else:
            high = rate
    return found or simulate(replace(setting, rate=low * setting.processes), costs)
