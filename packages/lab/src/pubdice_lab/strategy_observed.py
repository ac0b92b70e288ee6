"""The numbers of an observation, game by game, as a table: their places, their meaning, their least and most."""

from dataclasses import fields
from typing import Any

from pubdice.games import GAMES
from pubdice_lab.stepwise import SLOTS

SEATS = 2
"""The players of the tables."""
DICE = "1 to 6"

TURN = {
    "seats": ("the number of players", "2"),
    "locked": ("your dice kept in earlier rolls, sorted", DICE),
    "free": ("the dice on the table, sorted", DICE),
}
"""Fields that games of one turn a player share."""
FIELDS: dict[str, dict[str, tuple[str, str]]] = {
    "midnight": {
        **TURN,
        "scores": ("scores of the players who are done", "0 to 24"),
        "rolls": ("your rolls so far, if they are limited", "0; 1 to 6 with `follow`"),
        "limit": ("the most rolls you have", "0; 1 to 6 with `follow`"),
    },
    "420": {
        "hands": ("the hand of each player, sorted", DICE),
        "mover": ("the player to move, by turn order", "0 to 1"),
        "kept": ("not there while you choose", "-2"),
    },
    "mexico": {
        "seats": ("the number of players", "2"),
        "scores": ("scores: a double is 100 times its face, Mexico 1000", "31 to 1000"),
        "limit": ("the most rolls you have", "1 to 3"),
        "rolls": ("your rolls so far", "1 to 3"),
        "held": ("a die that has stayed", "1 to 2"),
        "free": ("the dice on the table, sorted", DICE),
    },
    "ship": {
        **TURN,
        "scores": ("scores of the players who are done", "0 to 12"),
        "locked": ("your ship, captain and crew so far", "4 to 6"),
        "free": ("the dice on the table, with cargo that you held", DICE),
        "rolls": ("your rolls so far", "1 to 3"),
        "limit": ("not used", "0"),
    },
    "threes": {
        **TURN,
        "scores": ("scores of the players who are done; 31 is the moon, 32 no turn", "0 to 32"),
        "rolls": ("not used", "0"),
        "limit": ("not used", "0"),
    },
    "shutbox": {
        "seats": ("the number of players", "2"),
        "scores": ("scores of the players who are done", "0 to 45; as `digits` 0 to 123456789"),
        "up": ("your tiles that are up", "1 to 9"),
        "dice": ("the dice on the table", DICE),
        "number": ("the dice you chose to roll, if you may choose", "0 to 2"),
    },
}
"""For each field of a game's round, the meaning of its numbers and their possible values."""


def observations(name: str) -> str:
    """Return the table of a game for two players, in Markdown: the numbers' places from 0, their meaning, and their
    values.
    """
    state: Any = GAMES[name].usual_game.start(SEATS)
    lines, at = ["| numbers | meaning | values |", "| --- | --- | --- |"], 0
    for field in fields(state):
        value = getattr(state, field.name)
        rows = len(value) if isinstance(value, tuple) and value and isinstance(value[0], tuple) else 1
        size = 1 if isinstance(value, int) else SLOTS * rows
        meaning, values = FIELDS[name][field.name]
        lines.append(f"| {at if size == 1 else f'{at} to {at + size - 1}'} | {meaning} | {values} |")
        at += size
    lines.append(f"| {at}, `aec` only | your place in turn order | 0 to {SEATS - 1} |")
    return "\n".join(lines) + "\n"
