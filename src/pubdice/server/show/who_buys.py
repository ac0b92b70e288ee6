"""Who pays at the end of an evening, by its tally: what the formats say, else who has won the fewest matches."""

from collections.abc import Iterable, Mapping, Sequence

from pubdice.kit import Kit
from pubdice.match.formats.format import Unit
from pubdice.room.setup import Row
from pubdice.text.language import Language


def units_of(games: Iterable[Kit]) -> dict[str, Unit]:
    """All units that the formats of these games have, by key."""
    return {kind.unit.key: kind.unit for kit in games for kind in kit.formats if kind.unit is not None}


def who_buys(language: Language, rows: Sequence[Row], units: Mapping[str, Unit]) -> list[str]:
    """Who buys and why, in sentences; none before anything is decided, or for somebody alone.

    Where matches were played for something that is owed, such as drinks, everybody pays their own. Else those pay who
    have lost most of something, such as chips; else those who have won the fewest matches. Bots buy nothing, unless
    nobody else is there.
    """
    people = [row for row in rows if row.people] or list(rows)
    owed = [
        unit.owed(language, row.name, amount)
        for row in people
        for key, amount in row.takings
        if amount > 0 and key in units and (unit := units[key]).owed is not None
    ]
    if owed or len(people) < 2:
        return owed
    for key, unit in units.items():
        least = min(dict(row.takings).get(key, 0) for row in people)
        if unit.lost is not None and least < 0:
            names = [row.name for row in people if dict(row.takings).get(key, 0) == least]
            return [unit.lost(language, names, -least)]
    fewest = min(row.wins for row in people)
    names = [row.name for row in people if row.wins == fewest]
    if len(names) == len(people):
        return [language.say("Everybody has won the same number of matches, so you share the bill.")]
    if len(names) > 1:
        text = "{names} have won the fewest matches, {number} each, and share the bill."
        return [language.say(text, names=language.join(names), number=fewest)]
    return [language.say("{name} has won the fewest matches, {number}, and buys.", name=names[0], number=fewest)]
