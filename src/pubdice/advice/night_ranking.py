"""The ranking of a duplicate night (tables that play with the same dice), by the value that each seat lost."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import inf
from typing import Any

from pubdice.advice.losses import LossBand, LossUnit, MatchLosses, SeatLosses, loss_band
from pubdice.advice.spoken_advice import Amounts
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class RankedSeat:
    """A seat in the ranking."""

    rank: int  # from 1. Seats with equal losses, as printed, share a rank.
    tied: bool  # True if the rank is shared
    table: int  # the number of the table, from 0, in the order given
    seat: SeatLosses
    lost: float  # the seat's loss, rounded as it is printed
    band: LossBand | None  # None if the seat had no real decision


@dataclass(frozen=True, slots=True)
class NightRanking:
    """The ranking of all seats of the night, best first."""

    rows: tuple[RankedSeat, ...] = ()
    unit: LossUnit | None = None  # None if there are no tables

    @property
    def longest(self) -> float:
        """The greatest upper end of all bands, to scale a picture. 1 if there are no bands."""
        return max((row.band.high for row in self.rows if row.band), default=0.0) or 1.0

    def lead(self, language: Language) -> str:
        """Return the result of the night as a sentence."""
        if self.unit is None:
            return ""
        if not self.rows:
            return language.say("A bot played at each seat for a while, so there is no ranking.")
        best, amount = [row.seat.name for row in self.rows if row.rank == 1], self.lost(self.rows[0], language)
        if len(best) == len(self.rows) > 1:
            return language.say("Everybody lost the same: {amount}.", amount=amount)
        if len(best) > 1:
            return language.say(
                "{names} made the fewest mistakes: {amount} lost each.", names=language.join(best), amount=amount
            )
        return language.say("{name} made the fewest mistakes: {amount} lost.", name=best[0], amount=amount)

    def lost(self, row: RankedSeat, language: Language) -> str:
        """Return a seat's loss in words."""
        assert self.unit is not None
        return Amounts(language, self.unit).value(row.lost)

    def decisions(self, row: RankedSeat, language: Language) -> str:
        """Return a sentence on a seat's number of real decisions, and the mean loss of a decision."""
        if row.band is None or self.unit is None:
            return language.say("No real decision.")
        number = language.count("{number} real decision", "{number} real decisions", len(row.seat.losses))
        facts = {name: Amounts(language, self.unit).value(value) for name, value in asdict(row.band).items()}
        band = language.range(facts["low"], facts["high"])
        return language.say("{decisions}, {mean} each ({range}).", decisions=number, mean=facts["mean"], range=band)

    def sentences(self, language: Language) -> list[str]:
        """Return the ranking as lines to read aloud: a summary, then a line for each seat."""
        lines = [self.lead(language)]
        for row in self.rows:
            facts = {"rank": row.rank, "name": row.seat.name, "table": row.table + 1, "lost": self.lost(row, language)}
            said = language.say("{rank}. {name}, table {table}: lost {lost}.", **facts)
            lines.append(f"{said} {self.decisions(row, language)}")
        return lines

    def data(self) -> list[dict[str, Any]]:
        """Return the ranking as data for programs, unrounded."""
        return [
            {
                "rank": row.rank,
                "table": row.table + 1,
                "seat": row.seat.name,
                "lost": row.seat.lost,
                "decisions": len(row.seat.losses),
                "mean": row.band and row.band.mean,
                "low": row.band and row.band.low,
                "high": row.band and row.band.high,
            }
            for row in self.rows
        ]


def ranked(tables: Sequence[MatchLosses]) -> NightRanking:
    """Rank the seats of all matches of a night, the smallest loss first."""
    if not tables:
        return NightRanking()
    amounts = Amounts(Language(), tables[0].unit)
    scale, most = amounts.scale, 1.0 if amounts.are_chances else inf
    dearest = max((seat.dearest for table in tables for seat in table.seats), default=0.0)
    found = [(round(seat.lost * scale), at, seat) for at, table in enumerate(tables) for seat in table.seats]
    found.sort(key=lambda each: each[:2])
    printed = [units for units, *_ in found]
    rows = [
        RankedSeat(
            1 + printed.index(units),
            printed.count(units) > 1,
            at,
            seat,
            units / scale,
            loss_band(seat.losses, dearest, most),
        )
        for units, at, seat in found
    ]
    return NightRanking(tuple(rows), tables[0].unit)
