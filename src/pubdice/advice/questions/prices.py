"""``price``: what each house rule does for the seat that opens, one rule changed at a time, under best play."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pubdice.advice.questions.asked_match import (
    NUMBERS,
    Given,
    asked_match,
    asked_options,
    least_seats,
    shortest,
    written,
)
from pubdice.advice.questions.odds import SHARE, match_odds
from pubdice.core.errors import BadNotation, Unsolved
from pubdice.kit import Kit
from pubdice.match.formats import FormatKind

MOST_SEATS = 6
SHARES = "share of the match, or of the pot"


def price(kit: Kit, given: Given, folder: Path | None = None) -> dict[str, Any]:
    """Rows of rule, choice, format, and every seat's value in turn order; see ``odds``.

    Seats are compared in the shortest match of the usual format, all else by the usual rules. A choice that is not
    solved has no row.
    """
    usual = usual_rules(kit)
    rows, utilities, unsolved = [], dict[str, str](), ""
    for rule, choice in choices(kit):
        if unsolved == rule == "seats":
            break  # what is too large for some seats is too large for more
        rules = {**usual, rule: choice}
        if rule == "seats":
            rules["format"] = shortest(kit.formats[0])
        try:
            match = asked_match(kit, rules)
            answer = match_odds(kit, match)
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
    return {"usual": usual, "utility": "; ".join(utilities.values()), "rows": rows}


def usual_rules(kit: Kit) -> dict[str, str]:
    """The match that every other is compared with, as flags."""
    form = kit.formats[0].usual
    seats = str(least_seats(kit.usual_game.least_seats))
    return {**asked_options(kit, {}), "seats": seats, "format": written(form), "opener": form.openers[0]}


def choices(kit: Kit) -> Iterator[tuple[str, str]]:
    """Each rule with each of its choices: house rules, who opens, formats, seats; none where there is no choice."""
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
    """A kind of format with each number that is compared; a pot is one pot, played for until it is taken."""
    if not kind.fields or kind.usual.stake:
        return (kind.name,)
    return tuple(f"{kind.name}:{number}" for number in NUMBERS if kind.fields[0].least <= number <= kind.fields[0].most)
