"""Matches as games for OpenSpiel's algorithms: ``load("midnight")``. It needs the extra ``openspiel``.

They are made from the rules, so any game will do. A roll is a chance node whose outcomes are sorted hands. The draw of
Player 1 is a chance node whose outcomes are seats. An action is its number in ``stepwise.action_list``. All information
is public. A seat's return is its share of the match less an equal part, so the returns sum to 0.

Once this module is imported, ``pyspiel.load_game("pubdice_midnight(need=2 4,seats=2)")`` works, and so for each game.
The parameters are ``seats``, ``format``, ``opener``, ``first`` and the game's options.

``load("420", merged=True)`` is one round on the merged graph (``solve.plain.round_graph``), in which all positions with
the same future are one node. The values are the same, and the graph is small enough for algorithms that visit all
states. In it, an action is the index of a successor. Its name is ``pubdice_420_merged``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from pubdice.core.dice import hands, rolls
from pubdice.core.errors import BadNotation, Failure, IllegalAction
from pubdice.core.game import Seat
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.match.formats import replays
from pubdice.match.match import MatchState
from pubdice.match.narrate import Narrator
from pubdice.solve.plain.positions import CHANCE, find_positions
from pubdice.solve.plain.round_graph import GraphStep, build, by_winners
from pubdice.text.language import Language
from pubdice_lab.features import ABSENT
from pubdice_lab.simulation import explained
from pubdice_lab.stepwise import StepwiseMatch, longest_turn

MOST_SEATS = 20
LONGEST = 10_000
"""The most choices of a match if the rules set no limit. A match with more of them ends with equal shares.

Random play of 420 stays below it."""
USUAL_SEATS = 2
MERGED = "_merged"


def load(game: str, seats: int = USUAL_SEATS, *, merged: bool = False, **header: str) -> Any:
    """Return a match as a ``pyspiel.Game``. Raises BadNotation, and ValueError if ``merged`` comes with a format."""
    with explained():
        kit = StepwiseMatch(game, seats, header).kit
        if not 2 <= seats <= MOST_SEATS:
            raise BadNotation("flag-number", found=seats, flag="seats", least=2, most=MOST_SEATS)
    if merged and "format" in header:
        raise ValueError("A merged game is one round, so it takes no format.")
    whole = {key for key, usual in _usual(kit).items() if isinstance(usual, int)}
    given = {key: int(value) if key in whole else value for key, value in header.items()}
    return pyspiel.load_game(f"pubdice_{kit.name}{MERGED * merged}", {"seats": seats, **given})


def _usual(kit: Kit) -> dict[str, str | int]:
    """Return the parameters of a game with their usual values. OpenSpiel reads "9" as a number, so it is one here."""
    options = {option.key: option.choices for option in kit.options}
    found = {key: int(choices[0]) if all(map(str.isdigit, choices)) else choices[0] for key, choices in options.items()}
    form = kit.one_round.get("format", kit.formats[0].name)
    return {"seats": USUAL_SEATS, "format": form, "opener": "", "first": "", **found}


def _type(kit: Kit, *, merged: bool) -> Any:
    parameters = _usual(kit)
    if merged:
        del parameters["format"]
    return pyspiel.GameType(
        short_name=f"pubdice_{kit.name}{MERGED * merged}",
        long_name=f"A round of {kit.words.title}, merged" if merged else kit.words.title,
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
        provides_observation_tensor=not merged,
        parameter_specification=parameters,
    )


def _info(key: "LoadedMatch", actions: int, outcomes: int) -> Any:
    seats = key.seats
    return pyspiel.GameInfo(
        num_distinct_actions=actions,
        max_chance_outcomes=outcomes,
        num_players=seats,
        min_utility=-1 / seats,
        max_utility=1 - 1 / seats,
        utility_sum=0.0,
        max_game_length=_longest(key),
    )


class LoadedMatch(NamedTuple):
    """A match by its parameters: the game, the seats, and the header's lines in order."""

    game: str
    seats: int
    header: tuple[tuple[str, str], ...]


def _key(kit: Kit, parameters: Mapping[str, Any] | None) -> LoadedMatch:
    """Return the match of some parameters. Raises SpielError with a sentence."""
    given = {key: str(value) for key, value in (parameters or {}).items() if value != ""}
    key = LoadedMatch(kit.name, int(given.pop("seats", USUAL_SEATS)), tuple(sorted(given.items())))
    if not 2 <= key.seats <= MOST_SEATS:
        raise pyspiel.SpielError(f"seats is a number from 2 to {MOST_SEATS}, not {key.seats}.")
    try:
        _table(key)
    except Failure as error:
        raise pyspiel.SpielError(error.sentence) from None
    return key


@lru_cache(maxsize=16)
def _table(key: LoadedMatch) -> StepwiseMatch:
    with explained():
        return StepwiseMatch(key.game, key.seats, dict(key.header))


@lru_cache(maxsize=16)
def _longest(key: LoadedMatch) -> int:
    """Return the most choices of a match, from its longest turn. ``LONGEST`` if the rules set no limit."""
    match = _table(key).match
    form = match.format
    planned = 0 if form.stake or replays(form) else form.rounds_planned  # such a match may have more rounds
    turn = longest_turn(match.game) if planned else None
    return LONGEST if turn is None else turn * match.seats * planned


@cache
def _outcomes(dice: int, sides: int) -> tuple[list[tuple[int, float]], tuple[Any, ...]]:
    """Return the chance outcomes of a roll of ``dice`` dice, and the hand of each outcome."""
    found = rolls(dice, sides)
    return [(at, ways / sides**dice) for at, (_, ways) in enumerate(found)], tuple(hand for hand, _ in found)


class _SeenByAll(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """The base class of games in which all seats see everything. Each game of the house has a subclass with its kit."""

    kit: ClassVar[Kit]

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
    choices: int = 0
    """The number of choices so far."""

    @property
    def over(self) -> bool:
        """True if the match is over, or has as many choices as a match may have."""
        return self.state.over or self.choices >= _longest(self.key)

    def __deepcopy__(self, _: object) -> "_Held":
        return self


class MatchGame(_SeenByAll):
    """A match as an OpenSpiel game, move by move."""

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        self.key = _key(self.kit, parameters)
        table = _table(self.key)
        rules: Any = table.match.game
        seats, sides = table.match.seats, rules.faces.sides
        most = max(seats, sides, len(list(hands(rules.to_roll(rules.start(seats)), sides))))
        super().__init__(_type(self.kit, merged=False), _info(self.key, len(table.actions), most), parameters or {})

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
        if self.held.over:
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
        match, player = self.table.match, self.current_player()
        meant = self._meant(player, action)
        try:
            if match.to_draw(self.at):
                after = match.draw(self.at, meant)
            elif match.to_roll(self.at):
                after = match.roll(self.at, meant)
            else:
                after = match.play(self.at, meant)
        except IllegalAction:
            raise _illegal(action, f"{match.game.write_action(meant)} is not legal here.") from None
        self.held = _Held(self.held.key, after, self.held.choices + (player >= 0))

    def _meant(self, player: int, action: int) -> Any:
        """Return the seat, the hand or the move that a number means here. Raises SpielError for any other number."""
        match = self.table.match
        meant: Sequence[Any]
        if player != pyspiel.PlayerId.CHANCE:
            meant = self.table.actions
        elif match.to_draw(self.at):
            meant = tuple(map(Seat, range(match.seats)))
        else:
            meant = _outcomes(match.to_roll(self.at), match.game.faces.sides)[1]
        if not 0 <= action < len(meant):
            raise _illegal(action, f"The numbers here are 0 to {len(meant) - 1}.")
        return meant[action]

    def _action_to_string(self, player: int, action: int) -> str:
        match, meant = self.table.match, self._meant(player, action)
        if player != pyspiel.PlayerId.CHANCE:
            return str(match.game.write_action(meant))
        return f"draw seat {action + 1}" if match.to_draw(self.at) else "roll " + " ".join(map(str, meant))

    def is_terminal(self) -> bool:
        """Return True if the match is over."""
        return self.held.over

    def returns(self) -> list[float]:
        """Return each seat's share of the match less an equal part. 0 for all before the end, and of a match that is
        too long.
        """
        match = self.table.match
        if not self.at.over:
            return [0.0] * match.seats
        return [share - 1 / match.seats for share in match.shares(self.at.tally)]

    def __str__(self) -> str:
        table, at = self.table, self.at
        names = table.kit.numbered(table.match.seats)
        told = Narrator(Language(), table.kit.words, table.match, names)
        if self.is_terminal():
            return (
                " ".join(told.ending(at.tally, at.last))
                if at.over
                else f"The match ended after {self.held.choices} choices."
            )
        lines = [f"Round {at.number}.", *told.standing(at.tally)]
        if at.roll_off is not None:
            return " ".join([*lines, *told.roll_off(at)])
        if at.round is None or at.mover is None:
            return "Player 1 is drawn by lot."
        due = table.match.to_roll(at)
        lines += [
            f"{names[at.mover]} rolls {due} {'die' if due == 1 else 'dice'}." if due else f"{names[at.mover]} chooses."
        ]
        lines += [f"The order is {', '.join(names[seat] for seat in at.order)}."]
        return " ".join([*lines, *_facts(at.round)])


def _facts(position: Any) -> list[str]:
    """Return every field of a round's state that is neither 0 nor empty, as a sentence."""
    named = [(field.name, getattr(position, field.name)) for field in fields(position)]
    return [f"{name.capitalize()}: {_listed(value)}." for name, value in named if value not in (None, 0, ())]


def _listed(value: Any) -> str:
    """Return a number, a row of numbers or several rows as text."""
    if not isinstance(value, tuple):
        return str(value)
    return (" / " if value and isinstance(value[0], tuple) else " ").join([_listed(each) or "none" for each in value])


def _illegal(action: int, why: str) -> Exception:
    found: Exception = pyspiel.SpielError(f"Action {action} cannot be taken. {why}")
    return found


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
        self.key = _key(self.kit, parameters)
        merged = _merged(self.key)
        chosen, fallen = (
            max([len(after) for mover, after, _ in merged.rows.values() if (mover == CHANCE) == chance], default=1)
            for chance in (False, True)
        )
        super().__init__(_type(self.kit, merged=True), _info(self.key, chosen, fallen), parameters or {})

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
        self.key, self.node, self.choices = game.key, _merged(game.key).start, 0

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
        after, chosen = self._after(action), self.current_player() >= 0
        self.node, self.choices = after, self.choices + chosen

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{action}: node {self._after(action)}"

    def _after(self, action: int) -> int:
        after = self.row[1]
        if not 0 <= action < len(after):
            raise _illegal(action, f"The numbers here are 0 to {len(after) - 1}.")
        return after[action]

    def is_terminal(self) -> bool:
        """Return True at the end of the round, or of one that is too long."""
        return self.node not in _merged(self.key).rows or self.choices >= _longest(self.key)

    def returns(self) -> list[float]:
        """Return each seat's share of the round less an equal part. 0 for all before the end."""
        seats = self.num_players()
        if self.node in _merged(self.key).rows:
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


for _kit in GAMES.values():
    # classes and no partial functions: OpenSpiel holds them until after Python's end, and then cannot free any
    for _merged_too, _base in enumerate((MatchGame, MergedGame)):
        pyspiel.register_game(_type(_kit, merged=bool(_merged_too)), type(_base.__name__, (_base,), {"kit": _kit}))
