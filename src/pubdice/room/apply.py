"""The state after an event. Decides nothing, and refuses an event that cannot have happened there."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, assert_never

from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.frozen import maker
from pubdice.core.seal import NO_SEED, digest_of, digest_of_seat, is_digest, is_seat_seed, read_seal
from pubdice.kit import Kit
from pubdice.match.notation import RawHeader, find_name
from pubdice.match.record import Drawn, Played, Rolled, none_ended
from pubdice.match.sealed_record import read_fixed
from pubdice.match.table import Marked, Table, TableEvent, TableState, TakenBack, passed_on
from pubdice.room.events import (
    Admitted,
    BotPaceSet,
    BotSeated,
    BotSubstituted,
    Closed,
    Committed,
    Event,
    Fixed,
    Followed,
    HandedOver,
    Joined,
    Left,
    LogLine,
    Moved,
    Nudged,
    Paused,
    Queued,
    Readied,
    Recognised,
    Rematched,
    Removed,
    Renamed,
    Reopened,
    Resumed,
    Retimed,
    Ruled,
    Sat,
    SealOpened,
    Seeded,
    Shared,
    Shifted,
    Started,
    TimedOut,
    Unpaused,
    Unqueued,
    Unreadied,
    Voted,
    WentOn,
)
from pubdice.room.line_up import plans_alone
from pubdice.room.setup import MOST_SEATS, Row, with_rules
from pubdice.room.state import (
    MOST_PASSED,
    Chair,
    ChairKind,
    Live,
    RoomState,
    Stage,
    clock,
    commits,
    fixed_header,
    goes_on_elsewhere,
    is_done,
    is_fork,
    loosened,
    seeds_and_bound,
    unopened,
)

# Which events can happen in a state, so that no log leads to a table that cannot be.
#
# The match checks whether a move is within the rules; ``decide`` checks who may give which command.


Elsewhere = WentOn | Recognised
"""Events about the phones of the house before, at a table that goes on."""
TAKEN: tuple[ChairKind, ...] = ("person", "standin")
STAGES: dict[type[Event], tuple[Stage, ...]] = {
    Sat: ("gathering", "playing"),
    Shared: ("gathering",),
    Joined: ("gathering", "playing", "over"),
    BotSeated: ("gathering", "playing"),
    Left: ("gathering", "playing"),
    Removed: ("gathering", "playing"),
    Admitted: ("gathering", "playing", "over"),
    Closed: ("gathering",),
    Shifted: ("gathering",),
    Readied: ("gathering",),
    Unreadied: ("gathering",),
    Ruled: ("gathering", "over"),
    Committed: ("gathering",),
    Fixed: ("gathering",),
    Seeded: ("gathering",),
    SealOpened: ("over",),
    Renamed: ("gathering", "playing"),
    HandedOver: ("gathering", "playing", "over"),
    Paused: ("playing",),
    Unpaused: ("playing",),
    Queued: ("playing", "over"),
    Unqueued: ("playing", "over"),
    Started: ("gathering",),
    BotSubstituted: ("playing",),
    Resumed: ("playing",),
    Voted: ("playing",),
    TimedOut: ("playing",),
    Retimed: ("playing",),
    BotPaceSet: ("gathering", "playing", "over"),
    Nudged: ("playing",),
    Rematched: ("playing", "over"),
    Reopened: ("playing", "over"),
    Followed: ("playing", "over"),
    WentOn: ("gathering", "playing"),
    Recognised: ("gathering", "playing", "over"),
    Moved: ("playing", "over"),
}
"""The stages in which an event can happen."""
KINDS: dict[type[Event], tuple[ChairKind, ...]] = {
    Sat: ("empty", "bot"),
    Shared: ("empty",),
    Joined: TAKEN,
    BotSeated: ("empty",),
    Left: TAKEN,
    Removed: (*TAKEN, "empty"),
    Closed: ("empty", "bot"),
    Shifted: ("empty", "bot", "person"),
    Readied: ("person",),
    Unreadied: ("person",),
    Committed: ("person",),
    Seeded: ("person",),
    Renamed: TAKEN,
    HandedOver: TAKEN,
    Paused: TAKEN,
    Unpaused: TAKEN,
    BotSubstituted: ("person",),
    Resumed: ("standin",),
    Voted: TAKEN,
    TimedOut: ("person",),
    Nudged: TAKEN,
    Rematched: TAKEN,
    Followed: TAKEN,
}
"""The kinds of chair whose seat an event may take."""
CHANGES_HEADER = (Sat, Shared, BotSeated, Closed, Shifted, Ruled, Renamed, Fixed)
"""Events that cannot happen between a fixed header and the first roll; a person who leaves gives the header up."""


def possible(state: RoomState, event: Event) -> bool:
    """True if an event can happen now."""
    fixed = bool(state.fixed) and state.match is None
    if state.stage not in STAGES[type(event)] or (fixed and isinstance(event, CHANGES_HEADER)):
        return False
    if isinstance(event, Rematched | Reopened | Followed) and not is_done(state):
        return False
    if isinstance(event, Started | Fixed):
        return bool(state.chairs) and all(chair.kind != "empty" for chair in state.chairs) and _is_next(state, event)
    if isinstance(event, BotPaceSet | Ruled):
        return not (isinstance(event, Ruled) and state.rematch)
    if isinstance(event, SealOpened | Elsewhere):
        return opens(state, event.seed) if isinstance(event, SealOpened) else _knows(state, event)
    if isinstance(event, Admitted | Retimed):
        return state.shut if isinstance(event, Admitted) else clock(state) is not None
    if isinstance(event, Queued | Unqueued | Reopened):
        return not state.rematch and _queues(state, event)
    if isinstance(event, Moved):
        gone_on = bool(state.rematch) and (state.stage == "playing" or isinstance(event.event, TakenBack))
        return not state.paused_at and not gone_on and all(chair.kind != "empty" for chair in state.chairs)
    if isinstance(event, Sat | Shared | BotSeated) and event.seat == len(state.chairs):
        return _grows(state) and _may_sit(state, event)
    if not 0 <= event.seat < len(state.chairs) or state.chairs[event.seat].kind not in KINDS[type(event)]:
        return False
    if isinstance(event, Sat | Shared | BotSeated | Joined):
        return _may_sit(state, event)
    return _fits(state, event)


def _knows(state: RoomState, event: Elsewhere) -> bool:
    """True if nobody here is that person yet, and for WentOn its number of moves is right and no key is missing.

    Sealed dice, and those of a duplicate night, follow from a key that only the house before has.
    """
    new = event.person not in (*state.people, *state.banned, *dict(state.queue), event.before)
    if isinstance(event, Recognised):
        return new
    moves = 0 if state.match is None else state.match.state.moved
    return new and is_fork(event.fork) and event.moves == moves and goes_on_elsewhere(state)


def _is_next(state: RoomState, event: Started | Fixed) -> bool:
    """True if it is the turn of sealed dice: the header is fixed, all seeds are opened, and the match begins."""
    if isinstance(event, Fixed):
        return commits(state.setup) and all(chair.bot or chair.seed or chair.digest for chair in state.chairs)
    return not commits(state.setup) or (bool(state.fixed) and not unopened(state))


def _queues(state: RoomState, event: Queued | Unqueued | Reopened) -> bool:
    """True if the person can queue (Queued), or is in the queue; for Reopened no player may be left at the table."""
    if isinstance(event, Queued):
        return event.person not in (*state.people, *state.banned, *dict(state.queue))
    return event.person in dict(state.queue) and not (isinstance(event, Reopened) and state.people)


def _seeds(state: RoomState, event: Committed | Seeded) -> bool:
    """True if a seat without a seed can take this digest, or this seed: typed before the header is fixed, or opened."""
    known = state.chairs[event.seat].digest
    if isinstance(event, Seeded):
        fits = digest_of_seat(event.seed) == known if state.fixed else known in ("", NO_SEED)
        return is_seat_seed(event.seed) and fits
    if event.digest == NO_SEED:  # earlier logs say so again after a header was given up
        return commits(state.setup)
    return commits(state.setup) and not state.fixed and known in ("", NO_SEED) and is_digest(event.digest)


def opens(state: RoomState, seed: str) -> bool:
    """True for the seed under the seal, which has not been opened."""
    sealed = state.setup.dice == "sealed" and not state.house_seed
    return sealed and is_digest(seed) and digest_of(seed) == read_seal(state.setup.seal).digest


def _grows(state: RoomState) -> bool:
    """True if a chair may be added: only before the match, whose seats are fixed when it begins."""
    return state.match is None and state.setup.grows and len(state.chairs) < MOST_SEATS


def _may_sit(state: RoomState, event: Sat | Shared | BotSeated | Joined) -> bool:
    """True if the person has no seat yet (one already, if they share their phone), was not removed, and has a unique
    name.
    """
    if isinstance(event, Sat | Joined) and event.person in (*state.people, *state.banned):
        return False
    if isinstance(event, Shared) and event.person not in state.people:
        return False
    if isinstance(event, Joined):
        return True
    return find_name(event.name, [chair.name for seat, chair in enumerate(state.chairs) if seat != event.seat]) is None


def _fits(
    state: RoomState,
    event: Left | Removed | Closed | Shifted | Readied | Unreadied | Committed | Seeded | Renamed | HandedOver | Paused
    | Unpaused | BotSubstituted | Resumed | Voted | TimedOut | Nudged | Rematched | Followed,
) -> bool:  # fmt: skip
    """True if an event about a seat fits the rest of the table."""
    seats, chair = range(len(state.chairs)), state.chairs[event.seat]
    if isinstance(event, Removed):
        return bool(chair.people or chair.awaited)
    if isinstance(event, Shifted):
        return event.to in seats
    if isinstance(event, Readied | Unreadied):
        unready = isinstance(event, Unreadied)  # logs of one day have it of seats that no line before made ready
        return chair.ready == unready or (unready and state.attempts > 0)
    if isinstance(event, Committed | Seeded):
        return state.setup.dice == "sealed" and not chair.seed and _seeds(state, event)
    if isinstance(event, Renamed):
        names = [other.name for seat, other in enumerate(state.chairs) if seat != event.seat]
        return find_name(event.name, names) is None
    if isinstance(event, Paused | Unpaused):
        return bool(state.paused_at) == isinstance(event, Unpaused)
    if isinstance(event, Voted):
        return event.absent in seats and event.absent != event.seat and state.chairs[event.absent].kind == "person"
    if isinstance(event, TimedOut):
        return event.seat == state.mover and not state.paused_at
    if isinstance(event, Followed):
        return bool(state.rematch) and event.seat not in state.inside
    return not (isinstance(event, Rematched) and state.rematch)


MOST_PHONES = 4
"""Phones that may act for one seat. One more displaces the oldest, but never the first (``Setup.first_stays``)."""


Meanwhile = BotPaceSet | Nudged | Voted | TimedOut | Retimed | Paused | Unpaused
"""Events beside the match: votes, pauses, the clock."""
Between = Rematched | Reopened | Followed | Queued | Unqueued | Admitted | HandedOver | Ruled | Fixed | SealOpened
"""Events about the table or the next match."""
SeatEvent = (
    Sat
    | Shared
    | Joined
    | BotSeated
    | Left
    | Removed
    | Readied
    | Unreadied
    | Committed
    | Seeded
    | Renamed
    | BotSubstituted
    | Resumed
)
"""Events that change who has one seat, or how."""


def apply(kit: Kit, state: RoomState, line: LogLine) -> RoomState:
    """The state after a line of the log. Raises IllegalAction for one that cannot have happened.

    With ``assert_never`` mypy finds an event that is missing here.
    """
    event, at = line.event, line.at
    if not possible(state, event):
        raise IllegalAction("cannot-happen", state=state, action=event)
    match event:
        case Moved():  # first, as nearly all events are moves
            live = state.match
            assert live is not None, "a move is possible only in a match"
            return moved(state, live, event.event, live.table.apply(live.state, event.event), at)
        case Started():
            table, seq = match_of(kit, state), state.seq + 1
            seeds, bound = seeds_and_bound(state)
            turns = none_ended(len(state.chairs)) if state.setup.night else None
            began = replace(state, match=Live(table, table.start()), seeds=seeds, bound=bound, turns=turns)
            return replace(began, seq=seq, at=at, turn_at=at, moved_at=at, layout_version=seq)
        case Closed():
            return _closed(state, event, at)
        case Shifted():
            return _shifted(state, event, at)
        case BotPaceSet() | Nudged() | Voted() | TimedOut() | Retimed() | Paused() | Unpaused():
            return _changed(state, at, _meanwhile(state, event, at))
        case (
            Rematched()
            | Reopened()
            | Followed()
            | Queued()
            | Unqueued()
            | Admitted()
            | HandedOver()
            | Ruled()
            | Fixed()
            | SealOpened()
        ):
            return _changed(state, at, _between(kit, state, event, at))
        case WentOn() | Recognised():
            return _changed(state, at, _known_as(state, event))
        case (
            Sat()
            | Shared()
            | Joined()
            | BotSeated()
            | Left()
            | Removed()
            | Readied()
            | Unreadied()
            | Committed()
            | Seeded()
            | Renamed()
            | BotSubstituted()
            | Resumed()
        ):
            return _seated(state, event, at)
        case _:
            assert_never(event)


def _changed(state: RoomState, at: int, changes: dict[str, Any]) -> RoomState:
    seq = state.seq + 1
    return state.but(**{"seq": seq, "at": at, "layout_version": seq, **changes})


def _meanwhile(state: RoomState, event: Meanwhile, at: int) -> dict[str, Any]:
    """The fields changed by an event beside the match."""
    match event:
        case BotPaceSet():
            return {"pace_ms": event.ms, "layout_version": state.layout_version}
        case Nudged():
            return {"nudged_at": at, "layout_version": state.layout_version}
        case Voted():
            votes = [vote for vote in state.votes if vote[:2] != (event.seat, event.absent)]
            return {"votes": (*votes, (event.seat, event.absent, at))}
        case TimedOut():
            return {"moved_at": at, "timed_out_seat": event.seat}
        case Retimed():
            return {"turn_at": at, "layout_version": state.layout_version}
        case Paused():
            return {"paused_at": max(1, at), "pauses": state.pauses + 1}
        case Unpaused():
            turn, move = (since + max(0, at - max(state.paused_at, since)) for since in (state.turn_at, state.moved_at))
            return {"paused_at": 0, "turn_at": turn, "moved_at": move}
        case _:
            assert_never(event)


def _between(kit: Kit, state: RoomState, event: Between, at: int) -> dict[str, Any]:
    """The fields changed by an event about the table or the next match."""
    match event:
        case Rematched():
            return {"rematch": event.code, "inside": (event.seat,)}
        case Reopened():
            return {"rematch": event.code, "host": event.person}
        case Followed():
            return {"inside": (*state.inside, event.seat), "layout_version": state.layout_version}
        case Queued():
            return {"queue": (*state.queue, (event.person, event.name))}
        case Unqueued():
            queue = tuple([waiting for waiting in state.queue if waiting[0] != event.person])
            return {"queue": queue, "banned": (*state.banned, event.person)}
        case Admitted():
            return {"shut": False}
        case HandedOver():
            return {"host": state.chairs[event.seat].people[0]}
        case Ruled():
            return _ruled(kit, state, event)
        case Fixed():
            header = kit.normalize(RawHeader(rules_of(state)))
            return {"fixed": fixed_header(state, header), "attempts": state.attempts + 1, "fixed_at": at}
        case SealOpened():
            return {"house_seed": event.seed}
        case _:
            assert_never(event)


def _known_as(state: RoomState, event: Elsewhere) -> dict[str, Any]:
    """The fields in which a person is known by another name of theirs, with all that was theirs: seats that are taken
    or kept, the queue, the evening's tally, and a removal.
    """
    before, person, setup = event.before, event.person, state.setup

    def known(people: Iterable[str]) -> tuple[str, ...]:
        return tuple([person if other == before else other for other in people])

    def rows(of: Iterable[Row]) -> tuple[Row, ...]:
        return tuple([replace(row, people=known(row.people)) for row in of])

    expected = tuple([replace(chair, people=known(chair.people)) for chair in setup.expected])
    chairs = [replace(chair, people=known(chair.people), awaited=known(chair.awaited)) for chair in state.chairs]
    seats = [who for chair in chairs for who in (*chair.people, *chair.awaited)]
    # to begin a match takes a seat, which somebody who only looked on has not
    runs = isinstance(event, WentOn) and (person in seats or state.match is not None or not state.people)
    return {
        "setup": replace(
            setup,
            expected=expected,
            evening=rows(setup.evening),
            won=rows(setup.won),
            banned=known(setup.banned),
        ),
        "chairs": tuple(chairs),
        "host": person if runs else known([state.host])[0],
        "banned": known(state.banned),
        "unshared": known(state.unshared),
        "renamed": known(state.renamed),
        "passed_over": tuple([(known([other])[0], attempt) for other, attempt in state.passed_over]),
        "stood_up": known(state.stood_up),
        "queue": tuple([(known([other])[0], name) for other, name in state.queue]),
    }


def _ruled(kit: Kit, state: RoomState, event: Ruled) -> dict[str, Any]:
    """The fields changed by other rules: nobody is ready any more. A new line-up changes none of this match."""
    try:
        setup = with_rules(kit, state.setup, event.rules)
    except BadNotation:
        raise IllegalAction("cannot-happen", state=state, action=event) from None
    if plans_alone(state.setup, setup):
        return {"setup": setup}
    if state.match is not None:
        raise IllegalAction("cannot-happen", state=state, action=event)
    same = setup.seal == state.setup.seal  # a seed is added to one seal: after another the house would know it first
    chairs = [replace(chair, ready=False) for chair in state.chairs]
    if not same:
        chairs = [replace(chair, seed="", digest="") for chair in chairs]
    return {"setup": setup, "chairs": tuple(chairs)}


def match_of(kit: Kit, state: RoomState) -> Table:
    """The match table for the people who sit here, under the setup's rules."""
    header = kit.normalize(RawHeader(rules_of(state)))
    match = replace(kit.match(header), loser_lost=state.setup.loser_lost)
    return Table(match, state.names, state.setup.dice)


def rules_of(state: RoomState) -> dict[str, str]:
    """The fields of the record's header; ``first`` is a name unless Player 1 is drawn.

    With the present names, or with those that were fixed, where dice follow from them.
    """
    setup, names = state.setup, read_fixed(state.fixed).names if state.fixed else state.names
    fields = {**setup.rules, "seats": ", ".join(names)}
    if "first" not in fields and (state.opens or setup.moves_left):
        fields["first"] = names[state.opens % len(names)]
    return fields


_live = maker(Live)


def moved(state: RoomState, live: Live, event: TableEvent, play: TableState, at: int) -> RoomState:
    """The state after an event of the match. live: the match before the event. play: the match table's state after."""
    table, before = live.table, live.state
    seq, rolls, rolled = state.seq + 1, state.rolls, state.rolled
    if isinstance(event, Rolled):
        rolls, rolled = rolls + 1, before.mover
    drawn = event.seat if isinstance(event, Drawn) else state.drawn
    live = _live(table, play)
    dice_version = state.dice_version if isinstance(event, Marked) else seq
    after: dict[str, Any] = {
        "match": live,
        "seq": seq,
        "at": at,
        "moved_at": at,
        "dice_version": dice_version,
        "rolls": rolls,
        "rolled": rolled,
        "drawn": drawn,
    }
    if state.turns is not None and isinstance(event, Drawn | Rolled | Played):
        after["turns"] = state.turns.after(table.match, before.match, event, play.match)
    if not passed_on(before, play):
        return state.but(**after)
    layout_changed = play.match.over != before.match.over or state.timed_out_seat is not None
    layout_version = seq if layout_changed else state.layout_version
    return state.but(**after, turn_at=at, timed_out_seat=None, stood_up=(), layout_version=layout_version)


def _closed(state: RoomState, event: Closed, at: int) -> RoomState:
    """The state without an empty seat; the same person still opens."""
    seat, seq = event.seat, state.seq + 1
    opens = state.opens - (seat < state.opens)
    chairs = state.chairs[:seat] + state.chairs[seat + 1 :]
    after = replace(state, chairs=chairs, opens=opens % max(1, len(chairs)), seq=seq, at=at, layout_version=seq)
    return replace(after, host=_host(after, Chair()))


def _seated(state: RoomState, event: SeatEvent, at: int) -> RoomState:
    seat, seq = event.seat, state.seq + 1
    before = state.chairs if seat < len(state.chairs) else (*state.chairs, Chair())
    loosens = bool(state.fixed) and state.match is None and isinstance(event, Left | Removed | Committed)
    if loosens:
        before = loosened(state)
    chair, votes, banned, unshared = before[seat], state.votes, state.banned, state.unshared
    changed = _chair(chair, event, first_stays=state.setup.first_stays)
    if state.match is not None and not changed.name:
        changed = Chair(chair.name)  # the next event seats a bot here, in the same append
    chairs = (*before[:seat], changed, *before[seat + 1 :])
    if isinstance(event, Removed):
        here = {person for other in chairs for person in other.people}
        banned = (*banned, *[person for person in chair.people or chair.awaited if person not in here])
        unshared = (*unshared, *[person for person in chair.people if person in here and person not in unshared])
    if not isinstance(event, Joined | Renamed):
        votes = tuple(vote for vote in votes if seat not in vote[:2])
    renamed = (*state.renamed, *chair.people[:1]) if isinstance(event, Renamed) else state.renamed
    queue, shut = state.queue, state.shut or (isinstance(event, Removed) and bool(chair.people))
    if isinstance(event, Sat | Joined):
        queue = tuple([waiting for waiting in queue if waiting[0] != event.person])
    layout_version = state.layout_version if isinstance(event, Committed | Seeded) else seq
    after = replace(state, chairs=chairs, votes=votes, banned=banned, seq=seq, at=at, layout_version=layout_version)
    after = replace(after, renamed=renamed, queue=queue, shut=shut, unshared=unshared)
    if loosens:
        after = replace(after, fixed="")
    gives_up = loosens and isinstance(event, Left | Removed)  # else a shared phone holds up with each of its seats
    if gives_up or (isinstance(event, Committed) and event.digest == NO_SEED and state.attempts):
        passed = [(person, state.attempts) for person in chair.people]  # once, also if it has several seats
        after = replace(after, passed_over=tuple(dict.fromkeys((*state.passed_over, *passed))))
    if isinstance(event, Sat | Joined) and state.match is None and state.attempts >= MOST_PASSED:
        late = [(event.person, attempt) for attempt in range(1, MOST_PASSED + 1)]
        after = replace(after, passed_over=tuple(dict.fromkeys((*state.passed_over, *late))))
    if (live := state.match) is not None:
        table = replace(live.table, names=tuple([chair.name for chair in chairs]))
        after = replace(after, match=Live(table, live.state))
        if seat == state.mover and not isinstance(event, Renamed):
            after = replace(after, moved_at=at, turn_at=at if _starts_afresh(state, chair, event) else state.turn_at)
            if isinstance(event, Left | Removed):
                after = replace(after, stood_up=tuple(dict.fromkeys((*state.stood_up, *chair.people))))
    return replace(after, host=_host(after, chairs[seat]))


def _shifted(state: RoomState, event: Shifted, at: int) -> RoomState:
    """The state with the seats in another order; the same person still opens."""
    order = [number for number in range(len(state.chairs)) if number != event.seat]
    order.insert(event.to, event.seat)
    chairs = tuple([state.chairs[number] for number in order])
    opens = order.index(state.opens) if state.setup.moves_left else state.opens
    seq = state.seq + 1
    return replace(state, chairs=chairs, opens=opens, seq=seq, at=at, layout_version=seq)


def _chair(chair: Chair, event: SeatEvent, *, first_stays: bool) -> Chair:
    """A seat's chair after an event about it."""
    match event:
        case Sat() | Shared():
            return Chair(event.name, (event.person,))
        case Joined():
            stays = 1 if first_stays else 0
            others = (*chair.people[stays:], event.person)[stays - MOST_PHONES :]
            return replace(chair, people=(*chair.people[:stays], *others))
        case BotSeated():
            return Chair(event.name, bot=event.bot)
        case BotSubstituted():
            return replace(chair, bot=event.bot, why=event.why)
        case Readied() | Unreadied():
            return replace(chair, ready=isinstance(event, Readied))
        case Committed():
            return replace(chair, digest=event.digest)
        case Seeded():
            return replace(chair, seed=event.seed, digest="" if chair.digest == NO_SEED else chair.digest)
        case Renamed():
            return replace(chair, name=event.name)
        case Resumed():
            return replace(chair, bot="", why="")
        case Left() | Removed():
            return Chair()
        case _:
            assert_never(event)


def _starts_afresh(state: RoomState, chair: Chair, event: SeatEvent) -> bool:
    """True if the mover gets the turn's full time: a newcomer does; one who let a bot play, changed phones, or left
    the seat in this turn and sits down again, not.
    """
    if isinstance(event, Resumed):
        return chair.why == "voted"
    return isinstance(event, Sat) and event.person not in state.stood_up


def _host(state: RoomState, changed: Chair) -> str:
    """The host after a change: the same while seated or awaited, else another phone of theirs, else the first seat."""
    people = state.people
    if state.host in people or not people or state.kept_for(state.host):
        return state.host
    return (changed.people or people)[0]
