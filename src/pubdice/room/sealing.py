"""Sealed dice at a table: the seal is made before the seats add their seeds, and the match begins after them."""

from collections.abc import Sequence
from dataclasses import replace

from pubdice.core.errors import Refused
from pubdice.core.seal import Seals, read_seal
from pubdice.match.sealed_record import Proof
from pubdice.room.decision import Decision
from pubdice.room.setup import Setup
from pubdice.room.state import RoomState


def sealed(setup: Setup, seals: Seals) -> Setup:
    """The setup with a seal, if it plays with sealed dice. One that it has stays: the seats may have added seeds to it.

    Raises Refused("no-seals").
    """
    return replace(setup, seal=seals.first().write()) if setup.dice == "sealed" and not setup.seal else setup


def unseeded(state: RoomState, seats: Sequence[int]) -> list[int]:
    """Those of these seats whose people have not added a seed to the sealed dice; none with other dice."""
    if state.setup.dice != "sealed":
        return []
    return [seat for seat in seats if state.chairs[seat].people and not state.chairs[seat].seed]


def check_seeded(decision: Decision, seats: Sequence[int]) -> None:
    """The people at these seats must have added their seeds. Raises Refused("seed-missing")."""
    missing = unseeded(decision.state, seats)
    if missing:
        raise Refused("seed-missing", name=decision.state.chairs[missing[0]].name)


def proof_of(state: RoomState) -> Proof | None:
    """What a record says of a match's sealed dice, opened or not; None for other dice, or before the match."""
    if state.setup.dice != "sealed" or state.match is None:
        return None
    return Proof(read_seal(state.setup.seal), state.seeds, state.house_seed)
