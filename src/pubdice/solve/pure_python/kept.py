"""What a pocket house is given ready-made, so that it need not be worked out there: turns, best replies, standings.

One file a game and its options, ``turns-….json``, written where numpy is (``turn_match.ready_made``) and read where it
is not. A file is JSON with a line of its checksum behind it; one that is damaged, or of another version, is as good as
not there. Values are written by ``repr``, so they are read back to the last bit.
"""

import json
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pubdice.core.dice import digits
from pubdice.core.game import RoundResult
from pubdice.core.turn_game import RoundState, TurnGame
from pubdice.match.match import Match
from pubdice.solve.finite.enumerated import EnumeratedLayer, EnumeratedRound
from pubdice.solve.kept_files import file_name
from pubdice.solve.pure_python.two_turns import KnownLines, Pair, TwoSeatValues, lines_read

_MOST_GAMES = 16
_SEAL = 65
"""Bytes of the line with the checksum."""


def kept_lines(game: TurnGame, folder: Path | None) -> dict[int, KnownLines] | None:
    """The best replies in a game; None where they are not kept."""
    found = _read(game, folder)
    return lines_read(found["lines"]) if found else None


def kept_standings(match: Match[Any, Any], shares: Pair, folder: Path | None) -> TwoSeatValues | None:
    """What the standings of matches like this one are worth; None where they are not kept."""
    assert isinstance(match.game, TurnGame)
    found = _read(match.game, folder)
    rows = found["standings"].get(standings_name(match, shares)) if found else None
    return {tuple(row[:4]): (row[4], row[5]) for row in rows} if rows else None


def kept_turn(game: TurnGame, folder: Path | None) -> EnumeratedRound | None:
    """The turn of a game as it was enumerated; None where it is not kept."""
    found = _read(game, folder)
    return turn_read(found["turn"]) if found else None


def turn_told(turn: EnumeratedRound) -> dict[str, Any]:
    """A turn as plain data; dice as digits, as there are thousands of positions."""
    return {
        "scores": [result.scores[0] for result in turn.results],
        "winners": [list(result.winners) for result in turn.results],
        "layers": [[layer.decisions, layer.after, layer.kinds, layer.branches] for layer in turn.layers],
        "chance": [[digits(at.locked), digits(at.free), at.rolls, node] for at, node in turn.chance.items()],
    }


def turn_read(told: dict[str, Any]) -> EnumeratedRound:
    """A turn as ``turn_told`` told it."""
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
    """What the values of standings follow from, besides the game: what is played for, who opens, where pots go."""
    if not match.format.stake:
        return f"{match.format.prize}, {match.opener}"
    return f"{match.format.prize}, {match.opener}, {shares[0]:g}"


def sealed(data: dict[str, Any]) -> bytes:
    """A file's bytes: the data as JSON, and a line with the SHA-256 of what stands before it."""
    told = json.dumps(data, separators=(",", ":")).encode() + b"\n"
    return told + sha256(told).hexdigest().encode() + b"\n"


def unsealed(path: Path) -> dict[str, Any] | None:
    """What a file holds; None if it is not there, or damaged."""
    try:
        whole = path.read_bytes()
        told, summed = whole[:-_SEAL], whole[-_SEAL:].decode("ascii").strip()
        found = json.loads(told) if sha256(told).hexdigest() == summed else None
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


@lru_cache(maxsize=_MOST_GAMES)
def _read(game: TurnGame, folder: Path | None) -> dict[str, Any] | None:
    found = unsealed(folder / file_name(game)) if folder is not None else None
    return found if found is not None and found.get("game") == repr(game) else None
