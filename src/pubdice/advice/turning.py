"""The turn of a finished match: every seat's chances over it, and the move that changed somebody's most.

It is the part of a receipt that the end of a match shows, and is there sooner: no replays are needed for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pubdice.advice.losses import Amounts, SpokenAdvice
from pubdice.advice.receipt import EXPECTED, costly, receipt_moves
from pubdice.advice.review import Analysis, counted, rounded
from pubdice.match.narrate import Narrator
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class MatchTurn:
    """The turn of a match, in a language, for all its readers.

    names: as the seats are called; you: what the reader's own is called. utility: the name of the values; scale: the
    printed units that make 1; chances: true if they are read in percent. rows: every seat's value at the start and
    after each move, in printed units; said: at the start and at the end as they are read out; ended: the moves that
    ended a round. move: the one after which somebody's value had changed most, from 1; 0 where none did. seat: the
    mover there, or whose value it was. where: its round. told: what it was, by names, and then to each seat. choices:
    how many could have been better, as a receipt asks them again.
    """

    names: tuple[str, ...]
    you: str
    utility: str
    scale: int
    chances: bool
    rows: tuple[tuple[int, ...], ...]
    said: tuple[tuple[str, ...], tuple[str, ...]]
    ended: tuple[int, ...]
    move: int
    seat: int
    where: str
    told: tuple[str, ...]
    choices: int


def turning_of(rows: Sequence[Sequence[int]]) -> tuple[int, int]:
    """The step after which somebody's value had changed most, from 1, and whose it was; (0, 0) where none did."""
    changes = [
        (abs(after - before), -step, -seat)
        for step, (earlier, later) in enumerate(pairwise(rows), 1)
        for seat, (before, after) in enumerate(zip(earlier, later, strict=True))
    ]
    most, step, seat = max(changes, default=(0, 0, 0))
    return (-step, -seat) if most else (0, 0)


def find_turn(weighed: Analysis, language: Language) -> MatchTurn:
    """The turn of a match that is weighed, if without its replays."""
    match, kit, steps = weighed.checked.match, weighed.checked.kit, weighed.checked.steps
    moves = receipt_moves(match, steps)
    amounts = SpokenAdvice(kit.words, match, language, weighed.coach.solver).amounts
    line = counted(weighed.found).line
    rows = tuple(rounded(line[at], amounts.scale) for at in (0, *[move.last for move in moves]))
    by_name = Narrator(language, kit.words, match, weighed.checked.header.names)
    step, seat = turning_of(rows)
    where, told = "", ("",) * (1 + len(by_name.names))
    if step:
        turn = steps[moves[step - 1].first]
        mover = match.mover(turn.before)
        change = ""
        if mover is not None:
            seat = mover
            before, after = [_said(language, amounts, rows[at][mover]) for at in (step - 1, step)]
            change = language.say("{before} before it, {after} after it.", before=before, after=after)
        where = by_name.counter(turn.before)
        readers = by_name, *map(by_name.to, range(len(by_name.names)))
        told = tuple(f"{to.tell(turn.before, turn.move, turn.after)[0]} {change}".strip() for to in readers)
    return MatchTurn(
        names=by_name.names,
        you=language.say("you"),
        utility=language.say(EXPECTED.get(weighed.found.utility.partition(",")[0], EXPECTED[""])),
        scale=amounts.scale,
        chances=amounts.are_chances,
        rows=rows,
        said=(tuple(map(amounts.printed, rows[0])), tuple(map(amounts.printed, rows[-1]))),
        ended=tuple(number for number, move in enumerate(moves, 1) if move.ends == 2 and number < len(moves)),
        move=step,
        seat=seat,
        where=where,
        told=told,
        choices=len(costly(weighed.found)),
    )


def _said(language: Language, amounts: Amounts, units: int) -> str:
    """A value as it is said at a table: of chances, whole percents."""
    if not amounts.are_chances:
        return amounts.printed(units)
    return language.per_cent(units / amounts.scale, 0).replace(" ", "\N{NO-BREAK SPACE}")
