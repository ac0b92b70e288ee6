"""What an event changes at a table with people. Decides nothing, refuses what cannot have happened."""

from dataclasses import replace

from pubdice.game import IllegalAction
from pubdice.kit import Kit
from pubdice.notation import Header
from pubdice.party.events import (
    Botted,
    Closed,
    Joined,
    Left,
    Line,
    Moved,
    Nudged,
    Paced,
    Rematched,
    Removed,
    Resumed,
    Sat,
    Started,
    StoodIn,
    TimedOut,
    Voted,
)
from pubdice.party.possible import possible
from pubdice.party.state import Chair, PartyState
from pubdice.record import Rolled
from pubdice.table import Event as TableEvent
from pubdice.table import Table, TableState

MOST_PHONES = 4
"""Phones that may act for one seat; the oldest is let go."""


def apply(kit: Kit, state: PartyState, line: Line) -> PartyState:
    """The state after a line of the log. Raises IllegalAction for one that cannot have happened."""
    event, seq = line.event, state.seq + 1
    if not possible(state, event):
        raise IllegalAction("cannot-happen", state=state, action=event)
    if isinstance(event, Moved):
        assert state.table is not None, "moves happen in a match"
        assert state.play is not None, "moves happen in a match"
        return moved(state, event.event, state.table.apply(state.play, event.event), line.at)
    if isinstance(event, Paced):
        return replace(state, pace_ms=event.ms, seq=seq, at=line.at)
    if isinstance(event, Nudged):
        return replace(state, seq=seq, at=line.at, nudged_at=line.at)
    if isinstance(event, Rematched):
        return replace(state, seq=seq, at=line.at, rematch=event.code, shape=seq)
    if isinstance(event, Voted):
        votes = [vote for vote in state.votes if vote[:2] != (event.seat, event.absent)]
        return replace(state, seq=seq, at=line.at, votes=(*votes, (event.seat, event.absent, line.at)), shape=seq)
    if isinstance(event, TimedOut):
        return replace(state, seq=seq, at=line.at, moved_at=line.at, hurried=event.seat, shape=seq)
    if isinstance(event, Started):
        table = match_of(kit, state)
        began = replace(state, table=table, play=table.start())
        return replace(began, seq=seq, at=line.at, turn_at=line.at, moved_at=line.at, shape=seq)
    return _seated(state, event, line.at)


def match_of(kit: Kit, state: PartyState) -> Table:
    """The match these people play."""
    header = kit.settle(Header(rules_of(state)))
    return Table(kit.match(header), state.names, state.setup.dice)


def rules_of(state: PartyState) -> dict[str, str]:
    """The header's fields, with the names of now; ``first`` by name where nobody is drawn."""
    setup, names = state.setup, state.names
    fields = {**setup.rules, "seats": ", ".join(names)}
    if "first" not in fields and setup.opens:
        fields["first"] = names[setup.opens % len(names)]
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
    after = {"play": play, "seq": seq, "at": at, "moved_at": at, "rolls": rolls, "rolled": rolled}
    if not passed:
        return state.but(**after)
    ended = seq if play.match.over != before.match.over or state.hurried is not None else state.shape
    return state.but(**after, turn_at=at, hurried=None, shape=ended)


def _seated(
    state: PartyState, event: Sat | Joined | Botted | Left | Removed | Closed | StoodIn | Resumed, at: int
) -> PartyState:
    seat, seq = event.seat, state.seq + 1
    chair, votes, barred = state.chairs[seat], state.votes, state.barred
    if isinstance(event, Closed):
        return replace(state, chairs=state.chairs[:seat] + state.chairs[seat + 1 :], seq=seq, at=at, shape=seq)
    if isinstance(event, Removed):
        barred = (*barred, *chair.people)
    if not isinstance(event, Joined):
        votes = tuple(vote for vote in votes if seat not in vote[:2])
    taken = _chair(chair, event)
    if state.play is not None and not taken.name:
        taken = Chair(chair.name)  # until a bot takes it over, at once
    chairs = (*state.chairs[:seat], taken, *state.chairs[seat + 1 :])
    after = replace(state, chairs=chairs, votes=votes, barred=barred, seq=seq, at=at, shape=seq)
    if state.table is not None:
        after = replace(after, table=replace(state.table, names=tuple([each.name for each in chairs])))
        if seat == state.mover:
            after = replace(after, moved_at=at, turn_at=at if _is_anew(chair, event) else state.turn_at)
    return replace(after, host=_host(after, chairs[seat]))


def _chair(chair: Chair, event: Sat | Joined | Botted | Left | Removed | StoodIn | Resumed) -> Chair:
    if isinstance(event, Sat):
        return Chair(event.name, (event.person,))
    if isinstance(event, Joined):
        return replace(chair, people=(*chair.people, event.person)[-MOST_PHONES:])
    if isinstance(event, Botted):
        return Chair(event.name, bot=event.bot)
    if isinstance(event, StoodIn):
        return replace(chair, bot=event.bot, why=event.why)
    return replace(chair, bot="", why="") if isinstance(event, Resumed) else Chair()


def _is_anew(chair: Chair, event: Sat | Joined | Botted | Left | Removed | StoodIn | Resumed) -> bool:
    """Whether somebody comes to a turn under way and has all its time: not who gave it away, or took another phone."""
    if isinstance(event, Resumed):
        return chair.why == "voted"
    return not isinstance(event, Joined | StoodIn)


def _host(state: PartyState, changed: Chair) -> str:
    """Who opened the table, while they sit there or nobody does; or else their other phone, or whoever sits first."""
    people = state.people
    return state.host if state.host in people or not people else (changed.people or people)[0]
