"""Counts of positions, published for anybody who writes these games again. ``solve.finite.enumerated`` counts them.

``.venv/bin/pytest tests/published --regenerate`` writes them again (with PUBDICE_PROFILE=nightly the long ones too).
"""

import json
from dataclasses import asdict
from math import comb
from operator import mul
from pathlib import Path
from typing import Any

import pytest

from oracles.reachable import reachable
from play import KITS
from pubdice.solve.finite.enumerated import perft

FILE = Path(__file__).with_name("perft.json")
COUNTED: list[tuple[str, dict[str, str], int, int, int, bool]] = [
    ("midnight", {"need": "1 4"}, 1, 12, 10**6, False),
    ("midnight", {"need": "2 4"}, 1, 12, 10**6, False),
    ("midnight", {"need": "1 4"}, 2, 3, 0, False),
    ("midnight", {"need": "1 4"}, 2, 24, 10**6, True),
    ("420", {}, 2, 3, 0, False),
    ("420", {}, 2, 5, 10**6, True),
    ("420", {}, 3, 2, 0, False),
    ("ship", {"cargo": "together", "boxcars": "no"}, 1, 6, 10**6, False),
    ("ship", {"cargo": "single", "boxcars": "no"}, 1, 6, 10**6, False),
    ("ship", {"cargo": "together", "boxcars": "yes"}, 2, 4, 0, False),
    ("threes", {"moon": "no"}, 1, 10, 10**6, False),
    ("threes", {"moon": "first"}, 2, 3, 0, False),
]
"""Game, options, seats, depth of plies, limit of reachable positions (0: not counted), and whether it takes long."""


def _count(game: str, options: dict[str, str], seats: int, depth: int, limit: int) -> dict[str, Any]:
    rules = KITS[game].with_usual(options).usual_game
    counted: dict[str, Any] = {"game": game, "options": options, "seats": seats, "depth": depth}
    counted["plies"] = [asdict(ply) for ply in perft(rules, seats, depth)]
    if limit:
        counted["reachable"] = asdict(reachable(rules, seats, limit))
    return counted


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(one[key] == other[key] for key in ("game", "options", "seats", "depth"))


def _published() -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []
    return read


def _text(counts: list[dict[str, Any]]) -> str:
    """One ply a line, so that a change shows when files are compared."""
    lines = []
    for count in counts:
        head = ", ".join(f"{json.dumps(key)}: {json.dumps(count[key])}" for key in count if key != "plies")
        plies = ",\n  ".join(json.dumps(ply) for ply in count["plies"])
        lines.append(f' {{{head}, "plies": [\n  {plies}\n ]}}')
    return "[\n" + ",\n".join(lines) + "\n]\n"


@pytest.mark.parametrize(
    "counted",
    [
        pytest.param(counted, id=f"{counted[0]}-{counted[2]}-to-{counted[3]}", marks=[pytest.mark.nightly] * slow)
        for *counted, slow in COUNTED
    ],
)
def test_the_published_counts_are_counted_again(
    counted: tuple[str, dict[str, str], int, int, int], regenerate: bool
) -> None:
    now = _count(*counted)
    if regenerate:
        FILE.write_text(_text([*(then for then in _published() if not _same(then, now)), now]), encoding="utf-8")
    assert now in _published()


def test_every_published_count_is_one_of_these_and_none_is_missing() -> None:
    published = [(count["game"], count["options"], count["seats"], count["depth"]) for count in _published()]
    expected = [(game, options, seats, depth) for game, options, seats, depth, _, _ in COUNTED]
    assert sorted(published, key=str) == sorted(expected, key=str)


def test_the_graphs_that_close_are_as_large_as_their_closed_forms() -> None:
    """Two seats of Midnight: the second's turn once for each of the first's 22 scores, then 22 times 22 results.

    Threes: hands of 0 to 4 locked dice, each of them with every hand of the others, and the scores 0 to 30.
    """
    closed = {
        (count["game"], count["seats"]): count["reachable"]["total"]["positions"]
        for count in _published()
        if count.get("reachable", {}).get("closed")
    }
    turn = 12398 - 22
    assert closed[("midnight", 1)] == turn + 22
    assert closed[("midnight", 2)] == turn * 23 + 22**2 == 285132
    assert closed[("420", 2)] == 102493
    hands = [comb(dice + 5, 5) for dice in range(6)]
    assert closed[("threes", 1)] == sum(hands[:5]) + sum(map(mul, hands[:5], hands[:0:-1])) + 31
