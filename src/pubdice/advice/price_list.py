"""Price lists: the opener's share of the match under each choice of a house rule, one rule changed at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pubdice.advice.asked_match import (
    NUMBERS,
    Given,
    asked_match,
    asked_options,
    least_seats,
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
        say, data = language.say, self.numbers
        usual = data["usual"]
        rules = [
            say(option.brief, choice=usual[option.key]) if option.brief else f"{option.key} {usual[option.key]}"
            for option in self.kit.options
        ]
        seats = language.count("{number} seat", "{number} seats", int(usual["seats"]))
        rules += [seats, usual["format"], usual["opener"]]
        text = "The opener's share, one rule changed at a time. Usual: {rules}."
        lines = [say(text, rules=", ".join(rules))]
        for row in data["rows"]:
            name, values = values_of(row)[0], seat_values(language, row)
            if name in UNITS:  # rows with several kinds of value stand together, so each value needs its unit
                values = [say(UNITS[name], amount=each) for each in values]
            facts = {"rule": row["rule"], "choice": row["choice"], "shares": ", ".join(values)}
            lines.append(say("{rule} {choice}: {shares}.", **facts))
        ruled = dict.fromkeys(row["rule"] for row in data["rows"])
        lines += filter(None, [self.kit.price_note(rule, usual, language) for rule in ruled])
        forms = {row["format"] for row in data["rows"] if row["rule"] == "seats"} - {usual["format"]}
        compared = [say("Seats are compared with the format {format}.", format=form) for form in forms]
        return [*lines, " ".join([say("Shares in turn order, the opener first."), *compared])]


def price(kit: Kit, given: Given) -> PriceList:
    """Compute the prices of a game's house rules, in the values of ``odds``.

    Numbers of seats are compared in the shortest match of the default format, everything else under the options given.
    A choice that is not solved has no row. If the match with the options given is not solved, the first option that is
    solved is used instead. Raises Unsolved if no option is solved.
    """
    found = _price_list(kit.with_usual(asked_options(kit, given)))
    usual, rows = found.numbers["usual"], found.numbers["rows"]
    if any(row["rule"] != "seats" and row["choice"] == usual.get(row["rule"]) for row in rows):
        return found
    options = {option.key for option in kit.options}
    solved = next(({row["rule"]: row["choice"]} for row in rows if row["rule"] in options), None)
    if solved is not None:
        return price(kit, {**given, **solved})
    if not rows:
        match_odds(kit, asked_match(kit, usual))  # raises Unsolved with the reason
    return found


def _price_list(kit: Kit) -> PriceList:
    usual = usual_rules(kit)
    rows, utilities, unsolved = list[dict[str, Any]](), dict[str, str](), ""
    for rule, choice in choices(kit):
        if unsolved == rule == "seats":
            break  # more seats would be larger still
        rules = {**usual, rule: choice}
        if rule == "seats":
            rules["format"] = shortest(kit.formats[0])
        try:
            match = asked_match(kit, rules)
            answer = match_odds(kit, match).numbers
        except (Unsolved, BadNotation):
            unsolved = rule
            continue
        name = next(iter(answer))
        utilities.setdefault(*((SHARE, SHARES) if name == "share" else (answer["utility"],) * 2))
        fair = sum(answer[name]) / match.seats
        rows.append(
            {
                "rule": rule,
                "choice": choice,
                "format": rules["format"],
                name: answer[name],
                "advantage": answer[name][0] - (1 / match.seats if name == "share" else fair),
                "bound": answer["bound"],
            }
        )
    return PriceList({"usual": usual, "utility": "; ".join(utilities.values()), "rows": rows}, kit)


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
    first = kind.fields[0]
    return (*[f"{kind.name}:{number}" for number in NUMBERS if first.least <= number <= first.most], *again)
