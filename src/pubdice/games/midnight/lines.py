"""A few lines for a person to play Midnight by, as a policy: whichever lines are in force say together what to keep.

Until the needed pair is in hand ``take`` and ``one`` speak, from then on the ``fits``; ``highest`` where nothing else
does. ``stop`` and ``six`` are for the last seat of a round, which knows the score to beat. What the lines do not settle
is settled by chance: any one die.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from pubdice.dice import Hand, together
from pubdice.game import Game, Keep
from pubdice.games.midnight.rules import Midnight, Turns, lacking

Weighted = tuple[tuple[Keep, int], ...]


@dataclass(frozen=True, slots=True)
class Fit:
    """Dice of a face fit if at most ``left`` dice stay to be rolled then; ``single``: and only if there is one of them.

    ``left`` is 0 for dice that end the turn.
    """

    face: int
    left: int
    single: bool = False


@dataclass(frozen=True, slots=True)
class Six:
    """With ``score`` or more to beat and ``dice`` or more to choose from, one 6 before a needed die."""

    score: int
    dice: int


@dataclass(frozen=True)
class Lines:
    """The lines in force.

    take: keep a needed die when it falls. one: nothing beside it, until both are there. fits: with both, from the
    highest face down. highest: the highest die if nothing else is kept. stop: keep all as soon as that wins.
    """

    take: bool = True
    one: bool = True
    fits: tuple[Fit, ...] = field(default=())
    highest: bool = True
    stop: bool = False
    six: Six | None = None

    def __call__(self, game: Game[Turns, Keep], state: Turns) -> Weighted:
        """The policy (``policy.Policy``)."""
        beat = max(state.scores) if state.scores and len(state.scores) == state.seats - 1 else None
        return self.keep(game, state.locked, state.free, beat)

    def keep(self, game: Game[Turns, Keep], locked: Hand, free: Hand, beat: int | None) -> Weighted:
        """What they keep; ``beat``: the best score so far, for a seat that plays last."""
        assert isinstance(game, Midnight)
        missing = lacking(locked, game.need)
        if beat is not None:
            if self.stop and game.worth(together(locked, free)) > beat:
                return ((Keep(free), 1),)
            six = self.six
            if six and beat >= six.score and len(free) >= six.dice and 6 in free and not set(missing).issubset(free):
                return ((Keep((6,)), 1),)
        found = self._turn.get((missing, free))
        if found is None:
            found = self._turn[missing, free] = _kept(self, missing, free)
        return found

    @cached_property
    def _turn(self) -> dict[tuple[Hand, Hand], Weighted]:
        """What the lines of a turn keep, remembered; lines that differ in those of the last seat alone share it."""
        return _remembered(self.take, self.one, self.fits, self.highest)


@lru_cache(maxsize=256)
def _remembered(take: bool, one: bool, fits: tuple[Fit, ...], highest: bool) -> dict[tuple[Hand, Hand], Weighted]:
    return {}


def _kept(lines: Lines, missing: Hand, free: Hand) -> Weighted:
    got = [face for face in missing if face in free] if lines.take else []
    rest = list(free)
    for face in got:
        rest.remove(face)
    keep = list(got)
    both = len(got) == len(missing)
    if both or not lines.one:
        keep += _fitting(lines.fits, rest)
    if not keep and not lines.highest:
        return tuple((Keep((face,)), free.count(face)) for face in sorted(set(free)))
    if not keep:
        keep.append(rest.pop(rest.index(max(rest))))
        if both:
            keep += _fitting(lines.fits, rest)
    return ((Keep(tuple(sorted(keep))), 1),)


def _fitting(fits: tuple[Fit, ...], rest: list[int]) -> Iterator[int]:
    """The dice that fit; they are taken out of ``rest``."""
    for fit in fits:
        times = rest.count(fit.face)
        if times and len(rest) - times <= fit.left and not (fit.single and times > 1):
            rest[:] = [face for face in rest if face != fit.face]
            yield from [fit.face] * times
