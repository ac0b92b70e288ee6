"""``night``: rank the tables of a duplicate night by the value they lost. Only their records are needed.

A duplicate night is several tables that play the same match with the same dice.
"""

from argparse import Namespace

from pubdice.advice.losses import match_losses
from pubdice.advice.night_ranking import ranked
from pubdice.checked_record import Checked
from pubdice.command_line import FaultError
from pubdice.core.cup import DRAW, DiceSlot, NightMark
from pubdice.core.errors import BadNotation
from pubdice.failures import BAD_NOTATION, ILLEGAL_ACTION, exit_status
from pubdice.match.notation import parse
from pubdice.match.record import dice_by_slot, first_difference, night_in
from pubdice.terminal.arguments import Environment
from pubdice.terminal.reading import sound, tell, text_of
from pubdice.terminal.sentences import explain
from pubdice.terminal.table_coach import TableCoach, worked_out
from pubdice.text.language import Language

MOST_RECORDS = 64
"""The most records of one night: twice the tables that a house allows in a night."""


def night(chosen: Namespace, outside: Environment, language: Language) -> None:
    """Check that the records are of one night, and rank its tables."""
    if len(chosen.files) > MOST_RECORDS:
        raise FaultError(language.say("Give {most} records at most.", most=MOST_RECORDS), BAD_NOTATION)
    tables: list[Checked] = []
    nights: list[NightMark] = []
    for name in chosen.files:
        text = text_of(name, outside)
        tables.append(sound(text, outside.games, language))
        nights.append(_night(name, text, language))
    _check(chosen.files, tables, nights, language)
    counsel = TableCoach(tables[0].kit, tables[0].match, language, outside.line)
    coach = counsel.coach
    losses = worked_out(counsel.kit, language, counsel.line, lambda: [match_losses(table, coach) for table in tables])
    tell(ranked(losses), outside, language, as_json=chosen.json)


def _night(name: str, text: str, language: Language) -> NightMark:
    try:
        record = parse(text)
        night = night_in(record)
    except BadNotation as error:
        raise FaultError(explain(language, error), exit_status(error)) from None
    if night is None:
        raise FaultError(language.say("{file} isn't from a same-dice night.", file=name), BAD_NOTATION)
    if record.takes_back:
        told = "{file} takes a choice back. On a same-dice night every choice stands."
        raise FaultError(language.say(told, file=name), ILLEGAL_ACTION)
    return night


def _check(files: list[str], tables: list[Checked], nights: list[NightMark], language: Language) -> None:
    """Check that the records are of one night, of the same match and the same dice, and that every match is over.

    Raises FaultError.
    """
    say, first = language.say, tables[0]
    dice = [dice_by_slot(table.match, table.steps) for table in tables]
    for at, table in enumerate(tables):
        facts = {"one": files[0], "other": files[at]}
        if not table.is_over:
            raise FaultError(say("{other} ends before the match does.", **facts), BAD_NOTATION)
        if nights[at] != nights[0]:
            raise FaultError(say("{one} and {other} aren't from the same night.", **facts), BAD_NOTATION)
        if table.match != first.match:
            raise FaultError(say("{one} and {other} are not the same match.", **facts), BAD_NOTATION)
        for earlier in range(at):
            if (slot := first_difference(dice[earlier], dice[at])) is not None:
                raise FaultError(_differs(files[earlier], files[at], slot, language), ILLEGAL_ACTION)


def _differs(one: str, other: str, slot: DiceSlot, language: Language) -> str:
    if slot == DRAW:
        told = "{one} and {other} drew different players as Player 1, so their dice differ."
        return language.say(told, one=one, other=other)
    return language.say(
        "{one} and {other} differ in round {round}: seat {seat}, turn {turn}, roll {roll} has other dice.",
        one=one,
        other=other,
        round=slot.round,
        seat=slot.seat + 1,
        turn=slot.turn,
        roll=slot.roll,
    )
