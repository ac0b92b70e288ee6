"""``verify``: whether the sealed dice of records are those that were sealed, with the records alone."""

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.failures import ILLEGAL_ACTION, OTHER, exit_status
from pubdice.match.sealed_record import Fault, Verdict, check_dice
from pubdice.records import read_checked
from pubdice.terminal.arguments import Outside, Parser
from pubdice.terminal.error_text import FaultError
from pubdice.terminal.reading import text_of
from pubdice.text.language import Language
from pubdice.text.word_lists import seal_words

FAULTS: dict[Fault, str] = {
    "unsealed": "These dice were not sealed, so there is nothing to check.",
    "changed": "The text of this record was changed after it was written. Ask for the file as the house saved it.",
    "unopened": "The house has not opened its seal, so this match does not count.",
    "other-seed": "The seal does not match: the seed in this record is not the one that was sealed.",
    "draw": "The seal does not match: the draw should name {expected}. Don't settle a bet on this match.",
    "roll": "The seal does not match: roll {number} should be {expected}. Don't settle a bet on this match.",
}
"""What a check can find, in a sentence; ``Verdict`` has the facts."""


def verify(words: list[str], outside: Outside, language: Language) -> None:
    """Check the dice of records, and that records of one evening follow each other."""
    parser = Parser(
        "verify",
        description="Check that the dice of a match are those that were sealed before it began. Needs the record "
        "only:\nno network, and not the house that wrote it. Give the records of an evening in their order,\nand it "
        "also checks that none is missing between them.\n"
        "Exit status 1: not sealed, or not opened. 2: pubdice can't read it. 3: the dice are not those sealed.",
    )
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a record's file, the number of a saved game, or - for standard input"
    )
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")
    chosen = parser.parse_args(words)
    found = [_checked(text_of(name, outside), outside, language) for name in chosen.files]
    gap = _gap(found)
    if chosen.json:
        outside.line.put(json.dumps([_data(verdict) for verdict in found]) + "\n")
    else:
        for verdict in found:
            outside.line.say(told(verdict, language))
    for verdict in found:
        if verdict.fault is not None:
            status = OTHER if verdict.fault in ("unsealed", "unopened") else ILLEGAL_ACTION
            raise FaultError(fault_told(verdict, language), status)
    if gap is not None:
        raise FaultError(gap_told(*gap, language), ILLEGAL_ACTION)


def _checked(text: str, outside: Outside, language: Language) -> Verdict:
    """The verdict on a record whose every move keeps to the rules. Raises FaultError for one that does not."""
    try:
        checked = read_checked(text, outside.games, language)
    except (BadNotation, IllegalAction) as error:
        raise FaultError(str(error), exit_status(error)) from None
    verdict = check_dice(text)
    if verdict.fault is None and not (checked.steps and checked.steps[-1].after.over):
        raise FaultError(language.say("This record ends before the match does."), ILLEGAL_ACTION)
    return verdict


def told(verdict: Verdict, language: Language) -> list[str]:
    """What was found, in lines: the eight words, and how many rolls match. A fault is told by ``fault_told``."""
    if verdict.proof is None:
        return []
    seal, say = verdict.proof.seal, language.say
    facts = {"number": seal.number, "chain": seal.chain, "words": " ".join(seal_words(seal.digest, language.code))}
    said = [say("Match {number} of chain {chain}, sealed as: {words}.", **facts)]
    if verdict.fault is None:
        one, many = "The seal is open, and its one roll matches.", "The seal is open, and all {number} rolls match it."
        said.append(language.count(one, many, verdict.rolls))
    return said


def fault_told(verdict: Verdict, language: Language) -> str:
    """What is wrong with a record, in a sentence."""
    if verdict.fault is None:
        raise ValueError("nothing is wrong")
    facts = {"number": verdict.rolls, "expected": verdict.expected}
    said = language.say(FAULTS[verdict.fault], **facts)
    if verdict.place is None:
        return said
    return language.say("Line {line}: {said}", line=verdict.place.line, said=said)


def _gap(found: Sequence[Verdict]) -> tuple[int, int] | None:
    """The numbers of two records of one chain between which one is missing, or which do not follow; None if all do."""
    for one, other in pairwise(found):
        if one.proof is None or other.proof is None or one.proof.seal.chain != other.proof.seal.chain:
            continue
        if one.proof.seed and other.proof.seal.digest != one.proof.seed:
            return one.proof.seal.number, other.proof.seal.number
    return None


def gap_told(one: int, other: int, language: Language) -> str:
    """That records do not follow each other."""
    if other > one + 1:
        text = "The seals of matches {one} and {other} don't follow each other: a match between them is missing."
        return language.say(text, one=one, other=other)
    return language.say("The seal of match {other} is not the one that match {one} promised.", one=one, other=other)


def _data(verdict: Verdict) -> dict[str, Any]:
    proof = verdict.proof
    return {
        "fault": verdict.fault,
        "rolls": verdict.rolls,
        "expected": verdict.expected,
        "chain": proof and proof.seal.chain,
        "number": proof and proof.seal.number,
        "seal": proof and proof.seal.digest,
        "words": proof and list(seal_words(proof.seal.digest, "en")),
    }
