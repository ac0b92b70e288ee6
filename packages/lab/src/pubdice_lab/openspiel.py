"""Matches as games for OpenSpiel's algorithms: ``load("midnight")``. It needs the extra ``openspiel``.

They are made from the rules, so any game will do. A roll is a chance node whose outcomes are sorted hands. The draw of
Player 1 is a chance node whose outcomes are seats. An action is its number in ``stepwise.action_list``. All information
is public. A seat's return is its share of the match less an equal part, so the returns sum to 0.

``load("420", merged=True)`` is one round on the merged graph (``solve.plain.round_graph``), in which all positions with
the same future are one node. The values are the same, and the graph is small enough for algorithms that visit all
states. In it, an action is the index of a successor.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from pubdice.core.dice import hands, rolls
from pubdice.core.errors import BadNotation
from pubdice.core.game import Seat
from pubdice.match.match import MatchState
from pubdice.solve.plain.positions import CHANCE, find_positions
from pubdice.solve.plain.round_graph import GraphStep, build, by_winners
from pubdice_lab.features import ABSENT
from pubdice_lab.simulation import explained
from pubdice_lab.stepwise import StepwiseMatch

MOST_SEATS = 20
LONGEST = 10_000
"""The most moves and rolls of a match. OpenSpiel wants this number for every game. Random play of 420 stays below
it."""
DEFAULTS = {"match": "game:midnight", "seats": 2}
"""The default parameters of a game. ``match`` has header lines with ``;`` between them.

It says "game:midnight" and not "midnight", because a name such as "420" alone would look like a number."""
NAME, MERGED = "pubdice", "pubdice_merged"


def load(game: str, seats: int = 2, *, merged: bool = False, **header: str) -> Any:
    """Return a match as a ``pyspiel.Game``. Raises BadNotation, and ValueError if ``merged`` comes with a format."""
    with explained():
        table = StepwiseMatch(game, seats, header)
        if not 2 <= seats <= MOST_SEATS:
            raise BadNotation("flag-number", found=seats, flag="seats", least=2, most=MOST_SEATS)
    if merged and "format" in header:
        raise ValueError("A merged game is one round, so it takes no format.")
    lines = ";".join(f"{key}:{value}" for key, value in {"game": table.kit.name, **header}.items())
    return pyspiel.load_game(MERGED if merged else NAME, {"match": lines, "seats": seats})


def _type(name: str, title: str, *, observed: bool) -> Any:
    return pyspiel.GameType(
        short_name=name,
        long_name=title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MOST_SEATS,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=observed,
        parameter_specification=DEFAULTS,
    )


def _info(seats: int, actions: int, outcomes: int) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=actions,
        max_chance_outcomes=outcomes,
        num_players=seats,
        min_utility=-1 / seats,
        max_utility=1 - 1 / seats,
        utility_sum=0.0,
        max_game_length=LONGEST,
    )


LoadedMatch = tuple[str, int]
"""The parameters of a game, in the order of ``DEFAULTS``."""


def _key(parameters: Mapping[str, Any] | None) -> LoadedMatch:
    given = {**DEFAULTS, **(parameters or {})}
    return str(given["match"]), int(given["seats"])


@lru_cache(maxsize=16)
def _table(key: LoadedMatch) -> StepwiseMatch:
    lines, seats = key
    header = dict([line.partition(":")[::2] for line in lines.split(";")])
    if not header.get("game") or not 2 <= seats <= MOST_SEATS:
        raise ValueError(f'Write match="game:midnight;format:rounds 2", and seats from 2 to {MOST_SEATS}.')
    with explained():
        return StepwiseMatch(header.pop("game"), seats, header)


@cache
def _outcomes(dice: int, sides: int) -> tuple[list[tuple[int, float]], tuple[Any, ...]]:
    """Return the chance outcomes of a roll of ``dice`` dice, and the hand of each outcome."""
    found = rolls(dice, sides)
    return [(at, ways / sides**dice) for at, (_, ways) in enumerate(found)], tuple(hand for hand, _ in found)


class _SeenByAll(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """The base class of games in which all seats see everything."""

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> Any:
        """Return the observer for a seat. If perfect recall is asked for, it shows the moves so far."""
        if kind is None or (kind.public_info and not kind.perfect_recall):
            return self.observer()
        return IIGObserverForPublicInfoGame(kind, parameters)


@dataclass(frozen=True, slots=True)
class _Held:
    """A state of a match that is shared and not copied. OpenSpiel deep-copies a state for each successor."""

    key: LoadedMatch
    state: MatchState[Any]

    def __deepcopy__(self, _: object) -> "_Held":
        return self


class MatchGame(_SeenByAll):
    """A match as an OpenSpiel game, move by move."""

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        self.key = _key(parameters)
        table = _table(self.key)
        rules: Any = table.match.game
        seats, sides = table.match.seats, rules.faces.sides
        most = max(seats, sides, len(list(hands(rules.to_roll(rules.start(seats)), sides))))
        super().__init__(MATCH, _info(seats, len(table.actions), most), dict(zip(DEFAULTS, self.key, strict=True)))

    def new_initial_state(self) -> "MatchPlayed":
        """Return the state before the first move."""
        return MatchPlayed(self)

    def observer(self) -> "MatchObserver":
        """Return the observer: the round as numbers, and the seat's place in turn order."""
        return MatchObserver(_table(self.key))


class MatchPlayed(pyspiel.State):  # type: ignore[misc]
    """A state of a match under way, as an OpenSpiel state."""

    def __init__(self, game: MatchGame) -> None:
        super().__init__(game)
        self.held = _Held(game.key, _table(game.key).match.start())

    @property
    def table(self) -> StepwiseMatch:
        """The match and its actions. All states of the match share them."""
        return _table(self.held.key)

    @property
    def at(self) -> MatchState[Any]:
        """The state of the match."""
        return self.held.state

    def current_player(self) -> int:
        """Return the mover. It is CHANCE if a roll or the draw of Player 1 is due, and TERMINAL after the match."""
        match = self.table.match
        if self.at.over:
            return int(pyspiel.PlayerId.TERMINAL)
        if match.to_draw(self.at) or match.to_roll(self.at):
            return int(pyspiel.PlayerId.CHANCE)
        assert self.at.mover is not None, "a seat has a choice"
        return int(self.at.mover)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.table.number[action] for action in self.table.match.legal(self.at))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the chances of the seats in the draw of Player 1, or of the sorted hands of a roll."""
        match = self.table.match
        if match.to_draw(self.at):
            return [(seat, 1 / match.seats) for seat in range(match.seats)]
        return _outcomes(match.to_roll(self.at), match.game.faces.sides)[0]

    def _apply_action(self, action: int) -> None:
        match = self.table.match
        if match.to_draw(self.at):
            after = match.draw(self.at, Seat(action))
        elif due := match.to_roll(self.at):
            after = match.roll(self.at, _outcomes(due, match.game.faces.sides)[1][action])
        else:
            after = match.play(self.at, self.table.actions[action])
        self.held = _Held(self.held.key, after)

    def _action_to_string(self, player: int, action: int) -> str:
        match = self.table.match
        if player != pyspiel.PlayerId.CHANCE:
            return str(match.game.write_action(self.table.actions[action]))
        if match.to_draw(self.at):
            return f"draw seat {action + 1}"
        hand = _outcomes(match.to_roll(self.at), match.game.faces.sides)[1][action]
        return "roll " + " ".join(map(str, hand))

    def is_terminal(self) -> bool:
        """Return True if the match is over."""
        return bool(self.at.over)

    def returns(self) -> list[float]:
        """Return each seat's share of the match less an equal part. 0 for all before the end."""
        match = self.table.match
        if not self.at.over:
            return [0.0] * match.seats
        return [share - 1 / match.seats for share in match.shares(self.at.tally)]

    def __str__(self) -> str:
        at = self.at
        return f"{at.round} {at.order} {at.mover} {at.tally} {at.roll_off}"


class MatchObserver:
    """The view of a seat in OpenSpiel's forms: numbers in ``tensor``, the same by name in ``dict``, or a line of
    text.
    """

    def __init__(self, table: StepwiseMatch) -> None:
        self.table = table
        self.tensor = np.full(table.size + 1, ABSENT, dtype=np.float32)
        self.dict = {"round": self.tensor[:-1], "place": self.tensor[-1:]}

    def set_from(self, state: MatchPlayed, player: int) -> None:
        """Fill ``tensor`` and ``dict`` with a state as this seat sees it."""
        self.tensor[:-1] = self.table.seen(state.at)
        self.tensor[-1] = self.table.place(state.at, Seat(player))

    def string_from(self, state: MatchPlayed, player: int) -> str:
        """Return the state in a line of text."""
        return f"seat {player + 1}: {state}"


@dataclass(frozen=True)
class _MergedRound:
    """A merged graph of a round. Its first nodes are ends of the round, and ``winners`` has the winners of each.

    ``rows`` has for every other node its mover, its successors and their chances.
    """

    winners: tuple[tuple[int, ...], ...]
    start: int
    rows: dict[int, tuple[int, list[int], list[float]]]


@lru_cache(maxsize=4)
def _merged(key: LoadedMatch) -> _MergedRound:
    match = _table(key).match
    found = find_positions(match.game, match.seats)
    winners, kinds = by_winners(found)
    graph = build(found, kinds)
    rows = [_rows(step) for step in (*graph.steps, *graph.loose_steps)]
    return _MergedRound(winners, graph.start, {node: row for each in rows for node, row in each.items()})


class MergedGame(_SeenByAll):
    """One round on its merged graph, in which all positions with the same future are one node."""

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        self.key = _key(parameters)
        merged = _merged(self.key)
        seats = self.key[1]
        chosen, fallen = (
            max([len(after) for mover, after, _ in merged.rows.values() if (mover == CHANCE) == chance], default=1)
            for chance in (False, True)
        )
        super().__init__(MERGED_TYPE, _info(seats, chosen, fallen), dict(zip(DEFAULTS, self.key, strict=True)))

    def new_initial_state(self) -> "MergedState":
        """Return the node at the start of the round."""
        return MergedState(self)

    def observer(self) -> "MergedObserver":
        """Return the observer: the number of the node."""
        return MergedObserver()


def _rows(step: GraphStep) -> Mapping[int, tuple[int, list[int], list[float]]]:
    cuts = [*step.starts.tolist(), len(step.after)]
    return {
        step.first + at: (step.mover, step.after[low:behind].tolist(), step.prob[low:behind].tolist())
        for at, (low, behind) in enumerate(pairwise(cuts))
    }


class MergedState(pyspiel.State):  # type: ignore[misc]
    """A node of a merged round, as an OpenSpiel state."""

    def __init__(self, game: MergedGame) -> None:
        super().__init__(game)
        self.key, self.node = game.key, _merged(game.key).start

    @property
    def row(self) -> tuple[int, list[int], list[float]]:
        """The mover at this node, its successors and their chances."""
        return _merged(self.key).rows[self.node]

    def current_player(self) -> int:
        """Return the mover. It is CHANCE at a roll, and TERMINAL at the end of the round."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.row[0] == CHANCE else self.row[0]

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.row[1])))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the index of each successor with its chance."""
        return list(enumerate(self.row[2]))

    def _apply_action(self, action: int) -> None:
        self.node = self.row[1][action]

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{action}: node {self.row[1][action]}"

    def is_terminal(self) -> bool:
        """Return True at the end of the round."""
        return self.node not in _merged(self.key).rows

    def returns(self) -> list[float]:
        """Return each seat's share of the round less an equal part. 0 for all before the end."""
        seats = self.num_players()
        if not self.is_terminal():
            return [0.0] * seats
        winners: Sequence[int] = _merged(self.key).winners[self.node]
        return [(seat in winners) / len(winners) - 1 / seats for seat in range(seats)]

    def __str__(self) -> str:
        return str(self.node)


class MergedObserver:
    """The number of the node, as all seats see it."""

    tensor = None

    def __init__(self) -> None:
        self.dict: dict[str, Any] = {}

    def set_from(self, state: MergedState, player: int) -> None:
        """Do nothing, because the observer stores nothing."""

    def string_from(self, state: MergedState, player: int) -> str:
        """Return the number of the node."""
        return str(state)


MATCH = _type(NAME, "A pub dice game", observed=True)
MERGED_TYPE = _type(MERGED, "A round of a pub dice game, merged", observed=False)
pyspiel.register_game(MATCH, MatchGame)
pyspiel.register_game(MERGED_TYPE, MergedGame)
