"""What a check of sealed dice found, in sentences: the terminal and the pages say the same."""

from collections.abc import Sequence
from itertools import pairwise

from pubdice.match.sealed_record import DiceCheck, DiceFault
from pubdice.text.language import Language
from pubdice.text.word_lists import seal_words

FAULTS: dict[DiceFault, str] = {
    "unsealed": "These dice were not sealed, so there is nothing to check.",
    "changed": "The text of this record was changed after it was written. Ask for the file as the house saved it.",
    "unopened": "The house has not opened its seal, so this match does not count.",
    "other-seed": "The seal does not match: the seed in this record is not the one that was sealed.",
    "draw": "The seal does not match: the draw should name {expected}. Don't settle a bet on this match.",
    "roll": "The seal does not match: roll {number} should be {expected}. Don't settle a bet on this match.",
}
"""What a check can find, in a sentence; ``DiceCheck`` has the facts."""
MATCHES = "The seal is open. All rolls match it: {number} of {number}."
SEALED = "The dice are the ones that were sealed: all {number} rolls match."
MISSING = "The seals of matches {one} and {other} don't follow each other: a match between them is missing."
ORDER = "Give the records of an evening in their order, each once."
ANOTHER = "A new chain of seals begins with match {number} of chain {chain}: ask why, if it is not a new evening."
BROKEN = "The seal of match {other} is not the one that match {one} promised."


def sealed_told(verdict: DiceCheck, language: Language) -> list[str]:
    """The eight words of a record's seal, and how many rolls match it, in lines. A fault is told by ``fault_told``."""
    if verdict.proof is None:
        return []
    seal, say = verdict.proof.seal, language.say
    facts = {"number": seal.number, "chain": seal.chain, "words": " ".join(seal_words(seal.digest, language.code))}
    said = [say("Match {number} of chain {chain}, sealed as: {words}.", **facts)]
    return said if verdict.fault else [*said, matches_told(verdict, language)]


def matches_told(verdict: DiceCheck, language: Language) -> str:
    """How many rolls were compared, where all match."""
    return language.say(MATCHES, number=verdict.rolls)


def dice_told(verdict: DiceCheck, language: Language) -> str:
    """Whether the dice of a record are those that were sealed, in one sentence that needs no word of the recipe."""
    if verdict.fault is None:
        return language.say(SEALED, number=verdict.rolls)
    return fault_told(verdict, language)


def fault_told(verdict: DiceCheck, language: Language) -> str:
    """What is wrong with a record, in a sentence. Raises ValueError if nothing is."""
    if verdict.fault is None:
        raise ValueError("nothing is wrong")
    said = language.say(FAULTS[verdict.fault], number=verdict.rolls, expected=verdict.expected)
    if verdict.place is None:
        return said
    return language.say("Line {line}: {said}", line=verdict.place.line, said=said)


def gap_told(found: Sequence[DiceCheck], language: Language) -> str:
    """Where records of one evening, in their order, do not follow each other, in a sentence; "" if they all do."""
    for one, other in pairwise(verdict.proof for verdict in found):
        if one is None or other is None or one.seal.chain != other.seal.chain or other.seal.digest == one.seed:
            continue
        numbers = {"one": one.seal.number, "other": other.seal.number}
        if numbers["other"] <= numbers["one"]:
            return language.say(ORDER)
        return language.say(BROKEN if numbers["other"] == numbers["one"] + 1 else MISSING, **numbers)
    return ""


def chains_told(found: Sequence[DiceCheck], language: Language) -> list[str]:
    """Where another chain begins than the first one, or a chain does not begin with its first match, in sentences."""
    told, before = list[str](), ""
    for proof in (check.proof for check in found):
        if proof is None:
            continue
        if before and proof.seal.chain != before:
            told.append(language.say(ANOTHER, number=proof.seal.number, chain=proof.seal.chain))
        before = proof.seal.chain
    return told
