"""``daily``: ask and grade today's position of Last orders, or show an earlier day's position with its answer.

Last orders has one position a day, the same for all players.
"""

import json
from argparse import Namespace
from functools import cache
from typing import Any

from pubdice.advice.daily import DayQuestion, asked, find
from pubdice.advice.days import number_at, read_day, written_day
from pubdice.advice.explained_day import ExplainedDay, explain_day
from pubdice.advice.streak import Streak
from pubdice.checked_record import Checked, read_checked
from pubdice.command_line import FaultError
from pubdice.core.errors import BadNotation, Unsolved
from pubdice.failures import TOO_LARGE
from pubdice.kit import Kit
from pubdice.match.header import RawHeader
from pubdice.match.match import Match
from pubdice.match.record import moves, write
from pubdice.solve.solver import Solver
from pubdice.terminal.answer_logs import DayLog
from pubdice.terminal.arguments import Environment
from pubdice.terminal.console import LeftError
from pubdice.terminal.drill_positions import position_of
from pubdice.terminal.drilling import ask_position
from pubdice.terminal.saved_games import SavedGame
from pubdice.terminal.sentences import explain
from pubdice.terminal.table_coach import solved, working
from pubdice.terminal.typed_table import QuitError
from pubdice.text.language import Language, stopped


def daily(chosen: Namespace, outside: Environment, language: Language) -> None:
    """Ask the day's position, grade the answer, and keep the streak. A position is asked once."""
    today = number_at(outside.now())
    if today < 1:
        raise BadNotation("day-early", day=written_day(1))
    number = today if chosen.date is None else read_day(chosen.date, today)
    log = DayLog(outside.days)
    streak = log.streak()
    with working(language, outside.line):
        checked, told = _day_position(number, outside, language)
    open_still = number == today and streak.of(number) is None
    if chosen.json:
        outside.line.put(json.dumps(told.data(answered=not open_still)) + "\n")
        return
    head = language.say("Last orders {number}", number=number)
    outside.line.say([f"{head}: {told.title}, {told.question.day}."])
    if open_still:
        _ask(told, checked, log, outside, language)
    else:
        outside.line.say(_answer(told, streak, today, language))


def _day_position(number: int, outside: Environment, language: Language) -> tuple[Checked, ExplainedDay]:
    """Return the position of a day and its explanation. Raises FaultError."""

    @cache
    def solver(kit_name: str, match: Match[Any, Any]) -> Solver:
        return solved(outside.games[kit_name], match, language).solver

    def solve(kit: Kit, match: Match[Any, Any]) -> Solver:
        return solver(kit.name, match)

    try:
        games = {name: outside.games[name] for name in asked(outside.games)}
        question: DayQuestion = find(games, number, solve)
        checked = read_checked(question.record, games, language)
        return checked, explain_day(question, checked, lambda: solver(question.game, checked.match), language)
    except Unsolved as error:
        raise FaultError(explain(language, error), 1) from None
    except (MemoryError, RecursionError):
        raise FaultError(language.say(TOO_LARGE), 1) from None


def _ask(told: ExplainedDay, checked: Checked, log: DayLog, outside: Environment, language: Language) -> None:
    number = told.question.number
    try:
        action = ask_position(_to_you(checked, outside, language), outside, language)
    except (QuitError, LeftError):
        outside.line.say([language.say("Not answered yet. You have until midnight, UTC.")])
        return
    choice = told.chosen(checked.match.game.write_action(action))
    assert choice is not None, "an answer is one of the legal actions"
    log.note(number, choice.grade, choice.at, choice.action)
    outside.line.say(_answer(told, log.streak(), number, language, position=False))


def _to_you(checked: Checked, outside: Environment, language: Language) -> SavedGame:
    """Return the position as a saved game whose mover is named "you"."""
    match, fields, names = checked.match, checked.header.fields, list(checked.header.names)
    mover = match.mover(checked.steps[-1].after)
    assert mover is not None, "a position has a mover"
    names[mover] = language.say("you")
    first = names[checked.header.names.index(fields["first"])]
    header = checked.kit.normalize(RawHeader({**fields, "seats": ", ".join(names), "first": first}))
    position = position_of(write(header, match, moves(checked.steps)), outside.games, language)
    assert position is not None, "it is a record that ends at a decision"
    return position


def _answer(told: ExplainedDay, streak: Streak, today: int, language: Language, *, position: bool = True) -> list[str]:
    """Return sentences on the player's answer to a day's position. If there is none, return a sentence on each choice.
    If ``position`` is true, describe the position first.
    """
    number, rows, said = told.question.number, told.ranking.rows, language.say
    lines = (
        [f"{told.stands} {said('To choose from: {dice}.', dice=told.die.shown(told.free))} {told.ask}"]
        if position
        else []
    )
    mark = streak.of(number)
    if mark is None or mark.choice >= len(told.choices):
        return [*lines, *[row.line for row in rows]]
    choice = told.choices[mark.choice]
    if position:
        lines.append(said("You answered: {act}.", act=choice.label))
    lines += [stopped(choice.said), told.reason(choice)]
    if number == today:
        lines.append(told.line_to_share(choice, streak.running(today), language))
    return lines
