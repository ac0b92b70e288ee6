"""The summary of a table that the store keeps for lists of tables, and when it is written again."""

from collections.abc import Sequence

from pubdice.room import RoomState, Step
from pubdice.store.entries import TableSummary

HOUR_MS = 3600 * 1000


def changed_summary(steps: Sequence[Step]) -> TableSummary | None:
    """The summary after these steps, if people or the stage changed, or an hour of the clock has passed; else None."""
    before, after = steps[0].before, steps[-1].after
    if after.layout_version > before.seq or after.at // HOUR_MS != before.at // HOUR_MS:
        return summary_of(before, after)
    return None


def summary_of(before: RoomState, after: RoomState) -> TableSummary:
    """The summary of a table. Its people are only those who are new: the store adds them to those it has."""
    setup, known = after.setup, before.people
    newcomers = tuple([person for person in after.people if person not in known])
    return TableSummary(after.stage, setup.listed, after.at, newcomers, setup.rules["game"], after.names)
