"""Every keep of a position, ranked and told: of one that flags describe, or of a decision in a record.

The numbers are those of ``pubdice advise``: by flags the same question is answered, in a record the same coach advises.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pubdice.advice.coach import Coach
from pubdice.advice.questions.house_questions import question
from pubdice.advice.questions.match_position import MatchPosition, coached
from pubdice.advice.questions.record_advice import as_data
from pubdice.advice.spoken import UTILITIES, SpokenAdvice
from pubdice.core.errors import BadNotation
from pubdice.kit import Kit
from pubdice.match.match import Match, MatchState
from pubdice.match.narrate import Narrator
from pubdice.match.record import Played
from pubdice.records import Checked
from pubdice.solve.solver import Solver
from pubdice.text.language import Language, sentence

GOALS = {
    "score": "The mean score, with best play after it.",
    "qualify": "The chance to qualify, with best play after it.",
    "reach": "The chance to reach it, with best play after it.",
    "exactly": "The chance of exactly that, with best play after it.",
    "win": "The share of the round, with best play after it.",
}
"""What the values of a turn's goal are."""


@dataclass(frozen=True, slots=True)
class RankedKeep:
    """One keep as it is shown. keep: the dice kept, the greatest first. value, lost: as they are said.

    share: how long its bar is, from 0 to 1. line: a sentence. chosen: whether it is what was played.
    """

    keep: tuple[int, ...]
    value: str
    lost: str
    share: float
    line: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Ranking:
    """All keeps of a position, best first. utility: what the values are. data: the numbers, as ``advise --json`` has
    them. before: what had happened, in sentences. number, of: which decision of a record's.
    """

    rows: tuple[RankedKeep, ...]
    utility: str
    data: Mapping[str, Any]
    before: tuple[str, ...] = ()
    number: int = 0
    of: int = 0


def by_flags(
    kit: Kit, language: Language, given: Mapping[str, str], solve: Callable[[Match[Any, Any]], Solver] | None = None
) -> Ranking:
    """The keeps of a position that the flags of ``advise`` describe. Raises BadNotation or Unsolved.

    solve: makes the solver of a match, if not the kit's own does.
    """
    asked = question(kit, "advise")
    if asked is None:
        raise BadNotation("unsolved", title=kit.words.title)
    position = asked.position(given) if asked.position is not None else None
    if position is not None:
        coach = coached(kit, position) if solve is None else Coach(solve(position.match), position.match)
        return _by_coach(coach, kit, position.state, language, before=_standing(kit, position, language))
    data = asked.answer(given)
    goal = str(data.get("goal", ""))

    def said(value: float) -> str:
        return language.number(value, 2) if goal == "score" else language.per_cent(value)

    utility = language.say(GOALS[goal]) if goal else language.say(UTILITIES[str(data["utility"])])
    rows = _rows(data["actions"], said, asked.tell(language, data), chances=goal != "score")
    return Ranking(rows, utility, data)


def at_decision(checked: Checked, solve: Callable[[], Solver], number: int | None, language: Language) -> Ranking:
    """The keeps at a record's decision: the ``number``-th, from 1, or where the record ends.

    Only decisions count at which there is more than one legal action. solve: makes the match's solver. Raises
    BadNotation("no-decision") where there is none, or Unsolved.
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
    before = _told(checked, until, state, language)
    ranking = _by_coach(coach, checked.kit, state, language, played=played, before=before)
    return replace(ranking, number=number or 0, of=len(turns))


def _by_coach(
    coach: Coach, kit: Kit, state: MatchState[Any], language: Language, *, played: Any = None, before: tuple[str, ...]
) -> Ranking:
    """The keeps of a match's decision, as its coach advises. played: the action that was chosen, if one was."""
    match, advice = coach.match, coach.advise(state)
    spoken = SpokenAdvice(kit.words, match, language, coach.solver)
    lines = [
        spoken.compared(state, choice, advice.best)
        if choice.lost > 0
        else sentence(language.say("{act} is best.", act=spoken.act(state, choice)))
        for choice in advice.choices
    ]
    data = as_data(match.game, coach, advice)
    rows = _rows(data["actions"], spoken.amounts.value, lines, chances=spoken.amounts.are_chances)
    if played is not None:
        rows = tuple(
            replace(row, chosen=choice.action == played) for row, choice in zip(rows, advice.choices, strict=True)
        )
    utility = language.say(UTILITIES[coach.solver.utility])
    return Ranking(rows, utility, data, before)


def _standing(kit: Kit, position: MatchPosition, language: Language) -> tuple[str, ...]:
    """How the match of a position stands, its seats by number; which round it is, where that was told."""
    match, state = position.match, position.state
    names = tuple(language.say("Seat {number}", number=seat + 1) + ":" for seat in range(match.seats))
    narrator = Narrator(language, kit.words, match, names)
    counter = narrator.counter(state) if match.format.rounds_planned else ""
    told = [narrator.rules(), counter, *narrator.standing(state.tally)]
    return tuple([line for line in told if line])


def _told(checked: Checked, until: int, state: MatchState[Any], language: Language) -> tuple[str, ...]:
    """What led to a decision: how the match stands, and the last step before it."""
    narrator = Narrator(language, checked.kit.words, checked.match, checked.header.names)
    told = [narrator.rules(), narrator.counter(state), *narrator.standing(state.tally)]
    for step in checked.steps[max(0, until - 1) : until]:
        told += narrator.tell(step.before, step.move, step.after)
    return tuple([line for line in told if line])


def _rows(
    actions: Sequence[Mapping[str, Any]], said: Callable[[float], str], lines: Sequence[str], *, chances: bool
) -> tuple[RankedKeep, ...]:
    """The rows; chances: whether the values are, so that a whole bar is 100 percent, and else the greatest value."""
    values = [float(action["value"]) for action in actions]
    low, high = min(0.0, *values), max(1.0 if chances else 0.0, *values)
    return tuple(
        RankedKeep(
            keep=tuple(action["keep"]),
            value=said(value),
            lost=said(float(action["lost"])) if action["lost"] > 0 else "",
            share=(value - low) / (high - low) if high > low else 1.0,
            line=line,
        )
        for action, value, line in zip(actions, values, lines, strict=True)
    )
