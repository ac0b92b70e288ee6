"""A round as arrays: every position that it can reach, with its value to each player and the best move.

The rules alone give the positions (``solve.plain.positions``). The match's solver gives the values of the ends of the
round, so the rest of the match counts. If no position can repeat and two players share the prize, the values of all
other positions follow from the ends by backward induction. Otherwise the solver is asked for each position.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pubdice.advice.coach import Coach
from pubdice.advice.review import between
from pubdice.core.dice import rolls
from pubdice.core.errors import BadNotation, IllegalAction, Unsolved
from pubdice.core.game import Game
from pubdice.failures import explain
from pubdice.match.match import Match, MatchState
from pubdice.solve.arrays import Floats
from pubdice.solve.plain.cycles import Numbers, heights, rows
from pubdice.solve.plain.forecast import refuse_early
from pubdice.solve.plain.positions import CHANCE, END, Positions, canonical, find_positions, limits
from pubdice.solve.solver import LOW_SCORE
from pubdice.text.language import Language

Whole = NDArray[np.int32]
TWO = 2
"""The most seats for backward induction. With two seats that share the prize, the other seat's value does not depend on
which of several equally good moves is made."""


class StandingMatch(Protocol):
    """A match in play: an object with the state and the rules of a match."""

    @property
    def state(self) -> MatchState[Any]:
        """The state of the match."""

    @property
    def rules(self) -> Match[Any, Any]:
        """The rules of the match."""


@dataclass(frozen=True, eq=False)
class SolvedRound:
    """Every position of a round with its exact values, as ``pubdice.solve_round`` returns it.

    Positions are numbered from 0, the beginning of the round. Moves run from one position to another. Position n has
    the moves from ``starts[n]`` up to, but not including, ``starts[n + 1]``. ``len(solved)`` is the number of
    positions.

    Attributes:
        names: The players' names.
        utility: The unit of the values, as in ``Odds``.
        bound: The error bound, as in ``Odds``.
        values: [positions, players] the value of the match to each player.
        mover: [positions] the player who chooses, as an index into ``names``. -1 if dice are rolled, -2 if the round is
            over.
        policy: [positions] the best move, as an index into ``after``, ``chance`` and ``word``. -1 if there is no
            choice.
        starts: [positions + 1] the first move of each position.
        after: [moves] the next position.
        chance: [moves] the chance of a roll. At a decision, the best move has 1 and all other moves have 0.
        word: [moves] the notation of the move, as an index into ``words``.
        words: Each notation once, such as "112344" for a roll and "k4" for a choice.

    """

    names: tuple[str, ...]
    utility: str
    bound: float
    values: Floats
    mover: Whole
    policy: Whole
    starts: Numbers
    after: Whole
    chance: Floats
    word: Whole
    words: tuple[str, ...]
    _number: Mapping[Any, int] = field(repr=False)
    _begun: MatchState[Any] = field(repr=False)
    _rules: Match[Any, Any] = field(repr=False)

    def __len__(self) -> int:
        return len(self.mover)

    def __repr__(self) -> str:
        return f"<{len(self)} positions of a round between {' and '.join(self.names)}, {len(self.after)} moves>"

    def number(self, match: StandingMatch) -> int:
        """Return the number of the position of a match in this round.

        Raises:
            BadNotation: The code is "no-match" if the argument is no match.
            IllegalAction: If the match is in another round, or has other rules.

        """
        state = getattr(match, "state", None)
        rules = getattr(match, "rules", None)
        if not isinstance(state, MatchState) or rules is None:
            error = BadNotation("no-match", found=repr(match))
            error.sentence = explain(Language(), error)
            raise error
        if rules != self._rules:
            raise _refusal(state, "This match has other rules than the solved one.")
        here = (state.order, state.number, state.tally)
        if state.round is None or state.over or here != (self._begun.order, self._begun.number, self._begun.tally):
            raise _not_here(state)
        found = self._number.get(canonical(self._rules.game, state.round))
        if found is None:
            raise _not_here(state)
        return found

    def best(self, match: StandingMatch) -> str:
        """Return the best move of a match in this round, in a form that ``MatchInPlay.play`` takes.

        Raises:
            BadNotation: The code is "no-match" if the argument is no match.
            IllegalAction: If there is no choice, or the match is in another round, or has other rules.

        """
        move = int(self.policy[self.number(match)])
        if move < 0:
            raise _refusal(match.state, "There is nothing to choose here.")
        word: int = self.word[move]
        return self.words[word]

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """For each position, moves that lead to it from the beginning of the round, as in a record."""
        into = _first_moves(self.starts, self.after)
        came = np.repeat(np.arange(len(self)), np.diff(self.starts))
        lines = [""] * len(self)
        for position, move in enumerate(into.tolist()):
            if move >= 0:
                lines[position] = f"{lines[came[move]]} {self.words[self.word[move]]}".lstrip()
        return tuple(lines)

    def table(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each position.

        A row has the moves that lead to the position, the mover, the best move, and the value to each player.
        """
        movers, policy, worth = self.mover.tolist(), self.policy.tolist(), self.values.tolist()
        for line, mover, move, values in zip(self.lines, movers, policy, worth, strict=True):
            yield {
                "position": line,
                "mover": self.names[mover] if mover >= 0 else None,
                "best": self.words[self.word[move]] if move >= 0 else None,
                "values": dict(zip(self.names, values, strict=True)),
            }

    def to_dict(self) -> dict[str, Any]:
        """Return the rows of ``table``, the unit and the error bound as plain data, for ``json`` and data frames."""
        return {"utility": self.utility, "bound": self.bound, "positions": list(self.table())}

    def save(self, file: str | Path) -> None:
        """Write the arrays to a numpy file (``.npz``). ``examples/read_solved_round.py`` reads it."""
        arrays: dict[str, Any] = {
            name: getattr(self, name)
            for name in ("values", "mover", "policy", "starts", "after", "chance", "word", "words", "names", "bound")
        }
        np.savez_compressed(file, utility=self.utility, **arrays)


def _refusal(state: MatchState[Any], sentence: str) -> IllegalAction:
    error = IllegalAction("no-choice", state=state)
    error.sentence = sentence
    return error


def _not_here(state: MatchState[Any]) -> IllegalAction:
    return _refusal(state, "This match stands in another round than the solved one.")


def solve_positions(coach: Coach, state: MatchState[Any], names: Sequence[str]) -> SolvedRound:
    """Solve the round under way in a match. Raises Unsolved, and IllegalAction if no round is under way."""
    match, game, solver = coach.match, coach.match.game, coach.solver
    if state.roll_off is not None:
        raise _refusal(state, "A roll-off has nothing to choose, so there is no table of it.")
    if state.round is None or state.over:
        raise IllegalAction("match-over" if state.over else "draw-first", state=state)
    if hasattr(match.format, "ends_by_turn"):
        raise Unsolved("ends-by-turn")
    found = _positions(game, len(state.order))
    places = list(found.number)
    values = _values(coach, state, found, places)
    seats = np.array([*state.order, END, CHANCE])  # END and CHANCE are negative, so they index from the end
    runs = np.diff(found.starts)
    total = np.add.reduceat(np.append(found.ways, 0), found.starts[:-1])
    chance = np.where(np.repeat(found.mover, runs) == CHANCE, found.ways / np.repeat(np.where(runs, total, 1), runs), 0)
    mover = seats[found.mover]
    policy = _policy(found, mover, values, coach.same)
    chance[policy[policy >= 0]] = 1.0
    word, words = _words(game, found, places)
    return SolvedRound(
        names=tuple(names),
        utility=solver.utility,
        bound=solver.bound,
        values=0.0 - values if solver.utility == LOW_SCORE else values,
        mover=mover.astype(np.int32),
        policy=policy,
        starts=found.starts,
        after=found.after.astype(np.int32),
        chance=chance,
        word=word,
        words=words,
        _number=found.number,
        _begun=state,
        _rules=match,
    )


def _positions(game: Game[Any, Any], seats: int) -> Positions:
    """Find every position of a round. Raises Unsolved("no-table") if there are too many."""
    try:
        refuse_early(game, seats)
        return find_positions(game, seats, turned=False)
    except Unsolved:
        most, moves = limits(seats)
        raise Unsolved("no-table", most=most, moves=moves) from None


def _values(coach: Coach, state: MatchState[Any], found: Positions, places: Sequence[Any]) -> Floats:
    """[positions, seats at the table] the values that the solver maximises."""
    match, solver = coach.match, coach.solver
    values = np.zeros((len(places), match.seats))
    worth = _results(coach, state, found, places)
    over = found.mover == END
    values[over] = worth[found.result[over]]
    height = heights(found.starts, found.after)
    if match.seats > TWO:
        height = np.where(over, 0, -1)
    for at in np.flatnonzero(height < 0).tolist():
        values[at] = solver.values(match.at(state, places[at]))
    for level in range(1, int(height.max()) + 1):
        for mover in range(CHANCE, len(state.order)):
            here = np.flatnonzero((height == level) & (found.mover == mover))
            if not len(here):
                continue
            moves, runs = rows(found.starts, here), np.diff(found.starts)[here]
            first = np.cumsum(runs) - runs
            following = values[found.after[moves]]
            if mover == CHANCE:
                ways = found.ways[moves]
                total = np.add.reduceat(ways, first)
                values[here] = np.add.reduceat(following * ways[:, None], first) / total[:, None]
            else:
                mine = following[:, state.order[mover]]
                values[here] = following[_firsts(mine >= np.repeat(np.maximum.reduceat(mine, first), runs), first)]
    return values


def _results(coach: Coach, state: MatchState[Any], found: Positions, places: Sequence[Any]) -> Floats:
    """[results, seats at the table] the value of the match after each result of the round.

    Chips and round wins from this round are included.
    """
    match = coach.match
    came = np.repeat(np.arange(len(places)), np.diff(found.starts))
    into = _first_moves(found.starts, found.after)
    worth = np.zeros((len(found.results), match.seats))
    for kind, at in zip(*np.unique(found.result, return_index=True), strict=True):
        if kind < 0:
            continue
        move = int(into[at])
        before = int(came[move])
        here, place = match.at(state, places[before]), move - int(found.starts[before])
        if found.mover[before] == CHANCE:
            due = match.to_roll(here)
            after = match.roll(here, rolls(due, match.game.faces.sides)[place][0])
        else:
            after = match.play(here, match.legal(here)[place])
        ended = between(coach, here, after)
        worth[kind] = coach.solver.values(after) if ended is None else ended[0]
    return worth


def _first_moves(starts: Numbers, after: NDArray[Any]) -> Numbers:
    """[positions] the first move that leads to each position from one with a smaller number. -1 for the start."""
    came = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    forward = np.flatnonzero(after > came)
    into = np.full(len(starts) - 1, -1, dtype=np.int64)
    reached, first = np.unique(after[forward], return_index=True)
    into[reached] = forward[first]
    return into


def _firsts(chosen: NDArray[np.bool_], first: Numbers) -> Numbers:
    """[runs] the first index of each run at which ``chosen`` is True. ``first`` has the start of each run."""
    places = np.where(chosen, np.arange(len(chosen)), len(chosen))
    found: Numbers = np.minimum.reduceat(places, first)
    return found


def _policy(found: Positions, mover: NDArray[Any], values: Floats, same: float) -> Whole:
    """[positions] the best move of each position, or -1 if there is no choice.

    Several moves may be equally good for the mover. Then the best move is the first of them that leaves every seat's
    value as in the position. If none of them does, it is the first of them.
    """
    policy = np.full(len(mover), -1, dtype=np.int32)
    for seat in np.unique(mover[mover >= 0]).tolist():
        here = np.flatnonzero(mover == seat)
        moves, runs = rows(found.starts, here), np.diff(found.starts)[here]
        first = np.cumsum(runs) - runs
        following = values[found.after[moves]]
        mine = following[:, seat]
        best = mine >= np.repeat(np.maximum.reduceat(mine, first), runs) - same
        kept = best & (np.abs(following - np.repeat(values[here], runs, axis=0)).max(axis=1) <= same)
        some = np.repeat(np.maximum.reduceat(kept, first), runs)
        policy[here] = moves[_firsts(np.where(some, kept, best), first)]
    return policy


def _words(game: Game[Any, Any], found: Positions, places: Sequence[Any]) -> tuple[Whole, tuple[str, ...]]:
    """Return ([moves] the index of each move's word, the words in order of appearance)."""
    known: dict[str, int] = {}
    fallen: dict[int, list[int]] = {}
    written: dict[Any, int] = {}
    word: list[int] = []
    for state, mover, (begin, end) in zip(places, found.mover.tolist(), pairwise(found.starts.tolist()), strict=True):
        if begin == end:
            continue
        if mover == CHANCE:
            due = game.to_roll(state)
            if due not in fallen:
                shown = [game.faces.write(hand) for hand, _ in rolls(due, game.faces.sides)]
                fallen[due] = [known.setdefault(text, len(known)) for text in shown]
            word += fallen[due]
            continue
        for action in game.legal(state):
            if action not in written:
                written[action] = known.setdefault(game.write_action(action), len(known))
            word.append(written[action])
    return np.array(word, dtype=np.int32), tuple(known)
