"""Last orders: one position a day, the same in every house with the same games, computed from the date alone.

The games take turns by date. The dice come from a ``SeededCup`` (HMAC-SHA256) with the date as its key, so two houses
need no contact to ask the same question. Best play plays a round of two with those dice. The question is one of the
round's decisions. It has few choices, and its second best choice loses enough to matter, but not so much that the
answer is obvious.
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

# seeds the dice, together with the date. Another number at the end would change every day's position.
DOMAIN = "pubdice last orders 1"
SEATS = 2
MOST_CHOICES = 12
"""The most choices of a question: as many as a phone shows on one or two screens, and a listener can remember."""
LEAST_GAP, MOST_GAP = MISTAKE, 0.16
"""Bounds of the second best choice's loss, as a part of the prize: from a mistake, by the coach's verdicts, to one
round in six. A third of all decisions with so few choices are outside these bounds."""
TRIES = 40
"""The most rounds played in search of a question. The first 1,000 days took at most 17 rounds, and 70% of them took
one."""
LONGEST = 400  # the most moves of a round, because a race need not end
SolverOf = Callable[[Kit, Match[Any, Any]], Solver]


@dataclass(frozen=True, slots=True)
class DayQuestion:
    """The question of a day, or a question of the drill, which has no date."""

    number: int  # the number of the day, or of the position in the drill
    day: str  # the date, "" in the drill
    game: str  # the name of the game's kit
    record: str  # ends at the decision, as ``pubdice advise GAME RECORD`` reads it


def asked(games: Mapping[str, Kit]) -> tuple[str, ...]:
    """Return the names of the games that take part: all games with a solver."""
    return tuple(sorted(name for name, kit in games.items() if kit.solver is not None))


def header_of(kit: Kit) -> Header:
    """Return the header of the match that is asked about: one round, or a match in the default format if the game can't
    be played by rounds. It has default rules and the fewest seats, but at least two.
    """
    form = ROUNDS.name + " 1" if ROUNDS in kit.formats else kit.formats[0].usual.write()
    names = (*kit.names, "Ann", "Bob")[: max(SEATS, kit.usual_game.least_seats)]
    fields = {"game": kit.name, "seats": ", ".join(names), "format": form, "first": names[0]}
    return kit.normalize(RawHeader(fields))


def solved_match(kit: Kit, solve: SolverOf) -> tuple[Header, Match[Any, Any], Solver]:
    """Return the match of ``header_of`` with its solver.

    If the match is too large, change one option at a time until a match is solved. Raises Unsolved if none is.
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
    """Find the position of the day with this number. If the day's game has no position, the next game takes its place.

    Raises Unsolved if no game has a position.
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
    """Find a position of this game, as a record. None if in its rounds no choice can lose value.

    ``seed`` seeds the dice: a date, or the name of a position of the drill.
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
    """Play a round of best play with these dice. Yield for each decision the moves before it, and its advice."""
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
