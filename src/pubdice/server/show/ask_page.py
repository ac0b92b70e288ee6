"""What the page "Ask the house" shows, as frozen data. Knows no templates and no request."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from pubdice.advice.ranking import RankedKeep, Ranking
from pubdice.kit import Flag

T = TypeVar("T")
Ask = Callable[[str, str], Awaitable[T]]
"""Asks in the language of a code, for an asker: so many questions of one asker are worked on at a time."""
SHOWN = 7
"""Keeps shown at once; the others are behind a fold."""


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Fields of the form under one heading."""

    heading: str
    fields: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class AskPage:
    """One position. game: its name; "" if a record says it.

    fields: of the form, with what they hold (values). rows: the keeps, best first; utility: what their values are;
    before: what had happened. refusal: why there is no answer. again_s: when the page asks again; 0 for never. table:
    the link of the finished match a decision is from, number and of: which.
    """

    game: str
    fields: tuple[Flag, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[RankedKeep, ...] = ()
    utility: str = ""
    before: tuple[str, ...] = ()
    refusal: str = ""
    again_s: int = 0
    table: str = ""
    number: int = 0
    of: int = 0

    @property
    def groups(self) -> tuple[FieldGroup, ...]:
        """The fields that stand under a heading, in order; those on top have none."""
        headings = dict.fromkeys(each.group for each in self.fields if each.group)
        return tuple(FieldGroup(name, tuple(each for each in self.fields if each.group == name)) for name in headings)

    @property
    def grouped(self) -> bool:
        """Whether some field under a heading is filled in."""
        return any(each.group and each.name in self.values for each in self.fields)


def answered(page: AskPage, answer: Ranking) -> AskPage:
    """The page with its answer."""
    found = {"before": answer.before, "number": answer.number, "of": answer.of}
    return replace(page, rows=answer.rows, utility=answer.utility, **found)  # type: ignore[arg-type]


def refused(page: AskPage, why: str) -> AskPage:
    """The page with the reason why there is no answer."""
    return replace(page, refusal=why)


def waiting(page: AskPage, again_s: int) -> AskPage:
    """The page that asks again by itself."""
    return replace(page, again_s=again_s)
