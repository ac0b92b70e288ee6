"""Proof of a record's sealed dice: the seal, the header fixed before the first roll, the seeds, a digest of the text.

The check needs the record alone, without the rules or the house. ``docs/solve/fair-dice.md`` has the recipe.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from pubdice.core.dice import DieFaces
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
"""Header lines that hold names, so they can hold emoji."""
BOT = "bot:"
"""The prefix of a bot's seat in the ``players`` line: ``bot:tip``."""
PHONE, TYPED, AWAY = "phone", "typed", "away"
"""The origins of the seed of a person's seat:

- phone: the phone kept the seed until all digests were published.
- typed: a player typed it, so the house knew it earlier.
- away: the match began without a seed, as the player was absent or the phone did not open the seed in time.
"""

_CHECK = re.compile(r"^check: ([0-9a-f]{64})\n", re.MULTILINE)
_LINE = re.compile(r"([a-z]+): ([^ #\n](?:[^#\n]*[^ #\n])?)")
_PLAYED = re.compile("game,(?:[a-z]+,)*seats,format,(?:opener,)?first")
"""The keys of the lines about the match, in order."""
_PLAYER = re.compile(rf"{PHONE}|{TYPED}|{AWAY}|{BOT}[a-z]{{1,40}}")
_NOTE = re.compile("round [1-9][0-9]{0,3}")
_WORDS = re.compile(r"(?: (?:[1-6]{1,64}|[A-Za-z][!\"$-<>-~]{0,63}))+(?: = [0-9]{1,9})?| = [0-9]{1,9}")
"""The words of a turn in a record: rolls, actions in printable ASCII, and a score. A # would begin a comment."""
_OTHER_WORDS = re.compile(r"(?: (?:[0-9A-Z][0-9A-Z.]{0,255}|[a-z][!\"$-<>-~]{0,63}))+(?: = [0-9]{1,9})?| = [0-9]{1,9}")
"""The same if the header names the die (``DieFaces``): rolls in capital letters, actions in small ones."""
CAPITALS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The first characters of rolls if the header names the faces."""
_ATTEMPT = re.compile("[1-9][0-9]{0,3}")
SEEDS = "\nseeds: "
"""Separates a fixed header from the seats' seeds."""
_FIXED = ["seal", "players", "digests", "attempt"]
"""The last keys of a fixed header, in order. When the seeds are opened, they follow."""


@dataclass(frozen=True, slots=True)
class FixedHeader:
    """A header as fixed before any phone opens its seed."""

    text: str
    seal: Seal
    names: tuple[str, ...]
    players: tuple[str, ...]  # by seat: ``phone``, ``typed``, ``away`` or a bot's word
    digests: tuple[str, ...]  # by seat: the SHA-256 of its seed in hex, or "-"
    # the times a header was fixed under this seal; each earlier one ended as a player left before all seeds were open
    attempt: int

    @property
    def copied(self) -> bool:
        """True if a seat has the digest of another seat's phone. Then one seed would count for two seats."""
        phones = [digest for player, digest in zip(self.players, self.digests, strict=True) if player == PHONE]
        return any(self.digests.count(digest) > 1 for digest in phones)


def write_fixed(played: str, seal: Seal, players: Sequence[str], digests: Sequence[str], attempt: int) -> str:
    """The text of a fixed header. ``played`` has the header's lines about the game, the rules and the seats."""
    facts = [seal.write(), ", ".join(players), ", ".join(digests), str(attempt)]
    return "\n".join([played, *(f"{key}: {fact}" for key, fact in zip(_FIXED, facts, strict=True))])


def with_seeds(fixed: str, seeds: Sequence[str]) -> str:
    """The text of a fixed header and all opened seeds. The message of every roll contains its digest."""
    return f"{fixed}{SEEDS}{', '.join(seeds)}"


def read_fixed(text: str) -> FixedHeader:
    """The facts of a fixed header without seeds. Raises BadNotation("sealed-header") for a malformed text."""
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
    """The fields of a header as a house writes it. ``last`` has the keys that follow the match's own, in order.

    Raises BadNotation("sealed-header"), or "text-newer" for a character that this Python does not know.
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
    """True if every character is visible. Most texts are ASCII, so that test comes first.

    Letters of two scripts can look alike, as Latin and Cyrillic A do. Only a house refuses such names, when a player
    picks one (``room/nickname.py``).
    """
    plain = text.isascii() and text.isprintable()
    return plain or all(" " <= char <= "~" or char in DOTS or is_letter(char) for char in text)


def _are_names(text: str) -> bool:
    try:
        return ", ".join(read_names(text)) == text
    except BadNotation:
        return False


def extends(header: str, noted: str) -> bool:
    """True if ``header`` is the noted header, or the noted header with its seeds."""
    return header == noted or header.startswith(f"{noted}{SEEDS}")


def contradicts(header: str, noted: str) -> bool:
    """True if an honest house cannot have fixed ``header`` as well as the header noted under the same seal.

    After a header with seeds, any other header contradicts it. After one without, only a header with the same attempt
    or an earlier one does.
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
    """The proof in a record's header."""

    seal: Seal
    names: tuple[str, ...]  # by seat
    seeds: tuple[str, ...]  # by seat
    seed: str = ""  # the house's seed in hex; "" until it is opened
    fixed: FixedHeader | None = None  # None in version 1, which fixed no header

    @property
    def header(self) -> str:
        """The text of the header that determines every roll. "" in version 1."""
        return with_seeds(self.fixed.text, self.seeds) if self.fixed else ""

    @property
    def bound(self) -> str:
        """The match's part of each roll's message."""
        return bound_by_header(self.header) if self.fixed else bound_by_seeds(self.seal.table, self.seeds)

    @property
    def unseeded(self) -> tuple[str, ...]:
        """The names of the seats without a seed."""
        return tuple([name for name, seed in zip(self.names, self.seeds, strict=True) if seed == NO_SEED])

    @property
    def others(self) -> tuple[str, ...]:
        """The names of the seats whose seed does not match their digest. Empty in version 1, which has no digests."""
        digests = self.fixed.digests if self.fixed else ()
        seats = zip(self.names, self.seeds, digests, strict=False)
        return tuple([name for name, seed, digest in seats if seed != NO_SEED and digest_of_seat(seed) != digest])

    def played(self, *players: str) -> tuple[str, ...]:
        """The names of the seats whose entry in ``players`` is one of these. Empty in version 1."""
        how = self.fixed.players if self.fixed else ()
        return tuple([name for name, player in zip(self.names, how, strict=False) if player in players])


def with_proof(text: str, proof: Proof | None) -> str:
    """A record with its proof in the header and the digest of the whole text. Unchanged if ``proof`` is None."""
    if proof is None:
        return text
    played, _, body = text.partition("\n\n")
    header = proof.header or f"{played}\nseal: {proof.seal.write()}\nseeds: {', '.join(proof.seeds)}"
    if proof.seed:
        header += f"\nseed: {proof.seed}"
    return f"{header}\ncheck: {text_digest(f'{header}{chr(10) * 2}{body}')}\n\n{body}"


def text_digest(text: str) -> str:
    """The SHA-256 of a record's text without its ``check`` line and trailing line ends, in hex."""
    return sha256(_CHECK.sub("", _plain(text), count=1).rstrip("\n").encode()).hexdigest()


def _plain(text: str) -> str:
    """A text with line feeds at its line ends, and without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


DiceFault = Literal["unsealed", "changed", "shape", "unopened", "other-seed", "seat-seed", "draw", "roll"]
"""The faults that a check can find:

- unsealed: the record has no seal.
- changed: its text was changed.
- shape: no house writes such a proof.
- unopened: the house has not opened its seal.
- other-seed: the house's seed does not match the seal.
- seat-seed: a seat's seed does not match its digest.
- draw, roll: the draw or a roll does not follow from the seeds.
"""


@dataclass(frozen=True, slots=True)
class DiceCheck:
    """A verdict on a record."""

    proof: Proof | None
    rolls: int  # the rolls compared, the wrong one included
    fault: DiceFault | None = None  # None if the dice are the sealed ones
    place: Place | None = None  # of the fault in the text
    expected: str = ""  # the right roll or draw, or the seat with the wrong seed


def proof_in(record: Record, text: str) -> Proof | None:
    """The proof in the header of ``record``, whose text is ``text``. None without a seal.

    Raises BadNotation with the place: "seal" or "house-seed" for a malformed one, "text-newer" for a character that
    this Python does not know, "sealed-header" for anything else that no house writes.
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
    """True if a record's body has only lines that a house writes. Otherwise a reader could overlook a roll.

    It must begin with a draw or a round, as a turn before them would be a line of the header.
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
    """Compares a record's dice with the sealed ones, and its text with the house's digest.

    ``above`` counts the lines before it in its file. Raises BadNotation for a text that is not a record, and for a
    malformed seal or house's seed.
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
    """The draw and each roll of a record, as (kind, place, right value, True if the record has it)."""
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
