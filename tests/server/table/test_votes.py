"""Votes about people who are away: when they are asked for, told and forgotten, and how a seat comes back."""

import re

from support.house import HOUR, MINUTE, MONTH, SECOND, Pub, agrees, kinds, table_of, three


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


STILL, MAY = "Bob is still away. The players can now vote for a bot.", "Bob is still away. You can now vote for a bot."
"""What is said when the time is over, and what those with a seat hear in its place."""


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
    lines = [say for message in streams[0].messages if message.data for say in message.data.get("say", [])]
    (told,) = [say for say in lines if say["text"] == STILL]
    assert told["own"] == {"0": MAY, "2": MAY}, "only who has a seat may vote"
    german = "Bob ist noch weg. Wer mitspielt, kann jetzt für einen Bot stimmen."
    assert streams[3].said.count(german) == 1
    assert STILL not in late.said
    streams[1] = await people[1].look(code)
    await streams[1].drop()
    await pub.advance(MINUTE)
    assert streams[0].said.count(STILL) == 2


async def test_of_a_bot_that_plays_for_somebody_away_no_vote_is_announced(pub: Pub) -> None:
    people, streams, code = await three(pub, grace_s=30)
    await people[1].done(code, "give")
    await streams[1].drop()
    await pub.advance(MINUTE)
    assert "Bob has lost the connection." in streams[0].said
    assert STILL not in streams[0].said


async def test_a_vote_tells_how_many_of_how_many_and_who_has_voted_is_not_asked_again(pub: Pub) -> None:
    names = ("Ann", "Bob", "Cid", "Dot", "Eve")
    people, code = await table_of(pub, *names, people=5, grace_s=30, rules={"format": "rounds 9"})
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
    # with fewer here two are enough: a player who has voted may vote again, and is invited to
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


async def test_after_a_restart_too_the_seat_is_given_back(pub: Pub) -> None:
    people, streams, code = await three(pub, grace_s=30)
    await streams[1].drop()
    await pub.advance(40 * SECOND)
    for client in (people[0], people[2]):
        await client.done(code, "vote", seat=1)
    await pub.restart(MONTH)
    stream = await people[1].look(code)
    assert kinds(stream)[1] == "person"


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
