"""Exact odds and advice for one turn that is played for a goal, in games in which each seat has one turn a round."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pubdice.advice.asked_match import (
    MATCH_FLAGS,
    TO_WIN,
    Given,
    asked_turn,
    asked_turn_game,
    limits_rolls,
)
from pubdice.core.dice import Hand, subhands, together, without
from pubdice.core.errors import BadNotation
from pubdice.core.game import GameOfTurns, RoundState, TurnGame
from pubdice.kit import Kit, NumberedAnswer, read_dice, read_number, read_numbers
from pubdice.solve.numerics import ROUNDING, best_first
from pubdice.solve.turns.goals import ToWin, read_goal, read_to_win, span, utility
from pubdice.solve.turns.turn_nodes import NEVER, NumberRow, TurnNodes, dot, one_turn
from pubdice.text.game_words import GameWords, keep_words, other_keeps
from pubdice.text.language import Language
from pubdice.text.turn_advice import reach, why
from pubdice.text.turn_words import winning_scores

GOAL = ("goal", *TO_WIN)  # the flags of a turn's goal
MOST_LISTED = 1_000  # the greatest score up to which a distribution is a list

MOST_ROLLS = 100  # the most rolls that a flag may give. No game has as many in a turn.


LEAST_CHANCE = 0.0005  # the least chance of a score that is told


@dataclass(frozen=True, slots=True)
class TurnOdds(NumberedAnswer):
    """The value and the distribution of scores of a fresh turn that is played for a goal."""

    words: GameWords
    game: GameOfTurns

    def sentences(self, language: Language) -> list[str]:
        """Return sentences on the value, and on every score with its chance."""
        game, data = self.game, self.numbers
        chances = ", ".join(
            f"{self.words.score(language, game, score)}: {language.per_cent(chance)}"
            for score, chance in _pairs(data["distribution"])
            if chance >= LEAST_CHANCE or not score or (chance and game.wins_at_once(score))
        )
        text = "Value {value}." if game.scoreless is None else "Value {value}. Qualifies {qualify}."
        facts = {"value": language.number(data["value"], 4), "qualify": language.per_cent(data["qualify"])}
        if "goal" in data:
            text, facts = "Chance: {chance}.", {"chance": language.per_cent(data["value"])}
        return [language.say(text, **facts), language.say("Scores: {chances}.", chances=chances)]


def odds_of_turn(kit: Kit, given: Given) -> TurnOdds:
    """Return the odds of a fresh turn that is played for a goal. Raises BadNotation."""
    game = asked_turn(kit, given)
    turned = one_turn(game)
    (kind, _), worth = _goal(given, turned)
    solved = turned.solve(worth)
    chance = solved.chance[turned.start]
    numbers = {
        "value": _sign(kind, turned) * float(solved.value[turned.start]) + 0.0,
        "qualify": float(1 - chance[0]),
        "distribution": _by_score(turned, chance),
        "bound": _bound(worth),
        **({"goal": goal} if (goal := given.get("goal", "")) in game.goals else {}),
    }
    return TurnOdds(numbers, kit.words, game)


def refuse_goal(given: Given) -> None:
    """Refuse flags of a turn's goal if the question is about a match. Raises BadNotation."""
    for key in GOAL:
        if key in given:
            raise BadNotation("flag-with", flag=key, other=MATCH_FLAGS[0])


@dataclass(frozen=True, slots=True)
class TurnAdvice(NumberedAnswer):
    """Every legal keep of a turn's position, with its value for a goal and its value lost, best first."""

    words: GameWords
    game: TurnGame

    def sentences(self, language: Language) -> list[str]:
        """Return sentences on the keeps, best first, each with its value, loss and reason."""
        say, words, game, data = language.say, self.words, self.game, self.numbers

        def worth(value: float) -> str:
            if data["goal"] == "score":
                return say("{value} points", value=language.number(value, 2))
            return language.per_cent(value)

        def facts(row: Mapping[str, Any]) -> dict[str, float]:
            chances = row["distribution"]
            scores = range(len(chances)) if game.scoreless is None else range(1, len(chances))
            better = {
                score: [chance for other, chance in enumerate(chances) if game.better(other) >= game.better(score)]
                for score in scores
            }
            return {
                # for "score", the loss is already in the mean
                **({} if data["goal"] == "score" else {"mean": row["mean"]}),
                "qualify": row["qualify"],
                **{reach(score): sum(some) for score, some in better.items()},
            }

        def reason(best: Mapping[str, Any], row: Mapping[str, Any]) -> str:
            if data["goal"] == "exactly":  # none of the facts explains a loss for this goal
                return ""
            return why(
                language,
                facts(best),
                facts(row),
                lowest=game.lowest_wins,
                called=lambda score: words.score(language, game, score),
                also=also,
                top=winning_scores(game)[-1],
                goal=data["number"] if data["goal"] == "reach" else None,
            )

        found = (score for row in data["actions"] for score, chance in enumerate(row["distribution"]) if chance)
        also = next((words.score(language, game, score) for score in found if game.wins_at_once(score)), "")
        best = data["actions"][0]
        told = {"choice": keep_words(language, best, game.faces), "value": worth(best["value"])}
        if data["goal"] == "score":
            first = [say("{choice}: {value} on average.", **told)]
        else:
            mean = say("On average: {mean}.", mean=language.number(best["mean"], 2))
            first = [say("{choice}: {value}.", **told), mean]
        if game.scoreless is not None and (chance := language.per_cent(best["qualify"])) != language.per_cent(1):
            first.append(say("Chance to score: {chance}.", chance=chance))
        return [" ".join(first), *other_keeps(language, data["actions"], worth, reason, game.faces)]


def advise_turn(kit: Kit, given: Given) -> TurnAdvice:
    """Rank every legal keep of a turn's position by its value for a goal. Raises BadNotation."""
    game = asked_turn_game(kit, given)
    turned = one_turn(game)
    after = turned.after(turn_from_flags(turned, given))
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
    numbers = {"value": best, "goal": kind, **numbered, "actions": actions, "bound": _bound(worth)}
    return TurnAdvice(numbers, kit.words, game)


def turn_from_flags(turned: TurnNodes, given: Given) -> RoundState:
    """Return the turn that the flags ``locked``, ``roll`` and ``rolls`` describe: a decision in a round of one seat.

    If a game counts rolls and the flag ``rolls`` is missing, the number of rolls is the least that the position allows.
    Raises BadNotation if no turn reaches the position.
    """
    game = turned.game
    assert isinstance(game, TurnGame), "a turn is given by its dice"
    locked: Hand = read_dice("locked", given["locked"], game.faces) if given.get("locked") else ()
    if "roll" not in given:
        raise BadNotation("flag-missing", flag="roll")
    roll = read_dice("roll", given["roll"], game.faces)
    dice = together(locked, roll)
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
    """Return the goal's kind and number, as ``read_goal`` returns them, and its utility."""
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
    """Return -1 if values are mean scores and the lowest score is best, otherwise 1.

    Solvers then maximise the negative score.
    """
    return -1.0 if kind == "score" and turned.game.lowest_wins else 1.0


def _by_score(turned: TurnNodes, chance: NumberRow) -> list[float] | dict[str, float]:
    """Lay out a distribution over the possible scores as a list from score 0 to the greatest score.

    If scores go up to more than ``MOST_LISTED``, return the chances by score, the lowest first.
    """
    if max(turned.scores) > MOST_LISTED:
        return {str(score): float(part) for score, part in sorted(zip(turned.scores, chance, strict=True)) if part}
    found = [0.0] * (max(turned.scores) + 1)
    for score, part in zip(turned.scores, chance, strict=True):
        if score != NEVER:
            found[score] = float(part)
    return found


def _pairs(distribution: list[float] | dict[str, float]) -> list[tuple[int, float]]:
    """Return the scores of a distribution, each with its chance."""
    if isinstance(distribution, dict):
        return [(int(score), chance) for score, chance in distribution.items()]
    return list(enumerate(distribution))


def _bound(worth: NumberRow) -> float:
    return ROUNDING * max(1.0, *[abs(float(each)) for each in worth])


def round_from_flags(kit: Kit, game: Any, seats: int, given: Given) -> RoundState:
    """Return the round that the flags describe, in a game of one turn a seat.

    Raises BadNotation. Raises Unsolved if the rules make turns depend on each other.
    """
    turned = one_turn(asked_turn_game(kit, given))
    scores = read_numbers("scores", given["scores"]) if "scores" in given else ()
    if len(scores) >= seats:
        raise BadNotation("standing-scores", flag="scores", most=seats - 1)
    known = {score for score in turned.scores if score != NEVER}
    if not set(scores) <= known or any(game.wins_at_once(score) for score in scores):
        raise BadNotation("standing-score", flag="scores", found=given["scores"])
    return replace(turn_from_flags(turned, given), seats=seats, scores=scores)
