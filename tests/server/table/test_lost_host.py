"""A table whose host has closed the browser before the match: the others see it, and can begin without."""

from support.asgi_client import Client, Stream
from support.house import HOUR, SECOND, Pub, agrees, at_the_pub
from support.html_tree import read


async def gathering(pub: Pub) -> tuple[list[Client], list[Stream], str]:
    """Ann, who has set the table up, Bob and Cid, their pages open; two seats are free."""
    people = [pub.client(name) for name in ("Ann", "Bob", "Cid")]
    code = await people[0].order(people=5, grace_s=30)
    for client in people[1:]:
        await client.done(code, "sit", name=client.name)
    return people, [await client.look(code) for client in people], code


def deeds(page: str) -> set[str]:
    """What a page's forms can ask for."""
    return {str(node.attrs["value"]) for node in read(page).all("input", name="do")}


def removable(page: str) -> list[str]:
    """Whose seats the page offers to give up."""
    return [str(node.attrs["value"])[0] for node in read(page).one("form", id="remove").all("button")]


@at_the_pub()
async def test_before_the_match_too_it_is_shown_who_is_away(pub: Pub) -> None:
    people, streams, code = await gathering(pub)
    await streams[0].drop()
    await pub.advance(5 * SECOND)
    assert streams[1].said[-1] == "Ann has lost the connection."
    assert [seat["here"] for seat in streams[1].view["seats"]] == [False, True, True, True, True]
    assert streams[1].view["seats"][0]["note"] == "away"
    assert "Away: Ann." in streams[1].view["whose"]["text"]
    await people[0].look(code)
    assert streams[1].said[-1] == "Ann is back."
    assert await agrees(pub, streams[1])


@at_the_pub()
async def test_when_the_host_is_lost_every_page_changes_and_offers_to_begin(pub: Pub) -> None:
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


@at_the_pub()
async def test_of_a_guest_who_is_lost_before_the_match_nothing_new_may_be_done(pub: Pub) -> None:
    _, streams, _ = await gathering(pub)
    await streams[1].drop()
    await pub.advance(HOUR)
    assert streams[0].said[-1] == "Bob has lost the connection."


@at_the_pub()
async def test_a_host_who_is_back_runs_the_table_alone_again(pub: Pub) -> None:
    people, streams, code = await gathering(pub)
    shape = streams[1].view["shape"]
    await streams[0].drop()
    await pub.advance(HOUR)
    assert streams[1].view["shape"] != shape
    await people[0].look(code)
    assert streams[1].view["shape"] == shape
    assert "start" not in deeds((await people[1].page(code)).text)
    assert "start" in deeds((await people[0].page(code)).text)


@at_the_pub()
async def test_another_player_who_is_lost_later_may_be_given_up_too(pub: Pub) -> None:
    people, streams, code = await gathering(pub)
    await streams[0].drop()
    await pub.advance(31 * SECOND)
    shape = streams[1].view["shape"]
    await streams[2].drop()
    await pub.advance(31 * SECOND)
    assert streams[1].view["shape"] != shape
    assert removable((await people[1].page(code)).text) == ["0", "2"]
    await people[1].done(code, "remove", seat=0)
    await pub.settle()
    assert streams[1].view["seats"][1]["host"]
    assert removable((await people[1].page(code)).text) == ["2"]
    await people[0].done(code, "sit", name="Ann")
    await pub.settle()
    assert await agrees(pub, streams[1])


@at_the_pub()
async def test_a_table_whose_host_never_comes_back_after_a_restart_can_be_begun(pub: Pub) -> None:
    people, _, code = await gathering(pub)
    await pub.restart(HOUR, kill=True)
    stream = await people[1].look(code)
    assert (await people[1].ask(code, "start")).data["code"] == "not-host"
    await pub.advance(31 * SECOND)
    await people[1].done(code, "start")
    await pub.settle()
    assert stream.view["stage"] == "playing"
