"""Last orders: one position a day, the same in every house with the same games. Pure: a day in, a position out.

The games go round by the date. The dice are a ``SeededCup``'s, HMAC-SHA256 keyed by the date, so nobody has to hand a
position on: two houses that never heard of each other ask the same question. Best play plays a round of two with those
dice, and one of its decisions is taken that is a question: few choices, of which the second best loses something worth
a thought, and not so much that everybody sees it.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pubdice.advice.asked_match import other_options
from pubdice.advice.coach import MISTAKE, Advice, Coach
from pubdice.advice.days import written_day
from pubdice.core.cup import SeededCup
from pubdice.core.errors import Unsolved
from pubdice.kit import Kit
from pubdice.match.formats import ROUNDS
from pubdice.match.header import Header, RawHeader
from pubdice.match.match import Match
from pubdice.match.record import Move, Played, Rolled, advance, write
from pubdice.solve.solver import Solver

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
