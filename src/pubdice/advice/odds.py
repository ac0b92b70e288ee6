"""``odds``: what a match is worth to every seat before it begins; without a match, what a turn comes to for a goal."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from pubdice.advice.questions import (
    LEAST,
    MATCH_FLAGS,
    NUMBERS,
    TO_WIN,
    Given,
    asked_format,
    asked_match,
    asked_options,
    asked_turn_game,
    least_seats,
    limits_rolls,
    shortest,
    written,
)
from pubdice.core.dice import Hand, subhands, together, without
from pubdice.core.errors import BadNotation, Unsolved
from pubdice.core.turn_game import RoundState
from pubdice.kit import Kit, lazy, read_dice, read_number, read_numbers
from pubdice.match.formats import FormatKind
from pubdice.match.match import Match
from pubdice.solve.acceleration import numpy_there
from pubdice.solve.choose import one_turn_each
from pubdice.solve.numerics import ROUNDING, best_first
from pubdice.solve.solver import as_counted
from pubdice.solve.turns.bare_turn import NEVER, NumberRow, TurnNodes, dot
from pubdice.solve.turns.goals import ToWin, one_turn, read_goal, read_to_win, span, utility, win

# ``odds`` and ``advise`` for one turn of a game in which every seat has one: played for a goal, exactly.


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


MOST_POT_SEATS = 6
"""Of one pot in a game of one turn a seat."""
pot_share = lazy("pubdice.solve.turns.rounds", "pot_share")
two_seat_pot = lazy("pubdice.solve.pure_python.turn_match", "two_seat_pot")
SHARE = "share of the match"
KEYS = {"share": "share", "chance": "win", "round": "round_wins", "chips": "chips", "score": "score"}
"""What the values are called in plain data, by the first word of the utility."""


def odds(kit: Kit, given: Given, folder: Path | None = None) -> dict[str, Any]:
    """Every seat's value in turn order, or a turn's odds. Raises BadNotation, and Unsolved."""
    turns = one_turn_each(kit.usual_game)
    if turns:
        if not any(key in given for key in MATCH_FLAGS):
            return odds_of_turn(kit, given)
        refuse_goal(given)
    pots = turns and asked_format(kit, given).stake
    return match_odds(kit, asked_match(kit, given, MOST_POT_SEATS if pots else None), folder)


def match_odds(kit: Kit, match: Match[Any, Any], folder: Path | None = None) -> dict[str, Any]:
    """Every seat's value in turn order: a share, or what else is played for. Raises Unsolved.

    One pot, carried until somebody takes it, stands for any match for pots of a game of one turn a seat; one round of
    such a game is solved for every number of seats. Without numpy no match of more than two seats is. folder: where
    solutions are kept.
    """
    game, form = match.game, match.format
    if match.seats > LEAST and not numpy_there():
        raise Unsolved("needs-house", title=kit.words.title)
    if one_turn_each(game) and match.seats > 1:
        if form.stake:
            found: dict[str, Any] = (
                pot_share(game, match.seats, match.opener)
                if numpy_there()
                else two_seat_pot(game, match.opener, folder)
            )
            return found
        if form.prize == "round wins" and form.is_one_round and match.seats > 2:
            share = win(game, "share", match.seats, 1 / match.seats).by_seat()
            return {"share": share, "utility": SHARE, "bound": ROUNDING * 10}
    if kit.solver is None:
        raise Unsolved("no-solver", title=kit.words.title)
    if kit.start_odds is not None:
        return kit.start_odds(match)
    solver = kit.solver(match)
    values = [as_counted(solver.utility, float(value)) for value in solver.values(match.start())]
    name = KEYS.get(solver.utility.replace(",", " ").split()[0], "value")
    if solver.utility == "chance of not buying":
        name, values = "buy", [1 - value for value in values]
    return {name: values, "utility": solver.utility, "bound": solver.bound}


# ``price``: what each house rule does for the seat that opens, one rule changed at a time, under best play.


MOST_SEATS = 6
SHARES = "share of the match, or of the pot"


def price(kit: Kit, given: Given, folder: Path | None = None) -> dict[str, Any]:
    """Rows of rule, choice, format, and every seat's value in turn order; see ``odds``.

    Seats are compared in the shortest match of the usual format, all else by the usual rules. A choice that is not
    solved has no row.
    """
    usual = usual_rules(kit)
    rows, utilities, unsolved = [], dict[str, str](), ""
    for rule, choice in choices(kit):
        if unsolved == rule == "seats":
            break  # what is too large for some seats is too large for more
        rules = {**usual, rule: choice}
        if rule == "seats":
            rules["format"] = shortest(kit.formats[0])
        try:
            match = asked_match(kit, rules)
            answer = match_odds(kit, match)
        except (Unsolved, BadNotation):
            unsolved = rule
            continue
        name = next(iter(answer))
        utilities.setdefault(*((SHARE, SHARES) if name == "share" else (answer["utility"],) * 2))
        fair = sum(answer[name]) / match.seats
        rows.append(
            {
                "rule": rule,
                "choice": choice,
                "format": rules["format"],
                name: answer[name],
                "advantage": answer[name][0] - (1 / match.seats if name == "share" else fair),
                "bound": answer["bound"],
            }
        )
    return {"usual": usual, "utility": "; ".join(utilities.values()), "rows": rows}


def usual_rules(kit: Kit) -> dict[str, str]:
    """The match that every other is compared with, as flags."""
    form = kit.formats[0].usual
    seats = str(least_seats(kit.usual_game.least_seats))
    return {**asked_options(kit, {}), "seats": seats, "format": written(form), "opener": form.openers[0]}


def choices(kit: Kit) -> Iterator[tuple[str, str]]:
    """Each rule with each of its choices: house rules, who opens, formats, seats; none where there is no choice."""
    form, game = kit.formats[0].usual, kit.usual_game
    least, most = least_seats(game.least_seats), min(MOST_SEATS, game.most_seats)
    compared = {
        **{option.key: option.choices for option in kit.options},
        "opener": form.openers,
        "format": tuple(number for kind in kit.formats for number in _numbers(kind)),
        "seats": tuple(map(str, range(least, most + 1))),
    }
    for rule, offered in compared.items():
        if len(offered) > 1:
            for choice in offered:
                yield rule, choice


def _numbers(kind: FormatKind) -> tuple[str, ...]:
    """A kind of format with each number that is compared; a pot is one pot, played for until it is taken."""
    if not kind.fields or kind.usual.stake:
        return (kind.name,)
    return tuple(f"{kind.name}:{number}" for number in NUMBERS if kind.fields[0].least <= number <= kind.fields[0].most)
