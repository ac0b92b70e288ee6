"""Solutions in files, so no browser has to compute them: turns, best replies, standings.

Each game with its options has one file, ``turns-….json``. ``ready_made`` writes it, with numpy, and this module reads
it, without. A file that is damaged, or of another version, counts as missing. ``repr`` writes the values, so they are
read back to the last bit.
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

VERSION = 1  # The version of the files' content. After a change, older files are not read.
_MOST_GAMES = 16


def file_name(game: GameOfTurns) -> str:
    """The name of a game's file, by its rules and options."""
    return f"turns-{sha256(repr((VERSION, game)).encode()).hexdigest()[:16]}.json"


def kept_lines(game: GameOfTurns, folder: Path | None) -> dict[int, KnownLines] | None:
    """The kept best replies in a game; None if there are none."""
    found = _read(game, folder)
    return lines_read(found["lines"]) if found else None


def kept_standings(match: Match[Any, Any], shares: Pair, folder: Path | None) -> TwoSeatValues | None:
    """The kept values of standings of matches like this one; None if there are none."""
    assert isinstance(match.game, TurnTaking)
    found = _read(match.game, folder)
    rows = found["standings"].get(standings_name(match, shares)) if found else None
    return {tuple(row[:4]): (row[4], row[5]) for row in rows} if rows else None


def kept_turn(game: GameOfTurns, folder: Path | None) -> EnumeratedRound | None:
    """The kept turn of a game; None if there is none."""
    found = _read(game, folder)
    return turn_read(found["turn"]) if found else None


def turn_data(turn: EnumeratedRound) -> dict[str, Any]:
    """A turn as plain data. Dice are digits, as there are thousands of positions."""
    return {
        "scores": [result.scores[0] for result in turn.results],
        "winners": [list(result.winners) for result in turn.results],
        "layers": [[layer.decisions, layer.after, layer.kinds, layer.branches] for layer in turn.layers],
        "chance": [[digits(at.locked), digits(at.free), at.rolls, node] for at, node in turn.chance.items()],
    }


def turn_read(told: dict[str, Any]) -> EnumeratedRound:
    """A turn from the data of ``turn_data``."""
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
    """The key of values of standings in a game's file: the prize, the rule for the opener, the rule for pots."""
    if not match.format.stake:
        return f"{match.format.prize}, {match.opener}"
    return f"{match.format.prize}, {match.opener}, {shares[0]:g}"


@lru_cache(maxsize=_MOST_GAMES)
def _read(game: GameOfTurns, folder: Path | None) -> dict[str, Any] | None:
    found = read_checked(folder / file_name(game)) if folder is not None else None
    return found if found is not None and found.get("game") == repr(game) else None
