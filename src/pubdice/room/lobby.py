"""Before the match: readiness, the host's changes to the game, the start, and the players."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pubdice.core.errors import BadNotation, Refused
from pubdice.core.seal import NO_SEED, digest_of_seat, is_digest, read_seat_seed
from pubdice.kit import PERFECT, Kit
from pubdice.match.notation import RawHeader
from pubdice.match.table import Draw
from pubdice.room.commands import (
    AddBot,
    AddSeed,
    Admit,
    Begin,
    Close,
    Commit,
    HandOver,
    Join,
    Leave,
    Ready,
    Remove,
    Rename,
    Rules,
    Share,
    Shift,
    Sit,
    Start,
    Unready,
)
from pubdice.room.decision import Decision
from pubdice.room.events import (
    Admitted,
    BotPaceSet,
    BotSeated,
    Closed,
    Committed,
    Fixed,
    HandedOver,
    Joined,
    Left,
    Readied,
    Removed,
    Renamed,
    Ruled,
    Sat,
    Seeded,
    Shared,
    Shifted,
    Started,
    Unpaused,
    Unreadied,
)
from pubdice.room.setup import MOST_CHAIRS, MOST_PACE_MS, MOST_PERFECT, checked, unused, with_seats, within, write_rules
from pubdice.room.state import RoomState, commits, fixed_digests, opens_none, sealed, unopened, unseeded

OPENING_MS = 60_000
"""A phone whose people are here and which opens no seed for so long, as its script has crashed, is passed over. A page
sends its seed again every 5 s.
"""
SOON_MS = 1000
"""Awaited people of whom nobody knows since when they are away count as gone from so long from now on."""


def most_chairs(kit: Kit, state: RoomState) -> int:
    """The most seats that a table may have later."""
    if not state.setup.grows:
        return len(state.chairs)
    most = min(MOST_CHAIRS, kit.build(state.setup.rules).most_seats)
    return min(most, MOST_PERFECT) if any(chair.bot == PERFECT for chair in state.chairs) else most


def missing(kit: Kit, state: RoomState) -> int:
    """The number of players that the match still needs before it can begin."""
    if not state.setup.grows:
        return sum(chair.kind == "empty" for chair in state.chairs)
    expected = len(state.setup.expected)
    least = min(2, expected) if expected else 2  # every format needs two, but a person who played alone may go on alone
    least = max(least, kit.build(state.setup.rules).least_seats)
    return max(0, least - sum(chair.kind != "empty" for chair in state.chairs))


def begins(kit: Kit, state: RoomState, gone: Mapping[int, int], now: int) -> int | None:
    """The time at which the table's timer begins the match (ms since 1970): all are ready, or their grace time is over.

    None while somebody here has not said ready, or nobody has; or while nobody sits here, except at a table ordered for
    bots alone. gone: by seat, since when its people are away, or at neither table if the seat is kept for them; after
    the grace time the match begins without them, and without their seeds if the dice are sealed. Awaited people who are
    not in ``gone`` count as gone from ``SOON_MS`` on. Once the header of sealed dice is fixed, the match waits for the
    phones that have not opened their seeds; it goes on without those that open none for ``OPENING_MS``, or are away for
    the grace time if that ends earlier.
    """
    if state.match is not None or missing(kit, state):
        return None
    if state.fixed:
        return max(_passed_at(state, seat, gone) for seat in unopened(state))
    if not state.people and (state.setup.grows or not state.setup.expected):
        return None
    at = now
    if state.setup.grows:
        if not any(chair.ready for chair in state.chairs):
            return None
        for seat, chair in enumerate(state.chairs):
            if chair.people and not chair.ready:
                if seat not in gone:
                    return None
                at = max(at, gone[seat] + 1000 * state.setup.grace_s)
            if chair.awaited:
                at = max(at, gone.get(seat, now + SOON_MS) + 1000 * state.setup.grace_s)
    for seat in _waited_for(state, range(len(state.chairs))):
        if seat not in gone:
            return None
        at = max(at, gone[seat] + 1000 * state.setup.grace_s)
    return at


def comes_late(kit: Kit, state: RoomState, person: str | None) -> bool:
    """True if a person who sits down now has to wait for the next match: seeds of this one were opened, or about to be.

    A header was fixed and given up, and the match can begin with those who sit here. Else a person who leaves without
    opening a seed, and comes back without a cookie, could hold the others up permanently.
    """
    begun = state.attempts > 0 and not state.fixed and state.match is None and commits(state.setup)
    return begun and not missing(kit, state) and not state.is_host(person) and not state.kept_for(person)


def _passed_at(state: RoomState, seat: int, gone: Mapping[int, int]) -> int:
    """The time at which the match goes on without a seed that was not opened (ms since 1970).

    A grace time may be an hour: a person who goes away is waited for no longer than one who is here.
    """
    late = state.fixed_at + OPENING_MS
    return min(late, gone[seat] + 1000 * state.setup.grace_s) if seat in gone else late


def _waited_for(state: RoomState, seats: Sequence[int]) -> list[int]:
    """Those of these seats that have still to add a seed; one that was passed over may, and holds nobody up."""
    return [seat for seat in unseeded(state, seats) if state.chairs[seat].digest != NO_SEED]


def ready(decision: Decision, _: Ready) -> None:
    """All seats of the caller are ready."""
    decision.check_gathering()
    decision.own_seat()
    chairs = decision.state.chairs
    seats = [seat for seat in decision.state.seats_of(decision.caller.person) if not chairs[seat].ready]
    if not seats:
        raise Refused("ready-already")
    check_seeded(decision, seats)
    for seat in seats:
        decision.add(Readied(seat))
    start_if_complete(decision)


def unready(decision: Decision, _: Unready) -> None:
    """No seat of the caller is ready any more."""
    decision.check_gathering()
    decision.own_seat()
    chairs = decision.state.chairs
    seats = [seat for seat in decision.state.seats_of(decision.caller.person) if chairs[seat].ready]
    if not seats:
        raise Refused("not-ready")
    for seat in seats:
        decision.add(Unreadied(seat))


def commit(decision: Decision, command: Commit) -> None:
    """The caller's phone tells the digest of its seed: for the seat named, else for the first of theirs without one.

    Each seat has a digest of its own, since a copied one would count one seed as two people's. Raises
    BadNotation("seat-digest").
    """
    seat = _to_seed(decision, command.seat)[0]
    if not commits(decision.state.setup):
        raise Refused("seal-old")
    if decision.state.fixed:
        raise Refused("seeds-opening")
    if not is_digest(command.digest):
        raise BadNotation("seat-digest")
    if command.digest in fixed_digests(decision.state):
        raise Refused("seed-copied")
    decision.add(Committed(seat, command.digest))
    start_if_complete(decision)


def add_seed(decision: Decision, command: AddSeed) -> None:
    """The caller adds a seed: for one of several who share the phone, or for all of them. BadNotation("seat-seed").

    Once the header is fixed it is the seed of which the phone told the digest; before, the house hears it too early for
    a proof against the house.
    """
    seats = _to_seed(decision, command.seat)
    seed = read_seat_seed(command.seed)
    chairs = decision.state.chairs
    if decision.state.fixed and any(chairs[seat].digest != digest_of_seat(seed) for seat in seats):
        raise Refused("seed-other")
    if not decision.state.fixed and digest_of_seat(seed) in [chair.digest for chair in chairs]:
        raise Refused("seed-copied")
    for seat in seats:
        decision.add(Seeded(seat, seed))
    if not decision.state.fixed:
        start_if_complete(decision)
    elif not unopened(decision.state):
        _begin(decision)


def _to_seed(decision: Decision, named: int | None) -> list[int]:
    """The caller's seats that add a seed now: the one named, else all. Raises Refused if none of them has to."""
    decision.check_gathering()
    decision.own_seat(named)
    state = decision.state
    if state.setup.dice != "sealed":
        raise Refused("not-sealed")
    mine = state.seats_of(decision.caller.person) if named is None else (named,)
    waits = unopened(state) if state.fixed else unseeded(state, mine)
    seats = [seat for seat in mine if seat in waits]
    if not seats:
        passed_over = any(not state.chairs[seat].seed and opens_none(state, seat) for seat in mine)
        raise Refused("seed-passed-over" if passed_over else "seed-added")
    return seats


def change_rules(decision: Decision, command: Rules) -> None:
    """The host changes what is played."""
    decision.check_host()
    decision.check_gathering()
    setup, pace = decision.state.setup, command.pace_ms
    rules = {**setup.rules, **command.rules, "game": decision.kit.name}
    if "format" in command.rules and "opener" not in command.rules:
        rules.pop("opener", None)
    changed = replace(
        setup,
        rules={key: value for key, value in rules.items() if value},
        dice=setup.dice if command.dice is None else command.dice,
        clock_s=setup.clock_s if command.clock_s is None else command.clock_s,
        grace_s=setup.grace_s if command.grace_s is None else command.grace_s,
        lessons=setup.lessons if command.lessons is None else command.lessons,
        chances=setup.chances if command.chances is None else command.chances,
    )
    changed = checked(decision.kit, changed)
    if setup.night and replace(changed, clock_s=setup.clock_s, grace_s=setup.grace_s) != setup:
        raise Refused("night-rules")
    most = decision.kit.build(changed.rules).most_seats
    if len(decision.state.chairs) > most:
        raise Refused("too-many-seats", most=most)
    changed = sealed(changed, decision.seals)
    if changed != setup:
        decision.add(Ruled(write_rules(changed)))
    if pace is not None and pace != decision.state.pace_ms:
        decision.add(BotPaceSet(within("pace", pace, 0, MOST_PACE_MS)))
    if not decision.steps:
        raise Refused("nothing-new")
    start_if_complete(decision)  # a full table that waited for seeds needs none with other dice


def start(decision: Decision, command: Start) -> None:
    """The host begins the match."""
    decision.check_host()
    decision.check_gathering()
    decision.own_seat()
    state, seats = decision.state, range(len(decision.state.chairs))
    if state.fixed:
        raise Refused("seed-unopened", name=state.chairs[unopened(state)[0]].name)
    check_seeded(decision, [seat for seat in seats if seat not in decision.lost_seats()])
    if state.setup.grows:
        if short := missing(decision.kit, state):
            raise Refused("too-few-players", missing=short)
    else:
        bot = decision.bot_named(command.bot)
        for seat, chair in enumerate(state.chairs):
            if chair.kind == "empty":
                seat_bot(decision, seat, bot)
    begin_match(decision)


def begin(decision: Decision, _: Begin) -> None:
    """The table's timer has run out: begin the match, unless somebody came back meanwhile.

    Phones that opened no seed are passed over: they count as away, and the others commit themselves to other seeds.
    """
    decision.check_own_timer()
    decision.check_gathering()
    if (state := decision.state).fixed:
        for seat in unopened(state):
            if _passed_at(state, seat, decision.caller.gone) <= decision.caller.now:
                decision.add(Committed(seat, NO_SEED))
    start_if_complete(decision)


def check_seeded(decision: Decision, seats: Sequence[int]) -> None:
    """The people at these seats must have added their seeds. Raises Refused("seed-missing")."""
    if short := _waited_for(decision.state, seats):
        raise Refused("seed-missing", name=decision.state.chairs[short[0]].name)


def start_if_complete(decision: Decision) -> None:
    """Begin the match if its time has come: see ``begins``.

    If the command gave a fixed header up, those who are here are ready: the match was about to begin, and begins with
    the other seeds.
    """
    state = decision.state
    if state.setup.grows and any(step.before.fixed and not step.after.fixed for step in decision.steps):
        for seat, chair in enumerate(state.chairs):
            if chair.people and not chair.ready and seat not in decision.caller.gone:
                decision.add(Readied(seat))
    now = decision.caller.now
    at = begins(decision.kit, decision.state, decision.caller.gone, now)
    if at is not None and at <= now:
        begin_match(decision)


def begin_match(decision: Decision) -> None:
    """Take the empty seats away and begin the match; with sealed dice once all phones have opened their seeds."""
    for seat in reversed(range(len(decision.state.chairs))):
        if decision.state.chairs[seat].kind == "empty":
            decision.add(Closed(seat))
    if commits(decision.state.setup):
        lost = decision.lost_seats()
        for seat, chair in enumerate(decision.state.chairs):
            if chair.people and not chair.seed and chair.digest != NO_SEED and (seat in lost or not chair.digest):
                decision.add(Committed(seat, NO_SEED))
        decision.add(Fixed())
    if not unopened(decision.state):
        _begin(decision)


def _begin(decision: Decision) -> None:
    """Begin the match; with the house's dice draw Player 1, if the format draws."""
    decision.add(Started())
    live = decision.match()
    if live.table.dice != "real" and live.table.match.to_draw(live.state.match):
        decision.move(Draw())


def seat_bot(decision: Decision, seat: int, bot: str) -> None:
    """A bot takes a seat, under a name of its own."""
    names = [chair.name for chair in decision.state.chairs]
    decision.add(BotSeated(seat, bot, unused(bot.capitalize(), names)))


# Who sits where: people sit down, share a phone, leave or are removed; the host moves, adds and closes seats.


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
        _check_in_time(decision)
        decision.add(Sat(seat, decision.person(), decision.nickname(command.name, seat)))
    start_if_complete(decision)


def _check_in_time(decision: Decision) -> None:
    if comes_late(decision.kit, decision.state, decision.caller.person):
        raise Refused("seeds-begun")


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
    raise _full(decision)


def _empty(decision: Decision) -> int:
    """An empty seat or a new one, but no bot's. Raises Refused."""
    seat, chairs = _free(decision), decision.state.chairs
    if seat < len(chairs) and chairs[seat].kind == "bot":
        raise _full(decision)
    return seat


def _full(decision: Decision) -> Refused:
    """Why nobody more can sit: a table that grows has as many seats as it may have."""
    state = decision.state
    if state.match is None and state.setup.grows:
        return Refused("table-grown", most=most_chairs(decision.kit, state))
    return Refused("table-full")


def share(decision: Decision, command: Share) -> None:
    """Others sit down on the caller's phone, a seat each; names with commas between (no name has one), all or none."""
    decision.check_gathering()
    decision.own_seat()
    if not decision.state.is_host(decision.caller.person):  # somebody removed could come back on a friend's phone
        decision.check_admitted()
        if decision.caller.person in decision.state.unshared:
            raise Refused("share-removed")
    _check_in_time(decision)
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
