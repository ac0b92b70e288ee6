"""Laws of seats, table and rules that no event of a table may break."""

from collections import Counter

from pubdice.core.game import Seat
from pubdice.room import RoomState, Step


def lawful(step: Step) -> None:
    """Laws of seats, table and rules that no event may break."""
    before, after = step.before, step.after
    people = after.people
    assert all(len(set(chair.people)) == len(chair.people) for chair in after.chairs)
    assert not set(people) & set(after.banned)
    named = [name.casefold() for name in after.names if name]
    assert len(set(named)) == len(named)
    assert not people or after.host in people or after.kept_for(after.host)
    growth = len(after.chairs) - len(before.chairs)
    assert growth <= (before.setup.grows and before.match is None), "a chair at a time, while people gather"
    assert before.match is None or not growth
    assert after.seq == before.seq + 1
    assert after.layout_version <= after.seq
    live = after.match
    if live is None:
        assert after.stage == "gathering"
        return
    match, state = live.table.match, live.state.match
    choices = match.legal(state)
    asks = (state.over, bool(match.to_draw(state)), match.to_roll(state) > 0, bool(choices))
    assert sum(asks) == 1, asks
    assert (after.mover is None) == (asks[0] or asks[1])
    assert len(state.tally.points) == len(after.chairs)
    for seat in map(Seat, range(len(after.chairs))):
        locked, free = live.table.hands(live.state.match, seat)
        assert all(1 <= face <= 6 for face in (*locked, *free))
        if state.round is not None and seat in state.order:
            assert len(locked) + len(free) <= _dice(after)
    mover = after.mover
    if mover is not None:
        assert mover in state.order
        assert len(set(live.state.marks)) == len(live.state.marks)
        assert set(live.state.marks) <= set(live.state.trays[mover].free(live.table.hands(live.state.match, mover)[0]))
        _locked_stays(before, after, mover)


def _dice(state: RoomState) -> int:
    """How many dice a seat has at most."""
    assert state.table is not None
    game = state.table.match.game
    return int(game.to_roll(game.start(max(game.least_seats, min(len(state.chairs), game.most_seats)))))


def _locked_stays(before: RoomState, after: RoomState, mover: Seat) -> None:
    """A locked die never changes while the turn goes on and nothing is taken back."""
    was, now = before.match, after.match
    if was is None or now is None:
        return
    event = before.mover == mover and after.turn_at == before.turn_at and now.state.moved == was.state.moved + 1
    if event and was.table.match.turn_ended(was.state.match, now.state.match) is None:
        locked, then = was.table.hands(was.state.match, mover)[0], now.table.hands(now.state.match, mover)[0]
        assert not Counter(locked) - Counter(then) or not then
