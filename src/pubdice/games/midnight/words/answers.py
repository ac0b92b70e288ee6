"""The answers to questions about solved Midnight, in lines: odds, advice, prices."""

from collections.abc import Mapping
from typing import Any

from pubdice.games.midnight.rules import BEST
from pubdice.text.language import Language, faces
from pubdice.text.turn_words.advice import reach, why


def tell_odds(language: Language, data: dict[str, Any]) -> list[str]:
    """The odds in sentences."""
    say = language.say
    if "distribution" not in data:
        shares = ", ".join(map(language.per_cent, data["share"])) if "share" in data else ""
        wins = ", ".join(language.number(value, 3) for value in data.get("round_wins", ()))
        lines = [
            say("In turn order: {values}.", values=shares or wins),
            say("Counted: {utility}, to within {bound:.0e}.", utility=data["utility"], bound=data["bound"]),
        ]
        if len(data.get("share", wins.split())) > 2:
            lines.append(say("Everybody plays best for itself; of equally good keeps, the better mean score is taken."))
        return lines
    chances = ", ".join(
        f"{score}: {language.per_cent(chance)}"
        for score, chance in enumerate(data["distribution"])
        if chance >= 0.0005 or not score
    )
    return [
        say(
            "Value {value}. Qualifies {qualify}.",
            value=language.number(data["value"], 4),
            qualify=language.per_cent(data["qualify"]),
        ),
        say("Scores: {chances}.", chances=chances),
    ]


def tell_advice(language: Language, data: dict[str, Any]) -> list[str]:
    """The keeps, best first: what each is worth and what it loses, and why."""
    say = language.say

    def worth(value: float) -> str:
        return (
            say("{value} points", value=language.number(value, 2))
            if data["goal"] == "score"
            else language.per_cent(value)
        )

    def facts(row: Mapping[str, Any]) -> dict[str, float]:
        chances = row["distribution"]
        return {
            "mean": row["mean"],
            "qualify": row["qualify"],
            **{reach(score): sum(chances[score:]) for score in range(1, BEST + 1)},
        }

    best, *others = data["actions"]
    text = "Keep {dice}: {value}. The mean is then {mean}, and {qualify} qualify."
    told = {"mean": language.number(best["mean"], 2), "qualify": language.per_cent(best["qualify"])}
    lines = [say(text, dice=faces(best["keep"]), value=worth(best["value"]), **told)]
    for row in others:
        reason = why(language, facts(best), facts(row)) if row["lost"] > 0 else say("it is as good")
        text = "Keep {dice}: {value}, {lost} lost; {why}." if reason else "Keep {dice}: {value}, {lost} lost."
        lines.append(say(text, dice=faces(row["keep"]), value=worth(row["value"]), lost=worth(row["lost"]), why=reason))
    return lines


def tell_prices(language: Language, data: dict[str, Any]) -> list[str]:
    """The opener's share rule by rule."""
    say, usual = language.say, data["usual"]
    lines = [
        say(
            "The opener's share, one rule changed at a time. Usual: {need} needed, {seats} seats, {format}, {opener}.",
            need=usual["need"],
            seats=usual["seats"],
            format=usual["format"],
            opener=usual["opener"],
        )
    ]
    for row in data["rows"]:
        shares = ", ".join(language.per_cent(share) for share in row["share"])
        lines.append(say("{rule} {choice}: {shares}.", rule=row["rule"], choice=row["choice"], shares=shares))
    return [*lines, say("Shares in turn order, the opener first. Seats are compared over one round.")]
