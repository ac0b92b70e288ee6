"""The turning point of a finished match: every seat's chances over it, and the move that changed somebody's most.

It is the part of a receipt that the end of a match and its picture show, and is there sooner: no replays are needed
for it.
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
    """The turning point of a match, in a language, for all its readers.

    names: as the seats are called; you: what the reader's own is called. utility: the name of the values; scale: the
    printed units that make 1; chances: true if they are read in percent. rows: every seat's value at the start and
    after each move, in printed units; said: at the start and at the end as they are read out; ended: the moves that
    ended a round. move: the one after which somebody's value had changed most, from 1; 0 where none did. seat: the
    mover there, or whose value it was. dice: its own; round: its number, 0 of a match of one and in a roll-off; where:
    that in words; change: the seat's value before and after it, as said at a table. told: what it was, by names, and
    then to each seat. choices: how many could have been better, as a receipt asks them again; challenge: the dearest of
    these as a question to others, "" without one, and asked: its dice.
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
    dice: tuple[int, ...]
    round: int
    where: str
    change: tuple[str, str]
    told: tuple[str, ...]
    choices: int
    challenge: str
    asked: tuple[int, ...]

    def told_to(self, you: int | None) -> str:
        """The sentences on the move. you: the seat that reads them; None: somebody who had none."""
        return self.told[0 if you is None else you + 1]


MOST_COSTLY = 5
"""Keeps that are asked again."""
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
"""The name of a solver's values over a match, by the utility's first words."""


def costly(found: Review) -> tuple[tuple[int, GradedDecision], ...]:
    """The decisions that lost most, with their numbers from 1, in the order of the match."""
    lost = [(number, each) for number, each in enumerate(found.decisions, 1) if each.chosen.lost > 0]
    lost.sort(key=lambda numbered: -numbered[1].chosen.lost)
    return tuple(sorted(lost[:MOST_COSTLY], key=lambda numbered: numbered[0]))


def dice_of(match: Match[Any, Any], step: ReplayStep[MatchState[Any]]) -> tuple[int, ...]:
    """The dice of a move, which were rolled or kept; none of a draw."""
    if isinstance(step.move, Played):
        return kept_by(match.game, step.move.action)
    return step.move.dice if isinstance(step.move, Rolled) else ()


def utility_name(found: Review, language: Language) -> str:
    """The name of a review's values over the match."""
    return language.say(EXPECTED.get(found.utility.partition(",")[0], EXPECTED[""]))


def turning_of(rows: Sequence[Sequence[int]]) -> tuple[int, int]:
    """The step after which somebody's value had changed most, from 1, and whose it was; (0, 0) where none did."""
    changes = [
        (abs(after - before), -step, -seat)
        for step, (earlier, later) in enumerate(pairwise(rows), 1)
        for seat, (before, after) in enumerate(zip(earlier, later, strict=True))
    ]
    most, step, seat = max(changes, default=(0, 0, 0))
    return (-step, -seat) if most else (0, 0)


def find_turning_point(weighed: Analysis, language: Language) -> TurningPoint:
    """The turning point of a match that is weighed, if without its replays."""
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
        number = turn.before.number if where and turn.before.roll_off is None else 0
        readers = by_name, *map(by_name.to, range(len(by_name.names)))
        # an installed game may have nothing to say of a move
        told = tuple(next(iter(to.tell(turn.before, turn.move, turn.after)), "") for to in readers)
        if mover is not None:  # else it is said of nobody
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
    """The dearest keep as a question to all who see the result."""
    act = spoken.act(worst.state, worst.chosen).partition(":")[0]
    return language.say("Would you {act}?", act=act)


def _said(language: Language, amounts: Amounts, units: int) -> str:
    """A value as it is said at a table: of chances, whole percents."""
    if not amounts.are_chances:
        return amounts.printed(units)
    return language.per_cent(units / amounts.scale, 0).replace(" ", "\N{NO-BREAK SPACE}")
