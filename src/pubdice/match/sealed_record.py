"""What proves the dice of a record: the seal, the seats' seeds, the house's seed, and a digest of the whole text.

Checks it with the record alone: knows no rules, no game and no house. ``docs/fair-dice.md`` has the recipe.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from pubdice.core.dice import digits
from pubdice.core.errors import BadNotation, Place
from pubdice.core.seal import Seal, SealedCup, digest_of, is_house_seed, read_seal
from pubdice.match.names import find_name
from pubdice.match.notation import Record, parse

_CHECK = re.compile(r"^check: ([0-9a-f]{64})\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Proof:
    """The seal of a match; the seats' seeds in their order; the house's seed in hex, "" while it is not opened."""

    seal: Seal
    seats: tuple[str, ...]
    seed: str = ""

    def write(self) -> str:
        """The proof as lines of a record's header."""
        lines = [f"seal: {self.seal.write()}", f"seeds: {', '.join(self.seats)}"]
        return "\n".join([*lines, f"seed: {self.seed}"] if self.seed else lines)


def with_proof(text: str, proof: Proof | None) -> str:
    """A record with its proof at the end of the header, and the digest of the whole text; unchanged without one."""
    if proof is None:
        return text
    header, _, body = text.partition("\n\n")
    header = f"{header}\n{proof.write()}"
    return f"{header}\ncheck: {text_digest(f'{header}{chr(10) * 2}{body}')}\n\n{body}"


def text_digest(text: str) -> str:
    """The SHA-256 of a record's text without its check, in hex; line ends count as line feeds, the last ones not."""
    plain = _CHECK.sub("", text.removeprefix("\ufeff").replace("\r\n", "\n"), count=1).rstrip("\n")
    return sha256(plain.encode()).hexdigest()


DiceFault = Literal["unsealed", "changed", "unopened", "other-seed", "draw", "roll"]
"""What a check of a record can find: it has no seal; its text was changed; the house has not opened its seal; its seed
is not the one under the seal; the draw, or a roll, is not the one that follows from the seeds."""


@dataclass(frozen=True, slots=True)
class DiceCheck:
    """What a check of a record found. fault: None if all is as it was sealed.

    rolls: how many were compared, up to and with the wrong one, which is at ``place``; expected: what it should be.
    """

    proof: Proof | None
    rolls: int
    fault: DiceFault | None = None
    place: Place | None = None
    expected: str = ""


def proof_in(record: Record) -> Proof | None:
    """The proof in a record's header; None if it has no seal. Raises BadNotation with the place."""
    fields = record.header.fields
    if "seal" not in fields:
        return None
    try:
        seal = read_seal(fields["seal"])
    except BadNotation as error:
        error.place = record.header.places["seal"]
        raise
    seed = fields.get("seed", "")
    if seed and not is_house_seed(seed):
        raise BadNotation("house-seed", record.header.places["seed"])
    return Proof(seal, tuple(part.strip() for part in fields.get("seeds", "").split(",")), seed)


def check_dice(text: str) -> DiceCheck:
    """Whether the dice of a record are those that were sealed, and its text is as the house wrote it.

    Raises BadNotation for a text that is no record.
    """
    record = parse(text)
    proof = proof_in(record)
    if proof is None:
        return DiceCheck(None, 0, "unsealed")
    found = _CHECK.search(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    if found is None or found[1] != text_digest(text):
        return DiceCheck(proof, 0, "changed")
    if not proof.seed:
        return DiceCheck(proof, 0, "unopened")
    if digest_of(proof.seed) != proof.seal.digest:
        return DiceCheck(proof, 0, "other-seed", record.header.places["seed"])
    number = 0
    for kind, place, expected, fits in _compared(record, proof):
        number += kind == "roll"
        if not fits:
            return DiceCheck(proof, number, kind, place, expected)
    return DiceCheck(proof, number)


def _compared(record: Record, proof: Proof) -> Iterator[tuple[Literal["draw", "roll"], Place, str, bool]]:
    """The draw and each roll of a record: what it is, where, what it should be, and whether it is."""
    names, number = record.header.names, 0
    for token in record.tokens:
        cup = SealedCup(proof.seed, proof.seal.table, proof.seats, number + 1)
        if token.kind == "draw":
            seat = cup.draw(len(names), 0)
            yield "draw", token.place, names[seat], find_name(token.text, names) == seat
        elif token.kind == "roll":
            number += 1
            expected = digits(cup.roll(len(token.text), 0))
            yield "roll", token.place, expected, token.text == expected
