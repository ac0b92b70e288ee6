"""Sealed dice at a seat that is played from the terminal: what it tells a house, what it notes, and when it refuses."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from pubdice.core.seal import Seal, digest_of_seat
from pubdice.match.sealed_record import check_dice, with_proof, with_seeds
from pubdice.match.sealed_sentences import covered_sentences
from pubdice.terminal.sealed_seat import MOST_SEALS, OLD_SEAL, OTHER_HEADER, SealedSeat, SealNotes, judged
from pubdice.terminal.verify import noted_sentences
from pubdice.text.language import Language
from support.console import Room
from support.forgeries import forgeries, honest
from support.lines_run import lines_run
from support.seat_cases import BOB, CASES, GONE, OTHER, SEAL, SeatCase, header, note
from terminal.house_tables import Heard


class CheatingHouse:
    """A house that tells whatever the test lays down, and keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.house, self.path = "http://pub", "/t/ABCDEF"

    def ask(self, do: str, **facts: Any) -> dict[str, Any]:
        self.told.append({"do": do, **facts})
        return {"seq": 1}

    @property
    def seeds(self) -> list[str]:
        return [facts["seed"] for facts in self.told if "seed" in facts]


def seal(header: str = "", **facts: Any) -> dict[str, Any]:
    """What a view says of the seal."""
    usual = {"words": ["lantern"] * 8, "seal": SEAL.write(), "unseeded": [], "unopened": [], "header": header}
    return {**usual, **facts}


def sat(tokens: Path) -> tuple[CheatingHouse, SealedSeat, Heard, str]:
    """Ann's seat, whose digest the house has heard, and that digest."""
    house, line = CheatingHouse(), Heard()
    seat = SealedSeat(house, line, Language(), SealNotes(tokens))  # type: ignore[arg-type]
    seat.take_in(seal(unseeded=[0, 1]), 0)
    return house, seat, line, house.told[0]["digest"]


def test_the_digest_goes_first_and_the_seed_only_once_all_is_noted(tmp_path: Path) -> None:
    house, seat, line, digest = sat(tmp_path / "houses.json")
    assert not house.seeds
    seat.take_in(seal(unopened=[0, 1], header=""), 0)
    assert not house.seeds, "nothing is fixed yet"
    fixed = header(digest)
    seat.take_in(seal(fixed, unopened=[0, 1]), 0)
    assert [digest_of_seat(seed) for seed in house.seeds] == [digest]
    assert noted(tmp_path) == fixed, "noted on disk before it was opened"
    whole = with_seeds(fixed, [house.seeds[0], BOB])
    seat.take_in(seal(whole), 0)
    assert noted(tmp_path) == whole
    assert OTHER_HEADER not in line.said


def noted(folder: Path) -> str:
    """The header that is noted on disk."""
    note = SealNotes(folder / "houses.json").of(SEAL.write())
    return str(note["header"]) if note else ""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_each_header_is_judged_by_the_rules(case: SeatCase) -> None:
    assert judged(case.note, case.seal, case.header, case.seat) == case.verdict


@pytest.mark.parametrize("unopened", [[0, 1], []])
@pytest.mark.parametrize("other", [header(OTHER), header(player="typed"), "pubdice 1"])
def test_a_header_without_the_digest_of_this_seat_gets_no_seed(other: str, unopened: list[int], tmp_path: Path) -> None:
    """Also if the house does not list the seat among those that have still to open: nothing is noted then, either."""
    house, seat, line, digest = sat(tmp_path / "houses.json")
    seat.take_in(seal(digests=[digest, OTHER]), 0)
    for _ in range(2):
        seat.take_in(seal(other, unopened=unopened), 0)
    assert not house.seeds
    assert noted(tmp_path) == ""
    assert line.said.count(OTHER_HEADER) == 1


@pytest.mark.parametrize("other", [Seal(SEAL.chain, 1, "ab" * 32), Seal(SEAL.chain, 1, SEAL.digest, version=1)])
def test_a_table_that_shows_another_seal_gets_no_second_seed(other: Seal, tmp_path: Path) -> None:
    """Also one of version 1, for which people would type a seed that the house hears first."""
    house, seat, line, digest = sat(tmp_path / "houses.json")
    seat.take_in(seal(header(digest), unopened=[0]), 0)
    seat.take_in({**seal(unseeded=[0]), "seal": other.write()}, 0)
    assert len(house.told) == 2, "a digest and a seed"
    assert line.said.count(OTHER_HEADER) == 1
    assert OLD_SEAL not in line.said


def test_another_phone_of_the_same_seat_opens_nothing_and_says_nothing(tmp_path: Path) -> None:
    house, line = CheatingHouse(), Heard()
    seat = SealedSeat(house, line, Language(), SealNotes(tmp_path / "houses.json"))  # type: ignore[arg-type]
    seat.take_in(seal(header("cd" * 32), unopened=[0]), 0)
    assert (house.told, line.said) == ([], [])


@pytest.mark.parametrize("old", [{}, {"seal": f"{SEAL.table} {SEAL.digest}"}])
def test_a_seal_of_an_older_version_gets_no_seed(old: dict[str, str], tmp_path: Path) -> None:
    house, line = CheatingHouse(), Heard()
    seat = SealedSeat(house, line, Language(), SealNotes(tmp_path / "houses.json"))  # type: ignore[arg-type]
    for _ in range(2):
        seat.take_in({"words": ["lantern"] * 8, "unseeded": [0], **old}, 0)
    assert house.told == []
    assert line.said == [OLD_SEAL]


def test_two_programs_on_one_machine_keep_each_others_notes(tmp_path: Path) -> None:
    one, two = (SealNotes(tmp_path / "houses.json") for _ in range(2))
    one.keep("2 one", note())
    two.keep("2 two", note())
    assert all(SealNotes(tmp_path / "houses.json").of(seal) for seal in ("2 one", "2 two"))


def test_each_of_two_seats_on_one_machine_has_a_seed_of_its_own(tmp_path: Path) -> None:
    notes = SealNotes(tmp_path / "houses.json")
    house = CheatingHouse()
    for at, name in enumerate(("Ann", "Bob", "Ann")):
        seat = SealedSeat(house, Heard(), Language(), notes)  # type: ignore[arg-type]
        seat.take_in(seal(unseeded=[0, 1]), at % 2, name)
    ann, bob, again = [each["digest"] for each in house.told]
    assert ann != bob
    assert again == ann, "told once more"


DAMAGES = [
    "", "{", "[]", '{"2 x": 5}', '{"2 x": {"header": 1, "seeds": {}}}', "[" * 9000,
    json.dumps({SEAL.write(): note()})[:-9], json.dumps({"2 y": note(), "2 x": note() | {"own": {"ab": 1}}}),
    json.dumps({"2 x": {"at": "", "header": "", "own": {"ab": {"seed": "\ud800", "told": True, "opened": ""}}}}),
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_notes_stop_nobody_and_are_put_aside(damage: str, tmp_path: Path) -> None:
    notes = tmp_path / "seals-seen.json"
    for number in (1, 2):
        notes.write_text(damage)
        house, seat, _, digest = sat(tmp_path / "houses.json")
        seat.take_in(seal(header(digest), unopened=[0]), 0)
        assert len(house.seeds) == 1
        assert SealNotes(tmp_path / "houses.json").of(SEAL.write())
        assert (tmp_path / f"seals-seen.damaged-{number}.json").read_text() == damage


@pytest.mark.parametrize("damage", DAMAGES)
def test_verify_says_that_it_cannot_read_damaged_notes(damage: str, tmp_path: Path) -> None:
    (file := tmp_path / "match.record").write_text(honest(2))
    (notes := tmp_path / "seals-seen.json").write_text(damage)
    proof = check_dice(honest(2)).proof
    assert proof is not None
    for where in (notes, tmp_path / "seals-seen.damaged-1.json"):
        told = Room().run(f"verify {file}", tokens=tmp_path / "houses.json")
        said = f"This device can't read its notes in {where}, so it can't say if one of them is about this match."
        assert (told.status, told.err) == (1, f"pubdice verify: {said}\n")
        assert said in told.out
        assert "noted nothing" not in told.out
        assert where.read_text() == damage
        SealNotes(tmp_path / "houses.json").keep("2 another", note())
    SealNotes(tmp_path / "houses.json").keep(proof.seal.write(), own_note(proof.header))
    assert Room().run(f"verify {file}", tokens=tmp_path / "houses.json").status == 0, "a newer note is about it"


def test_notes_that_cannot_be_put_aside_are_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "seals-seen.json").write_text("{")
    notes = SealNotes(tmp_path / "houses.json")
    with patch.object(Path, "replace", side_effect=PermissionError):
        notes.keep("2 new", note())
    assert notes.of("2 new")
    assert (tmp_path / "seals-seen.json").read_text() == "{"


def test_notes_are_bounded_and_kept_for_their_owner_alone(tmp_path: Path) -> None:
    notes = SealNotes(tmp_path / "houses.json")
    notes._known = {f"2 {number}": note() for number in range(MOST_SEALS)}
    notes.keep("2 new", note())
    kept = json.loads((tmp_path / "seals-seen.json").read_text())
    assert len(kept) == MOST_SEALS
    assert "2 new" in kept
    assert (tmp_path / "seals-seen.json").stat().st_mode & 0o077 == 0


def verified(text: str, folder: Path, seal: str, noted: dict[str, Any] | None) -> tuple[int, str]:
    """The status and the words of ``verify`` on a machine that noted this under a seal."""
    (file := folder / "match.record").write_bytes(text.encode())
    (folder / "seals-seen.json").unlink(missing_ok=True)
    if noted is not None:
        SealNotes(folder / "houses.json").keep(seal, noted)
    told = Room().run(f"verify {file}", tokens=folder / "houses.json")
    return told.status, told.out + told.err


def own_note(header: str) -> dict[str, Any]:
    """The note of a device that added the seed of the honest record's Ann."""
    return {"at": "x", "own": {digest_of_seat("ann0"): {"seed": "ann0", "told": True, "opened": ""}}, "header": header}


def test_verify_says_what_this_machine_noted(tmp_path: Path) -> None:
    text, proof = honest(2), check_dice(honest(2)).proof
    assert proof is not None
    assert proof.fixed is not None
    seal = proof.seal.write()
    status, said = verified(text, tmp_path, seal, None)
    assert (status, "This device added no seed under this seal, and noted nothing." in said) == (0, True)
    for whole in (proof.fixed.text, proof.header):
        status, said = verified(text, tmp_path, seal, own_note(whole))
        assert (status, "This device added the seed of Ann, and noted the same rules" in said) == (0, True)
    for other in (proof.header.replace("Bob", "Cid"), proof.header + "x", ""):
        status, said = verified(text, tmp_path, seal, own_note(other))
        assert status == 3
        assert "This device noted something else before the first roll." in said
    status, said = verified(text, tmp_path, seal, {**own_note(proof.header), "own": note()["own"]})
    assert (status, "This device added a seed, and it is not in this record." in said) == (3, True)
    status, said = verified(text, tmp_path, seal, note(told=False))
    assert (status, "The seed of this device is not in this record." in said) == (3, True)


def test_verify_says_that_it_does_not_know_a_sign_and_accuses_nobody(tmp_path: Path) -> None:
    status, said = verified(honest(2).replace("Bob", "B\u0378b"), tmp_path, SEAL.write(), None)
    assert (status, "a sign that this device does not know yet" in said, "bet" in said) == (2, True, False)


def test_a_match_whose_end_a_device_never_saw_is_told_until_it_has_seen_it(tmp_path: Path) -> None:
    house, seat, _, digest = sat(tokens := tmp_path / "houses.json")
    told = "This device opened a seed for a match at http://pub/t/ABCDEF and never saw that match end."

    def says() -> str:
        (file := tmp_path / "match.record").write_bytes(honest(2).encode())
        return Room().run(f"verify {file}", tokens=tokens).out

    assert told not in says(), "no seed is open"
    seat.take_in(seal(header(digest), unopened=[0, 1]), 0)
    assert house.seeds
    assert told in " ".join(says().split())
    seat.take_in(seal(opened=True), 0)
    assert told in " ".join(says().split()), "a house says so before the match is over"
    seat.end(SEAL.write())
    assert told not in " ".join(says().split())


def test_a_match_whose_record_was_checked_has_ended(tmp_path: Path) -> None:
    proof = check_dice(honest(2)).proof
    assert proof is not None
    status, said = verified(honest(2), tmp_path, proof.seal.write(), {**own_note(proof.header), "ended": False})
    assert (status, "never saw" in said) == (0, False)
    assert not SealNotes(tmp_path / "houses.json").unended()


@pytest.mark.parametrize("record", ["pubdice 1\n", honest(2)], ids=["a header alone", "whole"])
def test_verify_takes_no_longer_for_a_record_that_stands_further_down(record: str, tmp_path: Path) -> None:
    def check(number: int) -> int:
        (file := tmp_path / "all.record").write_bytes((record * number).encode())
        with lines_run() as ran:
            Room().run(f"verify {file}", tokens=tmp_path / "houses.json")
        return ran.number

    few, more, most = (check(number) for number in (1, 11, 41))
    assert (most - more) == pytest.approx(3 * (more - few), rel=0.02)


def test_verify_looks_through_all_notes_once_and_not_for_each_record(tmp_path: Path) -> None:
    def check(records: int, notes: int) -> int:
        (file := tmp_path / "all.record").write_bytes((honest(2) * records).encode())
        noted = {f"2 {number:016x}/1 {'ab' * 32}": note() for number in range(notes)}
        (tmp_path / "seals-seen.json").write_text(json.dumps(noted))
        with lines_run() as ran:
            Room().run(f"verify {file}", tokens=tmp_path / "houses.json")
        return ran.number

    few, many = (check(3, notes) - check(1, notes) for notes in (1, 50))
    assert many == pytest.approx(few, rel=0.02)


def test_verify_says_in_data_what_this_machine_noted(tmp_path: Path) -> None:
    text, proof = honest(2), check_dice(honest(2)).proof
    assert proof is not None
    for noted, verdict, status in (
        (None, "not-noted", 0),
        (own_note(proof.header), "noted", 0),
        (own_note(proof.header + "x"), "differs", 3),
        (note(told=False), "untold", 3),
        (note(), "no-seed", 3),
    ):
        (tmp_path / "seals-seen.json").unlink(missing_ok=True)
        notes = SealNotes(tmp_path / "houses.json")
        if noted is not None:
            notes.keep(proof.seal.write(), noted)
        for record, said, ends in ((text, verdict, status), (text.replace("= ", "=  ", 1), None, 3)):
            (file := tmp_path / "match.record").write_text(record)
            told = Room().run(f"verify {file} --json", tokens=tmp_path / "houses.json")
            assert ([each["noted"] for each in json.loads(told.out)], told.status) == ([said], ends)


def test_a_seed_of_an_attempt_before_is_not_called_its_own_at_another_seat() -> None:
    """All know it by then: with it a house could make two seats seem to be this device's."""
    proof = check_dice(honest(2)).proof
    assert proof is not None
    assert proof.fixed is not None
    own = {"seed": "ann0", "told": True, "opened": proof.fixed.text}
    before = {"seed": BOB, "told": True, "opened": proof.fixed.text.replace("attempt: 1", "attempt: 0")}
    noted = {"at": "x", "own": {digest_of_seat("ann0"): own, digest_of_seat(BOB): before}, "header": proof.fixed.text}
    (notes := SealNotes(None)).keep(proof.seal.write(), noted)
    assert notes.compared(proof) == ("noted", ("Ann",))


def test_a_digest_that_another_seat_copied_is_not_told_again(tmp_path: Path) -> None:
    """As a house refuses it there, the device would never add a seed: its seat lost the digest as a header fell."""
    house, seat, _, digest = sat(tmp_path / "houses.json")
    seat.take_in(seal(digests=["", digest], unseeded=[0]), 0)
    [other] = [facts["digest"] for facts in house.told[1:]]
    seat.take_in(seal(digests=["", digest], unseeded=[0]), 0)
    assert (other != digest, house.told[2]["digest"]) == (True, other)


def test_a_record_of_a_table_that_was_noted_under_another_seal_differs() -> None:
    proof = check_dice(honest(2)).proof
    assert proof is not None
    other = replace(proof.seal, digest="0" * 64)
    for noted, verdict in ((other, "differs"), (replace(other, number=other.number + 1), "not-noted")):
        (notes := SealNotes(None)).keep(noted.write(), note())
        assert notes.compared(proof) == (verdict, ())


def test_verify_accuses_no_house_that_began_while_this_device_slept() -> None:
    """Its digest was told, and the match began without its seed: the record calls the seat away."""
    text = next(each.text for each in forgeries(2) if (each.what, each.effort) == ("seats: the first away", "dice"))
    found = check_dice(text)
    assert found.proof is not None
    for name, verdict in (("Ann", "away"), ("Bob", "no-seed"), (None, "away"), ("Anna", "away")):
        (notes := SealNotes(None)).keep(found.proof.seal.write(), note(name=name))
        assert notes.compared(found.proof) == (verdict, ("Ann",) if verdict == "away" else ())
    notes.keep(found.proof.seal.write(), note())
    assert noted_sentences(found, notes, Language())[0].startswith(
        "According to this record no device was there for Ann, so no seed"
    )


def test_a_seat_whose_match_began_without_its_seed_hears_it_once(tmp_path: Path) -> None:
    house, seat, line, digest = sat(tmp_path / "houses.json")
    seat.take_in(seal(digests=[digest, OTHER]), 0)
    for header_ in (GONE, with_seeds(GONE, ["-", BOB])):
        seat.take_in(seal(header_), 0)
    assert not house.seeds
    assert [said for said in line.said if said.startswith("This match is played without a seed of Ann.")] == line.said[
        2:
    ]
    assert OTHER_HEADER not in line.said


def test_of_two_devices_at_a_seat_the_other_finds_that_a_second_header_was_fixed(tmp_path: Path) -> None:
    """A house that heard the seed of one, and did not like the dice, fixed the same attempt with that of the other."""
    proof = check_dice(honest(2)).proof
    assert proof is not None
    assert proof.fixed is not None
    seal, fixed, other = proof.seal.write(), proof.fixed.text, digest_of_seat("other")
    first = fixed.replace(proof.fixed.digests[0], other)
    noted = {"at": "x", "own": {other: {"seed": "other", "told": True, "opened": first}}, "header": first}
    for whole in (first, with_seeds(first, ["other", proof.seeds[1]])):
        status, said = verified(honest(2), tmp_path, seal, {**noted, "header": whole})
        assert (status, "This device noted something else" in said) == (3, True)
    status, said = verified(honest(2), tmp_path, seal, own_note(fixed))
    assert "If every device of your seat says the same, neither a player nor the house could choose these dice." in said


@pytest.mark.parametrize("other", ["2 0303030303030303/1 " + "ab" * 32, "2 0404040404040404/7 " + "ab" * 32])
def test_a_record_under_another_seal_than_the_one_noted_is_found(other: str, tmp_path: Path) -> None:
    """Under the same chain and number, or with this device's own digest in it."""
    proof = check_dice(honest(2)).proof
    assert proof is not None
    status, said = verified(honest(2), tmp_path, other, own_note(proof.header))
    assert (status, "This device noted something else" in said) == (3, True)


def test_a_record_of_version_1_with_the_seed_that_this_device_added_to_version_2_is_found(tmp_path: Path) -> None:
    """A house that heard the seed could write a record of version 1, with dice of its choice."""
    status, said = verified(honest(1), tmp_path, Seal("0f" * 8, 7, "ab" * 32).write(), own_note(""))
    assert (status, "This device noted something else" in said) == (3, True)


def test_the_dice_of_a_later_attempt_are_not_said_to_be_chosen_by_nobody(tmp_path: Path) -> None:
    later = next(each.text for each in forgeries(2) if (each.what, each.effort) == ("attempt: another", "dice"))
    for text, chosen in ((honest(2), False), (later, True)):
        proof = check_dice(text).proof
        assert proof is not None
        notes = SealNotes(tmp_path / "houses.json")
        notes.keep(proof.seal.write(), own_note(proof.header))
        said = " ".join([*noted_sentences(check_dice(text), notes, Language()), *covered_sentences(proof, Language())])
        assert "noted the same rules" in said
        assert (
            ("If every device of your seat says the same, neither a player nor the house could choose these dice.")
            in said
        ) != chosen
        assert ("A house that cheats could repeat this until it liked the dice." in said) == chosen


def test_no_forged_record_is_verified_where_the_header_was_noted(tmp_path: Path) -> None:
    proof = check_dice(honest(2)).proof
    assert proof is not None
    likely = [
        each
        for each in forgeries(2)
        if each.effort == "dice" and each.what.startswith(("seats", "players", "att", "seal"))
    ]
    assert len(likely) > 60
    for forgery in likely:
        status, said = verified(forgery.text, tmp_path, proof.seal.write(), own_note(proof.header))
        assert status in (2, 3) or "noted nothing" in said, forgery.what
        assert "noted the same" not in said, forgery.what


def test_verify_says_what_version_1_does_not_prove(tmp_path: Path) -> None:
    status, said = verified(honest(1), tmp_path, "", None)
    assert status == 0
    assert "This record is of version 1. It does not prove the game, the rules, the names, their order" in said


def test_a_record_without_any_phone_says_that_it_trusts_the_house(tmp_path: Path) -> None:
    room = Room()
    room.run("play midnight --dice sealed --seats bot,bot --format rounds:1")
    told = room.run("verify 1")
    assert told.status == 0
    assert "No phone held its seed back until all seeds were fixed, so you have to trust the house for" in told.out
    assert "Tip and Tip 2 added no seeds." in told.out
    assert with_proof("pubdice 1\n\n", None) == "pubdice 1\n\n"
