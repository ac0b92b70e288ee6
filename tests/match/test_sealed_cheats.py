"""Conspiracies against sealed dice, tried: who grinds seeds until the dice are liked is caught by one honest phone.

The list in ``docs/solve/fair-dice.md`` names the tests of each.
"""

import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from play import KITS
from pubdice.core.dice import digits
from pubdice.core.errors import BadNotation
from pubdice.core.seal import KeyedSeals, SealedCup, bound_by_header, bound_by_seeds, digest_of, digest_of_seat
from pubdice.match.sealed_record import Proof, check_dice, extends, text_digest, with_seeds, write_fixed
from support.forgeries import SEALS, honest
from support.sealed_match import played, record_of

PAGE = Path(__file__).parents[2] / "docs/solve/fair-dice.md"
TESTS = Path(__file__).parents[2]
LIKED = "1456"
"""What the conspirators want of the first roll: at least these."""


def sound(version: int = 2) -> tuple[str, Proof]:
    text = honest(version)
    proof = check_dice(text).proof
    assert proof is not None
    return text, proof


def likes(dice: str) -> bool:
    return all(dice.count(face) for face in LIKED)


def ground(text: str, forge: Callable[[int], tuple[str, str]]) -> str:
    """The record of the first try whose first roll is liked. forge: the header up to the seeds, and what binds it."""
    _, proof = sound()
    for attempt in range(2_000):
        header, bound = forge(attempt)
        if likes(digits(SealedCup(proof.seed, bound, 1).roll(6, 0))):
            return _whole(text, f"{header}\nseed: {proof.seed}", bound, proof.seed)
    raise AssertionError("never liked")


def _whole(text: str, header: str, bound: str, seed: str) -> str:
    numbers: Iterator[int] = count(1)
    body = re.sub(
        r"(?<=[^=] )[1-6]+(?= |$)",
        lambda found: digits(SealedCup(seed, bound, next(numbers)).roll(len(found[0]), 0)),
        text.partition("\n\n")[2].partition("\n")[2],
        flags=re.MULTILINE,
    )
    whole = f"{header}\n\nround 1\n{body}"
    return whole.replace(f"{header}\n", f"{header}\ncheck: {text_digest(whole)}\n", 1)


def test_a_house_and_all_other_players_grind_their_seeds_after_they_heard_the_honest_one() -> None:
    """Bob's digest was told before: any other seed of his is found by anybody, with the record alone."""
    text, proof = sound()
    assert proof.fixed is not None
    fixed = proof.fixed

    def forge(attempt: int) -> tuple[str, str]:
        header = with_seeds(fixed.text, [proof.seeds[0], f"bob{attempt}x"])
        return header, bound_by_header(header)

    found = check_dice(ground(text, forge))
    assert (found.fault, found.expected) == ("seat-seed", "Bob")


def test_a_house_and_all_other_players_grind_their_digests_too() -> None:
    """Then the record agrees with itself, and not with what the honest phone noted before it opened its seed."""
    text, proof = sound()
    assert proof.fixed is not None
    fixed = proof.fixed

    def forge(attempt: int) -> tuple[str, str]:
        seeds = [proof.seeds[0], f"bob{attempt}x"]
        played = fixed.text.partition("\nseal: ")[0]
        header = write_fixed(played, proof.seal, fixed.players, [digest_of_seat(seed) for seed in seeds], 1)
        header = with_seeds(header, seeds)
        return header, bound_by_header(header)

    found = check_dice(ground(text, forge))
    assert found.fault is None
    assert found.proof is not None
    assert not extends(found.proof.header, fixed.text), "the phone of Ann knows"


@pytest.mark.parametrize("what", ["attempt: ", "format: ", "opener: ", "first: "])
def test_a_house_alone_grinds_what_else_the_dice_follow_from(what: str) -> None:
    """As every roll follows from the whole header, other rules are other dice: the phone's note finds them."""
    text, proof = sound()
    assert proof.fixed is not None
    noted = proof.fixed.text

    def forge(attempt: int) -> tuple[str, str]:
        value = str(1 + attempt) if what == "attempt: " else f"x{attempt}"
        header = re.sub(f"^{what}.*$", what + value, proof.header, flags=re.MULTILINE)
        return header, bound_by_header(header)

    found = check_dice(ground(text, forge))
    assert found.fault is None
    assert found.proof is not None
    assert not extends(found.proof.header, noted)


@pytest.mark.parametrize("list_", ["{ann}, bob0, {x}", "{ann}, {x}, -", "{ann}, b\u200b{x}", "{ann}"])
def test_a_house_alone_writes_a_list_of_seeds_that_no_house_writes(list_: str) -> None:
    text, proof = sound()
    assert proof.fixed is not None
    fixed = proof.fixed

    def forge(attempt: int) -> tuple[str, str]:
        header = f"{fixed.text}\nseeds: {list_.format(ann=proof.seeds[0], x=attempt)}"
        if "{x}" not in list_:
            header = header.replace("attempt: 1", f"attempt: {attempt + 1}")
        return header, bound_by_header(header)

    assert check_dice(ground(text, forge)).fault == "shape"


@pytest.mark.parametrize("player", ["phone", "typed"])
def test_a_house_writes_the_digest_of_an_honest_phone_at_a_second_seat(player: str) -> None:
    """Then the phone's one seed would pass for two people's."""
    text, proof = sound()
    assert proof.fixed is not None
    fixed = proof.fixed
    copied = fixed.text.replace(fixed.digests[1], fixed.digests[0]).replace("phone, phone", f"phone, {player}")
    assert copied != fixed.text

    def forge(attempt: int) -> tuple[str, str]:
        header = with_seeds(copied.replace("attempt: 1", f"attempt: {attempt + 1}"), [proof.seeds[0]] * 2)
        return header, bound_by_header(header)

    assert check_dice(ground(text, forge)).fault == "shape"


def test_a_sign_that_is_newer_than_this_pythons_unicode_is_unknown_and_no_forgery() -> None:
    text = honest(2).replace("Bob", "B\u0378b")
    with pytest.raises(BadNotation) as found:
        check_dice(text)
    assert found.value.code == "text-newer"


def test_a_house_alone_takes_another_seed_of_its_own() -> None:
    text, proof = sound()
    others = (KeyedSeals(bytes([n]) * 32, lambda size: b"\3" * size) for n in range(250))
    for other in others:
        seed = other.open(other.first())
        bound = bound_by_header(proof.header)
        if likes(digits(SealedCup(seed, bound, 1).roll(6, 0))):
            break
    else:
        raise AssertionError("never liked")
    assert check_dice(_whole(text, f"{proof.header}\nseed: {seed}", bound, seed)).fault == "other-seed"
    swapped = proof.header.replace(proof.seal.digest, digest_of(seed))
    forged = check_dice(_whole(text, f"{swapped}\nseed: {seed}", bound_by_header(swapped), seed))
    assert forged.proof is not None
    assert forged.proof.seal.public_digest != proof.seal.public_digest, "the words are others"
    assert not extends(forged.proof.header, proof.header), "and so is what the phone noted"


def test_a_player_alone_who_hears_all_seeds_but_not_the_houses_foresees_nothing() -> None:
    """The same seeds of all seats under 6,000 seeds of a house: each face is as likely as another."""
    _, proof = sound()
    faces = [SealedCup(f"{number:064x}", proof.bound, 1).roll(1, 0)[0] for number in range(6_000)]
    assert all(abs(faces.count(face) - 1_000) < 160 for face in range(1, 7)), "5.5 standard deviations"


def test_version_1_does_not_catch_a_house_that_writes_down_another_seed() -> None:
    """The hole that version 2 closes: the page says so of each record of version 1."""
    text, proof = sound(1)
    played = text.partition("\nseal: ")[0]
    for attempt in range(2_000):
        seeds = [proof.seeds[0], f"bob{attempt}"]
        bound = bound_by_seeds(proof.seal.table, seeds)
        if likes(digits(SealedCup(proof.seed, bound, 1).roll(6, 0))):
            break
    header = f"{played}\nseal: {proof.seal.write()}\nseeds: {', '.join(seeds)}\nseed: {proof.seed}"
    assert check_dice(_whole(text, header, bound, proof.seed)).fault is None


def test_who_only_types_seeds_trusts_the_house_and_the_record_says_so() -> None:
    """A house that hears all seeds before it fixes the header can add a player of its own until the dice are liked."""
    text = record_of(*played(KITS["midnight"], SEALS, seeds=()))
    proof = check_dice(text).proof
    assert proof is not None
    assert proof.fixed is not None
    assert proof.fixed.players == ("typed", "typed")
    assert proof.played("phone") == ()


def test_the_program_on_the_page_works_out_every_roll() -> None:
    """The recipe as anybody copies it out of the page."""
    code = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert code
    recipe: dict[str, Any] = {}
    exec(code[1], recipe)
    text, proof = sound()
    assert proof.fixed is not None
    header, _, body = text.partition("\nseed: ")
    rolls = re.findall(r"(?<=[^=] )[1-6]+(?= |$)", body.partition("round 1")[2], re.MULTILINE)
    assert len(rolls) > 8
    for number, roll in enumerate(rolls, 1):
        assert digits(recipe["dice"](proof.seed, header, number, len(roll))) == roll
    assert recipe["is_sealed"](proof.seed, proof.seal.digest)
    assert recipe["are_fixed"](proof.seeds, proof.fixed.digests)
    assert not recipe["are_fixed"](["other", "bob0"], proof.fixed.digests)
    assert recipe["words_stand_for"](proof.seal.table, proof.seal.digest) == proof.seal.public_digest[:20]


def test_each_cheat_of_the_page_has_tests_that_try_it() -> None:
    text = PAGE.read_text("utf-8")
    cheats = re.findall(r"^(\d+)\. .+: \*.+\*\.\n   (`tests/.+)$", text, re.MULTILINE)
    assert len(cheats) >= 12
    assert len(cheats) == len(re.findall(r"^\d+\. .+: \*", text, re.MULTILINE))
    assert [int(number) for number, _ in cheats] == [*range(1, len(cheats) + 1)]
    for _, named in cheats:
        for file, name in re.findall(r"`(tests/[\w/.]+)::(\w+)`", named):
            assert f"def {name}(" in (TESTS / file).read_text("utf-8"), named
