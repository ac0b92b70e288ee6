"""The plan of a simulation, the events that its matches are counted by, and the file of the counts so far."""

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
"""Matches of a plan: nine digits, as numbers are read everywhere."""
LARGEST_BLOCK, SMALLEST_BLOCK = 1 << 14, 1 << 8
FEWEST_BLOCKS = 10
LEAST_NODES = 2_000
"""Nodes up to which any plan is worked out whole; a large one up to as many as it has games, ``MOST_NODES`` at most."""
TASK_GAMES = 1 << 20
"""Games that a worker counts at a time, at most: about half a second's."""
SAVED_EVERY_S = 10.0
Player = str | Policy[Any, Any]
"""A bot of the house by its name, or a policy: from rules and a round to weighted actions."""


@dataclass(frozen=True, slots=True, eq=False)
class SimulationPlan:
    """A simulation: the game by name, who sits where, how many matches, the seed, and the lines of a header that say
    how it is played.

    run: of policies of somebody's own, the call that asked, as the same policy may answer otherwise in the next one.
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
        """By the run, not by the policies, which may have no hash, and are others in another process."""
        return isinstance(other, SimulationPlan) and self._told_apart_by() == other._told_apart_by()

    def __hash__(self) -> int:
        return hash(self._told_apart_by())

    @property
    def block(self) -> int:
        """Matches of a block: a power of two, so that most plans have 32 or more."""
        return min(LARGEST_BLOCK, max(SMALLEST_BLOCK, 1 << (self.games // 64).bit_length()))

    @property
    def blocks(self) -> int:
        """The number of blocks, of which the last may be smaller."""
        return -(-self.games // self.block)

    @property
    def names(self) -> tuple[str, ...]:
        """The bots as people read them."""
        return tuple([seat if isinstance(seat, str) else getattr(seat, "__name__", "policy") for seat in self.seats])

    @property
    def kit(self) -> Kit:
        """The kit of the game. Raises BadNotation("game")."""
        if self.game not in GAMES:
            raise BadNotation("game", found=self.game, games=tuple(GAMES))
        return GAMES[self.game]

    def match(self) -> Match[Any, Any]:
        """The match that is played. Raises BadNotation."""
        return self.kit.match(self.settled())

    def settled(self) -> Header:
        """The header of its matches, in full, however it was typed. Raises BadNotation."""
        kit = self.kit
        for seat in self.seats:
            if isinstance(seat, str):
                kit.check_bot(seat)
        fields = {"game": kit.name, "seats": ", ".join(kit.numbered(len(self.seats))), **dict(self.header)}
        return kit.normalize(RawHeader(fields))

    def solver(self) -> Solver:
        """The solver of its matches. Raises BadNotation, and Unsolved where there is none."""
        solve = self.kit.with_cache(cache_folder()).solver
        if solve is None:
            raise Unsolved("no-solver")
        return solve(self.match())

    def bot(self, player: Player) -> BotPolicy:
        """A bot of its matches, by name, or a policy as it is. Raises BadNotation and Unsolved."""
        if not isinstance(player, str):
            return player
        self.kit.check_bot(player)
        return Perfect(self.solver()) if player == PERFECT else self.kit.policies[player]

    def chain(self) -> MatchChain:
        """The chain of its matches. Raises BadNotation and Unsolved."""
        return MatchChain(self.match(), [self.bot(seat) for seat in self.seats])


@dataclass(slots=True)
class Counts:
    """The counts so far.

    games: matches that are over. events: how often each was met. moments: by seat, sums over blocks of S², S·T and T²,
    S being the sum of its scores there and T the number of its turns. blocks: counted.
    """

    seats: int
    games: int = 0
    blocks: int = 0
    events: dict[TurnEvent, int] = field(default_factory=dict)
    moments: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.moments = self.moments or [[0, 0, 0] for _ in range(self.seats)]

    def add_block(self, games: int, events: Mapping[TurnEvent, int]) -> None:
        """Count a block."""
        moments = list[list[int]]()
        for seat in range(self.seats):
            total = sum([event.score * met for event, met in events.items() if event.seat == seat])
            turns = sum([met for event, met in events.items() if event.seat == seat])
            moments.append([total * total, total * turns, turns * turns])
        self.add(Counts(self.seats, games, 1, dict(events), moments))

    def add(self, other: "Counts") -> None:
        """Add what was counted elsewhere: all of it, or nothing where Ctrl-C comes between."""
        pairs = zip(self.moments, other.moments, strict=True)
        moments = [[one + another for one, another in zip(mine, others, strict=True)] for mine, others in pairs]
        events = dict(self.events)
        for event, met in other.events.items():
            events[event] = events.get(event, 0) + met
        games, blocks = self.games + other.games, self.blocks + other.blocks
        # no call and no loop from here on: Python looks for signals only at those
        self.games, self.blocks, self.events, self.moments = games, blocks, events, moments


@lru_cache(maxsize=2)
def _rows(plan: SimulationPlan) -> tuple[MatchChain, WholeChain | None, dict[TurnEvent, float] | None]:
    """The chain of a plan, worked out whole if it is small enough, and what is expected of a match then."""
    chain = plan.chain()
    try:
        whole = WholeChain(chain, min(MOST_NODES, max(LEAST_NODES, plan.games)))
    except Unsolved:
        return chain, None, None
    return chain, whole, whole.expected()


@lru_cache(maxsize=2)
def _drawn(plan: SimulationPlan) -> tuple[DrawnMatches, dict[TurnEvent, float] | None]:
    """The matches of a plan, ready to be drawn, and what is expected of one if that is known exactly."""
    chain, whole, expected = _rows(replace(plan, seed=""))
    return DrawnMatches(chain, whole, plan.seed), expected


def count_blocks(plan: SimulationPlan, first: int, behind: int) -> tuple[Counts, dict[TurnEvent, float] | None]:
    """The blocks from ``first`` to the one before ``behind``, counted; and what is expected of a match."""
    drawn, expected = _drawn(plan)
    counts = Counts(len(plan.seats))
    for number in range(first, behind):
        games = min(plan.block, plan.games - number * plan.block)
        counts.add_block(games, drawn.block(number, games))
    return counts, expected


ReportProgress = Callable[[int, int], None]
"""Called with how many of how many matches are counted."""


def counted(
    plan: SimulationPlan, counts: Counts, workers: Workers, told: ReportProgress
) -> dict[TurnEvent, float] | None:
    """Count a plan on from what is counted already; what is expected of a match, if that is known.

    Tasks follow one another in order, so what is counted is always the first so many blocks; at an interruption
    ``counts`` has them. Raises Refused("worker-died").
    """
    size = 1  # done here, one block at a time, so that an interruption loses one at most
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
    """Write what is counted so far; the file changes at once. Raises OSError."""
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
    """The plan, under the seed of the file where none is given, and what is counted of it; nothing without a file.

    Raises Refused: "resume-damaged" for a file that is not, byte for byte, as it was written; "resume-version" for one
    of another version of pubdice, which may draw or count otherwise; "resume-other" for another simulation's.
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
