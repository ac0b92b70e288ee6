"""The own words of a language for the rules of a match: formats, the kinds of dice, choices of house rules.

The terminal shows these words and reads them beside the English ones. Records, links and programs have English words
only.
"""

import re
from collections.abc import Mapping
from typing import Any, get_args
from unicodedata import normalize

from pubdice.core.errors import BadNotation
from pubdice.kit import Kit, Option
from pubdice.match.formats import FormatKind
from pubdice.match.table import Dice
from pubdice.text.language import Language, OwnSentence
from pubdice.typed import without_marks

IN_A_LANGUAGE = "rounds, even, rolloff, replay, house, real, sealed"
"""Words of formats, and the kinds of dice, as one sentence. A translation has as many words, in the same order. If its
first word begins with a capital letter, nouns are written so in that language.
"""
_WORD = re.compile(r"[^\W\d_]+")
OwnWords = Mapping[str, str]
"""A language's words by the English ones. Empty in English."""


def show(text: str, words: OwnWords) -> str:
    """The text in the language's own words.

    >>> show("pot 1 rounds 5", {"pot": "Topf", "rounds": "Runden"})
    'Topf 1 Runden 5'
    """
    return _WORD.sub(lambda found: words.get(found[0], found[0]), text) if words else text


def read(text: str, words: OwnWords) -> str:
    """The text in English words. Capital letters and accents of the own words do not matter, composed or not.

    >>> read("topf:1:Runden:5 rolloff", {"pot": "Topf", "rounds": "Runden"})
    'pot:1:rounds:5 rolloff'
    """
    if not words:
        return text
    english = {_plain(own): word for word, own in words.items()}
    return _WORD.sub(lambda found: english.get(_plain(found[0]), found[0]), normalize("NFC", text))


def _plain(word: str) -> str:
    return without_marks(word).lower()


def _translated(sentence: str, language: Language) -> dict[str, str]:
    """The words of a sentence, each with its translation. Empty if there is none."""
    told = language.say(sentence) if sentence else ""
    return {} if told == sentence else dict(zip(sentence.split(", "), told.split(", "), strict=False))


def format_words(kinds: tuple[FormatKind, ...], language: Language) -> OwnWords:
    """The own words of these formats. A format's name is its label, if that is one word and translated."""
    found = _translated(IN_A_LANGUAGE, language)
    if not found:
        return found
    capital = found["rounds"][:1].isupper()
    for kind in kinds:
        label = language.say(kind.label)
        if label == kind.label or " " in label:
            label = kind.name
        found[kind.name] = label if capital else label.lower()
        for field in kind.fields:
            if field.word:
                found.setdefault(field.word, field.word)
    return found


def choice_words(option: Option, language: Language) -> OwnWords:
    """The own words of a house rule's choices."""
    return _translated(option.words, language)


def shown_choices(option: Option, language: Language, between: str = " ") -> list[str]:
    """The choices of a house rule in the language's words, and the form of its further choices.

    ``between`` stands between the words of a choice.
    """
    words = choice_words(option, language)
    further = [language.say(option.form)] if option.form else []
    return [*[show(choice.replace(" ", between), words) for choice in option.choices], *further]


def dice_words(language: Language) -> OwnWords:
    """The own words of the kinds of dice."""
    return {word: own for word, own in _translated(IN_A_LANGUAGE, language).items() if word in get_args(Dice)}


def read_format(text: str, kit: Kit, language: Language) -> str:
    """The text of a format in English words. Raises BadNotation, in the language's words, if it names none."""
    words = format_words(kit.formats, language)
    text = read(text, words)
    try:
        kit.format(text)
        return text
    except BadNotation as error:
        raise _in_own_words(error, words) from None


def read_choice(text: str, option: Option, language: Language) -> str:
    """The choice of a house rule that a text names. Raises BadNotation in the language's words."""
    words = choice_words(option, language)
    try:
        return option.read(read(text, words))
    except BadNotation as error:
        raise _in_own_words(error, words) from None


def read_dice(text: str, language: Language) -> Dice:
    """The kind of dice that a text names. Raises BadNotation."""
    named = read(text, dice_words(language)).lower()
    found: Dice | None = next((dice for dice in get_args(Dice) if named == dice), None)
    if found is None:
        raise BadNotation("dice", found=text)
    return found


def _in_own_words(error: BadNotation, words: OwnWords) -> BadNotation:
    """The same fault, with its facts in the language's words."""
    facts: dict[str, Any] = dict(error.facts)
    for key in ("found", "formats", "shape", "word", "choices"):
        if isinstance(offered := facts.get(key), tuple):
            facts[key] = tuple(each if isinstance(each, OwnSentence) else show(str(each), words) for each in offered)
        elif offered is not None:
            facts[key] = show(str(offered), words)
    return BadNotation(error.code, **facts)
