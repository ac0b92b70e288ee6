"""Variants of a match's rules, with the value of each variant to every seat.

A variant changes one rule, or the order: the rule for the next opener, with the number of rounds or lives. Unlike
``price_list.price``, this module starts from any match, not from the default one. Every number is the same as ``pubdice
odds --json`` prints for the same flags.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pubdice.advice.asked_match import (
    asked_format,
    asked_opener,
    asked_options,
    least_seats,
    numbers_compared,
    written,
)
from pubdice.advice.questions import question
from pubdice.core.dice import whole_number
from pubdice.core.errors import BadNotation, Failure, Unsolved
from pubdice.kit import Kit
from pubdice.match.formats import REPLAY, ROLL_OFF, Format
from pubdice.solve.choose import one_turn_each
from pubdice.text.game_words import values_of

NOW, FAIR = "now", "fair"  # the parts of a page that are not rules: the present match and the fairest order

NEAR = 2  # the most numbers that are compared on each side of the present number

FAIR_NUMBERS = (1, 2, 3, 5, 10)
"""Numbers of rounds or lives to compare for a fair order. The present number, the number of seats, and twice the number
of seats are compared too.
"""

ONE_ROUND = "one round at a time"
"""The end of a utility's name, if the solver looks at one round only. Such values cannot compare orders of rounds."""

MatchRules = Mapping[str, str]
"""A match as flags: each house rule, seats, format, and the opener if the format has a choice of openers."""

# the output of ``odds --json``, or the error that explains why there is none
Worth = dict[str, Any] | Failure | MemoryError


def match_rules(kit: Kit, given: MatchRules) -> dict[str, str]:
    """Return the match that the flags describe, with defaults for all other flags. Raises BadNotation."""
    options = asked_options(kit, given)
    game, form = kit.build(options), asked_format(kit, given)
    least = least_seats(game.least_seats)
    text = given.get("seats", str(least))
    seats = whole_number(text)
    if seats is None or not least <= seats <= game.most_seats:
        raise BadNotation("seats", found=text, least=least, most=game.most_seats)
    return _with_format({**options, "seats": str(seats), "opener": asked_opener(form, given)}, form)


def parts(kit: Kit, rules: MatchRules) -> tuple[str, ...]:
    """Return the names of a page's parts, in order: the present match, the fair order, and each rule.

    The fair order, or a rule, is left out if it has no choice.
    """
    fair = (FAIR,) if len(orders(kit, rules)) > 1 else ()
    return (NOW, *fair, *changes(kit, rules))


def compared(kit: Kit, rules: MatchRules, part: str) -> tuple[MatchRules, ...]:
    """Return the matches that a part compares. Raises KeyError if this match has no such part."""
    if part == NOW:
        return (rules,)
    return orders(kit, rules) if part == FAIR else changes(kit, rules)[part]


def changes(kit: Kit, rules: MatchRules) -> dict[str, tuple[MatchRules, ...]]:
    """Return each rule with a match for each of its choices, all other rules as they are.

    Rules without a choice are left out.

    Formats are compared for numbers near the present number, and with tied rounds played again or not. Formats of
    another kind are compared with their default numbers. Seats are compared for one fewer and one more.
    """
    game, form = kit.build(rules), kit.format(rules["format"])
    seats, least, most = int(rules["seats"]), least_seats(game.least_seats), game.most_seats
    formats = [*_near(kit, form), *(kind.usual for kind in kit.formats if kind.name != form.kind.name)]
    every: dict[str, tuple[MatchRules, ...]] = {
        **{
            option.key: tuple(
                {**rules, option.key: choice} for choice in dict.fromkeys((*option.choices, rules[option.key]))
            )
            for option in kit.options
        },
        "opener": tuple({**rules, "opener": opener} for opener in _openers(form)),
        "format": tuple(_with_format(rules, other) for other in formats),
        "seats": tuple({**rules, "seats": str(n)} for n in range(seats - 1, seats + 2) if least <= n <= most),
    }
    return {rule: choices for rule, choices in every.items() if len(choices) > 1}


def orders(kit: Kit, rules: MatchRules) -> tuple[MatchRules, ...]:
    """Return the candidates for a fair order: each rule for the next opener with each number of rounds or lives.

    If the format has a switch instead of a number, both settings are tried. There are at most 4 opener rules with 8
    numbers. For a single round there is no next opener, so it is one candidate. No candidate gives a player a head
    start (lives, chips or points), because no format can.
    """
    form, seats = kit.format(rules["format"]), int(rules["seats"])
    counted = _counted(kit, form)
    at = next((at for at in counted if form.kind.fields[at].named), next(iter(counted), None))
    numbers = (0, 1) if at is not None and form.kind.fields[at].named else sorted({*FAIR_NUMBERS, seats, 2 * seats})
    forms = [form] if at is None else [_renumbered(form, at, number) for number in numbers]
    by_numbers = {one.numbers: one for one in [form, *forms] if one is not None}
    found = [
        _with_format({**rules, "opener": opener}, by_numbers[each])
        for each in sorted(by_numbers)
        for opener in (_openers(by_numbers[each]) or (rules.get("opener", ""),))
    ]
    return tuple({tuple(one.items()): one for one in [rules, *found]}.values())


def _openers(form: Format) -> tuple[str, ...]:
    return () if form.is_one_round else form.openers


def _with_format(rules: MatchRules, form: Format) -> dict[str, str]:
    """Return the rules with another format. An opener that it does not allow becomes the format's default."""
    opener = rules.get("opener", form.openers[0])
    found = {**{key: text for key, text in rules.items() if key != "opener"}, "format": written(form)}
    if len(form.openers) > 1:
        found["opener"] = opener if opener in form.openers else form.openers[0]
    return found


def _near(kit: Kit, form: Format) -> list[Format]:
    """Return the format with each of its numbers varied a little, and with or without a replay, in order.

    The present format is included.
    """
    found = {form.numbers: form}
    for at, field in enumerate(form.kind.fields):
        now = form.numbers[at]
        if field.word == REPLAY and (other := _renumbered(form, at, 1 - now)) is not None:
            found[other.numbers] = other
        if at not in _counted(kit, form):
            continue
        beside = (now - 1, now + 1) if field.control == "choice" else (now // 2,)
        others = sorted({*numbers_compared(field), *beside})
        fewer = [number for number in others if field.least <= number < now][-NEAR:]
        more = [number for number in others if now < number <= field.most][:NEAR]
        for number in (*fewer, *more):
            other = _renumbered(form, at, number)
            if other is not None:
                found[other.numbers] = other
    return [found[numbers] for numbers in sorted(found)]


def _counted(kit: Kit, form: Format) -> list[int]:
    """Return the indices of the numbers that are worth comparing.

    A stake is not worth it, because it only scales the winnings. Nor is a roll-off, because it gives equal chances. A
    replay is no number, so ``_near`` compares it by itself. For a pot in a game of one turn a seat, no number is worth
    it: one pot, carried until a seat wins it, stands for any match for pots (``odds``).
    """
    if form.stake and one_turn_each(kit.usual_game):
        return []
    fields = [(at, field) for at, field in enumerate(form.kind.fields) if field.word not in (ROLL_OFF, REPLAY)]
    return [at for at, field in fields if _stake(form, at, field.least) == _stake(form, at, field.most)]


def _stake(form: Format, at: int, number: int) -> int:
    other = _renumbered(form, at, number)
    return form.stake if other is None else other.stake


def _renumbered(form: Format, at: int, number: int) -> Format | None:
    """Return the format with another number at one index. None if the number is out of bounds."""
    field = form.kind.fields[at]
    if not field.least <= number <= field.most:
        return None
    return form.kind.build(*form.numbers[:at], number, *form.numbers[at + 1 :])


def worth(kit: Kit, rules: MatchRules) -> Worth:
    """Return the output of ``odds --json`` for a match.

    If the match has no odds, return the error instead of raising it.
    """
    asked = question(kit, "odds")
    if asked is None:
        return Unsolved("no-solver", title=kit.words.title)
    try:
        found: dict[str, Any] = asked.answer(rules).data()
        return found
    except BadNotation as error:
        # These rules can be played, so a refusal of a flag only means that the match is not solved.
        if error.facts.get("flag") == "seats":
            return Unsolved("too-many-seats", title=kit.words.title, most=error.facts["most"])
        return Unsolved("order-seats") if error.code == "opener" else error
    except (Unsolved, MemoryError) as error:
        return error


@dataclass(slots=True)
class PricedRules:
    """The matches of one part, computed one at a time, so other questions can be answered in between."""

    matches: Sequence[MatchRules]
    of: Callable[[MatchRules], Worth]  # computes the worth of a match
    found: list[Worth]  # the worths so far, the present match first

    def go_on(self) -> bool:
        """Compute the worth of one more match. Return True once all are done."""
        if len(self.found) < len(self.matches):
            self.found.append(self.of(self.matches[len(self.found)]))
        return len(self.found) == len(self.matches)


def is_of_match(data: Mapping[str, Any]) -> bool:
    """Return True if the values belong to the whole match, not to one of its rounds."""
    return not str(data["utility"]).endswith(ONE_ROUND)


def comparable(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return True if two matches have values of the same kind."""
    return values_of(one)[0] == values_of(other)[0] and is_of_match(one) == is_of_match(other)


def advantage(data: Mapping[str, Any]) -> float:
    """Return the first player's value less an even share."""
    values = values_of(data)[1]
    return values[0] - sum(values) / len(values)


def spread(data: Mapping[str, Any]) -> float:
    """Return the greatest value less the least. If it is 0, the match is even."""
    values = values_of(data)[1]
    return max(values) - min(values)


def most_even(found: Sequence[Worth]) -> int | None:
    """Return the index of the match with the least spread. None if no match can be compared.

    Only answers for a whole match are compared, and only if their values are of the same kind as in the first such
    answer. Chips, for example, cannot be compared with shares. If spreads differ by less than their error bounds, the
    earlier match counts.
    """
    known = [(at, each) for at, each in enumerate(found) if isinstance(each, dict) and is_of_match(each)]
    known = [(at, each) for at, each in known if comparable(each, known[0][1])]
    if not known:
        return None
    best, data = known[0]
    for at, each in known[1:]:
        if spread(each) < spread(data) - 2 * (each["bound"] + data["bound"]):
            best, data = at, each
    return best
