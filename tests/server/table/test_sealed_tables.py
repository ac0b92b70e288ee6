"""Tables with sealed dice over HTTP: the seal, the seeds, the chain, and secrets before their time."""

import asyncio
import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from pubdice.core.cup import Cup
from pubdice.core.dice import Roll
from pubdice.core.seal import KeyedSeals, Seal, read_seal
from pubdice.match.sealed_record import check_dice
from pubdice.match.sealed_sentences import gap_sentence
from pubdice.server.observe import start_log
from pubdice.store.opened_seals_file import OpenedSealsFile
from pubdice.store.sqlite.store import copy
from pubdice.text.language import Language
from support.asgi_client import Client
from support.house import HOUR, Pub, growing, play_out, play_turn, seated
from support.html_tree import read
from support.same_bytes import same_bytes


async def started(pub: Pub, **order: Any) -> tuple[Client, Client, str]:
    """Ann and Bob at a table with sealed dice, whose match has begun."""
    ann, bob, code = await growing(pub, dice="sealed", **order)
    for client in (ann, bob):
        await client.done(code, "seed", seed=f"{client.name} seed")
    await ann.done(code, "start")
    return ann, bob, code


async def test_a_match_waits_for_the_seeds_of_those_who_are_here(pub: Pub) -> None:
    ann, bob, code = await growing(pub, dice="sealed")
    seal = (await pub.view(code))["seal"]
    assert (len(seal["words"]), seal["unseeded"], seal["opened"]) == (8, [0, 1], False)
    streams = [await ann.look(code), await bob.look(code)]
    refused = await ann.ask(code, "start")
    assert (refused.status, refused.data["code"]) == (409, "seed-missing")
    assert refused.data["why"] == "Ann has not added a seed yet. Sealed dice need one for each player."
    for bad in ("", "a|b", "x" * 33):
        wrong = await ann.ask(code, "seed", seed=bad)
        assert (wrong.status, wrong.data["why"]) == (422, "A seed is 1 to 32 letters from A to Z and digits.")
    await ann.done(code, "seed", seed="heads 1")
    assert (await ann.ask(code, "seed", seed="heads 2")).data["code"] == "seed-added"
    assert (await bob.ask(code, "ready")).data["code"] == "seed-missing"
    await bob.done(code, "seed", seed="tails2")
    await pub.settle()
    heard = [line for stream in streams for line in stream.log]
    assert not any("heads1" in line or "tails2" in line for line in heard), "a seed is the phone's own"
    await ann.done(code, "start")
    assert (await pub.view(code))["seal"]["digest"] == seal["digest"]
    assert (await pub.client("Eve").ask(code, "seed", seed="late")).data["code"] in ("not-seated", "started")


async def test_every_roll_follows_from_the_seeds_after_a_crash_too(pub: Pub) -> None:
    ann, bob, code = await started(pub)
    for _ in range(3):
        await play_turn(pub, code, [ann, bob])
    unopened = check_dice((await ann.get(f"/t/{code}/record")).text)
    assert unopened.fault == "unopened"
    await pub.restart(kill=True)
    view = await play_out(pub, code, [ann, bob])
    assert view["seal"]["opened"]
    text = (await ann.get(f"/t/{code}/record")).text
    found = check_dice(text)
    assert (found.fault, found.rolls) == (None, pub.actor(code).state.rolls)
    assert found.proof is not None
    assert found.proof.seeds == ("Annseed", "Bobseed")
    page = (await ann.get(f"/t/{code}/verify", "text/html")).text
    assert f"All rolls match it: {found.rolls} of {found.rolls}." in page
    seen = (await pub.client("Eve").page(code)).text
    assert '<span id="seal"' in seen, "an onlooker notes the end, too"
    assert "Check the sealed dice" in (await ann.page(code)).text


async def test_the_matches_of_an_evening_are_a_chain(pub: Pub) -> None:
    ann, bob, code = await started(pub)
    found = []
    for number in range(3):
        await play_out(pub, code, [ann, bob])
        found.append(check_dice((await ann.get(f"/t/{code}/record")).text))
        go = [(await client.ask(code, "rematch")).data["go"] for client in (ann, bob)]
        code = go[0].removeprefix("/t/").partition("?")[0]
        for client in (ann, bob):
            assert (await pub.view(code))["stage"] == "gathering", "nobody is ready before they have seen the seal"
            await client.done(code, "seed", seed=f"again{number}")
            await client.done(code, "ready")
    assert [verdict.fault for verdict in found] == [None] * 3
    assert [verdict.proof.seal.number for verdict in found if verdict.proof] == [1, 2, 3]
    assert gap_sentence(found, Language()) == ""
    assert gap_sentence([found[0], found[2]], Language()) != ""


async def test_a_house_that_lost_its_key_says_that_the_match_is_void(pub: Pub) -> None:
    ann, bob, code = await started(pub)
    await pub.close()
    pub.key = b"a copy put back elsewhere"
    await pub.open()
    refused = await ann.ask(code, "roll")
    assert (refused.status, refused.data["code"]) == (409, "seal-lost")
    assert refused.data["why"].startswith("The house can't open the seal of this match any more, so the match is void.")
    assert check_dice((await bob.get(f"/t/{code}/record")).text).fault == "unopened"


async def test_a_void_match_is_left_alone_by_the_tables_timer(pub: Pub) -> None:
    ann, _, code = await started(pub)
    await ann.done(code, "give")
    await pub.close()
    pub.key = b"another key"
    await pub.open()
    stream = await ann.look(code)
    await pub.advance(60_000)
    assert not pub.event_log.errors, "nothing is tried again and again"
    assert stream.view["heading"]["text"] == "This match is void"
    assert stream.view["status"]["text"] == "The seal of this match can't be used any more. Start a new table."
    assert stream.view["main"] is None
    await stream.drop()
    await pub.advance(3 * HOUR)
    assert not pub.house.actors, "nobody looks at it any more, so it is forgotten"


async def test_a_copy_put_back_does_not_go_on_under_a_known_seed(
    pub: Pub, tmp_path_factory: pytest.TempPathFactory
) -> None:
    opened = OpenedSealsFile(tmp_path_factory.mktemp("keys") / "opened")
    await pub.close()
    pub.seals = KeyedSeals(pub.key, pub.source, opened)
    await pub.open()
    ann, bob, code = await started(pub)
    await play_turn(pub, code, [ann, bob])
    backup = tmp_path_factory.mktemp("backup") / "copy.db"
    copy(pub.path, backup)
    await play_out(pub, code, [ann, bob])
    await pub.close()
    for beside in ("-wal", "-shm"):
        pub.path.with_name(pub.path.name + beside).unlink(missing_ok=True)
    pub.path.write_bytes(backup.read_bytes())
    pub.seals = KeyedSeals(pub.key, pub.source, OpenedSealsFile(opened._file))
    await pub.open()
    view = await pub.view(code)
    assert (view["stage"], view["heading"]["text"]) == ("playing", "This match is void")
    for client in (ann, bob):
        refused = await client.ask(code, "roll", marks=[0])
        assert refused.status in (403, 409)
    assert "seal-opened" in [(await client.ask(code, "roll", marks=[0])).data["code"] for client in (ann, bob)]


async def test_a_lost_phone_keeps_its_seed_for_the_grace_time(pub: Pub) -> None:
    ann, bob, code = await growing(pub, dice="sealed", grace_s=60)
    await ann.done(code, "seed", seed="heads")
    streams = [await ann.look(code), await bob.look(code)]
    await pub.advance(20_000)
    await streams[1].drop()
    await pub.advance(40_000)
    assert (await ann.ask(code, "start")).data["code"] == "seed-missing"
    await pub.advance(60_000)
    await ann.done(code, "start")
    assert pub.actor(code).state.seeds == ("heads", "-")


async def test_a_change_of_rules_seals_dice_and_asks_for_new_seeds(pub: Pub) -> None:
    ann, _, code = await growing(pub)
    assert (await ann.ask(code, "seed", seed="early")).data["code"] == "not-sealed"
    await ann.done(code, "rules", dice="sealed")
    digest = (await pub.view(code))["seal"]["digest"]
    await ann.done(code, "seed", seed="heads")
    await ann.done(code, "rules", dice="house")
    await ann.done(code, "rules", dice="sealed")
    seal = (await pub.view(code))["seal"]
    assert (seal["digest"], seal["unseeded"]) == (digest, [1]), "one seal a table: a second could be chosen"
    assert (await ann.get(f"/t/{code}/verify")).data["code"] == "no-record"
    plain = (await seated(pub))[2]
    assert (await ann.get(f"/t/{plain}/verify")).data["code"] == "not-sealed"


async def test_no_seed_of_the_house_is_stored_before_its_time(
    pub: Pub, tmp_path_factory: pytest.TempPathFactory
) -> None:
    ann, bob, code = await started(pub)
    await play_turn(pub, code, [ann, bob])
    seal = pub.actor(code).state.setup.seal
    seed = pub.house.seals.open(read_seal(seal))
    backup = tmp_path_factory.mktemp("backup") / "copy.db"
    copy(pub.path, backup)
    for file in [*pub.path.parent.iterdir(), backup]:
        kept = file.read_bytes()
        assert seed.encode() not in kept
        assert bytes.fromhex(seed) not in kept
        assert pub.key not in kept, "the key is in a file of its own"


class LaidDice(KeyedSeals):
    """Seals whose digests and dice are laid down. Only the secret seed differs."""

    def first(self) -> Seal:
        return Seal("ab" * 8, 1, "cd" * 32)

    def cup(self, seal: Seal, bound: str, number: int) -> Cup:
        return _Laid(number)


class _Laid:
    def __init__(self, at: int) -> None:
        self.at = at

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        return tuple(1 + (self.at * 5 + die * 2) % 6 for die in range(number))

    def draw(self, number: int, index: int) -> int:
        return 0


def _all_bytes(folder: Path, secret: bytes) -> list[bytes]:
    """Everything that a house with this secret sends and stores until the last roll of a match is due."""
    seen: list[bytes] = []
    logged = StringIO()
    end_log = start_log(logged)

    async def evening() -> None:
        pub = Pub(folder / "house.db")
        pub.seals = LaidDice(secret, lambda size: b"\1" * size)
        await pub.open()
        try:
            ann, bob, code = await started(pub)
            streams = [await ann.look(code), await bob.look(code)]
            for _ in range(6):
                assert await play_turn(pub, code, [ann, bob])
            paths = f"/t/{code}/state", f"/t/{code}/record", "/metrics", f"/t/{code}/verify"
            seen.extend([(await ann.get(path)).body for path in paths])
            seen.append((await ann.page(code)).body)
            seen.append((await bob.page(code)).body)
            seen.extend(repr(message).encode() for stream in streams for message in stream.messages)
            copy(pub.path, folder / "backup.db")
            with closing(sqlite3.connect(folder / "backup.db")) as db:  # pages of the file lie as commits were grouped
                seen.append("\n".join(db.iterdump()).encode())
        finally:
            await pub.close()

    asyncio.run(evening())
    end_log()
    return [*seen, logged.getvalue().encode()]


def test_only_the_secret_varies_and_every_byte_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    same_bytes(monkeypatch, tmp_path, _all_bytes, (b"one secret" * 4, b"another secret" * 4))


async def test_each_of_several_at_one_phone_adds_a_seed_of_their_own(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None, others=["Bob", "Cy"], dice="sealed", start=True, rules={"format": "rounds 1"})
    assert pub.actor(code).state.stage == "gathering", "sealed dice wait for the seeds"
    stranger, stream = pub.client("Eve"), await ann.look(code)
    assert (await stranger.ask(code, "seed", seed="mine", seat=1)).data["code"] == "not-seated"
    await ann.done(code, "seed", seed="heads 1", seat=0)
    assert (await pub.view(code))["seal"]["unseeded"] == [1, 2]
    assert (await ann.ask(code, "seed", seed="heads 2", seat=0)).data["code"] == "seed-added"
    moved = await ann.ask(code, "seed", seed="bobs", seat=1, name="Cy")
    assert moved.data["code"] == "seat-moved", "a seed goes to nobody else's seat"
    await ann.done(code, "seed", seed="bobs", seat=1, name="Bob")
    refused = await ann.ask(code, "start")
    assert refused.data["why"] == "Cy has not added a seed yet. Sealed dice need one for each player."
    await ann.done(code, "seed", seed="cys", seat=2)
    await pub.settle()
    seen = str(stream.log) + (await ann.page(code)).text + str(await pub.view(code))
    assert "heads1" not in seen
    assert "bobs" not in seen, "nobody sees a seed before the record"
    await ann.done(code, "start")
    await play_out(pub, code, [ann])
    record = (await ann.get(f"/t/{code}/record")).text
    assert "\nseeds: heads1, bobs, cys\n" in record
    assert check_dice(record).fault is None


async def test_without_scripts_one_after_the_other_types_a_seed(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=None, others=["Bob"], dice="sealed")
    for seat, name in enumerate(("Ann", "Bob")):
        page = read((await ann.page(code)).text)
        assert page.one("h2", id="seed-head").all("span")[-1].words() == f"{name}, add your own seed"
        form = page.one("form", id="seed")
        assert form.one("input", name="seat").attrs["value"] == f"{seat} {name}"
        assert form.all("label")[0].words() == "Or type it: any letters and digits"
        fields = {str(node.attrs["name"]): str(node.attrs["value"]) for node in form.all("input", type="hidden")}
        link = pub.house.link(pub.actor(code).code)
        refused = await ann.send(link, **{**fields, "key": f"refused-{seat}"}, seed=f"séed {seat}")
        assert refused.status == 422
        assert read(refused.text).one("input", id="own-seed").attrs["value"] == f"séed {seat}", "to be put right"
        answer = await ann.send(link, **fields, seed=f"seed {seat}")
        assert answer.status == 303
    assert not read((await ann.page(code)).text).all("form", id="seed")
    await ann.done(code, "start")
    assert pub.actor(code).state.seeds == ("seed0", "seed1")
