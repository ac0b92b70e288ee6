"""A language: the lookup of sentences in it, numbers and lists in it, and the sentences for errors of any game.

English sentences are the keys of the catalogue, as usual with gettext. So a translation needs no code. A refusal is a
code with facts. This module turns it into a sentence that gives the reason and the right way.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from gettext import NullTranslations
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from unicodedata import bidirectional

from pubdice.text.emoji import is_printable, pieces
from pubdice.text.notation import WRITTEN

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")
CONTEXT = "|"
"""The sign between the context of a sentence and the sentence, if the same English means two things: ``score|Mexico``.

Catalogues write the context as ``msgctxt``. No sentence contains this sign, and no sentence with a plural has a
context.
"""
RIGHT_TO_LEFT = ("ar", "fa", "he", "ur")
"""Languages whose script runs from right to left."""
Sentence = str | tuple[str, str, str]
"""A sentence without a plural, or the triple (singular, plural, name of a fact). That fact's number decides between
them."""


class OwnSentence(str):
    """A sentence of a game that pubdice's own code says, such as the game's title.

    It is looked up in the catalogue of the game whose package is ``home``.
    """

    home: str = ""

    @classmethod
    def of(cls, text: str, home: str) -> str:
        """Return the text as a sentence of the game with this package. If ``home`` is empty, return the text
        unchanged.
        """
        if not home or not text or isinstance(text, OwnSentence):
            return text
        made = cls(text)
        made.home = home
        return made


def own_texts(said: T, home: str) -> T:
    """Return a game's option, flag or field with labels and meanings that are looked up in that game's catalogue."""
    texts: dict[str, Any] = {
        name: OwnSentence.of(getattr(said, name), home)
        for name in ("label", "meaning", "brief", "words", "form")
        if hasattr(said, name)
    }
    if hasattr(said, "meanings"):
        texts["meanings"] = tuple(OwnSentence.of(text, home) for text in said.meanings)
    return replace(said, **texts)


def in_own_tongue(tell: Callable[..., Any] | None, home: str) -> Callable[..., Any] | None:
    """Wrap a function so it gets the game's own ``Language`` as its first argument. None stays None."""
    return tell and (lambda language, *facts: tell(language.own[home], *facts))


class _OwnLanguages(dict[str, "Language"]):
    """The ``Language`` of each game, by the game's package. It is made when it is first looked up.

    It is a dict, because then every later lookup costs no function call.
    """

    def __init__(self, make: "Callable[[str], Language]", plain: "Language") -> None:
        super().__init__({"": plain})
        self._make = make

    def __missing__(self, home: str) -> "Language":
        made = self[home] = self._make(home)
        made.own = self
        return made


class Language:
    """A language with its gettext catalogue. Without a catalogue it is English.

    - ``code``: the code, as in HTML's ``lang``.
    - ``direction``: the direction of the script, as in HTML's ``dir``: "rtl", or "" for left to right.
    - ``point`` and ``thousands``: the decimal point and the thousands separator.
    - ``own``: for each game's package, the same language with the game's own catalogue looked up first.
    - ``own_catalogue``: makes the catalogue for a game's package. If it is None, ``own`` has this language for all
      games.
    - ``changes``: conjunctions that change before certain sounds (``CatalogueData.changes``).
    """

    def __init__(
        self,
        catalogue: NullTranslations | None = None,
        code: str = "en",
        point: str = ".",
        thousands: str = ",",
        own_catalogue: Callable[[str], NullTranslations] | None = None,
        *,
        changes: Iterable[Sequence[str]] = (),
    ) -> None:
        self._catalogue, self.code = catalogue or NullTranslations(), code
        self._point, self._thousands = point, thousands
        self.changes = tuple(changes)
        self.direction = "rtl" if code in RIGHT_TO_LEFT else ""
        self._known: dict[str, str] = {}  # it cannot grow without bound, because its keys are sentences in the source

        def make(home: str) -> Language:
            if own_catalogue is None:
                return self
            return Language(own_catalogue(home), code, point, thousands, changes=self.changes)

        self.own: Mapping[str, Language] = _OwnLanguages(make, self)

    def say(self, sentence: str, **facts: object) -> str:
        """Return the sentence in this language, with its ``{named}`` facts filled in."""
        if sentence.__class__ is OwnSentence:
            return self.own[sentence.home].say(str(sentence), **facts)
        text = self._known.get(sentence)
        if text is None:
            text = self._catalogue.gettext(sentence)
            if text is sentence and CONTEXT in text:
                text = text.partition(CONTEXT)[2]
            if self.direction:
                text = _ROW.sub(rf"{START}\g<0>{END}", text)
            self._known[sentence] = text
        if not facts:
            return text.format()
        for fact in facts.values():
            if isinstance(fact, str) and (self.direction or not fact.isascii()):
                if self.direction:
                    text = _attached(text, facts)
                return text.format_map(_isolated(facts, self.direction))
        return text.format_map(facts)

    def count(self, one: str, many: str, number: int, **facts: object) -> str:
        """Return the singular or the plural, whichever fits the number. Both may contain ``{number}``."""
        text = self._catalogue.ngettext(one, many, number)
        text = _attached(text, facts) if self.direction else text
        return text.format(number=number, **_isolated(facts, self.direction))

    def tell(self, sentence: Sentence, facts: Mapping[str, Any]) -> str:
        """Return a sentence with its facts filled in. If it has a plural, one of the facts decides (``Sentence``)."""
        if isinstance(sentence, str):
            return self.say(sentence, **facts)
        one, many, fact = sentence
        return self.count(one, many, facts[fact], **facts)

    def about(self, named: str, you: str, name: str, **facts: object) -> str:
        """Return the sentence ``named`` with ``{name}``. If the name is empty, return ``you``, the sentence to the
        listener.
        """
        return self.say(named, name=name, **facts) if name else self.say(you, **facts)

    def about_all(self, named: str, you: str, names: Sequence[str], **facts: object) -> str:
        """Return the sentence ``named`` with ``{names}``.

        If one of the names is empty, it is the listener's. Then return ``you`` with the other names.

        >>> Language().about_all("{names} lead", "You and {names} lead", ("", "Ben", "Dora"))
        'You, Ben and Dora lead'
        """
        others = [name for name in names if name]
        if len(others) == len(names):
            return self.say(named, names=self.join(others), **facts)
        return self.one_list(self.say(you, names=self.join(others), **facts), others)

    def one_list(self, text: str, others: Sequence[str]) -> str:
        """Return a sentence in which "you and Ben and Dora" has become one list: "you, Ben and Dora"."""
        if len(others) < 2:
            return self._as_sounded(text, "".join(others))
        names, last = self.join(others), self.say("{some} and {last}", some="", last="")
        joined = isolate(names, self.direction)
        text = text.replace(self.say("{some} and {last}", some="", last=names), f", {joined}", 1)
        return text.replace(f"{joined}{last}", f"{isolate(', '.join(others), self.direction)}{last}", 1)

    def join(self, items: Iterable[str], last: str = "{some} and {last}") -> str:
        """Return a list in words: ``Ann, Bob and Cid``. "" for no items.

        In Spanish it is ``Ana y Bea`` but ``Ana e Inés`` (``changes``).
        """
        *some, final = (*items,) or ("",)
        if not some:
            return final
        if self.direction:
            some = [isolate(item, self.direction) for item in some]
        return self._as_sounded(self.say(last, some=", ".join(some), last=final), final)

    def _as_sounded(self, text: str, name: str) -> str:
        """Return a text in which the word before ``name`` has the form for its sound (``changes``)."""
        for word, instead, before in self.changes:
            head, found, tail = text.rpartition(f" {word} {name}")
            if found and re.match(before, name, re.IGNORECASE):
                return f"{head} {instead} {name}{tail}"
        return text

    def number(self, value: float, digits: int) -> str:
        """Return a number with ``digits`` decimals and this language's decimal point."""
        return f"{value:.{digits}f}".replace(".", self._point)

    def whole(self, number: int) -> str:
        """Return a whole number with this language's thousands separators."""
        return f"{number:,}".replace(",", self._thousands)

    def range(self, low: object, high: object) -> str:
        """Return two bounds in words. If they look the same, return one value.

        >>> Language().range(1, 20), Language().range(0, 0)
        ('1 to 20', '0')
        """
        return str(low) if str(low) == str(high) else self.say("{low} to {high}", low=low, high=high)

    def per_cent(self, chance: float, digits: int | None = None) -> str:
        """Return a chance in percent, with ``digits`` decimals. By default it has one decimal, or two below 0.1%.

        English has no space before the sign. A screen reader that splits text into sentences would take the point in
        "14.8 %" for a full stop, and would say "14.8" and "%" apart.

        >>> Language().per_cent(0.9567), Language().per_cent(0.0004), Language().per_cent(0.0004, 3)
        ('95.7%', '0.04%', '0.040%')
        """
        if digits is None:
            digits = 1 if chance >= 0.001 or chance == 0 else 2
        return self.say("{number}%", number=self.number(100 * chance, digits))


START, END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
QUOTED = "found"
"""The name of the fact that holds typed text. A sentence puts it in quotation marks, so it needs no Unicode isolates.

Terminals would show isolates as boxes."""


_TURNED = ("R", "AL", "AN")  # bidirectional classes of characters that run from right to left
_ROW = re.compile(r"(?:\b[a-z] )?\b\d(?: \d)+(?: [a-z]\b)?|--\{\w+\}")  # dice as an example, and a flag
_STAYS = re.compile(r"[\W_]*|[\d.,]+%?")  # nothing that runs, or one number


def isolate(text: str, direction: str = "") -> str:
    """Return the text between Unicode isolates if it runs against the direction of the sentence round it.

    In a sentence from left to right, that is a text with letters from right to left. In a sentence from right to left,
    it is a text without such letters: a row of dice, a signed number, a name or an address. A single number needs no
    isolates, nor does a text that already has some. The isolates keep the rest of the sentence in its order.

    >>> isolate("Ann"), isolate("\u05d0\u05e0") == "\u2068\u05d0\u05e0\u2069"
    ('Ann', True)
    >>> isolate("6 5 2", "rtl") == "\u20686 5 2\u2069", isolate("12.5%", "rtl")
    (True, '12.5%')
    """
    if direction:
        if _STAYS.fullmatch(text) or START in text or any(bidirectional(char) in _TURNED for char in text):
            return text
    elif text.isascii() or not any(bidirectional(char) in _TURNED for char in text):
        return text
    return f"{START}{text}{END}"


def _isolated(facts: dict[str, Any], direction: str) -> dict[str, Any]:
    """Put Unicode isolates around those facts that need them. Changes the dict in place, and returns it.

    A copy would be waste, because few facts need isolates.
    """
    for key, fact in facts.items():
        if isinstance(fact, str) and (direction or not fact.isascii()) and key != QUOTED:
            facts[key] = isolate(fact, direction)
    return facts


_MAQAF = "\N{HEBREW PUNCTUATION MAQAF}"


def _attached(text: str, facts: Mapping[str, Any]) -> str:
    """Return a Hebrew sentence whose one-letter words, such as "to" and "and", are joined to Hebrew names.

    Before other letters and before figures they keep their maqaf, the Hebrew hyphen, as the catalogue writes it.
    """
    joined, *places = text.split(f"{_MAQAF}{{")
    for place in places:
        first = str(facts.get(place.partition("}")[0], ""))[:1]
        joined += f"{'' if 'א' <= first <= 'ת' else _MAQAF}{{{place}"
    return joined


def faces(hand: Iterable[int]) -> str:
    """Return dice as numbers with spaces between.

    >>> faces((1, 4, 6))
    '1 4 6'
    """
    return " ".join(map(str, hand))


def difference(best: Mapping[str, float], other: Mapping[str, float], fact: str, least: float) -> float:
    """Return a fact of ``other`` less the same fact of ``best``.

    0.0 if the difference is smaller than ``least``, or if one of the two lacks the fact.

    >>> difference({"beat": 0.5}, {"beat": 0.25}, "beat", 0.005), difference({}, {"beat": 0.25}, "beat", 0.005)
    (-0.25, 0.0)
    """
    change = other[fact] - best[fact] if fact in best and fact in other else 0.0
    return 0.0 if abs(change) < least else change


def weighed(language: Language, gains: Iterable[str], costs: Iterable[str]) -> str:
    """Return a clause with the gains and the costs of an action.

    "" if there are no costs, because gains alone are no reason against an action.

    >>> weighed(Language(), ["0.6 points more on average"], ["4.0% less chance of a score"])
    '0.6 points more on average, but 4.0% less chance of a score'
    """
    gain_texts, cost_texts = list(gains), list(costs)
    if not cost_texts:
        return ""
    cost = language.join(cost_texts)
    return language.say("{gain}, but {cost}", gain=language.join(gain_texts), cost=cost) if gain_texts else cost


@lru_cache(maxsize=1024)
def sentence(text: str, names: tuple[str, ...] = ()) -> str:
    """Return the text with a capital first letter. If it begins with one of ``names``, return it unchanged, because a
    name keeps its spelling.

    Dutch writes a stressed "één" (one) without its first accent in a capital.

    >>> sentence("keep 6"), sentence("iris has 12", ("iris",)), sentence("irish stew", ("iris",))
    ('Keep 6', 'iris has 12', 'Irish stew')
    >>> sentence("één ronde"), sentence("équipage")
    ('Eén ronde', 'Équipage')
    >>> sentence("¿quién empieza?")
    '¿Quién empieza?'
    """
    if text[:1] in ("¿", "¡"):
        return text[0] + sentence(text[1:], names)
    large = "E" if text.startswith("éé") else text[:1].upper()
    if large == text[:1] or any(map(partial(_begins_with, text), names)):
        return text
    return large + text[1:]


def _begins_with(text: str, name: str) -> bool:
    """Return True if a text begins with this name as a whole word."""
    after = text[len(name) : len(name) + 1]
    return name != "" and text.startswith(name) and not (after.isdigit() or after.islower() or after.isupper())


def one_line(sentences: Iterable[str], names: tuple[str, ...]) -> str:
    """Return sentences in one line, each with a capital first letter. ``names`` are names whose spelling stays
    (``sentence``).
    """
    return " ".join([sentence(text, names) for text in sentences])


def each_once(said: Iterable[str]) -> str:
    """Return sentences in one line. A sentence that the earlier text already contains is left out.

    >>> each_once(["Ann wins!", "Points: Ann 22.", "", "Points: Ann 22."])
    'Ann wins! Points: Ann 22.'
    """
    told = ""
    for each in said:
        if each not in told:
            told = f"{told} {each}".strip()
    return told


def stopped(text: str) -> str:
    """Return the text with a full stop, unless it ends with ".", "!" or "?"."""
    return text if text.endswith((".", "!", "?")) else text + "."


class Refusing(Protocol):
    """The part of a game's words that puts refusals of moves and questions into sentences."""

    @property
    def faults(self) -> Mapping[str, Sentence]:
        """Sentences for questions to the solved game that cannot be read, by the code of the BadNotation."""

    def score(self, language: Language, game: Any, score: int) -> str:
        """Return a turn's score in a word."""

    def refusal(self, language: Language, game: Any, rule: str, facts: Mapping[str, Any]) -> str | None:
        """Return the reason why the rules forbid a move, and the moves they allow. None if the sentence for all games
        is used.
        """


NOTATION: dict[str, Sentence] = {
    "face": "Dice show 1 to 6.",
    "other-face": "These dice show {shown}.",
    "seat": "No player here has that name. At the table: {names}.",
    "game": "There's no game of that name. Choose {games}.",
    "times": 'Write how many matches: 1 to {most}, or "best of 3".',
    "option": '"{key}" can be {choices}.',
    "seats": "This game is for {range} players.",
    "format": "There's no such format. Choose {formats}.",
    "format-number": "Enter a number: {range}.",
    "format-words": 'That is too much: this format is written "{shape}".',
    "format-switch": '"{word}" changes nothing by itself. Write "{shape}".',
    "format-game": "This game is played as {formats}.",
    "opener": "The opener can be {openers} here.",
    "first-draw": 'Write "draw" for who goes first, or leave it out.',
    "first": "The first to open can be {seats}.",
    "name-missing": "A name is missing.",
    "name-empty": 'A name is missing. Put commas between names: "Ann, Bob".',
    "name-long": "That name is too long. Use up to {longest} letters, or fewer with emoji.",
    "name-characters": "A name has letters, digits or emoji, with spaces or - ' . _ & + / between them.",
    "text-newer": "This text has a sign that this device does not know yet. Check it on a newer one.",
    "name-script": "Write your name in one alphabet that is in everyday use.",
    "name-reserved": "That word means something else here. Pick another name.",
    "name-twice": "Two players have the same name.",
    "dice": 'The dice are "house", "real" or "sealed".',
    "seat-seed": "A seed is 1 to {longest} letters from A to Z and digits.",
    "option-game": '{title} has no house rule called "{key}". Choose {options}.',
    "no-options": '{title} has no house rule called "{key}". It has none.',
    "number": "Enter a whole number.",
    "names-many": "That is too many players: the most is {most}.",
    "seed": "A seed is a word or a number, of {longest} characters at most.",
    "unsolved": "{title} is not solved here.",
    "bot": "There's no bot of that name. Choose {bots}.",
    "number-range": "Enter a number: {range}.",
    "people-none": "A person has to play. Leave a seat for one.",
    "perfect-seats": "The perfect bot plays with up to {most} players.",
    "dice-together": "Locked and rolled dice are {total} together, not {got}.",
    **WRITTEN,
}
"""Sentences for a BadNotation that can occur with any game, by its code."""

RULES: dict[str, Sentence] = {
    "no-roll": "You can't roll now.",
    "no-choice": "There is nothing to choose now.",
    "not-open": "You can't do that now. Choose one of your moves.",
    "roll-count": (
        "Enter one die, not {got}.",
        "Enter {number} dice, not {got}.",
        "due",
    ),
    "no-keep": "You can't keep anything yet. Roll first.",
    "keep-one": "Keep at least one of the dice just rolled: {free}.",
    "all-stay": "The turn ends with this roll: all dice stay.",
    "not-free": "{dice} is not among the dice just rolled: {free}.",
    "bank-early": (
        "Too early to bank: one of the dice just rolled is not kept. Keep it too, or roll it again.",
        "Too early to bank: {number} of the dice just rolled are not kept. Keep them too, or roll them again.",
        "undecided",
    ),
    "no-draw": "Player 1 has already been drawn.",
    "no-seat": "There's no such seat.",
    "draw-first": "Draw Player 1 first.",
    "match-over": "The game is over. You can't play on.",
    "turn": "It's {mover}'s turn next.",
    "round": "This is round {number}.",
    "round-under-way": "That round has already started.",
    "turn-over": "That turn is over. The next player starts a new line.",
    "score": "That turn came to {score}.",
    "faces": "Dice show 1 to 6.",
    "other-faces": "These dice show {shown}.",
    "nothing-to-take-back": "There's nothing to undo.",
    "back": "No choice of that player can be taken back here.",
    "dice-seen": "Those dice have been seen. They come first, as they fell: {seen}.",
    "not-markable": "You can only choose dice that are free, each one once.",
    "score-early": "Put the score at the end of the turn.",
    "cannot-happen": "That can't have happened here.",
}
"""Sentences for an IllegalAction that can occur with any game, by its code (the broken rule)."""

MOST_SHOWN = 8
"""The most dice that a refusal reads out, even if a player typed more."""


def localized_facts(facts: Mapping[str, object], language: Language) -> dict[str, object]:
    """Return facts ready for a sentence.

    Dice become words, and a game's title is translated. Words are joined by "or", except ``names``, which are joined by
    "and". ``least`` and ``most`` make a fact ``range`` besides.
    """
    told: dict[str, object] = {}
    if {"least", "most"} <= facts.keys():
        told["range"] = language.range(facts["least"], facts["most"])
    for key, value in facts.items():
        if isinstance(value, OwnSentence):
            told[key] = language.say(value)
        elif not isinstance(value, tuple):
            told[key] = value
        elif value and all(isinstance(item, str) for item in value):
            items = [language.say(item) if isinstance(item, OwnSentence) else item for item in value]
            told[key] = language.join(items, "{some} and {last}" if key == "names" else "{some} or {last}")
        else:
            told[key] = faces(value[:MOST_SHOWN]) + (" …" if len(value) > MOST_SHOWN else "")
    return told


def bad_notation(
    language: Language, fault: str, facts: Mapping[str, object], own: Mapping[str, Sentence] = NOTATION
) -> str:
    """Return the sentence for text that does not parse. A sentence in ``own`` (a game's or the house's) takes
    precedence.
    """
    return language.tell(own.get(fault) or NOTATION[fault], localized_facts(facts, language))


def illegal_action(language: Language, words: Refusing, game: Any, rule: str, facts: Mapping[str, object]) -> str:
    """Return the sentence for a move that the rules forbid: the game's own, or else the sentence for all games."""
    if rule == "score" and isinstance(score := facts.get("score"), int):
        facts = {**facts, "score": words.score(language, game, score)}
    own = words.refusal(language, game, rule, facts)
    return own if own is not None else language.tell(RULES[rule], localized_facts(facts, language))


ISOLATES = dict.fromkeys(map(ord, f"{START}{END}"))
"""A table that deletes Unicode isolates. Pages put them around names, but many terminals show them as boxes."""


def printable(text: str) -> str:
    """Return the text made safe for a terminal. Control characters are replaced, and Unicode isolates removed."""
    text = text.translate(ISOLATES)
    if text.isprintable():
        return text
    return "".join(piece if is_printable(piece) else "\N{REPLACEMENT CHARACTER}" for piece in pieces(text))


def shorten(text: str, longest: int = 40) -> str:
    """Return a text cut to ``longest`` characters and made ``printable``. If it was longer, it ends with "…"."""
    return printable(text if len(text) <= longest else text[: longest - 1] + "…")


OPENERS = {
    "rotate": "the next player to the left",
    "fixed": "always the same player",
    "winner": "the winner of the last round",
    "loser": "the worst score of the last round",
}
"""For each opener rule, the player who opens the next round."""
BOTS = {
    "tip": "follows the tips printed with the rules",
    "lucky": "picks at random",
    "steady": "goes for the best average",
    "cautious": "plays it safe",
    "bold": "takes risks",
    "perfect": "plays perfectly",
}
"""For each policy, its way to play. A game may have further policies."""
