"""What an event changes at a table with people. Decides nothing, refuses what cannot have happened."""

from dataclasses import replace
from typing import Any

from pubdice.game import BadNotation, IllegalAction
from pubdice.kit import Kit
from pubdice.notation import Header
from pubdice.party.events import (
    Admitted,
    Botted,
    Closed,
    Event,
    Followed,
    HandedOver,
    Joined,
    Left,
    Line,
    Moved,
    Nudged,
    Paced,
    Paused,
    Queued,
    Readied,
    Rematched,
    Removed,
    Renamed,
    Reopened,
    Resumed,
    Ruled,
    Sat,
    Shared,
    Shifted,
    Started,
    StoodIn,
    TimedOut,
    Unpaused,
    Unqueued,
    Unreadied,
    Voted,
)
from pubdice.party.possible import possible
from pubdice.party.setup import with_rules
from pubdice.party.state import Chair, PartyState
from pubdice.record import Drawn, Rolled
from pubdice.table import Event as TableEvent
from pubdice.table import Table, TableState

MOST_PHONES = 4
"""Phones that may act for one seat; the oldest is let go, but never the first (``Setup.first_stays``)."""


Seated = (
    Sat | Shared | Joined | Botted | Left | Removed | Closed | Shifted
    | Readied | Unreadied | Renamed | StoodIn | Resumed
)  # fmt: skip
"""What changes a seat."""


def apply(kit: Kit, state: PartyState, line: Line) -> PartyState:
    """The state after a line of the log. Raises IllegalAction for one that cannot have happened."""
    event, seq = line.event, state.seq + 1
    if not possible(state, event):
        raise IllegalAction("cannot-happen", state=state, action=event)
    if isinstance(event, Moved):
        assert state.table is not None, "moves happen in a match"
        assert state.play is not None, "moves happen in a match"
        return moved(state, event.event, state.table.apply(state.play, event.event), line.at)
    if isinstance(event, Started):
        table = match_of(kit, state)
        began = replace(state, table=table, play=table.start())
        return replace(began, seq=seq, at=line.at, turn_at=line.at, moved_at=line.at, shape=seq)
    facts = _meanwhile(state, event, line.at)
    if facts is None:
        facts = _between(kit, state, event)
    if facts is not None:
        return state.but(**{"seq": seq, "at": line.at, "shape": seq, **facts})
    assert isinstance(event, Seated), "the others are done"
    return _seated(state, event, line.at)


def _meanwhile(state: PartyState, event: Event, at: int) -> dict[str, Any] | None:
    """What an event changes that happens beside the match; None for any other."""
    if isinstance(event, Paced):
        return {"pace_ms": event.ms, "shape": state.shape}
    if isinstance(event, Nudged):
        return {"nudged_at": at, "shape": state.shape}
    if isinstance(event, Voted):
        votes = [vote for vote in state.votes if vote[:2] != (event.seat, event.absent)]
        return {"votes": (*votes, (event.seat, event.absent, at))}
    if isinstance(event, TimedOut):
        return {"moved_at": at, "hurried": event.seat}
    if isinstance(event, Paused):
        return {"paused_at": max(1, at), "pauses": state.pauses + 1}
    if isinstance(event, Unpaused):
        turn, move = (since + max(0, at - max(state.paused_at, since)) for since in (state.turn_at, state.moved_at))
        return {"paused_at": 0, "turn_at": turn, "moved_at": move}
    return None


def _between(kit: Kit, state: PartyState, event: Event) -> dict[str, Any] | None:
    """What an event changes that is about the next match; None for any other."""
    if isinstance(event, Rematched):
        return {"rematch": event.code, "inside": (event.seat,)}
    if isinstance(event, Reopened):
        return {"rematch": event.code, "host": event.person}
    if isinstance(event, Followed):
        return {"inside": (*state.inside, event.seat), "shape": state.shape}
    if isinstance(event, Queued):
        return {"queue": (*state.queue, (event.person, event.name))}
    if isinstance(event, Unqueued):
        queue = tuple([waiting for waiting in state.queue if waiting[0] != event.person])
        return {"queue": queue, "barred": (*state.barred, event.person)}
    if isinstance(event, Admitted):
        return {"shut": False}
    if isinstance(event, HandedOver):
        return {"host": state.chairs[event.seat].people[0]}
    if isinstance(event, Ruled):
        try:
            setup = with_rules(kit, state.setup, event.rules)
        except BadNotation:
            raise IllegalAction("cannot-happen", state=state, action=event) from None
        return {"setup": setup, "chairs": tuple([replace(chair, ready=False) for chair in state.chairs])}
    return None


def match_of(kit: Kit, state: PartyState) -> Table:
    """The match these people play."""
    header = kit.settle(Header(rules_of(state)))
    return Table(kit.match(header), state.names, state.setup.dice)


def rules_of(state: PartyState) -> dict[str, str]:
    """The header's fields, with the names of now; ``first`` by name where nobody is drawn."""
    setup, names = state.setup, state.names
    fields = {**setup.rules, "seats": ", ".join(names)}
    if "first" not in fields and (state.opens or setup.moves_left):
        fields["first"] = names[state.opens % len(names)]
    return fields


def moved(state: PartyState, event: TableEvent, play: TableState, at: int) -> PartyState:
    """The state once an event has made this of the match."""
    assert state.table is not None, "moves happen in a match"
    assert state.play is not None, "moves happen in a match"
    before, mover = state.play, state.table.mover(state.play)
    seq, rolls, rolled = state.seq + 1, state.rolls, state.rolled
    if isinstance(event, Rolled):
        rolls, rolled = rolls + 1, mover
    passed = state.table.mover(play) != mover or state.table.match.finished(before.match, play.match) is not None
    drawn = event.seat if isinstance(event, Drawn) else state.drawn
    after = {"play": play, "seq": seq, "at": at, "moved_at": at, "rolls": rolls, "rolled": rolled, "drawn": drawn}
    if not passed:
        return state.but(**after)
    ended = seq if play.match.over != before.match.over or state.hurried is not None else state.shape
    return state.but(**after, turn_at=at, hurried=None, shape=ended)


def _seated(state: PartyState, event: Seated, at: int) -> PartyState:
    seat, seq = event.seat, state.seq + 1
    if isinstance(event, Closed):
        opens = state.opens - (seat < state.opens)
        chairs = state.chairs[:seat] + state.chairs[seat + 1 :]
        after = replace(state, chairs=chairs, opens=opens % max(1, len(chairs)), seq=seq, at=at, shape=seq)
        return replace(after, host=_host(after, Chair()))
    if isinstance(event, Shifted):
        return _shifted(state, event, at)
    before = state.chairs if seat < len(state.chairs) else (*state.chairs, Chair())
    chair, votes, barred, unshared = before[seat], state.votes, state.barred, state.unshared
    taken = _chair(chair, event, first_stays=state.setup.first_stays)
    if state.play is not None and not taken.name:
        taken = Chair(chair.name)  # until a bot takes it over, at once
    chairs = (*before[:seat], taken, *before[seat + 1 :])
    if isinstance(event, Removed):
        here = {person for other in chairs for person in other.people}
        barred = (*barred, *[person for person in chair.people or chair.awaited if person not in here])
        unshared = (*unshared, *[person for person in chair.people if person in here and person not in unshared])
    if not isinstance(event, Joined | Renamed):
        votes = tuple(vote for vote in votes if seat not in vote[:2])
    renamed = (*state.renamed, *chair.people[:1]) if isinstance(event, Renamed) else state.renamed
    queue, shut = state.queue, state.shut or (isinstance(event, Removed) and bool(chair.people))
    if isinstance(event, Sat | Joined):
        queue = tuple([waiting for waiting in queue if waiting[0] != event.person])
    after = replace(state, chairs=chairs, votes=votes, barred=barred, seq=seq, at=at, shape=seq)
    after = replace(after, renamed=renamed, queue=queue, shut=shut, unshared=unshared)
    if state.table is not None:
        after = replace(after, table=replace(state.table, names=tuple([each.name for each in chairs])))
        if seat == state.mover and not isinstance(event, Renamed):
            after = replace(after, moved_at=at, turn_at=at if _is_anew(chair, event) else state.turn_at)
    return replace(after, host=_host(after, chairs[seat]))


def _shifted(state: PartyState, event: Shifted, at: int) -> PartyState:
    """The seats in another order; who opens, opens."""
    order = [number for number in range(len(state.chairs)) if number != event.seat]
    order.insert(event.to, event.seat)
    chairs = tuple([state.chairs[number] for number in order])
    opens = order.index(state.opens) if state.setup.moves_left else state.opens
    seq = state.seq + 1
    return replace(state, chairs=chairs, opens=opens, seq=seq, at=at, shape=seq)


def _chair(
    chair: Chair,
    event: Sat | Shared | Joined | Botted | Left | Removed | Readied | Unreadied | Renamed | StoodIn | Resumed,
    *,
    first_stays: bool,
) -> Chair:
    if isinstance(event, Sat | Shared):
        return Chair(event.name, (event.person,))
    if isinstance(event, Joined):
        stays = 1 if first_stays else 0
        others = (*chair.people[stays:], event.person)[stays - MOST_PHONES :]
        return replace(chair, people=(*chair.people[:stays], *others))
    if isinstance(event, Botted):
        return Chair(event.name, bot=event.bot)
    if isinstance(event, StoodIn):
        return replace(chair, bot=event.bot, why=event.why)
    if isinstance(event, Readied | Unreadied):
        return replace(chair, ready=isinstance(event, Readied))
    if isinstance(event, Renamed):
        return replace(chair, name=event.name)
    return replace(chair, bot="", why="") if isinstance(event, Resumed) else Chair()


def _is_anew(chair: Chair, event: Seated) -> bool:
    """Whether somebody comes to a turn under way and has all its time: not who gave it away, or took another phone."""
    if isinstance(event, Resumed):
        return chair.why == "voted"
    return not isinstance(event, Joined | StoodIn)


def _host(state: PartyState, changed: Chair) -> str:
    """Who opened the table, while they sit there or are waited for; or else their other phone, or who sits first."""
    people = state.people
    if state.host in people or not people or state.kept_for(state.host):
        return state.host
    return (changed.people or people)[0]
