"""A day's position told in a language, with every choice graded: what pages and the terminal show of Last orders."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pubdice.advice.daily import DayQuestion
from pubdice.advice.daily_streak import Grade
from pubdice.advice.questions.ranking import RankedKeep, Ranking, at_decision
from pubdice.core.dice import Hand
from pubdice.kit import Kit
from pubdice.match.narrate import Narrator
from pubdice.records import Checked, read_checked
from pubdice.solve.solver import Solver
from pubdice.text.language import Language, one_line, sentence

SAID: dict[Grade, str] = {"best": "Best!", "close": "Close: {lost} off", "off": "{lost} off"}
"""A grade as it is said; for "best" there is nothing lost."""
SHORT: dict[Grade, str] = {"best": "best", "close": "{lost} off", "off": "{lost} off"}
"""A grade in the line to share."""


@dataclass(frozen=True, slots=True)
class DayChoice:
    """A choice of the position. action: as a record writes it. label: in words. keep: the dice that stay, the greatest
    first. row: where it stands in the ranking, from 0.
    """

    action: str
    label: str
    keep: tuple[int, ...]
    grade: Grade
    row: int


@dataclass(frozen=True, slots=True)
class ToldDay:
    """A day's position in a language. title: the game's. stands: where things stand, and ask: the question, in
    sentences. locked, free: the mover's dice on the table, and red: the faces needed of them. choices: in the rules'
    order, which gives nothing away. ranking: the answer.
    """

    question: DayQuestion
    title: str
    stands: str
    ask: str
    locked: Hand
    free: Hand
    red: tuple[int, ...]
    choices: tuple[DayChoice, ...]
    ranking: Ranking

    def chosen(self, action: str) -> int | None:
        """Which choice an action is, from 0; None if it is none of them."""
        return next((at for at, choice in enumerate(self.choices) if choice.action == action), None)

    def row(self, choice: int) -> RankedKeep:
        """How a choice is ranked."""
        return self.ranking.rows[self.choices[choice].row]


def read_question(question: DayQuestion, games: Mapping[str, Kit], language: Language) -> Checked:
    """The position's match, checked as any record is."""
    return read_checked(question.record, games, language)


def told_day(question: DayQuestion, checked: Checked, solve: Callable[[], Solver], language: Language) -> ToldDay:
    """The position told and its choices graded. checked: its record. solve: makes the solver of its match."""
    ranking = at_decision(checked, solve, None, language)
    match, words = checked.match, checked.kit.words
    state = checked.steps[-1].after
    mover = match.mover(state)
    assert mover is not None, "a position is somebody's decision"
    names = Narrator(language, words, match, checked.header.names, you=mover).around(state.order)
    round_seat = match.game.mover(state.round)
    assert round_seat is not None
    locked, free = match.game.dice(state.round, round_seat)
    actions = [action["action"] for action in ranking.data["actions"]]
    choices = []
    for action in match.legal(state):
        written = match.game.write_action(action)
        row = actions.index(written)
        grade = grade_of(str(ranking.data["actions"][row]["verdict"]))
        label = sentence(words.choice(language, match.game, state.round, action))
        choices.append(DayChoice(written, label, tuple(ranking.data["actions"][row]["keep"]), grade, row))
    return ToldDay(
        question=question,
        title=language.say(words.title),
        stands=one_line(words.to_beat(language, match.game, state.round, names)),
        ask=words.ask(language, match.game, state.round),
        locked=locked,
        free=free,
        red=words.red(match.game),
        choices=tuple(choices),
        ranking=ranking,
    )


def grade_of(verdict: str) -> Grade:
    """A coach's verdict as a grade: equal choices are all best, anything short of a blunder is close."""
    return "best" if verdict in ("best", "equal") else "off" if verdict == "blunder" else "close"


def said_grade(language: Language, grade: Grade, lost: str) -> str:
    """A grade as a heading: "Close: 3.9 % off". lost: as the ranking says it."""
    return language.say(SAID[grade], lost=lost)


def reason(day: ToldDay, choice: int) -> str:
    """Why a choice has its grade: what it loses and why, and what is best; of a best one, what the next would lose."""
    row, rows = day.row(choice), day.ranking.rows
    other = rows[0] if row.lost else next((each for each in rows if each.lost), None)
    return row.line if other is None else f"{row.line} {other.line}"


def line_to_share(language: Language, number: int, grade: Grade, lost: str, days: int) -> str:
    """The result in a line that gives nothing away: "Last orders 214 · 3.9 % off · 6 days"."""
    told = language.say(SHORT[grade], lost=lost)
    run = language.count("{number} day", "{number} days", days)
    return " · ".join([language.say("Last orders {number}", number=number), told, run])


def day_data(told: ToldDay, *, answered: bool) -> dict[str, Any]:
    """The position as programs read it, with what each choice is worth once it is answered."""
    question = told.question
    return {
        "number": question.number,
        "day": question.day,
        "game": question.game,
        "record": question.record,
        "choices": [choice.action for choice in told.choices],
        "answer": dict(told.ranking.data) if answered else None,
    }
