"""Last orders: one position a day, the same in every house with the same games. Pure: a day in, a position out.

The games go round by the date. The dice are a ``SeededCup``'s, HMAC-SHA256 keyed by the date, so nobody has to hand a
position on: two houses that never heard of each other ask the same question. Best play plays a round of two with those
dice, and one of its decisions is taken that is a question: few choices, of which the second best loses something worth
a thought, and not so much that everybody sees it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Literal

from pubdice.advice.coach import MISTAKE, Advice, Coach
from pubdice.advice.questions import other_options
from pubdice.advice.ranking import RankedKeep, Ranking, at_decision
from pubdice.core.cup import SeededCup
from pubdice.core.dice import SIX, DieFaces, Hand
from pubdice.core.errors import BadNotation, Unsolved
from pubdice.kit import Checked, Kit, read_checked
from pubdice.match.formats import ROUNDS
from pubdice.match.match import Match
from pubdice.match.narrate import Narrator
from pubdice.match.notation import Header, RawHeader
from pubdice.match.record import Move, Played, Rolled, advance, write
from pubdice.solve.solver import Solver
from pubdice.text.game_words import kept_names
from pubdice.text.language import Language, one_line, sentence

# The days of Last orders: a number for each date, from a fixed first one, and back. Counts with whole numbers alone.
#
# Days are UTC's, so that everybody has the same one at the same time. Dates are written as in ISO 8601, 2025-11-20.


FIRST_DAY = "2025-04-21"
"""Number 1."""
DAY_MS = 24 * 3600 * 1000
DAYS_IN_ERA, YEARS_IN_ERA = 146_097, 400
"""After 400 years the calendar comes again."""
BEFORE_MONTH = (0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337)
"""Days before each month of a year that begins in March, so that the leap day is its last."""
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")


def _days_to(year: int, month: int, day: int) -> int:
    """Days from 1 March of the year 0 to this date."""
    at, year = (month - 3) % 12, year - (month < 3)
    return 365 * year + year // 4 - year // 100 + year // 400 + BEFORE_MONTH[at] + day - 1


def _date_at(days: int) -> tuple[int, int, int]:
    """The year, month and day this many days after 1 March of the year 0."""
    era, rest = divmod(days, DAYS_IN_ERA)
    year = (rest - rest // 1460 + rest // 36_524 - rest // (DAYS_IN_ERA - 1)) // 365
    rest -= 365 * year + year // 4 - year // 100
    at = max(month for month, before in enumerate(BEFORE_MONTH) if before <= rest)
    month = (at + 2) % 12 + 1
    return YEARS_IN_ERA * era + year + (month < 3), month, rest - BEFORE_MONTH[at] + 1


_EPOCH = _days_to(1970, 1, 1)
_FIRST = _days_to(2025, 4, 21)


def written_day(number: int) -> str:
    """The date of the day with this number.

    >>> written_day(1), written_day(214)
    ('2025-04-21', '2025-11-20')
    """
    year, month, day = _date_at(_FIRST + number - 1)
    return f"{year:04}-{month:02}-{day:02}"


def number_at(now_ms: int) -> int:
    """The number of the day, in UTC, at a time in ms since 1970; less than 1 before the first.

    >>> number_at(1_763_640_000_000)
    214
    """
    return _EPOCH + now_ms // DAY_MS - _FIRST + 1


def read_day(text: str, today: int) -> int:
    """The number of the day that a text names, from the first to today's.

    Raises BadNotation: "day" where it names none; "day-future" or "day-early" where there is no position to show.
    """
    found = _DATE.fullmatch(text)
    if found is None:
        raise BadNotation("day", found=text[:40])
    number = _days_to(*map(int, found.groups())) - _FIRST + 1 if 1 <= int(found[2]) <= 12 else 0
    if not 1 <= int(found[2]) <= 12 or written_day(number) != text:
        raise BadNotation("day", found=text)
    if number > today:
        raise BadNotation("day-future")
    if number < 1:
        raise BadNotation("day-early", day=FIRST_DAY)
    return number


DOMAIN = "pubdice last orders 1"
"""The seed of the dice, besides the date. Another number here would change every day's position."""
SEATS = 2
MOST_CHOICES = 12
"""Choices of a question: as many as a phone shows in one or two screens, and an ear can hold."""
LEAST_GAP, MOST_GAP = MISTAKE, 0.16
"""The bounds of the second best choice's loss, as a part of the prize: a mistake by the coach's grades at least, and
one round in six at most. A third of the house's decisions with so few choices lie outside.
"""
TRIES = 40
"""Rounds played at most in search of a question; the first 1,000 days took 17 at most, and seven of ten took one."""
LONGEST = 400
"""Moves of a round that are played at most: races need not end."""
SolverOf = Callable[[Kit, Match[Any, Any]], Solver]
"""Makes the solver of a match of a game."""


@dataclass(frozen=True, slots=True)
class DayQuestion:
    """A day's position. number: the day's, day: its date. game: its kit's name.

    record: ends at the decision, as ``pubdice advise GAME RECORD`` reads it. A position of the drill has its number,
    and no date.
    """

    number: int
    day: str
    game: str
    record: str


def asked(games: Mapping[str, Kit]) -> tuple[str, ...]:
    """The games that go round, by name: those that are solved."""
    return tuple(sorted(name for name, kit in games.items() if kit.solver is not None))


def header_of(kit: Kit) -> Header:
    """A round of two with the usual rules; where the game is not played in rounds, its usual format."""
    form = ROUNDS.name + " 1" if ROUNDS in kit.formats else kit.formats[0].usual.write()
    names = (*kit.names, "Ann", "Bob")[: max(SEATS, kit.usual_game.least_seats)]
    fields = {"game": kit.name, "seats": ", ".join(names), "format": form, "first": names[0]}
    return kit.normalize(RawHeader(fields))


def solved_match(kit: Kit, solve: SolverOf) -> tuple[Header, Match[Any, Any], Solver]:
    """The match of ``header_of``, and its solver; where it is too large, the first with another option that is not.

    Raises Unsolved.
    """
    header = header_of(kit)
    match = kit.match(header)
    try:
        return header, match, solve(kit, match)
    except Unsolved as refused:
        for other in other_options(kit):
            header = header_of(other)
            match = other.match(header)
            with suppress(Unsolved):
                return header, match, solve(other, match)
        raise refused from None


def find(games: Mapping[str, Kit], number: int, solve: SolverOf) -> DayQuestion:
    """The position of the day with this number. Raises Unsolved where no game has one.

    If the game whose turn it is has none, the next one steps in.
    """
    day = written_day(number)
    names = [name for name in asked(games) if games[name].joins <= day]
    for later in range(len(names)):
        name = names[(number + later) % len(names)]
        record = search(games[name], day, solve)
        if record is not None:
            return DayQuestion(number, day, name, record)
    raise Unsolved("no-questions")


def search(kit: Kit, seed: str, solve: SolverOf) -> str | None:
    """The record of a position of this game; None if its rounds have no decision at which anything can be lost.

    seed: of the dice; a date, or what names a position of the drill.
    """
    header, match, solver = solved_match(kit, solve)
    coach = Coach(solver, match)
    nearest: tuple[float, list[Move]] | None = None
    for attempt in range(TRIES):
        cup = SeededCup(f"{DOMAIN}|{seed}|{kit.name}", f"round {attempt}")
        found: list[list[Move]] = []
        for moves, advice in _decisions(coach, cup):
            if len(advice.choices) > MOST_CHOICES or not advice.counts:
                continue
            gap = min(choice.lost for choice in advice.choices if choice.lost > 0) / coach.yardstick
            if LEAST_GAP <= gap <= MOST_GAP:
                found.append(moves)
            elif nearest is None or abs(gap - LEAST_GAP) < nearest[0]:
                nearest = abs(gap - LEAST_GAP), moves
        if found:
            return write(header, match, found[cup.draw(len(found), LONGEST)])
    return None if nearest is None else write(header, match, nearest[1])


def _decisions(coach: Coach, cup: SeededCup) -> Iterator[tuple[list[Move], Advice]]:
    """The decisions of a round of best play with these dice: the moves up to it, and every choice's worth."""
    match, moves = coach.match, list[Move]()
    state = match.start()
    while not state.over and len(moves) < LONGEST:
        due = match.to_roll(state)
        if due:
            move: Move = Rolled(cup.roll(due, len(moves), coach.match.game.faces.sides))
        else:
            advice = coach.advise(state)
            yield moves[:], advice
            move = Played(advice.best.action)
        moves.append(move)
        state = advance(match, state, move)


# Somebody's days of Last orders: the streak and the latest grades, small enough for a cookie. Knows no position.
#
# A streak counts days answered one after the other, however well; a missed day is a blank and begins it again.


Grade = Literal["best", "close", "off"]
"""Nothing lost; less than what the coach calls a blunder; that or more."""
GRADES: dict[str, Grade] = {"b": "best", "c": "close", "o": "off"}
LETTERS = {grade: letter for letter, grade in GRADES.items()}
MISSED = "--"
KEPT = 14
"""Days of which the grade is kept: two weeks. With them a streak is at most 54 characters."""
MOST = 99_999
"""The greatest number of a day that is read: more than two centuries."""
_TEXT = re.compile(r"1\.([1-9][0-9]{0,4})\.([1-9][0-9]{0,4})\.([1-9][0-9]{0,4})\.((?:[bco][0-9a-z]|--){1,14})")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class DayMark:
    """A day in the row of the latest. grade: None for a missed one. choice: which one, from 0, in the rules' order."""

    number: int
    grade: Grade | None = None
    choice: int = -1


@dataclass(frozen=True, slots=True)
class Streak:
    """last: the number of the latest day answered, 0 for none. days: the number without a gap up to it; best: the
    longest streak. marks: the latest days up to ``last``, at most ``KEPT``.
    """

    last: int = 0
    days: int = 0
    best: int = 0
    marks: tuple[DayMark, ...] = ()

    def answered(self, number: int, grade: Grade, choice: int) -> "Streak":
        """The streak once a day is answered; unchanged for a day that has an answer or came before one."""
        if number <= self.last:
            return self
        days = self.days + 1 if number == self.last + 1 else 1
        missed = tuple(map(DayMark, range(max(self.last + 1, number - KEPT), number))) if self.marks else ()
        marks = (*self.marks, *missed, DayMark(number, grade, choice))
        return Streak(number, days, max(self.best, days), marks[-KEPT:])

    def running(self, number: int) -> int:
        """The streak's length on a day: none once a day was missed."""
        return self.days if number - 1 <= self.last <= number else 0

    def of(self, number: int) -> DayMark | None:
        """The answer to a day; None if it has none, or one that is no longer kept."""
        return next((mark for mark in self.marks if mark.number == number and mark.grade is not None), None)

    def row(self, number: int, days: int) -> tuple[DayMark, ...]:
        """The latest days up to this one, each with its grade; those before the first answer kept are left out."""
        first = max(number - days + 1, min((mark.number for mark in self.marks), default=number))
        return tuple(self.of(each) or DayMark(each) for each in range(first, number + 1))

    def write(self) -> str:
        """The streak as text: letters, digits, dots and hyphens."""
        marks = "".join(
            MISSED if mark.grade is None else LETTERS[mark.grade] + _DIGITS[mark.choice] for mark in self.marks
        )
        return f"1.{self.last}.{self.days}.{self.best}.{marks}"


def read_streak(text: str, today: int) -> Streak:
    """The streak that a text holds; a fresh one for anything that no streak of this day can be.

    >>> read_streak(Streak().answered(7, "close", 2).write(), 8).days
    1
    >>> read_streak("1.7.3.1.c2", 8) == Streak()
    True
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        return Streak()
    last, days, best = (int(found[at]) for at in (1, 2, 3))
    pairs = [found[4][at : at + 2] for at in range(0, len(found[4]), 2)]
    marks = tuple(
        DayMark(number) if pair == MISSED else DayMark(number, GRADES[pair[0]], _DIGITS.index(pair[1]))
        for number, pair in enumerate(pairs, last - len(pairs) + 1)
    )
    streak = Streak(last, days, best, marks)
    unbroken = all(mark.grade is not None for mark in marks[-days:])
    if last > today or not days <= best <= last or marks[-1].grade is None or marks[0].number < 1 or not unbroken:
        return Streak()
    return streak


# A day's position told in a language, with every choice graded: what pages and the terminal show of Last orders.


SAID: dict[Grade, str] = {"best": "Best!", "close": "Close: {lost} off", "off": "{lost} off"}
"""A grade as it is said; for "best" there is nothing lost."""
SHORT: dict[Grade, str] = {"best": "best", "close": "{lost} off", "off": "{lost} off"}
"""A grade in the line to share."""


@dataclass(frozen=True, slots=True)
class DayChoice:
    """A choice of the position. action: as a record writes it. label: in words. grade: also as a heading (said), such
    as "Close: 3.9% off". row: where it stands in the ranking, from 0.
    """

    action: str
    label: str
    grade: Grade
    said: str
    row: int


@dataclass(frozen=True, slots=True)
class ExplainedDay:
    """A day's position in a language. title: the game's. stands: where things stand, and ask: the question, in
    sentences. locked, free: the mover's dice on the table. red: the faces that every turn needs.
    choices: in the rules' order, which gives nothing away. ranking: the answer. die: all faces.
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
    die: DieFaces = SIX

    @property
    def lying(self) -> tuple[tuple[int, bool], ...]:
        """The free dice, each with whether it is needed: of two alike one is, and none if that face is locked."""
        due = {face for face in self.red if face not in self.locked}
        return tuple((face, face in due and face not in self.free[:at]) for at, face in enumerate(self.free))

    def chosen(self, action: str) -> int | None:
        """The index of an action among the choices, from 0; None if it is none of them."""
        return next((at for at, choice in enumerate(self.choices) if choice.action == action), None)

    def row(self, choice: int) -> RankedKeep:
        """The rank of a choice."""
        return self.ranking.rows[self.choices[choice].row]

    def reason(self, choice: int) -> str:
        """Why a choice has its grade: what it loses and why, and what is best; of a best one, what the next loses."""
        row, rows = self.row(choice), self.ranking.rows
        other = rows[0] if row.lost else next((each for each in rows if each.lost), None)
        return row.line if other is None else f"{row.line} {other.line}"

    def line_to_share(self, choice: int, days: int, language: Language) -> str:
        """The result in a line that gives nothing away: "Last orders 214 · 3.9% off · 6 days"."""
        said = language.say(SHORT[self.choices[choice].grade], lost=self.row(choice).lost)
        run = language.count("{number} day", "{number} days", days)
        return " · ".join([language.say("Last orders {number}", number=self.question.number), said, run])

    def data(self, *, answered: bool) -> dict[str, Any]:
        """The position for programs, with what each choice is worth once it is answered."""
        choices = [choice.action for choice in self.choices]
        return {**asdict(self.question), "choices": choices, "answer": dict(self.ranking.data) if answered else None}


def read_question(question: DayQuestion, games: Mapping[str, Kit], language: Language) -> Checked:
    """The position's match, checked as any record is."""
    return read_checked(question.record, games, language)


def explain_day(
    question: DayQuestion, checked: Checked, solve: Callable[[], Solver], language: Language
) -> ExplainedDay:
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
        choices.append(DayChoice(written, label, grade, language.say(SAID[grade], lost=ranking.rows[row].lost), row))
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
    """A coach's verdict as a grade: equal choices are all best, anything short of a blunder is close."""
    return "best" if verdict in ("best", "equal") else "off" if verdict == "blunder" else "close"


# The drill: positions of a game without end, each known by its number, and how somebody does in them. Pure.
#
# A position is found as those of Last orders are, with its number instead of a date; so number 17 of a game is the
# same in every house. New ones come in order. One that was missed comes again once ``LATER`` others were answered
# (spaced repetition). The score goes round with the browser, in a cookie; it proves nothing to anybody, so it has no
# tag.


MOST_NUMBER = 999_999
LATER = 3
"""Positions answered before one that was missed comes again: soon enough to remember why."""
MOST_MISSED = 10
"""Missed positions that are kept; of more the oldest is left out."""
MOST_GAMES = 64
"""Games whose scores are read."""
MOST_TEXT = 2_000
"""Letters of all scores: a cookie may have 4,096 with its name and its attributes."""
_NUMBER, _PAIR = "[0-9]{1,6}", "[0-9]{1,6}-[0-9]{1,6}"
_SCORE = re.compile(rf"([a-z0-9-]{{1,32}})\.({_NUMBER})\.({_NUMBER})\.({_NUMBER})((?:\.{_PAIR}){{0,{MOST_MISSED}}})")
_BETWEEN = "~"


def drill_question(kit: Kit, number: int, solve: SolverOf) -> DayQuestion:
    """The position of a game with this number. Raises Unsolved where nothing can be lost in its rounds."""
    record = search(kit, f"drill {number}", solve)
    if record is None:
        raise Unsolved("no-position", title=kit.words.title)
    return DayQuestion(number, "", kit.name, record)


def day_question(kit: Kit, number: int, solve: SolverOf) -> DayQuestion:
    """The position of a day at one game, by the rules of its kit. Raises Unsolved, as ``drill_question``."""
    # Another seed than that of the day's own question, which may be of this game: this one can be ranked before that.
    record = search(kit, f"{written_day(number)} {kit.name}", solve)
    if record is None:
        raise Unsolved("no-position", title=kit.words.title)
    return DayQuestion(number, written_day(number), kit.name, record)


@dataclass(frozen=True, slots=True)
class DrillScore:
    """Somebody's score in a game. last: the number of the latest new position, 0 for none. answered, right: counts.

    missed: by number, oldest first, with how many must be answered before it comes again.
    """

    last: int = 0
    answered: int = 0
    right: int = 0
    missed: tuple[tuple[int, int], ...] = ()

    @property
    def next(self) -> int:
        """The number of the position to ask: one that was missed, if it is time, or else a new one."""
        due = next((number for number, at in self.missed if at <= self.answered), None)
        return min(self.last + 1, MOST_NUMBER) if due is None else due

    def after(self, number: int, *, right: bool) -> "DrillScore":
        """The score after an answer; the same if another position was to be asked, as it may have been counted."""
        if number != self.next or self.answered == MOST_NUMBER:
            return self
        answered = self.answered + 1
        missed = [each for each in self.missed if each[0] != number]
        if not right:
            missed.append((number, min(answered + LATER, MOST_NUMBER)))
        return DrillScore(max(self.last, number), answered, self.right + right, tuple(missed[-MOST_MISSED:]))


def write_scores(scores: Mapping[str, DrillScore]) -> str:
    """The scores by game, as a cookie keeps them; of more than fit into one the first are left out."""
    parts = [
        ".".join([game, str(each.last), str(each.answered), str(each.right), *[f"{n}-{at}" for n, at in each.missed]])
        for game, each in scores.items()
    ]
    while sum(map(len, parts)) + len(parts) > MOST_TEXT:
        parts.pop(0)
    return _BETWEEN.join(parts)


def score_name(game: str, options: Iterable[tuple[str, str]]) -> str:
    """The name of the score of a game by these house rules; of the usual ones the game's.

    >>> score_name("midnight", [("need", "2 4")])
    'midnight-need-2-4'
    """
    return re.sub("[^a-z0-9]+", "-", " ".join([game, *map(" ".join, options)]).lower())[:32]


def read_scores(text: str, games: Iterable[str]) -> dict[str, DrillScore]:
    """The scores of these games, and of each by other rules (``score_name``).

    One of which the text says what no score can be begins from nothing.
    """
    known, found = set(games), dict[str, DrillScore]()
    for part in text.split(_BETWEEN, MOST_GAMES)[:MOST_GAMES]:
        read = _SCORE.fullmatch(part)
        if read is None or read[1].partition("-")[0] not in known:
            continue
        missed = [tuple(map(int, pair.split("-"))) for pair in read[5].split(".")[1:]]
        score = DrillScore(int(read[2]), int(read[3]), int(read[4]), tuple([(number, at) for number, at in missed]))
        if _can_be(score):
            found[read[1]] = score
    return found


def _can_be(score: DrillScore) -> bool:
    latest = score.answered + LATER
    return score.right <= score.answered and all(
        0 < number <= score.last and at <= latest for number, at in score.missed
    )
