"""Simulates matches between bots by the million: standard errors, and exact values beside them where they are known.

A ``SimulationPlan`` says what is simulated; its games fall into blocks, whose size follows from their number alone. So
a plan has one result, however many workers count it and however often it is interrupted. All that is counted are events
(``chain.TurnEvent``), and sums of whole numbers for the standard error of scores.

Standard errors. Matches are independent, so that of a share or of points is s / √n over matches. The turns of one match
are not: that of a mean score comes from the blocks, which are (the ratio estimator: Cochran, Sampling Techniques, 3rd
edition 1977, section 6.3), and there is none below ``FEWEST_BLOCKS``.
"""

import json
import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from inspect import signature
from math import sqrt
from pathlib import Path
from typing import Any

from pubdice.advice.bots import BotPolicy, Perfect
from pubdice.cache_folder import cache_folder
from pubdice.core.dice import as_whole
from pubdice.core.errors import BadNotation, Failure, Refused, Unsolved
from pubdice.core.game import KeepGame, Policy
from pubdice.core.json_depth import shallow
from pubdice.failures import explain
from pubdice.games import GAMES
from pubdice.kit import PERFECT, Kit
from pubdice.match.header import Header, RawHeader
from pubdice.match.match import Match
from pubdice.solve.solver import Solver
from pubdice.text.language import Language
from pubdice_lab.chain import MOST_NODES, MatchChain, TurnEvent, WholeChain
from pubdice_lab.drawing import DrawnMatches
from pubdice_lab.refusals import TROUBLE
from pubdice_lab.workers import MOST_WORKERS, Workers, started

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


# What was counted, as answers.


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, its standard error (None for too few blocks), and the exact value if it is known."""

    value: float
    error: float | None
    exact: float | None


@dataclass(frozen=True, slots=True)
class SeatResult:
    """A seat's result: its share of the match, its points or chips if the format counts them, its turns.

    score: the mean of a turn, None where scores are no amounts, as at Mexico. scores: how often each was made, by the
    name that people have for it. exact_scores: the chances of the same, if they are known.
    """

    bot: str
    share: Estimate
    chips: Estimate | None
    turns: int
    score: Estimate | None
    scores: Mapping[str, int]
    exact_scores: Mapping[str, float] | None


@dataclass(frozen=True, slots=True)
class Simulation:
    """A simulation that was counted, whole or as far as it came. title: of the game. format: as notation.

    games: matches counted. planned: matches that were asked for. A standard error is one standard deviation.
    """

    game: str
    title: str
    format: str
    seed: str
    planned: int
    games: int
    turns: int
    seats: tuple[SeatResult, ...]

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, unrounded."""
        return asdict(self)

    def __str__(self) -> str:
        return "\n".join(self.sentences(Language()))

    def sentences(self, language: Language) -> list[str]:
        """The result in lines made to be heard."""
        say = language.say
        facts = {"games": language.whole(self.games), "turns": language.whole(self.turns)}
        told = language.count("{games} match, {turns} turns.", "{games} matches, {turns} turns.", self.games, **facts)
        lines = [f"{say(self.title)}, {self.format}: {told}"]
        if not self.games:
            return lines

        def share(value: float) -> str:
            return language.per_cent(value, 2)

        def amount(value: float) -> str:
            return language.number(value, 4)

        for number, seat in enumerate(self.seats, 1):
            who = say("Seat {number}, {bot}", number=number, bot=seat.bot)
            parts = [say("{share} of the match", share=self._told(seat.share, share, language))]
            if seat.chips is not None:
                parts.append(say("{chips} chips", chips=self._told(seat.chips, amount, language)))
            if seat.score is not None:
                parts.append(say("a mean score of {mean} a turn", mean=self._told(seat.score, amount, language)))
            lines.append(f"{who}: {'; '.join(parts)}.")
        lines.append(say("± is one standard error. The seed is {seed}.", seed=self.seed))
        return lines

    @staticmethod
    def _told(found: Estimate, amount: Callable[[float], str], language: Language) -> str:
        parts = [] if found.error is None else ["± " + amount(found.error)]
        if found.exact is not None:
            parts.append(language.say("exactly {value}", value=amount(found.exact)))
        return amount(found.value) + (f" ({', '.join(parts)})" if parts else "")

    def rows(self) -> list[dict[str, Any]]:
        """The result as a table, for CSV and Parquet: one row a number; ``count`` is of matches, turns or scores."""
        rows = []
        for number, seat in enumerate(self.seats, 1):
            head = {"seat": number, "bot": seat.bot}
            for name, found, of in (
                ("share", seat.share, self.games),
                ("chips", seat.chips, self.games),
                ("mean score", seat.score, seat.turns),
            ):
                if found is not None:
                    rows.append({**head, "quantity": name, "score": None, "count": of, **asdict(found)})
            for score, met in seat.scores.items():
                exact = None if seat.exact_scores is None else seat.exact_scores[score]
                value, error = met / seat.turns, None
                known = {"value": value, "error": error, "exact": exact}
                rows.append({**head, "quantity": "score", "score": score, "count": met, **known})
        return rows


def result(plan: SimulationPlan, counts: Counts, expected: Mapping[TurnEvent, float] | None) -> Simulation:
    """The result of what was counted, with the exact values beside it."""
    match = plan.match()
    seats = tuple([_seat(plan, match, seat, counts, expected) for seat in range(match.seats)])
    turns = sum([seat.turns for seat in seats])
    title, form = plan.kit.words.title, match.format.write()
    return Simulation(plan.game, title, form, plan.seed, plan.games, counts.games, turns, seats)


def _seat(
    plan: SimulationPlan, match: Match[Any, Any], seat: int, counts: Counts, expected: Mapping[TurnEvent, float] | None
) -> SeatResult:
    def share(event: TurnEvent) -> float:
        return (seat in event.champions) / len(event.champions) if event.champions else 0.0

    def chips(event: TurnEvent) -> float:
        return float(event.points[seat])

    def over(events: Mapping[TurnEvent, Any]) -> list[tuple[TurnEvent, Any]]:
        return [(event, met) for event, met in events.items() if event.points]

    def estimate(amount: Callable[[TurnEvent], float], alike: float | None) -> Estimate:
        """alike: the error where all matches are alike, which says nothing of how they differ."""
        ends, games = over(counts.events), max(1, counts.games)
        mean = sum([amount(event) * met for event, met in ends]) / games
        squares = sum([(amount(event) - mean) ** 2 * met for event, met in ends])
        exact = None if expected is None else sum([amount(event) * met for event, met in over(expected)])
        error = sqrt(squares / (games - 1) / games) if games > 1 and squares else alike
        return Estimate(mean, error if games > 1 else None, exact)

    def scores(events: Mapping[TurnEvent, Any]) -> dict[int, Any]:
        found: dict[int, Any] = {}
        for event, met in events.items():
            if event.seat == seat:
                found[event.score] = found.get(event.score, 0) + met
        return dict(sorted(found.items()))

    made, write = scores(counts.events), match.game.write_score
    turns = sum(made.values())
    known = None if expected is None else scores(expected)
    whole = 0.0 if known is None else sum(known.values())
    exact = None if known is None else _by_name(write, {score: chance / whole for score, chance in known.items()})
    mean = None
    if turns and _are_amounts(match.game, expected):
        total = sum([score * met for score, met in made.items()])
        value = None if known is None else sum([score * chance for score, chance in known.items()]) / whole
        mean = Estimate(total / turns, _ratio_error(total, turns, counts.blocks, counts.moments[seat]), value)
    named = _by_name(write, made)
    if exact is not None:
        named = {score: named.get(score, 0) for score in exact}
    won = estimate(share, 1 / max(1, counts.games))
    return SeatResult(
        plan.names[seat], won, estimate(chips, None) if match.format.stake else None, turns, mean, named, exact
    )


def _by_name(write: Callable[[int], str], amounts: Mapping[int, Any]) -> dict[str, Any]:
    """Amounts of scores by the name that people have for them: of Threes' moon, 31, and of 30 it is the same."""
    found: dict[str, Any] = {}
    for score, amount in amounts.items():
        found[write(score)] = found.get(write(score), 0) + amount
    return found


def _are_amounts(game: Any, expected: Mapping[TurnEvent, float] | None) -> bool:
    """True if scores have a mean: at Mexico they are names, and at Threes the moon's, 31, stands for 30."""
    if expected is not None:
        return all(game.write_score(event.score) == str(event.score) for event in expected if event.seat >= 0)
    return getattr(type(game), "write_score", None) is KeepGame.write_score


def _ratio_error(total: int, turns: int, blocks: int, moments: Sequence[int]) -> float | None:
    """The standard error of total / turns, of as many blocks."""
    if blocks < FEWEST_BLOCKS:
        return None
    squares, products, lengths = moments
    # blocks Σ (S - R T)², in whole numbers until the last step: T² Σ S² - 2 S T Σ S T + S² Σ T²
    spread = turns * turns * squares - 2 * total * turns * products + total * total * lengths
    return sqrt(max(0, spread) / (blocks - 1) * blocks) / turns / turns


# A simulation in a file: what is counted so far, to go on from.


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


def simulate(
    game: str,
    seats: Sequence[Player],
    games: int = 100_000,
    *,
    seed: object = "",
    format: str = "",  # noqa: A002 - that is its name in records, and on the command line
    opener: str = "",
    first: str = "",
    workers: int = 1,
    executor: Executor | None = None,
    **options: object,
) -> Simulation:
    """Simulate matches between bots: ``simulate("midnight", ["tip", "perfect"], 1_000_000, seed=7)``.

    seats: a bot's name or a policy each. seed: the same gives the same result for any number of workers. executor: with
    so many workers, to count in, in place of processes of our own. options: house rules, as of ``new_match``. Raises
    BadNotation, Unsolved, IllegalAction for a policy that takes what the rules forbid, and Refused.
    """
    with explained():
        plan = plan_of(game, seats, games, seed, {"format": format, "opener": opener, "first": first, **options})
        check(plan, workers)
        if executor is None and workers > 1:
            check_pickled(plan.seats)
        counts = Counts(len(plan.seats))
        with started(workers, executor) as pool:
            expected = counted(plan, counts, pool, lambda done, of: None)
    return result(plan, counts, expected)


def plan_of(
    game: str, seats: Sequence[Player], games: int, seed: object, header: Mapping[str, object]
) -> SimulationPlan:
    """A plan as the library is asked for one: the seed drawn by lot if empty, lines that are empty left out.

    Raises Refused for seats that are none.
    """
    if not isinstance(seats, Iterable):
        raise Refused("no-seats")
    given = seats.split(",") if isinstance(seats, str) else seats
    players = tuple([player.strip() if isinstance(player, str) else player for player in given])
    for player in players:
        if not isinstance(player, str) and not _takes_two(player):
            raise Refused("no-policy", found=repr(player))
    lines = {
        key: " ".join(map(str, it)) if isinstance(it, tuple | list) else str(it)
        for key, it in header.items()
        if it is not None and it not in ("", (), [])
    }
    run = "" if all(isinstance(player, str) for player in players) else os.urandom(8).hex()
    drawn = os.urandom(8).hex() if seed is None or seed == "" else str(seed)
    number = as_whole(games)  # what is none is refused with all that is wrong with a plan
    matches = games if number is None else number
    return SimulationPlan(str(game).lower(), players, matches, drawn, tuple(sorted(lines.items())), run)


def _takes_two(policy: object) -> bool:
    """True if something may be called with two values, as far as it says what it is called with."""
    try:
        signature(policy).bind(None, None)  # type: ignore[arg-type]  # it says so itself
    except TypeError:
        return False
    except ValueError:  # it does not say so, as few functions written in C do
        return callable(policy)
    return True


def check_pickled(players: object) -> None:
    """Raise Refused("no-pickle") for players that cannot go to another process."""
    try:
        pickle.dumps(players)
    except Exception as error:  # noqa: BLE001  another's code, which may raise anything
        raise Refused("no-pickle", why=str(error)) from None


@contextmanager
def explained() -> Iterator[None]:
    """Failures inside say what is wrong in a sentence."""
    try:
        yield
    except Failure as error:
        known = isinstance(error, Refused) and error.code in TROUBLE
        error.sentence = Language().say(TROUBLE[error.code], **error.facts) if known else explain(Language(), error)
        raise


def check(plan: SimulationPlan, workers: int) -> None:
    """Raise BadNotation for a plan that cannot be."""
    numbers: tuple[tuple[str, object, int], ...] = (
        ("games", plan.games, MOST_GAMES),
        ("workers", workers, MOST_WORKERS),
    )
    for flag, number, most in numbers:
        if not 1 <= (as_whole(number) or 0) <= most:
            raise BadNotation("flag-number", found=number, flag=flag, least=1, most=most)
    options = {option.key for option in plan.kit.options}
    for key, _ in plan.header:
        if key not in options | {"format", "opener", "first"}:
            raise BadNotation("option-game", key=key, title=plan.kit.words.title)
    plan.match()
