"""The lines of Midnight's card as a policy, read from the top as the card prints them.

Each line adds dice to those kept: ``take`` the needed ones, the ``fits`` that leave dice to roll, ``highest`` if
nothing is kept so far, and at last the fits that end the turn. Until both needed dice are kept ``one`` lets no more
than one die be kept in a roll. ``stop`` and ``six`` are for the last seat of a round, which knows the score to
beat, and go before all others. What the lines leave open is decided by chance: any one die. A test reads the
printed words back as a policy and compares it with this one.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

from pubdice.advice.card import LineNames
from pubdice.core.dice import Hand, together
from pubdice.core.game import Keep
from pubdice.games.midnight.rules import DICE, Midnight, RoundState, lacking

Weighted = tuple[tuple[Keep, int], ...]
ALWAYS = DICE


@dataclass(frozen=True, slots=True)
class HandPattern:
    """Dice of a face are kept if at most ``left`` dice are left to roll then; ``single``: and only if there is one.

    ``left`` is ``ALWAYS`` for no limit, and 0 for dice that end the turn.
    """

    face: int
    left: int
    single: bool = False

    @property
    def name(self) -> str:
        """The name of its line."""
        return f"fit {self.face}"


@dataclass(frozen=True, slots=True)
class Six:
    """With the leader at ``score`` or more and ``dice`` or more to choose from: one 6, and nothing else."""

    score: int
    dice: int


@dataclass(frozen=True)
class CardLines:
    """The lines in force.

    take: keep a needed die when it falls. one: until both are kept, one die a roll. fits: from the highest face down.
    highest: the highest die if nothing else is kept. stop: keep all as soon as that wins. left_out: the lines of these
    names are ignored.
    """

    fits: tuple[HandPattern, ...] = ()
    six: Six | None = None
    left_out: LineNames = frozenset()

    def __call__(self, game: Midnight, state: RoundState) -> Weighted:
        """The lines as a policy (``policy.Policy``): their keeps, weighted if they leave a choice."""
        beat = max(state.scores) if state.scores and len(state.scores) == state.seats - 1 else None
        return self.keep(game, state.locked, state.free, beat)

    def keep(self, game: Midnight, locked: Hand, free: Hand, beat: int | None) -> Weighted:
        """Their keeps; ``beat``: the best score so far, for a seat that plays last."""
        if beat is not None:
            wins = game.worth(together(locked, free)) > beat
            if wins and "stop" not in self.left_out:
                return ((Keep(free), 1),)
            six = self.six if "six" not in self.left_out else None
            if six and not wins and beat >= six.score and len(free) >= six.dice and 6 in free:
                return ((Keep((6,)), 1),)
        missing = lacking(locked, game.need)
        found = self._turn.get((missing, free))
        if found is None:
            found = self._turn[missing, free] = _kept(self, missing, free)
        return found

    @cached_property
    def _turn(self) -> dict[tuple[Hand, Hand], Weighted]:
        """The keeps of the lines of a turn, remembered; lines that differ in those of the last seat alone share it."""
        return _remembered(self.fits, self.left_out - {"stop", "six"})


@lru_cache(maxsize=256)
def _remembered(fits: tuple[HandPattern, ...], left_out: LineNames) -> dict[tuple[Hand, Hand], Weighted]:
    return {}


def _kept(lines: CardLines, missing: Hand, free: Hand) -> Weighted:
    keep = [face for face in missing if face in free] if "take" not in lines.left_out else []
    rest = list(free)
    for face in keep:
        rest.remove(face)
    most = 1 if "one" not in lines.left_out and len(keep) < len(missing) else len(free)
    fits = [fit for fit in lines.fits if fit.name not in lines.left_out]
    for fit in fits:
        if fit.left:
            _add(fit, keep, rest, most)
    if not keep and "highest" in lines.left_out:
        return tuple((Keep((face,)), free.count(face)) for face in sorted(set(free)))
    if not keep:
        keep.append(rest.pop(rest.index(max(rest))))
    for fit in fits:
        if not fit.left:
            _add(fit, keep, rest, most)
    return ((Keep(tuple(sorted(keep))), 1),)


def _add(fit: HandPattern, keep: list[int], rest: list[int], most: int) -> None:
    """Keep the dice that fit, out of those not kept yet."""
    times = min(rest.count(fit.face), most - len(keep))
    if times > 0 and len(rest) - times <= fit.left and not (fit.single and rest.count(fit.face) > 1):
        for _ in range(times):
            rest.remove(fit.face)
        keep += [fit.face] * times
