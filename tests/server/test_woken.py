"""What a house looks after when it opens: the matches that were played lately, and nothing else."""

import pytest

from pubdice.store import SqliteReader
from server.clients import Client
from server.disk import watched
from server.houses import HOUR, MINUTE, MONTH, Pub, at_the_pub, seated

ALL = [0, 1, 2, 3, 4, 5]
DAY = 24 * HOUR


async def before_tip(pub: Pub) -> tuple[Client, str]:
    """Ann has dice to choose from; after her turn a bot plays, in ten seconds."""
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["tip"], pace_ms=10_000, rules={"format": "rounds 9", "first": "Seat 1"})
    await ann.done(code, "roll")
    return ann, code


@at_the_pub()
async def test_a_match_played_for_months_without_anybody_coming_or_going_is_woken(pub: Pub) -> None:
    ann, code = await before_tip(pub)
    for number in range(12):
        await pub.sleep(10 * DAY)
        await ann.done(code, "mark", marks=[number % 6])
    await ann.done(code, "bank", marks=ALL)
    await pub.restart(HOUR, kill=True)
    lines = pub.stored(code)
    await pub.advance(MINUTE)
    assert len(pub.stored(code)) > len(lines)


@at_the_pub()
async def test_a_match_nobody_played_for_a_month_is_left_alone(pub: Pub) -> None:
    ann, code = await before_tip(pub)
    await ann.done(code, "bank", marks=ALL)
    lines = pub.stored(code)
    await pub.restart(MONTH + HOUR, kill=True)
    await pub.advance(MINUTE)
    assert pub.stored(code) == lines


@at_the_pub()
async def test_only_matches_are_read_when_a_house_opens(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        await pub.client(f"host {number}").order(listed=True)
    ann, code = await before_tip(pub)
    await ann.done(code, "bank", marks=ALL)
    asked = watched(monkeypatch)
    monkeypatch.setattr(SqliteReader, "codes", None)
    await pub.restart(kill=True)
    assert asked == [pub.store.find(code)]


@at_the_pub()
async def test_when_a_table_was_played_at_last_is_written_down_once_an_hour(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 9"})
    await ann.done(code, "roll")

    def updated() -> int:
        [row] = pub.store.playing(0)
        return row.updated

    written, opened = set[int](), pub.clock.ms
    for number in range(30):
        await pub.sleep(10 * MINUTE)
        await ann.done(code, "mark", marks=[number % 6])
        written.add(updated())
        assert 0 <= pub.clock.ms - updated() < HOUR
    assert len(written) <= 1 + (pub.clock.ms - opened) // HOUR + 1
    await ann.done(code, "bank", marks=ALL)
    before = updated()
    await bob.done(code, "give")
    assert updated() == pub.clock.ms >= before, "who comes and goes is written at once"
