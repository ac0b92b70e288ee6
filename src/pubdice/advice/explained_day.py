"""A day's position of Last orders in a language, with every choice graded, for pages and the terminal."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from pubdice.advice.daily import DayQuestion
from pubdice.advice.ranking import Ranking, at_decision
from pubdice.advice.streak import Grade
from pubdice.checked_record import Checked
from pubdice.core.dice import SIX, DieFaces, Hand
from pubdice.match.narrate import Narrator
from pubdice.solve.solver import Solver
from pubdice.text.game_words import kept_names
from pubdice.text.language import Language, one_line, sentence

SAID: dict[Grade, str] = {"best": "Best!", "close": "Close: {lost} off", "off": "{lost} off"}
SHORT: dict[Grade, str] = {"best": "best", "close": "{lost} off", "off": "{lost} off"}  # the grade in the line to share


@dataclass(frozen=True, slots=True)
class DayChoice:
    """A choice that the player can make in the position."""

    action: str  # as a record writes it
    label: str  # in words
    grade: Grade
    said: str  # the grade as a heading, such as "Close: 3.9% off"
    row: int  # the choice's place in the ranking, from 0
    at: int  # the choice's place among the choices, from 0


@dataclass(frozen=True, slots=True)
class ExplainedDay:
    """A day's position in a language, with its answer."""

    question: DayQuestion
    title: str  # the title of the game
    stands: str  # the scores so far, in a sentence
    ask: str  # the question
    locked: Hand  # the mover's dice on the table, like ``free``
    free: Hand
    red: tuple[int, ...]  # the faces that every turn needs, which are drawn in red
    choices: tuple[DayChoice, ...]  # in the rules' order, which does not reveal the answer
    ranking: Ranking  # the answer
    die: DieFaces = SIX

    @property
    def lying(self) -> tuple[tuple[int, bool], ...]:
        """The free dice, each with True if the turn needs it.

        Of equal dice the turn needs only the first, and none if a die with that face is locked.
        """
        due = {face for face in self.red if face not in self.locked}
        return tuple((face, face in due and face not in self.free[:at]) for at, face in enumerate(self.free))

    def chosen(self, action: str) -> DayChoice | None:
        """Return the choice with this action. None if the position has no such choice."""
        return next((choice for choice in self.choices if choice.action == action), None)

    def reason(self, choice: DayChoice) -> str:
        """Return the reason for a choice's grade.

        It says the loss of the choice and then the best choice. For a best choice it says the loss of the next best
        choice instead.
        """
        rows = self.ranking.rows
        row = rows[choice.row]
        other = rows[0] if row.lost else next((each for each in rows if each.lost), None)
        return row.line if other is None else f"{row.line} {other.line}"

    def line_to_share(self, choice: DayChoice, days: int, language: Language) -> str:
        """Return the result in a line without spoilers: "Last orders 214 · 3.9% off · 6 days"."""
        said = language.say(SHORT[choice.grade], lost=self.ranking.rows[choice.row].lost)
        run = language.count("{number} day", "{number} days", days)
        return " · ".join([language.say("Last orders {number}", number=self.question.number), said, run])

    def data(self, *, answered: bool) -> dict[str, Any]:
        """Return the position as data for programs. Once it is answered, the value of each choice is included."""
        choices = [choice.action for choice in self.choices]
        return {**asdict(self.question), "choices": choices, "answer": dict(self.ranking.data) if answered else None}


def explain_day(
    question: DayQuestion, checked: Checked, solve: Callable[[], Solver], language: Language
) -> ExplainedDay:
    """Put a position into words and grade its choices.

    ``checked`` is the record of the position. ``solve`` makes the solver.
    """
    ranking = at_decision(checked, solve, None, language)
    match, words = checked.match, checked.kit.words
    state = checked.steps[-1].after
    mover = match.mover(state)
    assert mover is not None, "a position has a mover"
    names = Narrator(language, words, match, checked.header.names, you=mover).around(state.order)
    round_seat = match.game.mover(state.round)
    assert round_seat is not None
    locked, free = match.game.dice(state.round, round_seat)
    actions = [action["action"] for action in ranking.data["actions"]]
    choices = []
    for at, action in enumerate(match.legal(state)):
        written = match.game.write_action(action)
        row = actions.index(written)
        grade = grade_of(str(ranking.data["actions"][row]["verdict"]))
        label = sentence(words.choice(language, match.game, state.round, action))
        said = language.say(SAID[grade], lost=ranking.rows[row].lost)
        choices.append(DayChoice(written, label, grade, said, row, at))
    return ExplainedDay(
        question=question,
        title=language.say(words.title),
        stands=one_line(words.to_beat(language, match.game, state.round, names), kept_names(names)),
        ask=words.ask(language, match.game, state.round),
        locked=locked,
        free=free,
        red=words.red(match.game),
        die=match.game.faces,
        choices=tuple(choices),
        ranking=ranking,
    )


def grade_of(verdict: str) -> Grade:
    """Convert a coach's verdict to a grade. Equal choices are all "best". A loss below a blunder is "close"."""
    return "best" if verdict in ("best", "equal") else "off" if verdict == "blunder" else "close"
