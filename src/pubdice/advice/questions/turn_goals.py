"""``odds`` and ``advise`` for one turn of a game in which every seat has one: played for a goal, exactly."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from pubdice.advice.questions.asked_match import MATCH_FLAGS, TO_WIN, Given, asked_turn_game, limits_rolls
from pubdice.core.dice import Hand, subhands, together, without
from pubdice.core.errors import BadNotation
from pubdice.core.turn_game import RoundState
from pubdice.kit import Kit, read_dice, read_number, read_numbers
from pubdice.solve.numerics import ROUNDING, best_first
from pubdice.solve.turns.goals import ToWin, one_turn, read_goal, read_to_win, span, utility
from pubdice.solve.turns.turn_nodes import NEVER, NumberRow, TurnNodes, dot

MOST_ROLLS = 100
"""The greatest number of rolls that is read; no game has so many in a turn."""


def odds_of_turn(kit: Kit, given: Given) -> dict[str, Any]:
    """The value and score distribution of a fresh turn for a goal. Raises BadNotation."""
    turned = one_turn(asked_turn_game(kit, given))
    (kind, _), worth = _goal(given, turned)
    solved = turned.solve(worth)
    chance = solved.chance[turned.start]
    return {
        "value": _sign(kind, turned) * float(solved.value[turned.start]) + 0.0,
        "qualify": float(1 - chance[0]),
        "distribution": _by_score(turned, chance),
        "bound": _bound(worth),
    }


def refuse_goal(given: Given) -> None:
    """Refuse flags of a turn's goal where a match is asked about. Raises BadNotation."""
    for key in ("goal", *TO_WIN):
        if key in given:
            raise BadNotation("flag-with", flag=key, other=MATCH_FLAGS[0])


def advise_turn(kit: Kit, given: Given, folder: Path | None = None) -> dict[str, Any]:
    """Every legal keep of a turn's position with its value for a goal and the value lost, best first.

    Raises BadNotation.
    """
    game = asked_turn_game(kit, given)
    turned = one_turn(game)
    after = turned.after(told_turn(turned, given))
    (kind, number), worth = _goal(given, turned)
    solved, sign = turned.solve(worth), _sign(kind, turned)
    rows: list[dict[str, Any]] = []
    for keep, node in after:
        chance = solved.chance[node]
        rows.append(
            {
                "keep": sorted(keep.dice, reverse=True),
                "value": sign * float(solved.value[node]) + 0.0,
                "mean": dot(chance, turned.points),
                "qualify": float(1 - chance[0]),
                "distribution": _by_score(turned, chance),
            }
        )
    less = -1.0 if game.lowest_wins else 1.0
    rows = best_first(rows, lambda row: sign * float(row["value"]), lambda row: less * float(row["mean"]))
    best = rows[0]["value"]
    actions = [{**row, "lost": max(0.0, sign * (best - row["value"]))} for row in rows]
    numbered = {"number": number} if kind in ("reach", "exactly") else {}
    return {"value": best, "goal": kind, **numbered, "actions": actions, "bound": _bound(worth)}


def told_turn(turned: TurnNodes, given: Given) -> RoundState:
    """The turn told by the flags ``locked``, ``roll`` and ``rolls``, as if nobody else played, at a decision.

    Where a game counts rolls and nobody says how many there were, it is as few as the position allows. Raises
    BadNotation for a position that no turn comes to.
    """
    locked: Hand = read_dice("locked", given["locked"]) if given.get("locked") else ()
    if "roll" not in given:
        raise BadNotation("flag-missing", flag="roll")
    roll = read_dice("roll", given["roll"])
    game, dice = turned.game, together(locked, roll)
    total, got = game.number_of_dice, len(locked) + len(roll)
    if got != total:
        raise BadNotation("dice-together", found=given["roll"], total=total, got=got)
    parts, found = set(subhands(dice)), []
    for before in turned.chance:
        if before.locked in parts:
            state = game.roll(before, without(dice, before.locked)) if game.to_roll(before) else before
            if (state.locked, state.free) == (locked, roll) and game.legal(state):
                found.append(state)
    if limits_rolls(game) and "rolls" in given:
        rolls = read_number("rolls", given["rolls"], 1, MOST_ROLLS)
        found = [state for state in found if state.rolls == rolls]
    if not found:
        raise BadNotation("no-position", found=given["roll"])
    return min(found, key=lambda state: state.rolls)


def _goal(given: Given, turned: TurnNodes) -> tuple[tuple[str, int], NumberRow]:
    """The goal's kind and number, as ``read_goal`` has them, and its utility."""
    goal = read_goal(given.get("goal", "score"), turned)
    if goal[0] != "win":
        for key in TO_WIN:
            if key in given:
                raise BadNotation("flag-only", flag=key, other="goal win")
        return goal, utility(goal, turned, ToWin())
    game, (least, most) = turned.game, span(turned)
    beat = read_number("to-beat", given["to-beat"], min(0, least), most) if "to-beat" in given else None
    holders = read_number("holders", given["holders"], 0, game.most_seats) if "holders" in given else None
    to_come = read_number("to-come", given.get("to-come", "0"), 0, game.most_seats - 1)
    return goal, utility(goal, turned, read_to_win(turned, beat, holders, to_come, given.get("ties", "share")))


def _sign(kind: str, turned: TurnNodes) -> float:
    """-1 where values are means of a score of which the lowest is the best, and so are worked out as their negative."""
    return -1.0 if kind == "score" and turned.game.lowest_wins else 1.0


def _by_score(turned: TurnNodes, chance: NumberRow) -> list[float]:
    """A distribution over the scores there are, laid out from 0 to the greatest."""
    found = [0.0] * (max(turned.scores) + 1)
    for score, part in zip(turned.scores, chance, strict=True):
        if score != NEVER:
            found[score] = float(part)
    return found


def _bound(worth: NumberRow) -> float:
    """How far a value may be off for this utility."""
    return ROUNDING * max(1.0, *[abs(float(each)) for each in worth])


def told_round(kit: Kit, game: Any, seats: int, given: Given) -> RoundState:
    """The round of a game of one turn a seat. Raises BadNotation, and Unsolved where the rules make it another."""
    turned = one_turn(asked_turn_game(kit, given))
    scores = read_numbers("scores", given["scores"]) if "scores" in given else ()
    if len(scores) >= seats:
        raise BadNotation("standing-scores", flag="scores", most=seats - 1)
    known = {score for score in turned.scores if score != NEVER}
    if not set(scores) <= known or any(game.wins_at_once(score) for score in scores):
        raise BadNotation("standing-score", flag="scores", found=given["scores"])
    return replace(told_turn(turned, given), seats=seats, scores=scores)
