"""Appends on their way to a store that does not answer: there are only so many."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from pubdice.core.errors import NotStored
from pubdice.server.observe import Durations
from pubdice.server.table.commit import MOST_IN_FLIGHT, GroupCommit
from pubdice.store import Entry, Stored
from pubdice.store.writer import Outcome


class Hung:
    """A store that keeps what it is given, and says nothing until it is asked to."""

    def __init__(self) -> None:
        self.given: list[tuple[Entry, Callable[[Any], object]]] = []

    def submit(self, entries: Sequence[tuple[Entry, Callable[[Any], object]]], loop_call: object = None) -> None:
        self.given += entries

    def answer(self) -> None:
        given, self.given = self.given, []
        for entry, done in given:
            done(Stored(entry.seen + 1))


def test_what_a_store_that_does_not_answer_has_is_bounded() -> None:
    async def appended() -> None:
        store, heard = Hung(), list[Outcome]()
        commit = GroupCommit(store, Durations())  # type: ignore[arg-type]

        def append(table: int) -> None:
            commit.append(Entry(table, 1, ("a",)), heard.append, lambda: None)

        for table in range(MOST_IN_FLIGHT + 3):
            append(table)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert [outcome.code for outcome in heard if isinstance(outcome, NotStored)] == ["store-unwritable"] * 3
        assert len(store.given) == MOST_IN_FLIGHT
        store.answer()
        append(1)
        await asyncio.sleep(0)
        assert len(store.given) == 1, "there is room again"
        assert sum(isinstance(outcome, Stored) for outcome in heard) == MOST_IN_FLIGHT

    asyncio.run(appended())
