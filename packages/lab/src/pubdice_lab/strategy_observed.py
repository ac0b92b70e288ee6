"""The numbers of an observation, game by game, as a table: their places, names, meaning, and ranges (``features``)."""

from collections.abc import Iterable
from itertools import groupby

from pubdice.games import GAMES
from pubdice_lab.features import Feature, Span, features

SEATS = 2
"""The players of the tables."""
SCORES = "scores of finished turns"

TURN = {
    "seats": "the players",
    "scores": SCORES,
    "locked": "your kept dice, sorted",
    "free": "the dice on the table, sorted",
    "rolls": "your rolls so far",
    "limit": "not used",
}
"""Fields that games of one turn a player share."""
MEANINGS: dict[str, dict[str, str]] = {
    "midnight": {**TURN, "rolls": "your rolls so far, if they are limited", "limit": "the most rolls you have"},
    "420": {
        "hands": "the hand of each player, sorted",
        "mover": "the player to move, by turn order",
        "kept": "not there while you choose",
    },
    "mexico": {
        **TURN,
        "scores": "scores: a double is 100 times its face, Mexico 1000",
        "limit": "the most rolls you have",
        "held": "a die that has stayed",
    },
    "ship": {
        **TURN,
        "locked": "your ship, captain and crew so far",
        "free": "the dice on the table, with cargo that you held",
    },
    "threes": {**TURN, "scores": SCORES + "; 31 is the moon, 32 no turn", "rolls": "not used"},
    "shutbox": {
        **TURN,
        "up": "your tiles that are up",
        "dice": "the dice on the table",
        "number": "the dice you chose to roll, if you may choose",
    },
}
"""The meaning of the numbers of each field of a game's round."""


def _field(feature: Feature) -> str:
    return feature.name.partition("[")[0]


def _spans(found: Iterable[Feature]) -> dict[str, Span]:
    return {_field(each): (each.low, each.high) for each in found}


def observations(name: str) -> str:
    """Return the table of a game for two players, in Markdown: places from 0, names, meanings and values."""
    kit = GAMES[name]
    usual = {option.key: option.choices[0] for option in kit.options}
    found = features(kit.usual_game, SEATS)
    spans = _spans(found)
    ruled = [
        (option.key, _spans(features(kit.build({**usual, option.key: choice}), SEATS)))
        for option in kit.options
        for choice in option.choices[1:]
    ]
    lines, at = ["| numbers | name | meaning | values |", "| --- | --- | --- | --- |"], 0
    for field, group in groupby(found, _field):
        size, (low, high) = len(list(group)), spans[field]
        values = [f"{low} to {high}"]
        for key in dict.fromkeys(key for key, _ in ruled):
            lows, highs = zip(*[span[field] for ruled_key, span in ruled if ruled_key == key], strict=True)
            if min(lows) < low or max(highs) > high:
                values.append(f"{min(lows)} to {max(highs)} with `{key}`")
        places = f"{at}–{at + size - 1}" if size > 1 else at
        lines.append(f"| {places} | `{field}` | {MEANINGS[name][field]} | {'; '.join(values)} |")
        at += size
    lines.append(f"| {at}, `aec` only | `place` | your place | -1 to {SEATS - 1} |")
    return "\n".join(lines) + "\n"
