"""How every seat's luck in a record compares with replays, in sentences and as data: what page and terminal say."""

from collections.abc import Sequence
from typing import Any

from pubdice.advice.coach import Coach
from pubdice.advice.luck_rank import LuckRank, LuckRanks, LuckSample
from pubdice.advice.review import Review
from pubdice.match.record import write_steps
from pubdice.records import Checked
from pubdice.text.language import Language, sentence


def sample_of(checked: Checked, coach: Coach) -> LuckSample:
    """The replays of the match in a record, seeded by the record."""
    steps = ((step.before, step.move, step.after) for step in checked.steps)
    return LuckSample(coach, write_steps(checked.header, checked.match, steps))


def ranks_of(checked: Checked, coach: Coach, found: Review) -> LuckRanks:
    """How every seat's luck compares; nothing before the match is over."""
    if not checked.steps or not checked.steps[-1].after.over:
        return LuckRanks(0)
    sample = sample_of(checked, coach)
    sample.go_on()
    return sample.ranks([split.luck for split in found.splits])


def rank_told(language: Language, name: str, rank: LuckRank) -> str:
    """How a seat's luck compares with that of the replays; none has more, or less, where play was not the best."""
    if rank.share in (0, 1):
        text = (
            "{name} had more luck than in all replays." if rank.share else "{name} had less luck than in all replays."
        )
        return sentence(language.say(text, name=name))
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
        "The house has replayed this match {number} times, with everybody playing best. Equal luck counts half. "
        "Where choices were not the best, luck can lie outside all replays.",
        number=language.whole(ranks.replays),
    )


def ranks_data(names: Sequence[str], ranks: LuckRanks) -> dict[str, Any]:
    """The ranks as plain data for programs."""
    seats = {
        name: {"share": rank.share, "low": rank.low, "high": rank.high}
        for name, rank in zip(names, ranks.seats, strict=False)
    }
    return {"replays": ranks.replays, "seats": seats}
