"""The proof of sealed dice in a record: the seal, the header fixed before the first roll, the seeds, and a digest.

The digest covers the record's text. The check needs only the record, not the rules or the house.
``docs/solve/fair-dice.md`` has the recipe.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from pubdice.core.dice import MOST_SCORE_DIGITS, DieFaces
from pubdice.core.errors import BadNotation, Place
from pubdice.core.seal import (
    NO_SEED,
    Seal,
    SealedCup,
    bound_by_header,
    bound_by_seeds,
    digest_of,
    digest_of_seat,
    is_digest,
    is_seat_seed,
    read_seal,
)
from pubdice.match.header import BESIDE, DOTS, VERSION, check_known, is_letter, located, read_names
from pubdice.match.notation import Record, parse
from pubdice.text.emoji import without_emoji

_NAMES = ("seats", "first")
"""The keys of header lines that hold names. Only these lines can hold emoji."""
BOT = "bot:"
"""The beginning of a bot's entry in the ``players`` line: ``bot:tip``."""
PHONE, TYPED, AWAY = "phone", "typed", "away"
"""The entry of a person's seat in the ``players`` line. It says where the seed of the seat comes from.

- phone: the phone kept the seed until all digests were published.
- typed: a player typed it, so the house knew it earlier.
- away: the match began without a seed, because the player was absent or the phone did not open the seed in time.
"""

_CHECK = re.compile(r"^check: ([0-9a-f]{64})\n", re.MULTILINE)
_LINE = re.compile(r"([a-z]+): ([^ #\n](?:[^#\n]*[^ #\n])?)")
_PLAYED = re.compile("game,(?:[a-z]+,)*seats,format,(?:opener,)?first")
"""The keys of the header lines about the match, in order, joined by commas."""
_PLAYER = re.compile(rf"{PHONE}|{TYPED}|{AWAY}|{BOT}[a-z]{{1,40}}")
_NOTE = re.compile("round [1-9][0-9]{0,3}")
_SCORE = f" = [0-9]{{1,{MOST_SCORE_DIGITS}}}"
_WORDS = re.compile(rf"(?: (?:[1-6]{{1,64}}|[A-Za-z][!\"$-<>-~]{{0,63}}))+(?:{_SCORE})?|{_SCORE}")
"""The words of a turn in a record: rolls, actions in printable ASCII, and a score. Not #, which begins a comment."""
_OTHER_WORDS = re.compile(rf"(?: (?:[0-9A-Z][0-9A-Z.]{{0,255}}|[a-z][!\"$-<>-~]{{0,63}}))+(?:{_SCORE})?|{_SCORE}")
"""The words of a turn if the header names the die's faces (``DieFaces``).

Rolls are in capitals, actions in small letters.
"""
CAPITALS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The characters with which a roll can begin if the header names the faces."""
_ATTEMPT = re.compile("[1-9][0-9]{0,3}")
SEEDS = "\nseeds: "
"""The text between a fixed header and the seeds of the seats."""
_FIXED = ["seal", "players", "digests", "attempt"]
"""The last keys of a fixed header, in order. Once the seeds are opened, they come after these."""


@dataclass(frozen=True, slots=True)
class FixedHeader:
    """A header as the house fixed it before any phone opened its seed."""

    text: str
    seal: Seal
    names: tuple[str, ...]
    players: tuple[str, ...]  # by seat: ``phone``, ``typed``, ``away`` or a bot's entry
    digests: tuple[str, ...]  # by seat, the SHA-256 of the seat's seed in hex, or "-"
    # how often a header was fixed under this seal; earlier ones failed, as a player left before all seeds were open
    attempt: int

    @property
    def copied(self) -> bool:
        """True if a seat has the same digest as another seat's phone. One seed would count for two seats then."""
        phones = [digest for player, digest in zip(self.players, self.digests, strict=True) if player == PHONE]
        return any(self.digests.count(digest) > 1 for digest in phones)


def write_fixed(played: str, seal: Seal, players: Sequence[str], digests: Sequence[str], attempt: int) -> str:
    """Return the text of a fixed header. ``played`` has the header's lines about the game, the rules and the seats."""
    facts = [seal.write(), ", ".join(players), ", ".join(digests), str(attempt)]
    return "\n".join([played, *(f"{key}: {fact}" for key, fact in zip(_FIXED, facts, strict=True))])


def with_seeds(fixed: str, seeds: Sequence[str]) -> str:
    """Return the text of a fixed header with all opened seeds.

    The digest of this text is part of every roll's message.
    """
    return f"{fixed}{SEEDS}{', '.join(seeds)}"


def read_fixed(text: str) -> FixedHeader:
    """Return the facts of a fixed header without seeds. Raise BadNotation("sealed-header") for a malformed text."""
    fields = _fields(text, _FIXED)
    names, players, digests = (tuple(fields[key].split(", ")) for key in ("seats", "players", "digests"))
    try:
        seal = read_seal(fields["seal"])
    except BadNotation:
        raise BadNotation("sealed-header") from None
    sound = (
        seal.version > 1
        and len(names) == len(players) == len(digests)
        and all(map(_PLAYER.fullmatch, players))
        and _ATTEMPT.fullmatch(fields["attempt"])
        and all(
            digest == NO_SEED if player == AWAY or player.startswith(BOT) else is_digest(digest)
            for player, digest in zip(players, digests, strict=True)
        )
    )
    if not sound:
        raise BadNotation("sealed-header")
    return FixedHeader(text, seal, names, players, digests, int(fields["attempt"]))


def _fields(text: str, last: list[str]) -> dict[str, str]:
    """Return the fields of a header that is exactly as a house writes it.

    ``last`` has the keys that follow the lines about the match, in order. Raise BadNotation("sealed-header"), or
    "text-newer" for a character that this Python does not know.
    """
    check_known(text)
    first, *lines = text.split("\n")
    pairs = [(found[1], found[2]) for found in map(_LINE.fullmatch, lines) if found]
    fields, played = dict(pairs), [key for key, _ in pairs[: -len(last)]]
    sound = (
        first == VERSION
        and len(fields) == len(pairs) == len(lines)
        and [key for key, _ in pairs[-len(last) :]] == last
        and not set(BESIDE) & set(played)
        and _PLAYED.fullmatch(",".join(played))
        and all(_is_visible(without_emoji(value) if key in _NAMES else value) for key, value in fields.items())
        and _are_names(fields["seats"])
    )
    if not sound:
        raise BadNotation("sealed-header")
    return fields


def _is_visible(text: str) -> bool:
    """Return True if every character is visible. Most texts are ASCII, so the quick test for ASCII comes first.

    Letters of two scripts can look alike, such as the Latin and the Cyrillic A. This test allows them. A house refuses
    such a name when a player picks it (``room/nickname.py``).
    """
    plain = text.isascii() and text.isprintable()
    return plain or all(" " <= char <= "~" or char in DOTS or is_letter(char) for char in text)


def _are_names(text: str) -> bool:
    try:
        return ", ".join(read_names(text)) == text
    except BadNotation:
        return False


def extends(header: str, noted: str) -> bool:
    """Return True if ``header`` is the header that a phone noted, or that header with its seeds."""
    return header == noted or header.startswith(f"{noted}{SEEDS}")


def contradicts(header: str, noted: str) -> bool:
    """Return True if an honest house cannot have fixed both ``header`` and the noted header under the same seal.

    If the noted header has seeds, any other header contradicts it. If it has none, a header of a later attempt is
    possible, but any other of the same attempt or an earlier one contradicts it.
    """
    if not noted or extends(header, noted) or extends(noted, header):
        return False
    before, begun, _ = noted.partition(SEEDS)
    try:
        return bool(begun) or read_fixed(header.partition(SEEDS)[0]).attempt <= read_fixed(before).attempt
    except BadNotation:
        return True


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof of sealed dice in a record's header."""

    seal: Seal
    names: tuple[str, ...]  # by seat
    seeds: tuple[str, ...]  # by seat
    seed: str = ""  # the house's seed in hex; "" until it is opened
    fixed: FixedHeader | None = None  # None in version 1, which fixed no header

    @property
    def header(self) -> str:
        """The text of the header with seeds, which determines every roll. In version 1, ""."""
        return with_seeds(self.fixed.text, self.seeds) if self.fixed else ""

    @property
    def bound(self) -> str:
        """The fixed part of the messages whose HMACs become this match's rolls (``core.seal``)."""
        return bound_by_header(self.header) if self.fixed else bound_by_seeds(self.seal.table, self.seeds)

    @property
    def unseeded(self) -> tuple[str, ...]:
        """The names of the seats that have no seed."""
        return tuple([name for name, seed in zip(self.names, self.seeds, strict=True) if seed == NO_SEED])

    @property
    def others(self) -> tuple[str, ...]:
        """The names of the seats whose seed does not match the digest. Empty in version 1, which has no digests."""
        digests = self.fixed.digests if self.fixed else ()
        seats = zip(self.names, self.seeds, digests, strict=False)
        return tuple([name for name, seed, digest in seats if seed != NO_SEED and digest_of_seat(seed) != digest])

    def played(self, *players: str) -> tuple[str, ...]:
        """Return the names of the seats whose entry in the ``players`` line is one of these. Empty in version 1."""
        how = self.fixed.players if self.fixed else ()
        return tuple([name for name, player in zip(self.names, how, strict=False) if player in players])


def with_proof(text: str, proof: Proof | None) -> str:
    """Add the proof to a record's header, and the digest of the whole text.

    If ``proof`` is None, the text is unchanged.
    """
    if proof is None:
        return text
    played, _, body = text.partition("\n\n")
    header = proof.header or f"{played}\nseal: {proof.seal.write()}\nseeds: {', '.join(proof.seeds)}"
    if proof.seed:
        header += f"\nseed: {proof.seed}"
    return f"{header}\ncheck: {text_digest(f'{header}{chr(10) * 2}{body}')}\n\n{body}"


def text_digest(text: str) -> str:
    """Return the SHA-256 of a record's text, in hex. Its ``check`` line and trailing line ends do not count."""
    return sha256(_CHECK.sub("", _plain(text), count=1).rstrip("\n").encode()).hexdigest()


def _plain(text: str) -> str:
    """Return the text with line feeds as line ends, and without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


DiceFault = Literal["unsealed", "changed", "shape", "unopened", "other-seed", "seat-seed", "draw", "roll"]
"""The faults that a check of sealed dice can find:

- unsealed: the record has no seal.
- changed: the text of the record was changed.
- shape: no house writes a proof in this form.
- unopened: the house has not opened its seal.
- other-seed: the house's seed does not match the seal.
- seat-seed: a seat's seed does not match its digest.
- draw, roll: the draw or a roll does not follow from the seeds.
"""


@dataclass(frozen=True, slots=True)
class DiceCheck:
    """The verdict on the dice of a record."""

    proof: Proof | None
    rolls: int  # the number of rolls compared, including a wrong one
    fault: DiceFault | None = None  # None if the dice are the sealed ones
    place: Place | None = None  # the place of the fault in the text
    expected: str = ""  # the right roll or draw, or the seat with the wrong seed


def proof_in(record: Record, text: str) -> Proof | None:
    """Return the proof in the header of ``record``. ``text`` is the text of the record. None if it has no seal.

    Raise BadNotation with the place: "seal" for a malformed seal, "house-seed" for a malformed house's seed,
    "text-newer" for a character that this Python does not know, "sealed-header" for anything else that no house writes.
    """
    fields, places = record.header.fields, record.header.places
    if "seal" not in fields:
        return None
    with located(record.header, "seal"):
        seal = read_seal(fields["seal"])
    seed, seeds = fields.get("seed", ""), tuple(fields.get("seeds", "").split(", "))
    if seed and not is_digest(seed):
        raise BadNotation("house-seed", places["seed"])
    plain = _plain(text)
    head, _, body = _CHECK.sub("", plain, count=1).partition("\n\n")
    played = head.removesuffix(with_seeds("", seeds) + (f"\nseed: {seed}" if seed else ""))
    with located(record.header, "seeds" if "seeds" in fields else "seal"):
        if seal.version == 1:
            fixed, names = None, tuple(_fields(played, ["seal"])["seats"].split(", "))
            sound = True
        else:
            fixed = read_fixed(played)
            names = fixed.names
            told = [each == NO_SEED for each in fixed.digests]
            sound = not fixed.copied and [each == NO_SEED for each in seeds] == told
        sound = sound and plain.startswith(f"{head}\ncheck: ") and _is_body(body, names, record.header.die)
        if not sound or len(seeds) != len(names) or not all(each == NO_SEED or is_seat_seed(each) for each in seeds):
            raise BadNotation("sealed-header")
    return Proof(seal, names, seeds, seed, fixed)


def _is_body(text: str, names: Sequence[str], die: DieFaces) -> bool:
    """Return True if a record's body has only lines that a house writes.

    In any other line, a reader could overlook a roll.

    The body must begin with a draw or a round, because a turn before them would be read as a line of the header.
    """
    body = text.rstrip("\n")
    lines = body.split("\n") if body else []
    draws = {f"draw {name}" for name in names}
    notes = [line in draws or _NOTE.fullmatch(line) is not None for line in lines]
    return notes[:1] != [False] and all(
        note or _is_turn(line, names, die) for line, note in zip(lines, notes, strict=True)
    )


def _is_turn(line: str, names: Sequence[str], die: DieFaces) -> bool:
    name, colon, words = line.partition(":")
    if not colon or name not in names:
        return False
    if die.is_usual:
        return _WORDS.fullmatch(words) is not None
    if _OTHER_WORDS.fullmatch(words) is None:
        return False
    return all(word[:1] not in CAPITALS or die.read(word) for word in words.partition(" = ")[0].split())


def check_dice(text: str, above: int = 0) -> DiceCheck:
    """Compare a record's dice with the sealed ones, and its text with the house's digest.

    ``above`` is the number of lines before the record in its file. Raise BadNotation for a text that is not a record,
    and for a malformed seal or house's seed.
    """
    record = parse(text, above)
    try:
        proof, place = proof_in(record, text), None
    except BadNotation as error:
        if error.code != "sealed-header":
            raise
        proof, place = None, error.place
    if proof is None and place is None:
        return DiceCheck(None, 0, "unsealed")
    found = _CHECK.search(_plain(text))
    if found is None or found[1] != text_digest(text):
        return DiceCheck(proof, 0, "changed")
    if proof is None:
        return DiceCheck(None, 0, "shape", place)
    if not proof.seed:
        return DiceCheck(proof, 0, "unopened")
    if digest_of(proof.seed) != proof.seal.digest:
        return DiceCheck(proof, 0, "other-seed", record.header.places["seed"])
    if proof.others:
        return DiceCheck(proof, 0, "seat-seed", record.header.places["seeds"], proof.others[0])
    return _compare(record, proof)


def _compare(record: Record, proof: Proof) -> DiceCheck:
    number = 0
    for kind, place, expected, fits in _compared(record, proof):
        number += kind == "roll"
        if not fits:
            return DiceCheck(proof, number, kind, place, expected)
    return DiceCheck(proof, number, None if number else "shape")


def _compared(record: Record, proof: Proof) -> Iterator[tuple[Literal["draw", "roll"], Place, str, bool]]:
    """Yield the draw and each roll of a record, as (kind, place, right value, True if the record has it)."""
    number, bound, die = 0, proof.bound, record.header.die
    for token in record.tokens:
        cup = SealedCup(proof.seed, bound, number + 1)
        if token.kind == "draw":
            name = proof.names[cup.draw(len(proof.names), 0)]
            yield "draw", token.place, name, token.text == name
        elif token.kind == "roll":
            number += 1
            expected = die.write(cup.roll(len(die.read(token.text) or ()), 0, die.sides))
            yield "roll", token.place, expected, token.text == expected
