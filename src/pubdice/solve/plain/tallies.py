"""What a standing is known by, how seats are laid out, what they play for; asked of ``Match`` alone. Needs no numpy.

See ``standings`` for what a standing is.
"""

from typing import Any

from pubdice.core.game import Seat
from pubdice.match.formats import Tally
from pubdice.match.match import Match, MatchState
from pubdice.solve.solver import score_alone

Gained = tuple[float, ...]


def round_the_table(state: MatchState[Any]) -> tuple[Seat, ...]:
    """The seats that are in, from the opener round the table, and then those that are out, as they left."""
    still_in, opener = state.tally.still_in, state.order[0]
    turn = still_in.index(opener)
    return (*still_in[turn:], *still_in[:turn], *state.tally.out)


def seats_of(state: MatchState[Any]) -> tuple[Seat, ...]:
    """The seats by column: in turn order those who play, then those who rest, then those who are out."""
    return (*state.order, *[seat for seat in round_the_table(state) if seat not in state.order])


def where(before: MatchState[Any], after: MatchState[Any]) -> tuple[int, ...]:
    """The column after a round of every seat, by its column before."""
    columns = seats_of(after)
    return tuple([columns.index(seat) for seat in seats_of(before)])


def tally_of(match: Match[Any, Any], state: MatchState[Any]) -> Tally:
    """What the standing of a state is known by."""
    form, tally, seats = match.format, state.tally, round_the_table(state)
    place = {seat: Seat(at) for at, seat in enumerate(seats)}
    points = (0,) * match.seats if form.stake else tuple([tally.points[seat] for seat in seats])
    out, resting = (tuple([place[seat] for seat in some]) for some in (tally.out, tally.resting))
    return Tally(min(tally.rounds, form.rounds_planned), points, tally.pot, out, resting)


def hanging(match: Match[Any, Any], state: MatchState[Any]) -> int:
    """For how many rounds in a row the pot has been hanging; 0 where nobody stakes anything."""
    stake = match.format.stake
    return state.tally.pot // (stake * match.seats) - 1 if stake else 0


def prizes(match: Match[Any, Any], tally: Tally) -> Gained:
    """What a match that is over with this tally was worth to every seat, where no chips are played for.

    An equal share of the match for every champion; where the last one left loses, 1 for all others.
    """
    champions = match.format.champions(tally)
    parts = 1 if match.format.prize == "leaving" else len(champions)
    return tuple([(seat in champions) / parts if champions else 0.0 for seat in range(match.seats)])


def maximised(match: Match[Any, Any]) -> str:
    """What each seat plays for, in a few words, such as "share of the match"."""
    if match.seats == 1:
        return score_alone(match.game.lowest_wins)
    if match.format.stake:
        return "chips"
    return "chance of not buying" if match.format.prize == "leaving" else "share of the match"
