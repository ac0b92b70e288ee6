"""420 by Mark Steere (2025), one round: exactly 20 with four dice wins. Each turn rerolls one to four of them.

Source: Steere ("Play", "Object of the game", "Reroll restrictions", "Go over and reset", "Multiplayer 420"). Player 1
and the buyer of the drinks belong to the match.
"""

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from pubdice.core.dice import Hand, hands, rolls, together
from pubdice.core.errors import IllegalAction
from pubdice.core.frozen import maker, quick
from pubdice.core.game import Game, Keep, KeepGame, RoundResult, RoundSeat, Verb, keeps, sorted_roll

DICE = 4
TARGET = 20
FOUNDATION = (0, 5, 10, 15)
"""The least total of the dice that a player keeps, by their number from 0 to 3 (Steere, "Reroll restrictions")."""

WINNING = frozenset([hand for hand in hands(DICE) if sum(hand) == TARGET])
"""All hands with a total of exactly 20. This is a look-up table, because every step checks for a win several times."""


@quick
@dataclass(frozen=True, slots=True)
class RoundState:
    """The state of a round of 420."""

    hands: tuple[Hand, ...]
    """Each seat's four dice, in turn order. A hand is empty before the seat's first roll."""
    mover: RoundSeat
    kept: Hand | None
    """The dice that the mover keeps and does not roll again, perhaps none. None while the mover must choose."""


_round = maker(RoundState)


@cache
def legal_keeps(hand: Hand) -> tuple[Keep, ...]:
    """Return every legal keep of a hand.

    Over 20, the only legal keep has no dice (the reset). Otherwise a keep is legal if its dice make a foundation.

    >>> legal_keeps((6, 6, 6, 6)), legal_keeps((3, 4, 4, 4))
    ((Keep(dice=()),), (Keep(dice=()),))
    >>> [keep.dice for keep in legal_keeps((1, 4, 5, 6))]
    [(), (5,), (6,), (4, 6), (5, 6), (4, 5, 6)]
    """
    if sum(hand) > TARGET:
        return (Keep(()),)
    return tuple(keep for keep in keeps(hand) if len(keep.dice) < DICE and sum(keep.dice) >= FOUNDATION[len(keep.dice)])


@cache
def legal_hands(hand: Hand) -> frozenset[Hand]:
    """Return the dice of each legal keep of a hand. At exactly 20 there is none, because the round is won."""
    return frozenset(keep.dice for keep in legal_keeps(hand)) if sum(hand) != TARGET else frozenset()


@cache
def rolled_beside(kept: Hand) -> dict[Hand, Hand]:
    """Map each roll of the dice not kept to the new hand of four.

    >>> rolled_beside((5, 5, 5))[(4,)]
    (4, 5, 5, 5)
    """
    return {roll: together(kept, roll) for roll, _ in rolls(DICE - len(kept))}


@dataclass(frozen=True, slots=True)
class FourTwenty(KeepGame):
    """The rules of 420. A round has no options, because colours are only names (Steere, "Monocolor 420").

    At least two play, Red and Blue. Steere sets no upper limit.
    """

    least_seats: ClassVar[int] = 2

    def start(self, seats: int) -> RoundState:
        """Return a fresh round: no seat has rolled, and seat 0 moves first."""
        self.check_seats(seats)
        return RoundState(((),) * seats, RoundSeat(0), ())

    def _won(self, state: RoundState) -> bool:
        return state.kept is None and state.hands[state.mover] in WINNING

    def mover(self, state: RoundState) -> RoundSeat | None:
        """Return the seat whose turn it is. Return None once a hand totals exactly 20, because that ends the round."""
        if state.kept is None and state.hands[state.mover] in WINNING:
            return None
        return state.mover

    def to_roll(self, state: RoundState) -> int:
        """Return 4 on a seat's first turn, later the number of dice not kept. A turn has one roll (Steere, "Play")."""
        return 0 if state.kept is None else DICE - len(state.kept)

    def roll(self, state: RoundState, hand: Hand) -> RoundState:
        """Add the rolled dice to the mover's hand. Exactly 20 wins at once.

        Otherwise the next seat becomes the mover.
        """
        new = None if state.kept is None else rolled_beside(state.kept).get(hand)
        if new is None:
            new = together(state.kept or (), sorted_roll(state, hand, self.to_roll(state)))
        mover, lying = state.mover, list(state.hands)
        lying[mover] = new
        if new in WINNING:
            return _round(tuple(lying), mover, None)
        following = (mover + 1) % len(lying)
        return _round(tuple(lying), RoundSeat(following), None if lying[following] else ())

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        """Return the legal keeps. Rerolling all four dice is always legal. After going over it is the only choice."""
        if state.kept is not None:
            return ()
        hand = state.hands[state.mover]
        return () if sum(hand) == TARGET else legal_keeps(hand)

    def play(self, state: RoundState, action: Keep) -> RoundState:
        """Keep these dice. The mover must roll the others next. Raise IllegalAction if the keep is not legal."""
        if state.kept is not None or action.dice not in legal_hands(state.hands[state.mover]):
            self._refuse(state, action)
        return _round(state.hands, state.mover, action.dice)

    def _refuse(self, state: RoundState, action: Keep) -> None:
        if state.kept is not None or self._won(state):
            raise IllegalAction("no-keep", state=state, action=action)
        hand, kept = state.hands[state.mover], action.dice
        if not set(keeps(hand)).issuperset((action,)):
            raise IllegalAction("not-free", state=state, action=action, dice=kept, free=hand)
        if sum(hand) > TARGET:
            raise IllegalAction("reset", state=state, action=action, total=sum(hand))
        if len(kept) == DICE:
            raise IllegalAction("reroll-one", state=state, action=action, free=hand)
        raise IllegalAction(
            "foundation", state=state, action=action, dice=kept, total=sum(kept), least=FOUNDATION[len(kept)], free=hand
        )

    def choose(self, state: RoundState, verb: Verb, kept: Hand) -> Keep:
        """Return the keep of the marked dice.

        Raise IllegalAction for "bank", as each turn must reroll (Steere, "Play").
        """
        if verb == "bank":
            raise IllegalAction("no-bank", state=state, action=verb)
        return Keep(kept)

    def gives_up(self, state: RoundState, action: Keep) -> bool:
        """Return True if the action rerolls all four dice, although some could stay."""
        return not action.dice and len(self.legal(state)) > 1

    def dice(self, state: RoundState, seat: RoundSeat) -> tuple[Hand, Hand]:
        """Return a seat's locked and free dice. No die of 420 is ever locked, and every hand is open.

        After the mover has chosen dice to keep, only those lie there until the others are rolled.
        """
        if seat == state.mover and state.kept is not None:
            return (), state.kept
        return (), state.hands[seat]

    def score(self, state: RoundState, seat: RoundSeat) -> int | None:
        """Return the total of the seat's hand. Return None before the seat's first roll."""
        return sum(state.hands[seat]) or None

    def result(self, state: RoundState) -> RoundResult | None:
        """Return the winner, who has exactly 20, and the totals of all hands. Return None while the round goes on."""
        if state.kept is not None or state.hands[state.mover] not in WINNING:
            return None
        return RoundResult((state.mover,), tuple(map(sum, state.hands)))


GAME = FourTwenty()
"""The only instance that is needed, since 420 has no options."""

IDEAL = 15


def tip(game: Game[RoundState, Keep], state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Choose for the bot Tip, who plays the strategy printed with 420 (Steere, "Strategy").

    A hand is ideal if three of its dice total exactly 15. The fourth then wins with a 5 and goes over only with a 6.
    Tip keeps an ideal three. If every three that Tip may keep totals 16 or more, Tip keeps two instead. But if another
    seat's hand is ideal, there is no time to rebuild, so Tip keeps the lowest three. To build towards 15, Tip keeps the
    two dice closest to 10, or else the one die closest to 5.
    """
    legal = game.legal(state)
    threes = [keep for keep in legal if len(keep.dice) == 3]
    pressed = any(
        _is_ideal(hand) for seat, hand in enumerate(state.hands) if seat != state.mover and sum(hand) <= TARGET
    )
    ideal = [keep for keep in threes if sum(keep.dice) == IDEAL]
    if ideal or (pressed and threes):
        return ((_least(ideal or threes), 1),)
    for size in (2, 1, 3):
        keeps = [keep for keep in legal if len(keep.dice) == size]
        if keeps:
            return ((_least(keeps), 1),)
    return ((legal[0], 1),)


def _is_ideal(hand: tuple[int, ...]) -> bool:
    return any(len(keep.dice) == 3 and sum(keep.dice) == IDEAL for keep in legal_keeps(hand))


def _least(keeps: list[Keep]) -> Keep:
    return min(keeps, key=lambda keep: sum(keep.dice))
