"""A match between given bots as a Markov chain of turns. It is derived from the rules of the game, so any game will do.

The bots are policies, so every step has known chances. A turn goes through finitely many positions. Chances are passed
on along the rules. A roll passes on ways / s^n of its chance to the position after each hand (n dice of s faces), and a
decision passes on its chance by the weights of the policy.

A *node* is a match at the beginning of a turn, without the facts that no later event depends on: the number of the
round and the result of the previous one. The *row* of a node lists its successors. Each has the next node (or the end
of the match), a ``TurnEvent``, and its chance. A row is computed on first use. If a policy plays the same turn in
several positions of the match, the chain computes that turn once. A turn of more than ``LONGEST`` steps goes on as a
node of its own. So a turn that can come back to the same position has a row too.

Rounding changes a chance by less than 1e-12. Successors stand in the order of the rules, so a row is the same in every
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
"""The most steps of a turn in one row. A step is a roll or a choice."""
NEGLIGIBLE = 1e-16
"""Smaller chances are dropped. The error of rounding is larger."""


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """The outcome of a turn.

    Attributes:
        seat: The seat whose turn it was. -1 if no turn has ended.
        score: The score of the turn. 0 if no turn has ended.
        winners: The winners of the round. None if the round goes on.
        champions: The winners of the match. Empty if the match goes on.
        points: The points of the match, by seat. Empty if the match goes on.

    """

    seat: int = -1
    score: int = 0
    winners: tuple[int, ...] | None = None
    champions: tuple[int, ...] = ()
    points: tuple[int, ...] = ()


class Successor(NamedTuple):
    """One way in which a turn can end: the next node (None at the end of the match), the event, and the chance."""

    node: Any
    event: TurnEvent
    chance: float


class _TurnEnd(NamedTuple):
    """The last step of a turn: a roll (``hand``), an action, or neither if the turn is to go on as a node of its own.

    ``after`` is the position after the step. It is None if the step ends the round.
    """

    chance: float
    before: Any
    hand: Any = None
    action: Any = None
    after: Any = None


class MatchChain:
    """A match in which every seat is a bot.

    ``moves`` is the number of rolls and actions in all rows so far, and ``choices`` the number of questions to bots.
    Computing a row raises IllegalAction if a policy breaks the rules, and Refused("policy-answer") if its answer is not
    a choice of actions.
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
        """Return the successors of a node. Their chances sum to 1, except for rounding."""
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
        """Return the ends of a node's turn. Each is the score, the next node (None if the match is over), and the
        chance.
        """
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
        """Return a seat's share of the match, from a node on.

        It follows every path separately and merges no nodes. So it suits only matches of a few turns.
        """
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
        """Return the successor for a turn after which the round goes on. It equals the result of ``Match.roll`` or
        ``Match.play``.
        """
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
        """Return the match without the facts that no later event depends on. Rounds are counted only as far as the
        format needs.
        """
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
        assert node.mover is not None, "a turn has a mover"
        bot, game, position = self.bots[node.mover], self._game, node.round
        if isinstance(bot, Perfect):
            # if the opener limits the rolls, the nodes of a turn depend on more than the dice
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
        """Return the index of a bot, found by identity. A policy may have no hash, and may claim to equal another
        one.
        """
        for place, other in enumerate(self._met):
            if other is bot:
                return place
        self._met.append(bot)
        return len(self._met) - 1

    def _alone(self, bot: Policy[Any, Any], position: Any) -> list[_TurnEnd] | None:
        """Return the ends of a seat's turn if the bot reads no score in it, otherwise None.

        In place of the scores, the bot gets an object that notes every access. If the bot reads none, and the game's
        turns are alike, it plays in the same way after any scores.
        """
        game, hidden = self._game, _HiddenScores()
        try:
            found = self._pushed(
                game.alone(position), lambda at: bot(game, replace(at, seats=position.seats, scores=hidden))
            )
        except Exception:  # noqa: BLE001 whatever the error is, the bot raises it again when it gets the true scores
            return None
        finally:
            object.__setattr__(hidden, "hides", False)
        return None if object.__getattribute__(hidden, "seen") else found

    def _pushed(self, start: Any, choose: Callable[[Any], tuple[tuple[Any, int], ...]]) -> list[_TurnEnd]:
        """Return the ends of a turn that goes on from a position, each end once."""
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
    """Check a bot's choice. Raises Refused("policy-answer") unless the choice has actions with whole weights, which
    must not be negative, nor all 0.
    """
    given = tuple(choice) if isinstance(choice, Iterable) else ()
    with suppress(TypeError, ValueError):
        weighted = tuple([(action, index(weight)) for action, weight in given])
        weights = [weight for _, weight in weighted]
        if any(weights) and min(weights) >= 0:
            return weighted
    raise Refused("policy-answer")


def _played(game: Any, position: Any, action: Any) -> Any:
    """Return the position after a bot's action. Raises IllegalAction, or Refused("policy-answer") if it is no action at
    all.
    """
    try:
        return game.play(position, action)
    except (AttributeError, TypeError) as error:
        if action in game.legal(position):  # if the action is legal, the error is one of the rules
            raise
        raise Refused("policy-answer") from error


def _seated(ends: Sequence[_TurnEnd], position: Any) -> list[_TurnEnd]:
    """Put the ends of a turn that was played alone into a round. ``row`` then works out the position after each last
    step.
    """
    seated = {"seats": position.seats, "scores": position.scores}
    return [end._replace(before=replace(end.before, **seated)) for end in ends]


class TurnPaths:
    """The turn of a game with one turn a seat, as arrays over its positions. Best play is followed in all positions at
    once.

    The result equals that of ``_pushed``, which would ask ``perfect`` at every choice: 14,000 times in a turn of
    Midnight. If several actions are equally good, both take the first one in the order of the rules.
    """

    def __init__(self, turn: TurnGraph) -> None:
        game, sides = turn.game, turn.game.faces.sides
        # in this order every position comes before its successors, which have smaller nodes
        positions = sorted(turn.chance, key=lambda position: -turn.chance[position])
        place = {position: at for at, position in enumerate(positions)}
        source, share, starts, nodes, targets = list[int](), list[float](), list[int](), list[int](), list[int]()
        self._last: dict[int, _TurnEnd] = {}  # for each final score (by target), one step that ends the turn with it
        scores: dict[int, int] = {}
        for at, position in enumerate(positions):
            due = game.to_roll(position)
            for hand, ways in rolls(due, sides):  # if no dice are due, there is a single empty hand
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
        """Return the ends of a turn in which every choice takes the first of the best actions. ``value`` is [nodes] the
        values.
        """
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
    """Return the paths of a turn. They are cached."""
    return TurnPaths(turn)


class _HiddenScores:
    """An object in place of a round's scores. If a bot reads them, it raises TypeError, and notes it in ``seen``.

    The note is needed, because the bot may catch the error. After the turn ``hides`` is set to False, because a bot may
    have kept the object and may print it.
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


Sequence.register(_HiddenScores)  # because a sequence pattern (``match``) unpacks only registered sequences


MOST_REMEMBERED = 20_000
"""The most turns whose ends are stored. A turn has some 20 ends."""


OVER = -1
"""The target of a row entry that ends the match."""
MOST_NODES = 40_000
"""The most nodes of a chain whose rows are all computed at once."""
MOVES = 250
"""The most moves of such a chain, as a multiple of its most nodes: 10 million moves, which take some 20 s."""
SETTLED = 1e-13
"""If the chance that a match still goes on is below this, it counts as finished."""
MOST_TURNS = 20_000
"""The most turns of a match that ``WholeChain.expected`` follows."""
ALIKE = 1e-12
"""Signatures of nodes that differ by less count as equal (``WholeChain``)."""


class WholeChain:
    """All rows of a small chain, in which equivalent nodes are merged.

    Two nodes are *alike* if the same events follow with the same chances, and each event leads to nodes that are alike
    (ordinary lumpability: Kemeny and Snell, Finite Markov Chains, 1960, section 6.3). The search starts with all nodes
    in one class, and splits classes until nothing changes. To compare nodes, each gets a signature: the sum over its
    successors of the chance times a random number, drawn for the successor's event and class. Nodes that are not alike
    have the same signature with a chance below 1e-15. The 29,404 nodes of a race of 420 between ``tip`` and ``steady``
    become some hundreds.

    ``source``, ``target``, ``event`` and ``chance`` are arrays [entries], sorted by source. An entry of ``event`` is an
    index into ``events``. If an entry ends the match, its target is ``OVER``.
    """

    def __init__(self, chain: MatchChain, most: int = MOST_NODES) -> None:
        """Compute all rows. Raises Unsolved for more than ``most`` nodes, or more than ``MOVES`` times as many
        moves.
        """
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
            after = np.where(target == OVER, kinds, kind[target])  # all finished matches are one class
            numbers = drawn.random((2, len(self.events) * (kinds + 1)))
            key = event * (kinds + 1) + after
            sums = [np.bincount(source, chance * row[key], rows) for row in numbers]
            signature = np.stack([kind, *(np.round(each / ALIKE).astype(np.int64) for each in sums)], axis=1)
            found, kind = np.unique(signature, axis=0, return_inverse=True)
            kind = kind.ravel()
            if len(found) == kinds:
                break
            kinds = len(found)
        _, first = np.unique(kind, return_index=True)  # the first node of each class stands for the class
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
        """Return the mean number of times that each event occurs in a match. Return None if matches can last too long.

        Chances are passed along the rows, turn by turn. The error is at most ``ALIKE`` for each turn: below 1e-10 for
        matches of a hundred turns on average.
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
"""The most rows in ``SharedRows``, with some 20 outcomes each. If there are more, all are dropped before the next
pair."""


class SharedRows(MatchChain):
    """The exact shares of a match for two, for many pairs of bots.

    A row depends only on its node and on the bot that moves. So a bot's row serves all pairs with this bot. If a turn
    has only one choice, as in 420, the row depends only on that choice. So bots that choose alike share the row. Here a
    node is a number, and an event has only the winners of the match.
    """

    def __init__(self, match: Match[Any, Any]) -> None:
        super().__init__(match, ())
        self._first, self.start = self.start, 0
        self._forget()

    def _forget(self) -> None:
        self._number, self._nodes = {self._first: 0}, [self._first]
        self._known: dict[Hashable, list[Successor]] = {}

    def share(self, bots: Sequence[BotPolicy]) -> float | None:
        """Return the first seat's share. It is as exact as ``WholeChain.expected``.

        Returns None if matches can last too long. Raises Unsolved if the chain is too large.
        """
        if len(self._known) > MOST_SHARED:
            self._forget()
        self.bots, self.moves = tuple(bots), 0
        self._ends.clear()
        met = WholeChain(self, MOST_NODES).expected()
        if met is None:
            return None
        return sum([chance / len(event.champions) for event, chance in met.items() if 0 in event.champions])

    def row(self, node: Any) -> list[Successor]:
        """Return the row of a node, given by its number."""
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
