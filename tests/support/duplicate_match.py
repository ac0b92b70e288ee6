"""Matches of a duplicate night, played by policies without a house, and their records."""

from collections.abc import Mapping

from pubdice.core.cup import SeededCup
from pubdice.core.game import pick
from pubdice.core.seal import KeyedSeals
from pubdice.kit import Kit
from pubdice.match.header import RawHeader
from pubdice.match.record import with_night, write
from pubdice.match.table import moves
from pubdice.room import Caller, Room, RoomState, Setup, Step
from pubdice.room import commands as ask
from pubdice.room.beginning import rules_of
from pubdice.room.log_lines import Moved
from pubdice.room.setup import checked

CUP = SeededCup("never thrown")
KEY = b"the key of the house"
CODE = "KORBUMTAL"
USUAL: Mapping[str, str] = {}


def seals_of(key: bytes = KEY) -> KeyedSeals:
    return KeyedSeals(key, lambda size: b"\1" * size)


def setup_of(kit: Kit, seals: KeyedSeals, seats: int = 2, rules: Mapping[str, str] = USUAL) -> Setup:
    night = seals.night(CODE).write()
    return checked(kit, Setup({"game": kit.name, **rules}, seats, "ann", 0, night=night))


def played(
    kit: Kit,
    policy: str,
    lots: str,
    *,
    seats: int = 2,
    seals: KeyedSeals | None = None,
    crash: bool = False,
    rules: Mapping[str, str] = USUAL,
) -> tuple[Room, RoomState, list[Step]]:
    """A match of the night in which every seat is played by a policy. crash: the log is replayed before each roll."""
    seals = seals or seals_of()
    room, log = Room(kit, setup_of(kit, seals, seats, rules)), list[Step]()
    state = room.start()

    def do(person: str | None, command: ask.Command) -> RoomState:
        log.extend(room.decide(state, command, Caller(person, 0), CUP, seals))
        return log[-1].after

    people = ["ann", "bob", "cid", "dan"][:seats]
    for person in people:
        state = do(person, ask.Sit(None, person.capitalize()))
    if state.match is None:
        state = do("ann", ask.Start())
    for person in people:
        state = do(person, ask.Give())
    cup, number = SeededCup(lots), 0
    while state.stage == "playing":
        live = state.match
        assert live is not None
        inner, match = live.state.match, live.table.match
        if match.to_roll(inner):
            if crash:
                *_, last = room.replay(room.start(), [step.write() for step in log])
                state = last.after
            state = do(None, ask.Bot())
            continue
        number += 1
        weighted = kit.policies[policy](match.game, inner.round)
        state = do(None, ask.Bot(pick(weighted, lambda among: cup.draw(among, number))))  # noqa: B023 - called at once
    return room, state, log


def record_of(room: Room, state: RoomState, log: list[Step]) -> str:
    header = room.kit.normalize(RawHeader(rules_of(state)))
    happened = [step.line.event.event for step in log if isinstance(step.line.event, Moved)]
    assert state.match is not None
    return with_night(write(header, state.match.table.match, moves(happened)), state.setup.night)
