"""Forged records of sealed dice: the checker refuses what no honest house writes, and a phone's note finds the rest.

``tests/browser/test_forged_records.py`` gives the same records to the page.
"""

import re
from itertools import count

import pytest

from play import KITS
from pubdice.checked_record import read_checked
from pubdice.core.dice import digits
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.seal import SealedCup
from pubdice.match.sealed_record import check_dice, extends
from pubdice.text.language import Language
from support.forgeries import NAMES, SOUND_NAMES, VALUES, Forgery, forged_bodies, forgeries, honest

HEADER = ("game", "need", "seats", "format", "opener", "first")
"""Lines about the match: with others in them a record is one of another match."""


def is_refused(forgery: Forgery) -> bool:
    """Whether the checker finds a fault, or no record."""
    try:
        return check_dice(forgery.text).fault is not None
    except BadNotation:
        return True


@pytest.mark.parametrize("version", [1, 2])
def test_there_are_hundreds_of_forgeries_and_all_efforts(version: int) -> None:
    found = list(forgeries(version))
    assert len(found) >= 700
    assert len({forgery.text for forgery in found}) > 500
    assert check_dice(honest(version)).fault is None
    forged = [forgery for forgery in found if forgery.effort == "dice" and "seeds: swapped" in forgery.what]
    assert check_dice(forged[0].text).fault in (None, "seat-seed"), "a forger gets his dice right"


def test_no_forgery_passes_and_agrees_with_a_phone_that_noted_the_header() -> None:
    proof = check_dice(honest(2)).proof
    assert proof is not None
    assert proof.fixed is not None
    for noted in (proof.header, proof.fixed.text):
        for forgery in forgeries(2):
            if is_refused(forgery):
                assert not forgery.neutral, forgery.what
                continue
            found = check_dice(forgery.text).proof
            assert found is not None
            agrees = found.seal == proof.seal and extends(found.header, noted)
            assert agrees == forgery.neutral, (forgery.what, forgery.effort)


def test_without_a_note_only_another_match_of_the_same_house_passes() -> None:
    """What passes is sound in itself, as of another match: only who was there, or noted it, knows that it never was."""
    passed = {forgery.what for forgery in forgeries(2) if not forgery.neutral and not is_refused(forgery)}
    assert len(passed) > 40
    others = {what for what in passed if what.partition(":")[0] not in HEADER}
    assert others == {
        "players: swapped",
        "players: both phones",
        "players: one for two",
        "attempt: another",
        "seal: number 2",
        "seal: number 64",
        "seal: another chain",
    }


UNSEEN = (
    "a zero-width space", "a no-break space", "a thin space", "a line separator", "a next-line character", "a tab",
    "a sign from right to left", "a control sign", "a letter nobody sees", "a mark nobody sees", "a sign of nobody's",
    "a star",
)  # fmt: skip


@pytest.mark.parametrize("version", [1, 2])
def test_no_name_no_order_and_no_sign_passes_that_no_house_writes(version: int) -> None:
    """Also where the dice follow from them: a page shows a name, and who reads it takes it for what it looks like."""
    assert set(UNSEEN) < set(VALUES)
    passed = {forgery.what for forgery in forgeries(version) if forgery.effort == "dice" and not is_refused(forgery)}
    assert not passed & {f"seats: {what}" for what in NAMES}
    assert passed > {f"seats: the names {' and '.join(names)}" for names in SOUND_NAMES}
    for key in ("game", "seats", "format", "opener", "first"):
        assert not passed & {f"{key}: {what}" for what in (*UNSEEN, "first", "at the end", "doubled")}
        assert (f"{key}: dropped" in passed) == (key == "opener"), "which not every match has"
        assert (f"{key}: a picture" in passed) == (key == "first"), "which is a name"


def test_version_1_finds_lists_of_seeds_that_no_house_writes() -> None:
    proof = check_dice(honest(1)).proof
    assert proof is not None
    for forgery in forgeries(1):
        if is_refused(forgery):
            assert not forgery.neutral, forgery.what
            continue
        found = check_dice(forgery.text).proof
        assert found is not None
        assert found.seed == proof.seed
        assert len(found.seeds) == 2, "one for each seat; that they are those of the seats version 1 does not prove"
        assert all(seed == "-" or (seed.isalnum() and seed.isascii()) for seed in found.seeds)


@pytest.mark.parametrize("version", [1, 2])
def test_in_a_forged_body_that_passes_every_roll_that_anybody_can_see_follows_from_the_seeds(version: int) -> None:
    """Looked for by the eye, not as a record is read: a run of faces is a roll, wherever below the header it stands."""
    found, passed = list(forged_bodies(version)), 0
    assert len(found) > 900
    for forgery in found:
        if is_refused(forgery):
            continue
        passed += 1
        proof = check_dice(forgery.text).proof
        assert proof is not None
        body = forgery.text.partition("\n\n")[2]
        assert set(body) <= set(" .:=-\r\n") | set(map(chr, range(48, 123))), "nothing in it that nobody sees"
        rolls = re.findall(r"(?<![\w=])(?<!= )(?<!round )[1-9]\w*", body)
        cups = (SealedCup(proof.seed, proof.bound, number) for number in count(1))
        assert rolls
        assert rolls == [digits(cup.roll(len(roll), 0)) for roll, cup in zip(rolls, cups, strict=False)], forgery.what
    assert passed > 200, "keeps and scores are not signed"


@pytest.mark.parametrize("version", [1, 2])
def test_a_forged_body_that_keeps_to_dice_and_rules_tells_the_same_match(version: int) -> None:
    same = set()
    for forgery in forged_bodies(version):
        try:
            read = None if is_refused(forgery) else read_checked(forgery.text, KITS, Language())
        except (BadNotation, IllegalAction):
            continue
        if read is not None and read.steps and read.steps[-1].after.over:
            same.add(forgery.what.partition(": ")[2])
    assert same == {"no score", "capitals"}
