"""A record of sealed dice proves every roll, and fails if anything in it is changed."""

import re
from dataclasses import replace
from importlib.resources import files

import pytest

from play import KITS
from pubdice.checked_record import read_checked
from pubdice.core.dice import MOST_SCORE_DIGITS
from pubdice.core.errors import BadNotation
from pubdice.core.seal import KeyedSeals
from pubdice.kit import Kit
from pubdice.match.sealed_record import DiceCheck, check_dice, text_digest
from pubdice.match.sealed_sentences import chain_sentences, fault_sentence, gap_sentence, sealed_sentences
from pubdice.room import Caller, Room, RoomState, Setup
from pubdice.room import commands as ask
from pubdice.room.seeds import proof_of, sealed
from pubdice.room.setup import checked
from pubdice.text.language import Language
from support.sealed_match import played, record_of

SEALS = KeyedSeals(b"k" * 32, lambda size: b"\3" * size)
EVERY_KIT = pytest.mark.parametrize("kit", KITS.values(), ids=KITS)


@EVERY_KIT
def test_the_record_of_a_match_of_any_game_is_verified(kit: Kit) -> None:
    room, state, log = played(kit, SEALS)
    text = record_of(room, state, log)
    found = check_dice(text)
    assert (found.fault, found.rolls) == (None, state.rolls)
    assert read_checked(text, {kit.name: kit}, Language()).steps[-1].after.over
    assert "all rolls match it" in sealed_sentences(found, Language())[1].lower()


def test_the_dice_of_a_roll_off_are_sealed_like_all_others() -> None:
    kit = KITS["mexico"]
    for size in range(1, 60):
        seals = KeyedSeals(bytes([size]) * 32, lambda size: b"\3" * size)
        given = {"game": kit.name, "format": "rounds 1 rolloff"}
        setup = sealed(checked(kit, Setup(given, 1, "ann", 0, dice="sealed", grows=True)), seals)
        room, state, log = played(kit, seals, setup)
        text = record_of(room, state, log)
        if "round 2" in text:
            break
    found = check_dice(text)
    assert (found.fault, found.rolls) == (None, state.rolls)
    *before, last = re.findall(r"^(?:Ann|Bob): ([1-6])$", text, re.MULTILINE)
    assert before
    forged = re.sub(rf": {last}\n\Z", f": {int(last) % 6 + 1}\n", text)
    assert forged != text
    bare = re.sub("^check: .*\n", "", forged, flags=re.MULTILINE)
    whole = re.sub("^check: .*", f"check: {text_digest(bare)}", forged, flags=re.MULTILINE)
    assert (check_dice(whole).fault, check_dice(whole).expected) == ("roll", last)


def test_tiles_read_as_one_long_number_are_verified() -> None:
    kit = KITS["shutbox"]
    given = {"game": kit.name, "tiles": "12", "left": "digits", "format": "rounds 20"}
    setup = sealed(checked(kit, Setup(given, 1, "ann", 0, dice="sealed", grows=True)), SEALS)
    room, state, log = played(kit, SEALS, setup)
    text = record_of(room, state, log)
    assert re.search("= [0-9]{10,15}$", text, re.MULTILINE)
    assert (check_dice(text).fault, check_dice(text).rolls) == (None, state.rolls)


def test_the_page_takes_scores_of_as_many_digits() -> None:
    script = (files("pubdice.server.web") / "static/verify.js").read_text()
    assert re.findall(r" = \[0-9\]\{1,(\d+)\}", script) == [str(MOST_SCORE_DIGITS)] * 4


def test_no_sealed_record_has_a_choice_taken_back() -> None:
    lines = record_of(*played(KITS["midnight"], SEALS)).splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if line.startswith("Ann: "))
    bare = "".join(line for line in [*lines[: at + 1], "back Ann\n", *lines[at:]] if not line.startswith("check: "))
    forged = bare.replace("\n\n", f"\ncheck: {text_digest(bare)}\n\n", 1)
    assert check_dice(forged).fault == "shape"


def test_a_record_changed_in_any_one_character_fails() -> None:
    text = record_of(*played(KITS["midnight"], SEALS))
    assert len(text) > 400
    for at, char in enumerate(text[:-1]):
        for other in {"7" if char != "7" else "1", " ", "\n", "#", ":", char.swapcase()} - {char}:
            changed = text[:at] + other + text[at + 1 :]
            try:
                assert check_dice(changed).fault is not None, (at, char, other)
            except BadNotation:
                continue


def test_a_forged_roll_is_found_where_it_stands() -> None:
    text = record_of(*played(KITS["midnight"], SEALS))
    roll = re.search(r"^Bob: (\d+)", text, re.MULTILINE)
    assert roll
    forged = text.replace(roll[1], roll[1][:-1] + ("6" if roll[1][-1] != "6" else "5"), 1)
    bare = re.sub("^check: .*\n", "", forged, flags=re.MULTILINE)
    whole = re.sub("^check: .*", f"check: {text_digest(bare)}", forged, flags=re.MULTILINE)
    found = check_dice(whole)
    assert (found.fault, found.expected) == ("roll", roll[1])
    assert found.place is not None
    assert found.place.line == text[: roll.start()].count("\n") + 1
    assert (
        f"Line {found.place.line}: The seal does not match: roll {found.rolls} should be {roll[1]}."
        in fault_sentence(found, Language())
    )


def test_records_of_an_evening_follow_each_other_and_a_missing_one_shows() -> None:
    kit, seals = KITS["midnight"], SEALS
    room, state, log = played(kit, seals)
    texts = [record_of(room, state, log)]
    for _ in range(2):
        room, state, log = played(kit, seals, room.again(state, 0, "ABCDEF", seals))
        texts.append(record_of(room, state, log))
    found = list(map(check_dice, texts))
    assert [verdict.proof.seal.number for verdict in found if verdict.proof] == [1, 2, 3]
    assert gap_sentence(found, Language()) == ""
    assert "a match between them is missing" in gap_sentence([found[0], found[2]], Language())
    others = KeyedSeals(b"x" * 32, lambda size: b"\3" * size)
    third = others.following(others.following(others.first()))
    other = played(kit, others, replace(room.setup, seal=third.write()))
    assert (
        gap_sentence([found[1], check_dice(record_of(*other))], Language())
        == "Match 2 promised another seal for match 3."
    )


def evening(seals: KeyedSeals, number: int) -> list[DiceCheck]:
    """The verdicts on the first matches of a chain."""
    room, state, log = played(KITS["midnight"], seals)
    found = [check_dice(record_of(room, state, log))]
    while len(found) < number:
        room, state, log = played(KITS["midnight"], seals, room.again(state, 0, "ABCDEF", seals))
        found.append(check_dice(record_of(room, state, log)))
    return found


def test_a_match_of_another_chain_in_between_hides_nothing() -> None:
    one, two, three = evening(SEALS, 3)
    [other] = evening(KeyedSeals(b"o" * 32, lambda size: b"\4" * size), 1)
    assert two.proof is not None
    assert other.proof is not None
    forged = replace(two, proof=replace(two.proof, seal=replace(two.proof.seal, digest="ab" * 32)))
    another = f"A new chain of seals begins with match 1 of chain {other.proof.seal.chain}"
    for found, said in (
        ([one, other, two, three], ""),
        ([one, other, three], "The seals of matches 1 and 3 don't follow each other: a match between them is missing."),
        ([one, other, forged], "Match 1 promised another seal for match 2."),
        ([one, other, one], "Give the records of an evening in their order, each once."),
        ([other, one, other], "Give the records of an evening in their order, each once."),
    ):
        assert gap_sentence(found, Language()) == said
        begun = chain_sentences(found, Language())
        assert len(begun) == 1, "a chain that went on begins no other"
        assert begun[0].startswith(another) == (found[0] is one)


def test_an_unfinished_match_is_not_opened() -> None:
    room, state, log = played(KITS["420"], SEALS, rolls=1)
    assert state.stage == "playing"
    assert check_dice(record_of(room, state, log)).fault == "unopened"


def test_a_record_without_a_seal_says_so() -> None:
    text = "pubdice 1\ngame: midnight\nseats: Ann, Bob\n\nround 1\nAnn: 344512\n"
    assert check_dice(text).fault == "unsealed"
    for bad in ("seal: x", f"seal: {'0' * 16}/1 {'a' * 64}\nseed: x"):
        with pytest.raises(BadNotation) as error:
            check_dice(text.replace("seats: Ann, Bob", f"seats: Ann, Bob\n{bad}"))
        assert error.value.place is not None


def test_what_proves_a_record_is_no_part_of_what_is_played() -> None:
    kit = KITS["midnight"]
    text = record_of(*played(kit, SEALS))
    assert not {"seal", "seeds", "seed", "check"} & set(read_checked(text, KITS, Language()).header.fields)


def test_a_seed_is_added_once_and_only_to_sealed_dice() -> None:
    kit = KITS["midnight"]
    setup = sealed(checked(kit, Setup({"game": "midnight"}, 1, "ann", 0, dice="sealed", grows=True)), SEALS)
    room = Room(kit, setup)
    state: RoomState = room.start()
    for command in (ask.Sit(None, "Ann"), ask.AddSeed("heads")):
        state = room.decide(state, command, Caller("ann", 0), SEALS.cup(SEALS.first(), "", 1), SEALS)[-1].after
    assert state.chairs[0].seed == "heads"
    assert proof_of(state) is None
