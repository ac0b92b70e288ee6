"""Seats of a match that were not one person's from its beginning to its end, by the lines of its log."""

from collections.abc import Iterable

SPOIL = frozenset(("sat", "shared", "botted", "left", "removed", "stoodin", "timedout"))
"""Tags of a log's lines after which a seat was not one person's from the beginning of the match to its end."""


def spoilt_seats(lines: Iterable[str]) -> frozenset[int]:
    """The seats that somebody else, or a bot, had at some time during the match. lines: those of its log."""
    begun, spoilt = False, set[int]()
    for line in lines:
        _, tag, *facts = line.split(" ", 3)
        begun = begun or tag == "started"
        if begun and tag in SPOIL and facts and facts[0].isdecimal():
            spoilt.add(int(facts[0]))
    return frozenset(spoilt)
