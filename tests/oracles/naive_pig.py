"""Pig for two by value iteration over its own three numbers; it has no code of the house."""

from functools import cache

Oracle = dict[tuple[int, int, int], float]


@cache
def pig(target: int) -> Oracle:
    """(mine, theirs, turn) → my chance of winning as I am to roll, by value iteration, the highest scores first."""
    worth: Oracle = {}
    for total in range(2 * target - 2, -1, -1):
        for low in range(max(0, total - target + 1), total // 2 + 1):
            _settle(worth, target, {(low, total - low), (total - low, low)})
    return worth


def _settle(worth: Oracle, target: int, pairs: set[tuple[int, int]]) -> None:
    places = [(mine, theirs, turn) for mine, theirs in pairs for turn in range(target - mine - 1, -1, -1)]
    worth.update(dict.fromkeys(places, 0.5))
    moved = 1.0
    while moved > 1e-15:
        moved = 0.0
        for mine, theirs, turn in places:
            value = 1 - worth[theirs, mine, 0]
            for face in range(2, 7):
                more = turn + face
                value += (
                    1.0 if mine + more >= target else max(worth[mine, theirs, more], 1 - worth[theirs, mine + more, 0])
                )
            moved = max(moved, abs(value / 6 - worth[mine, theirs, turn]))
            worth[mine, theirs, turn] = value / 6
