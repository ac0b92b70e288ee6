"""What the page that checks sealed dice shows, as frozen data. Knows no templates and no request."""

from dataclasses import dataclass
from typing import Any

from pubdice.match.dice_check_told import ANOTHER, BROKEN, FAULTS, MATCHES, MISSING, ORDER, fault_told, matches_told
from pubdice.match.sealed_record import DiceCheck
from pubdice.text.language import Language
from pubdice.text.word_lists import LANGUAGES, seal_words, word_list


@dataclass(frozen=True, slots=True)
class VerifyPage:
    """A check of sealed dice.

    told: the list of words, and the sentences that the page's script says. record: a record to check, with what the
    house found: its eight words, lines, and whether there is a fault. table: the link of the match it is from.
    """

    told: dict[str, Any]
    record: str = ""
    words: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    fault: bool = False
    table: str = ""


def blank(language: Language) -> VerifyPage:
    """The page without a record."""
    code = language.code if language.code in LANGUAGES else LANGUAGES[0]
    return VerifyPage({"words": word_list(code), "said": script_sentences(language)})


def checked(language: Language, text: str, verdict: DiceCheck, table: str) -> VerifyPage:
    """The page with a record, and the house's own verdict on it."""
    page = blank(language)
    words = seal_words(verdict.proof.seal.digest, language.code) if verdict.proof else ()
    line = fault_told(verdict, language) if verdict.fault else matches_told(verdict, language)
    return VerifyPage(page.told, text, words, (line,), verdict.fault is not None, table)


def script_sentences(language: Language) -> dict[str, str]:
    """What the script says, by name; {facts} in them are its own to fill in."""
    say = language.say
    gaps = {name: f"{{{name}}}" for name in ("number", "expected", "line", "said", "one", "other", "chain")}

    def gap(text: str) -> str:
        return say(text, **gaps)

    return {
        **{fault: gap(text) for fault, text in FAULTS.items()},
        "none": say("This is no record of pubdice."),
        "right": say("Checked"),
        "wrong": say("The seal does not hold"),
        "right_told": gap(MATCHES),
        "line": gap("Line {line}: {said}"),
        "missing": gap(MISSING),
        "broken": gap(BROKEN),
        "order": gap(ORDER),
        "another": gap(ANOTHER),
        "stamp_good": gap("✓ {number} of {number} rolls"),
        "stamp_bad": gap("✕ roll {number} differs"),
        "noted": say("This device noted the same seal before the match, and what it added is in the record."),
        "no_seed": say("The seed of this device is not in the record. Don't settle a bet on this match."),
        "differs": say("This device noted another seal before the match. Don't settle a bet on it."),
    }
