"""Presence: lost connections, grace, coming back, nudges, a lost host, and votes about lost players."""

import re

from pubdice.server.pages import table as table_page
from pubdice.server.table.presence import SEEN_MS
from support.asgi_client import Client
from support.asgi_client import Stream as PageStream
from support.house import HOUR, MINUTE, SECOND, Pub, agrees, kinds, table_of, three
from support.html_tree import read


async def here(pub: Pub, code: str) -> list[bool]:
    """The seats whose players are here, as a stranger is told."""
    return [seat["here"] for seat in (await pub.view(code))["seats"]]


# away and back


def test_a_page_reloads_before_its_player_counts_as_gone() -> None:
    assert 3 * 1000 * table_page.REFRESH_S <= SEEN_MS


async def test_a_player_whose_page_reloads_is_not_called_away(pub: Pub) -> None:
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


async def test_a_lost_player_is_said_once_to_be_away_and_back(pub: Pub) -> None:
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


async def test_who_leaves_is_not_said_to_be_back(pub: Pub) -> None:
    people, streams, code = await three(pub)
    await streams[1].drop()
    await pub.advance(5 * SECOND)
    await people[0].done(code, "remove", seat=1)
    await pub.advance(MINUTE)
    assert "Bob is back." not in streams[0].said
    assert kinds(streams[0]) == ["person", "bot", "person"]
    assert await agrees(pub, streams[0])


async def test_a_player_missing_after_a_restart_is_said_to_be_away(pub: Pub) -> None:
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


# nudges


async def test_a_nudge_is_heard_by_all_and_not_too_soon(pub: Pub) -> None:
    people, streams, code = await three(pub)
    soon = await people[1].ask(code, "nudge")
    assert (soon.data["code"], soon.data["why"]) == ("nudge-soon", "You can nudge Ann in 20 seconds.")
    assert (await people[0].ask(code, "nudge")).data["code"] == "no-nudge"
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


async def gathering(pub: Pub) -> tuple[list[Client], list[PageStream], str]:
    """Ann, who has set the table up, Bob and Cid, their pages open. Two seats are free."""
    people, code = await table_of(pub, "Ann", "Bob", "Cid", people=5, grace_s=30)
    return people, [await client.look(code) for client in people], code


def deeds(page: str) -> set[str]:
    """The deeds of a page's forms."""
    return {str(node.attrs["value"]) for node in read(page).all("input", name="do")}


def removable(page: str) -> list[str]:
    """Whose seats the page offers to give up."""
    return [str(node.attrs["value"])[0] for node in read(page).one("form", id="remove").all("button")]


async def test_when_the_host_is_lost_every_page_offers_to_begin(pub: Pub) -> None:
    people, streams, code = await gathering(pub)
    await streams[0].drop()
    await pub.advance(29 * SECOND)
    shape = streams[1].view["shape"]
    page = (await people[1].page(code)).text
    assert f'data-shape="{shape}"' in page
    assert not deeds(page) & {"start", "drop", "remove", "pace"}
    assert (await people[1].ask(code, "start")).data["code"] == "not-host"

    await pub.advance(2 * SECOND)
    assert streams[1].view["shape"] != shape
    page = (await people[1].page(code)).text
    assert f'data-shape="{streams[1].view["shape"]}"' in page
    assert deeds(page) >= {"start", "drop", "remove", "pace"}
    assert removable(page) == ["0"]
    watching = (await pub.client("Eve").page(code)).text
    assert not deeds(watching) & {"start", "drop", "remove", "pace"}
    assert (await pub.client("Eve").ask(code, "start")).data["code"] == "not-host"
    assert await agrees(pub, streams[1])

    still = "Ann is still away. Anyone at the table can start."
    assert streams[1].said[-1] == still
    (said,) = streams[1].messages[-1].data["say"]
    assert said["own"] == dict.fromkeys(("1", "2"), "Ann is still away. Anyone here can start."), "no empty seat"

    await people[1].done(code, "close", seat=4)
    await people[2].done(code, "start")
    await pub.settle()
    assert streams[1].view["stage"] == "playing"
    assert streams[1].said.count(still) == 1
    assert streams[1].said[-1] == "Ann is still away. The players can now vote for a bot."
    assert await agrees(pub, streams[1])


async def test_when_grace_is_over_each_page_offers_a_vote(pub: Pub) -> None:
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
"""The sentence at the end of the time, and the same to players with a seat."""


async def test_when_grace_is_over_each_player_hears_of_the_vote_once(pub: Pub) -> None:
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


async def test_a_vote_is_counted_and_a_voter_not_asked_again(pub: Pub) -> None:
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
    assert (seat["votable"], seat["voted"], seat["note"]) == (True, [0, 2], "away, 2 of 3 for a bot")
    assert await agrees(pub, streams[1])
    # with fewer here two are enough: a player who has voted may vote again, and is invited to
    await streams[1].drop()
    await pub.advance(5 * SECOND)
    assert streams[0].view["seats"][4]["voted"] == []
    assert streams[0].view["seats"][4]["note"] == "away, 2 of 2 for a bot"
    assert await agrees(pub, streams[0])
    await people[0].done(code, "vote", seat=4)
    await pub.settle()
    assert kinds(streams[0])[4] == "standin"
    assert streams[0].said[-1] == "A bot (Tip) plays for Eve."
    assert streams[0].view["seats"][4]["voted"] == []


async def test_a_player_voted_away_has_the_seat_again_on_return(pub: Pub) -> None:
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


async def test_a_seat_is_given_back_once_it_can_be_stored(pub: Pub) -> None:
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


async def test_a_link_on_another_site_gives_no_seat_back(pub: Pub) -> None:
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


async def test_a_seat_given_to_a_bot_stays_until_it_is_asked_back(pub: Pub) -> None:
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


async def test_no_vote_is_announced_of_a_seat_that_a_bot_plays(pub: Pub) -> None:
    people, streams, code = await three(pub, grace_s=30)
    await people[1].done(code, "give")
    await streams[1].drop()
    await pub.advance(MINUTE)
    assert "Bob has lost the connection." in streams[0].said
    assert STILL not in streams[0].said
