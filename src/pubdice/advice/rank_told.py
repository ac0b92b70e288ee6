"""How every seat's luck in a record compares with replays, in sentences and as data: what page and terminal say."""

from collections.abc import Sequence
from typing import Any

from pubdice.advice.coach import Coach
from pubdice.advice.luck_rank import LuckRank, LuckRanks, luck_ranks
from pubdice.advice.review import Review
from pubdice.match.record import write_steps
from pubdice.records import Checked
from pubdice.text.language import Language, sentence


def ranks_of(checked: Checked, coach: Coach, found: Review) -> LuckRanks:
    """How every seat's luck compares; nothing before the match is over."""
    steps = checked.steps
    if not steps or not steps[-1].after.over:
        return LuckRanks(0)
    text = write_steps(checked.header, checked.match, ((step.before, step.move, step.after) for step in steps))
    return luck_ranks(coach, text, [split.luck for split in found.splits])


def rank_told(language: Language, name: str, rank: LuckRank) -> str:
    """How a seat's luck compares with that of the replays."""
    return sentence(
        language.say(
            "{name} had more luck than in {share} of the replays (95 % sure: {low} to {high}).",
            name=name,
            share=language.per_cent(rank.share),
            low=language.per_cent(rank.low),
            high=language.per_cent(rank.high),
        )
    )


def rests_told(language: Language, ranks: LuckRanks) -> str:
    """What ranks rest on, or that there are none."""
    if not ranks.seats:
        return language.count(
            "This match is too long to replay often enough: {number} replay was possible.",
            "This match is too long to replay often enough: {number} replays were possible.",
            ranks.replays,
        )
    return language.say(
        "The house has replayed this match {number} times, with everybody playing best. Equal luck counts half.",
        number=language.whole(ranks.replays),
    )


def ranks_data(names: Sequence[str], ranks: LuckRanks) -> dict[str, Any]:
    """The ranks as plain data for programs."""
    seats = {
        name: {"share": rank.share, "low": rank.low, "high": rank.high}
        for name, rank in zip(names, ranks.seats, strict=False)
    }
    return {"replays": ranks.replays, "seats": seats}
