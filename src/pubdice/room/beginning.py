"""The beginning of a match: people get ready, add seeds to sealed dice, and the match starts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pubdice.core.errors import BadNotation, Refused
from pubdice.core.seal import NO_SEED, digest_of_seat, is_digest, is_seat_seed, read_seat_seed
from pubdice.kit import Kit
from pubdice.match.header import RawHeader
from pubdice.match.record import none_ended
from pubdice.match.sealed_record import read_fixed
from pubdice.match.table import Draw, Table
from pubdice.room.chairs import Closed, missing, seat_bot
from pubdice.room.decision import Decision, RoomCommand
from pubdice.room.event import Event, SeatEvent, changed, logged, passed_over
from pubdice.room.seeds import (
    commits,
    fixed_digests,
    fixed_header,
    opens_none,
    seeds_and_bound,
    unopened,
    unseeded,
)
from pubdice.room.state import Chair, Live, RoomState
from pubdice.text.language import Language

OPENING_MS = 60_000
"""The longest wait for a phone to open its seed while its people are here.

A page sends its seed again every 5 s. After this time the phone's script must have crashed, so the match goes on
without the seed.
"""
SOON_MS = 1000
"""The time from now at which awaited people count as away, if the time of their departure is not known."""


def rules_of(state: RoomState) -> dict[str, str]:
    """Return the fields of the record's header. ``first`` is a name, unless Player 1 is drawn by lot.

    The names are those at the seats now. Once the header of sealed dice is fixed, they are the names in that header.
    """
    setup, names = state.setup, read_fixed(state.fixed).names if state.fixed else state.names
    fields = {**setup.rules, "seats": ", ".join(names)}
    if "first" not in fields and (state.opens or setup.moves_left):
        fields["first"] = names[state.opens % len(names)]
    return fields


def match_of(kit: Kit, state: RoomState) -> Table:
    """Return the match table for the players who sit at this table, under the setup's rules."""
    header = kit.normalize(RawHeader(rules_of(state)))
    match = replace(kit.match(header), loser_lost=state.setup.loser_lost)
    return Table(match, state.names, state.setup.dice)


def begins(kit: Kit, state: RoomState, gone: Mapping[int, int], now: int) -> int | None:
    """Return the time at which the table's timer begins the match (ms since 1970).

    None if the table waits for a person.

    ``gone`` has, by seat, the time since which its people are away. People awaited at a kept seat are away if they are
    at neither table (the last one or this one). If they are not in ``gone``, they count as away from ``SOON_MS`` after
    now.

    - A table that grows needs one seat that is ready. Each other person must be ready, or away for the grace time.
    - With sealed dice, each person must have added a seed, or be away for the grace time. Once the header is fixed, the
      match waits at most ``OPENING_MS`` for a phone to open its seed. If its people are away, it waits at most their
      grace time.
    - A table without people begins only if it was ordered for bots alone.
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
    """Return the time at which the match goes on without this seat's unopened seed (ms since 1970).

    A grace time can be an hour, but an absent person gets no more time than a present one.
    """
    late = state.fixed_at + OPENING_MS
    return min(late, gone[seat] + 1000 * state.setup.grace_s) if seat in gone else late


def _waited_for(state: RoomState, seats: Sequence[int]) -> list[int]:
    """Return the seats among these that must add a seed before the match.

    If a seat was passed over, it may still add one, but the match does not wait for it.
    """
    return [seat for seat in unseeded(state, seats) if state.chairs[seat].digest != NO_SEED]


@dataclass(frozen=True, slots=True)
class Readied(SeatEvent):
    """The event that the people of a seat are ready for the match."""

    log = logged("readied", seat=int)
    stages = ("gathering",)
    chairs = ("person",)
    leads_on = True
    seat: int

    def fits(self, state: RoomState) -> bool:
        return not state.chairs[self.seat].ready

    def chair(self, chair: Chair, *, first_stays: bool) -> Chair:
        return replace(chair, ready=True)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        return language.about("{name} is ready.", "You are ready.", after.called(self.seat, you))


@dataclass(frozen=True, slots=True)
class Ready(RoomCommand):
    """Declare the caller ready, at all the caller's seats."""

    do = "ready"
    words = ("ready",)
    may_begin = True

    def decide(self, decision: Decision) -> None:
        decision.check_gathering()
        decision.own_seat()
        chairs = decision.state.chairs
        seats = [seat for seat in decision.state.seats_of(decision.caller.person) if not chairs[seat].ready]
        if not seats:
            raise Refused("ready-already")
        check_seeded(decision, seats)
        for seat in seats:
            decision.add(Readied(seat))


@dataclass(frozen=True, slots=True)
class Unreadied(SeatEvent):
    """The event that the people of a seat are no longer ready."""

    log = logged("unreadied", seat=int)
    stages = ("gathering",)
    chairs = ("person",)
    seat: int

    def fits(self, state: RoomState) -> bool:
        # the logs of one day in the past have this line even for seats that were not ready
        return state.chairs[self.seat].ready or state.attempts > 0

    def chair(self, chair: Chair, *, first_stays: bool) -> Chair:
        return replace(chair, ready=False)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        return language.about("{name} is not ready yet.", "You are not ready yet.", after.called(self.seat, you))


@dataclass(frozen=True, slots=True)
class Unready(RoomCommand):
    """Declare the caller not ready, at all the caller's seats."""

    do = "unready"
    words = ("unready",)

    def decide(self, decision: Decision) -> None:
        decision.check_gathering()
        decision.own_seat()
        chairs = decision.state.chairs
        seats = [seat for seat in decision.state.seats_of(decision.caller.person) if chairs[seat].ready]
        if not seats:
            raise Refused("not-ready")
        for seat in seats:
            decision.add(Unreadied(seat))


@dataclass(frozen=True, slots=True)
class Committed(SeatEvent):
    """The event that a seat's phone committed to the digest of its seed for the sealed dice.

    The digest "-" means that the seat adds no seed.
    """

    log = logged("committed", seat=int, digest=str)
    stages = ("gathering",)
    chairs = ("person",)
    loosens = leads_on = quiet = True
    seat: int
    digest: str

    def fits(self, state: RoomState) -> bool:
        if state.chairs[self.seat].seed or not commits(state.setup):
            return False
        if self.digest == NO_SEED:  # logs of earlier versions repeat "-" after a header was abandoned
            return True
        return not state.fixed and state.chairs[self.seat].digest in ("", NO_SEED) and is_digest(self.digest)

    def chair(self, chair: Chair, *, first_stays: bool) -> Chair:
        return replace(chair, digest=self.digest)

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        after = SeatEvent.after(self, kit, state, at)
        if self.digest == NO_SEED and state.attempts:
            return after.but(passed_over=passed_over(state, state.chairs[self.seat].people))
        return after

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        name = after.called(self.seat, you)
        if self.digest == NO_SEED:
            return language.about("{name} adds no seed to the dice.", "You add no seed to the dice.", name)
        return language.about("{name} has added a seed to the dice.", "You have added a seed to the dice.", name)


@dataclass(frozen=True, slots=True)
class Commit(RoomCommand):
    """Commit to the digest of the caller's own seed for the sealed dice. The phone opens the seed later.

    Without ``seat``, it is for the caller's first seat without a seed. Each seat needs a digest of its own, because one
    seed would count for two people if its digest were copied.
    """

    may_begin = True
    digest: str
    seat: int | None = None

    def decide(self, decision: Decision) -> None:
        seat = _to_seed(decision, self.seat)[0]
        if not commits(decision.state.setup):
            raise Refused("seal-old")
        if decision.state.fixed:
            raise Refused("seeds-opening")
        if not is_digest(self.digest):
            raise BadNotation("seat-digest")
        if self.digest in fixed_digests(decision.state):
            raise Refused("seed-copied")
        decision.add(Committed(seat, self.digest))


@dataclass(frozen=True, slots=True)
class Seeded(SeatEvent):
    """The event that a seat's own seed was added to the sealed dice. A player typed it, or the phone opened it."""

    log = logged("seeded", seat=int, seed=str)
    stages = ("gathering",)
    chairs = ("person",)
    leads_on = quiet = True
    seat: int
    seed: str

    def fits(self, state: RoomState) -> bool:
        if state.setup.dice != "sealed" or state.chairs[self.seat].seed:
            return False
        known = state.chairs[self.seat].digest
        fits = digest_of_seat(self.seed) == known if state.fixed else known in ("", NO_SEED)
        return is_seat_seed(self.seed) and fits

    def chair(self, chair: Chair, *, first_stays: bool) -> Chair:
        return replace(chair, seed=self.seed, digest="" if chair.digest == NO_SEED else chair.digest)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        if before.fixed:  # the players heard of the seed when its digest came
            return ""
        texts = "{name} has added a seed to the dice.", "You have added a seed to the dice."
        return language.about(*texts, after.called(self.seat, you))


@dataclass(frozen=True, slots=True)
class AddSeed(RoomCommand):
    """Add the caller's own seed for the sealed dice. Without ``seat``, it is for all the caller's seats that have none.

    Once the header is fixed, the seed must match the digest to which the phone committed. If a player types a seed
    before that, the house knows it early, so the seed proves nothing about the house.
    """

    seed: str
    seat: int | None = None

    def decide(self, decision: Decision) -> None:
        seats = _to_seed(decision, self.seat)
        seed = read_seat_seed(self.seed)
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


@dataclass(frozen=True, slots=True)
class SeedOfSeat(RoomCommand):
    """Commit to the digest of the caller's own seed, or add the seed itself."""

    do = "seed"
    digest: str | None = None
    seed: str = ""
    seat: int | None = None
    name: str = ""

    def decide(self, decision: Decision) -> None:
        at = decision.seat_meant(self.seat, self.name) if self.name else self.seat
        if self.digest is None:
            AddSeed(self.seed, at).decide(decision)
            return
        Commit(self.digest, at).decide(decision)
        start_if_complete(decision)


def _to_seed(decision: Decision, named: int | None) -> list[int]:
    """Return the caller's seats that add a seed now: the named one, or all.

    Raise Refused if none of them needs a seed.
    """
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


@dataclass(frozen=True, slots=True)
class Fixed(Event):
    """The event that the header of a match with sealed dice was fixed. Phones can open their seeds now."""

    log = logged("fixed")
    stages = ("gathering",)
    changes_header = leads_on = True

    def fits(self, state: RoomState) -> bool:
        told = all(chair.bot or chair.seed or chair.digest for chair in state.chairs)
        return _is_taken(state) and commits(state.setup) and told

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        header = kit.normalize(RawHeader(rules_of(state)))
        return changed(state, at, fixed=fixed_header(state, header), attempts=state.attempts + 1, fixed_at=at)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        return waiting(language, after, you)

    def concerns(self, after: RoomState) -> set[int]:
        return set(unopened(after))


def waiting(language: Language, state: RoomState, you: int | None = None) -> str:
    """Return a line with the phones that have not opened their seeds, for the listener ``you``. "" if all have."""
    waits = unopened(state) if state.fixed else []
    if you in waits:
        return language.say("Waiting for the seed of your phone.")
    one, many = (
        "Waiting for {names}, whose phone opens its seed.",
        "Waiting for {names}, whose phones open their seeds.",
    )
    names = [state.chairs[seat].name for seat in waits]
    return language.count(one, many, len(waits), names=language.join(names)) if waits else ""


@dataclass(frozen=True, slots=True)
class Started(Event):
    """The event that the match began, with the people and bots then seated."""

    log = logged("started")
    stages = ("gathering",)
    leads_on = ends = True

    def fits(self, state: RoomState) -> bool:
        opened = not commits(state.setup) or (bool(state.fixed) and not unopened(state))
        return _is_taken(state) and opened

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        table = match_of(kit, state)
        seeds, bound = seeds_and_bound(state)
        turns = none_ended(len(state.chairs)) if state.setup.night else None
        live = Live(table, table.start())
        return changed(state, at, match=live, seeds=seeds, bound=bound, turns=turns, turn_at=at, moved_at=at)


def _is_taken(state: RoomState) -> bool:
    return bool(state.chairs) and all(chair.kind != "empty" for chair in state.chairs)


@dataclass(frozen=True, slots=True)
class Start(RoomCommand):
    """Begin the match, as the host. Bots take the empty seats. A table that grows removes these seats instead."""

    do = "start"
    words = ("start",)
    bot: str = ""

    def decide(self, decision: Decision) -> None:
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
            bot = decision.bot_named(self.bot)
            for seat, chair in enumerate(state.chairs):
                if chair.kind == "empty":
                    seat_bot(decision, seat, bot)
        begin_match(decision)


@dataclass(frozen=True, slots=True)
class Begin(RoomCommand):
    """Begin the match by the table's timer: all people here are ready, and the grace time of all others is over.

    If a person has come back, the match does not begin. If phones have not opened their seeds, they are passed over:
    they count as away, and the other phones commit to new seeds.
    """

    may_begin = True

    def decide(self, decision: Decision) -> None:
        decision.check_own_timer()
        decision.check_gathering()
        if (state := decision.state).fixed:
            for seat in unopened(state):
                if _passed_at(state, seat, decision.caller.gone) <= decision.caller.now:
                    decision.add(Committed(seat, NO_SEED))


def check_seeded(decision: Decision, seats: Sequence[int]) -> None:
    """Raise Refused("seed-missing") if the people of one of these seats have not added their seed."""
    if short := _waited_for(decision.state, seats):
        raise Refused("seed-missing", name=decision.state.chairs[short[0]].name)


def start_if_complete(decision: Decision) -> None:
    """Begin the match if its time has come (``begins``).

    If the command abandoned a fixed header, the people who are here count as ready. The match was about to begin, and
    it begins with their new seeds.
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
    """Remove the empty seats and begin the match. With sealed dice, all phones must open their seeds first."""
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
    """Begin the match. With the house's dice, draw Player 1 too if the format asks for a lot."""
    decision.add(Started())
    live = decision.match()
    if live.table.dice != "real" and live.table.match.to_draw(live.state.match):
        decision.move(Draw())
