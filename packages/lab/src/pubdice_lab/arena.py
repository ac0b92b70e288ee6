"""An arena: bots and a user's own players meet, every pair in both orders. The luck is removed exactly.

Two bots of the house make a Markov chain, so their shares are exact (``chain.SharedRows``). If the chain is too large,
simulation estimates the shares.

A user's own player plays matches. If the match is solved, its share gets a control variate: the luck of all draws and
rolls, which has mean 0 whatever the players do. Let V be the values under best play. They sum to 1 over the two seats.
A regret is the value that a choice loses. The changes of V add up along the match (``advice.review``), so

    share - luck = V(start) - Σ own regrets + Σ the opponent's regrets.

This quantity has the same mean as the share, and only choices make it vary. If one side hardly ever wins, luck varies
more than the share. So regression decides how much of the luck to remove. The method is DIVAT's (Billings and Kan, ICGA
Journal 29, 2006) and AIVAT's (Burch, Schmid, Moravčík, Morrill and Bowling, AAAI 2018), with exact values in place of
estimates.

The same seed gives the same matches for any number of workers. The dice are HMAC-SHA256 over pair, match and move
(``core.cup.SeededCup``), and a program is started again every ``BLOCK`` matches.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial
from html import escape
from itertools import combinations, permutations
from math import hypot, isnan, nan, sqrt
from statistics import fmean
from threading import Lock
from typing import Any

from pubdice.advice.bots import choose_action
from pubdice.advice.luck_rank import Z95
from pubdice.core.cup import SeededCup
from pubdice.core.dice import Roll
from pubdice.core.errors import BadNotation, Refused, Unsolved
from pubdice.core.game import Seat
from pubdice.kit import LUCKY, PERFECT
from pubdice.match.header import read_name
from pubdice.match.match import Match, MatchState
from pubdice.match.record import Played, advance, move_word, position_line
from pubdice.solve.numerics import TIE
from pubdice.solve.race.races import NOT_BUYING, WINNING
from pubdice.solve.solver import Solver
from pubdice.text.language import Language
from pubdice_lab.chain import SharedRows
from pubdice_lab.counting import ReportProgress, SimulationPlan, count_blocks
from pubdice_lab.players import ForfeitError, PlayerView, seated
from pubdice_lab.simulation import Estimate, check, check_pickled, explained, plan_of, result
from pubdice_lab.stepwise import due_move
from pubdice_lab.workers import Workers, started

MOST_MATCHES, MOST_PLAYERS, MOST_SECONDS = 1_000_000, 20, 3_600
SEATS = (LUCKY, LUCKY)
"""Two bots that stand for any two. The match and its solver depend only on the number of seats."""
BLOCK = 250
"""The number of matches in one task for a worker."""
SHARES = ("share of the match", WINNING, NOT_BUYING)
"""The utilities (units of value) that are a seat's share of a match for two."""
FORFEITS = {
    "no-start": "{name} is out: it couldn't be started ({found}), match {match} against {other}",
    "not-ready": '{name} is out: it said "{found}" in place of "ready", match {match} against {other}',
    "ended": "{name} is out: it ended with status {found} in match {match} against {other}",
    "slow": "{name} is out: it took too long in match {match} against {other}",
    "long": "{name} is out: it answered with {found} bytes or more in match {match} against {other}",
    "unasked": '{name} is out: it said "{found}" without being asked in match {match} against {other}',
    "illegal": '{name} is out: it answered "{found}", which is no move, in match {match} against {other}',
    "raised": "{name} is out: it raised {found} in match {match} against {other}",
}
"""The sentences about faults of players, by code."""
BotPair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ArenaPlan:
    """The plan of an arena.

    ``players`` has each player by name: None for a bot of the house, an object with ``choose(view)``, or the words of a
    program's command line. ``base.games`` is the number of matches in each order of a pair. ``seconds`` is the time
    limit of a choice.
    """

    base: SimulationPlan
    players: Mapping[str, Any]
    seconds: float

    def check(self, workers: int) -> None:
        """Raise BadNotation or Refused if the plan is invalid, and Unsolved if ``perfect`` is to play an unsolved
        match.
        """
        check(self.base, workers)
        bots = self.base.kit.bots
        if not 2 <= len(self.players) <= MOST_PLAYERS:
            raise Refused("players-number", most=MOST_PLAYERS)
        if self.base.games > MOST_MATCHES:
            raise BadNotation("flag-number", found=self.base.games, flag="games", least=1, most=MOST_MATCHES)
        if not 0 < self.seconds <= MOST_SECONDS:
            raise Refused("player-seconds", found=self.seconds, most=MOST_SECONDS)
        for name, player in self.players.items():
            if player is None:
                _bot(self.base, name)
            elif name in bots:
                raise BadNotation("name-twice", found=name)
            elif read_name(name) != name or not (
                isinstance(player, tuple) or callable(getattr(player, "choose", None))
            ):
                raise Refused("no-chooser", name=name)
        if workers > 1:
            check_pickled(self.players)


@lru_cache(maxsize=4)
def _solved(base: SimulationPlan) -> tuple[Match[Any, Any], dict[str, Any], Solver | None]:
    """Return the match, the facts that every view of it has, and its solver. It is None if none gives shares."""
    match, rules, solver = base.match(), dict(base.settled().fields), None
    with suppress(Unsolved):
        solver = base.solver()
    told = {"game": base.game, "rules": rules, "format": match.format.write()}
    return match, told, solver if solver and solver.utility in SHARES else None


_bot = lru_cache(maxsize=64)(SimulationPlan.bot)
"""Return a bot of the house, by plan and name. It is cached."""


@lru_cache(maxsize=1)
def _rows(base: SimulationPlan, pair: BotPair) -> SharedRows | None:
    """Return the rows (chances of what follows) that all pairs share. Return None if the chain of this pair is too
    large.

    The caller gives the arena's first pair.
    """
    rows = SharedRows(base.match())
    with suppress(Unsolved):
        rows.share([_bot(base, name) for name in pair])
        return rows
    return None


_SHARED = Lock()
"""A lock for the shared rows, because the threads of a process all add to them."""


def _house_share(plan: ArenaPlan, pair: BotPair) -> Estimate:
    """Return the share of the first of two bots of the house. It is exact, or simulated if the chain is too large."""
    first, second, *_ = [name for name, player in plan.players.items() if player is None]
    with _SHARED, suppress(Unsolved):
        rows = _rows(plan.base, (first, second))
        share = None if rows is None else rows.share([_bot(plan.base, name) for name in pair])
        if share is not None:
            return Estimate(share, None, share)
    counted = replace(plan.base, seats=pair, seed="|".join((plan.base.seed, *pair)))
    return result(counted, *count_blocks(counted, 0, counted.blocks)).seats[0].share


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A player who is out of the arena, with a fault from ``FORFEITS``.

    ``match`` counts from 1. ``last`` is the last line that the program wrote to standard error.
    """

    name: str
    other: str
    match: int
    code: str
    found: str
    last: str

    def sentence(self, language: Language) -> str:
        """Return a sentence with the reason."""
        told = language.say(FORFEITS[self.code], **asdict(self))
        return f"{told}: {self.last}" if self.last else f"{told}."


def _played(plan: ArenaPlan, pair: BotPair, first: int, behind: int) -> list[tuple[float, float]] | Forfeit:
    """Play the matches ``first`` to ``behind`` - 1. Returns the first seat's share of each match, with and without
    luck.

    The share without luck is nan if the match is not solved. If a player commits a fault, returns its Forfeit instead.
    """
    seat, found = [0], list[tuple[float, float]]()
    try:
        with ExitStack() as stack:
            ask: list[Any] = []
            for seat[0], name in enumerate(pair):
                player = seated(plan.players[name], plan.seconds, _solved(plan.base)[1])
                ask.append(_bot(plan.base, name) if plan.players[name] is None else stack.enter_context(player))
            for number in range(first, behind):
                found.append(_match(plan, pair, number, ask, seat))
    except ForfeitError as fault:
        number = first + len(found) + 1
        return Forfeit(pair[seat[0]], pair[1 - seat[0]], number, fault.code, fault.found, fault.last)
    return found


def _match(plan: ArenaPlan, pair: BotPair, number: int, ask: Sequence[Any], seat: list[int]) -> tuple[float, float]:
    """Play one match. Returns the first seat's share, with and without luck.

    ``seat[0]`` is set to each seat before it is asked. So if the match breaks off, the caller knows whose fault it was.
    """
    match, told, solver = _solved(plan.base)
    cup = SeededCup(plan.base.seed, "|".join(("arena", *pair, str(number))))
    state, words, game = match.start(), list[str](), match.game
    without = solver.values(state)[0] if solver else nan
    while not state.over:
        at = len(words)
        move = due_move(match, state, partial(_roll, cup, at, game.faces.sides), partial(_lot, cup, at))
        if move is None:
            seat[0] = int(state.mover or 0)
            bot = ask[seat[0]]
            if plan.players[pair[seat[0]]] is None:
                action = choose_action(bot, match, state, partial(_lot, cup, at))
            else:
                action = game.read_action(bot(_view(match, state, words, told | {"match": number + 1})))
            if solver:
                values = solver.action_values(state)
                regret = max([value for _, value in values]) - dict(values)[action]
                without += regret if seat[0] else -regret
            move = Played(action)
        state = advance(match, state, move)
        words.append(move_word(match, move))
    return match.shares(state.tally)[0], without


def _roll(cup: SeededCup, at: int, sides: int, dice: int) -> Roll:
    return cup.roll(dice, at, sides)


def _lot(cup: SeededCup, at: int, most: int) -> int:
    return cup.draw(most, at)


def _view(match: Match[Any, Any], state: MatchState[Any], words: list[str], told: dict[str, Any]) -> PlayerView:
    game, mover = match.game, Seat(state.mover or 0)
    scores = [game.score(state.round, state.local(Seat(seat))) for seat in range(match.seats)]
    return PlayerView(
        **told | {"rules": dict(told["rules"])},  # a copy, because a player may change it
        seat=mover + 1,
        position=position_line(told["rules"], words),
        dice=tuple(map(game.faces.write, game.dice(state.round, state.local(mover)))),  # type: ignore[arg-type]
        scores=tuple([None if score is None else game.write_score(score) for score in scores]),
        points=state.tally.points,
        moves=tuple(map(game.write_action, match.legal(state))),
    )


def _work(plan: ArenaPlan, pair: BotPair, first: int, behind: int) -> Any:
    return _played(plan, pair, first, behind) if behind else _house_share(plan, pair)


@dataclass(slots=True)
class PairSums:
    """Sums over the matches of a pair: of the shares, of the luck (nan if unknown), and of their squares and
    products.
    """

    matches: int = 0
    share: float = 0.0
    luck: float = 0.0
    share_share: float = 0.0
    share_luck: float = 0.0
    luck_luck: float = 0.0

    def add(self, played: Sequence[tuple[float, float]]) -> None:
        """Add matches. Each match is a pair: its share, and its share without luck."""
        for share, without in played:
            luck = share - without
            self.matches += 1
            self.share += share
            self.luck += luck
            self.share_share += share * share
            self.share_luck += share * luck
            self.luck_luck += luck * luck

    def estimate(self, *, luck: bool) -> Estimate:
        """Return the mean share with its error. If ``luck`` is True, the luck is removed by a control variate.

        Its coefficient comes from regression (Lavenberg and Welch, Management Science 27, 1981). If the luck does not
        vary, nothing is removed.
        """
        n, mean = self.matches, self.share / self.matches
        varied, freedom = self.share_share - n * mean * mean, n - 1
        if luck:
            average = self.luck / n
            spread, both = self.luck_luck - n * average * average, self.share_luck - n * mean * average
            weight = both / spread if spread > n * TIE else 0.0
            mean, varied, freedom = mean - weight * average, varied - weight * both, n - 2
        # If all matches ended alike, their variance of 0 says nothing about the next match. The error is then 1 / n.
        error = sqrt(varied / n / freedom) if freedom > 0 and varied > n * TIE else 1 / n
        return Estimate(mean, error if freedom > 0 else None, None)


ArenaShares = dict[BotPair, Estimate | PairSums]
"""For each pair, a finished estimate, or the sums over its matches so far."""


def hold(plan: ArenaPlan, workers: Workers, found: ArenaShares, out: list[Forfeit], told: ReportProgress) -> None:
    """Hold an arena. Raises Refused.

    ``found`` and ``out`` grow with each task. So if the arena is interrupted, they keep the results so far.
    """
    pairs = [(two, all(plan.players[name] is None for name in two)) for two in combinations(plan.players, 2)]
    blocks = -(-plan.base.games // BLOCK)
    most = sum([2 if house else 2 * blocks for _, house in pairs])

    def plays(pair: BotPair) -> bool:
        return not {each.name for each in out}.intersection(pair)

    def tasks() -> Iterator[tuple[ArenaPlan, BotPair, int, int]]:
        for two, house in pairs:
            games = 0 if house else plan.base.games
            for at in range(0, max(1, games), BLOCK):
                yield from [(plan, pair, at, min(at + BLOCK, games)) for pair in (two, two[::-1]) if plays(two)]

    told(0, most)
    for done, ((_, pair, *_), came) in enumerate(workers.in_order(_work, tasks()), 1):
        if plays(pair) and isinstance(came, Forfeit):
            out.append(came)
        elif plays(pair) and isinstance(came, Estimate):
            found[pair] = came
        elif plays(pair):
            sums = found.setdefault(pair, PairSums())
            assert isinstance(sums, PairSums), "a pair is worked out, or plays"
            sums.add(came)
        told(done, most)


@dataclass(frozen=True, slots=True)
class OrderResult:
    """The share of ``first``, in the first seat, against ``second``.

    ``matches`` is the number of matches played or simulated. It is 0 for an exact share. ``without_luck`` is None if
    the luck could not be removed.
    """

    first: str
    second: str
    matches: int
    share: Estimate
    without_luck: Estimate | None

    @property
    def best(self) -> Estimate:
        """The share without luck if it is known, otherwise the share as played."""
        return self.without_luck or self.share


def _order(pair: BotPair, found: Estimate | PairSums, games: int) -> OrderResult:
    if isinstance(found, Estimate):
        return OrderResult(*pair, games if found.exact is None else 0, found, None)
    clean = None if isnan(found.luck) else found.estimate(luck=True)
    return OrderResult(*pair, found.matches, found.estimate(luck=False), clean)


@dataclass(frozen=True, slots=True)
class ArenaResult:
    """The result of an arena.

    ``strengths`` has each player's mean share against all others, in both orders, the best player first. ``orders`` has
    each finished pair in both orders. ``pairs`` is the number of planned pairs. Pairs with a player who is out do not
    count.
    """

    game: str
    title: str
    format: str
    seed: str
    strengths: Mapping[str, Estimate]
    orders: tuple[OrderResult, ...]
    out: tuple[Forfeit, ...]
    pairs: int

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data, unrounded."""
        return asdict(self)

    def __str__(self) -> str:
        return "\n".join(self.sentences(Language()))

    def sentences(self, language: Language) -> list[str]:
        """Return the result in lines that sound right read aloud."""
        say = language.say

        def told(found: Estimate) -> str:
            return " ± ".join([language.per_cent(each, 2) for each in (found.value, found.error) if each is not None])

        text = "{title}, {format}: each player's mean share against all others, in both orders."
        lines = [say(text, title=say(self.title), format=self.format)] if self.strengths else []
        notes = list[str]()
        lines += [self.strength(name, language) for name in self.strengths]
        for name in self.strengths:
            mine = [order for order in self.orders if order.first == name]
            text = "{share} against {other}"
            shares = [say(text, share=told(each.best), other=each.second) for each in mine]
            lines.append(say("{name} sits first: {shares}.", name=name, shares=language.join(shares)))
        for order in [order for order in self.orders if order.without_luck]:
            share, clean = order.share, order.without_luck or order.share
            facts = {"name": order.first, "other": order.second, "share": told(share), "clean": told(clean)}
            text = "{name} first, against {other}: {share} as played, {clean} without luck."
            if share.error and clean.error and share.error > clean.error:
                facts["times"] = language.number((share.error / clean.error) ** 2, 1)
                text = (
                    "{name} first, against {other}: {share} as played, {clean} without luck, as good as {times} times "
                    "as many matches."
                )
            notes.append(say(text, **facts))
        if any(order.matches and not order.without_luck for order in self.orders):
            notes.append(
                say(
                    "Luck is not taken out of every share: this match is not solved, or bots of the house were counted."
                )
            )
        if any(order.matches for order in self.orders):
            notes.append(say("± is one standard error. The seed is {seed}.", seed=self.seed))
        return [*lines, *notes, *(each.sentence(language) for each in self.out)]

    def strength(self, name: str, language: Language) -> str:
        """Return a sentence on the strength of a player."""
        found, (low, high) = self.strengths[name], _interval(self.strengths[name])
        text = "{name}: {share} (95% sure: {range})."
        if found.error is None:
            text = "{name}: {share}." if found.exact is None else "{name}: {share}, exactly."
        share, low_end, high_end = (language.per_cent(each, 2) for each in (found.value, low, high))
        return language.say(text, name=name, share=share, range=language.range(low_end, high_end))

    def rows(self) -> list[dict[str, Any]]:
        """Return the result as a table for CSV, with one number in a row."""
        found = [(name, "", "strength", 0, each) for name, each in self.strengths.items()]
        for order in self.orders:
            named = ("share", order.share), ("share without luck", order.without_luck)
            found += [(order.first, order.second, what, order.matches, each) for what, each in named if each]
        names = ("first", "second", "quantity", "matches")
        return [{**dict(zip(names, row, strict=True)), **asdict(each)} for *row, each in found]

    def svg(self, language: Language) -> str:
        """Return an SVG picture of the strengths with their intervals. A dot is an estimate, a diamond an exact
        share.
        """
        said, high = [self.strength(name, language) for name in self.strengths], 60 + 40 * len(self.strengths)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {high}" role="img" aria-labelledby="t d">',
            f'<title id="t">{escape(f"{language.say(self.title)}, {self.format}")}</title>',
            f'<desc id="d">{escape(" ".join(said))}</desc>',
            "<style>svg{background:#fff;color:#111;font:15px sans-serif}text{fill:currentColor}",
            "path{stroke:currentColor}@media(prefers-color-scheme:dark){svg{background:#111;color:#eee}}</style>",
        ]
        for part in range(5):
            x, label = 320 + 100 * part, language.per_cent(part / 4, 0)
            parts.append(f'<path d="M{x} 16V{high - 36}" opacity=".3"/>')
            parts.append(f'<text x="{x}" y="{high - 14}" text-anchor="middle">{label}</text>')
        for y, (name, found) in zip(range(36, high, 40), self.strengths.items(), strict=False):
            low, middle, up = (320 + 400 * each for each in (_interval(found)[0], found.value, _interval(found)[1]))
            mark = "m-7 0l7-7 7 7-7 7z" if found.exact is not None else "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0"
            line = f"M{low:.1f} {y}H{up:.1f}M{middle:.1f} {y}{mark}"
            parts.append(f'<text x="12" y="{y + 5}">{escape(name)}</text>')
            parts.append(f'<path d="{line}" stroke-width="2" fill="currentColor"/>')
        return "\n".join([*parts, "</svg>", ""])


def _interval(found: Estimate) -> tuple[float, float]:
    spread = Z95 * (found.error or 0.0)
    return max(0.0, found.value - spread), min(1.0, found.value + spread)


def concluded(plan: ArenaPlan, found: ArenaShares, out: Sequence[Forfeit]) -> ArenaResult:
    """Return the result from all pairs that are finished in both orders."""
    games, gone = plan.base.games, {each.name for each in out}
    names = [name for name in plan.players if name not in gone]

    def done(pair: BotPair) -> bool:
        come = found.get(pair)
        return isinstance(come, Estimate) or (isinstance(come, PairSums) and come.matches == games)

    both = [pair for pair in permutations(names, 2) if done(pair) and done(pair[::-1])]
    orders = tuple([_order(pair, found[pair], games) for pair in both])
    strengths: dict[str, Estimate] = {}
    for name in {first: None for first, _ in both}:
        mine = [(each.best, each.first == name) for each in orders if name in (each.first, each.second)]
        value = fmean([each.value if first else 1 - each.value for each, first in mine])
        is_exact = all(each.exact is not None for each, _ in mine)
        errors = [each.error for each, _ in mine if each.exact is None]
        error = None if is_exact or None in errors else hypot(*[each or 0.0 for each in errors]) / len(mine)
        strengths[name] = Estimate(value, error, value if is_exact else None)
    ranked = dict(sorted(strengths.items(), key=lambda each: -each[1].value))
    title, form = plan.base.kit.words.title, plan.base.match().format.write()
    pairs = len(names) * (len(names) - 1) // 2
    return ArenaResult(plan.base.game, title, form, plan.base.seed, ranked, orders, tuple(out), pairs)


def planned(base: SimulationPlan, players: Mapping[str, Any], seconds: float) -> ArenaPlan:
    """Return an arena's plan. Without players, all bots of the game meet.

    In that case ``perfect`` is left out if the match is not solved.
    """
    chosen = dict(players) or dict.fromkeys(base.kit.bots)
    if not players and PERFECT in chosen:
        try:
            _bot(base, PERFECT)
        except Unsolved:
            del chosen[PERFECT]
    return ArenaPlan(base, chosen, seconds)


def arena(
    game: str,
    players: Sequence[str] | Mapping[str, Any] = (),
    games: int = 1_000,
    *,
    seed: object = "",
    seconds: float = 1.0,
    workers: int = 1,
    executor: Executor | None = None,
    **header: object,
) -> ArenaResult:
    """Let bots and players of your own play each other: ``arena("midnight", {"tip": None, "mine": Mine()})``.

    ``players`` is a list of names of bots, or a mapping by name. In a mapping, a player is an object with
    ``choose(view)``, a tuple with the words of a command, or None for the bot of that name. Without players, all bots
    of the game meet.

    ``games`` is the number of matches in each order, for pairs that play matches. ``seconds`` is the time limit of a
    choice. If an ``executor`` is given, it runs the tasks of ``workers`` workers. If not, the arena starts processes of
    its own. ``header`` has format, opener and house rules, as in ``new_match``. Raises BadNotation, Unsolved and
    Refused.
    """
    named = players if isinstance(players, Mapping) else dict.fromkeys(players)
    found, out = ArenaShares(), list[Forfeit]()
    with explained():
        if len(named) < len(players):
            raise BadNotation("name-twice")
        base = plan_of(game, SEATS, games, seed, header)
        plan = planned(base, named, seconds)
        plan.check(workers)
        with started(workers, executor) as pool:
            hold(plan, pool, found, out, lambda done, of: None)
    return concluded(plan, found, out)
