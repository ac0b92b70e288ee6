"""The seal commits a house to its seed, and each roll follows from it and from the seeds of all seats."""

import hmac
import json
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from typing import Any
from unittest.mock import Mock

import pytest

from pubdice.core.errors import BadNotation, Refused
from pubdice.core.seal import (
    MOST_LINKS,
    KeyedSeals,
    NoSeals,
    Seal,
    SealedCup,
    bound_by_header,
    bound_by_seeds,
    digest_of,
    read_seal,
    read_seat_seed,
)

VECTORS = json.loads((Path(__file__).parents[1] / "published" / "sealed_dice.json").read_text())
SEALS = KeyedSeals(bytes(range(32)), lambda size: b"\1" * size)


BOUND = bound_by_seeds(VECTORS["table"], VECTORS["seats"])


def ten_lines(seed: str, header: str, roll: int, dice: int, bound: str = "") -> list[int]:
    """The recipe of docs/solve/fair-dice.md, word for word what a stranger would write. bound: of version 1."""
    bound = bound or f"2|{sha256(header.encode()).hexdigest()}"
    found: list[int] = []
    block = 0
    while len(found) < dice:
        message = f"pubdice sealed dice {bound}|{roll}|{block}"
        found += [byte % 6 + 1 for byte in hmac.digest(bytes.fromhex(seed), message.encode(), "sha256") if byte < 252]
        block += 1
    return found[:dice]


@pytest.mark.parametrize("vector", VECTORS["rolls"], ids=lambda vector: f"roll {vector['roll']}")
def test_the_vectors_are_what_the_recipe_and_the_cup_give(vector: dict[str, object]) -> None:
    roll, dice = vector["roll"], vector["dice"]
    assert isinstance(roll, int)
    assert isinstance(dice, list)
    old = f"1|{VECTORS['table']}|{','.join(VECTORS['seats'])}"
    assert ten_lines(VECTORS["seed"], "", roll, len(dice), old) == dice
    assert list(SealedCup(VECTORS["seed"], BOUND, roll).roll(len(dice), 99)) == dice


@pytest.mark.parametrize("vector", VECTORS["version 2"]["rolls"], ids=lambda vector: f"roll {vector['roll']}")
def test_the_vectors_of_version_2_follow_from_the_header(vector: dict[str, Any]) -> None:
    header, dice = "\n".join(VECTORS["version 2"]["header"]), vector["dice"]
    assert ten_lines(VECTORS["seed"], header, vector["roll"], len(dice)) == dice
    assert list(SealedCup(VECTORS["seed"], bound_by_header(header), vector["roll"]).roll(len(dice), 99)) == dice


def test_the_words_of_version_2_cover_the_chain_and_the_number() -> None:
    facts = VECTORS["version 2"]
    seal = read_seal(facts["seal"])
    assert seal.public_digest == facts["shown"]
    assert seal.public_digest == sha256(f"pubdice sealed dice 2|{seal.table}|{seal.digest}".encode()).hexdigest()
    others = [replace(seal, number=seal.number + 1), replace(seal, chain="f" * 16), replace(seal, digest="0" * 64)]
    assert len({seal.public_digest, *(other.public_digest for other in others)}) == 4
    assert read_seal(f"{seal.table} {seal.digest}").public_digest == seal.digest, "of version 1"


def test_the_vectors_hold_the_seal_and_the_draw() -> None:
    assert digest_of(VECTORS["seed"]) == VECTORS["seal"]
    assert SealedCup(VECTORS["seed"], BOUND, 1).draw(len(VECTORS["seats"]), 0) == VECTORS["draw"]
    bound = bound_by_header("\n".join(VECTORS["version 2"]["header"]))
    assert SealedCup(VECTORS["seed"], bound, 1).draw(2, 0) == VECTORS["version 2"]["draw"]


def test_a_roll_longer_than_one_block_goes_on_with_the_next() -> None:
    cup = SealedCup("ab" * 32, bound_by_header("pubdice 1"), 1)
    assert list(cup.roll(100, 0)) == ten_lines("ab" * 32, "pubdice 1", 1, 100)


def test_the_seed_opened_after_a_match_is_the_seal_of_the_next() -> None:
    seal = SEALS.first()
    for number in range(1, 10):
        assert (seal.number, seal.chain) == (number, "01" * 8)
        seed = SEALS.open(seal)
        assert sha256(bytes.fromhex(seed)).hexdigest() == seal.digest
        seal = SEALS.following(seal)
        assert seal.digest == seed


def test_a_match_derives_its_seed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hmac.digest", derived := Mock(wraps=hmac.digest))
    seals = KeyedSeals(SEALS.key, token_bytes)
    seal = seals.first()
    for number in (1, 2):
        seals.cup(seal, BOUND, number).roll(5, 0)
    assert sum(b"|chain|" in call.args[1] for call in derived.call_args_list) == 1, "the cache of _seed_of"


def test_a_chain_ends_and_a_new_one_begins() -> None:
    last = Seal("02" * 8, MOST_LINKS, digest_of(SEALS._seed("02" * 8, MOST_LINKS)))
    assert SEALS.following(last) == SEALS.first()
    assert len(SEALS.open(last)) == 64


def test_another_key_opens_no_seal_and_begins_a_new_chain() -> None:
    other, seal = KeyedSeals(b"another key" * 3, lambda size: b"\7" * size), SEALS.first()
    for do in (lambda: other.open(seal), lambda: other.cup(seal, "", 1), lambda: NoSeals().open(seal)):
        with pytest.raises(Refused) as refused:
            do()
        assert refused.value.code == "seal-lost"
    assert other.following(seal) == other.first()


@pytest.mark.parametrize("text", ["", "0/1", f"{'0' * 16}/0 {'a' * 64}", f"{'0' * 16}/65 {'a' * 64}", "x" * 90])
def test_what_is_no_seal_is_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        read_seal(text)
    seal = SEALS.first()
    assert read_seal(seal.write()) == seal


@pytest.mark.parametrize("text", ["", " ", "a,b", "a|b", "ä", "x" * 33, "a\n|b"])
def test_what_is_no_seed_is_refused(text: str) -> None:
    with pytest.raises(BadNotation) as bad:
        read_seat_seed(text)
    assert bad.value.code == "seat-seed"


# nobody can tell a die alone. Each count is of dice that are fair if they lie within 5.5 standard deviations


def is_even(counts: Counter[int]) -> bool:
    """Whether six faces are equally likely, by chi-square with 5 degrees of freedom: above 45 is one time in 10^8."""
    mean = sum(counts.values()) / 6
    return sum((counts[face] - mean) ** 2 / mean for face in range(1, 7)) < 45


def test_the_house_without_the_seats_cannot_tell_a_die() -> None:
    seals = (SealedCup("cd" * 32, f"2|{seed}", 1) for seed in range(6_000))
    assert is_even(Counter(cup.roll(1, 0)[0] for cup in seals))


def test_the_seats_without_the_house_cannot_tell_a_die() -> None:
    seeds = (sha256(str(seed).encode()).hexdigest() for seed in range(6_000))
    assert is_even(Counter(SealedCup(seed, "2|ann bob", 1).roll(1, 0)[0] for seed in seeds))


def test_earlier_rolls_do_not_tell_the_next() -> None:
    """Of 20,000 seeds those whose first two dice are 6 and 6: the next die is any."""
    seeds = (sha256(f"next {seed}".encode()).hexdigest() for seed in range(20_000))
    next_dice = Counter[int]()
    for seed in seeds:
        first, second, third = (SealedCup(seed, "2|ann", roll).roll(1, 0)[0] for roll in (1, 2, 3))
        if (first, second) == (6, 6):
            next_dice[third] += 1
    assert 400 < sum(next_dice.values()) < 720
    assert is_even(next_dice)


def test_one_seat_changes_every_roll() -> None:
    one, two = (SealedCup("ef" * 32, bound_by_seeds("0/1", ("ann", seed)), 1).roll(60, 0) for seed in ("bob", "bob1"))
    assert 35 < sum(a != b for a, b in zip(one, two, strict=True)) < 60
