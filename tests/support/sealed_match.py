"""A match with sealed dice, played by bots' policies without a house, and its record."""

from collections.abc import Sequence
from dataclasses import replace

from pubdice.core.cup import SeededCup
from pubdice.core.game import pick
from pubdice.core.seal import KeyedSeals, digest_of_seat
from pubdice.kit import Kit
from pubdice.match.header import RawHeader
from pubdice.match.record import write
from pubdice.match.sealed_record import with_proof
from pubdice.match.table import moves
from pubdice.room import Caller, Room, RoomState, Setup, Step
from pubdice.room import commands as ask
from pubdice.room.beginning import rules_of
from pubdice.room.log_lines import Moved
from pubdice.room.seeds import proof_of, sealed
from pubdice.room.setup import checked

CUP = SeededCup("never thrown")
Played = tuple[Room, RoomState, list[Step]]


def played(
    kit: Kit,
    seals: KeyedSeals,
    setup: Setup | None = None,
    *,
    rolls: int = 10**6,
    seeds: Sequence[str] = ("ann", "bob"),
    names: Sequence[str] = ("Ann", "Bob"),
    attempt: int = 1,
) -> Played:
    """Ann and Bob at a table with sealed dice, until the match is over or has so many rolls.

    seeds: the persons whose phones keep their seeds until all digests are told; the others type one.
    attempt: how often seeds were taken, as it is in the fixed header.
    """
    if setup is None:
        setup = sealed(checked(kit, Setup({"game": kit.name}, 1, "ann", 0, dice="sealed", grows=True)), seals)
    room, log = Room(kit, setup), list[Step]()
    state = replace(room.start(), attempts=attempt - 1)

    def do(person: str | None, command: ask.Command) -> RoomState:
        log.extend(room.decide(state, command, Caller(person, 0), CUP, seals))
        return log[-1].after

    for person, name in zip(("ann", "bob"), names, strict=True):
        state = do(person, ask.Sit(None, "" if setup.expected else name))
    for person in seeds:
        state = do(person, ask.Commit(digest_of_seat(f"{person}{setup.games}")))
    for person in {"ann", "bob"} - set(seeds):
        state = do(person, ask.AddSeed(f"{person}{setup.games}"))
    state = do("ann", ask.Start())
    for person in seeds:
        state = do(person, ask.AddSeed(f"{person}{setup.games}"))
    for person in ("ann", "bob"):
        state = do(person, ask.Give())
    lots, number = SeededCup("lots"), 0
    while state.stage == "playing" and state.rolls < rolls:
        live = state.match
        assert live is not None
        inner, match = live.state.match, live.table.match
        if match.to_roll(inner):
            state = do(None, ask.Bot())
            continue
        number += 1
        weighted = kit.policies[kit.bots[0]](match.game, inner.round)
        state = do(None, ask.Bot(pick(weighted, lambda among: lots.draw(among, number))))  # noqa: B023 - called at once
    return room, state, log


def record_of(room: Room, state: RoomState, log: list[Step]) -> str:
    """The record of a match, with its proof."""
    header = room.kit.normalize(RawHeader(rules_of(state)))
    happened = [step.line.event.event for step in log if isinstance(step.line.event, Moved)]
    assert state.match is not None
    return with_proof(write(header, state.match.table.match, moves(happened)), proof_of(state))
