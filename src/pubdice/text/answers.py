"""The answers to questions about solved games, in lines: odds, advice, prices. Knows no game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from pubdice.core.game import Game
from pubdice.core.turn_game import TurnGame
from pubdice.text.game_words import GameWords
from pubdice.text.language import Language, faces
from pubdice.text.turn_words import reach, why, winning_scores

LEAST_CHANCE = 0.0005
"""Scores that are rarer are left out."""
VALUES = ("share", "win", "buy", "round_wins", "chips", "score", "value")
"""What the values of the seats may be called in plain data."""
CHANCES = VALUES[:3]
"""Those of them that are read in percent."""


UNITS = {"chips": "{amount} chips", "score": "{amount} points"}
"""How those that are amounts are said where rows of several kinds stand together."""


class HouseRule(Protocol):
    """What is said of a house rule among others."""

    @property
    def key(self) -> str:
        """Its name as a flag."""

    @property
    def brief(self) -> str:
        """A choice in two or three words, with ``{choice}`` in them; may be empty."""


def tell_odds(words: GameWords, game: Game[Any, Any], language: Language, data: dict[str, Any]) -> list[str]:
    """The odds in sentences: of a match, or of a turn of a game that has one a seat."""
    say = language.say
    if "nash_conv" in data:
        return _tell_one_policy(language, data)
    if "distribution" not in data:
        values = seat_values(language, data)
        told = ", ".join(values)
        alone = "Alone you score {values} a round on average if you play best."
        lines = [
            say("In turn order: {values}." if len(values) > 1 else alone, values=told),
            say("Counted: {utility}, to within {bound:.0e}.", utility=data["utility"], bound=data["bound"]),
        ]
        if len(values) > 2:
            text = (
                "Everybody plays best for itself; of equally good choices, the one with the better mean score is taken."
            )
            lines.append(say(text))
        return lines
    chances = ", ".join(
        f"{words.score(language, game, score)}: {language.per_cent(chance)}"
        for score, chance in enumerate(data["distribution"])
        if chance >= LEAST_CHANCE or not score or (chance and isinstance(game, TurnGame) and game.wins_at_once(score))
    )
    can_miss = isinstance(game, TurnGame) and game.scoreless is not None
    text = "Value {value}. Qualifies {qualify}." if can_miss else "Value {value}."
    facts = {"value": language.number(data["value"], 4), "qualify": language.per_cent(data["qualify"])}
    return [say(text, **facts), say("Scores: {chances}.", chances=chances)]


def _tell_one_policy(language: Language, data: Mapping[str, Any]) -> list[str]:
    """The odds where everybody plays one policy, and it is known what leaving it could gain (NashConv)."""
    say, chances = language.say, ", ".join(seat_values(language, data))
    text = "Chances to win, from Player 1 on: {chances}."
    lines = [say("Chances to buy, from Player 1 on: {chances}." if "buy" in data else text, chances=chances)]
    if len(data.get("buy", data.get("win", ()))) > 2:
        text = (
            "Everybody plays one and the same best policy, the first of equally good choices in the rules' order; "
            "leaving it gains all seats together no more than {nash_conv:.0e}."
        )
        lines.append(say(text, nash_conv=max(data["nash_conv"], data["bound"])))
    return [*lines, say("Exact to within {bound:.0e}.", bound=data["bound"])]


def seat_values(language: Language, data: Mapping[str, Any]) -> list[str]:
    """What the match is worth to each seat, as it is read out."""
    name = next(name for name in VALUES if name in data)
    if name in CHANCES:
        return [language.per_cent(value) for value in data[name]]
    return [language.number(value, 3) for value in data[name]]


def _in_units(language: Language, data: Mapping[str, Any]) -> list[str]:
    """The same with what the amounts are, where rows of several kinds stand together."""
    name, found = next(name for name in VALUES if name in data), seat_values(language, data)
    return [language.say(UNITS[name], amount=each) for each in found] if name in UNITS else found


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
        better = {
            score: [chance for other, chance in enumerate(chances) if game.better(other) >= game.better(score)]
            for score in scores
        }
        return {
            "mean": row["mean"],
            "qualify": row["qualify"],
            **{reach(score): sum(some) for score, some in better.items()},
        }

    def reason(best: Mapping[str, Any], row: Mapping[str, Any]) -> str:
        return why(
            language,
            facts(best),
            facts(row),
            lowest=game.lowest_wins,
            called=lambda score: words.score(language, game, score),
            also=also,
            top=winning_scores(game)[-1],
            goal=data["number"] if data["goal"] == "reach" else None,
        )

    found = (score for row in data["actions"] for score, chance in enumerate(row["distribution"]) if chance)
    also = next((words.score(language, game, score) for score in found if game.wins_at_once(score)), "")
    best = data["actions"][0]
    text = "Keep {dice}: {value}. The mean is then {mean}, and {qualify} qualify."
    if game.scoreless is None:
        text = "Keep {dice}: {value}. The mean is then {mean}."
    told = {"mean": language.number(best["mean"], 2), "qualify": language.per_cent(best["qualify"])}
    first = say(text, dice=kept_dice(language, best), value=worth(best["value"]), **told)
    return [first, *other_keeps(language, data["actions"], worth, reason)]


def kept_dice(language: Language, row: Mapping[str, Any], none: str = "no dice") -> str:
    """The dice that a keep leaves lying. none: what is said where it leaves none."""
    return faces(row["keep"]) or language.say(none)


def other_keeps(
    language: Language,
    rows: Sequence[Mapping[str, Any]],
    worth: Callable[[float], str],
    reason: Callable[[Mapping[str, Any], Mapping[str, Any]], str],
    none: str = "no dice",
) -> list[str]:
    """All keeps but the first, the best: what each is worth and what it loses, and why.

    worth: a value as it is said. reason: what a keep gains and costs against the best; "" where nothing is known.
    """
    lines = []
    for row in rows[1:]:
        why = reason(rows[0], row) if row["lost"] > 0 else language.say("it is as good")
        text = "Keep {dice}: {value}, {lost} lost; {why}." if why else "Keep {dice}: {value}, {lost} lost."
        told = {"value": worth(row["value"]), "lost": worth(row["lost"])}
        lines.append(language.say(text, dice=kept_dice(language, row, none), why=why, **told))
    return lines


def tell_prices(
    options: Sequence[HouseRule],
    note: Callable[[str, Mapping[str, str], Language], str],
    language: Language,
    data: dict[str, Any],
) -> list[str]:
    """The opener's share rule by rule. note: a sentence on the prices of a rule in the usual match, or ""."""
    say, usual = language.say, data["usual"]
    rules = [
        say(option.brief, choice=usual[option.key]) if option.brief else f"{option.key} {usual[option.key]}"
        for option in options
    ]
    rules += [language.count("{number} seat", "{number} seats", int(usual["seats"])), usual["format"], usual["opener"]]
    text = "The opener's share, one rule changed at a time. Usual: {rules}."
    lines = [say(text, rules=", ".join(rules))]
    for row in data["rows"]:
        shares = ", ".join(_in_units(language, row))
        lines.append(say("{rule} {choice}: {shares}.", rule=row["rule"], choice=row["choice"], shares=shares))
    lines += filter(None, [note(rule, usual, language) for rule in dict.fromkeys(row["rule"] for row in data["rows"])])
    forms = {row["format"] for row in data["rows"] if row["rule"] == "seats"} - {usual["format"]}
    compared = [say("Seats are compared with the format {format}.", format=form) for form in forms]
    return [*lines, " ".join([say("Shares in turn order, the opener first."), *compared])]
