"""The state after an event. Decides nothing, and refuses an event that cannot have happened there."""

from dataclasses import replace
from typing import Any, assert_never

from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.frozen import maker
from pubdice.core.seal import NO_SEED
from pubdice.kit import Kit
from pubdice.match.notation import RawHeader
from pubdice.match.record import Drawn, Played, Rolled
from pubdice.match.sealed_record import read_fixed
from pubdice.match.slots import none_ended
from pubdice.match.table import Marked, Table, TableEvent, TableState, passed_on
from pubdice.room.events import (
    Admitted,
    BotPaceSet,
    BotSeated,
    BotSubstituted,
    Closed,
    Committed,
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
)
from pubdice.room.line_up import plans_alone
from pubdice.room.sealing import fixed_header, loosened, seeds_and_bound
from pubdice.room.setup_line import with_rules
from pubdice.room.state import Chair, Live, RoomState
from pubdice.room.transitions import possible

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
    return state.but(**after, turn_at=at, timed_out_seat=None, layout_version=layout_version)


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
    if isinstance(event, Committed) and event.digest == NO_SEED and state.attempts:
        passed = [(person, state.attempts) for person in chair.people]  # once, also if it has several seats
        after = replace(after, passed_over=tuple(dict.fromkeys((*state.passed_over, *passed))))
    if (live := state.match) is not None:
        table = replace(live.table, names=tuple([chair.name for chair in chairs]))
        after = replace(after, match=Live(table, live.state))
        if seat == state.mover and not isinstance(event, Renamed):
            after = replace(after, moved_at=at, turn_at=at if _starts_afresh(chair, event) else state.turn_at)
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


def _starts_afresh(chair: Chair, event: SeatEvent) -> bool:
    """Whether the mover gets the turn's full time: a newcomer does; one who let a bot play, or changed phones, not."""
    if isinstance(event, Resumed):
        return chair.why == "voted"
    return not isinstance(event, Joined | BotSubstituted)


def _host(state: RoomState, changed: Chair) -> str:
    """The host after a change: the same while seated or awaited, else another phone of theirs, else the first seat."""
    people = state.people
    if state.host in people or not people or state.kept_for(state.host):
        return state.host
    return (changed.people or people)[0]
