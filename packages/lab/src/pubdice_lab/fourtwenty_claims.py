"""Mark Steere's printed advice about 420, judged by exact numbers.

The cost of a keep is the value of the best keep less its own value. A value is the chance to win a race of two if both
play best. A claim about one position is judged in that position. General advice is judged in every position that it
covers.
"""

from collections.abc import Iterator
from functools import cache

from pubdice.core.dice import Hand, digits
from pubdice.games.fourtwenty.rules import FOUNDATION, GAME
from pubdice.solve.numerics import NOTHING, first_best
from pubdice.solve.race.races import values_of_two
from pubdice.solve.race.seat import one_seat
from pubdice.solve.race.solutions import solutions
from pubdice.solve.race.sweep import table
from pubdice_lab.claims import Claim, per_cent

STRATEGY = 'Steere, "Strategy"'
IDEAL, ACE, LATE = (1, 4, 5, 6), (1, 5, 5, 6), (2, 3, 3, 4)


def _in_position(quote: str, other: Hand, kept: Hand, rival: Hand) -> Claim:
    values = values_of_two(GAME, ACE, other)
    best = first_best(values, values.__getitem__)
    kept_told, rival_told = _told(kept), _told(rival)
    won, lost = per_cent(values[kept]), per_cent(values[rival])
    lead, cost = per_cent(values[kept] - values[rival]), per_cent(values[best] - values[kept])
    then = f"is the best keep, by {lead}" if kept == best else f"costs {cost}"
    return Claim(
        STRATEGY,
        quote,
        f"the keeps of {_told(ACE)} against {_told(other)}, the mover to roll, by their chance to win the race",
        (("race of two", max(0.0, values[best] - values[kept])),),
        f"Keeping {kept_told} wins {won}, keeping {rival_told} {lost}; it {then}.",
    )


def _told(hand: Hand) -> str:
    return "(" + ", ".join(digits(hand)[::-1]) + ")"


def positions() -> Iterator[tuple[Hand, Hand, dict[Hand, float]]]:
    """Yield each pair of an own hand with a choice and another seat's hand, with the values of the keeps.

    Of the other hands, one of each kind is taken. Hands are of one kind if the rest of a race is the same after
    each of them.
    """
    one = one_seat(GAME)
    shown = {kind: hand for hand, kind in one.kind.items() if hand}
    for own, offered in one.keeps.items():
        if own and len(offered) > 1:
            for other in shown.values():
                yield own, other, values_of_two(GAME, own, other)


def _ideal() -> Claim:
    costs, margins = [], []
    for _, _, values in positions():
        ideal = [keep for keep in values if len(keep) == 3 and sum(keep) == FOUNDATION[3]]
        if ideal:
            best = max(values.values())
            costs.append(best - max(values[keep] for keep in ideal))
            margins.append(best - max(value for keep, value in values.items() if keep not in ideal))
    return Claim(
        STRATEGY,
        "Three dice of 15 are ideal: hold them and reroll the fourth.",
        "three dice of exactly 15 are kept, in every position where there are such",
        (("race of two", max(0.0, *costs)),),
        f"It is the best keep in all {len(costs)} of them (a hand against a kind of hand); the next best costs between "
        f"{per_cent(min(margins))} and {per_cent(max(margins))}.",
    )


def looks(seats: int) -> tuple[float, Hand]:
    """Return the most that a mover in a race gains by looking at the other hands, and a hand that gains that much.

    Q(o, rest) is the mover's value of the action o against the other hands ``rest``. The action b is the best on
    average over ``rest``, where all kinds of hands count equally. The gain is the maximum over all positions of (max
    over o of Q(o, rest)) - Q(b, rest).
    """
    race = solutions(GAME, None).solved(seats, drinks=False).race
    rules, kinds = table(race.automaton), race.automaton.kinds
    following = race.values[0, seats - 1].reshape(-1, kinds)
    own = rules.move @ following.T + rules.win[:, None]
    gains = []
    for choices in rules.choices:
        offered = own[choices]
        blind = offered[int(offered.mean(axis=1).argmax())]
        gains.append(float((offered.max(axis=0) - blind).max()))
    most = gains.index(max(gains))
    return gains[most], next(hand for hand, kind in one_seat(GAME).kind.items() if kind == most)


def _balance() -> Claim:
    gains = {seats: looks(seats) for seats in (2, 3, 4)}
    calls = [(sorted(values.values())[-2:], own, other) for own, other, values in positions()]
    (second, first), own, other = first_best(calls, lambda call: call[0][0] - call[0][1], same=NOTHING)
    gain, hand = gains[4]
    return Claim(
        STRATEGY,
        "How much to risk depends on how good the other hand is.",
        "whether the best keep changes with the hands of the others, in races of two, three and four players",
        (),
        "With two players and with three, the best keep is the same whatever the others hold. With four it is not, for "
        f"hands such as {_told(hand)}; looking at the others is then worth up to {per_cent(gain)} of the race. The "
        f"closest call of a race of two is {_told(own)} against {_told(other)}: {per_cent(first - second)} between the "
        "best two keeps.",
        tuple((f"race of {seats}", gain > NOTHING) for seats, (gain, _) in gains.items()),
    )


@cache
def of_420() -> tuple[Claim, ...]:
    """Return the claims, in the order in which Steere makes them."""
    return (
        _balance(),
        _ideal(),
        _in_position("(6, 5, 5, 1) against (6, 5, 4, 1): reroll the 1 alone.", IDEAL, (5, 5, 6), (5, 5)),
        _in_position(
            "(6, 5, 5, 1) against (4, 3, 3, 2): there is time to reroll the 6 as well.", LATE, (5, 5), (5, 5, 6)
        ),
    )
