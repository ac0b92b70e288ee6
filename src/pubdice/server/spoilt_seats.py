"""Seats of a match that did not belong to one person from its beginning to its end, found in its log."""

from collections.abc import Iterable

SPOIL = frozenset(("sat", "shared", "botted", "left", "removed", "stoodin", "timedout"))
"""Tags of log lines after which a seat no longer counts as one person's."""


def spoilt_seats(lines: Iterable[str]) -> frozenset[int]:
    """Return the seats that another person or a bot had for a part of the match. ``lines`` are the lines of its log."""
    begun, spoilt = False, set[int]()
    for line in lines:
        _, tag, *facts = line.split(" ", 3)
        begun = begun or tag == "started"
        if begun and tag in SPOIL and facts and facts[0].isdecimal():
            spoilt.add(int(facts[0]))
    return frozenset(spoilt)
