"""Sealed dice at a table, in order: the seal, the digests of the seats' seeds, the fixed header, the opened seeds."""

from collections.abc import Sequence
from dataclasses import replace

from pubdice.core.seal import NO_SEED, Seals, bound_by_header, bound_by_seeds, digest_of_seat, read_seal
from pubdice.match.header import Header
from pubdice.match.sealed_record import AWAY, BOT, PHONE, TYPED, Proof, read_fixed, with_seeds, write_fixed
from pubdice.room.setup import Setup
from pubdice.room.state import Chair, RoomState

MOST_PASSED = 2
"""The times that a phone can be passed over, a minute each. Then the match never waits for it again.

A person who leaves while seeds are being opened counts as passed over. After this many abandoned headers, the match
does not wait for a new person or phone either, as it can be the same person without a cookie.
"""


def sealed(setup: Setup, seals: Seals) -> Setup:
    """The setup with a seal, if its dice are sealed. An existing seal stays, as seats may have added seeds to it.

    Raises Refused("no-seals").
    """
    return replace(setup, seal=seals.first().write()) if setup.dice == "sealed" and not setup.seal else setup


def commits(setup: Setup) -> bool:
    """True if phones commit to digests first: with sealed dice, except at tables set up by version 1."""
    return setup.dice == "sealed" and read_seal(setup.seal).version > 1


def unseeded(state: RoomState, seats: Sequence[int]) -> list[int]:
    """The seats among these whose people can still commit to a digest or type a seed. Empty with other dice."""
    if state.setup.dice != "sealed":
        return []
    chairs = state.chairs
    without = [seat for seat in seats if chairs[seat].people and not (chairs[seat].seed or _has_digest(chairs[seat]))]
    return [seat for seat in without if not opens_none(state, seat)]


def opens_none(state: RoomState, seat: int) -> bool:
    """True if every phone of a seat was passed over ``MOST_PASSED`` times. The seat adds no seed here any more."""
    times = [person for person, _ in state.passed_over]
    return all(times.count(person) >= MOST_PASSED for person in state.chairs[seat].people)


def unopened(state: RoomState) -> list[int]:
    """The seats whose phones have committed to a digest but not opened the seed. Empty with other dice."""
    if state.setup.dice != "sealed":
        return []
    return [seat for seat, chair in enumerate(state.chairs) if _has_digest(chair) and not chair.seed]


def _has_digest(chair: Chair) -> bool:
    return chair.digest not in ("", NO_SEED)


def players(state: RoomState) -> list[str]:
    """The origins of the seats' seeds, as in a fixed header. "" for a person who has not added one."""
    return [_player(chair) for chair in state.chairs]


def _player(chair: Chair) -> str:
    if chair.bot:
        return f"{BOT}{chair.bot}"
    if chair.digest:
        return AWAY if chair.digest == NO_SEED else PHONE
    return TYPED if chair.seed else ""


def fixed_digests(state: RoomState) -> list[str]:
    """The digests of the seats' seeds, by seat. For a seed that a person typed, the house computes the digest."""
    return [chair.digest or (digest_of_seat(chair.seed) if chair.seed else NO_SEED) for chair in state.chairs]


def fixed_header(state: RoomState, header: Header) -> str:
    """The text of the header fixed now. ``header`` is the match's."""
    seal, digests = read_seal(state.setup.seal), fixed_digests(state)
    return write_fixed(header.write(), seal, players(state), digests, state.attempts + 1)


def seeds_and_bound(state: RoomState) -> tuple[tuple[str, ...], str]:
    """The seeds of a match that begins, by seat, and the fixed part of each roll's message. Empty with other dice."""
    if state.setup.dice != "sealed":
        return (), ""
    seeds = tuple([chair.seed or NO_SEED for chair in state.chairs])
    if commits(state.setup):
        return seeds, bound_by_header(with_seeds(state.fixed, seeds))
    return seeds, bound_by_seeds(read_seal(state.setup.seal).table, seeds)


def loosened(state: RoomState) -> tuple[Chair, ...]:
    """The chairs after a fixed header was abandoned. Phones commit to new seeds, as their old ones may be known.

    A seat that was passed over stays so, and the match doesn't wait for it.
    """
    return tuple([replace(chair, digest="", seed="") if _has_digest(chair) else chair for chair in state.chairs])


def proof_of(state: RoomState) -> Proof | None:
    """The proof of sealed dice for the record, opened or not. None with other dice, or before the match."""
    if state.setup.dice != "sealed" or state.match is None:
        return None
    fixed = read_fixed(state.fixed) if state.fixed else None
    names = fixed.names if fixed else state.names
    return Proof(read_seal(state.setup.seal), names, state.seeds, state.house_seed, fixed)
