"""Headers that a house may show to a seat with sealed dice, and the verdict of an honest device on each."""

from typing import Any, NamedTuple

from pubdice.core.seal import KeyedSeals, Seal, digest_of_seat
from pubdice.match.sealed_record import with_seeds, write_fixed

SEAL = Seal("03" * 8, 1, KeyedSeals(b"k" * 32, lambda size: b"\3" * size).first().digest)
FAR = Seal(SEAL.chain, 65, SEAL.digest)
PLAYED = "pubdice 1\ngame: midnight\nneed: 1 4\nseats: Ann, Bob\nformat: rounds 1\nopener: rotate\nfirst: Ann"
ANN, BOB, AGAIN = "annsseed", "bob0", "annsnewseed"
MINE, NEW, OTHER = digest_of_seat(ANN), digest_of_seat(AGAIN), "cd" * 32


def header(digest: str = MINE, *, attempt: int = 1, bob: str = BOB, under: Seal = SEAL, player: str = "phone") -> str:
    """A header that is fixed, with this digest at Ann's seat."""
    return write_fixed(PLAYED, under, [player, "phone"], [digest, digest_of_seat(bob)], attempt)


def note(
    *, told: bool = True, opened: str = "", noted: str = "", again: bool = False, name: str | None = "Ann"
) -> dict[str, Any]:
    """What Ann's device noted. again: it has told another digest since. name: None as in notes of before."""
    own: dict[str, Any] = {MINE: {"seed": ANN, "told": told, "opened": opened} | ({"name": name} if name else {})}
    if again:
        own[NEW] = {"seed": AGAIN, "name": "Ann", "told": True, "opened": ""}
    return {"at": "/t/ABCDEF", "own": own, "header": noted}


class SeatCase(NamedTuple):
    """A header that a house shows, the note of the device before, and the verdict."""

    what: str
    note: dict[str, Any] | None
    header: str
    verdict: str
    seal: str = SEAL.write()
    seat: int = 0


FIXED, OPENED = header(), with_seeds(header(), [ANN, BOB])
GONE = header("-", player="away")
ONCE = note(opened=FIXED, noted=FIXED)
TWICE = note(opened=FIXED, noted=FIXED, again=True)
SECOND = header(attempt=2)
OTHERS = with_seeds(header(digest_of_seat("other")), ["other", BOB])
NEXT = Seal(SEAL.chain, 2, SEAL.digest)
CASES = (
    SeatCase("its own digest", note(), FIXED, "note"),
    SeatCase("its own digest, not seen before", note(told=False), FIXED, "note"),
    SeatCase("the same once more", ONCE, FIXED, "wait"),
    SeatCase("the same with all seeds", ONCE, OPENED, "note"),
    SeatCase("an older view", note(opened=FIXED, noted=OPENED), FIXED, "wait"),
    SeatCase("no seed added here", None, FIXED, "elsewhere"),
    SeatCase("another device was first", note(told=False), header(OTHER), "elsewhere"),
    SeatCase("another digest for this seat", note(), header(OTHER), "warn"),
    SeatCase("that, and a note of before", note(name=None), header(OTHER), "warn"),
    SeatCase("that, and a seat that was called otherwise", note(name="Anna"), header(OTHER), "warn"),
    SeatCase("its own digest, and a note of before", note(name=None), FIXED, "note"),
    SeatCase("its digest at another seat", note(), write_fixed(PLAYED, SEAL, ["phone"] * 2, [OTHER, MINE], 1), "warn"),
    SeatCase("its digest at two seats", note(), write_fixed(PLAYED, SEAL, ["phone"] * 2, [MINE, MINE], 1), "warn"),
    SeatCase("a sign that no Unicode has yet", note(), FIXED.replace("Bob", "B\u0378b"), "newer"),
    SeatCase("another seat of this phone, whose own phone came", note(), FIXED, "elsewhere", seat=1),
    SeatCase("that, and a note of before about the other seat", note(name=None), FIXED, "elsewhere", seat=1),
    SeatCase("that, and the other seat was called otherwise", note(name="Anna"), FIXED, "elsewhere", seat=1),
    SeatCase("another digest for another seat of this phone", note(name="Bob"), header(OTHER), "warn", seat=1),
    SeatCase("a header without this seat", note(name="Cid"), header(OTHER), "warn", seat=2),
    SeatCase("that, with its digest at another, and a note of before", note(name=None), FIXED, "warn", seat=2),
    SeatCase("the seat told as typed", note(), header(player="typed"), "warn"),
    SeatCase("the seat told as a bot's", note(), header("-", player="bot:tip"), "warn"),
    SeatCase("the seat told as away", note(), GONE, "away"),
    SeatCase("that, and its digest was not seen before", note(told=False), GONE, "away"),
    SeatCase("the seat told as away, and a note of before", note(name=None), GONE, "away"),
    SeatCase("that, and all seeds", note(), with_seeds(GONE, ["-", BOB]), "away"),
    SeatCase("that, and no seed added here", None, GONE, "elsewhere"),
    SeatCase("another seat of this phone told as away", note(name="Bob"), GONE, "elsewhere"),
    SeatCase("away at a later attempt, after it opened its seed", ONCE, header("-", attempt=2, player="away"), "away"),
    SeatCase("another seal", note(), header(under=Seal(SEAL.chain, 2, SEAL.digest)), "warn"),
    SeatCase("another seed of the house", note(), header(under=Seal(SEAL.chain, 1, "ab" * 32)), "warn"),
    SeatCase("no header at all", note(), "rubbish", "warn"),
    SeatCase("a digest too many", note(), header(f"{MINE}, {MINE}"), "warn"),
    SeatCase("another seed of Bob's after it opened its own", ONCE, header(bob="liked"), "warn"),
    SeatCase("seeds told twice", ONCE, f"{OPENED}\nseeds: {ANN}, liked", "warn"),
    SeatCase("seeds that are none", ONCE, f"{FIXED}\nseeds: ", "warn"),
    SeatCase("a number that no chain has", note(), header(under=FAR), "warn", FAR.write()),
    SeatCase("a comment behind a line", note(), FIXED.replace("rounds 1", "rounds 1 # rounds 9"), "warn"),
    SeatCase("a name with a sign nobody sees", note(), FIXED.replace("Bob", "B\u200bob"), "warn"),
    SeatCase("two names alike", note(), FIXED.replace("Bob", "ANN"), "warn"),
    SeatCase(
        "lines in another order",
        note(),
        FIXED.replace("need: 1 4\n", "").replace("form", "need: 1 4\nform"),
        "warn",
    ),
    SeatCase("a sign from right to left", note(), FIXED.replace("rounds 1", "rounds 1\u202e"), "warn"),
    SeatCase("that with all seeds", ONCE, with_seeds(header(bob="liked"), [ANN, "liked"]), "warn"),
    SeatCase("seeds that are not those of the digests", ONCE, with_seeds(FIXED, [ANN, "liked"]), "warn"),
    SeatCase("a later attempt with the seed that is open", ONCE, header(attempt=2, bob="liked"), "warn"),
    SeatCase("a later attempt with its new seed", TWICE, header(NEW, attempt=2), "note"),
    SeatCase("a later attempt without its new seed", TWICE, header(OTHER, attempt=2), "warn"),
    SeatCase("a later attempt of others", ONCE, header(OTHER, attempt=2), "elsewhere"),
    SeatCase("another header of this attempt, for another device of the seat", ONCE, header(OTHER), "warn"),
    SeatCase("one without this seat", ONCE, header("-", player="away"), "warn"),
    SeatCase("one in which the seat typed", ONCE, header(OTHER, player="typed"), "warn"),
    SeatCase("one of an attempt less", note(opened=SECOND, noted=SECOND), header(OTHER), "warn"),
    SeatCase("another header in a match", note(opened=FIXED, noted=OPENED), header(OTHER, attempt=2), "warn"),
    SeatCase("another match under its seal", note(opened=FIXED, noted=OPENED), OTHERS, "warn"),
    SeatCase("another seal, and no digest of its own", ONCE, header(OTHER, attempt=2, under=NEXT), "warn"),
    SeatCase("an attempt less, and a new seed", note(opened=SECOND, noted=SECOND, again=True), header(NEW), "warn"),
    SeatCase("an attempt in a match", note(opened=FIXED, noted=OPENED, again=True), header(NEW, attempt=9), "warn"),
)
