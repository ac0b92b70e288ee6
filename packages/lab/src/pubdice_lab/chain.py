"""A match between given bots as a Markov chain of turns, derived from the rules of any game.

The bots are policies, so every step has known chances. A turn ends in finitely many positions. Their chances flow along
the rules:

    C(roll) passes ways / s^n to the result of each hand,   C(decision) passes on by the policy's weights.

A *node* is a match at the beginning of a turn, without facts that no later event depends on: the number of the round,
and the previous result. Its *row* lists the successors: the next node or the end of the match, a ``TurnEvent``, and the
chance. A row is computed on first use. If a policy plays the same turn in several standings, the chain computes it
once. A turn of more than ``LONGEST`` steps continues as a node of its own, so turns that return to a position have rows
too.

Rounding moves a chance by less than 1e-12. Successors stand in the order of the rules, so a row is the same in every
process.
"""

import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from operator import index
from typing import Any, NamedTuple, NoReturn

import numpy as np

from pubdice.advice.bots import BotPolicy, Perfect
from pubdice.core.dice import rolls
from pubdice.core.errors import Refused, Unsolved
from pubdice.core.game import Policy, Seat, is_limited
from pubdice.match.formats import adding
from pubdice.match.match import Match, MatchState
from pubdice.solve.arrays import Floats
from pubdice.solve.choose import turns_alike
from pubdice.solve.numerics import TIE
from pubdice.solve.turns.solver import TurnSolver
from pubdice.solve.turns.turn import TurnGraph

LONGEST = 200
"""The most steps (rolls and choices) in one row."""
NEGLIGIBLE = 1e-16
"""Chances below this are dropped. Rounding errs by more."""


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """The outcome of a turn.

    Attributes:
        seat: the turn's seat; -1 if no turn has ended.
        score: the turn's score; 0 if no turn has ended.
        winners: of the round; None if it continues.
        champions: of the match; empty if it continues.
        points: of the match, by seat; empty if it continues.

    """

    seat: int = -1
    score: int = 0
    winners: tuple[int, ...] | None = None
    champions: tuple[int, ...] = ()
    points: tuple[int, ...] = ()


class Successor(NamedTuple):
    """A way in which a turn continues: the next node (None at the end of the match), the event, and its chance."""

    node: Any
    event: TurnEvent
    chance: float


class _TurnEnd(NamedTuple):
    """A turn's last step: a roll (``hand``), an action, or neither if the turn goes on.

    ``after`` is None at the end of a round.
    """

    chance: float
    before: Any
    hand: Any = None
    action: Any = None
    after: Any = None


class MatchChain:
    """A match whose seats are bots.

    ``moves`` counts the rolls and actions followed in all rows so far, and ``choices`` the questions to bots. A row
    raises IllegalAction if a policy breaks the rules, and Refused("policy-answer") if its answer is no choice.
    """

    def __init__(self, match: Match[Any, Any], bots: Sequence[BotPolicy]) -> None:
        self.match, self.bots = match, tuple(bots)
        self.moves = self.choices = 0
        self._game: Any = match.game
        self._most_rounds = match.format.rounds_planned if adding(match.format) is None else sys.maxsize
        self._alike = turns_alike(match.game)
        self._watches_turns = hasattr(match.format, "ends_by_turn")
        self._turns: dict[tuple[int, int], TurnEvent] = {}
        self._met: list[BotPolicy] = []
        self._blind: dict[Hashable, list[_TurnEnd] | None] = {}
        self._ends: dict[Hashable, list[_TurnEnd]] = {}
        self.start: Any = self._bare(match.start())

    def row(self, node: Any) -> list[Successor]:
        """The successors of a node. Their chances sum to 1, except for rounding."""
        match = self.match
        if match.to_draw(node):
            seats = range(match.seats)
            return self._merged(node, [(match.draw(node, Seat(seat)), 1 / match.seats) for seat in seats])
        if node.round is None:  # a roll-off
            sides = match.game.faces.sides
            return self._merged(node, [(match.roll(node, hand), ways / sides) for hand, ways in rolls(1, sides)])
        followed, before, at = [], None, node
        found: list[Successor] = []
        for end in self._turn(node):
            if end.after is not None and not self._watches_turns:
                found.append(self._passed_on(node, end))
                continue
            if end.before is not before:
                before, at = end.before, match.at(node, end.before)
            if end.hand is not None:
                followed.append((match.roll(at, end.hand), end.chance))
            else:
                followed.append((at if end.action is None else match.play(at, end.action), end.chance))
        return found + self._merged(node, followed)

    def turn_ends(self, node: Any) -> list[tuple[int, Any, float]]:
        """The ends of a node's turn: the score, the next node (None if the match is over), and the chance."""
        found, waiting = list[tuple[int, Any, float]](), [(node, 1.0)]
        while waiting:
            here, chance = waiting.pop()
            for after, event, part in self.row(here) if chance >= NEGLIGIBLE else ():
                if event.seat >= 0:
                    found.append((event.score, after, chance * part))
                else:
                    waiting.append((after, chance * part))
        return found

    def share_from(self, node: Any, seat: int) -> float:
        """A seat's share of the match from a node on. It merges no nodes, so it suits matches of a few turns."""
        total, waiting = 0.0, [(node, 1.0)]
        while waiting:
            here, chance = waiting.pop()
            for after, event, part in self.row(here):
                if after is None:
                    total += chance * part * (seat in event.champions) / len(event.champions)
                elif chance * part > NEGLIGIBLE:
                    waiting.append((after, chance * part))
        return total

    def _passed_on(self, node: MatchState[Any], end: _TurnEnd) -> Successor:
        """The next turn of the same round, equal to the result of ``Match.roll`` or ``Match.play``."""
        game, order, mover = self.match.game, node.order, node.mover
        assert mover is not None, "asked after a turn"
        score, following = game.score(end.after, node.local(mover)), game.mover(end.after)
        assert following is not None, "asked of rounds that go on"
        key = (-1, 0) if score is None else (mover, score)
        event = self._turns.get(key) or self._turns.setdefault(key, TurnEvent(*key))
        state = MatchState(order, end.after, node.tally, order[following], 1, None, False, None)
        return Successor(state, event, end.chance)

    def _merged(self, node: MatchState[Any], followed: Sequence[tuple[MatchState[Any], float]]) -> list[Successor]:
        found: dict[tuple[MatchState[Any] | None, TurnEvent], float] = {}
        for state, chance in followed:
            key = None if state.over else self._bare(state), self._event(node, state)
            found[key] = found.get(key, 0.0) + chance
        return [Successor(after, event, chance) for (after, event), chance in found.items()]

    def _bare(self, state: MatchState[Any]) -> MatchState[Any]:
        """The match without facts that no later event depends on. It counts rounds only as far as the format needs."""
        tally = state.tally
        if tally.rounds > self._most_rounds:
            tally = replace(tally, rounds=self._most_rounds)
        return MatchState(state.order, state.round, tally, state.mover, 1, None, False, state.roll_off)

    def _event(self, before: MatchState[Any], after: MatchState[Any]) -> TurnEvent:
        match = self.match
        turn, result = match.turn_ended(before, after), match.round_ended(before, after)
        seat, score = turn if turn is not None and before.roll_off is None else (-1, 0)
        winners = None if result is None else result.winners
        if not after.over:
            return TurnEvent(seat, score, winners)
        return TurnEvent(seat, score, winners, match.format.champions(after.tally), after.tally.points)

    def _turn(self, node: MatchState[Any]) -> list[_TurnEnd]:
        assert node.mover is not None, "asked where somebody moves"
        bot, game, position = self.bots[node.mover], self._game, node.round
        if isinstance(bot, Perfect):
            # if the opener limits the rolls, a turn's nodes depend on more than its dice
            if isinstance(bot.solver, TurnSolver) and not is_limited(game) and game.alone(position) == game.start(1):
                return _seated(turn_paths(bot.solver.turn).ends(bot.solver.node_values(node)), position)
            return self._pushed(position, lambda at: ((bot.action(self.match.at(node, at)), 1),))
        place = self._place(bot)
        if self._alike:
            alone = place, game.alone(position)
            if alone not in self._blind:
                self._blind[alone] = self._alone(bot, position)
            blind = self._blind[alone]
            if blind is not None:
                return _seated(blind, position)
        key = place, position
        if key not in self._ends:
            if len(self._ends) >= MOST_REMEMBERED:
                self._ends.clear()
            self._ends[key] = self._pushed(position, lambda at: bot(game, at))
        return self._ends[key]

    def _place(self, bot: BotPolicy) -> int:
        """The index of a bot by identity. A policy may have no hash, or claim to equal another."""
        for place, other in enumerate(self._met):
            if other is bot:
                return place
        self._met.append(bot)
        return len(self._met) - 1

    def _alone(self, bot: Policy[Any, Any], position: Any) -> list[_TurnEnd] | None:
        """The ends of a turn by a seat on its own, if the bot never reads a score in it. Otherwise None.

        The bot gets hidden scores. If it reads none and the game's turns are alike, it plays so after any scores.
        """
        game, hidden = self._game, _HiddenScores()
        try:
            found = self._pushed(
                game.alone(position), lambda at: bot(game, replace(at, seats=position.seats, scores=hidden))
            )
        except Exception:  # noqa: BLE001  whatever it is, a bot that is shown the scores raises it again
            return None
        finally:
            object.__setattr__(hidden, "hides", False)
        return None if object.__getattribute__(hidden, "seen") else found

    def _pushed(self, start: Any, choose: Callable[[Any], tuple[tuple[Any, int], ...]]) -> list[_TurnEnd]:
        """The ends of a turn from a position on, without duplicates."""
        game = self.match.game
        seat, sides = game.mover(start), game.faces.sides
        ends: dict[Any, list[Any]] = {}
        here = {start: 1.0}
        for _ in range(LONGEST):
            following: dict[Any, float] = {}
            for position, mass in here.items():
                due = game.to_roll(position)
                weighted = rolls(due, sides) if due else _weighted(choose(position))
                each = mass / (sides**due if due else sum([weight for _, weight in weighted]))
                for move, weight in weighted:
                    after = game.roll(position, move) if due else _played(game, position, move)
                    if game.mover(after) == seat:
                        following[after] = following.get(after, 0.0) + each * weight
                    elif after in ends:
                        ends[after][0] += each * weight
                    else:
                        step = (move, None) if due else (None, move)
                        ends[after] = [each * weight, position, *step, None if game.mover(after) is None else after]
                self.moves += len(weighted)
                self.choices += not due
            here = following
            if sum(here.values()) < NEGLIGIBLE:
                here = {}
                break
        return [*(_TurnEnd(*end) for end in ends.values()), *(_TurnEnd(mass, at) for at, mass in here.items())]


def _weighted(choice: object) -> tuple[tuple[Any, int], ...]:
    """Check a bot's choice. Raises Refused("policy-answer") for anything but actions with whole weights."""
    given = tuple(choice) if isinstance(choice, Iterable) else ()
    with suppress(TypeError, ValueError):
        weighted = tuple([(action, index(weight)) for action, weight in given])
        weights = [weight for _, weight in weighted]
        if any(weights) and min(weights) >= 0:
            return weighted
    raise Refused("policy-answer")


def _played(game: Any, position: Any, action: Any) -> Any:
    """The position after a bot's action. Raises IllegalAction, and Refused if it is no action."""
    try:
        return game.play(position, action)
    except (AttributeError, TypeError) as error:
        if action in game.legal(position):  # then the rules are at fault
            raise
        raise Refused("policy-answer") from error


def _seated(ends: Sequence[_TurnEnd], position: Any) -> list[_TurnEnd]:
    """Put the ends of a lone turn into a round. ``row`` finds the position after each by its last step."""
    seated = {"seats": position.seats, "scores": position.scores}
    return [end._replace(before=replace(end.before, **seated)) for end in ends]


class TurnPaths:
    """The turn of a game with one turn a seat, as arrays by position. Best play flows through them all at once.

    The result equals that of ``_pushed``, which asks ``perfect`` at every choice: 14,000 times in a turn of Midnight.
    Among equally good actions, both take the first in the rules' order.
    """

    def __init__(self, turn: TurnGraph) -> None:
        game, sides = turn.game, turn.game.faces.sides
        positions = sorted(turn.chance, key=lambda position: -turn.chance[position])  # successors have smaller nodes
        place = {position: at for at, position in enumerate(positions)}
        source, share, starts, nodes, targets = list[int](), list[float](), list[int](), list[int](), list[int]()
        self._last: dict[int, _TurnEnd] = {}  # by target: a last step to this score
        scores: dict[int, int] = {}
        for at, position in enumerate(positions):
            due = game.to_roll(position)
            for hand, ways in rolls(due, sides):  # a single empty hand if no dice are due
                fallen = game.roll(position, hand) if due else position
                moves = [(action, game.play(fallen, action)) for action in game.legal(fallen)]
                source.append(at)
                share.append(ways / sides**due)
                starts.append(len(nodes))
                for action, after in moves or [(None, fallen)]:
                    target = place.get(after)
                    if target is None:
                        target = len(place) + scores.setdefault(after.scores[0], len(scores))
                        step = _TurnEnd(0.0, fallen, None, action) if moves else _TurnEnd(0.0, position, hand)
                        self._last.setdefault(target, step)
                    targets.append(target)
                    nodes.append(turn.node(after))
        self._start, self._most = place[game.start(1)], len(place) + len(scores)
        self._source, self._share, self._starts = np.array(source), np.array(share), np.array(starts)
        self._nodes, self._targets = np.array(nodes), np.array(targets)
        self._owner = np.repeat(np.arange(len(starts)), np.diff([*starts, len(nodes)]))
        heights = np.searchsorted(
            [layer.kinds[0] for layer in turn.graph.layers], [turn.chance[at] for at in positions], "right"
        )
        cuts = np.flatnonzero(np.diff(heights[self._source])) + 1
        self._layers = list(pairwise([0, *cuts.tolist(), len(source)]))

    def ends(self, value: Floats) -> list[_TurnEnd]:
        """The ends of a turn in which every choice takes the first of the best actions. ``value``: [nodes]."""
        worth = value[self._nodes]
        good = worth >= (np.maximum.reduceat(worth, self._starts) - TIE)[self._owner]
        number = np.arange(len(worth))
        chosen = self._targets[np.minimum.reduceat(np.where(good, number, len(worth)), self._starts)]
        mass = np.zeros(self._most)
        mass[self._start] = 1.0
        for first, behind in self._layers:
            flow = mass[self._source[first:behind]] * self._share[first:behind]
            mass += np.bincount(chosen[first:behind], flow, self._most)
        return [step._replace(chance=float(mass[at])) for at, step in sorted(self._last.items()) if mass[at]]


@cache
def turn_paths(turn: TurnGraph) -> TurnPaths:
    """The paths of a turn, cached."""
    return TurnPaths(turn)


class _HiddenScores:
    """Stands for a round's scores. It raises TypeError if a bot reads them, and notes it: the bot may catch the error.

    After the turn ``hides`` is False, since a bot may keep the object and print it.
    """

    def __init__(self) -> None:
        object.__setattr__(self, "seen", False)
        object.__setattr__(self, "hides", True)

    def _used(self, *_: object) -> NoReturn:
        object.__setattr__(self, "seen", True)
        raise TypeError("a policy looks at the scores")

    def __repr__(self) -> str:
        return _HiddenScores._used(self) if object.__getattribute__(self, "hides") else "(hidden)"

    def __getattribute__(self, name: str) -> Any:
        if object.__getattribute__(self, "hides"):
            _HiddenScores._used(self)
        return object.__getattribute__(self, name)

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __iter__ = __len__ = __getitem__ = _used
    __contains__ = __reversed__ = __add__ = __radd__ = __mul__ = __rmul__ = __str__ = __format__ = _used


Sequence.register(_HiddenScores)  # a sequence pattern unpacks only registered sequences


MOST_REMEMBERED = 20_000
"""The most turns to remember, with some 20 ends each."""


OVER = -1
"""The target of a finished match."""
MOST_NODES = 40_000
"""The most nodes of a chain that is computed as a whole."""
MOVES = 250
"""Moves for each of these nodes. 10 million take some 20 s."""
SETTLED = 1e-13
"""The chance of an unfinished match, below which it counts as finished."""
MOST_TURNS = 20_000
"""The most turns of a match in ``WholeChain.expected``."""
ALIKE = 1e-12
"""Signatures that differ by less count as equal (``WholeChain``)."""


class WholeChain:
    """All rows of a small chain, with equivalent nodes merged.

    Two nodes are *alike* if the same events follow with the same chances, each with alike nodes after it (ordinary
    lumpability: Kemeny and Snell, Finite Markov Chains, 1960, section 6.3). The search starts with one class and splits
    until nothing changes. A node's signature sums its chances, each times a random number for event and class of the
    successor. Two different kinds share a signature with a chance below 1e-15. The 29,404 nodes of a race of 420
    between ``tip`` and ``steady`` become some hundreds.

    ``source``, ``target``, ``event`` and ``chance`` are arrays [entries], sorted by source. An event is an index of
    ``events``. The target of a finished match is ``OVER``.
    """

    def __init__(self, chain: MatchChain, most: int = MOST_NODES) -> None:
        """Raises Unsolved for more nodes than ``most``, or for more than ``MOVES`` times as many moves."""
        number, waiting, rows = {chain.start: 0}, [chain.start], 0
        events: dict[TurnEvent, int] = {}
        source, target, event, chance = list[int](), list[int](), list[int](), list[float]()
        while rows < len(waiting):
            for each in chain.row(waiting[rows]):
                at = OVER
                if each.node is not None:
                    at = number.setdefault(each.node, len(waiting))
                    if at == len(waiting):
                        waiting.append(each.node)
                source.append(rows)
                target.append(at)
                event.append(events.setdefault(each.event, len(events)))
                chance.append(each.chance)
            rows += 1
            if len(waiting) > most:
                raise Unsolved("too-many-positions", count=len(waiting), most=most)
            if chain.moves > most * MOVES:
                raise Unsolved("too-many-moves", count=chain.moves, most=most * MOVES)
        self.events = tuple(events)
        self._merge(rows, np.array(source), np.array(target), np.array(event), np.array(chance))

    def _merge(self, rows: int, source: Any, target: Any, event: Any, chance: Any) -> None:
        drawn: Any = np.random.Generator(np.random.Philox(key=1))
        kind, kinds = np.zeros(rows, dtype=np.int64), 1
        while True:
            after = np.where(target == OVER, kinds, kind[target])  # finished matches are a kind of their own
            numbers = drawn.random((2, len(self.events) * (kinds + 1)))
            key = event * (kinds + 1) + after
            sums = [np.bincount(source, chance * row[key], rows) for row in numbers]
            signature = np.stack([kind, *(np.round(each / ALIKE).astype(np.int64) for each in sums)], axis=1)
            found, kind = np.unique(signature, axis=0, return_inverse=True)
            kind = kind.ravel()
            if len(found) == kinds:
                break
            kinds = len(found)
        _, first = np.unique(kind, return_index=True)  # the node that represents its kind
        order = np.argsort(first)
        place = np.empty(kinds, dtype=np.int64)
        place[order] = np.arange(kinds)
        kept = np.flatnonzero(first[kind[source]] == source)
        merged: dict[tuple[int, int, int], float] = {}
        for at in kept.tolist():
            goes = OVER if target[at] == OVER else int(place[kind[target[at]]])
            entry = int(place[kind[source[at]]]), goes, int(event[at])
            merged[entry] = merged.get(entry, 0.0) + float(chance[at])
        self.nodes = kinds
        columns = np.array(list(merged)).T
        self.source, self.target, self.event = columns[0], columns[1], columns[2]
        self.chance = np.array(list(merged.values()))

    def expected(self) -> dict[TurnEvent, float] | None:
        """The mean number of times that each event occurs in a match, by pushing chances along the rows.

        The error is at most ``ALIKE`` a turn: below 1e-10 for matches of a hundred turns on average. None if matches
        last for too long.
        """
        mass: Floats = np.zeros(self.nodes + 1)
        met = np.zeros(len(self.chance))
        mass[0] = 1.0
        for _ in range(MOST_TURNS):
            flow = mass[self.source] * self.chance
            met += flow
            mass = np.append(np.bincount(self.target + 1, flow, self.nodes + 1)[1:], 0.0)
            if mass.sum() < SETTLED:
                return dict(zip(self.events, np.bincount(self.event, met, len(self.events)).tolist(), strict=True))
        return None


MOST_SHARED = 250_000
"""The most rows in ``SharedRows``, with some 20 outcomes each. With more, it drops all before the next pair."""


class SharedRows(MatchChain):
    """Exact shares of a match for two, for many pairs of bots.

    A row depends only on its node and on the mover's bot, so a bot's row serves all its pairs. If a turn has one
    choice, as in 420, the row depends only on that choice, and bots with the same choice share it. Nodes are numbers
    here. The events keep only the winners of the match.
    """

    def __init__(self, match: Match[Any, Any]) -> None:
        super().__init__(match, ())
        self._first, self.start = self.start, 0
        self._forget()

    def _forget(self) -> None:
        self._number, self._nodes = {self._first: 0}, [self._first]
        self._known: dict[Hashable, list[Successor]] = {}

    def share(self, bots: Sequence[BotPolicy]) -> float | None:
        """The first seat's share, as exact as ``WholeChain.expected``. None for very long matches. Raises Unsolved."""
        if len(self._known) > MOST_SHARED:
            self._forget()
        self.bots, self.moves = tuple(bots), 0
        self._ends.clear()
        met = WholeChain(self, MOST_NODES).expected()
        if met is None:
            return None
        return sum([chance / len(event.champions) for event, chance in met.items() if 0 in event.champions])

    def row(self, node: Any) -> list[Successor]:
        """The row of a node, by number."""
        state = self._nodes[node]
        bot = None if state.round is None or state.mover is None else self.bots[state.mover]
        key: Hashable = (node, bot)
        if key in self._known:
            return self._known[key]
        choice: Hashable = None
        if bot is not None and not self.match.to_roll(state):
            choice = (node, ((bot.action(state), 1),) if isinstance(bot, Perfect) else bot(self._game, state.round))
        row, before = self._known.get(choice), self.choices
        if row is None:
            found: dict[tuple[int | None, TurnEvent], float] = {}
            for after, event, chance in super().row(state):
                number = None if after is None else self._number.setdefault(after, len(self._nodes))
                if number == len(self._nodes):
                    self._nodes.append(after)
                entry = number, TurnEvent(champions=event.champions)
                found[entry] = found.get(entry, 0.0) + chance
            row = [Successor(*entry, chance) for entry, chance in found.items()]
            if choice is not None and self.choices == before + 1:
                self._known[choice] = row
        self._known[key] = row
        return row
