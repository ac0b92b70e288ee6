"""The answers to questions about solved games, in lines: odds, advice, prices. Knows no game."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pubdice.core.turn_game import TurnGame
from pubdice.text.game_words import GameWords
from pubdice.text.language import Language, faces
from pubdice.text.turn_words.advice import reach, why

LEAST_CHANCE = 0.0005
"""Scores that are rarer are left out."""
VALUES = ("share", "win", "buy", "round_wins", "chips", "score", "value")
"""What the values of the seats may be called in plain data."""
CHANCES = VALUES[:3]
"""Those of them that are read in percent."""


class HouseRule(Protocol):
    """What is said of a house rule among others."""

    @property
    def key(self) -> str:
        """Its name as a flag."""

    @property
    def brief(self) -> str:
        """A choice in two or three words, with ``{choice}`` in them; may be empty."""


def tell_odds(can_miss: bool, language: Language, data: dict[str, Any]) -> list[str]:
    """The odds in sentences. can_miss: whether a turn can have a score that never wins."""
    say = language.say
    if "distribution" not in data:
        values = seat_values(language, data)
        told = ", ".join(values)
        lines = [
            say("In turn order: {values}.", values=told),
            say("Counted: {utility}, to within {bound:.0e}.", utility=data["utility"], bound=data["bound"]),
        ]
        if len(values) > 2:
            lines.append(say("Everybody plays best for itself; of equally good keeps, the better mean score is taken."))
        return lines
    chances = ", ".join(
        f"{score}: {language.per_cent(chance)}"
        for score, chance in enumerate(data["distribution"])
        if chance >= LEAST_CHANCE or not score
    )
    text = "Value {value}. Qualifies {qualify}." if can_miss else "Value {value}."
    facts = {"value": language.number(data["value"], 4), "qualify": language.per_cent(data["qualify"])}
    return [say(text, **facts), say("Scores: {chances}.", chances=chances)]


def seat_values(language: Language, data: Mapping[str, Any]) -> list[str]:
    """What the match is worth to each seat, as it is read out."""
    name = next(name for name in VALUES if name in data)
    if name in CHANCES:
        return [language.per_cent(value) for value in data[name]]
    return [language.number(value, 3) for value in data[name]]


def tell_advice(words: GameWords, game: TurnGame, language: Language, data: dict[str, Any]) -> list[str]:
    """The keeps, best first: what each is worth and what it loses, and why."""
    say = language.say

    def worth(value: float) -> str:
        if data["goal"] == "score":
            return say("{value} points", value=language.number(value, 2))
        return language.per_cent(value)

    def facts(row: Mapping[str, Any]) -> dict[str, float]:
        chances = row["distribution"]
        scores = range(len(chances)) if game.scoreless is None else range(1, len(chances))
        better = {score: chances[: score + 1] if game.lowest_wins else chances[score:] for score in scores}
        return {
            "mean": row["mean"],
            "qualify": row["qualify"],
            **{reach(score): sum(some) for score, some in better.items()},
        }

    def kept(row: Mapping[str, Any]) -> str:
        return faces(row["keep"]) or say("no dice")

    best, *others = data["actions"]
    text = "Keep {dice}: {value}. The mean is then {mean}, and {qualify} qualify."
    if game.scoreless is None:
        text = "Keep {dice}: {value}. The mean is then {mean}."
    told = {"mean": language.number(best["mean"], 2), "qualify": language.per_cent(best["qualify"])}
    lines = [say(text, dice=kept(best), value=worth(best["value"]), **told)]
    for row in others:
        reason = say("it is as good")
        if row["lost"] > 0:
            reason = why(
                language,
                facts(best),
                facts(row),
                lowest=game.lowest_wins,
                called=lambda score: words.score(language, game, score),
            )
        text = "Keep {dice}: {value}, {lost} lost; {why}." if reason else "Keep {dice}: {value}, {lost} lost."
        lines.append(say(text, dice=kept(row), value=worth(row["value"]), lost=worth(row["lost"]), why=reason))
    return lines


def tell_prices(options: Sequence[HouseRule], language: Language, data: dict[str, Any]) -> list[str]:
    """The opener's share rule by rule."""
    say, usual = language.say, data["usual"]
    rules = [
        say(option.brief, choice=usual[option.key]) if option.brief else f"{option.key} {usual[option.key]}"
        for option in options
    ]
    rules += [language.count("{number} seat", "{number} seats", int(usual["seats"])), usual["format"], usual["opener"]]
    text = "The opener's share, one rule changed at a time. Usual: {rules}."
    lines = [say(text, rules=", ".join(rules))]
    for row in data["rows"]:
        shares = ", ".join(seat_values(language, row))
        lines.append(say("{rule} {choice}: {shares}.", rule=row["rule"], choice=row["choice"], shares=shares))
    return [*lines, say("Shares in turn order, the opener first. Seats are compared over one round.")]
