"""Who is here: lost connections, grace, coming back, and nudges."""

from pubdice.server.pages import table as table_page
from pubdice.server.table.presence import SEEN_MS
from support.house import HOUR, MINUTE, MONTH, SECOND, Pub, agrees, at_the_pub, kinds, three


async def here(pub: Pub, code: str) -> list[bool]:
    """Who a stranger is told is here."""
    return [seat["here"] for seat in (await pub.view(code))["seats"]]


# away and back


def test_a_page_that_reloads_itself_does_so_well_before_it_counts_as_gone() -> None:
    assert 3 * 1000 * table_page.REFRESH_S <= SEEN_MS


@at_the_pub()
async def test_a_person_whose_page_has_no_stream_and_reloads_itself_is_not_called_away(pub: Pub) -> None:
    people, streams, code = await three(pub)
    await streams[1].drop()
    await people[1].page(code)
    before = len(streams[0].said)
    for _ in range(12):
        await pub.advance(table_page.REFRESH_S * SECOND)
        await people[1].page(code)
        assert await here(pub, code) == [True] * 3
    await pub.advance(100 * SECOND)  # in one's own turn it does not, and one may think
    assert await here(pub, code) == [True] * 3
    assert streams[0].said[before:] == []
    await pub.advance(30 * SECOND)
    assert await here(pub, code) == [True, False, True]


@at_the_pub()
async def test_a_page_that_loads_again_is_not_away(pub: Pub) -> None:
    people, streams, code = await three(pub)
    shown = len(streams[0].messages)
    await streams[1].drop()
    await pub.advance(3 * SECOND)
    await people[1].page(code)
    await people[1].look(code)
    await pub.advance(10 * SECOND)
    assert await here(pub, code) == [True] * 3
    assert len(streams[0].messages) == shown


@at_the_pub()
async def test_who_lost_the_connection_is_said_to_be_away_and_then_back_each_once(pub: Pub) -> None:
    people, streams, code = await three(pub)
    before = len(streams[0].said)
    for _ in range(2):
        await streams[1].drop()
        await pub.advance(5 * SECOND)
        assert streams[0].said[before:] == ["Bob has lost the connection."]
        assert [seat["here"] for seat in streams[0].view["seats"]] == [True, False, True]
        assert streams[0].view["seats"][1]["note"] == "away"
        await pub.advance(20 * SECOND)
        streams[1] = await people[1].look(code)
        await pub.settle()
        assert streams[0].said[before:] == ["Bob has lost the connection.", "Bob is back."]
        assert [seat["here"] for seat in streams[0].view["seats"]] == [True] * 3
        await pub.advance(20 * SECOND)
        before = len(streams[0].said)
        assert await agrees(pub, streams[0])


@at_the_pub()
async def test_a_move_made_just_as_somebody_goes_hides_no_news_of_it(pub: Pub) -> None:
    people, streams, code = await three(pub)
    await streams[1].drop()
    await pub.advance(4 * SECOND)
    await pub.sleep(1)
    await people[0].done(code, "roll")
    await pub.advance(5 * SECOND)
    assert "Bob has lost the connection." in streams[0].said
    streams[1] = await people[1].look(code)
    await pub.settle()
    assert streams[0].said.count("Bob is back.") == 1


@at_the_pub()
async def test_with_two_phones_one_may_be_lost(pub: Pub) -> None:
    _, streams, code = await three(pub)
    phone = pub.client("Bob's phone")
    await phone.done(code, "join", words=pub.house.words(pub.actor(code), 1))
    second = await phone.look(code)
    await streams[1].drop()
    await pub.advance(MINUTE)
    assert await here(pub, code) == [True] * 3
    await second.drop()
    await pub.advance(5 * SECOND)
    assert await here(pub, code) == [True, False, True]


@at_the_pub()
async def test_who_leaves_is_not_said_to_be_back(pub: Pub) -> None:
    people, streams, code = await three(pub)
    await streams[1].drop()
    await pub.advance(5 * SECOND)
    await people[0].done(code, "remove", seat=1)
    await pub.advance(MINUTE)
    assert "Bob is back." not in streams[0].said
    assert kinds(streams[0]) == ["person", "bot", "person"]
    assert await agrees(pub, streams[0])


@at_the_pub()
async def test_who_reads_without_a_stream_is_here_for_a_while_and_then_said_to_be_away(pub: Pub) -> None:
    people, streams, code = await three(pub)
    await streams[1].drop()
    await people[1].page(code)
    await pub.advance(SEEN_MS - 5 * SECOND)
    assert await here(pub, code) == [True] * 3
    await people[1].page(code)
    await pub.advance(SEEN_MS - 5 * SECOND)
    assert await here(pub, code) == [True] * 3
    await pub.advance(15 * SECOND)
    assert await here(pub, code) == [True, False, True]
    assert await agrees(pub, streams[0])
    assert streams[0].said[-1] == "Bob has lost the connection."


@at_the_pub()
async def test_who_plays_without_a_stream_is_here_for_a_while(pub: Pub) -> None:
    people, streams, code = await three(pub)
    await people[0].done(code, "roll")
    await people[0].done(code, "bank", marks=[0, 1, 2, 3, 4, 5])
    await streams[1].drop()
    await pub.advance(20 * SECOND)
    assert await here(pub, code) == [True, False, True]
    await people[1].done(code, "roll")
    assert await here(pub, code) == [True] * 3
    await pub.advance(SEEN_MS - 5 * SECOND)
    assert await here(pub, code) == [True] * 3


@at_the_pub()
async def test_after_a_restart_who_does_not_come_back_is_said_to_be_away(pub: Pub) -> None:
    people, _, code = await three(pub, grace_s=30)
    await pub.restart(HOUR)
    stream = await people[0].look(code)
    await people[2].look(code)
    assert await here(pub, code) == [True] * 3
    await pub.advance(6 * SECOND)
    assert stream.said == ["Bob has lost the connection."]
    assert await agrees(pub, stream)
    await pub.advance(30 * SECOND)
    assert [seat["votable"] for seat in stream.view["seats"]] == [False, True, False]


@at_the_pub()
async def test_who_sits_down_is_here(pub: Pub) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    code = await ann.order(people=3)
    stream = await ann.look(code)
    await pub.advance(MINUTE)
    await bob.done(code, "sit", name="Bob")
    await pub.settle()
    assert [seat["here"] for seat in stream.view["seats"]][:2] == [True, True]
    assert await agrees(pub, stream)
    assert "Bob has lost the connection." not in stream.said


@at_the_pub()
async def test_a_person_alone_with_bots_may_stay_away_without_limit(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["tip", "lucky"], pace_ms=0, grace_s=0)
    stream = await ann.look(code)
    await pub.advance(MINUTE)
    await stream.drop()
    before = pub.stored(code)
    await pub.advance(HOUR)
    await pub.sleep(MONTH)
    await pub.restart(MONTH)
    await pub.advance(HOUR)
    assert pub.stored(code) == before
    assert (await pub.view(code))["mover"] == 0


# nudges


@at_the_pub()
async def test_a_nudge_is_heard_by_all_and_not_too_soon(pub: Pub) -> None:
    people, streams, code = await three(pub)
    soon = await people[1].ask(code, "nudge")
    assert (soon.data["code"], soon.data["why"]) == ("nudge-soon", "You can nudge Ann in 20 seconds.")
    assert (await people[0].ask(code, "nudge")).data["code"] == "nobody-to-nudge"
    await pub.advance(19 * SECOND)
    assert (await people[1].ask(code, "nudge")).data["why"] == "You can nudge Ann in one second."
    german = pub.client("Bob", "de")
    assert (await german.ask(code, "nudge")).data["why"] == "Du kannst Ann in einer Sekunde anstupsen."
    await pub.advance(SECOND)
    await people[1].done(code, "nudge", "the-one-key")
    await people[1].done(code, "nudge", "the-one-key")
    assert (await people[2].ask(code, "nudge")).data["code"] == "nudge-soon"
    await pub.settle()
    for stream in streams:
        assert stream.said.count("Bob nudges Ann: your turn!") == 1
        assert stream.messages[-1].data["say"][0]["urgent"]
