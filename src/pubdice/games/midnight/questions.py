"""What can be asked of solved Midnight on the command line: odds of a turn or a match, the best keep, prices."""

from collections.abc import Mapping
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from pubdice.core.dice import Hand
from pubdice.core.errors import BadNotation
from pubdice.games.midnight.rules import BEST, DICE, MOST_SEATS, Midnight, RoundState
from pubdice.kit import Option, read_dice, read_number
from pubdice.match.formats import POT, ROUNDS, read_kind
from pubdice.match.match import Match
from pubdice.solve.arrays import Floats
from pubdice.solve.tolerance import ROUNDING, best_first
from pubdice.solve.turns.goals import ToWin, read_goal, read_to_win, utility
from pubdice.solve.turns.pot import pot_share
from pubdice.solve.turns.solver import MOST_SOLVED_SEATS, TurnSolver
from pubdice.solve.turns.turn import TurnGraph, turn
from pubdice.solve.turns.win import win

NEED = Option("need", ("1 4", "2 4"), "the pair that qualifies")
GOAL_ONLY = ("to-beat", "holders", "to-come", "ties")
KINDS = (ROUNDS, POT)
SHARE = "share of the match"
MATCH_ONLY = ("seats", "format", "opener")

USUAL = {"need": "1 4", "seats": "2", "format": "rounds:5", "opener": "rotate"}
CHANGES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("need", ("1 4", "2 4")),
    ("opener", ("rotate", "fixed", "winner", "loser")),
    ("format", ("rounds:1", "rounds:2", "rounds:3", "rounds:5", "rounds:10", "rounds:20", "pot")),
    ("seats", ("2", "3", "4", "5", "6")),
)
"""The choices of each rule that prices compare, all else by the usual rules."""


def _game(given: Mapping[str, str]) -> Midnight:
    first, second = NEED.read(given.get("need", NEED.choices[0])).split()
    return Midnight((int(first), int(second)))


def _goal(given: Mapping[str, str], turned: TurnGraph) -> tuple[str, Floats]:
    """The goal's name and its utility."""
    goal = read_goal(given.get("goal", "score"), turned)
    if goal[0] != "win":
        for key in GOAL_ONLY:
            if key in given:
                raise BadNotation("flag-goal", flag=key)
        return goal[0], utility(goal, turned, ToWin())
    beat = read_number("to-beat", given.get("to-beat", "0"), 0, BEST)
    holders = read_number("holders", given["holders"], 0, MOST_SEATS) if "holders" in given else None
    to_come = read_number("to-come", given.get("to-come", "0"), 0, MOST_SEATS - 1)
    return goal[0], utility(goal, turned, read_to_win(turned, beat, holders, to_come, given.get("ties", "share")))


def odds(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    """The value and score distribution of a fresh turn for a goal, or each seat's share of a round, match or pot."""
    if not any(key in given for key in MATCH_ONLY):
        turned = turn(_game(given))
        worth = _goal(given, turned)[1]
        solved = turned.solve(worth)
        chance = solved.chance[turned.start]
        return {
            "value": float(solved.value[turned.start]),
            "qualify": float(1 - chance[0]),
            "distribution": _by_score(turned, chance),
            "bound": _bound(worth),
        }
    for key in ("goal", *GOAL_ONLY):
        if key in given:
            raise BadNotation("flag-with", flag=key, other="seats")
    return _shares(given)


def _by_score(turned: TurnGraph, chance: Floats) -> list[float]:
    """A distribution over the scores there are, laid out over 0 to 24."""
    found = np.zeros(BEST + 1)
    found[list(turned.scores)] = chance
    return found.tolist()


def _bound(worth: Floats) -> float:
    """How far a value may be off for this utility."""
    return ROUNDING * max(1.0, float(np.abs(worth).max()))


def _shares(given: Mapping[str, str]) -> dict[str, Any]:
    form = read_kind(given.get("format", ROUNDS.name), KINDS)
    if form is None:
        raise BadNotation("format-game", found=given["format"], formats=tuple(kind.usual.write() for kind in KINDS))
    seats = read_number("seats", given.get("seats", "2"), 2, MOST_SOLVED_SEATS if form.stake else MOST_SEATS)
    opener = given.get("opener", form.openers[0])
    if opener not in form.openers:
        raise BadNotation("opener", found=opener, openers=form.openers)
    game = _game(given)
    if form.stake:
        return pot_share(game, seats, opener)
    if form.is_one_round and seats > 2:
        return {
            "share": win(game, "share", seats, 1 / seats).by_seat(),
            "utility": SHARE,
            "bound": ROUNDING * 10,
        }
    solver = TurnSolver(Match(game, seats, form, opener))
    values = list(solver.values(solver.match.start()))
    name = "share" if solver.utility == SHARE else "round_wins"  # what is not a share of the match is not called one
    return {name: values, "utility": solver.utility, "bound": solver.bound}


def advise(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    """Every legal keep of a position with its value and value lost, best first."""
    locked: Hand = read_dice("locked", given["locked"]) if given.get("locked") else ()
    if "roll" not in given:
        raise BadNotation("flag-missing", flag="roll")
    roll = read_dice("roll", given["roll"])
    if len(locked) + len(roll) != DICE:
        raise BadNotation("dice-together", found=given["roll"], total=DICE, got=len(locked) + len(roll))
    turned = turn(_game(given))
    kind, worth = _goal(given, turned)
    solved = turned.solve(worth)
    rows: list[dict[str, Any]] = []
    for keep, node in turned.after(RoundState(1, (), locked, roll)):
        chance = solved.chance[node]
        rows.append(
            {
                "keep": sorted(keep.dice, reverse=True),
                "value": float(solved.value[node]),
                "mean": float(chance @ turned.mean),
                "qualify": float(1 - chance[0]),
                "distribution": _by_score(turned, chance),
            }
        )
    rows = best_first(rows, itemgetter("value"), itemgetter("mean"))
    best = rows[0]["value"]
    actions = [{**row, "lost": max(0.0, best - row["value"])} for row in rows]
    return {"value": best, "goal": kind, "actions": actions, "bound": _bound(worth)}


def price(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    """What each house rule is worth to the opener: one rule changed at a time, under best play by everybody.

    Rows of rule, choice, the rest of the rules, and every seat's share in turn order; see ``odds``.

    Seats are compared in matches of one round, all else by the usual rules: two seats, five rounds, rotating opener.
    """
    rows = []
    for rule, choices in CHANGES:
        for choice in choices:
            rules = {**USUAL, rule: choice}
            if rule == "seats":
                rules["format"] = "rounds:1"
            answer = odds(rules)
            fair = 1 / int(rules["seats"])
            rows.append(
                {
                    "rule": rule,
                    "choice": choice,
                    "format": rules["format"],
                    "share": answer["share"],
                    "advantage": answer["share"][0] - fair,
                    "bound": answer["bound"],
                }
            )
    return {"usual": USUAL, "utility": "share of the match, or of the pot", "rows": rows}
