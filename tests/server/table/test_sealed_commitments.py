"""Sealed dice over HTTP: the digests of the phones' seeds first, then what is fixed, then the seeds themselves."""

import gzip
import json
from typing import Any

import pytest

from pubdice.core.seal import digest_of_seat
from pubdice.match.sealed_record import check_dice, read_fixed
from pubdice.room.beginning import OPENING_MS
from support.asgi_client import Client
from support.house import Pub, growing, play_out, play_turn

ANN, BOB = "annsownseed", "bobsownseed"


async def fixed(pub: Pub, **order: object) -> tuple[Client, Client, str]:
    """Ann and Bob, whose phones have told their digests. The host has begun, so the seeds may be opened."""
    ann, bob, code = await growing(pub, dice="sealed", **order)
    for client, seed in ((ann, ANN), (bob, BOB)):
        await client.done(code, "seed", digest=digest_of_seat(seed))
    await ann.done(code, "start")
    return ann, bob, code


async def test_seeds_are_opened_only_after_all_digests(pub: Pub) -> None:
    ann, bob, code = await growing(pub, dice="sealed")
    stream = await ann.look(code)
    await ann.done(code, "seed", digest=digest_of_seat(ANN))
    early = await ann.ask(code, "seed", seed=ANN)
    assert (early.status, early.data["why"]) == (409, "That seed is in already."), "nothing is fixed yet"
    assert (await ann.ask(code, "start")).data["code"] == "seed-missing", "Bob has told no digest"
    await bob.done(code, "seed", digest=digest_of_seat(BOB))
    seal = (await pub.view(code))["seal"]
    assert (seal["digests"], seal["header"]) == ([digest_of_seat(ANN), digest_of_seat(BOB)], "")
    await ann.done(code, "start")
    view = await pub.view(code)
    header = read_fixed(view["seal"]["header"])
    assert (header.names, header.players) == (("Ann", "Bob"), ("phone", "phone"))
    assert view["seal"]["unopened"] == [0, 1]
    assert view["seal"]["line"] == "Waiting for Ann and Bob, whose phones open their seeds."
    await ann.done(code, "seed", seed=ANN)
    assert (await pub.view(code))["stage"] == "gathering"
    await pub.settle()
    assert ANN not in repr(stream.messages) + repr(await pub.view(code)), "nobody sees one until all are open"
    await bob.done(code, "seed", seed=BOB)
    view = await pub.view(code)
    assert view["stage"] == "playing"
    assert view["seal"]["header"] == f"{header.text}\nseeds: {ANN}, {BOB}", "told with all seeds before the first roll"
    await play_turn(pub, code, [ann, bob])
    assert (await pub.view(code))["seal"]["header"] == "", "and then no more"
    await play_out(pub, code, [ann, bob])
    proof = check_dice((await ann.get(f"/t/{code}/record")).text).proof
    assert proof is not None
    assert proof.header == f"{header.text}\nseeds: {ANN}, {BOB}"


async def test_a_seat_that_does_not_open_cannot_steer_the_dice(pub: Pub) -> None:
    ann, bob, code = await fixed(pub)
    await ann.done(code, "seed", seed=ANN)
    for seed in ("another", ANN, "x"):
        refused = await bob.ask(code, "seed", seed=seed)
        assert (refused.status, refused.data["why"]) == (409, "Your phone fixed another seed before. Enter that one.")
    changed = await bob.ask(code, "seed", digest=digest_of_seat("another"))
    assert (changed.status, changed.data["code"]) == (409, "seeds-opening")
    assert (await pub.view(code))["seal"]["line"] == "Waiting for Bob, whose phone opens its seed."
    waits = await ann.ask(code, "start")
    assert waits.data["why"] == "The phone of Bob has not opened its seed yet. The match begins when it has."


@pytest.mark.parametrize(
    ("who", "do", "facts"),
    [
        ("Eve", "sit", {"name": "Eve"}),
        ("Ann", "rules", {"rules": {"format": "rounds 2"}}),
        ("Ann", "add-bot", {}),
        ("Ann", "move", {"seat": 1, "to": 0}),
        ("Ann", "rename", {"name": "Anna"}),
        ("Ann", "share", {"name": "Cid"}),
        ("Ann", "plan", {"play": "mexico lives 3", "times": "1"}),
    ],
)
async def test_the_header_stays_while_seeds_are_opened(pub: Pub, who: str, do: str, facts: dict[str, Any]) -> None:
    ann, bob, code = await fixed(pub)
    clients = {"Ann": ann, "Bob": bob, "Eve": pub.client("Eve")}
    before = pub.actor(code).state
    refused = await clients[who].ask(code, do, **facts)
    assert (refused.status, refused.data["code"]) == (409, "seeds-opening")
    assert refused.data["why"] == "The phones are opening their seeds: nothing about the match can change now."
    assert pub.actor(code).state.fixed == before.fixed


@pytest.mark.parametrize("how", ["leaves", "removed"])
async def test_a_player_who_goes_makes_all_take_new_seeds(pub: Pub, how: str) -> None:
    ann, bob, code = await fixed(pub)
    await ann.done(code, "seed", seed=ANN)
    if how == "leaves":
        await bob.done(code, "leave")
    else:
        await ann.done(code, "remove", seat=1, name="Bob")
        await ann.done(code, "admit")
    seal = (await pub.view(code))["seal"]
    assert (seal["header"], seal["unseeded"]) == ("", [0]), "Ann's seed may be known by now"
    cid = pub.client("Cid")
    await cid.done(code, "sit", name="Cid")
    for client in (ann, cid):
        await client.done(code, "seed", digest=digest_of_seat(f"{client.name}again"))
    await ann.done(code, "start")
    for client in (ann, cid):
        await client.done(code, "seed", seed=f"{client.name}again")
    await play_out(pub, code, [ann, cid])
    found = check_dice((await ann.get(f"/t/{code}/record")).text)
    assert found.fault is None
    assert found.proof is not None
    assert found.proof.seeds == ("Annagain", "Cidagain")
    assert found.proof.fixed is not None
    assert found.proof.fixed.attempt == 2
    page = (await ann.get(f"/t/{code}/verify", "text/html")).text
    assert "This was attempt 2. Before it a player left or opened no seed, and all phones took new seeds." in page


async def test_a_phone_away_with_its_seed_is_away_after_its_grace(pub: Pub) -> None:
    ann, bob, code = await growing(pub, dice="sealed", grace_s=60)
    streams = [await ann.look(code), await bob.look(code)]
    for client, seed in ((ann, ANN), (bob, BOB)):
        await client.done(code, "seed", digest=digest_of_seat(seed))
        await client.done(code, "ready")
    assert pub.actor(code).state.fixed
    await ann.done(code, "seed", seed=ANN)
    await streams[1].drop()
    await pub.advance(59_000)
    assert pub.actor(code).state.fixed, "the phone may come back"
    await pub.advance(10_000)
    state = pub.actor(code).state
    assert (state.fixed, state.chairs[1].digest) == ("", "-")
    await ann.done(code, "seed", digest=digest_of_seat("Annagain"))
    assert (await pub.view(code))["seal"]["line"] == "Waiting for Ann, whose phone opens its seed."
    await ann.done(code, "seed", seed="Annagain")
    state = pub.actor(code).state
    assert (state.stage, state.seeds) == ("playing", ("Annagain", "-"))
    assert read_fixed(state.fixed).players == ("phone", "away")
    assert {"Bob has lost the connection.", "Bob adds no seed to the dice."} <= set(streams[0].said)


async def test_a_phone_that_opens_no_seed_is_passed_over(pub: Pub) -> None:
    """Its script has crashed, say. The host pressed Start once: no more has to be pressed."""
    ann, bob, code = await fixed(pub)
    streams = [await ann.look(code), await bob.look(code)]
    await ann.done(code, "seed", seed=ANN)
    await pub.advance(OPENING_MS - 1_000)
    assert pub.actor(code).state.fixed, "the phone may be slow"
    await pub.advance(2_000)
    state = pub.actor(code).state
    assert (state.fixed, state.chairs[1].digest) == ("", "-")
    assert "Bob adds no seed to the dice." in streams[0].said
    await ann.done(code, "seed", digest=digest_of_seat("Annagain"))
    await ann.done(code, "seed", seed="Annagain")
    state = pub.actor(code).state
    assert (state.stage, state.seeds) == ("playing", ("Annagain", "-"))
    assert (read_fixed(state.fixed).players, read_fixed(state.fixed).attempt) == (("phone", "away"), 2)


async def test_eleven_opened_seeds_cost_each_page_two_messages(pub: Pub) -> None:
    """From Start to the match: the header, and all seeds. Each message has the page fetched once."""
    ann = pub.client("Ann")
    code = await ann.order("mexico", people=None, rules={"format": "lives 1"}, dice="sealed")
    everybody = [ann, *(pub.client(f"Guest{number}") for number in range(10))]
    for client in everybody[1:]:
        await client.done(code, "sit", name=client.name)
    stream = await ann.look(code)
    for client in everybody:
        await client.done(code, "seed", digest=digest_of_seat(client.name))
    await pub.advance(1_000)
    before = len(stream.messages)
    assert before <= 3, "the state, the digests, who is here"
    await ann.done(code, "start")
    for client in everybody:
        await client.done(code, "seed", seed=client.name)
    await pub.settle()
    assert pub.actor(code).state.stage == "playing"
    told = stream.messages[before:]
    assert [len(message.data["log"]) for message in told] == [1, 12], "the header; eleven seeds and the beginning"
    fetched = len(gzip.compress((await ann.page(code)).body)) * len(told)
    cost = sum(len(json.dumps(message.data)) for message in told) + fetched
    assert cost < 31_500, "it was 173,000, and 28,000 before pages said what each key does"


async def test_seats_without_a_seed_of_their_own_are_told(pub: Pub) -> None:
    ann, bob, code = await growing(pub, dice="sealed")
    await ann.done(code, "add-bot")
    await ann.done(code, "seed", digest=digest_of_seat(ANN))
    await bob.done(code, "seed", seed="typed")
    line = "Tip adds no seed to the dice. The house knows the seed that Bob typed."
    assert (await pub.view(code))["seal"]["line"] == line
    assert line in (await ann.page(code)).text
    await ann.done(code, "start")
    await ann.done(code, "seed", seed=ANN)
    await play_out(pub, code, [ann, bob])
    text = (await ann.get(f"/t/{code}/record")).text
    assert "\nplayers: phone, typed, bot:tip\n" in text
    page = (await ann.get(f"/t/{code}/verify", "text/html")).text
    for said in (
        "According to this record the phone of Ann held its seed back until all seeds were fixed.",
        "Bob typed a seed: the house knew it before all seeds were fixed.",
        "Tip added no seed.",
    ):
        assert said in page


async def test_bad_digests_and_strangers_are_refused(pub: Pub) -> None:
    ann, _, code = await growing(pub, dice="sealed")
    for bad in ("", "-", "ab" * 31, "AB" * 32, "xy" * 32):
        wrong = await ann.ask(code, "seed", digest=bad)
        assert (wrong.status, wrong.data["why"]) == (422, "The digest of a seed is 64 hex digits."), bad
    assert (await pub.client("Eve").ask(code, "seed", digest="ab" * 32)).data["code"] == "not-seated"
    await ann.done(code, "seed", digest="ab" * 32)
    assert (await ann.ask(code, "seed", digest="cd" * 32)).data["code"] == "seed-added"
    plain = (await growing(pub))[2]
    assert (await ann.ask(plain, "seed", digest="ab" * 32)).data["code"] == "not-sealed"


async def test_a_new_name_changes_no_sealed_dice(pub: Pub) -> None:
    ann, bob, code = await fixed(pub)
    for client, seed in ((ann, ANN), (bob, BOB)):
        await client.done(code, "seed", seed=seed)
    await play_turn(pub, code, [ann, bob])
    await ann.done(code, "rename", name="Queen Ann")
    await play_out(pub, code, [ann, bob])
    text = (await ann.get(f"/t/{code}/record")).text
    assert "\nseats: Ann, Bob\n" in text
    assert check_dice(text).fault is None
