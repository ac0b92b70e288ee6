"""Bots: policies at a seat, turned into commands of the table. Random draws come in as an argument.

Three bots play each turn for a goal of their own and ignore the other seats. A goal is solved once, then looked up.
``steady`` maximises the mean score. ``cautious`` and ``bold`` maximise the chance of reaching a threshold, one modest
and one high. A kit may set the thresholds (``Kit.thresholds``). The default threshold is the best score that play for
the mean reaches in at least the share ``REACHED`` of all turns. If no score is reached so often, the threshold is the
least score that can win.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from pubdice.core.game import Keep, Policy, RoundState, TurnGame, is_limited, pick, uniform, without_limit
from pubdice.match.match import Match, MatchState
from pubdice.match.table import PlayAction, RollOrBank, Table, TableCommand, TableState
from pubdice.solve.choose import one_turn_each
from pubdice.solve.numerics import first_best
from pubdice.solve.solver import Solver
from pubdice.solve.turns.goals import ToWin, utility
from pubdice.solve.turns.turn_nodes import SolvedTurn, dot, one_turn

REACHED = {"cautious": 7 / 8, "bold": 1 / 5}
"""The least share of turns in which play for the mean reaches the threshold. At Midnight this gives the thresholds 16
and 22, the same as its kit."""


@cache
def usual_threshold(game: TurnGame, name: str) -> int:
    """Return the threshold of a bot in this game, if the game's kit sets none."""
    turned = one_turn(game)
    chance = turned.solve(turned.mean).chance[turned.start]
    often = [rank for rank in range(1, len(turned.scores)) if float(sum(chance[rank:])) >= REACHED[name]]
    return turned.scores[max(often, default=1)]


@cache
def _solved(game: TurnGame, name: str, threshold: int | None) -> SolvedTurn:
    if name == "steady":
        goal = ("score", 0)
    else:
        goal = ("reach", usual_threshold(game, name) if threshold is None else threshold)
    return one_turn(game).solve(utility(goal, one_turn(game), ToWin()))


@cache
def _best(game: TurnGame, name: str, threshold: int | None, alone: RoundState) -> Keep:
    """Return the keep with the best value.

    Of equally good keeps, take the keep with the better mean score, then the first by the rules, which has the fewest
    dice.
    """
    turned, solved = one_turn(game), _solved(game, name, threshold)

    def value(after: tuple[Keep, int]) -> float:
        return float(solved.value[after[1]])

    def mean(after: tuple[Keep, int]) -> float:
        return dot(solved.chance[after[1]], turned.mean)

    return first_best(turned.after(alone), value, mean)[0]


def policy(name: str, threshold: int | None, game: TurnGame, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Return the keep of the bot with that name. ``threshold`` is the score that it plays for, or None for the default.

    If turns depend on each other or need not end, a turn has no solution of its own, so the bot takes any legal keep,
    all equally likely. If the opener limits the other seats' rolls, the bot ignores the limit until all dice must stay.
    """
    limited: object = game
    if is_limited(limited):
        legal, game, state = game.legal(state), limited.unlimited, without_limit(state)
        if len(legal) == 1:
            return ((legal[0], 1),)
    if not one_turn_each(game):
        return uniform(game, state)
    return ((_best(game, name, threshold, game.alone(state)), 1),)


class Perfect:
    """A bot that plays best for the match, by the match's solver. Of equally good actions it takes the first."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver

    def action(self, state: MatchState[Any]) -> Any:
        """Return the action with the best value to the mover."""
        return first_best(self.solver.action_values(state), lambda valued: valued[1])[0]


BotPolicy = Policy[Any, Any] | Perfect


def choose_action(bot: BotPolicy, match: Match[Any, Any], state: MatchState[Any], draw: Callable[[int], int]) -> Any:
    """Return the action of a bot at a decision. ``draw(n)`` returns a number from 0 to n - 1, all equally likely."""
    return bot.action(state) if isinstance(bot, Perfect) else pick(bot(match.game, state.round), draw)


def act(policy: BotPolicy, table: Table, state: TableState, draw: Callable[[int], int]) -> TableCommand:
    """Return the command of a bot on its turn. ``draw`` is as in ``choose_action``."""
    if table.match.to_roll(state.match):
        return RollOrBank("roll")
    return PlayAction(choose_action(policy, table.match, state.match, draw))
