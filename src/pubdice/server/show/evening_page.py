"""What the page of an evening shows, as frozen data. Knows no templates and no request."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pubdice.advice.receipt import Highlights, TurningPoint
from pubdice.kit import Kit
from pubdice.match.formats.format import Unit
from pubdice.room.setup import Row
from pubdice.text.language import Language, stopped


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match of the evening, and where its table is. won: who has, or that it is under way."""

    number: int
    title: str
    rules: str
    won: str
    link: str
    over: bool


@dataclass(frozen=True, slots=True)
class TallyRow:
    """What somebody has come to: matches won, and an amount in each column."""

    name: str
    wins: int
    amounts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HighlightShown:
    """A highlight of the night. match: which one, from 1. of: what its amount is, where there are several kinds."""

    turning: TurningPoint
    match: MatchRow
    of: str
    red: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EveningPage:
    """An evening. table: the link of the one it was asked of; address: in full, to share.

    lead: who leads. columns: what rows have besides matches won. buys: who pays. matches: the latest, oldest first;
    older: those before. dearest, luckiest: one of each kind of value. weighed: matches looked through, of so many.
    untold: why some could not be. planned: what comes next. share: a line to hand on. again_s: when the page asks again
    by itself; 0 for never.
    """

    table: str
    address: str
    lead: str
    columns: tuple[str, ...]
    rows: tuple[TallyRow, ...]
    buys: tuple[str, ...]
    matches: tuple[MatchRow, ...]
    older: int
    dearest: tuple[HighlightShown, ...]
    luckiest: tuple[HighlightShown, ...]
    weighed: int
    of: int
    untold: tuple[str, ...]
    planned: str
    share: str
    again_s: int = 0


def columns(rows: Sequence[Row], units: Mapping[str, Unit]) -> tuple[str, ...]:
    """The keys of the units that have a column."""
    return tuple(key for key, _ in (rows[0].takings if rows else ()) if key in units and units[key].label)


def tally_rows(rows: Sequence[Row], keys: Sequence[str]) -> tuple[TallyRow, ...]:
    """The tally, with an amount for each key."""
    return tuple(TallyRow(row.name, row.wins, tuple(dict(row.takings)[key] for key in keys)) for row in rows)


def match_rules(language: Language, kit: Kit, format_text: str) -> str:
    """The format of a match in a few words."""
    return kit.format(format_text).words.rules(language)


def best_of(
    found: Sequence[tuple[MatchRow, Highlights]],
    amount: Callable[[Highlights], float],
    turning: Callable[[Highlights], TurningPoint | None],
) -> tuple[HighlightShown, ...]:
    """The greatest highlight of each kind of value: chances are compared with chances, chips with chips."""
    best: dict[str, tuple[MatchRow, Highlights]] = {}
    for match, each in found:
        kind = "" if each.chances else each.utility
        if turning(each) is not None and (kind not in best or amount(each) > amount(best[kind][1])):
            best[kind] = match, each
    shown = []
    for match, each in best.values():
        there = turning(each)
        assert there is not None, "only those that are there were compared"
        shown.append(HighlightShown(there, match, each.utility if len(best) > 1 else "", each.red))
    return tuple(shown)


def share_line(language: Language, games: int, rows: Sequence[Row], lead: str) -> str:
    """A line of text to hand on."""
    told = ", ".join(language.say("{name} {score}", name=row.name, score=row.wins) for row in rows)
    text = "One match this evening: {wins}.", "{number} matches this evening: {wins}."
    return f"{language.count(*text, games, wins=told)} {stopped(lead)}"
