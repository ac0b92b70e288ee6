"""Solutions in files, so no browser has to compute them: turns, best replies, and values of standings (rounds about to
begin).

Each game with its options has a file of its own, ``turns-….json``. The module ``ready_made`` writes it, with numpy.
This module reads it, without numpy. If a file is damaged or of another version, it counts as missing. Values are
written by ``repr``, so they are read back exactly.
"""

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pubdice.core.dice import digits
from pubdice.core.game import GameOfTurns, RoundResult, RoundState, TurnTaking
from pubdice.match.match import Match
from pubdice.solve.finite.enumerated import EnumeratedLayer, EnumeratedRound
from pubdice_pocket.pure_python.best_replies import KnownLines, lines_read
from pubdice_pocket.pure_python.checked_json import read_checked
from pubdice_pocket.pure_python.two_seat_standings import TwoSeatValues
from pubdice_pocket.pure_python.two_turns import Pair

VERSION = 1  # The version of the files' content. Files of another version are not read.
_MOST_GAMES = 16


def file_name(game: GameOfTurns) -> str:
    """Return the name of the file for a game with its options."""
    return f"turns-{sha256(repr((VERSION, game)).encode()).hexdigest()[:16]}.json"


def kept_lines(game: GameOfTurns, folder: Path | None) -> dict[int, KnownLines] | None:
    """Return the kept best replies of a game, or None if there are none."""
    found = _read(game, folder)
    return lines_read(found["lines"]) if found else None


def kept_standings(match: Match[Any, Any], shares: Pair, folder: Path | None) -> TwoSeatValues | None:
    """Return the kept values of standings for matches like this one, or None if there are none."""
    assert isinstance(match.game, TurnTaking)
    found = _read(match.game, folder)
    rows = found["standings"].get(standings_name(match, shares)) if found else None
    return {tuple(row[:4]): (row[4], row[5]) for row in rows} if rows else None


def kept_turn(game: GameOfTurns, folder: Path | None) -> EnumeratedRound | None:
    """Return the kept turn of a game, or None if there is none."""
    found = _read(game, folder)
    return turn_read(found["turn"]) if found else None


def turn_data(turn: EnumeratedRound) -> dict[str, Any]:
    """Return a turn as plain data. Dice are written as digits, because there are thousands of positions."""
    return {
        "scores": [result.scores[0] for result in turn.results],
        "winners": [list(result.winners) for result in turn.results],
        "layers": [[layer.decisions, layer.after, layer.kinds, layer.branches] for layer in turn.layers],
        "chance": [[digits(at.locked), digits(at.free), at.rolls, node] for at, node in turn.chance.items()],
    }


def turn_read(told: dict[str, Any]) -> EnumeratedRound:
    """Return the turn from the data of ``turn_data``."""
    results = zip(told["winners"], told["scores"], strict=True)
    layers = [
        EnumeratedLayer((first, behind), after, (low, high), branches)
        for (first, behind), after, (low, high), branches in told["layers"]
    ]
    chance = {
        RoundState(1, (), tuple(map(int, locked)), tuple(map(int, free)), rolls): node
        for locked, free, rolls, node in told["chance"]
    }
    return EnumeratedRound(
        tuple([RoundResult(tuple(winners), (score,)) for winners, score in results]), tuple(layers), chance
    )


def standings_name(match: Match[Any, Any], shares: Pair) -> str:
    """Return the key for values of standings in a game's file. It names the prize, the rule for the opener, and the
    rule for a pot that is carried too long.
    """
    if not match.format.stake:
        return f"{match.format.prize}, {match.opener}"
    return f"{match.format.prize}, {match.opener}, {shares[0]:g}"


@lru_cache(maxsize=_MOST_GAMES)
def _read(game: GameOfTurns, folder: Path | None) -> dict[str, Any] | None:
    found = read_checked(folder / file_name(game)) if folder is not None else None
    return found if found is not None and found.get("game") == repr(game) else None
