"""Sealed dice at a table, in order: the seal, the digests of the seats' seeds, the fixed header, the opened seeds."""

from collections.abc import Sequence
from dataclasses import replace

from pubdice.core.seal import NO_SEED, Seals, bound_by_header, bound_by_seeds, digest_of_seat, read_seal
from pubdice.match.header import Header
from pubdice.match.sealed_record import AWAY, BOT, PHONE, TYPED, Proof, read_fixed, with_seeds, write_fixed
from pubdice.room.setup import Setup
from pubdice.room.state import Chair, RoomState

MOST_PASSED = 2
"""The most times that a phone can be passed over, at a minute each. After that the match never waits for it.

A person who leaves while seeds are being opened counts as passed over. After this many abandoned headers, the match
does not wait for a new person or phone either, because it can be the same person without a cookie.
"""


def sealed(setup: Setup, seals: Seals) -> Setup:
    """Return the setup with a seal, if its dice are sealed. Raise Refused("no-seals") if the house cannot seal.

    An existing seal stays, because seats may have added seeds to it.
    """
    return replace(setup, seal=seals.first().write()) if setup.dice == "sealed" and not setup.seal else setup


def commits(setup: Setup) -> bool:
    """Return True if phones first commit to digests: with sealed dice, except at tables set up by version 1."""
    return setup.dice == "sealed" and read_seal(setup.seal).version > 1


def unseeded(state: RoomState, seats: Sequence[int]) -> list[int]:
    """Return the seats among these whose people can still commit to a digest or type a seed. Empty with other dice."""
    if state.setup.dice != "sealed":
        return []
    chairs = state.chairs
    without = [seat for seat in seats if chairs[seat].people and not (chairs[seat].seed or _has_digest(chairs[seat]))]
    return [seat for seat in without if not opens_none(state, seat)]


def opens_none(state: RoomState, seat: int) -> bool:
    """Return True if every phone of a seat was passed over ``MOST_PASSED`` times. The seat then adds no seed here."""
    times = [person for person, _ in state.passed_over]
    return all(times.count(person) >= MOST_PASSED for person in state.chairs[seat].people)


def unopened(state: RoomState) -> list[int]:
    """Return the seats whose phones have committed to a digest but not opened the seed. Empty with other dice."""
    if state.setup.dice != "sealed":
        return []
    return [seat for seat, chair in enumerate(state.chairs) if _has_digest(chair) and not chair.seed]


def _has_digest(chair: Chair) -> bool:
    return chair.digest not in ("", NO_SEED)


def players(state: RoomState) -> list[str]:
    """Return the origins of the seats' seeds, as in a fixed header. "" stands for a person who has not added a seed."""
    return [_player(chair) for chair in state.chairs]


def _player(chair: Chair) -> str:
    if chair.bot:
        return f"{BOT}{chair.bot}"
    if chair.digest:
        return AWAY if chair.digest == NO_SEED else PHONE
    return TYPED if chair.seed else ""


def fixed_digests(state: RoomState) -> list[str]:
    """Return the digests of the seats' seeds, by seat. If a person typed the seed, the house computes its digest."""
    return [chair.digest or (digest_of_seat(chair.seed) if chair.seed else NO_SEED) for chair in state.chairs]


def fixed_header(state: RoomState, header: Header) -> str:
    """Return the text of the header to fix now. ``header`` is the header of the match."""
    seal, digests = read_seal(state.setup.seal), fixed_digests(state)
    return write_fixed(header.write(), seal, players(state), digests, state.attempts + 1)


def seeds_and_bound(state: RoomState) -> tuple[tuple[str, ...], str]:
    """Return the seeds of a match that begins, by seat, and the part of each roll's message that stays the same.

    With other dice, both are empty.
    """
    if state.setup.dice != "sealed":
        return (), ""
    seeds = tuple([chair.seed or NO_SEED for chair in state.chairs])
    if commits(state.setup):
        return seeds, bound_by_header(with_seeds(state.fixed, seeds))
    return seeds, bound_by_seeds(read_seal(state.setup.seal).table, seeds)


def loosened(state: RoomState) -> tuple[Chair, ...]:
    """Return the chairs after a fixed header was abandoned. Phones must commit to new seeds, as the old may be known.

    If a seat was passed over, it stays so, and the match does not wait for it.
    """
    return tuple([replace(chair, digest="", seed="") if _has_digest(chair) else chair for chair in state.chairs])


def proof_of(state: RoomState) -> Proof | None:
    """Return the proof of sealed dice for the record, opened or not. None with other dice, or before the match."""
    if state.setup.dice != "sealed" or state.match is None:
        return None
    fixed = read_fixed(state.fixed) if state.fixed else None
    names = fixed.names if fixed else state.names
    return Proof(read_seal(state.setup.seal), names, state.seeds, state.house_seed, fixed)
