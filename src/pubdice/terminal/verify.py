"""``verify``: check that the dice of records follow from their seals. Only the records are needed."""

import json
from argparse import Namespace
from typing import Any

from pubdice.checked_record import read_checked
from pubdice.command_line import FaultError
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.failures import ILLEGAL_ACTION, OTHER, exit_status, explain
from pubdice.match.sealed_record import DiceCheck, check_dice
from pubdice.match.sealed_sentences import (
    DICE_UNCHOSEN,
    DIFFERS,
    LEFT_OUT,
    NO_SEED_OF_MINE,
    NOT_NOTED,
    NOTED,
    UNENDED,
    UNTOLD,
    chain_sentences,
    fault_sentence,
    gap_sentence,
    sealed_sentences,
)
from pubdice.terminal.arguments import Environment
from pubdice.terminal.reading import records_in, text_of
from pubdice.terminal.sealed_seat import UNREADABLE, Compared, SealNotes
from pubdice.text.language import Language, printable
from pubdice.text.word_lists import seal_words

NOTES: dict[Compared, str] = {
    "not-noted": NOT_NOTED,
    "unreadable": UNREADABLE,
    "untold": UNTOLD,
    "away": LEFT_OUT,
    "no-seed": NO_SEED_OF_MINE,
    "differs": DIFFERS,
}
WRONG: dict[Compared, int] = {"unreadable": OTHER, **dict.fromkeys(("untold", "no-seed", "differs"), ILLEGAL_ACTION)}
"""The exit statuses of the verdicts that count as faults."""


def verify(chosen: Namespace, outside: Environment, language: Language) -> None:
    """Check the dice of each record, and that no record of the evening is missing in between."""
    records = [record for name in chosen.files for record in records_in(text_of(name, outside))]
    checks, notes = [_checked(*record, outside, language) for record in records], SealNotes(outside.tokens)
    found = [check for check in checks if isinstance(check, DiceCheck)]
    is_whole, faults = len(found) == len(checks), [_fault(check, notes, language) for check in checks]
    for check in found:
        if check.proof and not check.fault and notes.compared(check.proof)[0] == "noted":
            notes.end(check.proof.seal.write())
    if is_whole and chosen.json:
        outside.line.put(json.dumps([_data(verdict, notes) for verdict in found]) + "\n")
    elif is_whole:
        for verdict in found:
            outside.line.say([*sealed_sentences(verdict, language), *noted_sentences(verdict, notes, language)])
        outside.line.say(chain_sentences(found, language))
        outside.line.say(unended_sentences(notes, language))
    told, of = list[FaultError](), len(records)
    for number, fault in enumerate(faults, 1):
        if fault is not None:
            text = language.say("Record {number} of {of}: {said}", number=number, of=of, said=fault)
            told.append(FaultError(text, fault.status) if of > 1 else fault)
    if is_whole and (gap := gap_sentence(found, language)):
        told.append(FaultError(gap, ILLEGAL_ACTION))
    if told:
        raise FaultError("\n".join(map(str, told)), max(each.status for each in told))


def _checked(text: str, above: int, outside: Environment, language: Language) -> DiceCheck | FaultError:
    """Check a record's moves and then its dice. Returns the verdict, or the fault as a FaultError.

    ``above`` is the number of lines before the record in its file.
    """
    try:
        checked = read_checked(text, outside.games, language, above)
    except (BadNotation, IllegalAction) as error:
        return FaultError(str(error), exit_status(error))
    try:
        verdict = check_dice(text, above)
    except BadNotation as error:
        return FaultError(explain(language, error), exit_status(error))
    if verdict.fault is None and not checked.is_over:
        return FaultError(language.say("This record ends before the match does."), ILLEGAL_ACTION)
    return verdict


def _fault(check: DiceCheck | FaultError, notes: SealNotes, language: Language) -> FaultError | None:
    """Return the fault of a record: in its moves, in its dice, or against this device's notes. Return None if it has
    none.
    """
    if isinstance(check, FaultError):
        return check
    if check.fault is not None or check.proof is None:
        status = OTHER if check.fault in ("unsealed", "unopened") else ILLEGAL_ACTION
        return FaultError(fault_sentence(check, language), status)
    noted, _ = notes.compared(check.proof)
    if noted not in WRONG:
        return None
    return FaultError(_note_sentence(noted, (), notes, language), WRONG[noted])


def _note_sentence(found: Compared, seats: tuple[str, ...], notes: SealNotes, language: Language) -> str:
    """Return the sentence for a verdict other than "noted". The seats are those that ``SealNotes.compared``
    returned.
    """
    file = printable(str(notes.damaged or ""))
    return language.say(NOTES[found], names=language.join(seats), file=file)


def noted_sentences(verdict: DiceCheck, notes: SealNotes, language: Language) -> list[str]:
    """Return sentences on this device's notes about a record without a fault."""
    if verdict.fault is not None or verdict.proof is None:
        return []
    found, mine = notes.compared(verdict.proof)
    if found != "noted":
        return [_note_sentence(found, mine, notes, language)]
    first = verdict.proof.fixed is not None and verdict.proof.fixed.attempt == 1
    return [language.say(NOTED, names=language.join(mine)), *([language.say(DICE_UNCHOSEN)] if first else [])]


def unended_sentences(notes: SealNotes, language: Language) -> list[str]:
    """Return a sentence on the matches for which this device opened a seed and never saw the end. If there are none,
    return nothing.
    """
    tables = notes.unended()
    return [language.count(*UNENDED, len(tables), table=printable(tables[-1]))] if tables else []


def _data(verdict: DiceCheck, notes: SealNotes) -> dict[str, Any]:
    """Return the findings as plain data. "noted" is the verdict of ``SealNotes.compared``, or None if the record has a
    fault.
    """
    proof = verdict.proof
    return {
        "fault": verdict.fault,
        "noted": notes.compared(proof)[0] if proof and not verdict.fault else None,
        "rolls": verdict.rolls,
        "expected": verdict.expected,
        "chain": proof and proof.seal.chain,
        "number": proof and proof.seal.number,
        "seal": proof and proof.seal.digest,
        "words": proof and list(seal_words(proof.seal.public_digest, "en")),
        "version": proof and proof.seal.version,
        "players": proof and proof.fixed and dict(zip(proof.names, proof.fixed.players, strict=True)),
    }
