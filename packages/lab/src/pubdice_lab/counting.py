"""The plan of a simulation, the counts of its events, and the file that stores these counts."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pubdice.advice.bots import BotPolicy, Perfect
from pubdice.cache_folder import cache_folder
from pubdice.core.errors import BadNotation, Refused, Unsolved
from pubdice.core.game import Policy
from pubdice.core.json_depth import shallow
from pubdice.games import GAMES
from pubdice.kit import PERFECT, Kit
from pubdice.match.header import Header, RawHeader
from pubdice.match.match import Match
from pubdice.solve.solver import Solver
from pubdice_lab.chain import MOST_NODES, MatchChain, TurnEvent, WholeChain
from pubdice_lab.drawing import DrawnMatches
from pubdice_lab.workers import Workers

MOST_GAMES = 999_999_999
"""The most matches of a plan. It has nine digits, as any typed number may have."""
LARGEST_BLOCK, SMALLEST_BLOCK = 1 << 14, 1 << 8
FEWEST_BLOCKS = 10
LEAST_NODES = 2_000
"""The limit of nodes for a whole chain, if the plan has few matches.

A plan with more matches than this allows as many nodes as it has matches, up to ``MOST_NODES``."""
TASK_GAMES = 1 << 20
"""The most matches in one task for a worker. They take about half a second."""
SAVED_EVERY_S = 10.0
Player = str | Policy[Any, Any]
"""A bot of the house by name, or a policy: a function from the rules and the round to actions with weights."""


@dataclass(frozen=True, slots=True, eq=False)
class SimulationPlan:
    """The plan of a simulation.

    ``games`` is the number of matches. ``header`` has lines of a record's header, such as format and house rules.
    ``run`` is a random id of the call, if a seat has the caller's own policy. Results are then not cached for another
    call, because the policy may answer differently there.
    """

    game: str
    seats: tuple[Player, ...]
    games: int
    seed: str
    header: tuple[tuple[str, str], ...] = ()
    run: str = ""

    def _told_apart_by(self) -> tuple[object, ...]:
        return self.game, self.run or self.seats, self.games, self.seed, self.header

    def __eq__(self, other: object) -> bool:
        """Compare the runs and not the policies. A policy may have no hash, and in another process it is a copy."""
        return isinstance(other, SimulationPlan) and self._told_apart_by() == other._told_apart_by()

    def __hash__(self) -> int:
        return hash(self._told_apart_by())

    @property
    def block(self) -> int:
        """The number of matches in a block. It is a power of two that gives most plans 32 blocks or more."""
        return min(LARGEST_BLOCK, max(SMALLEST_BLOCK, 1 << (self.games // 64).bit_length()))

    @property
    def blocks(self) -> int:
        """The number of blocks. The last block may be smaller than the others."""
        return -(-self.games // self.block)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots, to be shown to people. An own policy has the name of its function."""
        return tuple([seat if isinstance(seat, str) else getattr(seat, "__name__", "policy") for seat in self.seats])

    @property
    def kit(self) -> Kit:
        """The kit of the game. Raises BadNotation("game")."""
        if self.game not in GAMES:
            raise BadNotation("game", found=self.game, games=tuple(GAMES))
        return GAMES[self.game]

    def match(self) -> Match[Any, Any]:
        """Return the match. Raises BadNotation."""
        return self.kit.match(self.settled())

    def settled(self) -> Header:
        """Return the header with all defaults filled in. Raises BadNotation."""
        kit = self.kit
        for seat in self.seats:
            if isinstance(seat, str):
                kit.check_bot(seat)
        fields = {"game": kit.name, "seats": ", ".join(kit.numbered(len(self.seats))), **dict(self.header)}
        return kit.normalize(RawHeader(fields))

    def solver(self) -> Solver:
        """Return the solver of the match. Raises BadNotation, and Unsolved if there is none."""
        solve = self.kit.with_cache(cache_folder()).solver
        if solve is None:
            raise Unsolved("no-solver")
        return solve(self.match())

    def bot(self, player: Player) -> BotPolicy:
        """Return the bot of this name. A policy is returned as it is. Raises BadNotation and Unsolved."""
        if not isinstance(player, str):
            return player
        self.kit.check_bot(player)
        return Perfect(self.solver()) if player == PERFECT else self.kit.policies[player]

    def chain(self) -> MatchChain:
        """Return the match as a Markov chain. Raises BadNotation and Unsolved."""
        return MatchChain(self.match(), [self.bot(seat) for seat in self.seats])


@dataclass(slots=True)
class Counts:
    """The counts of a simulation so far.

    ``games`` and ``blocks`` are the numbers of finished matches and blocks. ``events`` has the number of times that
    each event occurred. ``moments`` has for each seat the sums over the blocks of S², S·T and T². S is the sum of the
    seat's scores in a block, and T the number of its turns.
    """

    seats: int
    games: int = 0
    blocks: int = 0
    events: dict[TurnEvent, int] = field(default_factory=dict)
    moments: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.moments = self.moments or [[0, 0, 0] for _ in range(self.seats)]

    def add_block(self, games: int, events: Mapping[TurnEvent, int]) -> None:
        """Add the events of one block."""
        moments = list[list[int]]()
        for seat in range(self.seats):
            total = sum([event.score * met for event, met in events.items() if event.seat == seat])
            turns = sum([met for event, met in events.items() if event.seat == seat])
            moments.append([total * total, total * turns, turns * turns])
        self.add(Counts(self.seats, games, 1, dict(events), moments))

    def add(self, other: "Counts") -> None:
        """Add the counts of another task. If Ctrl-C comes, all of them are added, or none."""
        pairs = zip(self.moments, other.moments, strict=True)
        moments = [[one + another for one, another in zip(mine, others, strict=True)] for mine, others in pairs]
        events = dict(self.events)
        for event, met in other.events.items():
            events[event] = events.get(event, 0) + met
        games, blocks = self.games + other.games, self.blocks + other.blocks
        # Python handles signals only at calls and loops. These lines have neither.
        self.games, self.blocks, self.events, self.moments = games, blocks, events, moments


@lru_cache(maxsize=2)
def _rows(plan: SimulationPlan) -> tuple[MatchChain, WholeChain | None, dict[TurnEvent, float] | None]:
    """Return the chain of a plan, all rows of the chain if they are few enough, and the expected events of a match."""
    chain = plan.chain()
    try:
        whole = WholeChain(chain, min(MOST_NODES, max(LEAST_NODES, plan.games)))
    except Unsolved:
        return chain, None, None
    return chain, whole, whole.expected()


@lru_cache(maxsize=2)
def _drawn(plan: SimulationPlan) -> tuple[DrawnMatches, dict[TurnEvent, float] | None]:
    """Return the drawn matches of a plan, and the exact expected events if they are known."""
    chain, whole, expected = _rows(replace(plan, seed=""))
    return DrawnMatches(chain, whole, plan.seed), expected


def count_blocks(plan: SimulationPlan, first: int, behind: int) -> tuple[Counts, dict[TurnEvent, float] | None]:
    """Count the blocks ``first`` to ``behind`` - 1. Also returns the expected events of a match, if they are known."""
    drawn, expected = _drawn(plan)
    counts = Counts(len(plan.seats))
    for number in range(first, behind):
        games = min(plan.block, plan.games - number * plan.block)
        counts.add_block(games, drawn.block(number, games))
    return counts, expected


ReportProgress = Callable[[int, int], None]
"""A function that reports progress: the number of matches counted so far, and the number of all matches."""


def counted(
    plan: SimulationPlan, counts: Counts, workers: Workers, told: ReportProgress
) -> dict[TurnEvent, float] | None:
    """Count the rest of a plan. Returns the expected events of a match, or None if unknown. Raises
    Refused("worker-died").

    The results of tasks are added in the order of the blocks. So ``counts`` always has the first blocks of the plan,
    even after an interruption.
    """
    size = 1  # without an executor, one block at a time, so an interruption loses at most one
    if workers.executor is not None:
        size = max(1, min(TASK_GAMES // plan.block, -(-plan.blocks // (8 * workers.number))))
    tasks = [(plan, at, min(at + size, plan.blocks)) for at in range(counts.blocks, plan.blocks, size)]
    told(counts.games, plan.games)
    expected = None if tasks else count_blocks(plan, 0, 0)[1]
    for _, (found, known) in workers.in_order(count_blocks, tasks):
        counts.add(found)
        told(counts.games, plan.games)
        expected = known
    return expected


def save(file: Path, plan: SimulationPlan, counts: Counts) -> None:
    """Write the counts to a file. The file is replaced atomically. Raises OSError."""
    told = {
        "pubdice simulation": version("pubdice"),
        "plan": _told_plan(plan),
        "blocks": counts.blocks,
        "moments": counts.moments,
        "events": [[*astuple(event), met] for event, met in counts.events.items()],
    }
    beside = file.with_name(f"{file.name}.new")
    beside.write_text(json.dumps({**told, "sha256": _digest(told)}), encoding="utf-8")
    os.replace(beside, file)


def _digest(told: Mapping[str, Any]) -> str:
    return sha256(json.dumps(told).encode()).hexdigest()


def _told_plan(plan: SimulationPlan) -> dict[str, Any]:
    rules = dict(plan.settled().fields)
    return {"bots": list(plan.names), "games": plan.games, "seed": plan.seed, "rules": rules}


def saved(file: Path, plan: SimulationPlan, seed: str) -> tuple[SimulationPlan, Counts]:
    """Read the counts of a plan from a file. A missing file gives empty counts.

    If ``seed`` is "", the plan takes the seed of the file. Raises Refused: "resume-damaged" if a byte of the file has
    changed, "resume-version" if another version of pubdice wrote it (it may draw or count differently), and
    "resume-other" if the file is about another plan.
    """
    counts = Counts(len(plan.seats))
    if not file.exists():
        return plan, counts
    try:
        found = json.loads(shallow(file.read_text(encoding="utf-8")))
        if found["pubdice simulation"] != version("pubdice"):
            raise Refused("resume-version", file=str(file))
        if found.pop("sha256") != _digest(found):
            raise ValueError(file)
    except (OSError, ValueError, TypeError, KeyError):
        raise Refused("resume-damaged", file=str(file)) from None
    plan = plan if seed else replace(plan, seed=found["plan"]["seed"])
    if found["plan"] != _told_plan(plan):
        raise Refused("resume-other", file=str(file))
    counts.blocks, counts.moments = found["blocks"], found["moments"]
    counts.games = min(plan.games, counts.blocks * plan.block)
    for seat, score, winners, champions, points, met in found["events"]:
        won = None if winners is None else tuple(winners)
        counts.events[TurnEvent(seat, score, won, tuple(champions), tuple(points))] = met
    return plan, counts
