"""``verify``: checks that the dice of records are those that were sealed, with the records alone."""

import json
from dataclasses import replace
from typing import Any

from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.failures import ILLEGAL_ACTION, OTHER, exit_status
from pubdice.match.dice_check_told import (
    DIFFERS,
    LEFT_OUT,
    NO_SEED_OF_MINE,
    NOBODY_CHOSE,
    NOT_NOTED,
    NOTED,
    UNTOLD,
    chains_told,
    fault_told,
    gap_told,
    sealed_told,
)
from pubdice.match.sealed_record import DiceCheck, check_dice
from pubdice.records import read_checked
from pubdice.terminal.arguments import Outside, Parser
from pubdice.terminal.error_text import FaultError
from pubdice.terminal.reading import records_in, text_of
from pubdice.terminal.sealed_seat import Compared, SealNotes
from pubdice.text.language import Language
from pubdice.text.word_lists import seal_words

NOTES: dict[Compared, str] = {
    "not-noted": NOT_NOTED,
    "untold": UNTOLD,
    "away": LEFT_OUT,
    "no-seed": NO_SEED_OF_MINE,
    "differs": DIFFERS,
}


def verify(words: list[str], outside: Outside, language: Language) -> None:
    """Check the dice of records, and that records of one evening follow each other."""
    parser = Parser(
        "verify",
        description="Check that the dice of a match are those that were sealed before it began. Needs the record "
        "only:\nno network, and not the house that wrote it. Give the records of an evening in their order, in\n"
        "one file or several, and it also checks that none is missing between them.\n"
        "Exit status 1: not sealed, or not opened. 2: pubdice can't read it. 3: the dice are not those sealed.",
    )
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a record's file, the number of a saved game, or - for standard input"
    )
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")
    chosen = parser.parse_args(words)
    records = [record for name in chosen.files for record in records_in(text_of(name, outside))]
    found, notes = [_checked(*record, outside, language) for record in records], SealNotes(outside.tokens)
    if chosen.json:
        outside.line.put(json.dumps([_data(verdict) for verdict in found]) + "\n")
    else:
        for verdict in found:
            outside.line.say([*sealed_told(verdict, language), *noted_told(verdict, notes, language)])
    outside.line.say([] if chosen.json else chains_told(found, language))
    for verdict in found:
        if verdict.fault is None and verdict.proof is not None:
            noted, _ = notes.compared(verdict.proof)
            if noted in ("differs", "no-seed"):
                raise FaultError(language.say(NOTES[noted]), ILLEGAL_ACTION)
        if verdict.fault is not None:
            status = OTHER if verdict.fault in ("unsealed", "unopened") else ILLEGAL_ACTION
            raise FaultError(fault_told(verdict, language), status)
    if gap := gap_told(found, language):
        raise FaultError(gap, ILLEGAL_ACTION)


def _checked(text: str, in_place: str, outside: Outside, language: Language) -> DiceCheck:
    """The verdict on a record whose every move keeps to the rules. Raises FaultError for one that does not.

    in_place: with as many empty lines before it as there are lines.
    """
    try:
        checked = read_checked(in_place, outside.games, language)
    except (BadNotation, IllegalAction) as error:
        raise FaultError(str(error), exit_status(error)) from None
    verdict = check_dice(text)
    if verdict.place is not None:
        above = in_place.count("\n") - text.count("\n")
        verdict = replace(verdict, place=replace(verdict.place, line=verdict.place.line + above))
    if verdict.fault is None and not (checked.steps and checked.steps[-1].after.over):
        raise FaultError(language.say("This record ends before the match does."), ILLEGAL_ACTION)
    return verdict


def noted_told(verdict: DiceCheck, notes: SealNotes, language: Language) -> list[str]:
    """Sentences on what this device noted of a sound record."""
    if verdict.fault is not None or verdict.proof is None:
        return []
    found, mine = notes.compared(verdict.proof)
    if found != "noted":
        return [language.say(NOTES[found], names=language.join(mine) if mine else "")]
    first = verdict.proof.fixed is not None and verdict.proof.fixed.attempt == 1
    return [language.say(NOTED, names=language.join(mine)), *([language.say(NOBODY_CHOSE)] if first else [])]


def _data(verdict: DiceCheck) -> dict[str, Any]:
    proof = verdict.proof
    return {
        "fault": verdict.fault,
        "rolls": verdict.rolls,
        "expected": verdict.expected,
        "chain": proof and proof.seal.chain,
        "number": proof and proof.seal.number,
        "seal": proof and proof.seal.digest,
        "words": proof and list(seal_words(proof.seal.shown, "en")),
        "version": proof and proof.seal.version,
        "players": proof and proof.fixed and dict(zip(proof.names, proof.fixed.players, strict=True)),
    }
