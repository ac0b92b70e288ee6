"""Who is here: lost connections, grace and votes, coming back, and nudges."""

import re

from pubdice.server import pages
from pubdice.server.presence import SEEN_MS
from server.houses import HOUR, MINUTE, MONTH, SECOND, Pub, agrees, at_the_pub, kinds, three


async def here(pub: Pub, code: str) -> list[bool]:
    """Who a stranger is told is here."""
    return [seat["here"] for seat in (await pub.view(code))["seats"]]


# away and back


def test_a_page_that_loads_itself_anew_does_so_well_before_it_counts_as_gone() -> None:
    assert 3 * 1000 * pages.REFRESH_S <= SEEN_MS


@at_the_pub()
async def test_nobody_is_called_away_whose_page_has_no_stream_and_loads_itself_anew(pub: Pub) -> None:
    people, streams, code = await three(pub)
    await streams[1].drop()
    await people[1].page(code)
    before = len(streams[0].said)
    for _ in range(12):
        await pub.advance(pages.REFRESH_S * SECOND)
        await people[1].page(code)
        assert await here(pub, code) == [True] * 3
    await pub.advance(100 * SECOND)  # in one's own turn it does not, and one may think
    assert await here(pub, code) == [True] * 3
    assert streams[0].said[before:] == []
    await pub.advance(30 * SECOND)
    assert await here(pub, code) == [True, False, True]


@at_the_pub()
async def test_a_page_that_loads_anew_is_not_away(pub: Pub) -> None:
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
    await phone.done(code, "join", words=pub.house.words(pub.hub(code), 1))
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


# votes


@at_the_pub()
async def test_when_grace_is_over_everybody_is_shown_that_they_may_vote(pub: Pub) -> None:
    people, streams, code = await three(pub, grace_s=30)
    await streams[1].drop()
    await pub.advance(29 * SECOND)
    assert [seat["votable"] for seat in streams[0].view["seats"]] == [False] * 3
    early = await people[0].ask(code, "vote", seat=1)
    assert (early.status, early.data["code"]) == (409, "still-waiting")
    assert early.data["why"] == "Bob may still come back. Wait one more second."
    await pub.advance(2 * SECOND)
    assert [seat["votable"] for seat in streams[0].view["seats"]] == [False, True, False]
    assert streams[0].messages[-1].event == "view"
    assert await agrees(pub, streams[0])


STILL = "Bob is still away. You can now vote for a bot."


@at_the_pub()
async def test_when_grace_is_over_everybody_hears_once_that_they_may_vote(pub: Pub) -> None:
    people, streams, code = await three(pub, grace_s=30)
    streams.append(await pub.client("Eve", "de").look(code))
    await streams[1].drop()
    await pub.advance(29 * SECOND)
    assert STILL not in streams[0].said
    await pub.advance(10 * SECOND)
    await people[0].done(code, "roll")
    late = await people[2].look(code)
    await pub.advance(MINUTE)
    assert streams[0].said.count(STILL) == streams[2].said.count(STILL) == 1
    german = "Bob ist noch weg. Ihr könnt jetzt für einen Bot stimmen."
    assert streams[3].said.count(german) == 1
    assert STILL not in late.said
    streams[1] = await people[1].look(code)
    await streams[1].drop()
    await pub.advance(MINUTE)
    assert streams[0].said.count(STILL) == 2


@at_the_pub()
async def test_of_a_bot_that_plays_for_somebody_away_no_vote_is_announced(pub: Pub) -> None:
    people, streams, code = await three(pub, grace_s=30)
    await people[1].done(code, "give")
    await streams[1].drop()
    await pub.advance(MINUTE)
    assert "Bob has lost the connection." in streams[0].said
    assert STILL not in streams[0].said


@at_the_pub()
async def test_a_vote_tells_how_many_of_how_many_and_who_has_voted_is_not_asked_again(pub: Pub) -> None:
    names = ("Ann", "Bob", "Cid", "Dot", "Eve")
    people = [pub.client(name) for name in names]
    code = await people[0].order(people=5, grace_s=30, rules={"format": "rounds 9"})
    for client in people[1:]:
        await client.done(code, "sit", name=client.name)
    streams = [await client.look(code) for client in people]
    await streams[4].drop()
    await pub.advance(40 * SECOND)
    seat = streams[0].view["seats"][4]
    assert (seat["votable"], seat["voted"], seat["note"]) == (True, [], "away")
    await people[0].done(code, "vote", seat=4)
    await pub.settle()
    for client, asked in ((people[0], False), (people[1], True)):
        button = re.search(r'<button class="vote second"[^>]*value="4"[^>]*>', (await client.page(code)).text)
        assert button is not None
        assert ("hidden" not in button[0]) == asked
    assert streams[1].said[-1] == "Ann votes for a bot to play for Eve: 1 of 3."
    await people[2].done(code, "vote", seat=4)
    await pub.settle()
    assert streams[1].said[-1] == "Cid votes for a bot to play for Eve: 2 of 3."
    seat = streams[1].view["seats"][4]
    assert (seat["votable"], seat["voted"], seat["note"]) == (True, [0, 2], "away; 2 of 3 for a bot")
    assert await agrees(pub, streams[1])
    # with fewer here two are enough: whoever has voted may say it again, and is invited to
    await streams[1].drop()
    await pub.advance(5 * SECOND)
    assert streams[0].view["seats"][4]["voted"] == []
    assert streams[0].view["seats"][4]["note"] == "away; 2 of 2 for a bot"
    assert await agrees(pub, streams[0])
    await people[0].done(code, "vote", seat=4)
    await pub.settle()
    assert kinds(streams[0])[4] == "standin"
    assert streams[0].said[-1] == "A bot (Tip) plays for Eve."
    assert streams[0].view["seats"][4]["voted"] == []


@at_the_pub()
async def test_who_was_voted_away_has_the_seat_again_as_soon_as_the_stream_is_open(pub: Pub) -> None:
    people, streams, code = await three(pub, grace_s=30)
    await streams[1].drop()
    await pub.advance(40 * SECOND)
    await people[0].done(code, "vote", seat=1)
    assert kinds(streams[0])[1] == "person"
    assert (await people[0].ask(code, "vote", seat=1)).data["code"] == "voted-already"
    await people[2].done(code, "vote", seat=1)
    await pub.settle()
    assert kinds(streams[0])[1] == "standin"
    await pub.advance(HOUR)
    streams[1] = await people[1].look(code)
    assert kinds(streams[0]) == kinds(streams[1]) == ["person"] * 3
    assert "Cid votes for a bot to play for Bob: 2 of 2." in streams[0].said
    assert streams[0].said[-1].startswith("Bob")
    assert pub.stored(code)[-1].endswith("resumed 1")
    assert streams[1].log == pub.stored(code)[-len(streams[1].log) :]
    assert await agrees(pub, streams[0])


@at_the_pub()
async def test_a_seat_is_given_back_even_if_that_cannot_be_stored_at_once(pub: Pub) -> None:
    people, streams, code = await three(pub, grace_s=30)
    await streams[1].drop()
    await pub.advance(40 * SECOND)
    for client in (people[0], people[2]):
        await client.done(code, "vote", seat=1)
    await pub.settle()
    pub.disk.failing = 3
    streams[1] = await people[1].look(code)
    assert kinds(streams[1])[1] == "standin"
    await pub.advance(10 * SECOND)
    assert kinds(streams[0])[1] == kinds(streams[1])[1] == "person"


@at_the_pub()
async def test_after_a_restart_too_the_seat_is_given_back(pub: Pub) -> None:
    people, streams, code = await three(pub, grace_s=30)
    await streams[1].drop()
    await pub.advance(40 * SECOND)
    for client in (people[0], people[2]):
        await client.done(code, "vote", seat=1)
    await pub.restart(MONTH)
    stream = await people[1].look(code)
    assert kinds(stream)[1] == "person"


@at_the_pub()
async def test_a_seat_given_to_a_bot_stays_with_it_until_it_is_asked_back(pub: Pub) -> None:
    people, streams, code = await three(pub)
    await people[1].done(code, "give")
    await streams[1].drop()
    await pub.advance(MINUTE)
    streams[1] = await people[1].look(code)
    second = await people[1].look(code)
    assert kinds(second)[1] == "standin"
    await people[1].done(code, "resume")
    await pub.settle()
    assert kinds(second)[1] == "person"


@at_the_pub()
async def test_a_vote_does_not_outlive_a_return(pub: Pub) -> None:
    people, streams, code = await three(pub, grace_s=0)
    await streams[1].drop()
    await pub.advance(5 * SECOND)
    await people[0].done(code, "vote", seat=1)
    back = await people[1].look(code)
    await pub.advance(SECOND)
    await back.drop()
    await pub.advance(5 * SECOND)
    await people[2].done(code, "vote", seat=1)
    await pub.settle()
    assert kinds(streams[0])[1] == "person"


@at_the_pub()
async def test_who_is_alone_with_bots_is_waited_for_for_ever(pub: Pub) -> None:
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


@at_the_pub()
async def test_a_link_on_another_site_changes_nothing_for_who_was_voted_away(pub: Pub) -> None:
    people, streams, code = await three(pub, grace_s=30)
    await streams[1].drop()
    await pub.advance(40 * SECOND)
    for seat in (0, 2):
        await people[seat].done(code, "vote", seat=1)
    before = pub.stored(code)
    for target in (pub.house.link(code), f"{pub.house.link(code)}/state", f"{pub.house.link(code)}/record"):
        assert (await people[1].get(target, "text/html")).status == 200
        await pub.settle()
    assert "Play again myself" in (await people[1].page(code)).text
    assert pub.stored(code) == before
    await people[1].done(code, "resume")
    assert pub.stored(code)[-1].endswith("resumed 1")
