"""Ship, Captain and Crew, one round: find a 6, a 5 and a 4, in this order. The other two dice are the cargo.

Sources: the encyclopedia's article ("Rules"), Bicycle's page ("The Play") and the Dice Pages' *Captain & Crew*.
docs/games/index.md says where to find them.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal, cast

from pubdice.core.dice import Hand, subhands, together, without
from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep, RoundSeat, RoundState, TurnGame, Verb

DICE, ROLLS, BEST = 5, 3, 12
CREW = (6, 5, 4)
"""The faces of ship, captain and crew, in the order in which a seat must find them."""
Cargo = Literal["together", "single", "stays"]
Boxcars = Literal["no", "yes"]


@cache
def aboard(locked: Hand) -> Hand:
    """Return ship, captain and crew (a 6, a 5, a 4) as far as they are among the locked dice.

    >>> aboard((4, 5, 6, 6)), aboard((6,))
    ((4, 5, 6), (6,))
    """
    return tuple(sorted(face for face in CREW if face in locked))


@cache
def comes_aboard(locked: Hand, free: Hand) -> Hand:
    """Return the free dice that become ship, captain or crew now. A roll may bring all three.

    A 5 comes aboard only after or with a 6, a 4 only after or with both.

    >>> comes_aboard((), (3, 4, 5, 6, 6)), comes_aboard((6,), (1, 2, 3, 4))
    ((4, 5, 6), ())
    """
    found: list[int] = []
    for face in CREW[len(aboard(locked)) :]:
        if face not in free:
            break
        found.append(face)
    return tuple(sorted(found))


@dataclass(frozen=True, slots=True)
class Ship(TurnGame):
    """The rules of Ship, Captain and Crew under one choice of options.

    A turn has up to three rolls. A 6, a 5 and a 4 stay as soon as they fall, but a 5 needs a 6 before it or beside it,
    and a 4 needs both. The score is the sum of the other two dice, or 0 without all three (the encyclopedia, "Rules").
    If the rules force a keep, it is a decision with one legal action. At the last roll all dice stay as they fall.
    """

    number_of_dice: ClassVar[int] = DICE
    one_turn_each: ClassVar[bool] = True
    cargo: Cargo = "together"
    """The cargo dice that may be rolled again, once ship, captain and crew are aboard and rolls are left.

    - ``together``: both or none (Bicycle, "The Play", and the Dice Pages).
    - ``single``: each by itself. A die that was held may be rolled again later (the app).
    - ``stays``: none (Our Pastimes, the gamester).
    """
    boxcars: Boxcars = "no"
    """``yes`` if a cargo of 6 6 wins the round at once. The seats after it do not roll (the Dice Pages:

    "an automatic").
    """

    @classmethod
    def chosen(cls, options: Mapping[str, str]) -> "Ship":
        """Return the rules for the options. ``options`` maps an option's key to its choice."""
        return cls(cast("Cargo", options["cargo"]), cast("Boxcars", options["boxcars"]))

    def worth(self, hand: Hand) -> int:
        """Return the cargo's sum, 2 to 12. Without ship, captain and crew it is 0.

        >>> Ship().worth((1, 2, 4, 5, 6)), Ship().worth((1, 4, 4, 6, 6))
        (3, 0)
        """
        return sum(hand) - sum(CREW) if set(CREW) <= set(hand) else 0

    def roll(self, state: RoundState, hand: Hand) -> RoundState:
        """Put the rolled dice on the table as free dice. Cargo that was held becomes free too."""
        fallen, crew = self.rolled(state, hand), aboard(state.locked)
        return RoundState(
            state.seats, state.scores, crew, together(without(state.locked, crew), fallen), state.rolls + 1
        )

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        """Return the legal keeps. If all dice are kept, the turn ends. Otherwise the other dice are rolled again."""
        return _legal(self.cargo, state.locked, state.free, state.rolls) if state.free else ()

    def play(self, state: RoundState, action: Keep) -> RoundState:
        """Set the kept dice aside. If all dice are kept, score the turn and pass to the next seat."""
        if action not in self.legal(state):
            self._refuse(state, action)
        locked = together(state.locked, action.dice)
        if len(locked) < DICE:
            return RoundState(state.seats, state.scores, locked, (), state.rolls)
        return self.scored(state, locked)

    def scored(self, state: RoundState, hand: Hand) -> RoundState:
        """Score the mover's final hand and pass to the next seat.

        If boxcars win, each seat after it scores 0 unplayed.
        """
        score = self.worth(hand)
        after = state.seats - len(state.scores) - 1 if self.wins_at_once(score) else 0
        return RoundState(state.seats, (*state.scores, score, *(0,) * after))

    def wins_at_once(self, score: int) -> bool:
        """Return True for a cargo of 6 6, if boxcars win."""
        return score == BEST and self.boxcars == "yes"

    def _refuse(self, state: RoundState, action: Keep) -> None:
        kept, crew = action.dice, comes_aboard(state.locked, state.free)
        if not state.free:
            raise IllegalAction("no-keep", state=state, action=action)
        if kept not in subhands(state.free):
            raise IllegalAction("not-free", state=state, action=action, dice=kept, free=state.free)
        if Keep(state.free) in self.legal(state) and len(self.legal(state)) == 1:
            raise IllegalAction("all-stay", state=state, action=action, free=state.free)
        if crew not in subhands(kept):
            raise IllegalAction("crew-stays", state=state, action=action, dice=crew)
        found = len(state.locked) + len(crew)
        if found < len(CREW):
            raise IllegalAction("crew-first", state=state, action=action, face=CREW[found])
        raise IllegalAction("cargo-together", state=state, action=action)

    def choose(self, state: RoundState, verb: Verb, kept: Hand) -> Keep:
        """Return the keep for a key. "bank" keeps all dice and ends the turn. "roll" keeps the marked cargo.

        Ship, captain and crew stay without a mark.
        """
        legal = self.legal(state)
        if not legal:
            raise IllegalAction("no-keep", state=state, action=verb)
        if len(legal) == 1 or kept not in subhands(state.free):
            return legal[0] if len(legal) == 1 else Keep(kept)
        if verb == "bank":
            return Keep(state.free)
        crew = comes_aboard(state.locked, state.free)
        marked = without(kept, crew) if crew in subhands(kept) else kept
        held = Counter(marked) & Counter(without(state.free, crew))
        return Keep((*crew, *held.elements()))

    def dice(self, state: RoundState, seat: RoundSeat) -> tuple[Hand, Hand]:
        """Return a seat's locked and free dice. Ship, captain and crew are locked.

        Cargo is free, even if it was held.
        """
        if seat != len(state.scores):
            return (), ()
        crew = aboard(state.locked)
        return crew, together(without(state.locked, crew), state.free)


@cache
def _legal(cargo: Cargo, locked: Hand, free: Hand, rolls: int) -> tuple[Keep, ...]:
    crew = comes_aboard(locked, free)
    complete = len(locked) + len(crew) == len(CREW)
    if rolls == ROLLS or (complete and cargo == "stays"):
        return (Keep(free),)
    if not complete:
        return (Keep(crew),)
    held = subhands(without(free, crew))
    return tuple(Keep((*crew, *part)) for part in held if cargo == "single" or len(part) != 1)


ENOUGH, HIGH = 8, 5


def tip(game: Ship, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Choose for the bot Tip: stop with a cargo of 8 or more that at least ties the best score. As the last seat, Tip
    stops as soon as it leads.

    The 8 is from dice.toys ("Ship, Captain, Crew"), whose bot rolls a lower cargo again. If each cargo die may be
    rolled by itself, Tip holds each 5 and 6.
    """
    legal = game.legal(state)
    if len(legal) == 1:
        return ((legal[0], 1),)
    best, cargo = max(state.scores, default=0), game.worth(together(state.locked, state.free))
    wins = len(state.scores) == state.seats - 1 and cargo > best and state.seats > 1
    if wins or cargo >= max(ENOUGH, best):
        return ((Keep(state.free), 1),)
    crew = comes_aboard(state.locked, state.free)
    held = [face for face in without(state.free, crew) if face >= HIGH and game.cargo == "single"]
    return ((Keep((*crew, *held)), 1),)
