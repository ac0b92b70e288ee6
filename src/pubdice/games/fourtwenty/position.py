"""Positions of 420 as people tell them, every seat's hand, the mover's first: checked, and what each keep is worth.

Who may not have rolled yet: turns go round from Player 1, so in the first lap the mover and all who come after it up
to the last seat are fresh, and those from Player 1 on up to the mover have rolled. Told from the mover on, fresh
hands are a run at the beginning, then rolled ones from Player 1's; once the mover has rolled before, everybody has.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pubdice.core.dice import Hand, are_faces
from pubdice.core.errors import BadNotation
from pubdice.games.fourtwenty.rules import DICE, GAME, TARGET
from pubdice.solve.hand_race.seat import one_seat
from pubdice.solve.hand_race.solutions import solutions
from pubdice.solve.hand_race.values import keep_values


@dataclass(frozen=True, slots=True)
class KeepValues:
    """``value`` to the mover, and of each legal keep; ``bound`` for every one of them.

    The keeps stand in the rules' order. A seat that has not rolled yet has nothing to choose, and no keeps.
    """

    value: float
    keeps: tuple[tuple[Hand, float], ...]
    bound: float


def advise(
    hands: Sequence[Hand], drinks: bool = False, player_one: int | None = None, folder: Path | None = None
) -> KeepValues:
    """The value of a position and of each keep.

    hands: the mover's first, the others in turn order, ``()`` for a seat that has not rolled. player_one: whose hand
    of these opened the round, by its place among them from 0; where some seat has not rolled it follows from that,
    else it is the mover if not given. It makes a difference in drinks only. Raises BadNotation for what cannot occur.
    """
    one = one_seat(GAME)
    stage, hands = check(hands, player_one)
    solved = solutions(GAME, folder).solved(len(hands), drinks)
    value = float(solved.race.value(stage, [one.kind[hand] for hand in hands])[0])
    keeps = keep_values(one, solved, stage, hands) if hands[0] else ()
    return KeepValues(value, keeps, solved.bound)


def check(hands: Sequence[Hand], player_one: int | None = None) -> tuple[int, tuple[Hand, ...]]:
    """The mover's place counted from Player 1, and the hands sorted. Raises BadNotation.

    Faults: ``hands`` (too few), ``hand-dice``, ``hand-faces``, ``hand-won``, ``hand-order`` (a seat has not rolled,
    but one that comes after it has), ``player-one`` (no such hand), ``player-one-order`` (another hand must have
    opened).
    """
    seats = len(hands)
    if seats < 2:
        raise BadNotation("hands", found=seats, least=2)
    found = tuple(tuple(sorted(hand)) for hand in hands)
    for place, hand in enumerate(found):
        _check_hand(place, hand)
    fresh = next((place for place, hand in enumerate(found) if hand), seats)
    late = next((place for place in range(fresh, seats) if not found[place]), None)
    if late is not None:
        raise BadNotation("hand-order", found=late, fresh=fresh, seats=seats)
    if player_one is not None and not 0 <= player_one < seats:
        raise BadNotation("player-one", found=player_one, least=0, most=seats - 1)
    opened = fresh % seats if fresh or player_one is None else player_one
    if player_one is not None and opened != player_one:
        raise BadNotation("player-one-order", found=player_one, opened=opened, fresh=fresh)
    return -opened % seats, found


def _check_hand(place: int, hand: Hand) -> None:
    if hand and len(hand) != DICE:
        raise BadNotation("hand-dice", found=len(hand), due=DICE, at=place, hand=hand)
    if not are_faces(hand):
        raise BadNotation("hand-faces", found=hand, at=place)
    if sum(hand) == TARGET:
        raise BadNotation("hand-won", found=hand, at=place, total=TARGET)
