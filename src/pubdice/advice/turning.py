"""The turning point of a finished match: each seat's chances over time, and the move that changed a seat's chance most.

This part of a receipt needs no replays, so the last page of a match and its picture can show it sooner than the
receipt.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pubdice.advice.analysis import Analysis, chosen_from, rounded
from pubdice.advice.review import GradedDecision, Review, counted, receipt_moves
from pubdice.advice.spoken_advice import Amounts, SpokenAdvice
from pubdice.core.game import kept_by
from pubdice.match.match import Match, MatchState
from pubdice.match.narrate import Narrator
from pubdice.match.record import Played, ReplayStep, Rolled
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The turning point of a match, in a language, for all its readers."""

    names: tuple[str, ...]  # the names of the seats
    you: str  # the word for the reader, such as "you"
    utility: str  # the name of the values
    scale: int  # the printed units that make 1
    chances: bool  # True if values are read in percent
    rows: tuple[tuple[int, ...], ...]  # each seat's value at the start and after each move, in printed units
    said: tuple[tuple[str, ...], tuple[str, ...]]  # the values at the start and at the end, in words
    ended: tuple[int, ...]  # the moves that ended a round, from 1, without the last move
    move: int  # the move that changed a value most, from 1, or 0 if no value changed
    seat: int  # the mover. If the move is a draw, the seat whose value changed most.
    dice: tuple[int, ...]  # the dice that the move rolled or kept
    round: int  # the number of the round, 0 in a match of one round and in a roll-off
    where: str  # the round in words
    change: tuple[str, str]  # the seat's value before and after the move, in words
    told: tuple[str, ...]  # sentences on the move: one for a reader without a seat, then one for each seat as reader
    choices: int  # the number of decisions that a receipt asks again
    challenge: str  # the costliest decision as a question to others, "" if no decision lost anything
    asked: tuple[int, ...]  # the dice of the challenge

    def told_to(self, you: int | None) -> str:
        """Return the sentence on the move. ``you`` is the reader's seat, or None if the reader has no seat."""
        return self.told[0 if you is None else you + 1]


MOST_COSTLY = 5  # the most decisions that a receipt asks again
EXPECTED = {
    "": "What each could expect",
    "score": "The score each could expect",
    "chips": "The chips each could expect",
    "share of the match": "Chance to win",
    "round wins": "The round wins each could expect",
    "chance of winning": "The chance to win",
    "winning": "The chance to win",
    "chance of not buying": "The chance not to buy the drinks",
    "not buying": "The chance not to buy the drinks",
}
"""The heading of a solver's values over a match, by the start of the utility's name."""


def costly(found: Review) -> tuple[tuple[int, GradedDecision], ...]:
    """Return the decisions that lost most, in the order of the match, each with its number from 1."""
    lost = [(number, each) for number, each in enumerate(found.decisions, 1) if each.chosen.lost > 0]
    lost.sort(key=lambda numbered: -numbered[1].chosen.lost)
    return tuple(sorted(lost[:MOST_COSTLY], key=lambda numbered: numbered[0]))


def dice_of(match: Match[Any, Any], step: ReplayStep[MatchState[Any]]) -> tuple[int, ...]:
    """Return the dice that a move rolled or kept. A draw has no dice."""
    if isinstance(step.move, Played):
        return kept_by(match.game, step.move.action)
    return step.move.dice if isinstance(step.move, Rolled) else ()


def utility_name(found: Review, language: Language) -> str:
    """Return the heading of a review's values over the match."""
    return language.say(EXPECTED.get(found.utility.partition(",")[0], EXPECTED[""]))


def turning_of(rows: Sequence[Sequence[int]]) -> tuple[int, int]:
    """Return (the number, from 1, of the step that changed a seat's value most, that seat).

    If no value changed, return (0, 0).
    """
    changes = [
        (abs(after - before), -step, -seat)
        for step, (earlier, later) in enumerate(pairwise(rows), 1)
        for seat, (before, after) in enumerate(zip(earlier, later, strict=True))
    ]
    most, step, seat = max(changes, default=(0, 0, 0))
    return (-step, -seat) if most else (0, 0)


def find_turning_point(weighed: Analysis, language: Language) -> TurningPoint:
    """Find the turning point of an analysed match. It needs no replays."""
    match, kit, steps = weighed.checked.match, weighed.checked.kit, weighed.checked.steps
    moves, found = receipt_moves(match, steps), weighed.found
    spoken = SpokenAdvice(kit.words, match, language, weighed.coach.solver)
    amounts, line = spoken.amounts, counted(found).line
    rows = tuple(rounded(line[at], amounts.scale) for at in (0, *[move.last for move in moves]))
    by_name = Narrator(language, kit.words, match, weighed.checked.header.names)
    step, seat = turning_of(rows)
    dice, number, where, change = tuple[int, ...](), 0, "", ("", "")
    told = ("",) * (1 + len(by_name.names))
    if step:
        turn = steps[moves[step - 1].first]
        mover = match.mover(turn.before)
        seat = seat if mover is None else mover
        change = _said(language, amounts, rows[step - 1][seat]), _said(language, amounts, rows[step][seat])
        went = language.say("{before} before it, {after} after it.", before=change[0], after=change[1])
        dice, where = dice_of(match, turn), by_name.counter(turn.before)
        number = turn.before.called if where and turn.before.roll_off is None else 0
        readers = by_name, *map(by_name.to, range(len(by_name.names)))
        # An installed game may have no sentence for a move.
        told = tuple(next(iter(to.tell(turn.before, turn.move, turn.after)), "") for to in readers)
        if mover is not None:  # a draw has no mover, so no values before and after it are told
            told = tuple(f"{line} {went}".lstrip() for line in told)
    worst = found.worst
    return TurningPoint(
        names=by_name.names,
        you=language.say("you"),
        utility=utility_name(found, language),
        scale=amounts.scale,
        chances=amounts.are_chances,
        rows=rows,
        said=(tuple(map(amounts.printed, rows[0])), tuple(map(amounts.printed, rows[-1]))),
        ended=tuple(number for number, move in enumerate(moves, 1) if move.ends == 2 and number < len(moves)),
        move=step,
        seat=seat,
        dice=dice,
        round=number,
        where=where,
        change=change,
        told=told,
        choices=len(costly(found)),
        challenge=_challenge(language, spoken, worst) if worst else "",
        asked=chosen_from(match.game, worst) if worst else (),
    )


def _challenge(language: Language, spoken: SpokenAdvice, worst: GradedDecision) -> str:
    act = spoken.act(worst.state, worst.chosen).partition(":")[0]
    return language.say("Would you {act}?", act=act)


def _said(language: Language, amounts: Amounts, units: int) -> str:
    """Return a value as people say it. Chances are in whole percents."""
    if not amounts.are_chances:
        return amounts.printed(units)
    return language.per_cent(units / amounts.scale, 0).replace(" ", "\N{NO-BREAK SPACE}")
