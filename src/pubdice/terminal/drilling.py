"""``drill``: positions to answer, graded exactly; missed ones are asked again first, next time too."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from typing import Any, NoReturn, TypeVar

from pubdice.advice.bots import act
from pubdice.advice.coach import Advice, Choice
from pubdice.advice.daily import DayQuestion, asked, find
from pubdice.advice.days import number_at, read_day, written_day
from pubdice.advice.explained_day import ExplainedDay, explain_day, read_question
from pubdice.advice.spoken_advice import briefly
from pubdice.advice.streak import LETTERS, Grade, Streak
from pubdice.checked_record import Checked
from pubdice.command_line import FaultError, Parser, add_option_flags, chosen_options, kit_named, one_of, seed_of
from pubdice.core.cup import Cup
from pubdice.core.errors import BadNotation, NotStored, Unsolved
from pubdice.core.json_depth import shallow
from pubdice.failures import TOO_LARGE
from pubdice.kit import Kit, read_number
from pubdice.match.header import Header, RawHeader
from pubdice.match.match import Match, MatchState
from pubdice.match.record import moves, write
from pubdice.match.table import Draw, Table, TableEvent, TableState, write_event
from pubdice.room import Room
from pubdice.solve.solver import Solver
from pubdice.store import MemoryStore, Store
from pubdice.terminal.arguments import Environment
from pubdice.terminal.console import LeftError
from pubdice.terminal.reading import sound
from pubdice.terminal.saved_games import GameLog, SavedGame, local_setup, replayed, seated
from pubdice.terminal.sentences import TableCoach, explain, not_solved, solved, working
from pubdice.terminal.session import QuitError, Session, TerminalServices
from pubdice.text.language import Language, sentence, stopped

# An append-only log of JSON lines of a command's own, such as the drill's: one table of a store, found or begun.


T = TypeVar("T")

TABLE = 1


class JsonLog:
    """One log. name: of what is kept, as its first line and the codes of failures have it: ``drill`` gives
    NotStored("drill-unwritable"), ("drill-unreadable") and ("drill-damaged"), as a store speaks of games.
    """

    def __init__(self, store: Store, name: str) -> None:
        self._store, self._name = store, name
        self._codes = {"store-unwritable": "unwritable", "log-damaged": "damaged"}
        self._codes |= dict.fromkeys(("store-unreadable", "no-table"), "unreadable")

    def read(self, fact: Callable[[Any], T]) -> list[T]:
        """The facts that ``fact`` makes of each line after the first. Raises NotStored; a line it cannot read is
        damaged.
        """
        found = []
        with self._said():
            lines = self._store.read(TABLE) if self._store.tables() else []
        for number, line in enumerate(lines[1:], 2):
            try:
                found.append(fact(json.loads(shallow(line))))
            except (ValueError, TypeError, KeyError):
                raise NotStored(f"{self._name}-damaged", line=number) from None
        return found

    def append(self, facts: Mapping[str, Any]) -> None:
        """Add a line. Raises NotStored."""
        line = json.dumps(facts, ensure_ascii=False)
        with self._said():
            if not self._store.tables():
                self._store.create(json.dumps({"pubdice": 1, self._name: 1}))
            while True:
                try:
                    self._store.append(TABLE, len(self._store.read(TABLE)), [line])
                except NotStored as error:
                    if error.code == "moved-on":  # another process was quicker
                        continue
                    raise
                return

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except NotStored as error:
            facts = {"reason": "", "folder": "", "line": 1, **error.facts}
            code = self._codes.get(error.code)
            raise NotStored(f"{self._name}-{code}" if code else error.code, **facts) from None


# The days of Last orders answered here, in an append-only log of their own: a line for each day.


class DayLog:
    """The answers, day by day."""

    def __init__(self, store: Store) -> None:
        self._log = JsonLog(store, "daily")

    def streak(self) -> Streak:
        """The streak that the answers make, in the order in which they were given. Raises NotStored."""
        streak = Streak()
        for day, grade, choice in self._log.read(_day_answer):
            streak = streak.answered(day, grade, choice)
        return streak

    def note(self, number: int, grade: str, choice: int, action: str) -> None:
        """Remember the answer to a day; of two at once the first counts. Raises NotStored."""
        self._log.append({"number": number, "grade": grade, "choice": choice, "action": action})


def _day_answer(data: Any) -> tuple[int, Grade, int]:
    """The answer in a line: the day's number, its grade, the choice. Raises ValueError, TypeError or KeyError."""
    if data["grade"] not in LETTERS:
        raise ValueError(data["grade"])
    return int(data["number"]), data["grade"], int(data["choice"])


# The positions of the drill that were missed, in an append-only log of their own: a line for each answer that
# matters.
#
# A position is the text of a record that ends at the decision. What was said of it last holds: missed, or not any
# more.


class MissedPositions:
    """The missed positions not yet put right, oldest first."""

    def __init__(self, store: Store) -> None:
        self._log = JsonLog(store, "drill")

    def positions(self) -> list[str]:
        """Their texts. Raises NotStored."""
        missed: dict[str, None] = {}
        for position, lost in self._log.read(_drill_answer):
            missed.pop(position, None)
            if lost:
                missed[position] = None
        return list(missed)

    def note(self, position: str, *, missed: bool, kept: str) -> None:
        """Remember how a position was answered. Raises NotStored."""
        self._log.append({"position": position, "missed": missed, "kept": kept})


def _drill_answer(data: Any) -> tuple[str, bool]:
    """The position in a line, and whether it was missed. Raises TypeError or KeyError."""
    position = data["position"]
    if not isinstance(position, str):
        raise TypeError(position)
    return position, bool(data["missed"])


# Positions for the drill, as games so far: found by letting bots play with seeded dice, or read from a record.


PASSED_OVER = 12
"""Decisions passed over at most, before one that counts is taken."""
PATIENCE = 200
"""Matches played at most in search of a decision that counts."""
Counsels = Callable[[Kit, Match[Any, Any]], TableCoach]
"""The coach's words on a match of a game."""
PLAYERS = ("tip", "lucky")
"""The bots that play up to a position."""


def _game(kit: Kit, header: Header, table: Table, events: Iterable[TableEvent]) -> SavedGame:
    """A position: a game of people that has come so far."""
    setup = replace(local_setup(header, {}, "house", 0), loser_lost=table.match.loser_lost)
    happened = [f"0 {write_event(table, event)}" for event in events]
    return replayed(1, Room(kit, setup), GameLog(setup, texts=(*seated(setup), *happened)))


def new_positions(
    kits: Sequence[tuple[Kit, Mapping[str, str]]],
    cup: Callable[[str], Cup],
    counsel_of: Counsels,
    language: Language,
) -> Iterator[SavedGame]:
    """Positions without end, the games with these options in turn; a cup by its purpose, the coach by its match."""
    number = 0
    while True:
        for kit, options in kits:
            number += 1
            yield _search(kit, options, partial(_purpose, cup, number), counsel_of, language)


def _purpose(cup: Callable[[str], Cup], number: int, purpose: str) -> Cup:
    return cup(f"drill {number} {purpose}")


def _search(
    kit: Kit,
    options: Mapping[str, str],
    cup: Callable[[str], Cup],
    counsel_of: Counsels,
    language: Language,
) -> SavedGame:
    """A decision that counts, in a match of the bots. Raises FaultError where none is found."""
    header = kit.normalize(RawHeader({"game": kit.name, "seats": ", ".join(kit.names), **options}))
    table = Table(kit.match(header), header.names)
    counsel = counsel_of(kit, table.match)
    for attempt in range(PATIENCE):
        dice, lots = cup(f"dice {attempt}"), cup(f"lots {attempt}")
        to_pass = lots.draw(1 + PASSED_OVER, table.match.seats)
        events: list[TableEvent] = []
        for event, state in _played(kit, table, dice, lots):
            events.append(event)
            if len(table.match.legal(state.match)) < 2:
                continue
            if to_pass <= 0 and counsel.advise(state.match).counts:
                return _game(kit, header, table, events)
            to_pass -= 1
    raise FaultError(language.say("No position was found in which anything can be lost."), 1)


def _played(kit: Kit, table: Table, dice: Cup, lots: Cup) -> Iterator[tuple[TableEvent, TableState]]:
    """A match between bots, each drawn by lot, event by event."""
    players = [kit.policies[name] for name in PLAYERS if name in kit.policies] or list(kit.policies.values())
    seats, state = table.match.seats, table.start()
    at_seat = [players[lots.draw(len(players), seat)] for seat in range(seats)]
    while not state.match.over:
        mover = state.mover
        draw = partial(lots.draw, index=seats + 1 + state.moved)
        command = Draw() if mover is None else act(at_seat[mover], table, state, draw)
        for event in table.decide(state, command, dice):
            state = table.apply(state, event)
            yield event, state


def position_of(text: str, games: Mapping[str, Kit], language: Language) -> SavedGame | None:
    """The position at the end of a record; None if it does not read, or if there is nothing to choose there."""
    try:
        checked = sound(text, games, language)
    except FaultError:
        return None
    if not checked.steps or len(checked.match.legal(checked.steps[-1].after)) < 2:
        return None
    table = Table(checked.match, checked.header.names)
    return _game(checked.kit, checked.header, table, (step.move for step in checked.steps))


USUAL_COUNT, MOST_COUNT = 10, 1000
OWN = {"game", "count", "seed"}
"""Options of the drill itself; any other is a house rule."""
RIGHT = {
    "best": "Right: {act} is best, {value} ({utility}).",
    "equal": "Right: nothing is better than {act}, {value} ({utility}).",
    "small": "Nearly: a small slip.",
    "mistake": "No: a mistake.",
    "blunder": "No: a blunder.",
}
"""The sentence on an answer, by its verdict."""


class AnsweredError(Exception):
    """The player has said what to do; it is graded, and not done."""

    def __init__(self, action: Any) -> None:
        super().__init__(action)
        self.action = action


class _Silent(TableCoach):
    """The coach who waits for the answer."""

    def advice(self, state: MatchState[Any], marked: Any = None, others: int = 0) -> list[str]:
        """No advice yet: the answer comes first."""
        return [self.language.say("Answer first, then the coach tells you.")]

    def chance(self, state: MatchState[Any]) -> list[str]:
        """No chance either: it would give the answer away."""
        return []

    def holds_back(self, state: MatchState[Any], action: Any) -> NoReturn:
        """Take the action as the answer. Raises AnsweredError with it."""
        raise AnsweredError(action)


def drill(words: list[str], outside: Environment, language: Language) -> None:
    """``pubdice drill``: ask positions, grade the answers, remember the misses."""
    games = outside.games
    solvable = [kit for kit in games.values() if kit.solver is not None]
    say = language.say
    text = say(
        "Answer positions as at the table. pubdice grades each answer against best play and says why. The ones "
        "you miss "
        "come back first next time. Without GAME, all solved games take turns."
    )
    parser = Parser("drill", language, description=text)
    names = [kit.name for kit in solvable]
    parser.add_argument("game", nargs="?", metavar="GAME", help=one_of(names, language))
    parser.add_argument("--count", metavar="N", help=say("how many positions ({usual})", usual=USUAL_COUNT))
    parser.add_argument("--seed", metavar="WORD", help=say("the same word gives the same new positions again"))
    add_option_flags(parser, games)
    chosen = parser.parse_args(words)
    count = USUAL_COUNT if chosen.count is None else read_number("count", chosen.count, 1, MOST_COUNT)
    seed = seed_of(chosen.seed)
    kits = [kit_named(chosen.game, games, language)] if chosen.game is not None else solvable
    if chosen.game is None and any(vars(chosen)[key] is not None for key in vars(chosen).keys() - OWN):
        parser.error(say("name the game: {games}", games=one_of(names, language)))
    if not kits:
        raise FaultError(language.say("No game is solved here, so there's nothing to drill."), 1)
    if kits[0].solver is None:
        raise FaultError(not_solved(language, kits[0]), 1)
    rules = [(kit, chosen_options(chosen, kit, games) if chosen.game is not None else {}) for kit in kits]
    drill = _Drill(kits, outside, language)
    drill.run(new_positions(rules, partial(outside.cup, seed), drill.counsel, language), count)


def ask_position(position: SavedGame, outside: Environment, language: Language) -> Any:
    """The action a player answers a position with; nothing is done. Raises QuitError or LeftError."""
    store, cup = MemoryStore(), outside.cup(None, "drill")  # never thrown: nothing is done here
    store.create(*position.log.write())
    services = TerminalServices(store, cup, cup, outside.now, lambda: None)
    session = Session(position, services, outside.line, language)
    session.counsel = _Silent(position.kit, session.match, language)
    session.open()
    try:
        session.play()
    except AnsweredError as answered:
        return answered.action
    raise AssertionError("a position ends with an answer")


class _Drill:
    """One sitting of the drill: its questions and the score so far."""

    def __init__(self, kits: list[Kit], outside: Environment, language: Language) -> None:
        self.kits, self.outside, self.language, self.line = kits, outside, language, outside.line
        self.say = language.say
        self.misses = MissedPositions(outside.drills)
        self.asked = self.right = 0
        self._counsels: dict[tuple[str, Match[Any, Any]], TableCoach] = {}

    def run(self, new: Iterable[SavedGame], count: int) -> None:
        """Ask this many positions, the missed ones first, and sum up."""
        missed = self._missed()
        if missed:
            one, many = "One position missed before comes first.", "{number} positions missed before come first."
            self.line.say([self.language.count(one, many, len(missed))])
        try:
            for at, position in zip(range(count), chain(missed, new), strict=False):
                self._grade(position, self._ask(position), again=at < len(missed))
        except (QuitError, LeftError):
            pass
        self.line.say([self._summary()])

    def counsel(self, kit: Kit, match: Match[Any, Any]) -> TableCoach:
        """The coach's words on a match: one coach for all positions of it, as each is some seconds of work."""
        key = kit.name, match
        if key not in self._counsels:
            self._counsels[key] = TableCoach(kit, match, self.language, self.line)
        return self._counsels[key]

    def _missed(self) -> list[SavedGame]:
        """The missed positions of these games."""
        found = (position_of(text, self.outside.games, self.language) for text in self.misses.positions())
        names = {kit.name for kit in self.kits}
        return [position for position in found if position is not None and position.kit.name in names]

    def _ask(self, position: SavedGame) -> Any:
        """The action a player answers with. Raises QuitError or LeftError."""
        self.line.say([self.say("Position {number}.", number=self.asked + 1)])
        return ask_position(position, self.outside, self.language)

    def _grade(self, position: SavedGame, action: Any, *, again: bool) -> None:
        """Say how good an answer was, and remember it if it matters."""
        match, state = position.live.table.match, position.live.state.match
        counsel = self.counsel(position.kit, match)
        advice = counsel.advise(state)
        choice = advice.of(action)
        self.asked += 1
        self.right += choice.lost == 0
        self.line.say([self._graded(counsel, state, advice, choice)])
        missed = choice.verdict in ("mistake", "blunder")
        if missed or again:
            self.misses.note(position.record(), missed=missed, kept=match.game.write_action(action))

    def _graded(self, counsel: TableCoach, state: MatchState[Any], advice: Advice, choice: Choice) -> str:
        spoken = counsel.spoken

        def filled(text: str, choice: Choice) -> str:
            utility = briefly(self.language, counsel.coach.solver.utility)
            facts = {"value": spoken.amounts.worth(choice.value), "utility": utility}
            return sentence(self.say(text, act=spoken.act(state, choice), **facts))

        said = filled(RIGHT[choice.verdict], choice)
        if choice.lost == 0:
            other = next((each for each in advice.choices if each.lost > 0), None)
            return said if other is None else f"{said} {spoken.compared(state, other, advice.best)}"
        best = filled("{act} is best, {value} ({utility}).", advice.best)
        return f"{said} {spoken.compared(state, choice, advice.best)} {best}"

    def _summary(self) -> str:
        if not self.asked:
            return self.say("You answered no position.")
        one, many = "{right} of {number} position right.", "{right} of {number} positions right."
        said = self.language.count(one, many, self.asked, right=self.right)
        left = len(self._missed())
        if not left:
            return said
        one, many = "One missed position comes first next time.", "{number} missed positions come first next time."
        return f"{said} {self.language.count(one, many, left)}"


# ``daily``: today's position of Last orders, asked as at the table and graded as on the page; or an earlier day's.


def daily(words: list[str], outside: Environment, language: Language) -> None:
    """``pubdice daily``: ask the day's position once, grade the answer, keep the streak."""
    say = language.say
    text = say(
        "Answer today's position. There is one a day, the same for everybody, here and at /daily of every house. It is "
        "graded exactly; days one after the other make a streak. With DATE, such as 2025-11-20, an earlier day "
        "with its "
        "answer. A day begins at midnight UTC."
    )
    parser = Parser("daily", language, description=text)
    parser.add_argument("date", nargs="?", metavar="DATE", help=say("an earlier day, from 2025-04-21 on"))
    text = say("print the position as JSON, and the answer once it is known")
    parser.add_argument("--json", action="store_true", help=text)
    chosen = parser.parse_args(words)
    today = number_at(outside.now())
    if today < 1:
        raise BadNotation("day-early", day=written_day(1))
    number = today if chosen.date is None else read_day(chosen.date, today)
    log = DayLog(outside.days)
    streak = log.streak()
    with working(language, None if chosen.json else outside.line):
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
    """A day's position and its match. Raises FaultError."""

    @cache
    def solver(kit_name: str, match: Match[Any, Any]) -> Solver:
        return solved(outside.games[kit_name], match, language).solver

    def solve(kit: Kit, match: Match[Any, Any]) -> Solver:
        return solver(kit.name, match)

    try:
        games = {name: outside.games[name] for name in asked(outside.games)}
        question: DayQuestion = find(games, number, solve)
        checked = read_question(question, games, language)
        return checked, explain_day(question, checked, lambda: solver(question.game, checked.match), language)
    except Unsolved as error:
        raise FaultError(explain(language, error), 1) from None
    except (MemoryError, RecursionError):
        raise FaultError(language.say(TOO_LARGE), 1) from None


def _ask(told: ExplainedDay, checked: Checked, log: DayLog, outside: Environment, language: Language) -> None:
    """Ask today's position, grade the answer, remember it."""
    number = told.question.number
    try:
        action = ask_position(_to_you(checked, outside, language), outside, language)
    except (QuitError, LeftError):
        outside.line.say([language.say("Not answered yet. You have until midnight, UTC.")])
        return
    choice = told.chosen(checked.match.game.write_action(action))
    assert choice is not None, "an answer is one of the legal actions"
    grade = told.choices[choice].grade
    log.note(number, grade, choice, told.choices[choice].action)
    streak = log.streak()
    outside.line.say(_answer(told, streak, number, language, position=False))


def _to_you(checked: Checked, outside: Environment, language: Language) -> SavedGame:
    """The position as a game in which the one who has to choose is called "you"."""
    match, fields, names = checked.match, checked.header.fields, list(checked.header.names)
    mover = match.mover(checked.steps[-1].after)
    assert mover is not None, "a position is somebody's decision"
    names[mover] = language.say("you")
    first = names[checked.header.names.index(fields["first"])]
    header = checked.kit.normalize(RawHeader({**fields, "seats": ", ".join(names), "first": first}))
    position = position_of(write(header, match, moves(checked.steps)), outside.games, language)
    assert position is not None, "it is a record that ends at a decision"
    return position


def _answer(told: ExplainedDay, streak: Streak, today: int, language: Language, *, position: bool = True) -> list[str]:
    """The answer in sentences, with what one answered oneself. position: tell where things stand first."""
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
    lines += [stopped(choice.said), told.reason(mark.choice)]
    if number == today:
        lines.append(told.line_to_share(mark.choice, streak.running(today), language))
    return lines
