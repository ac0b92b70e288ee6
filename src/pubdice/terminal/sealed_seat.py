"""A seat with sealed dice that is played from the terminal: the phone's part of the protocol, and the device's notes.

The device makes a seed and first sends the digest of it. Then the house shows the header of the match, which holds all
digests. The device notes the header, and then opens its seed. ``static/seal.js`` follows the same rules, and
``tests/support/seat_cases.py`` has test cases for both modules. The device notes a header and opens a seed only if
three things are true.

- The header has the table's seal, and at this seat it has a digest of a seed from this device.
- The device has opened this seed for no other header.
- No match has begun under this seal, and the device has noted no other header with as many attempts or more.
"""

import secrets
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, Literal

from pubdice.core.errors import BadNotation
from pubdice.core.seal import NO_SEED, digest_of_seat
from pubdice.match.sealed_record import AWAY, PHONE, SEEDS, FixedHeader, Proof, contradicts, extends, read_fixed
from pubdice.terminal import sentences as own
from pubdice.terminal.console import Console
from pubdice.terminal.web_client import HouseError, WebTable, read_object, replace_object
from pubdice.text.language import Language, printable

OTHER_HEADER = (
    "The house now says something different about the seeds than this device said or noted, so this device opens no"
    " seed. Don't play for anything here."
)
WITHOUT_YOU = (
    "This match is played without a seed of {names}. If this device was here and awake when it began, don't play for"
    " anything here."
)
NEWER_HEADER = "A name at this table has a sign that this device does not know yet, so it opens no seed."
OLD_SEAL = "This table seals its dice in an older way. Type a seed on its page in a browser."
MOST_SEALS = 1_000
"""The most seals in the notes. If there are more, the oldest are dropped. A note about eight seats takes about 2 KB."""
UNREADABLE = "This device can't read its notes in {file}, so it can't say if one of them is about this match."
Compared = Literal["noted", "not-noted", "unreadable", "untold", "away", "no-seed", "differs"]
"""The verdict when a record is compared with this device's notes.

- "noted": the note and the record agree.
- "not-noted": no note is about this match.
- "unreadable": no readable note is about this match, but some notes can't be read.
- "untold": the record lacks this device's seed, and the house never showed its digest.
- "away": the record lacks this device's seed, and says that the seat was away.
- "no-seed": the record lacks this device's seed for any other reason.
- "differs": the note contradicts the record."""


class SealNotes:
    """The notes of a device. For each seal: the table, the device's own seeds by digest, and the fixed header.

    The keys of a note:

    - "at": the table's address.
    - "own": for each digest, "seed", "name" (of the seat, missing in older notes), "told" (True once the house has
      shown the digest) and "opened" (the header for which the seed was opened, or "").
    - "header": the fixed header as noted, or "".
    - "ended": True if this device saw the end of the match. It is there once a seed was opened. Older notes lack it.

    ``tokens`` is the file of the session cookies. The file of the notes is in the same folder.
    """

    def __init__(self, tokens: Path | None) -> None:
        self._file = tokens.with_name("seals-seen.json") if tokens else None
        self._known = self._read()
        self._index()

    def _index(self) -> None:
        """Index all tables and own digests, because every record in a file is looked up in them."""
        self._tables = {seal.split(" ")[-2] for seal in self._known if " " in seal}
        self._own = {digest for note in self._known.values() for digest in note["own"]}

    def _read(self) -> dict[str, dict[str, Any]]:
        read = read_object(self._file)
        notes = {seal: note for seal, note in (read or {}).items() if _is_note(note)}
        self._is_damaged = read is None or len(notes) < len(read)
        return notes

    @property
    def damaged(self) -> Path | None:
        """A file of notes that can't be read: the current file, or one that was put aside. None if there is none."""
        if self._file is None or self._is_damaged:
            return self._file
        return next(iter(sorted(self._file.parent.glob(f"{self._file.stem}.damaged-*.json"))), None)

    def _put_aside(self) -> None:
        """Rename an unreadable file of notes, because its owner may be able to repair it. Raises OSError."""
        if self._file and self._is_damaged:
            names = (self._file.with_suffix(f".damaged-{number}.json") for number in count(1))
            self._file.replace(next(file for file in names if not file.exists()))
            self._is_damaged = False

    def of(self, seal: str) -> dict[str, Any] | None:
        """Return the note about a seal. Return None if this device added no seed under it."""
        return self._known.get(seal)

    def other(self, seal: str, at: str) -> bool:
        """Return True if this device has a note about another seal at this table."""
        return any(note["at"] == at and name != seal for name, note in self._known.items())

    def keep(self, seal: str, note: dict[str, Any]) -> None:
        """Save a note. Notes that other processes have saved since are kept. An unreadable file is put aside first."""
        known = {**self._known, **self._read()} if self._file else self._known
        known.pop(seal, None)
        self._known = {**dict(list(known.items())[1 - MOST_SEALS :]), seal: note}
        self._index()
        with suppress(OSError):
            self._put_aside()
            replace_object(self._file, self._known)

    def end(self, seal: str) -> None:
        """Note that the match under a seal has ended. Either the house opened the seal, or the whole record was
        checked.
        """
        note = self.of(seal)
        if note and note.get("ended") is False:
            self.keep(seal, {**note, "ended": True})

    def unended(self) -> list[str]:
        """Return the tables at which this device opened a seed but never saw the end of the match. The latest is
        last.
        """
        return [str(note["at"]) for note in self._known.values() if note.get("ended") is False]

    def compared(self, proof: Proof) -> tuple[Compared, tuple[str, ...]]:
        """Compare a record with the notes. Returns the verdict and names of seats.

        They are the seats with this device's seeds, or for the verdict "away" this device's seats that the record calls
        away.
        """
        digests = proof.fixed.digests if proof.fixed else tuple(map(digest_of_seat, proof.seeds))
        note = self.of(proof.seal.write())
        if note is None:
            if proof.seal.table in self._tables or not self._own.isdisjoint(digests):
                return "differs", ()
            return "unreadable" if self.damaged else "not-noted", ()
        own, seats = note["own"], zip(proof.names, digests, strict=False)
        found = [(name, own[digest]) for name, digest in seats if digest in own]
        # the seeds of an earlier attempt are public, so another seat may have copied this device's seed
        mine = tuple([name for name, seed in found if not seed["opened"] or extends(proof.header, seed["opened"])])
        if not found and contradicts(proof.header, note["header"]):
            return "differs", ()
        if not found:
            return _missed(note, proof)
        return "noted" if mine and note["header"] and extends(proof.header, note["header"]) else "differs", mine


def _missed(note: dict[str, Any], proof: Proof) -> tuple[Compared, tuple[str, ...]]:
    """Return the reason why a record lacks this device's seed, and this device's seats that the record calls away."""
    added = [each for each in note["own"].values() if each["told"] or each["opened"]]
    if not added:
        return "untold", ()
    # None stands for any seat
    seats = {each.get("name") if each.get("name") in proof.names else None for each in added}
    away = tuple([name for name in proof.played(AWAY) if seats & {name, None}])
    return ("away", away) if away and seats <= {*away, None} else ("no-seed", ())


def _is_note(note: object) -> bool:
    if not isinstance(note, dict) or not isinstance(note.get("header"), str) or not isinstance(note.get("at"), str):
        return False
    kept = note.get("own")
    return isinstance(kept, dict) and all(
        isinstance(each, dict)
        and {"seed", "told", "opened"} <= set(each)
        and isinstance(each.get("name", ""), str)
        and str(each["seed"]).isascii()
        and digest_of_seat(str(each["seed"])) == digest
        for digest, each in kept.items()
    )


class SealedSeat:
    """A seat with sealed dice, at a table on the web."""

    def __init__(self, table: WebTable, line: Console, language: Language, notes: SealNotes) -> None:
        self._table, self._line, self._language, self._notes = table, line, language, notes
        self._said = set[str]()

    def take_in(self, shown: dict[str, Any], seat: int, name: str = "") -> None:
        """Do the next step of the protocol, for the seal in a view of the table. ``name`` is the name of the seat."""
        seal, header = shown.get("seal", ""), shown.get("header", "")
        if self._notes.other(seal, self._at):
            self._say_once(self._language.say(OTHER_HEADER))
        elif not seal.startswith("2 "):
            if seat in shown["unseeded"]:
                self._say_once(self._language.say(OLD_SEAL))
        elif header:
            self._take_header(seal, header, seat, opens=seat in shown.get("unopened", []))
        else:
            self._take_digest(seal, shown.get("digests", []), seat)
            if seat in shown["unseeded"]:
                self._add_seed(seal, shown["words"], name, shown.get("digests", []))

    def end(self, seal: str) -> None:
        """Note that this device saw the match under a seal end, as a player or as a spectator."""
        self._notes.end(seal)

    @property
    def _at(self) -> str:
        return f"{self._table.house}{self._table.path}"

    def _add_seed(self, seal: str, words: list[str], name: str, digests: list[str]) -> None:
        """Send the digest of a seed of 128 random bits. It is a seed that is not opened yet, or else a new one.

        ``digests`` are the digests that the house shows. If a seed's digest is among them, another seat has copied it,
        and the house would refuse it. So that seed is not used.
        """
        note = self._notes.of(seal) or {"at": self._at, "own": {}, "header": ""}
        seeds = note["own"].items()  # in older notes, seeds have no name
        waits = [digest for digest, each in seeds if not each["opened"] and each.get("name", name) == name]
        waits = [digest for digest in waits if digest not in digests]
        if waits:
            digest = waits[-1]
        else:
            seed = secrets.token_hex(16)
            digest = digest_of_seat(seed)
            note["own"][digest] = {"seed": seed, "name": name, "told": False, "opened": ""}
            self._notes.keep(seal, note)
            self._line.say([own.sealed_as(self._language, printable(" ".join(words)))])
            self._line.say([own.own_seed(self._language, seed)])
        with suppress(HouseError):
            self._table.ask("seed", digest=digest)

    def _take_digest(self, seal: str, digests: list[str], seat: int) -> None:
        """Note that the house shows this device's digest at the seat."""
        note = self._notes.of(seal)
        mine = note["own"].get(digests[seat]) if note and seat < len(digests) else None
        if note and mine and not mine["told"]:
            mine["told"] = True
            self._notes.keep(seal, note)

    def _take_header(self, seal: str, header: str, seat: int, *, opens: bool) -> None:
        """Note a header. If ``opens``, open the seat's seed too. Both follow the rules at the head of this module.

        If the house breaks them, warn.
        """
        note = self._notes.of(seal)
        verdict = judged(note, seal, header, seat)
        if verdict == "warn":
            self._say_once(self._language.say(OTHER_HEADER))
        if verdict == "newer":
            self._say_once(self._language.say(NEWER_HEADER))
        text = header.partition(SEEDS)[0]
        if verdict == "away":
            self._say_once(self._language.say(WITHOUT_YOU, names=printable(read_fixed(text).names[seat])))
        if note is None or verdict not in ("note", "wait"):
            return
        mine = note["own"][read_fixed(text).digests[seat]]
        if verdict == "note":
            mine["opened"], note["header"], note["ended"] = text, header, False
            self._notes.keep(seal, note)
        if opens:
            with suppress(HouseError):
                self._table.ask("seed", seed=mine["seed"])

    def _say_once(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self._line.say([text])


def judged(
    note: dict[str, Any] | None, seal: str, header: str, seat: int
) -> Literal["note", "wait", "elsewhere", "away", "newer", "warn"]:
    """Judge a header that the house shows.

    - "note": it is valid and new.
    - "wait": it is noted already.
    - "elsewhere": the seed of this seat is on another device.
    - "away": it was fixed without this device's seed, because the seat was absent.
    - "newer": it has a character that is newer than this Python's Unicode.
    - "warn": it breaks the rules.
    """
    if note is None:
        return "elsewhere"
    text, opened, seeds = header.partition(SEEDS)
    try:
        fixed = read_fixed(text)
    except BadNotation as error:
        return "newer" if error.code == "text-newer" else "warn"
    if fixed.copied or fixed.seal.write() != seal or contradicts(header, note["header"]):
        return "warn"
    mine = note["own"].get(fixed.digests[seat]) if seat < len(fixed.digests) else None
    if mine is None:
        own = _own(note, fixed, seat)
        if own and fixed.players[seat : seat + 1] == (AWAY,):
            return "away"
        return "warn" if any(each["told"] and not each["opened"] for each in own) else "elsewhere"
    if extends(note["header"], header):
        return "wait"
    told = [each if each == NO_SEED else digest_of_seat(each) for each in seeds.split(", ")] if opened else None
    used = bool(mine["opened"]) and not extends(header, mine["opened"])
    other = told is not None and told != list(fixed.digests)
    return "warn" if fixed.players[seat] != PHONE or used or other else "note"


def _own(note: dict[str, Any], fixed: FixedHeader, seat: int) -> list[dict[str, Any]]:
    """Return the seeds in a note that belong to a seat. They have the seat's name, or fit no seat of the header."""
    name, others = dict(enumerate(fixed.names)).get(seat), {*fixed.names, *fixed.digests}
    own = note["own"].items()
    return [each for digest, each in own if each.get("name") == name or not {each.get("name"), digest} & others]
