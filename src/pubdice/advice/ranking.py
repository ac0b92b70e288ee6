"""The ranking of every legal action of a position, in words. Flags or a decision in a record give the position.

The numbers are the same as ``pubdice advise`` prints: flags are answered by the same question, records by the same
coach.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pubdice.advice.asked_match import Given
from pubdice.advice.coach import Advice, Coach
from pubdice.advice.match_position import match_position
from pubdice.advice.questions import question
from pubdice.advice.spoken_advice import UTILITIES, SpokenAdvice
from pubdice.checked_record import Checked
from pubdice.core.dice import SIX, DieFaces
from pubdice.core.errors import BadNotation, Unsolved
from pubdice.core.game import kept_by
from pubdice.kit import Answer, Kit, lazy
from pubdice.match.match import Match, MatchState
from pubdice.match.narrate import Narrator
from pubdice.match.record import Played
from pubdice.solve.solver import Solver, as_counted
from pubdice.text.game_words import GameWords
from pubdice.text.language import Language, sentence


@dataclass(frozen=True, slots=True)
class PositionAdvice:
    """Every legal action at a decision of a match, with its value and value lost, best first."""

    words: GameWords
    coach: Coach
    state: MatchState[Any]
    advice: Advice

    def spoken(self, language: Language) -> SpokenAdvice:
        """Return the coach's sentences for this match."""
        return SpokenAdvice(self.words, self.coach.match, language, self.coach.solver)

    def sentences(self, language: Language) -> list[str]:
        """Return sentences on the best action, and on the loss of every other action with the reason."""
        return self.spoken(language).advise(self.state, self.advice, others=len(self.advice.choices))

    def data(self) -> dict[str, Any]:
        """Return the actions as plain data: notation, dice kept (``keep``, the greatest first), value and loss.

        The solver's other facts on an action are entries of the same dictionary, by name.
        """
        game, solver = self.coach.match.game, self.coach.solver
        actions = [
            {
                "action": game.write_action(choice.action),
                "keep": sorted(kept_by(game, choice.action), reverse=True),
                "value": as_counted(solver.utility, choice.value),
                "lost": choice.lost,
                "verdict": choice.verdict,
                **choice.facts,
            }
            for choice in self.advice.choices
        ]
        value = as_counted(solver.utility, self.advice.best.value)
        return {"value": value, "utility": solver.utility, "actions": actions, "bound": solver.bound}


def advise_state(kit: Kit, match: Match[Any, Any], state: MatchState[Any]) -> PositionAdvice:
    """Return the advice at a decision. Raises BadNotation("no-decision") if there is no decision, and Unsolved."""
    if not match.legal(state):
        raise BadNotation("no-decision")
    if kit.solver is None:
        raise Unsolved("no-solver", title=kit.words.title)
    coach = Coach(kit.solver(match), match)
    return PositionAdvice(kit.words, coach, state, coach.advise(state))


_advise_turn = lazy("pubdice.advice.turn_odds", "advise_turn")


def advise_flags(kit: Kit, given: Given, folder: Path | None = None) -> Answer:
    """Return the ranked actions of a position of a match, or of a turn with a goal.

    Raises BadNotation and Unsolved.
    """
    position = match_position(kit, given)
    if position is not None:
        return advise_state(kit, position.match, position.state)
    advised: Answer = _advise_turn(kit, given)
    return advised


GOALS = {
    "score": "The mean score, with best play after it.",
    "qualify": "The chance to qualify, with best play after it.",
    "reach": "The chance to reach it, with best play after it.",
    "exactly": "The chance of exactly that, with best play after it.",
    "win": "The share of the round, with best play after it.",
}


@dataclass(frozen=True, slots=True)
class RankedKeep:
    """One action in a ranking."""

    keep: tuple[int, ...]  # the dice kept, the greatest first
    value: str  # the action's value, in words
    lost: str  # its loss, in words, "" if it loses nothing
    share: float  # the length of its bar in the picture, from 0 to 1
    line: str  # a sentence on the action
    chosen: bool = False  # True if this action was played
    die: DieFaces = SIX
    act: str = ""  # the action in words, if it keeps no dice


@dataclass(frozen=True, slots=True)
class Ranking:
    """All legal actions of a position, best first."""

    rows: tuple[RankedKeep, ...]
    utility: str  # the name of the values
    data: Mapping[str, Any]  # the numbers, as ``advise --json`` prints them
    before: tuple[str, ...] = ()  # the standing and the last event before the position, in sentences
    # the number of the decision in its record, from 1. 0 at the end of the record, or if flags gave the position.
    number: int = 0
    of: int = 0  # the number of decisions in the record


def by_flags(kit: Kit, language: Language, given: Mapping[str, str]) -> Ranking:
    """Rank the actions of a position that the flags of ``advise`` describe. Raises BadNotation or Unsolved."""
    asked = question(kit, "advise")
    if asked is None:
        raise BadNotation("unsolved", title=kit.words.title)
    answer: Answer = asked.answer(given)
    if isinstance(answer, PositionAdvice):
        return _ranked(answer, language, before=_standing(kit, answer.coach.match, answer.state, language))
    data = answer.data()
    goal = str(data.get("goal", ""))

    def said(value: float) -> str:
        return language.number(value, 2) if goal == "score" else language.per_cent(value)

    utility = language.say(GOALS[goal]) if goal else language.say(UTILITIES[str(data["utility"])])
    rows = _rows(data["actions"], said, answer.sentences(language), kit.usual_game.faces, chances=goal != "score")
    return Ranking(rows, utility, data)


def at_decision(checked: Checked, solve: Callable[[], Solver], number: int | None, language: Language) -> Ranking:
    """Rank the actions at the ``number``-th decision of a record, from 1. None means the end of the record.

    Only decisions with more than one legal action count. ``solve`` makes the match's solver. Raises Unsolved. Raises
    BadNotation("decision-number") if there is no such number, and BadNotation("no-decision") if the record ends without
    a decision.
    """
    match, steps = checked.match, checked.steps
    turns = [step for step in steps if isinstance(step.move, Played) and len(match.legal(step.before)) > 1]
    played: Any = None
    if number is None:
        state = steps[-1].after if steps else match.start()
        until = len(steps)
    elif 1 <= number <= len(turns):
        found = turns[number - 1]
        assert isinstance(found.move, Played)
        state, played, until = found.before, found.move.action, steps.index(found)
    else:
        raise BadNotation("decision-number", found=number, most=len(turns))
    if not match.legal(state):
        raise BadNotation("no-decision")
    coach = Coach(solve(), match)
    before = _steps_before(checked, until, state, language)
    advised = PositionAdvice(checked.kit.words, coach, state, coach.advise(state))
    ranking = _ranked(advised, language, played=played, before=before)
    return replace(ranking, number=number or 0, of=len(turns))


def _ranked(advised: PositionAdvice, language: Language, *, played: Any = None, before: tuple[str, ...]) -> Ranking:
    """Rank the actions at a decision of a match. ``played`` is the action that was chosen, or None if the position's
    action is not known.
    """
    advice, state, spoken, data = advised.advice, advised.state, advised.spoken(language), advised.data()
    lines = [
        spoken.compared(state, choice, advice.best)
        if choice.lost > 0
        else sentence(language.say("{act} is best.", act=spoken.act(state, choice)))
        for choice in advice.choices
    ]
    rows = _rows(
        data["actions"], spoken.amounts.value, lines, advised.coach.match.game.faces, chances=spoken.amounts.are_chances
    )
    rows = tuple(
        row if row.keep else replace(row, act=sentence(spoken.act(state, choice)))
        for row, choice in zip(rows, advice.choices, strict=True)
    )
    if played is not None:
        rows = tuple(
            replace(row, chosen=choice.action == played) for row, choice in zip(rows, advice.choices, strict=True)
        )
    utility = language.say(UTILITIES[advised.coach.solver.utility])
    return Ranking(rows, utility, data, before)


def _standing(kit: Kit, match: Match[Any, Any], state: MatchState[Any], language: Language) -> tuple[str, ...]:
    """Return lines on the rules and the standing of a position's match, with seats by number.

    If the format plans a number of rounds, the present round is included.
    """
    names = tuple(language.say("Seat {number}", number=seat + 1) for seat in range(match.seats))
    narrator = Narrator(language, kit.words, match, names)
    counter = narrator.counter(state) if match.format.rounds_planned else ""
    told = [narrator.rules(), counter, *narrator.standing(state.tally)]
    return tuple([line for line in told if line])


def _steps_before(checked: Checked, until: int, state: MatchState[Any], language: Language) -> tuple[str, ...]:
    """Return lines on the rules, the standing of the match before a decision, and the last step before it."""
    narrator = Narrator(language, checked.kit.words, checked.match, checked.header.names)
    told = [narrator.rules(), narrator.counter(state), *narrator.standing(state.tally)]
    for step in checked.steps[max(0, until - 1) : until]:
        told += narrator.tell(step.before, step.move, step.after)
    return tuple([line for line in told if line])


def _rows(
    actions: Sequence[Mapping[str, Any]],
    said: Callable[[float], str],
    lines: Sequence[str],
    die: DieFaces,
    *,
    chances: bool,
) -> tuple[RankedKeep, ...]:
    """Make the rows of a ranking.

    If ``chances`` is true, a full bar means 100%. Otherwise it means the greatest value.
    """
    values = [float(action["value"]) for action in actions]
    low, high = min(0.0, *values), max(1.0 if chances else 0.0, *values)
    return tuple(
        RankedKeep(
            keep=tuple(action["keep"]),
            value=said(value),
            lost=said(float(action["lost"])) if action["lost"] > 0 else "",
            share=(value - low) / (high - low) if high > low else 1.0,
            line=line,
            die=die,
        )
        for action, value, line in zip(actions, values, lines, strict=True)
    )
