"""The answers to questions about solved 420, in lines: odds, advice, prices."""

from collections.abc import Mapping
from typing import Any

from pubdice.games.fourtwenty.words.advice import why
from pubdice.text.language import Language, faces


def tell_odds(language: Language, data: dict[str, Any]) -> list[str]:
    """Every seat's chance in a sentence."""
    text = (
        "Chances to buy, from Player 1 on: {chances}."
        if "buy" in data
        else "Chances to win, from Player 1 on: {chances}."
    )
    chances = ", ".join(language.per_cent(chance) for chance in data.get("buy", data.get("win", [])))
    lines = [language.say(text, chances=chances)]
    if len(data.get("buy", data.get("win", []))) > 2:
        text = (
            "Everybody plays one and the same best policy, the first of equally good keeps in the rules' order; "
            "leaving it gains all seats together no more than {nash_conv:.0e}."
        )
        lines.append(language.say(text, nash_conv=max(data["nash_conv"], data["bound"])))
    return [*lines, language.say("Exact to within {bound:.0e}.", bound=data["bound"])]


def tell_advice(language: Language, data: dict[str, Any]) -> list[str]:
    """The keeps, best first: what each is worth and what it loses, and why."""
    say = language.say
    if not data["actions"]:
        text = "Chance of {utility}: {value}. There is nothing to choose: all four are rolled."
        return [say(text, utility=data["utility"], value=language.per_cent(data["value"]))]
    best, *others = data["actions"]
    now = {"win_now": language.per_cent(best["win_now"]), "over": language.per_cent(best["over"])}
    text = "Keep {dice}: {value}, the chance of {utility}. The roll wins with {win_now} and goes over with {over}."
    lines = [
        say(text, dice=_dice(language, best), value=language.per_cent(best["value"]), utility=data["utility"], **now)
    ]
    for row in others:
        reason = why(language, best, row) if row["lost"] > 0 else say("it is as good")
        text = "Keep {dice}: {value}, {lost} lost; {why}." if reason else "Keep {dice}: {value}, {lost} lost."
        told = {"value": language.per_cent(row["value"]), "lost": language.per_cent(row["lost"])}
        lines.append(say(text, dice=_dice(language, row), why=reason, **told))
    return lines


def _dice(language: Language, row: Mapping[str, Any]) -> str:
    return faces(row["keep"]) or language.say("none")


def tell_prices(language: Language, data: dict[str, Any]) -> list[str]:
    """Player 1's chances by seats."""
    texts = {"race": "A race of {choice}: wins {shares}.", "drinks": "Drinks for {choice}: does not buy {shares}."}
    rows = [
        language.say(
            texts[row["rule"]],
            choice=row["choice"],
            shares=", ".join(language.per_cent(share) for share in row["share"]),
        )
        for row in data["rows"]
    ]
    return [*rows, language.say("Chances in turn order, Player 1 first.")]
