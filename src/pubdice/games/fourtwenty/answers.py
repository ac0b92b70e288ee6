"""The answers to questions about solved 420, in lines: advice and prices. The house tells the odds."""

from functools import partial
from typing import Any

from pubdice.games.fourtwenty.words import why
from pubdice.text.answers import kept_dice, other_keeps, seat_values
from pubdice.text.language import Language


def tell_advice(language: Language, data: dict[str, Any]) -> list[str]:
    """The keeps, best first: what each is worth and what it loses, and why."""
    value = language.per_cent(data["value"])
    if not data["actions"]:
        text = "Chance of {utility}: {value}. There is nothing to choose: all four are rolled."
        return [language.say(text, utility=data["utility"], value=value)]
    best = data["actions"][0]
    now = {"win_now": language.per_cent(best["win_now"]), "over": language.per_cent(best["over"])}
    text = "Keep {dice}: {value}, the chance of {utility}. The roll wins with {win_now} and goes over with {over}."
    dice = kept_dice(language, best, "none")
    first = language.say(text, dice=dice, value=language.per_cent(best["value"]), utility=data["utility"], **now)
    return [first, *other_keeps(language, data["actions"], language.per_cent, partial(why, language), "none")]


def tell_prices(language: Language, data: dict[str, Any]) -> list[str]:
    """Player 1's chances by seats."""
    texts = {"race": "A race of {choice}: wins {shares}.", "drinks": "Drinks for {choice}: buys {shares}."}
    rows = [
        language.say(
            texts[row["rule"]],
            choice=row["choice"],
            shares=", ".join(seat_values(language, row)),
        )
        for row in data["rows"]
    ]
    return [*rows, language.say("Chances in turn order, Player 1 first.")]
