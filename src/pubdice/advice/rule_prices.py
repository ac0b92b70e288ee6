"""The prices of a match's rules in a language: the value of each choice, and a sentence on the fairest order.

An *order* is a rule for the next opener with a number of rounds or lives. It is the fairest if the seats' values differ
least.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pubdice.advice.rule_variants import (
    FAIR,
    NOW,
    MatchRules,
    PricedRules,
    Worth,
    advantage,
    comparable,
    is_of_match,
    most_even,
    spread,
)
from pubdice.failures import no_solution
from pubdice.kit import Kit
from pubdice.text.game_words import CHANCES, UNITS, values_of
from pubdice.text.language import OPENERS, Language, sentence

DIGITS = 3  # decimals of values that are not chances

SMALL = 0.00005  # below this chance, as many decimals are shown as the chance needs to differ from 0

MINUS = "\N{MINUS SIGN}"

WORTHS = {
    "share": "Share of the match",
    "pot": "Share of the pot",
    "win": "Chance to win",
    "buy": "Chance to buy",
    "round_wins": "Wins in one round",
    "chips": "Chips",
    "score": "Points",
    "value": "Worth",
}
"""The heading of the seats' values, by their key in plain data. If a format has a stake, a share is a share
of the pot.
"""


@dataclass(frozen=True, slots=True)
class PricedChoice:
    """One of the matches that are compared, with its values in words."""

    rules: MatchRules
    label: str  # the rule in which the match differs from the other matches
    now: bool  # True for the match with the present rules
    worth: str = ""  # the heading of the values, such as "Chance to win"
    values: tuple[str, ...] = ()  # each seat's value in turn order, in words, () if there is no answer
    lengths: tuple[float, ...] = ()  # the lengths of the seats' bars, from 0 to 1
    even: float = 0.0  # the length of a bar that shows an even share
    difference: str = ""
    """The first seat's value less its value in the present match, with its sign. If the numbers of seats differ, both
    values are counted from an even share. "" if the two matches cannot be compared."""
    spread: str = ""
    beside: str = ""
    """The text beside the choice in the form for a new match. "" if the choice has no answer for the same reason as the
    present match."""
    why: str = ""  # the reason if there is no answer
    data: Mapping[str, Any] | None = None  # the answer as ``odds --json`` prints it, or the refusal


@dataclass(frozen=True, slots=True)
class PricedPart:
    """A part of the page: a rule with its choices, the present match, or the fairest order."""

    name: str
    title: str
    lead: str  # a sentence, or ""
    choices: tuple[PricedChoice, ...]
    best: int | None = None  # the index of the fairest choice, None in other parts


def price_part(kit: Kit, name: str, rules: MatchRules, priced: PricedRules, language: Language) -> PricedPart:
    """Put a part into words, from its computed values.

    The first match in ``priced`` is the present match. The other matches belong to the part.
    """
    part = _Part(kit, name, rules, priced.found[0], language)
    rows = list(zip(priced.matches, priced.found, strict=True))
    if name not in (NOW, FAIR):
        rows = rows[1:]
    choices = tuple(part.choice(each, worth) for each, worth in rows)
    if name == NOW:
        return PricedPart(name, language.say("As the rules are now"), "", choices)
    if name == FAIR:
        best = most_even([worth for _, worth in rows])
        return PricedPart(name, language.say("Fair order"), _fairest(kit, choices, best, language), choices, best)
    lead = kit.price_note(name, rules, language)
    if name == "seats":
        lead = language.say(
            "With more players an even share is smaller. The difference counts what Player 1 has above or below it."
        )
    return PricedPart(name, _title(kit, name, language), lead, choices)


@dataclass(frozen=True, slots=True)
class _Part:
    """The texts of one part of the page. ``now`` is the worth of the present match."""

    kit: Kit
    name: str
    rules: MatchRules
    now: Worth
    language: Language

    def choice(self, each: MatchRules, worth: Worth) -> PricedChoice:
        language, now = self.language, self.now
        label, is_now = _label(self.kit, self.name, each, language), dict(each) == dict(self.rules)
        if not isinstance(worth, dict):
            why = no_solution(language, worth, self.kit.words)
            code = getattr(worth, "code", "too-large")
            here = isinstance(self.now, dict) or why != no_solution(language, self.now, self.kit.words)
            data = {"code": code, "why": why}
            return PricedChoice(each, label, is_now, beside=why if here else "", why=why, data=data)
        key, values = values_of(worth)
        top = max(*values, 0.0) or 1.0
        difference = ""
        if not is_now and isinstance(now, dict) and comparable(worth, now):
            difference = _changed(language, key, worth, now, alike=each["seats"] == self.rules["seats"])
        return PricedChoice(
            each,
            label,
            is_now,
            worth=self._worth(each, worth),
            values=tuple(_said(language, key, value) for value in values),
            lengths=tuple(max(0.0, value) / top for value in values),
            even=max(0.0, sum(values) / len(values)) / top,
            difference=difference,
            spread=_said(language, key, spread(worth)),
            beside=self._form_note(each, worth, difference),
            data=worth,
        )

    def _worth(self, each: MatchRules, worth: Mapping[str, Any]) -> str:
        key = values_of(worth)[0]
        staked = key == "share" and self.kit.format(each["format"]).stake
        return self.language.say(WORTHS["pot" if staked else key])

    def _form_note(self, each: MatchRules, worth: Mapping[str, Any], difference: str) -> str:
        """Return the first seat's value with its difference, in words.

        If the present match has another kind of values, add the kind.
        """
        key, values = values_of(worth)
        kind = self._worth(each, worth)
        other = isinstance(self.now, dict) and kind != self._worth(self.rules, self.now)
        more = ", ".join(filter(None, [kind if other and key not in UNITS else "", difference]))
        said = f"{self.language.say('Player 1')}: {_said(self.language, key, values[0])}"
        return f"{said} ({more})" if more else said


def _changed(language: Language, key: str, worth: Mapping[str, Any], now: Mapping[str, Any], *, alike: bool) -> str:
    """Return the difference to the present match, with its sign. ``alike``: both matches have equally many seats."""
    more = values_of(worth)[1][0] - values_of(now)[1][0] if alike else advantage(worth) - advantage(now)
    if abs(more) <= 2 * (worth["bound"] + now["bound"]):
        return language.say("no change")
    return ("+" if more > 0 else MINUS) + _said(language, key, abs(more))


def _said(language: Language, key: str, value: float) -> str:
    if key in CHANCES:
        digits = next((digits for digits in range(3, 13) if round(100 * value, digits)), 0)
        return language.per_cent(value, digits if 0 < value < SMALL else None)
    number = language.number(value, DIGITS).replace("-", MINUS)
    return language.say(UNITS[key], amount=number) if key in UNITS else number


def _title(kit: Kit, name: str, language: Language) -> str:
    if name == "opener":
        return language.say("Who starts the next round")
    if name == "format":
        return language.say("Match")
    if name == "seats":
        return language.say("Players")
    return sentence(language.say(next(option.meaning for option in kit.options if option.key == name)))


def _label(kit: Kit, name: str, rules: MatchRules, language: Language) -> str:
    if name == "seats":
        return language.count("{number} player", "{number} players", int(rules["seats"]))
    if name == "opener":
        return sentence(language.say(OPENERS[rules["opener"]]))
    form = kit.format(rules["format"])
    if name in ("format", NOW):
        return sentence(kit.format_rules(form, language))
    if name == FAIR:
        return sentence(_order(kit, rules, language))
    option = next(option for option in kit.options if option.key == name)
    return sentence(language.say(option.told(rules[name])))


def _order(kit: Kit, rules: MatchRules, language: Language) -> str:
    """Return, in words, the number of rounds or lives and, if there is a next round, the rule for its opener."""
    form = kit.format(rules["format"])
    said = kit.format_rules(form, language)
    if "opener" not in rules or form.is_one_round:
        return said
    return language.say("{format}, next to start: {who}", format=said, who=language.say(OPENERS[rules["opener"]]))


def _fairest(kit: Kit, choices: tuple[PricedChoice, ...], best: int | None, language: Language) -> str:
    if best is None:
        return language.say("None of these orders is solved, so they can't be compared.")
    found = choices[best]
    facts = {"value": found.values[0], "spread": found.spread}
    if found.now:
        text = "These rules are the fairest. Player 1 has {value}. The best and the worst place are {spread} apart."
        return language.say(text, **facts) + _left_out(choices, language)
    text = "Fairest: {order}. Player 1 then has {value}. The best and the worst place are {spread} apart."
    return language.say(text, order=_order(kit, found.rules, language), **facts) + _left_out(choices, language)


def _left_out(choices: tuple[PricedChoice, ...], language: Language) -> str:
    """Return a sentence that some choices have no answer for the whole match, or "" if all choices have one.

    The sentence begins with a space, because it follows another.
    """
    known = sum(choice.data is not None and not choice.why and is_of_match(choice.data) for choice in choices)
    if known == len(choices):
        return ""
    text = "Solved for the whole match: {number} of {of} orders."
    return " " + language.say(text, number=known, of=len(choices))
