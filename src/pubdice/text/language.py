"""Finds a sentence in a language; and has the sentences for errors that any game can raise.

English sentences are the keys of the catalogue (gettext's habit), so a translation is a catalogue and no code. Knows no
rules: a refusal comes in as a code with facts, and goes out as a sentence that says why and what would be right.
"""

from collections.abc import Iterable, Mapping, Sequence
from gettext import NullTranslations
from typing import Any, Protocol
from unicodedata import bidirectional

RIGHT_TO_LEFT = ("R", "AL", "AN")
Sentence = str | tuple[str, str, str]
"""A sentence; or its singular and plural, with the name of the fact that decides between them."""


class Language:
    """A language to speak: a gettext catalogue; without one, English.

    code: as in HTML's ``lang``. point: the decimal point.
    """

    def __init__(self, catalogue: NullTranslations | None = None, code: str = "en", point: str = ".") -> None:
        self._catalogue, self._point, self.code = catalogue or NullTranslations(), point, code
        self._known: dict[str, str] = {}  # sentences of our own, so as many as there are in the source

    def say(self, sentence: str, **facts: object) -> str:
        """The sentence in this language, with its ``{named}`` facts filled in."""
        text = self._known.get(sentence)
        if text is None:
            text = self._known[sentence] = self._catalogue.gettext(sentence)
        if not facts:
            return text.format()
        for fact in facts.values():
            if isinstance(fact, str) and not fact.isascii():
                return text.format_map(_isolated(facts))
        return text.format_map(facts)

    def count(self, one: str, many: str, number: int, **facts: object) -> str:
        """The singular or the plural, as the number requires; it is ``{number}`` in both."""
        return self._catalogue.ngettext(one, many, number).format(number=number, **_isolated(facts))

    def tell(self, sentence: Sentence, facts: Mapping[str, Any]) -> str:
        """A sentence from a table, filled in; of a singular and a plural, the one its fact requires."""
        if isinstance(sentence, str):
            return self.say(sentence, **facts)
        one, many, fact = sentence
        return self.count(one, many, facts[fact], **facts)

    def about(self, named: str, you: str, name: str, **facts: object) -> str:
        """The sentence about somebody with ``{name}``; if the name is empty, the one to them, with "you"."""
        return self.say(named, name=name, **facts) if name else self.say(you, **facts)

    def about_all(self, named: str, you: str, names: Sequence[str], **facts: object) -> str:
        """The sentence about several with ``{names}``; if one name is empty, the one with "you and {names}"."""
        others = [name for name in names if name]
        return self.say(named if len(others) == len(names) else you, names=self.join(others), **facts)

    def join(self, items: Iterable[str], last: str = "{some} and {last}") -> str:
        """A list in words: ``Ann, Bob and Cid``."""
        *some, final = items
        return self.say(last, some=", ".join(some), last=final) if some else final

    def number(self, value: float, digits: int) -> str:
        """A number with so many decimals, and this language's decimal point."""
        return f"{value:.{digits}f}".replace(".", self._point)

    def whole(self, number: int) -> str:
        """A whole number with its thousands parted: by a comma, or by a point where the comma is the decimal point."""
        return f"{number:,}".replace(",", "," if self._point == "." else ".")

    def per_cent(self, chance: float) -> str:
        """A chance as it is read out, as this language writes it."""
        return per_cent(chance).replace(".", self._point)


QUOTED = "found"
"""The fact that holds typed text. It is never isolated: it stands in quotation marks, and terminals show isolates as
rubbish.
"""


def isolate(text: str) -> str:
    """A text that reads from right to left in Unicode isolates, so that the sentence round it stays in order.

    >>> isolate("Ann"), isolate("\u05d0\u05e0") == "\u2068\u05d0\u05e0\u2069"
    ('Ann', True)
    """
    if text.isascii() or not any(bidirectional(char) in RIGHT_TO_LEFT for char in text):
        return text
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"


def _isolated(facts: dict[str, Any]) -> dict[str, Any]:
    """The facts, changed in place: each text that needs isolates has them. Nearly none does, so none is copied."""
    for key, fact in facts.items():
        if isinstance(fact, str) and not fact.isascii() and key != QUOTED:
            facts[key] = isolate(fact)
    return facts


def faces(hand: Iterable[int]) -> str:
    """Dice as they are read out.

    >>> faces((1, 4, 6))
    '1 4 6'
    """
    return " ".join(map(str, hand))


def per_cent(chance: float) -> str:
    """A chance as it is read out.

    >>> per_cent(0.9567), per_cent(0.0004)
    ('95.7 %', '0.04 %')
    """
    return f"{chance:.1%}".replace("%", " %") if chance >= 0.001 or chance == 0 else f"{chance:.2%}".replace("%", " %")


def difference(best: Mapping[str, float], other: Mapping[str, float], fact: str, least: float) -> float:
    """How much more of a fact an action has than the best; 0.0 if it is less than a word is worth, or not known.

    >>> difference({"beat": 0.5}, {"beat": 0.25}, "beat", 0.005), difference({}, {"beat": 0.25}, "beat", 0.005)
    (-0.25, 0.0)
    """
    change = other[fact] - best[fact] if fact in best and fact in other else 0.0
    return 0.0 if abs(change) < least else change


def weighed(language: Language, gains: Iterable[str], costs: Iterable[str]) -> str:
    """A clause with what an action gains and what it costs; empty without any cost, as that would be no reason.

    >>> weighed(Language(), ["0.6 to the mean score"], ["4.0 % of qualifying"])
    'it adds 0.6 to the mean score but costs 4.0 % of qualifying'
    """
    gain_texts, cost_texts = list(gains), list(costs)
    if not cost_texts:
        return ""
    cost = language.join(cost_texts)
    if not gain_texts:
        return language.say("it costs {cost}", cost=cost)
    return language.say("it adds {gain} but costs {cost}", gain=language.join(gain_texts), cost=cost)


def sentence(text: str) -> str:
    """The text with its first letter large: names such as "you" begin sentences too."""
    return text[:1].upper() + text[1:]


def one_line(sentences: Iterable[str]) -> str:
    """Sentences that belong together, heard in one go."""
    return " ".join([text[:1].upper() + text[1:] for text in sentences])


def stopped(text: str) -> str:
    """A heading as a sentence: with a full stop, unless it ends with ".", "!" or "?"."""
    return text if text.endswith((".", "!", "?")) else text + "."


class Refusing(Protocol):
    """What a game says if its rules forbid something, or if it cannot read a question."""

    @property
    def faults(self) -> Mapping[str, Sentence]:
        """Sentences for questions to the solved game that cannot be read, by the code of the BadNotation."""

    def score(self, language: Language, game: Any, score: int) -> str:
        """A turn's score in a word."""

    def refusal(self, language: Language, game: Any, rule: str, facts: Mapping[str, Any]) -> str | None:
        """Why the rules forbid it and what would be allowed; None for a rule that is not this game's own."""


NOTATION: dict[str, Sentence] = {
    "empty": 'There is nothing to read. A record starts with the line "pubdice 1".',
    "version": 'A record starts with the line "{version}".',
    "header-line": (
        'A header line is a word, a colon and a value, such as "game: midnight"; turns come after "round 1".'
    ),
    "header-twice": 'The header says "{key}" twice.',
    "header-empty": 'The header line "{key}" has no value.',
    "header-missing": 'The header lacks a line "{key}: …".',
    "header-key": ('No header line is called "{key}": it is {keys}. Turns come after a line "round 1".'),
    "line": 'A line of a record is "round 1", "draw NAME", or a name, a colon and what that seat rolled and kept.',
    "after-score": "Nothing comes after the score of a turn: the next turn is a new line.",
    "face": "Dice show 1 to 6.",
    "round-number": 'A round has a number, such as "round 1".',
    "score-number": 'A score is a whole number, such as "= 20".',
    "word": 'Here stands a roll ("344512"), an action (a word) or a score ("= 20").',
    "action": "An action of this game is written like {shape}.",
    "seat": "Nobody here has that name. At the table: {names}.",
    "game": "There's no game of that name. Choose {games}.",
    "times": 'Write how many matches: 1 to {most}, or "best of 3".',
    "option": '"{key}" can be {choices}.',
    "seats": "This game is for {least} to {most} players.",
    "format": "There's no such format. Choose {formats}.",
    "format-number": "Enter a number from {least} to {most}.",
    "format-words": 'That is too much: this format is written "{shape}".',
    "format-game": "This game is played as {formats}.",
    "opener": "The opener can be {openers} here.",
    "first-draw": 'Write "draw" for who goes first, or leave it out.',
    "first": "The first to open is {seats}.",
    "name-missing": "A name is missing.",
    "name-empty": 'A name is missing. Put commas between names: "Ann, Bob".',
    "name-long": "That name is too long. Use up to {longest} letters.",
    "name-characters": "Use letters and digits for a name, with spaces or - ' . _ & between them.",
    "name-script": "Write your name in one alphabet that is in everyday use.",
    "name-reserved": "That word means something else here. Pick another name.",
    "name-twice": "Two players have the same name.",
    "event": "The log holds something that is no event.",
    "dice": 'The dice are "house", "real" or "sealed".',
    "night": "A duplicate night is a code of capital letters and 16 hex digits.",
    "seal": "A seal is a chain, a number and 64 hex digits.",
    "house-seed": "The seed of a house is 64 hex digits.",
    "seat-digest": "The digest of a seed is 64 hex digits.",
    "sealed-header": "The lines about the sealed dice are not as a house writes them.",
    "seat-seed": "A seed is 1 to {longest} letters from A to Z and digits.",
    "option-game": '{title} has no house rule called "{key}".',
    "number": "Enter a whole number.",
    "file": "Couldn't read that: {reason}.",
    "file-large": "That file is too long for a record: the most is {most} MB.",
    "record-long": "No match is as long as this record: the most is {most} words.",
    "names-many": "That is too many players: the most is {most}.",
    "file-text": "That is no text in UTF-8: byte {at} is wrong.",
    "seed": "A seed is a word or a number, of {longest} characters at most.",
    "unsolved": "{title} is not solved here.",
    "no-card": "There is no card for {title} yet.",
    "advise-record": "Name a record that ends where you have to choose: a file, the number of a saved game, or -.",
    "advise-flag": "--{flag} does not go with a record: the record says it all.",
    "record-game": "That is a record of {other}, not of {title}.",
    "decision-number": "There is no decision {found}: this match has {most}.",
    "no-decision": "That record doesn't end where somebody has to choose.",
    "day": "That is no date. Write it like 2025-11-20.",
    "day-future": "That day is still to come.",
    "day-early": "Last orders began on {day}.",
    "no-position": "No turn comes to these dice.",
    "flag-number": "--{flag} is a whole number from {least} to {most}.",
    "flag-dice": "--{flag} is dice, such as 6,5,2: digits 1 to 6.",
    "seats-solved": "This is solved for {least} to {most} seats.",
    "flag-missing": "--{flag} is missing.",
    "bot": "There's no bot of that name. Choose {bots}.",
    "number-range": "Enter a number from {least} to {most}.",
    "people-none": "Somebody has to play. Leave a seat for a person.",
    "perfect-seats": "The perfect bot plays with up to {most} players.",
    "flag-only": "--{flag} goes with --{other} only.",
    "flag-beside": "--{flag} does not go with --{other}.",
    "flag-with": "--{flag} does not go with --{other}, --format or --opener.",
    "dice-together": "Locked and rolled dice are {total} together, not {got}.",
    "hands": "There are at least two hands, such as --hands {shape}; - stands for a seat that has not rolled.",
    "hand-dice": (
        "A hand has {number} die, or is - for a seat that has not rolled.",
        "A hand has {number} dice, or is - for a seat that has not rolled.",
        "due",
    ),
    "hand-won": "That hand has won already: it totals {total}.",
    "hand-order": "Nobody can have missed a turn: those who haven't rolled come first, up to Player 1.",
    "player-one-order": "Player 1 must be the first of the hands that have rolled.",
    "flag-numbers": "--{flag} is whole numbers with commas between, such as 2,0.",
    "flag-one-round": "--{flag} is for this round alone. In a match, give --scores.",
    "standing-number": "--{flag}: each number is from {least} to {most}.",
    "standing-each": "--{flag} has one number for each player, {least} to {most} of them.",
    "standing-pot": (
        "--{flag} doesn't add up. Everyone has paid {paid} so far, nobody takes anything but whole pots of {together} "
        "or a multiple of it, and the rest is in the pot."
    ),
    "standing-over": "That match is over already.",
    "standing-opener": "The first player opened this round, so that player has to be in it.",
    "standing-scores": "--{flag}: at most {most}, as you haven't finished your turn.",
    "standing-score": "--{flag}: no turn comes to such a score, or the round is over with it.",
    "goal": "A goal is score, qualify, win, or reach:N or exactly:N with N from {least} to {most}.",
    "to-beat": "A score to beat is 0 or {least} to {most}.",
    "holders": "With a score to beat, say who has it. Without one, leave that out.",
}
"""Sentences for BadNotation that any game can raise, by code."""

RULES: dict[str, Sentence] = {
    "no-roll": "You can't roll now.",
    "no-choice": "There is nothing to choose now.",
    "roll-count": (
        "Enter one die, not {got}.",
        "Enter {number} dice, not {got}.",
        "due",
    ),
    "no-keep": "You can't keep anything yet. Roll first.",
    "keep-one": "Keep at least one of the dice just rolled: {free}.",
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
    "nothing-to-take-back": "There's nothing to undo.",
    "not-markable": "You can only choose dice that are free, each one once.",
    "score-early": "Put the score at the end of the turn.",
    "cannot-happen": "That can't have happened here.",
}
"""Sentences for IllegalAction that any game can raise, by rule."""


MOST_SHOWN = 8
"""The most dice that a refusal reads out, if somebody typed more."""


def told_facts(facts: Mapping[str, object], language: Language) -> dict[str, object]:
    """Facts ready for a sentence: lists of words joined by "or", hands read out."""
    told: dict[str, object] = {}
    for key, value in facts.items():
        if not isinstance(value, tuple):
            told[key] = value
        elif value and all(isinstance(item, str) for item in value):
            told[key] = language.join(value, "{some} and {last}" if key == "names" else "{some} or {last}")
        else:
            told[key] = faces(value[:MOST_SHOWN]) + (" …" if len(value) > MOST_SHOWN else "")
    return told


def bad_notation(
    language: Language, fault: str, facts: Mapping[str, object], own: Mapping[str, Sentence] = NOTATION
) -> str:
    """The sentence for text that does not parse. own: sentences of a game or a house, which come first."""
    return language.tell(own.get(fault) or NOTATION[fault], told_facts(facts, language))


def illegal_action(language: Language, words: Refusing, game: Any, rule: str, facts: Mapping[str, object]) -> str:
    """The sentence for a move that the rules forbid: the game's own, or the one for any game."""
    if rule == "score" and isinstance(score := facts.get("score"), int):
        facts = {**facts, "score": words.score(language, game, score)}
    own = words.refusal(language, game, rule, facts)
    return own if own is not None else language.tell(RULES[rule], told_facts(facts, language))


# Makes text of strangers safe to show: one line, not too long, nothing that moves a cursor. Knows no screen.


ISOLATES = dict.fromkeys(map(ord, "\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"))
"""Unicode isolates, which pages put round a name: many terminals show them as boxes, so they are left out."""


def printable(text: str) -> str:
    """The text without anything that moves a cursor, changes a colour or turns a line round."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text.translate(ISOLATES))


def shown(text: str, longest: int = 40) -> str:
    """The beginning of a text, with "…" where more was left out, fit to be shown."""
    return printable(text if len(text) <= longest else text[: longest - 1] + "…")


# What openers and bots mean, in a line each, by their names in notation. Knows no rules and no game.
#
# These are English keys: the module that offers the choice says them through ``language.Language``.


OPENERS = {
    "rotate": "the next player to the left",
    "fixed": "always the same player",
    "winner": "the winner of the last round",
    "loser": "the worst score of the last round",
}
"""Who opens the next round, by opener."""
BOTS = {
    "tip": "follows the tips printed with the rules",
    "lucky": "picks at random",
    "steady": "goes for the best average",
    "cautious": "plays it safe",
    "bold": "takes risks",
    "perfect": "plays perfectly",
}
"""What bots do, by policy; a game may have others."""
