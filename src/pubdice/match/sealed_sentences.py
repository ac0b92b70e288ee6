"""Sentences about a check of sealed dice. The terminal and the pages share them."""

from collections.abc import Sequence

from pubdice.core.seal import Seal
from pubdice.match.sealed_record import PHONE, TYPED, DiceCheck, DiceFault, Proof
from pubdice.text.language import Language
from pubdice.text.word_lists import seal_words

FAULTS: dict[DiceFault, str] = {
    "unsealed": "These dice were not sealed, so there is nothing to check.",
    "changed": "The text of this record was changed after it was written. Ask for the file as the house saved it.",
    "shape": "The lines about the sealed dice are not as a house writes them. Don't settle a bet on this match.",
    "seat-seed": "The seed of {expected} has changed since it was fixed. Don't settle a bet on this match.",
    "unopened": "The house has not opened its seal, so this match does not count.",
    "other-seed": "The seal does not match. The seed in this record is not the sealed seed.",
    "draw": "The seal does not match: the draw should name {expected}. Don't settle a bet on this match.",
    "roll": "The seal does not match: roll {number} should be {expected}. Don't settle a bet on this match.",
}
"""The sentence for each fault. ``DiceCheck`` has the facts in it."""
MATCHES = "The seal is open. All rolls match it: {number} of {number}."
SEALED = "The dice are the ones that were sealed: all {number} rolls match."
NOTED = "This device added the seed of {names}, and noted the same rules, seats and digests before it opened that seed."
DICE_UNCHOSEN = "If every device of your seat says the same, neither a player nor the house could choose these dice."
"""The sentence after ``NOTED``, if the seeds were opened at the first attempt."""
NOT_NOTED = "This device added no seed under this seal, and noted nothing."
UNTOLD = (
    "The seed of this device is not in this record. If no other device added one for your seat, don't settle a bet"
    " on it."
)
"""The sentence for a digest that the house never showed to this device for its seat."""
NO_SEED_OF_MINE = (
    "This device added a seed, and it is not in this record. If no other device added one for your seat after that,"
    " don't settle a bet on it."
)
LEFT_OUT = (
    "According to this record no device was there for {names}, so no seed of this device is in it. If this device "
    "was there and awake when the match began, don't settle a bet on it."
)
UNENDED = (
    "This device opened a seed for a match at {table} and never saw that match end. A house that breaks matches off"
    " until the dice suit leaves no other trace.",
    "This device opened seeds for several matches and never saw them end, the last at {table}. A house that breaks"
    " matches off until the dice suit leaves no other trace.",
)
"""The sentences for one unfinished match, and for several."""
DIFFERS = "This device noted something else before the first roll. Don't settle a bet on this match."
PHONES = (
    "According to this record the phone of {names} held its seed back until all seeds were fixed. It can say whether"
    " that is true.",
    "According to this record the phones of {names} held their seeds back until all seeds were fixed. Each can say"
    " whether that is true.",
)
NO_PHONE = "No phone held its seed back until all seeds were fixed, so you have to trust the house for these dice."
TYPED_SEED = (
    "{names} typed a seed: the house knew it before all seeds were fixed.",
    "{names} typed seeds: the house knew them before all seeds were fixed.",
)
WITHOUT = ("{names} added no seed.", "{names} added no seeds.")
ATTEMPTS = (
    "This was attempt {number}. Before it a player left or opened no seed, and all phones took new seeds. A house "
    "that cheats could repeat this until it liked the dice."
)
OLD = (
    "This record is of version 1. It does not prove the game, the rules, the names, their order or the bots among "
    "them. Nor does it prove that the house wrote down each seed as it came. A house that cheats could choose "
    "among all this, so look for your own seed."
)
MISSING = "The seals of matches {one} and {other} don't follow each other: a match between them is missing."
ORDER = "Give the records of an evening in their order, each once."
ANOTHER = "A new chain of seals begins with match {number} of chain {chain}: ask why, if it is not a new evening."
BROKEN = "Match {one} promised another seal for match {other}."


def sealed_sentences(verdict: DiceCheck, language: Language) -> list[str]:
    """Return the words of the seal, then the number of rolls that match and the facts that the proof covers.

    If the check found a fault, return only the words of the seal.
    """
    if verdict.proof is None:
        return []
    seal, say = verdict.proof.seal, language.say
    facts = {
        "number": seal.number,
        "chain": seal.chain,
        "words": " ".join(seal_words(seal.public_digest, language.code)),
    }
    said = [say("Match {number} of chain {chain}, sealed as: {words}.", **facts)]
    return (
        said
        if verdict.fault
        else [*said, matches_sentence(verdict, language), *covered_sentences(verdict.proof, language)]
    )


def covered_sentences(proof: Proof, language: Language) -> list[str]:
    """Return sentences on a record whose rolls match: the facts that its proof covers, and the origins of its seeds."""
    said, without = list[str](), proof.unseeded
    phones, typed = proof.played(PHONE), proof.played(TYPED)
    if proof.fixed is None:
        said.append(language.say(OLD))
    elif phones:
        said.append(language.count(*PHONES, len(phones), names=language.join(phones)))
    else:
        said.append(language.say(NO_PHONE))
    if typed:
        said.append(language.count(*TYPED_SEED, len(typed), names=language.join(typed)))
    if without:
        said.append(language.count(*WITHOUT, len(without), names=language.join(without)))
    if proof.fixed and proof.fixed.attempt > 1:
        said.append(language.say(ATTEMPTS, number=proof.fixed.attempt))
    return said


def matches_sentence(verdict: DiceCheck, language: Language) -> str:
    """Return the sentence that all rolls match, with their number. Call it for a verdict without a fault."""
    return language.say(MATCHES, number=verdict.rolls)


def dice_sentence(verdict: DiceCheck, language: Language) -> str:
    """Return one sentence for players: all dice are the sealed ones, or else the fault."""
    if verdict.fault is None:
        return language.say(SEALED, number=verdict.rolls)
    return fault_sentence(verdict, language)


def fault_sentence(verdict: DiceCheck, language: Language) -> str:
    """Return a sentence on the fault of a record. Raise ValueError if it has none."""
    if verdict.fault is None:
        raise ValueError("nothing is wrong")
    said = language.say(FAULTS[verdict.fault], number=verdict.rolls, expected=verdict.expected)
    if verdict.place is None:
        return said
    return language.say("Line {line}: {said}", line=verdict.place.line, said=said)


def gap_sentence(found: Sequence[DiceCheck], language: Language) -> str:
    """Return a sentence on the first gap or swap among an evening's records, by their chains of seals.

    "" if there is none.
    """
    last = dict[str, Proof]()
    for other in [verdict.proof for verdict in found if verdict.proof is not None]:
        one = last.get(other.seal.chain)
        last[other.seal.chain] = other
        if one is None:
            continue
        numbers = {"one": one.seal.number, "other": other.seal.number}
        apart = numbers["other"] - numbers["one"]
        if apart == 1 and other.seal.digest == one.seed:
            continue
        if apart <= 0:
            return language.say(ORDER)
        return language.say(BROKEN if apart == 1 else MISSING, **numbers)
    return ""


def chain_sentences(found: Sequence[DiceCheck], language: Language) -> list[str]:
    """Return a sentence for each chain of seals after the first, with the match that begins it."""
    begins = dict[str, Seal]()
    for seal in [check.proof.seal for check in found if check.proof is not None]:
        begins.setdefault(seal.chain, seal)
    others = list(begins.values())[1:]
    return [language.say(ANOTHER, number=seal.number, chain=seal.chain) for seal in others]
