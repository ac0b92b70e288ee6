"""Price lists: the opener's share of the match under each choice of a house rule, one rule changed at a time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pubdice.advice.asked_match import (
    Given,
    asked_match,
    asked_options,
    least_seats,
    numbers_compared,
    shortest,
    written,
)
from pubdice.advice.odds import SHARE, match_odds
from pubdice.core.errors import BadNotation, Unsolved
from pubdice.kit import Kit, NumberedAnswer
from pubdice.match.formats import REPLAY, FormatKind
from pubdice.text.game_words import UNITS, seat_values, values_of
from pubdice.text.language import Language

MOST_SEATS = 6
SHARES = "share of the match, or of the pot"


@dataclass(frozen=True, slots=True)
class PriceList(NumberedAnswer):
    """The list of prices: a row for each rule and choice, with its format and every seat's value in turn order."""

    kit: Kit

    def sentences(self, language: Language) -> list[str]:
        """Return the list as lines: the default rules, then a line for each choice."""
        return list(_lines(self.kit, self.numbers["usual"], self.numbers["rows"], language))


def price(kit: Kit, given: Given) -> PriceList:
    """Compute the prices of a game's house rules, in the values of ``odds``.

    Numbers of seats are compared in the shortest match of the default format, everything else under the options given.
    A choice that is not solved has no row. If the match with the options given is not solved, the first option that is
    solved is used instead. Raises Unsolved if no option is solved.
    """
    prices = _Prices.compared_with(kit, given)
    rows = list(prices.rows())
    numbers = {"usual": usual_rules(prices.kit), "utility": "; ".join(prices.utilities.values()), "rows": rows}
    return PriceList(numbers, prices.kit)


def price_lines(kit: Kit, given: Given, language: Language) -> Iterator[str]:
    """Yield the sentences of ``price`` one at a time. The line of a choice comes as soon as its match is solved."""
    prices = _Prices.compared_with(kit, given)
    yield from _lines(prices.kit, usual_rules(prices.kit), prices.rows(), language)


def _lines(kit: Kit, usual: Given, rows: Iterable[dict[str, Any]], language: Language) -> Iterator[str]:
    say = language.say
    rules = [
        say(option.brief, choice=usual[option.key]) if option.brief else f"{option.key} {usual[option.key]}"
        for option in kit.options
    ]
    seats = language.count("{number} seat", "{number} seats", int(usual["seats"]))
    rules += [seats, usual["format"], usual["opener"]]
    text = "The opener's share, one rule changed at a time. Usual: {rules}."
    yield say(text, rules=", ".join(rules))
    ruled, forms = dict[str, None](), dict[str, None]()
    for row in rows:
        name, values = values_of(row)[0], seat_values(language, row)
        if name in UNITS:  # rows with several kinds of value stand together, so each value needs its unit
            values = [say(UNITS[name], amount=each) for each in values]
        yield say("{rule} {choice}: {shares}.", rule=row["rule"], choice=row["choice"], shares=", ".join(values))
        ruled[row["rule"]] = None
        if row["rule"] == "seats" and row["format"] != usual["format"]:
            forms[row["format"]] = None
    yield from filter(None, [kit.price_note(rule, usual, language) for rule in ruled])
    compared = [say("Seats are compared with the format {format}.", format=form) for form in forms]
    yield " ".join([say("Shares in turn order, the opener first."), *compared])


@dataclass(frozen=True, slots=True)
class _Prices:
    """The prices of a game, solved one match at a time. ``kit`` has the options of the usual match."""

    kit: Kit
    utilities: dict[str, str]  # by the name of the values, for the rows so far
    found: dict[tuple[str, ...], dict[str, Any] | None]  # the odds of each match so far, None if it is not solved

    @classmethod
    def compared_with(cls, kit: Kit, given: Given) -> "_Prices":
        """Return the prices compared with the match of these options, or with the first options that are solved.

        Raises Unsolved if no match of the list is solved.
        """
        prices = cls(kit.with_usual(asked_options(kit, given)), {}, {})
        usual, keys = usual_rules(prices.kit), {option.key for option in kit.options}
        if prices.odds(usual) is not None:
            return prices
        for rule, choice in choices(prices.kit):
            if rule in keys and prices.odds({**usual, rule: choice}) is not None:
                return cls.compared_with(kit, {**given, rule: choice})
        if next(prices.rows(), None) is None:
            match_odds(prices.kit, asked_match(prices.kit, usual))  # raises Unsolved with the reason
        return prices

    def odds(self, rules: Given) -> dict[str, Any] | None:
        """Return the odds of a match. None if it is not solved."""
        key = tuple(rules.values())
        if key not in self.found:
            try:
                self.found[key] = dict(match_odds(self.kit, asked_match(self.kit, rules)).numbers)
            except (Unsolved, BadNotation):
                self.found[key] = None
        return self.found[key]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each choice that is solved."""
        usual, unsolved = usual_rules(self.kit), ""
        for rule, choice in choices(self.kit):
            if unsolved == rule == "seats":
                break  # more seats would be larger still
            rules = {**usual, rule: choice}
            if rule == "seats":
                rules["format"] = shortest(self.kit.formats[0])
            answer = self.odds(rules)
            if answer is None:
                unsolved = rule
                continue
            name = next(iter(answer))
            self.utilities.setdefault(*((SHARE, SHARES) if name == "share" else (answer["utility"],) * 2))
            even = 1 / int(rules["seats"]) if name == "share" else sum(answer[name]) / int(rules["seats"])
            yield {
                "rule": rule,
                "choice": choice,
                "format": rules["format"],
                name: answer[name],
                "advantage": answer[name][0] - even,
                "bound": answer["bound"],
            }


def usual_rules(kit: Kit) -> dict[str, str]:
    """Return the match with which every other match is compared, as flags."""
    form = kit.formats[0].usual
    seats = str(least_seats(kit.usual_game.least_seats))
    return {**asked_options(kit, {}), "seats": seats, "format": written(form), "opener": form.openers[0]}


def choices(kit: Kit) -> Iterator[tuple[str, str]]:
    """Yield each rule with each of its choices: house rules, opener, formats, seats.

    A rule with only one choice is left out.
    """
    form, game = kit.formats[0].usual, kit.usual_game
    least, most = least_seats(game.least_seats), min(MOST_SEATS, game.most_seats)
    compared = {
        **{option.key: option.choices for option in kit.options},
        "opener": form.openers,
        "format": tuple(number for kind in kit.formats for number in _numbers(kind)),
        "seats": tuple(map(str, range(least, most + 1))),
    }
    for rule, offered in compared.items():
        if len(offered) > 1:
            for choice in offered:
                yield rule, choice


def _numbers(kind: FormatKind) -> tuple[str, ...]:
    """Return a format with each number to compare.

    A format for pots is compared as one pot, played for until a seat wins it. If tied seats can play a round again, the
    usual format is compared with that too.
    """
    again = tuple(f"{written(kind.usual)}:{REPLAY}" for field in kind.fields if field.word == REPLAY)
    if not kind.fields or kind.usual.stake:
        return (kind.name, *again)
    return (*[f"{kind.name}:{number}" for number in numbers_compared(kind.fields[0])], *again)
