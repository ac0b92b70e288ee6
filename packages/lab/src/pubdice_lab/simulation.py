"""The simulation of matches between bots by the million, with standard errors, and with exact values if they are known.

The matches of a ``SimulationPlan`` are split into blocks. The size of a block depends only on the number of matches. So
a plan has one result, whatever the number of workers and interruptions. The simulation counts events
(``chain.TurnEvent``), and sums of whole numbers for the standard error of scores.

Standard errors. Matches are independent, so the error of a share or of points is s / √n over the matches. Turns of one
match are dependent, so the error of a mean score is estimated from the blocks, by the ratio estimator (Cochran,
Sampling Techniques, 3rd edition 1977, section 6.3). With fewer than ``FEWEST_BLOCKS`` blocks there is no such error.
"""

import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from inspect import signature
from math import sqrt
from typing import Any

from pubdice.core.dice import as_whole
from pubdice.core.errors import BadNotation, Failure, Refused
from pubdice.core.game import KeepGame
from pubdice.failures import explain, named_as_arguments
from pubdice.match.match import Match
from pubdice.text.language import Language
from pubdice_lab.chain import TurnEvent
from pubdice_lab.counting import FEWEST_BLOCKS, MOST_GAMES, Counts, Player, SimulationPlan, counted
from pubdice_lab.refusals import TROUBLE
from pubdice_lab.workers import MOST_WORKERS, started


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error (None if it cannot be estimated) and its exact value (None if unknown)."""

    value: float
    error: float | None
    exact: float | None


@dataclass(frozen=True, slots=True)
class SeatResult:
    """The result of a seat.

    Attributes:
        chips: The points or chips. None if the format has none.
        score: The mean score of a turn. None if scores are not amounts, as at Mexico.
        scores: The number of times that each score was made, by the name of the score.
        exact_scores: The exact chance of each score. None if unknown.

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
    """A simulation, finished or interrupted. ``games`` of the ``planned`` matches are counted."""

    game: str
    title: str
    format: str
    seed: str
    planned: int
    games: int
    turns: int
    seats: tuple[SeatResult, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data, unrounded."""
        return asdict(self)

    def __str__(self) -> str:
        return "\n".join(self.sentences(Language()))

    def sentences(self, language: Language) -> list[str]:
        """Return the result in lines that sound right read aloud. "±" is one standard error."""
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
        """Return the result as a table for CSV and Parquet, with one number in a row.

        ``count`` is the number of matches, of turns, or of times that a score was made.
        """
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
    """Return the result of a plan from its counts, with exact values beside them if they are known."""
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
        """Return the mean of an amount over all matches, with its error.

        If all matches ended alike, the error is ``alike``, because their variance of 0 says nothing about the next
        match.
        """
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
    """Sum amounts by the name of the score. At Threes the moon (31) has the same name as 30."""
    found: dict[str, Any] = {}
    for score, amount in amounts.items():
        found[write(score)] = found.get(write(score), 0) + amount
    return found


def _are_amounts(game: Any, expected: Mapping[TurnEvent, float] | None) -> bool:
    """Return True if the mean of scores has a meaning.

    At Mexico scores are names. At Threes, 31 is the moon and is written 30.
    """
    if expected is not None:
        return all(game.write_score(event.score) == str(event.score) for event in expected if event.seat >= 0)
    return getattr(type(game), "write_score", None) is KeepGame.write_score


def _ratio_error(total: int, turns: int, blocks: int, moments: Sequence[int]) -> float | None:
    """Return the standard error of total / turns, from the blocks. Return None with fewer than ``FEWEST_BLOCKS``."""
    if blocks < FEWEST_BLOCKS:
        return None
    squares, products, lengths = moments
    # blocks · Σ (S - R T)², in whole numbers until the last step: T² Σ S² - 2 S T Σ S T + S² Σ T²
    spread = turns * turns * squares - 2 * total * turns * products + total * total * lengths
    return sqrt(max(0, spread) / (blocks - 1) * blocks) / turns / turns


def simulate(
    game: str,
    seats: Sequence[Player],
    games: int = 100_000,
    *,
    seed: object = "",
    format: str = "",  # noqa: A002 - its name in records and on the command line
    opener: str = "",
    first: str = "",
    workers: int = 1,
    executor: Executor | None = None,
    **options: object,
) -> Simulation:
    """Simulate matches between bots: ``simulate("midnight", ["tip", "perfect"], 1_000_000, seed=7)``.

    A seat is a bot's name or a policy. The same seed gives the same result for any number of workers. An empty seed is
    replaced by a random one. If an ``executor`` is given, it runs the tasks of ``workers`` workers. If not, the
    simulation starts processes of its own. ``options`` has house rules, as in ``new_match``. Raises BadNotation,
    Unsolved, Refused, and IllegalAction if a policy breaks the rules.
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
    """Return the plan for the arguments of a library call. Raises Refused if the seats are invalid.

    An empty seed is replaced by a random one.
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
    number = as_whole(games)  # if it is invalid, ``check`` refuses it later, with the other faults of the plan
    matches = games if number is None else number
    return SimulationPlan(str(game).lower(), players, matches, drawn, tuple(sorted(lines.items())), run)


def _takes_two(policy: object) -> bool:
    """Return True if the policy can be called with two positional arguments."""
    try:
        signature(policy).bind(None, None)  # type: ignore[arg-type]  # it says so itself
    except TypeError:
        return False
    except ValueError:  # it has no signature, like most functions written in C
        return callable(policy)
    return True


def check_pickled(players: object) -> None:
    """Raise Refused("no-pickle") if the players can't be sent to another process."""
    try:
        pickle.dumps(players)
    except Exception as error:  # noqa: BLE001 a stranger's code may raise anything
        raise Refused("no-pickle", why=str(error)) from None


@contextmanager
def explained() -> Iterator[None]:
    """Give each failure that the block raises its sentence, in English."""
    try:
        yield
    except Failure as error:
        known = isinstance(error, Refused) and error.code in TROUBLE
        told = Language().say(TROUBLE[error.code], **error.facts) if known else explain(Language(), error)
        error.sentence = named_as_arguments(told)
        raise


def check(plan: SimulationPlan, workers: int) -> None:
    """Raise BadNotation if the plan or the number of workers is invalid."""
    numbers: tuple[tuple[str, object, int], ...] = (
        ("games", plan.games, MOST_GAMES),
        ("workers", workers, MOST_WORKERS),
    )
    for flag, number, most in numbers:
        if not 1 <= (as_whole(number) or 0) <= most:
            raise BadNotation("flag-number", found=number, flag=flag, least=1, most=most)
    plan.kit.check_options(key for key, _ in plan.header if key not in ("format", "opener", "first"))
    plan.match()
