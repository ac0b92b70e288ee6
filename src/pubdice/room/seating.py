"""Who sits where: people sit down, share a phone, leave or are removed; the host moves, adds and closes seats."""

from pubdice.core.errors import Refused
from pubdice.kit import PERFECT
from pubdice.match.notation import RawHeader
from pubdice.room.commands import AddBot, Admit, Close, HandOver, Join, Leave, Remove, Rename, Share, Shift, Sit
from pubdice.room.decision import Decision
from pubdice.room.events import (
    Admitted,
    Closed,
    HandedOver,
    Joined,
    Left,
    Removed,
    Renamed,
    Sat,
    Shared,
    Shifted,
    Unpaused,
)
from pubdice.room.lobby import most_chairs, seat_bot, start_if_complete
from pubdice.room.setup import MOST_PERFECT, with_seats

MOST_RENAMES = 5
"""Names that a person may change at one table."""


def sit(decision: Decision, command: Sit) -> None:
    """A person takes a seat."""
    if decision.state.stage == "over":
        raise Refused("match-over")
    if decision.state.seat_of(decision.caller.person) is not None:
        raise Refused("seated-already")
    decision.check_admitted()
    kept = decision.state.kept_for(decision.caller.person)
    if kept and (command.seat is None or command.seat in kept):
        _sit_again(decision, kept, command.name)
    else:
        seat = command.seat if command.seat is not None else _free(decision)
        if seat != len(decision.state.chairs) or command.seat is not None:
            chair = decision.chair(seat)
            if chair.people:
                raise Refused("seat-taken", name=chair.name)
            if chair.awaited:
                raise Refused("seat-kept", name=chair.name)
        decision.add(Sat(seat, decision.person(), decision.nickname(command.name, seat)))
    start_if_complete(decision)


def _sit_again(decision: Decision, kept: tuple[int, ...], name: str) -> None:
    """Give a person the seats kept for them, with all phones that had them, and the seat another phone has taken."""
    caller = decision.person()
    shared = _shared_with(decision)
    if shared is not None:
        decision.add(Joined(shared, caller))
    for number, seat in enumerate(kept):
        chair = decision.state.chairs[seat]
        called = decision.nickname(name, seat) if name.strip() and not number else chair.name
        sits_already = number or shared is not None
        decision.add((Shared if sits_already else Sat)(seat, caller, called))
        for person in chair.awaited:
            others = set(decision.state.kept_for(person)) - set(
                kept
            )  # a person with other seats kept too comes for themselves
            if person != caller and person not in decision.state.people and not others:
                decision.add(Joined(seat, person))


def _shared_with(decision: Decision) -> int | None:
    """The seat the caller had in the match before, if another of its phones has taken it here already; else None."""
    caller = decision.caller.person
    for expected in decision.state.setup.expected:
        for seat, chair in enumerate(decision.state.chairs):
            if caller in expected.people and caller not in chair.people and set(chair.people) & set(expected.people):
                return seat
    return None


def _free(decision: Decision) -> int:
    """The first empty seat that is kept for nobody; else a new one; else the first bot's. Raises Refused."""
    state = decision.state
    for seat, chair in enumerate(state.chairs):
        if chair.kind == "empty" and not chair.awaited:
            return seat
    if state.match is None and len(state.chairs) < most_chairs(decision.kit, state):
        return len(state.chairs)
    for seat, chair in enumerate(state.chairs):
        if chair.kind == "bot":
            return seat
    raise Refused("table-full")


def _empty(decision: Decision) -> int:
    """An empty seat or a new one, but no bot's. Raises Refused."""
    seat, chairs = _free(decision), decision.state.chairs
    if seat < len(chairs) and chairs[seat].kind == "bot":
        raise Refused("table-full")
    return seat


def share(decision: Decision, command: Share) -> None:
    """Others sit down on the caller's phone, a seat each; names with commas between (no name has one), all or none."""
    decision.check_gathering()
    decision.own_seat()
    if not decision.state.is_host(decision.caller.person):  # somebody removed could come back on a friend's phone
        decision.check_admitted()
        if decision.caller.person in decision.state.unshared:
            raise Refused("share-removed")
    names = [name for name in command.name.split(",") if name.strip()] or [command.name]
    for name in names:
        seat = _empty(decision)
        decision.add(Shared(seat, decision.person(), decision.nickname(name, seat)))
    start_if_complete(decision)


def join(decision: Decision, command: Join) -> None:
    """The caller's phone acts for a seat too. The house has checked the seat's words."""
    if decision.state.seat_of(decision.caller.person) is not None:
        raise Refused("seated-already")
    decision.check_admitted(new=False)
    if not decision.chair(command.seat).people:
        raise Refused("seat-empty")
    decision.add(Joined(command.seat, decision.person()))


def leave(decision: Decision, command: Leave) -> None:
    """The caller leaves one seat, or all of theirs."""
    decision.own_seat(command.seat)
    seats = decision.state.seats_of(decision.caller.person) if command.seat is None else (command.seat,)
    for seat in reversed(seats):
        _vacate(decision, Left(seat))
    start_if_complete(decision)


def remove(decision: Decision, command: Remove) -> None:
    """The host removes somebody; or, while the host is lost, the others give up somebody else who is lost."""
    decision.check_host()
    chair = decision.chair(command.seat)
    if not chair.people and not chair.awaited:
        raise Refused("seat-empty")
    decision.own_seat()
    if command.seat in decision.state.seats_of(decision.caller.person):
        raise Refused("remove-oneself")
    if decision.state.is_host(decision.caller.person):
        _vacate(decision, Removed(command.seat))
    elif command.seat in decision.lost_seats() and chair.people:
        _vacate(decision, Left(command.seat))
    else:
        raise Refused("not-host")
    start_if_complete(decision)


def _vacate(decision: Decision, event: Left | Removed) -> None:
    """Empty a seat. In a match a bot takes it; before the match it is closed, if the table grows."""
    state = decision.state
    if state.stage == "over":
        raise Refused("match-over")
    if state.paused_at and not set(state.people) - set(state.chairs[event.seat].people):
        decision.add(Unpaused(event.seat))  # nobody else has a seat to end the pause from
    decision.add(event)
    if decision.state.stage == "playing":
        seat_bot(decision, event.seat, decision.bot_named(""))
    elif decision.state.setup.grows and len(decision.state.chairs) > 1:
        decision.add(Closed(event.seat))


def admit(decision: Decision, _: Admit) -> None:
    """The host lets new people sit down again."""
    decision.check_host()
    if not decision.state.shut:
        raise Refused("not-shut")
    decision.add(Admitted())


def rename(decision: Decision, command: Rename) -> None:
    """A seat of the caller gets another name."""
    seat = decision.own_seat(command.seat)
    if decision.state.stage == "over":
        raise Refused("match-over")
    chair = decision.state.chairs[seat]
    name = decision.nickname(command.name, seat)
    if name == chair.name:
        raise Refused("nothing-new")
    if sum(map(decision.state.renamed.count, chair.people)) >= MOST_RENAMES:
        raise Refused("renamed-often", most=MOST_RENAMES)
    decision.add(Renamed(seat, name))


def hand_over(decision: Decision, command: HandOver) -> None:
    """The host makes somebody else the host."""
    decision.check_host()
    chair = decision.chair(command.seat)
    if not chair.people:
        raise Refused("seat-empty")
    if decision.state.host in chair.people:
        raise Refused("nothing-new")
    decision.add(HandedOver(command.seat))


def close(decision: Decision, command: Close) -> None:
    """The host takes a seat away that is empty or a bot's."""
    decision.check_host()
    decision.check_gathering()
    chair, seats = decision.chair(command.seat), len(decision.state.chairs)
    if decision.state.setup.night:
        raise Refused("night-rules")
    if chair.kind not in ("empty", "bot"):
        raise Refused("seat-taken", name=chair.name)
    setup, kit = decision.state.setup, decision.kit
    if setup.grows:
        least = 1
    else:
        header = kit.normalize(RawHeader(with_seats(setup.rules, seats)))
        least = kit.build(header.fields).least_seats
    if seats <= least:
        raise Refused("too-few-seats", least=least)
    decision.add(Closed(command.seat))
    start_if_complete(decision)


def add_bot(decision: Decision, command: AddBot) -> None:
    """The host seats a bot."""
    decision.check_host()
    decision.check_gathering()
    bot, seat = decision.bot_named(command.bot), _empty(decision)
    if bot == PERFECT and max(seat + 1, len(decision.state.chairs)) > MOST_PERFECT:
        raise Refused("perfect-seats", most=MOST_PERFECT)
    seat_bot(decision, seat, bot)
    start_if_complete(decision)


def shift(decision: Decision, command: Shift) -> None:
    """The host moves a seat to another place in the order."""
    decision.check_host()
    decision.check_gathering()
    decision.chair(command.seat)
    decision.chair(command.to)
    if command.seat == command.to:
        raise Refused("nothing-new")
    decision.add(Shifted(command.seat, command.to))
