"""Mexico with lives for the second time: from the page of rules alone, in fractions. Imports nothing of the house.

Best play is everybody's best for their own chance to be the last one left; of choices that are equally good the first
counts, in the order stop, roll both, keep the 1, keep the 2. The player who was lowest opens the next round; if
that player is out, the lowest of those who stay opens it.

A round in which everybody ties comes again as it was: no other position does. So the value of a match is solved for as
one number per seat, V = A + T·V, where A is what the round decides and T the chance that it comes again; the play
that A and T belong to is the best for V, found by going round until nothing changes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

Dice = tuple[int, int]
Shares = tuple[Fraction, ...]
"""Each seat's chance to be the last one left; then the chance that the round comes again as it was."""
Ends = Callable[[Dice, int], Shares]
"""What follows for all seats if the mover stops with these dice after so many rolls."""

ROLLS: list[Dice] = [(max(pair), min(pair)) for pair in product(range(1, 7), repeat=2)]
"""The 36 ways two dice fall, the higher one first."""
HANDS: list[Dice] = sorted(set(ROLLS))
MOST = 3


def rank(dice: Dice) -> tuple[int, int, int]:
    """What dice count, to be compared: Mexico, then doubles, then two digits."""
    return (2 if dice == (2, 1) else 1 if dice[0] == dice[1] else 0, *dice)


def mean(values: list[tuple[int, Shares]]) -> Shares:
    """The mean of shares, each with its number of ways; what is the same object is added up first."""
    ways: dict[int, int] = {}
    for number, shares in values:
        ways[id(shares)] = ways.get(id(shares), 0) + number
    each, total = {id(shares): shares for _, shares in values}, sum(ways.values())
    columns = zip(*([part * ways[at] for part in shares] for at, shares in each.items()), strict=True)
    return tuple(sum(column, Fraction(0)) / total for column in columns)


@dataclass(frozen=True)
class Standing:
    """Before a round: every seat's lives, who plays it in turn order, and whether Mexico has fallen in its tie."""

    lives: tuple[int, ...]
    order: tuple[int, ...]
    doubled: bool = False


@dataclass
class Naive:
    """Mexico under its house rules. hold: a 1 or a 2 may stay for one roll. lost: lives a round with Mexico costs."""

    hold: bool = False
    lost: int = 1
    known: dict[Standing, tuple[Fraction, ...]] = field(default_factory=dict)
    _ends: dict[tuple[Standing, Standing], Shares] = field(default_factory=dict)

    def match(self, seats: int, lives: int) -> tuple[Fraction, ...]:
        """Every seat's chance in a match, seat 0 opens it."""
        return self.value(Standing((lives,) * seats, tuple(range(seats))))

    def value(self, standing: Standing) -> tuple[Fraction, ...]:
        """Every seat's chance from this standing on."""
        left = [seat for seat, lives in enumerate(standing.lives) if lives]
        if len(left) == 1:
            return tuple(Fraction(seat == left[0]) for seat in range(len(standing.lives)))
        if standing not in self.known:
            guess = tuple(Fraction(seat in left, len(left)) for seat in range(len(standing.lives)))
            while True:
                *decided, again = self.round(standing, guess)
                found = tuple(share / (1 - again) for share in decided)
                if found == guess:
                    break
                guess = found
            self.known[standing] = found
        return self.known[standing]

    def round(self, standing: Standing, guess: tuple[Fraction, ...]) -> Shares:
        """A round, where ``guess`` is what it is worth to play it again."""
        first = standing.order[0]

        def stops(dice: Dice, used: int) -> Shares:
            return self._others(standing, guess, used, (dice,), {})

        return self.turn(first, MOST, stops, guess)

    def _others(
        self,
        standing: Standing,
        guess: tuple[Fraction, ...],
        limit: int,
        fell: tuple[Dice, ...],
        known: dict[tuple[Dice, ...], Shares],
    ) -> Shares:
        """The turns after these; all of them have the opener's number of rolls."""
        if len(fell) == len(standing.order):
            return self._ended(standing, fell)
        if fell not in known:
            mover = standing.order[len(fell)]

            def stops(dice: Dice, used: int) -> Shares:
                return self._others(standing, guess, limit, (*fell, dice), known)

            known[fell] = self.turn(mover, limit, stops, guess)
        return known[fell]

    def turn(self, mover: int, limit: int, stops: Ends, guess: tuple[Fraction, ...]) -> Shares:
        """A turn of at most so many rolls, from its first roll on."""
        known: dict[tuple[Dice, int, int], Shares] = {}
        fresh: dict[int, Shares] = {}
        compared: dict[int, tuple[Fraction, Shares]] = {}

        def worth(shares: Shares) -> Fraction:
            """What the mover compares: its chance, where playing the round again is worth the guess."""
            if id(shares) not in compared:
                compared[id(shares)] = shares[mover] + shares[-1] * guess[mover], shares
            return compared[id(shares)][0]

        def rolled(used: int) -> Shares:
            """What it is worth to roll both dice after so many rolls."""
            if used not in fresh:
                fresh[used] = mean([(ROLLS.count(dice), lies(dice, used + 1, 0)) for dice in HANDS])
            return fresh[used]

        def lies(dice: Dice, used: int, stayed: int) -> Shares:
            """Dice lie there after so many rolls. stayed: the face of the die that has just stayed, 0 for none."""
            if (dice, used, stayed) not in known:
                choices = [stops(dice, used)]
                if used < limit and dice != (2, 1):
                    choices.append(rolled(used))
                    choices += [beside(face, used) for face in self._may_stay(dice, stayed)]
                best = max(range(len(choices)), key=lambda at: (worth(choices[at]), -at))
                known[dice, used, stayed] = choices[best]
            return known[dice, used, stayed]

        def beside(face: int, used: int) -> Shares:
            """What it is worth to keep this die and roll the other."""
            return mean([(1, lies((max(face, other), min(face, other)), used + 1, face)) for other in range(1, 7)])

        return rolled(0)

    def _may_stay(self, dice: Dice, stayed: int) -> list[int]:
        new = list(dice)
        if stayed:
            new.remove(stayed)
        return [face for face in (1, 2) if self.hold and face in new]

    def _ended(self, standing: Standing, fell: tuple[Dice, ...]) -> Shares:
        """The shares once everybody has stopped with these dice."""
        order, lives = standing.order, standing.lives
        ranks = [rank(dice) for dice in fell]
        lowest = [seat for seat, counted in zip(order, ranks, strict=True) if counted == min(ranks)]
        doubled = self.lost > 1 and (standing.doubled or (2, 1) in fell)
        if len(lowest) > 1:
            after = Standing(lives, _from(lowest[0], sorted(lowest)), doubled)
        else:
            lost = self.lost if doubled else 1
            kept = tuple(max(0, have - lost * (seat == lowest[0])) for seat, have in enumerate(lives))
            staying = [(counted, at) for at, counted in enumerate(ranks) if kept[order[at]]]
            opener = order[min(staying)[1]]
            after = Standing(kept, _from(opener, [seat for seat, have in enumerate(kept) if have]))
        if (standing, after) not in self._ends:
            again = (*(Fraction(0) for _ in lives), Fraction(1))
            self._ends[standing, after] = again if after == standing else (*self.value(after), Fraction(0))
        return self._ends[standing, after]


def _from(first: int, seats: list[int]) -> tuple[int, ...]:
    """Seats in turn order from the first of them."""
    at = seats.index(first)
    return (*seats[at:], *seats[:at])
