"""A duplicate night ranked: who gave least away, told in a language. Knows no game and no house."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pubdice.advice.losses import LossBand, MatchLosses, SeatLosses, loss_band
from pubdice.advice.spoken import Amounts
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class RankedSeat:
    """A seat in the ranking. rank: from 1, shared by those who lost equally much as it is printed; tied: it is shared.

    table: where it was, from 0, in the order of the tables given. lost, mean, low, high: as said; "" without a real
    decision. begin, at, end: the band and the mean as parts of the longest band.
    """

    rank: int
    tied: bool
    table: int
    seat: int
    name: str
    decisions: int
    lost: str
    mean: str
    low: str
    high: str
    begin: float
    at: float
    end: float


@dataclass(frozen=True, slots=True)
class NightRanking:
    """The ranking, best first. lead: how it came out, in a sentence."""

    rows: tuple[RankedSeat, ...]
    lead: str


def ranked(tables: Sequence[MatchLosses], language: Language) -> NightRanking:
    """The seats of all matches of a night, those that lost least first."""
    if not tables:
        return NightRanking((), "")
    amounts = Amounts(language, tables[0].unit)
    dearest = max((loss for table in tables for seat in table.seats for loss in seat.losses), default=0.0)
    found: list[tuple[int, int, int, SeatLosses, LossBand | None]] = []
    for at, table in enumerate(tables):
        for number, seat in enumerate(table.seats):
            found.append((round(seat.lost * amounts.scale), at, number, seat, loss_band(seat.losses, dearest)))
    found.sort(key=lambda each: (each[0], each[1], each[2]))
    printed = [each[0] for each in found]
    longest = max((band.high for *_, band in found if band), default=0.0) or 1.0
    rows = []
    for units, at, number, seat, band in found:
        low, mean, high = (band.low, band.mean, band.high) if band else (0.0, 0.0, 0.0)
        rows.append(
            RankedSeat(
                rank=1 + printed.index(units),
                tied=printed.count(units) > 1,
                table=at,
                seat=number,
                name=seat.name,
                decisions=len(seat.losses),
                lost=amounts.value(units / amounts.scale),
                mean=amounts.value(mean) if band else "",
                low=amounts.value(low) if band else "",
                high=amounts.value(high) if band else "",
                begin=low / longest,
                at=mean / longest,
                end=high / longest,
            )
        )
    return NightRanking(tuple(rows), _lead(rows, language))


def _lead(rows: Sequence[RankedSeat], language: Language) -> str:
    if not rows:
        return language.say("A bot played at each seat for a while, so nobody is ranked.")
    best = [row.name for row in rows if row.rank == 1]
    if len(best) == len(rows) > 1:
        return language.say("All gave away the same: {amount}.", amount=rows[0].lost)
    if len(best) > 1:
        return language.say("{names} gave least away: {amount} each.", names=language.join(best), amount=rows[0].lost)
    return language.say("{name} gave least away: {amount}.", name=best[0], amount=rows[0].lost)


def ranking_lines(ranking: NightRanking, language: Language) -> list[str]:
    """The ranking as lines to be heard: a line for each seat."""
    say = language.say
    lines = [ranking.lead]
    for row in ranking.rows:
        facts: dict[str, Any] = {"rank": row.rank, "name": row.name, "table": row.table + 1, "lost": row.lost}
        lines.append(say("{rank}. {name}, table {table}: lost {lost}.", **facts) + " " + decisions_told(row, language))
    return lines


def decisions_told(row: RankedSeat, language: Language) -> str:
    """A seat's real decisions, and what one cost on average."""
    if not row.decisions:
        return language.say("No real decision.")
    number = language.count("{number} real decision", "{number} real decisions", row.decisions)
    return language.say(
        "{decisions}, {mean} each ({low} to {high}).",
        decisions=number,
        mean=row.mean,
        low=row.low,
        high=row.high,
    )


def ranking_data(ranking: NightRanking, tables: Sequence[MatchLosses]) -> list[dict[str, Any]]:
    """The ranking for programs: unrounded."""
    dearest = max((loss for table in tables for seat in table.seats for loss in seat.losses), default=0.0)
    found = []
    for row in ranking.rows:
        seat = tables[row.table].seats[row.seat]
        band = loss_band(seat.losses, dearest)
        found.append(
            {
                "rank": row.rank,
                "table": row.table + 1,
                "seat": seat.name,
                "lost": seat.lost,
                "decisions": len(seat.losses),
                "mean": band and band.mean,
                "low": band and band.low,
                "high": band and band.high,
            }
        )
    return found
