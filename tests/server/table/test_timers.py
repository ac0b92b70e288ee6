"""A table's timer: the turn clock, the bots and their pace, and faults meanwhile."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pubdice.core.errors import Unsolved
from pubdice.kit import PERFECT
from pubdice.match.match import MatchState
from pubdice.room.state import READ_MS
from pubdice.server.table.autoplay import COMES_MS, EASY_MS, RETRY_S
from pubdice.server.table.bot_moves import Hurry
from support.asgi_client import Client, Stream
from support.house import HOUR, MINUTE, SECOND, Pub, agrees, kinds, play_out, three
from support.html_tree import read

ALL = [0, 1, 2, 3, 4, 5]


async def rematch(pub: Pub) -> tuple[Client, str]:
    """A rematch that Ann has asked for, whose first move is the bot's. No page is at that table yet."""
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["tip"], rules={"format": "rounds 1"}, pace_ms=400)
    page = await ann.look(code)
    await play_out(pub, code, [ann])
    done = await ann.ask(code, "rematch")
    await page.drop()
    code = done.data["go"].rpartition("/")[2]
    state = pub.actor(code).state
    assert (state.stage, state.mover is not None and state.plays(state.mover)) == ("playing", True)
    return ann, code


async def test_a_bot_that_begins_a_rematch_waits_for_the_page(pub: Pub) -> None:
    """On a phone the page took longer than the bot's pause, and came into its turn."""
    ann, code = await rematch(pub)
    await pub.advance(READ_MS + SECOND)
    stream = await ann.look(code)
    await pub.advance(READ_MS - SECOND)
    assert pub.actor(code).state.rolls == 0
    await pub.advance(2 * SECOND)
    assert pub.actor(code).state.rolls > 0
    assert any(said.startswith("Tip rolled") for said in stream.said)


async def test_a_bot_begins_a_rematch_if_no_page_comes(pub: Pub) -> None:
    """Without its stream: without scripts, say."""
    ann, code = await rematch(pub)
    await ann.page(code)
    await pub.advance(COMES_MS - SECOND)
    assert pub.actor(code).state.rolls == 0
    await pub.advance(2 * SECOND)
    assert pub.actor(code).state.rolls > 0


# the turn clock


async def test_when_time_is_up_a_bot_plays_the_turn_out_and_no_more(pub: Pub) -> None:
    people, streams, code = await three(pub, clock_s=30, pace_ms=1000)
    assert streams[0].view["clock"] == pub.clock.ms + 30 * SECOND
    await people[0].done(code, "roll")
    await pub.advance(29 * SECOND)
    assert not any("timedout" in line for line in pub.stored(code))
    await pub.advance(SECOND)
    assert "Time is up: a bot plays this turn for Ann." in streams[0].said
    assert (await people[0].ask(code, "bank", marks=ALL)).data["code"] == "bot-plays"
    await pub.advance(15 * SECOND)
    assert streams[0].view["mover"] == 1
    assert kinds(streams[0]) == ["person"] * 3
    assert await agrees(pub, streams[0])


async def test_a_clock_set_back_ends_no_turn_early(pub: Pub) -> None:
    people, _, code = await three(pub, clock_s=30)
    await pub.advance(10 * SECOND)
    await people[0].done(code, "roll")
    pub.clock.ms -= MINUTE
    await pub.actor(code).autoplay._tick()
    await pub.advance(40 * SECOND)
    assert not any("timedout" in line for line in pub.stored(code))
    await pub.advance(MINUTE)
    assert any("timedout" in line for line in pub.stored(code))


@pytest.mark.parametrize("kill", [False, True])
async def test_the_clock_stands_still_while_the_house_is_closed(pub: Pub, kill: bool) -> None:
    people, _, code = await three(pub, clock_s=30)
    await people[0].done(code, "roll")
    await pub.advance(25 * SECOND)
    await pub.restart(HOUR, kill=kill)
    stream = await people[0].look(code)
    assert stream.view["clock"] == pub.clock.ms + 30 * SECOND
    await pub.advance(29 * SECOND)
    assert not any("timedout" in line for line in pub.stored(code))
    await pub.advance(2 * SECOND)
    assert any("timedout" in line for line in pub.stored(code))


async def clocked_and_empty(pub: Pub) -> tuple[list[Client], str]:
    """A table with a clock of 30 s at which Ann is to move, an hour after its people went. Its log is as it was."""
    people, _, code = await three(pub, clock_s=30)
    await pub.restart(HOUR, kill=True)
    return people, code


def kinds_since(pub: Pub, code: str, seq: int) -> list[str]:
    """The lines stored after an event."""
    return [line.split()[1] for line in pub.stored(code)[seq:]]


async def test_reading_a_table_with_a_clock_stores_nothing(pub: Pub) -> None:
    people, code = await clocked_and_empty(pub)
    seq = len(pub.stored(code))
    for client in (pub.client("Eve"), *people):
        assert (await client.page(code)).status == 200
        assert (await client.get(f"/t/{code}/state")).status == 200
        assert (await client.get(f"/t/{code}/record")).status == 200
        await pub.settle()
    assert not kinds_since(pub, code, seq)
    stream = await people[0].look(code)
    await pub.settle()
    assert kinds_since(pub, code, seq) == ["retimed"], "who opens a stream has come"
    assert stream.view["clock"] == pub.clock.ms + 30 * SECOND


async def test_a_player_back_without_a_stream_has_all_their_time(pub: Pub) -> None:
    people, code = await clocked_and_empty(pub)
    seq = len(pub.stored(code))
    await people[0].page(code)
    await pub.advance(6 * SECOND)
    assert kinds_since(pub, code, seq) == ["retimed"]
    await people[0].page(code)
    await pub.advance(28 * SECOND)
    assert kinds_since(pub, code, seq) == ["retimed"]
    await pub.advance(2 * SECOND)
    assert kinds_since(pub, code, seq)[:2] == ["retimed", "timedout"], "once"


async def test_a_player_back_while_the_store_fails_loses_no_turn(pub: Pub) -> None:
    people, code = await clocked_and_empty(pub)
    seq = len(pub.stored(code))
    await people[0].page(code)
    pub.disk.failing = 3
    await pub.advance(12 * SECOND)
    pub.disk.failing = 0
    await pub.advance(3 * SECOND)
    assert kinds_since(pub, code, seq) == ["retimed"]


async def test_a_move_as_time_is_up_leaves_the_table_going_on(pub: Pub) -> None:
    people, streams, code = await three(pub, clock_s=30, pace_ms=1000)
    await people[0].done(code, "roll")
    pub.clock.ms += 30 * SECOND
    pub.disk.open.clear()
    asked = asyncio.ensure_future(people[0].ask(code, "bank", marks=ALL))
    await pub.settle()
    await pub.advance(0)
    pub.disk.open.set()
    assert (await asked).status == 200
    await pub.advance(SECOND)
    assert streams[0].view["mover"] == 1
    assert not any("timedout" in line for line in pub.stored(code))
    assert streams[0].view["clock"] is not None
    await pub.advance(30 * SECOND)
    assert any("timedout 1" in line for line in pub.stored(code))


# the bots


async def against_tip(pub: Pub, pace_ms: int) -> tuple[Client, Stream, str]:
    """Ann has played her turn, and the bot is next."""
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["tip"], pace_ms=pace_ms, rules={"format": "rounds 9"})
    stream = await ann.look(code, 0)
    await ann.done(code, "roll")
    await ann.done(code, "bank", marks=ALL)
    await pub.settle()
    assert stream.view["mover"] == 1
    return ann, stream, code


async def test_a_bot_waits_its_pace_before_every_action(pub: Pub) -> None:
    _, stream, _ = await against_tip(pub, 1200)
    at = len(stream.messages)
    for number in range(3):
        await pub.advance(1199)
        assert len(stream.messages) == at + number
        await pub.advance(1)
        assert len(stream.messages) == at + number + 1


async def test_a_bot_of_a_busy_address_waits_a_second(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hurry, "take", lambda self, asker, table, now: False)
    _, stream, _ = await against_tip(pub, 0)
    at = len(stream.messages)
    for number in range(3):
        await pub.advance(EASY_MS - 1)
        assert len(stream.messages) == at + number
        await pub.advance(1)
        assert len(stream.messages) == at + number + 1


async def test_a_table_that_is_loaded_again_does_nothing_for_a_second(pub: Pub) -> None:
    """The fault would only come again."""
    _, _, code = await against_tip(pub, 0)
    before = pub.actor(code).state.seq
    pub.house.reload(code)
    await pub.advance(int(RETRY_S * SECOND) - 1)
    assert (await pub.table(code)).state.seq == before
    await pub.advance(1)
    assert (await pub.table(code)).state.seq > before


async def test_a_pace_that_is_changed_holds_at_once(pub: Pub) -> None:
    ann, stream, code = await against_tip(pub, 10_000)
    await pub.advance(5 * SECOND)
    assert stream.view["mover"] == 1
    await ann.done(code, "pace", ms=0)
    await pub.advance(0)
    assert stream.view["mover"] == 0
    await ann.done(code, "roll")
    await ann.done(code, "bank", marks=ALL)
    await ann.done(code, "pace", ms=3000)
    await pub.settle()
    at = stream.view["seq"]
    await pub.advance(2990)
    assert stream.view["seq"] == at


async def test_a_bots_decision_is_dropped_once_its_player_is_back(pub: Pub) -> None:
    people, streams, code = await three(pub, pace_ms=0)
    gate, asked = asyncio.Event(), asyncio.Event()
    choose = pub.choose

    async def slowly(rules: Mapping[str, str], bot: str, match: MatchState[Any]) -> Sequence[tuple[Any, int]]:
        asked.set()
        await gate.wait()
        return list(await choose(rules, bot, match))

    pub.choose = slowly
    await people[0].done(code, "roll")
    await people[0].done(code, "give")
    await pub.advance(0)
    assert asked.is_set()
    await people[0].done(code, "resume")
    await people[0].done(code, "mark", marks=[0])
    await pub.settle()
    before = pub.stored(code)
    gate.set()
    await pub.advance(10 * SECOND)
    assert pub.stored(code) == before
    assert streams[0].view["seats"][0]["kind"] == "person"


async def test_of_many_decisions_for_one_moment_one_counts(pub: Pub) -> None:
    _, stream, code = await against_tip(pub, 0)
    actor = pub.actor(code)
    before = actor.state.rolls
    pub.disk.open.clear()
    ticks = [asyncio.ensure_future(actor.autoplay._tick()) for _ in range(5)]
    await pub.settle()
    pub.disk.open.set()
    await asyncio.gather(*ticks)
    assert actor.state.rolls == before + 1
    await pub.advance(0)
    assert stream.view["mover"] == 0
    await pub.settle()
    assert stream.log == pub.stored(code)


@pytest.mark.parametrize("fault", [RuntimeError("a bug"), ValueError("no such bot"), None])
async def test_a_bot_that_fails_is_noted_and_does_not_stop_the_table(pub: Pub, fault: Exception | None) -> None:
    choose, calls = pub.choose, 0

    async def badly(rules: Mapping[str, str], bot: str, match: MatchState[Any]) -> Sequence[tuple[Any, int]]:
        nonlocal calls
        calls += 1
        if calls > 3:
            return list(await choose(rules, bot, match))
        if fault is not None:
            raise fault
        return [("nonsense", 1)]

    pub.choose = badly
    _, stream, _ = await against_tip(pub, 0)
    await pub.advance(2 * SECOND)
    assert calls <= 4, "it is not asked without a pause"
    await pub.advance(10 * SECOND)
    assert stream.view["mover"] == 0
    assert len(pub.event_log.errors) == 3
    pub.event_log.errors.clear()


async def test_the_usual_bot_plays_for_one_that_cannot(pub: Pub) -> None:
    choose = pub.choose

    async def badly(rules: Mapping[str, str], bot: str, match: MatchState[Any]) -> Sequence[tuple[Any, int]]:
        if bot == "bold":
            raise RuntimeError("not solved")
        return list(await choose(rules, bot, match))

    pub.choose = badly
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["bold"], pace_ms=0, rules={"format": "rounds 1"})
    await ann.done(code, "roll")
    await ann.done(code, "bank", marks=[0, 1, 2, 3, 4, 5])
    await pub.advance(5 * SECOND)
    assert (await pub.view(code))["stage"] == "over"
    assert pub.event_log.errors
    pub.event_log.errors.clear()


async def test_the_choice_of_bots_says_where_perfect_is_not_perfect(pub: Pub) -> None:
    choose, said = pub.choose, "Perfect plays like Tip if the match is too large to solve."

    async def unsolved(rules: Mapping[str, str], bot: str, match: MatchState[Any]) -> Sequence[tuple[Any, int]]:
        if bot == PERFECT:
            raise Unsolved("too-many-positions", count=600_001, most=600_000)
        return list(await choose(rules, bot, match))

    pub.choose = unsolved
    ann = pub.client("Ann")
    front = read((await ann.send("/houserules", game="mexico")).text)
    assert front.one(id="mexico.bot.perfect").attrs["aria-describedby"] == "mexico.bot.large"
    assert front.one(id="mexico.bot.large").words() == said
    gathering = await ann.order(game="mexico", people=2, rules={"format": "lives 1"})
    lobby = read((await ann.page(gathering)).text)
    assert lobby.one(id="start-bot").attrs["aria-describedby"] == "start-bot-large"
    assert lobby.one(id="start-bot-large").words() == said
    code = await ann.order(game="mexico", people=1, bots=["perfect"], pace_ms=0, rules={"format": "rounds 1"})
    await ann.done(code, "roll")
    await ann.done(code, "bank")
    await pub.advance(5 * SECOND)
    assert (await pub.view(code))["stage"] == "over"
    assert not pub.event_log.errors, "it is no fault of the house"


async def test_the_perfect_bot_takes_no_seat_at_a_large_table(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(game="420", people=8, rules={"format": "race"})
    refused = await ann.ask(code, "start", bot="perfect")
    assert (refused.status, refused.data["code"]) == (409, "perfect-seats")
    assert "perfect" not in (await ann.page(code)).text.lower().split("<main")[1]
