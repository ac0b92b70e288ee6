"""A round as a graph, its positions merged by their mover and their followers; scores are paid on the way.

Definition. Two positions are *alike* if the same seat moves, and their followers are alike in the same order of actions
(or, at a roll, with the same chances), and pays the same. Ends are alike if the match goes on alike after both
(``ends``, [results]), at any scores. Found from the ends upward (``NodeRows``), this is the bisimulation of
``solve.finite.graph`` with the mover. A forced move leads where its one follower is.

Scores. Seats who are indifferent play for their own score, so scores must not be forgotten with the ends. They are
*paid* where they become certain: a position from which all ends give a seat the same score has had it paid, and the
step there from one where it was open pays it. So two positions that differ only by scores already made are one node:
after the first of two turns of Mexico, only the score that must be beaten and the limit count.

Nodes. The ends are the first, then nodes by height, so that followers have smaller numbers. In a round that need not
end, the nodes from which a cycle can be reached come last (``loose``), in blocks, each after those that it leads to;
within one the order is that of ``cycles``. Nothing is paid in such a round.
"""

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pubdice.core.dice import rolls
from pubdice.core.errors import Unsolved
from pubdice.core.game import CanonicalStates, Game, RoundResult, RoundSeat, TurnedSeats
from pubdice.solve.arrays import Floats
from pubdice.solve.plain.cycles import Numbers, cycles, heights, rows

# Every position of a round, found from the rules alone, as arrays; bounded, as nobody knows how many there are.
#
# Positions are numbered as they are found, breadth first from the start, so the numbers depend on the rules and on
# nothing else. A round need not end: positions may follow themselves. What follows a position stands in one run of
# ``after``, in the rules' order: at a roll every hand with its ways, at a choice every legal action.
#
# The rules are asked once for each roll and action of each position, a few microseconds each, so both are bounded:
# ``MOST_POSITIONS`` for memory, some 230 bytes each, and ``MOST_MOVES`` for time.
#
# A game that is the same from every chair and says so (``TurnedSeats``) is asked about positions as their movers see
# them. The arrays have each of these once for every seat that the mover may be (``_lifted``): that takes no rules.


Progress = Callable[[int, int], None]
"""Told what is done and what there is to do, as numbers, again and again; 0 to do: nobody knows yet."""

CHANCE, END = -1, -2
"""In the place of a mover: the dice decide, or nothing does."""
MOST_POSITIONS = 600_000
MOST_MOVES = 1_500_000
MOST_POSITIONS_OF_TWO = 3_000_000
MOST_MOVES_OF_TWO = 9_000_000
"""Of two seats, which are solved in blocks where a round can come back (``solution``): some 40 s and 1.4 GB."""
MOST_MERGES = 12
"""The most times that loose nodes are merged, as their followers became one: each time all are looked through."""
MANY, WORTH = 200_000, 20
"""Of so many nodes a twentieth must become one, or merging them takes longer than it saves."""
EVERY = 20_000
"""Positions between two calls of a ``Progress``: some tenths of a second."""


@dataclass(frozen=True, eq=False)
class Positions:
    """The positions of one round.

    number: of every position, in canonical form if the game has one (``CanonicalStates``); the start is 0. Where seats
    are turned (``TurnedSeats``), ``lift`` has the positions: [number · seats + the mover], -1 if it is not reached;
    else None. mover: [positions] the seat at a choice, else CHANCE or END. starts: [positions + 1] where the run of
    each begins. after: the positions that follow. ways: in how many ways each does, 1 at a choice. results: one an end,
    each once. result: [positions] which of them, at an end; -1 elsewhere. lowest_wins: as the game says.
    """

    seats: int
    number: dict[Any, int]
    mover: Numbers
    starts: Numbers
    after: Numbers
    ways: Numbers
    results: tuple[RoundResult, ...]
    result: Numbers
    lowest_wins: bool
    lift: Numbers | None = None

    def at(self, game: Game[Any, Any], state: Any) -> int | None:
        """The position of a state; None if no round comes to it. Where seats are turned, of an end one alike."""
        if self.lift is None:
            return self.number.get(canonical(game, state))
        assert hasattr(game, "turned"), "its positions were found turned"
        mover = game.mover(state)
        if mover is None:
            return self._ends.get(game.result(state))
        number = self.number.get(canonical(game, game.turned(state) if mover else state))
        place = -1 if number is None else int(self.lift[number * self.seats + mover])
        return place if place >= 0 else None

    @cached_property
    def _ends(self) -> dict[RoundResult | None, int]:
        """A position by each result of the round."""
        kinds, places = np.unique(self.result, return_index=True)
        return {
            self.results[kind]: place for kind, place in zip(kinds.tolist(), places.tolist(), strict=True) if kind >= 0
        }


class _Finder:
    """Positions found so far, each with its number, and those whose followers have still to be asked for.

    turn: by how many seats each move turns the round, where it is turned for its mover.
    """

    def __init__(self, start: Any, canonical: Callable[[Any], Any] | None, turned: Callable[[Any], Any] | None) -> None:
        self.canonical, self.turned = canonical, turned
        self.number: dict[Any, int] = {start: 0}
        self.waiting: list[Any] = [start]
        self.mover, self.result = array("q"), array("q")
        self.starts, self.after, self.ways = array("q", [0]), array("q"), array("q")
        self.turn = array("b")
        self.results: dict[RoundResult, int] = {}

    def follow(self, game: Game[Any, Any], state: Any) -> None:
        """Note a position, and what follows it."""
        number, after = self.number, self.after
        result = game.result(state)
        if result is not None:
            self._note(END, self.results.setdefault(result, len(self.results)))
            return
        due = game.to_roll(state)
        if due:
            fallen = rolls(due, game.faces.sides)
            following = [game.roll(state, hand) for hand, _ in fallen]
            self.ways.extend([count for _, count in fallen])
            mover = CHANCE
        else:
            following = [game.play(state, action) for action in game.legal(state)]
            self.ways.extend([1] * len(following))
            found = game.mover(state)
            if found is None or not following:
                raise ValueError(f"a round that is not over goes on: {state}")
            mover = found
        if self.turned is not None:
            turn = [game.mover(each) or 0 for each in following]
            self.turn.extend(turn)
            following = [self.turned(each) if by else each for each, by in zip(following, turn, strict=True)]
        if self.canonical is not None:
            following = [self.canonical(each) for each in following]
        for each in following:
            at = number.get(each)
            if at is None:
                at = number[each] = len(number)
                self.waiting.append(each)
            after.append(at)
        self._note(mover, -1)

    def _note(self, mover: int, result: int) -> None:
        self.mover.append(mover)
        self.result.append(result)
        self.starts.append(len(self.after))


def limits(seats: int) -> tuple[int, int]:
    """(the most positions, the most moves) of a round with this number of seats."""
    return (MOST_POSITIONS_OF_TWO, MOST_MOVES_OF_TWO) if seats == 2 else (MOST_POSITIONS, MOST_MOVES)


def find_positions(
    game: Game[Any, Any],
    seats: int,
    progress: Progress | None = None,
    *,
    most: int | None = None,
    most_moves: int | None = None,
    every: int = EVERY,
    turned: bool = True,
) -> Positions:
    """Every position of a round with this number of seats. Raises Unsolved: "too-many-positions", "too-many-moves".

    turned: whether positions that differ by who sits where are asked about once, if the game says how.
    """
    usual = limits(seats)
    most, most_moves = most or usual[0], most_moves or usual[1]
    turns = turned and isinstance(game, TurnedSeats)
    each = seats if turns else 1
    start = canonical(game, game.start(seats))
    found = _Finder(
        start,
        game.canonical if isinstance(game, CanonicalStates) else None,
        game.turned if turns and isinstance(game, TurnedSeats) else None,
    )
    for done, state in enumerate(found.waiting):
        found.follow(game, state)
        if len(found.number) * each > most:
            raise Unsolved("too-many-positions", count=len(found.number) * each, most=most)
        if len(found.after) * each > most_moves:
            raise Unsolved("too-many-moves", count=len(found.after) * each, most=most_moves)
        if progress is not None and done % every == 0:
            progress(done, 0)
    positions = Positions(
        seats=seats,
        number=found.number,
        mover=np.array(found.mover, dtype=np.int64),
        starts=np.array(found.starts, dtype=np.int64),
        after=np.array(found.after, dtype=np.int64),
        ways=np.array(found.ways, dtype=np.int64),
        results=tuple(found.results),
        result=np.array(found.result, dtype=np.int64),
        lowest_wins=game.lowest_wins,
    )
    return _lifted(positions, np.array(found.turn, dtype=np.int64)) if turns else positions


def _lifted(found: Positions, turn: Numbers) -> Positions:
    """The positions once for every seat that the mover may be. found: as their movers see them. turn: [moves]."""
    seats, count = found.seats, len(found.mover)
    runs = np.diff(found.starts)
    mover = np.arange(seats * count) % seats
    base = np.repeat(found.mover, seats)
    starts = np.concatenate(([0], np.cumsum(np.repeat(runs, seats))))
    places = rows(found.starts, np.repeat(np.arange(count), seats))
    owner = np.repeat(mover, np.repeat(runs, seats))
    after = found.after[places] * seats + (owner + turn[places]) % seats
    results: dict[RoundResult, int] = {}
    numbered = [
        results.setdefault(_turned_result(result, by), len(results)) for result in found.results for by in range(seats)
    ]
    result = np.full(seats * count, -1, dtype=np.int64)
    over = base == END
    if over.any():
        kinds = np.repeat(found.result, seats)[over] * seats + mover[over]
        result[over] = np.array(numbered, dtype=np.int64)[kinds]
    lifted = Positions(
        seats=seats,
        number=found.number,
        mover=np.where(base >= 0, mover, base),
        starts=starts,
        after=after,
        ways=found.ways[places],
        results=tuple(results),
        result=result,
        lowest_wins=found.lowest_wins,
        lift=np.arange(seats * count),
    )
    return _reached(lifted)


def _turned_result(result: RoundResult, by: int) -> RoundResult:
    """A result as it stands when its seat 0 is the seat ``by``."""
    seats = len(result.scores)
    winners = sorted((seat + by) % seats for seat in result.winners)
    scores = result.scores
    return RoundResult(tuple(map(RoundSeat, winners)), (*scores[seats - by :], *scores[: seats - by]))


def _reached(found: Positions) -> Positions:
    """The positions that a round can come to, of some that were laid out for every seat."""
    assert found.lift is not None, "laid out for every seat"
    kept = _distances(found) >= 0
    if kept.all():
        return found
    here = np.flatnonzero(kept)
    place = np.where(kept, np.cumsum(kept) - 1, -1)
    moves, runs = rows(found.starts, here), np.diff(found.starts)[here]
    ends = found.result[here]
    named = np.unique(ends[ends >= 0])
    again = np.full(len(found.results) + 1, -1, dtype=np.int64)  # the last is for -1
    again[named] = np.arange(len(named))
    return Positions(
        seats=found.seats,
        number=found.number,
        mover=found.mover[here],
        starts=np.concatenate(([0], np.cumsum(runs))),
        after=place[found.after[moves]],
        ways=found.ways[moves],
        results=tuple(found.results[each] for each in named.tolist()),
        result=again[ends],
        lowest_wins=found.lowest_wins,
        lift=place,
    )


def canonical(game: Game[Any, Any], state: Any) -> Any:
    """The state under which a position is found: the one that the game names for it, or itself.

    By the name of what the game adds, as ``isinstance`` of a protocol takes 8 µs, and each action of a bot asks this.
    """
    return game.canonical(state) if hasattr(game, "canonical") else state


# NodeRows of numbers that say the same, found and given one number: the merge of positions that are built alike.
#
# A row is a run of (after, paid, ways): the nodes that follow a position, what the step there pays, in how many ways
# it comes. At a roll neither order nor common factors matter. At a choice the order of the actions does, as the first
# of equally good ones is taken; an action that leads where an earlier one leads adds nothing.
#
# Rows are compared by two sums of 64-bit hashes, and then number by number with the row found to be alike, so no
# chance of a collision is left in the result.


Hashes = NDArray[np.uint64]
_SALTS = (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03)


@dataclass(frozen=True, eq=False)
class NodeRows:
    """Runs laid end to end: run i is ``after[starts[i] : starts[i + 1]]``, and the same of ``paid`` and ``ways``."""

    starts: Numbers
    after: Numbers
    paid: Numbers
    ways: Numbers

    def __len__(self) -> int:
        return len(self.starts) - 1

    def taken(self, chosen: Numbers) -> "NodeRows":
        """Some of the rows, in the order asked for."""
        places = rows(self.starts, chosen)
        lengths = self.starts[chosen + 1] - self.starts[chosen]
        return NodeRows(_laid(lengths), self.after[places], self.paid[places], self.ways[places])


def _laid(lengths: Numbers) -> Numbers:
    return np.concatenate(([0], np.cumsum(lengths)))


def _of_row(found: NodeRows) -> Numbers:
    return np.repeat(np.arange(len(found)), np.diff(found.starts))


def _changes(*keys: Numbers) -> NDArray[np.bool_]:
    """True where any of the sorted keys differs from the one before; the first place always."""
    changed = np.ones(len(keys[0]), dtype=np.bool_)
    changed[1:] = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    return changed


def _by_step(found: NodeRows, row: Numbers) -> Numbers:
    """The places of steps, row by row, in the order of what they lead to and pay; of the same ones as they stood."""
    if found.paid.any() or not len(row):
        return np.lexsort((found.paid, found.after, row))
    return np.argsort(row * (int(found.after.max()) + 1) + found.after, kind="stable")


def roll_rows(found: NodeRows) -> NodeRows:
    """The rows of rolls, each step once: sorted, ways added up and divided by what divides them all."""
    row = _of_row(found)
    order = _by_step(found, row)
    row, after, paid = row[order], found.after[order], found.paid[order]
    first = np.flatnonzero(_changes(row, after, paid))
    ways = np.add.reduceat(found.ways[order], first)
    row = row[first]
    starts = _laid(np.bincount(row, minlength=len(found)))
    ways = ways // np.gcd.reduceat(ways, starts[:-1])[row]
    return NodeRows(starts, after[first], paid[first], ways)


def choice_rows(found: NodeRows) -> NodeRows:
    """The rows of choices, each step once, where it stood first."""
    row = _of_row(found)
    order = _by_step(found, row)
    kept = np.sort(order[_changes(row[order], found.after[order], found.paid[order])])
    starts = _laid(np.bincount(row[kept], minlength=len(found)))
    return NodeRows(starts, found.after[kept], found.paid[kept], found.ways[kept])


def alike(found: NodeRows) -> tuple[Numbers, Numbers]:
    """([kinds] the first row of each kind, in the order of these, [rows] the kind of every row)."""
    lengths = np.diff(found.starts)
    place = np.arange(len(found.after)) - np.repeat(found.starts[:-1], lengths)
    sums = [_row_hashes(found, place, salt) for salt in _SALTS]
    order = np.lexsort((sums[1], sums[0], lengths))
    changed = _changes(lengths[order], *[each[order] for each in sums])
    firsts = order[changed]  # lexsort is stable, so each is the smallest of its kind
    kind = np.empty(len(found), dtype=np.int64)
    kind[order] = np.cumsum(changed) - 1
    ranked = np.argsort(firsts)
    firsts, kind = firsts[ranked], np.argsort(ranked)[kind]
    other = rows(found.starts, firsts[kind])
    for each in (found.after, found.paid, found.ways):
        if not np.array_equal(each, each[other]):  # two rows out of 2^64 pairs: never seen
            raise ArithmeticError("rows that differ have the same hashes")
    return firsts, kind


def _row_hashes(found: NodeRows, place: Numbers, salt: int) -> Any:
    mixed = _mixed(found.after.astype(np.uint64) + np.uint64(salt))
    for each in (found.paid, found.ways, place):
        mixed = _mixed(mixed ^ each.astype(np.uint64))
    return np.add.reduceat(mixed, found.starts[:-1])


def _mixed(numbers: Hashes) -> Hashes:
    """Stafford's variant 13 of the finalizer of MurmurHash3, as splitmix64 uses it."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Hashes = numbers ^ (numbers >> np.uint64(31))
    return mixed


@dataclass(frozen=True, eq=False)
class GraphStep:
    """Neighbouring nodes with one mover (or CHANCE), none of which follows another of them unless they are loose.

    first, behind: the first node and the one behind the last. starts: [nodes] of runs. after, paid: the followers, and
    the row of ``RoundGraph.scores`` that it pays. prob: at a roll the chance of each. pays: true if any pays.
    """

    first: int
    behind: int
    mover: int
    starts: Numbers
    after: Numbers
    prob: Floats
    paid: Numbers
    pays: bool


@dataclass(frozen=True, eq=False)
class LooseBlock:
    """Cycles that do not lead to each other, each with the nodes to cut it at; what follows them stands before.

    first, behind: its nodes. steps: of those that are not cut, in an order in which each can be worked out once the cut
    ones are known. cut_steps: of the cut ones, the last nodes. columns: [cut nodes] the place of each among those of
    its own cycle.
    """

    first: int
    behind: int
    steps: tuple[GraphStep, ...]
    cut_steps: tuple[GraphStep, ...]
    columns: Numbers
    cycle: Numbers

    @property
    def cuts(self) -> slice:
        """The cut nodes."""
        return slice(self.behind - len(self.columns), self.behind)


@dataclass(frozen=True, eq=False)
class RoundGraph:
    """A round as arrays.

    ends: the number of kinds of end, the first nodes. steps: upward. loose: the blocks of nodes that need not end.
    node: [positions] of every position. scores: [kinds of payment, seats], the first pays nothing. had: [positions,
    seats] the scores that are certain there; 0 for others. sign: 1 where the highest score wins, -1 where the lowest
    does, 0 where neither can be said.
    """

    seats: int
    ends: int
    steps: tuple[GraphStep, ...]
    loose: tuple["LooseBlock", ...]
    node: Numbers
    scores: Floats
    had: Numbers
    sign: int

    @property
    def start(self) -> int:
        """The node where a round begins."""
        return int(self.node[0])

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        if self.loose:
            return self.loose[-1].behind
        return self.steps[-1].behind if self.steps else self.ends

    @property
    def edges(self) -> int:
        """The number of edges from node to node: the work of one pass."""
        return sum(len(step.after) for step in (*self.steps, *self.loose_steps))

    @property
    def loose_steps(self) -> list[GraphStep]:
        """The steps of all blocks, in their order."""
        return [step for block in self.loose for step in (*block.steps, *block.cut_steps)]


def build(found: Positions, ends: Numbers) -> RoundGraph:
    """The graph of a round. ends: [results] the kind of each, counted from 0 without a gap."""
    height = heights(found.starts, found.after)
    builder = _GraphBuilder(found, height, ends)
    for level in range(1, int(height.max()) + 1):
        builder.add(np.flatnonzero(height == level))
    loose = builder.add_loose(np.flatnonzero(height < 0)) if height.min() < 0 else ()
    count = int(ends.max()) + 1
    sign = -1 if found.lowest_wins else 1
    steps, node, scores = tuple(builder.steps), builder.node, builder.scores
    return RoundGraph(found.seats, count, steps, loose, node, scores, builder.had, sign)


def by_winners(found: Positions) -> tuple[tuple[tuple[int, ...], ...], Numbers]:
    """(the winners of each kind of end, [results] the kind of each), for a round that is worth its winners alone.

    Where nobody wins all share it.
    """
    ends, everybody = dict[tuple[int, ...], int](), tuple(range(found.seats))
    kinds = [ends.setdefault(tuple(result.winners) or everybody, len(ends)) for result in found.results]
    return tuple(ends), np.array(kinds, dtype=np.int64)


def certain_scores(found: Positions, height: Numbers) -> tuple[Numbers, Numbers]:
    """([positions, seats] the least and the greatest score that each seat can still reach."""
    scores = np.array([result.scores for result in found.results], dtype=np.int64)
    low, high = (np.zeros((len(found.mover), found.seats), dtype=np.int64) for _ in range(2))
    over = found.mover == END
    low[over] = high[over] = scores[found.result[over]]
    for level in range(1, int(height.max()) + 1):
        here = np.flatnonzero(height == level)
        after = found.after[rows(found.starts, here)]
        lengths = found.starts[here + 1] - found.starts[here]
        starts = np.cumsum(lengths) - lengths
        low[here] = np.minimum.reduceat(low[after], starts)
        high[here] = np.maximum.reduceat(high[after], starts)
    return low, high


class _GraphBuilder:
    """Nodes made so far, and the node of every position that has one."""

    def __init__(self, found: Positions, height: Numbers, ends: Numbers) -> None:
        self.found = found
        self.node = np.full(len(found.mover), -1, dtype=np.int64)
        over = found.mover == END
        self.node[over] = ends[found.result[over]]
        self.nodes = int(ends.max()) + 1
        self.steps: list[GraphStep] = []
        self.had = np.zeros((len(found.mover), found.seats), dtype=np.int64)
        self.paid, self.scores = self._payments(height)

    def _payments(self, height: Numbers) -> tuple[Numbers, Floats]:
        """([moves] the kind of payment, [kinds, seats] what it pays); nothing in a round that need not end."""
        found = self.found
        paid = np.zeros(len(found.after), dtype=np.int64)
        nothing = np.zeros((1, found.seats))
        if height.min() < 0:
            return paid, nothing
        low, high = certain_scores(found, height)
        self.had = had = np.where(low == high, low, 0)
        certain = (low == high).sum(axis=1)
        before = np.repeat(np.arange(len(found.mover)), np.diff(found.starts))
        paying = np.flatnonzero(certain[found.after] > certain[before])
        if not len(paying):
            return paid, nothing
        amounts = had[found.after[paying]] - had[before[paying]]
        kinds, kind = np.unique(amounts, axis=0, return_inverse=True)
        paid[paying] = kind.reshape(-1) + 1
        return paid, np.concatenate((nothing, kinds.astype(np.float64)))

    def _rows(self, here: Numbers) -> NodeRows:
        found, places = self.found, rows(self.found.starts, here)
        lengths = found.starts[here + 1] - found.starts[here]
        starts = np.concatenate(([0], np.cumsum(lengths)))
        return NodeRows(starts, self.node[found.after[places]], self.paid[places], found.ways[places])

    def add(self, here: Numbers) -> None:
        """Positions all of whose followers have their nodes."""
        for mover in np.unique(self.found.mover[here]).tolist():
            mine = here[self.found.mover[here] == mover]
            made = (roll_rows if mover == CHANCE else choice_rows)(self._rows(mine))
            forced = (np.diff(made.starts) == 1) & (made.paid[made.starts[:-1]] == 0)
            self.node[mine[forced]] = made.after[made.starts[:-1][forced]]
            if forced.all():
                continue
            made = made.taken(np.flatnonzero(~forced))
            firsts, kind = alike(made)
            self.node[mine[~forced]] = self.nodes + kind
            self.steps.append(_step(self.nodes, mover, made.taken(firsts)))
            self.nodes += len(firsts)

    def add_loose(self, here: Numbers) -> tuple[LooseBlock, ...]:
        """Positions from which a cycle can be reached: merged as far as their followers show them to be alike."""
        mover, first, kinds = self.found.mover[here], self.nodes, len(here)
        self.node[here] = first + np.arange(len(here))
        made = _both(self._rows(here), mover)
        for _ in range(MOST_MERGES):  # what follows becomes alike, and then what it follows
            tagged = NodeRows(made.starts, made.after, np.repeat(mover, np.diff(made.starts)) + 1, made.ways)
            firsts, kind = alike(tagged)
            if len(firsts) > kinds - (kinds // WORTH if kinds > MANY else 1):
                break
            self.node[here] = first + kind
            kinds = len(firsts)
            made = _both(self._rows(here), mover)
        if kinds < len(here):
            firsts = np.unique(self.node[here], return_index=True)[1]
            made, mover = made.taken(firsts), mover[firsts]
        self.nodes += kinds
        return self._blocks(first, made, mover)

    def _blocks(self, first: int, made: NodeRows, mover: Numbers) -> tuple[LooseBlock, ...]:
        """The nodes from ``first`` on, put in the order of their cycles."""
        order = cycles(made.starts, made.after - first)
        ranks = np.lexsort((order.cycle, mover, order.height, order.cut, order.block))
        place = np.empty(len(ranks), dtype=np.int64)
        place[ranks] = np.arange(len(ranks))
        loose = self.node >= first
        self.node[loose] = first + place[self.node[loose] - first]
        made = made.taken(ranks)
        made.after[made.after >= first] = first + place[made.after[made.after >= first] - first]
        mover, block, cut, height = mover[ranks], order.block[ranks], order.cut[ranks], order.height[ranks]
        changed = [np.diff(each) != 0 for each in (block, cut, height, mover)]
        cuts = [0, *(np.flatnonzero(np.logical_or.reduce(changed)) + 1).tolist(), len(ranks)]
        steps: dict[int, tuple[list[GraphStep], list[GraphStep]]] = {}
        for low, high in pairwise(cuts):
            step = _step(first + low, int(mover[low]), made.taken(np.arange(low, high)))
            steps.setdefault(int(block[low]), ([], []))[int(cut[low])].append(step)
        blocks = []
        for free, cut_steps in steps.values():
            low = (free or cut_steps)[0].first
            behind = (cut_steps or free)[-1].behind
            many = behind - cut_steps[0].first if cut_steps else 0
            mine = ranks[behind - first - many : behind - first]
            columns, cycle = order.column[mine], np.unique(order.cycle[mine], return_inverse=True)[1]
            blocks.append(LooseBlock(low, behind, tuple(free), tuple(cut_steps), columns, cycle.reshape(-1)))
        return tuple(blocks)


def _both(found: NodeRows, mover: Numbers) -> NodeRows:
    """NodeRows of rolls and of choices, each put in order by its own rule, laid as they stood."""
    rolled, chosen = np.flatnonzero(mover == CHANCE), np.flatnonzero(mover != CHANCE)
    parts = [make(found.taken(some)) for make, some in ((roll_rows, rolled), (choice_rows, chosen)) if len(some)]
    starts = np.concatenate([[0], *[part.starts[1:] for part in parts]])
    for at in range(1, len(parts)):
        starts[len(parts[0]) + 1 :] += parts[0].starts[-1] * at
    joined = NodeRows(
        starts,
        np.concatenate([part.after for part in parts]),
        np.concatenate([part.paid for part in parts]),
        np.concatenate([part.ways for part in parts]),
    )
    return joined.taken(np.argsort(np.concatenate((rolled, chosen))))


def _distances(found: Positions) -> Numbers:
    """[positions] the least number of steps from the start to each; -1 where none leads."""
    distance = np.full(len(found.mover), -1, dtype=np.int64)
    distance[0] = 0
    fresh, steps = np.array([0]), 0
    while len(fresh):
        after = np.unique(found.after[rows(found.starts, fresh)])
        fresh, steps = after[distance[after] < 0], steps + 1
        distance[fresh] = steps
    return distance


def _step(first: int, mover: int, made: NodeRows) -> GraphStep:
    starts = made.starts[:-1]
    prob = np.ones(len(made.ways))
    if mover == CHANCE:
        prob = made.ways / np.repeat(np.add.reduceat(made.ways, starts), np.diff(made.starts))
    return GraphStep(first, first + len(made), mover, starts, made.after, prob, made.paid, bool(made.paid.any()))
