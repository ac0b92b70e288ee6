"""Matches for tests: every game of the house and the test games, in every format. Lists of numbers decide the choices
and the dice.
"""

import os
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, cycle, islice, product
from typing import Any

from hypothesis import strategies as st

import aces
import crew
import flip
import mexico
import pig
from games import twentyone
from pubdice.advice import bots
from pubdice.core.cup import Cup, SeededCup
from pubdice.core.dice import Hand, Roll
from pubdice.core.errors import BadNotation, IllegalAction, Refused
from pubdice.core.game import KeepGame, MoveGame, Seat, Verb
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.match.formats import FormatKind
from pubdice.match.header import Header, RawHeader
from pubdice.match.match import MatchState
from pubdice.match.notation import Record, parse
from pubdice.match.record import ReplayStep, replay, write
from pubdice.match.table import (
    Dice,
    Draw,
    EnterDice,
    Mark,
    PlayAction,
    RollOrBank,
    Table,
    TableCommand,
    TableEvent,
    TableState,
    TakeBack,
    TakeChoiceBack,
    moves,
    read_event,
    write_event,
)
from support.profiles import NIGHTLY

OWN = (pig.KIT, mexico.KIT, crew.KIT, twentyone.KIT, flip.KIT, aces.KIT)
MORE = {kit.name: kit for kit in OWN if kit.name not in GAMES}
"""The test games. If a game of the house has the same name, it is used instead."""
ONE = os.environ.get("PUBDICE_ONE_GAME", "")
"""The only game to try, if ``--game`` names one (``law_plugin.py``). If it is "", all games are tried."""
KITS: dict[str, Kit] = {ONE: {**MORE, **GAMES}[ONE]} if ONE else {**GAMES, **MORE}
NAMES = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay")
VERBS: tuple[Verb, ...] = ("roll", "bank")
SHORT = {
    "rounds": "rounds 2",
    "pot": "pot 2 2",
    "lives": "lives 1",
    "points": "points 30",
    "total": "total 2",
    "out": "out 60",
}
"""Short formats, so matches end soon enough for a test."""


@dataclass(frozen=True)
class Case:
    """A game with its options, a format, and a rule that names the opener."""

    kit: Kit
    fields: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        left_out = {(option.key, option.before) for option in self.kit.options}
        told = [value.replace(" ", "_") for key, value in self.fields if (key, value) not in left_out]
        return "-".join([self.kit.name, *told])

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the short form in a Hypothesis example, in place of the whole kit."""
        printer.text(str(self))

    def table(self, seats: int, dice: Dice = "house", **chosen: str) -> tuple[Header, Table]:
        header = self.header(seats, **chosen)
        return header, Table(self.kit.match(header), header.names, dice)

    def header(self, seats: int, **chosen: str) -> Header:
        fields = {"game": self.kit.name, "seats": ", ".join(NAMES[:seats]), **dict(self.fields), **chosen}
        return self.kit.normalize(RawHeader(fields))

    @property
    def game(self) -> Any:
        options = {option.key: option.choices[0] for option in self.kit.options}
        return self.kit.build({**options, **dict(self.fields)})


def switched_on(kit: Kit, kind: FormatKind) -> str:
    """Return a short format of this kind with all its switches on, such as ``rounds 2 rolloff``. Return "" if it has no
    switches.
    """
    short, fields = kit.format(SHORT.get(kind.name, kind.name)), kind.fields
    numbers = [1 if field.named else number for field, number in zip(fields, short.numbers, strict=True)]
    return kind.build(*numbers).write() if any(field.named for field in fields) else ""


def _cases() -> Iterator[Case]:
    """Yield every short format with each option and opener.

    Each format that has switches is also yielded with all of them on, but only with the usual options.
    """
    for kit in KITS.values():
        options = [[(option.key, choice) for choice in option.choices] for option in kit.options]
        for form in kit.formats:
            text = SHORT.get(form.name, form.name)
            for chosen, opener in product(product(*options), form.usual.openers):
                yield Case(kit, (*chosen, ("format", text), ("opener", opener)))
            if text := switched_on(kit, form):
                chosen = tuple(option[0] for option in options)
                yield Case(kit, (*chosen, ("format", text), ("opener", form.usual.openers[0])))


CASES = tuple(_cases())


def covering(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Choose rows so that each pair of values in two columns is in some row (pairwise testing). The row with most new
    pairs comes first.
    """
    wanted = {pair for row in rows for pair in combinations(enumerate(row), 2)}
    chosen = []
    while wanted:
        chosen.append(max(rows, key=lambda row: len(wanted.intersection(combinations(enumerate(row), 2)))))
        wanted.difference_update(combinations(enumerate(chosen[-1]), 2))
    return chosen


def _by_day() -> Iterator[Case]:
    """Yield every case at night. By default, yield of each game just enough that each pair of choices meets in one."""
    for name in KITS:
        rows = {case.fields: case for case in CASES if case.kit.name == name}
        yield from (rows[row] for row in ([*rows] if NIGHTLY else covering([*rows])))


BY_DAY = tuple(_by_day())


def _by_rules() -> Iterator[Case]:
    """Yield the first case of each game and its options. If a game has more than ``MANY`` choices of options, yield by
    day only enough for each pair of choices.
    """
    for name in KITS:
        rows = {case.fields[:-2]: case for case in reversed(CASES) if case.kit.name == name}
        few = covering([*rows][::-1]) if len(rows) > MANY and not NIGHTLY else [*rows][::-1]
        yield from (rows[row] for row in few)


MANY = 12
BY_RULES = tuple(_by_rules())
"""The first case of each game and its options, for laws that depend on neither format nor opener."""


def _by_format() -> Iterator[Case]:
    """Yield of each game just enough cases that each option meets each format."""
    for name in KITS:
        rows = {case.fields[:-1]: case for case in CASES if case.kit.name == name}
        yield from (rows[row] for row in covering([*rows]))


BY_FORMAT = CASES if NIGHTLY else tuple(_by_format())
"""Cases by day for laws that do not depend on the opener."""


def meeting(*columns: Sequence[Any]) -> list[tuple[Any, ...]]:
    """At night, return every combination of the columns' values. By default, return just enough rows that each pair of
    values is in one of them.
    """
    every = list(product(*map(range, map(len, columns))))
    return [
        tuple(column[at] for column, at in zip(columns, row, strict=True))
        for row in (every if NIGHTLY else covering(every))
    ]


def room_of(game: Any, least: int = 0, most: int = 20) -> range:
    """Return the numbers of seats that a game allows, from ``least`` to ``most``."""
    return range(max(least, game.least_seats), min(most, game.most_seats) + 1)


def in_turn(*seats: int) -> list[tuple[Case, int]]:
    """At night, return every case with each of these numbers of seats. By default, return each case of ``BY_DAY`` with
    one of them, in turn. A number that the game does not allow becomes one that it allows.
    """
    numbers = cycle(seats)
    rows = [(case, number) for case in BY_DAY for number in (seats if NIGHTLY else (next(numbers),))]
    return [(case, min(room_of(case.game), key=lambda allowed: abs(allowed - number))) for case, number in rows]


def seated(seats: Iterable[int]) -> list[tuple[Case, int]]:
    """At night, return every case with each of these numbers of seats that its game allows. By default, return just
    enough that each pair of choices of a game occurs in one.

    A choice is an option, the format, the opener or the number of seats. A fault that needs three choices together may
    show only at night.
    """
    every = [(case, number) for case in CASES for number in seats if number in room_of(case.game)]
    if NIGHTLY:
        return every
    found = {(case.kit.name, *case.fields, number): (case, number) for case, number in every}
    return [found[row] for name in KITS for row in covering([row for row in found if row[0] == name])]


class Spent(Exception):
    """The error raised when the numbers have run out. The match stays as it is."""


@dataclass
class Choices:
    """A cup (source of rolls) that takes its rolls from a list of numbers. All other choices of a test match come from
    the same list.
    """

    numbers: Iterable[int]
    _left: Iterator[int] = field(init=False)

    def __post_init__(self) -> None:
        self._left = iter(self.numbers)

    def below(self, number: int) -> int:
        for chosen in self._left:
            return chosen % number
        raise Spent

    def draw(self, number: int, index: int) -> int:
        return self.below(number)

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        code = self.below(sides**number)
        return tuple(1 + code // sides**place % sides for place in range(number))


def endless(seed: int) -> Choices:
    return Choices(_numbers(seed))


def _numbers(seed: int) -> Iterator[int]:
    source = random.Random(seed)
    while True:
        yield source.randrange(6**6)


def choices(most: int = 100) -> st.SearchStrategy[Choices]:
    """Return a strategy for numbers that play all or part of a match. They are drawn as a seed, so long lists are as
    likely as short ones.
    """
    sizes = st.sampled_from((0, 1, 2, 3, 5, 8, 13, most // 4, most // 2, *(most,) * 9))
    return st.builds(drawn, sizes, st.integers(0, 2**32))


def drawn(size: int, seed: int) -> Choices:
    """Return so many numbers. A broken law shows the call as its example."""
    return Choices(tuple(islice(_numbers(seed), size)))


def seatings(kit: Kit, most: int = 6) -> st.SearchStrategy[tuple[Case, int]]:
    """Return a strategy for a case of this game with a number of seats."""
    mine = [case for case in CASES if case.kit is kit]
    return st.tuples(st.sampled_from(mine), st.sampled_from(room_of(mine[0].game, most=most)))


def walk(game: Any, seats: int, numbers: Choices) -> Iterator[tuple[Any, Any]]:
    """Yield every position of a round with the roll or action that follows it. The last position comes with None."""
    state = game.start(seats)
    while True:
        try:
            due, legal = game.to_roll(state), game.legal(state)
            if due:
                step: Any = tuple(sorted(numbers.roll(due, 0, game.faces.sides)))
            elif legal:
                step = legal[numbers.below(len(legal))]
            else:
                break
        except Spent:
            break
        yield state, step
        state = game.roll(state, step) if due else game.play(state, step)
    yield state, None


def wrong_play(game: Any, state: Any, kept: Hand, fallen: Hand) -> Iterator[Callable[[], Any]]:
    """Yield attempts to act in a state, most of them against the rules. Each attempt raises IllegalAction or is
    legal.
    """
    yield partial(game.roll, state, fallen)
    for verb in VERBS if isinstance(game, KeepGame) else ():
        yield lambda verb=verb: game.play(state, game.choose(state, verb, kept))  # type: ignore[misc]
    for move in game.moves if isinstance(game, MoveGame) else ():
        yield partial(game.play, state, move)
    written = "k" + ("".join(map(str, kept)) or "-")
    with suppress(BadNotation):  # raised if the game's actions are not keeps
        yield partial(game.play, state, game.read_action(written))


@dataclass(frozen=True)
class Live:
    """A match played at a table: its events, the state before the first event, and the state after each event."""

    header: Header
    table: Table
    events: tuple[TableEvent, ...]
    states: tuple[TableState, ...]

    @property
    def end(self) -> TableState:
        return self.states[-1]

    def text(self) -> str:
        return write(self.header, self.table.match, moves(self.events))

    def lines(self) -> list[str]:
        return [write_event(self.table, event) for event in self.events]


def ask(table: Table, state: TableState, numbers: Choices) -> TableCommand:
    """Return a command that a person might send. The table may refuse it."""
    match, due = table.match, table.match.to_roll(state.match)
    if state.before is not None and numbers.below(8) == 0:
        return TakeBack()
    if match.to_draw(state.match):
        return Draw(Seat(numbers.below(match.seats)) if table.dice == "real" else None)
    if due:
        fell = partial(numbers.roll, due, state.seq, match.game.faces.sides)
        seen = state.seen[:due]
        return EnterDice((*seen, *fell()[len(seen) :])) if table.dice == "real" else RollOrBank("roll")
    legal, how = match.legal(state.match), numbers.below(6)
    if isinstance(match.game, MoveGame):
        return PlayAction(legal[numbers.below(len(legal))], rolls=how > 0)
    mover = state.mover
    if how in (0, 2) and mover is not None:
        places = [die.place for die in table.view(state, mover) if die.status != "locked"]
        marks = tuple(place for place in places if numbers.below(2))
        return Mark(marks) if how == 0 else RollOrBank("bank" if numbers.below(2) else "roll", marks=marks)
    if how == 1:
        return RollOrBank("bank" if numbers.below(2) else "roll")
    return PlayAction(legal[numbers.below(len(legal))])


def play(
    case: Case, seats: int, numbers: Choices, dice: Dice = "house", *, takes_back: bool = False, **chosen: str
) -> Live:
    """Play a match whose moves and dice come from ``numbers``, until it is over or they run out.

    If ``takes_back``, a third of the choices are taken back.
    """
    header, table = case.table(seats, dice, **chosen)
    states, events = [table.start()], list[TableEvent]()
    try:
        while not states[-1].match.over:
            try:
                back = takes_back and states[-1].choice is not None and numbers.below(3) == 0
                command = TakeChoiceBack() if back else ask(table, states[-1], numbers)
                new = table.decide(states[-1], command, numbers)
            except (IllegalAction, Refused):
                continue
            for event in new:
                events.append(event)
                states.append(table.apply(states[-1], event))
    except Spent:
        pass
    return Live(header, table, tuple(events), tuple(states))


def go_on(case: Case, table: Table, state: TableState, seed: str) -> Iterator[tuple[TableEvent, TableState]]:
    """Play the rest of a match between the game's bots "tip" and "lucky", which alternate from seat to seat. The dice
    are seeded. Yield each event with the state after it.
    """
    policies = [case.kit.policies[name] for name in ("tip", "lucky") if name in case.kit.policies]
    cup: Cup = SeededCup(seed)
    lots = SeededCup(seed, "bots")
    while not state.match.over:
        mover = state.mover
        command: TableCommand = Draw()
        if mover is not None:
            command = bots.act(policies[mover % len(policies)], table, state, partial(lots.draw, index=state.seq))
        for event in table.decide(state, command, cup):
            state = table.apply(state, event)
            yield event, state


def bot_match(case: Case, seats: int, seed: str, **chosen: str) -> Live:
    """Play a whole match between the game's bots, with seeded dice."""
    header, table = case.table(seats, "house", **chosen)
    steps = list(go_on(case, table, table.start(), seed))
    return Live(header, table, tuple(event for event, _ in steps), (table.start(), *(state for _, state in steps)))


def reload(table: Table, lines: Iterable[str]) -> TableState:
    """Return the state that the lines of a log lead to."""
    state = table.start()
    for line in lines:
        state = table.apply(state, read_event(table, line))
    return state


def read(text: str) -> tuple[Record, list[ReplayStep[MatchState[Any]]]]:
    """Parse a record and replay it, from its text alone."""
    record = parse(text)
    kit = KITS[record.header.fields["game"]]
    return record, list(replay(kit.match(kit.normalize(record.header)), record))
