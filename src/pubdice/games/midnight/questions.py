"""What can be asked of solved Midnight on the command line: odds of a turn or a match, the best keep of a position."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from pubdice.dice import Hand
from pubdice.formats import Pot, Rounds, read_format
from pubdice.game import BadNotation
from pubdice.games.midnight.goals import ToWin, read_goal, read_to_win, utility
from pubdice.games.midnight.rounds import Before, Round
from pubdice.games.midnight.rules import BEST, DICE, Midnight
from pubdice.games.midnight.solver import MidnightSolver
from pubdice.games.midnight.turn import Turn, turn
from pubdice.games.midnight.win import win
from pubdice.kit import Option, read_dice, read_number
from pubdice.match import Match
from pubdice.solve.finite import ROUNDING
from pubdice.solve.graph import Floats

NEED = Option("need", ("1 4", "2 4"), "the pair that qualifies")
GOAL_ONLY = ("to-beat", "holders", "to-come", "ties")
MOST_POT_SEATS = 6
MOST_STEPS = 200
SHARE = "share of the match"
MATCH_ONLY = ("seats", "format", "opener")


def _need(given: Mapping[str, str]) -> tuple[int, int]:
    first, second = NEED.read(given.get("need", NEED.choices[0])).split()
    return int(first), int(second)


def _goal(given: Mapping[str, str], turned: Turn) -> tuple[str, Floats]:
    """The goal's name and its utility."""
    goal = read_goal(given.get("goal", "score"))
    if goal[0] != "win":
        for key in GOAL_ONLY:
            if key in given:
                raise BadNotation("flag-goal", flag=key)
        return goal[0], utility(goal, turned, ToWin())
    beat = read_number("to-beat", given.get("to-beat", "0"), 0, BEST)
    holders = read_number("holders", given["holders"], 0, 20) if "holders" in given else None
    to_come = read_number("to-come", given.get("to-come", "0"), 0, 19)
    return goal[0], utility(goal, turned, read_to_win(beat, holders, to_come, given.get("ties", "share")))


def odds(given: Mapping[str, str]) -> dict[str, Any]:
    """The value and score distribution of a fresh turn for a goal, or each seat's share of a round, match or pot."""
    if not any(key in given for key in MATCH_ONLY):
        turned = turn(_need(given))
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


def _by_score(turned: Turn, chance: Floats) -> list[float]:
    """A distribution over the scores there are, laid out over 0 to 24."""
    found = np.zeros(BEST + 1)
    found[list(turned.scores)] = chance
    return found.tolist()


def _bound(worth: Floats) -> float:
    """How far a value may be off for this utility."""
    return ROUNDING * max(1.0, float(np.abs(worth).max()))


def _shares(given: Mapping[str, str]) -> dict[str, Any]:
    form = read_format(given.get("format", "rounds:5"))
    seats = read_number("seats", given.get("seats", "2"), 2, MOST_POT_SEATS if isinstance(form, Pot) else 20)
    if not isinstance(form, Rounds | Pot):
        raise BadNotation("format-game", found=given["format"], formats=("rounds 5", "pot 1 rounds 5"))
    opener = given.get("opener", form.openers[0])
    if opener not in form.openers:
        raise BadNotation("opener", found=opener, openers=form.openers)
    need = _need(given)
    if isinstance(form, Pot):
        return pot_share(need, seats, opener)
    if form.number == 1 and seats > 2:
        return {
            "share": win(need, "share", seats, 1 / seats).by_seat(),
            "utility": SHARE,
            "bound": ROUNDING * 10,
        }
    solver = MidnightSolver(Match(Midnight(need), seats, form, opener))
    values = list(solver.values(solver.match.start()))
    name = "share" if solver.utility == SHARE else "round_wins"  # what is not a share of the match is not called one
    return {name: values, "utility": solver.utility, "bound": solver.bound}


def pot_share(need: tuple[int, int], seats: int, opener: str) -> dict[str, Any]:
    """Each seat's chance to take one pot that ties and missed rounds carry over, from its opener on.

    With v(j) the share of the j-th seat in turn order, v is the value of a round whose sole winner has it all and which
    otherwise begins again, with v handed on as the opener rule says: a fixed point, found by going round until nothing
    moves. A round is left undecided with chance q < 1, so what the last step moved, divided by 1 - q, bounds the error.
    """
    if opener == "loser" and seats > 2:  # who scored least does not follow from who won
        raise BadNotation("opener", found=opener, openers=("rotate", "fixed", "winner"))
    turned = turn(need)
    share = np.full(seats, 1 / seats)
    moved, left = 1.0, 0.0  # what the last step moved, and the greatest part of a move that a later step still made
    for _ in range(MOST_STEPS):
        payoff = np.empty((1 << seats, seats))
        for winners in range(1 << seats):
            first = (winners & -winners).bit_length() - 1
            following = {"rotate": 1 % seats, "winner": max(first, 0)}.get(opener, 0)
            payoff[winners] = np.eye(seats)[first] if winners.bit_count() == 1 else np.roll(share, following)
        after = Round(turned, payoff).values(Before(0))
        before, moved, share = moved, float(np.abs(after - share).max()), after
        if moved < ROUNDING:
            break
        left = max(left, moved / before)
    bound = (moved + ROUNDING) / (1 - left)
    return {"share": share.tolist(), "utility": "the pot, carried until somebody takes it", "bound": bound}


def advise(given: Mapping[str, str]) -> dict[str, Any]:
    """Every legal keep of a position with its value and value lost, best first."""
    locked: Hand = read_dice("locked", given["locked"]) if given.get("locked") else ()
    if "roll" not in given:
        raise BadNotation("flag-missing", flag="roll")
    roll = read_dice("roll", given["roll"])
    if len(locked) + len(roll) != DICE:
        raise BadNotation("dice-together", found=given["roll"], total=DICE, got=len(locked) + len(roll))
    turned = turn(_need(given))
    kind, worth = _goal(given, turned)
    solved = turned.solve(worth)
    rows: list[dict[str, Any]] = []
    for keep, node in turned.after(locked, roll):
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
    rows.sort(key=lambda row: (-round(row["value"], 12), -round(row["mean"], 12)))
    best = rows[0]["value"]
    actions = [{**row, "lost": max(0.0, best - row["value"])} for row in rows]
    return {"value": best, "goal": kind, "actions": actions, "bound": _bound(worth)}
