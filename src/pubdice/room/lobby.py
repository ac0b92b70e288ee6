"""Before the match: who is ready, what the host changes about the game, when the match begins, and with whom."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pubdice.core.errors import BadNotation, Refused
from pubdice.core.seal import NO_SEED, digest_of_seat, is_digest, read_seat_seed
from pubdice.kit import PERFECT, Kit
from pubdice.match.table import Draw
from pubdice.room.commands import AddSeed, Begin, Commit, Ready, Rules, Start, Unready
from pubdice.room.decision import Decision
from pubdice.room.events import (
    BotPaceSet,
    BotSeated,
    Closed,
    Committed,
    Fixed,
    Readied,
    Ruled,
    Seeded,
    Started,
    Unreadied,
)
from pubdice.room.sealing import commits, opens_none, sealed, unopened, unseeded
from pubdice.room.setup import MOST_PACE_MS, MOST_PERFECT, checked, unused, within, write_rules
from pubdice.room.state import RoomState

MOST_CHAIRS = 64
"""Seats of a table that grows, if its game takes so many."""
OPENING_MS = 60_000
"""A phone whose people are here and which opens no seed for so long, as its script has crashed, is passed over. A page
sends its seed again every 5 s.
"""
SOON_MS = 1000
"""Awaited people of whom nobody knows since when they are away count as gone from so long from now on."""


def most_chairs(kit: Kit, state: RoomState) -> int:
    """The most seats that a table may come to have."""
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


def _passed_at(state: RoomState, seat: int, gone: Mapping[int, int]) -> int:
    """The time at which the match goes on without a seed that was not opened (ms since 1970).

    A grace time may be an hour: who goes away is waited for no longer than who is here.
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
    """The caller's phone tells the digest of its seed: for a seat of theirs, or for all that have none.

    Raises BadNotation("seat-digest").
    """
    seats = _to_seed(decision, command.seat)
    if not commits(decision.state.setup):
        raise Refused("seal-old")
    if decision.state.fixed:
        raise Refused("seeds-opening")
    if not is_digest(command.digest):
        raise BadNotation("seat-digest")
    for seat in seats:
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
