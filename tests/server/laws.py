"""Laws of seats, table and rules that no event of a table may break."""

from collections import Counter

from pubdice.game import Seat
from pubdice.party import PartyState, Step


def lawful(step: Step) -> None:
    """Laws of seats, table and rules that no event may break."""
    before, after = step.before, step.after
    people = after.people
    assert all(len(set(chair.people)) == len(chair.people) for chair in after.chairs)
    assert not set(people) & set(after.barred)
    named = [name.casefold() for name in after.names if name]
    assert len(set(named)) == len(named)
    assert not people or after.host in people or after.kept_for(after.host)
    growth = len(after.chairs) - len(before.chairs)
    assert growth <= (before.setup.grows and before.play is None), "a chair at a time, while people gather"
    assert before.play is None or not growth
    assert after.seq == before.seq + 1
    assert after.shape <= after.seq
    if after.table is None or after.play is None:
        assert after.stage == "gathering"
        return
    match, state = after.table.match, after.play.match
    choices = match.legal(state)
    asks = (state.over, bool(match.to_draw(state)), match.to_roll(state) > 0, bool(choices))
    assert sum(asks) == 1, asks
    assert (after.mover is None) == (asks[0] or asks[1])
    assert len(state.tally.points) == len(after.chairs)
    for seat in map(Seat, range(len(after.chairs))):
        locked, free = after.table.hands(after.play, seat)
        assert all(1 <= face <= 6 for face in (*locked, *free))
        if state.round is not None and seat in state.order:
            assert len(locked) + len(free) <= _dice(after)
    mover = after.mover
    if mover is not None:
        assert mover in state.order
        assert len(set(after.play.marks)) == len(after.play.marks)
        assert set(after.play.marks) <= set(after.play.trays[mover].free(after.table.hands(after.play, mover)[0]))
        _locked_stays(before, after, mover)


def _dice(state: PartyState) -> int:
    """How many dice a seat has at most."""
    assert state.table is not None
    game = state.table.match.game
    return int(game.to_roll(game.start(max(game.least_seats, min(len(state.chairs), game.most_seats)))))


def _locked_stays(before: PartyState, after: PartyState, mover: Seat) -> None:
    """A locked die never changes while the turn goes on and nothing is taken back."""
    if before.table is None or before.play is None or after.table is None or after.play is None:
        return
    event = before.mover == mover and after.turn_at == before.turn_at and after.play.moved == before.play.moved + 1
    if event and before.table.match.finished(before.play.match, after.play.match) is None:
        was, now = before.table.hands(before.play, mover)[0], after.table.hands(after.play, mover)[0]
        assert not Counter(was) - Counter(now) or not now
