"""Midnight's card: the numbers in its lines, the value of each line, and its words.

``tests/cards.py`` reads the words back as a policy.

We chose the form of the lines (``CardLines``). Their numbers are computed:

- For each face, the most dice left to roll with which all dice of the face are kept. These limits maximise the mean
  score of a turn with both needed dice kept and four dice to roll. The search is a coordinate ascent: face by face from
  the highest down, until no change helps.
- The least score of the leader and the least number of dice with which the last seat keeps one 6 and nothing else. They
  maximise the last seat's share of a round of two against an opener who plays for the best mean score. The search tries
  all pairs.

The lines of a turn are priced in points of the mean score, the lines of the last seat in shares of that round.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, partial
from typing import Any

from pubdice.advice.card import CardLine, LineCard, LineNames, Measure, card_line
from pubdice.core.dice import Hand, together
from pubdice.core.game import Keep, Policy
from pubdice.games.midnight.rules import BEST, DICE, Midnight, RoundState, lacking
from pubdice.solve.finite.sheet import Sheet
from pubdice.solve.numerics import ROUNDING, TIE, first_best
from pubdice.solve.turns.contest import duel
from pubdice.solve.turns.turn import turn
from pubdice.text.language import Language

Weighted = tuple[tuple[Keep, int], ...]
ALWAYS = DICE


@dataclass(frozen=True, slots=True)
class HandPattern:
    """A line of the card: keep all dice of one face, if at most ``left`` dice are then left to roll."""

    face: int
    left: int
    """The most dice that may then be left to roll. ``ALWAYS`` sets no limit.

    0 means the kept dice must end the turn.
    """
    single: bool = False
    """True if the line applies only if exactly one die shows the face."""

    @property
    def name(self) -> str:
        """The name of the line."""
        return f"fit {self.face}"


@dataclass(frozen=True, slots=True)
class Six:
    """A line for the last seat: keep one 6 and nothing else.

    It applies if the leader has ``score`` or more, and ``dice`` or more dice are free.
    """

    score: int
    dice: int


@dataclass(frozen=True)
class CardLines:
    """The lines in force. Together they choose a keep (a ``Policy``).

    The lines without numbers are always part of the card, under these names:

    - ``take``: keep a needed die when it falls.
    - ``one``: keep one die a roll until both needed dice are kept.
    - ``highest``: keep the highest die if no other line keeps one.
    - ``stop``: last to roll, keep all dice as soon as they win.
    """

    fits: tuple[HandPattern, ...] = ()
    """The lines that keep all dice of a face, from the highest face down."""
    six: Six | None = None
    left_out: LineNames = frozenset()

    def __call__(self, game: Midnight, state: RoundState) -> Weighted:
        """Return the keeps that the lines allow. If there are several, each has a weight."""
        beat = max(state.scores) if state.scores and len(state.scores) == state.seats - 1 else None
        return self.keep(game, state.locked, state.free, beat)

    def keep(self, game: Midnight, locked: Hand, free: Hand, beat: int | None) -> Weighted:
        """Return the keeps that the lines allow. ``beat`` is the best score so far if the mover is last, else None."""
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
        """A cache of keeps. ``CardLines`` that differ only in the lines of the last seat share it."""
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
    """Move the dice of the pattern's face from ``rest`` to ``keep``, if the pattern applies.

    Afterwards ``keep`` has at most ``most`` dice.
    """
    times = min(rest.count(fit.face), most - len(keep))
    if times > 0 and len(rest) - times <= fit.left and not (fit.single and rest.count(fit.face) > 1):
        for _ in range(times):
            rest.remove(fit.face)
        keep += [fit.face] * times


FITS = (None, *((left, single) for left in (0, 1, 2, ALWAYS) for single in (False, True)))
SIXES = tuple((score, dice) for score in range(14, BEST + 1) for dice in (4, 5, 6))


class CardPricing:
    """The values of card lines for one pair of needed faces, and the search for the best numbers."""

    def __init__(self, need: tuple[int, int]) -> None:
        self.game = Midnight(need)
        self.turn = turn(self.game)
        self.sheet = Sheet(self.game, self.game.start(1))
        self._lasts: dict[tuple[CardLines, int], float] = {}
        steady = self.turn.solve(self.turn.mean)
        self.best = float(steady.value[self.turn.start])
        self.opens = dict(zip(self.turn.scores, map(float, steady.chance[self.turn.start]), strict=True))
        self._worth = {score: duel(self.game, score) for score in self.opens}
        reply = [self.turn.best(worth[:, None])[0] for worth in self._worth.values()]
        self.best_last = float(sum(chance * value for chance, value in zip(self.opens.values(), reply, strict=True)))

    def mean(self, policy: Policy[Any, Any], start: RoundState | None = None) -> float:
        """Return the mean score of a turn played by this policy."""
        return self.sheet.value(policy, lambda result: result.scores[0], start)

    def last(self, lines: CardLines) -> float:
        """Return the last seat's share of a round of two against an opener who plays for the best mean score."""
        return sum(chance * self._against(score, lines) for score, chance in self.opens.items())

    def _against(self, beat: int, lines: CardLines) -> float:
        six = lines.six if lines.six and beat >= lines.six.score else None
        lines = replace(lines, six=six and Six(0, six.dice))
        if (lines, beat) not in self._lasts:
            worth = dict(zip(self.turn.scores, map(float, self._worth[beat]), strict=True))
            self._lasts[lines, beat] = self.sheet.value(
                lambda game, state: lines.keep(game, state.locked, state.free, beat),
                lambda result: worth[result.scores[0]],
            )
        return self._lasts[lines, beat]

    @cached_property
    def lines(self) -> CardLines:
        """The lines of the card with their best numbers."""
        both = RoundState(1, (), tuple(sorted(self.game.need)))
        found: dict[int, HandPattern] = {}
        value, moved = self.mean(CardLines(), both), True
        while moved:
            moved = False
            for face in range(6, 1, -1):
                for fit in FITS:
                    tried = {other: found[other] for other in range(6, 1, -1) if other in found and other != face}
                    if fit is not None:
                        tried[face] = HandPattern(face, *fit)
                    there = self.mean(_fitted(tried), both)
                    if there > value + TIE:
                        found, value, moved = tried, there, True
        fitted = _fitted(found)
        six = first_best(SIXES, lambda pair: self.last(replace(fitted, six=Six(*pair))))
        return replace(fitted, six=Six(*six))


def _fitted(fits: Mapping[int, HandPattern]) -> CardLines:
    return CardLines(fits=tuple(fits[face] for face in sorted(fits, reverse=True)))


@cache
def maker(need: tuple[int, int]) -> CardPricing:
    """Return the ``CardPricing`` of a pair of needed faces. Each is built once."""
    return CardPricing(need)


LAST = "last"
TAKE = "A {first} or {second} you lack: keep it when it falls."
SIX = "Last, the leader has {score}+, {dice}+ dice: one 6, no more."
Data = Mapping[str, Any]


def card(game: Midnight) -> LineCard:
    """Return the card for the game's pair of needed faces. The numbers in its lines are computed once."""
    made = maker(game.need)
    lines, (first, second) = made.lines, game.need
    assert lines.six is not None, "always found"
    fits = {fit: CardLine(fit.name, partial(_fit, fit), (fit.face,)) for fit in lines.fits}
    score, dice = lines.six.score, lines.six.dice
    said = (
        card_line("take", TAKE, game.need, first=first, second=second),
        card_line("one", "Until you have both, keep just one die a roll."),
        *(line for fit, line in fits.items() if fit.left),
        card_line("highest", "Nothing kept so far: keep your highest die."),
        *(line for fit, line in fits.items() if not fit.left),
        card_line("stop", "Last to roll: keep all once that beats the leader.", (), LAST),
        card_line("six", SIX, (6,), LAST, score=score, dice=dice),
    )
    need = {"need": list(game.need)}
    every, aim, bound = frozenset(line.name for line in said), partial(_aim, game), ROUNDING * BEST
    return LineCard(
        said,
        lambda names: replace(lines, left_out=every - names),
        measures=(
            Measure("mean", "mean score", aim, made.mean, made.best, bound, _points, _mean, lambda _: need),
            Measure(LAST, "share of the round", aim, made.last, made.best_last, bound, _share, _last),
        ),
    )


def _aim(game: Midnight, language: Language) -> str:
    first, second = game.need
    return language.say("{first} and {second} to qualify: best mean score", first=first, second=second)


def _points(language: Language, cost: float) -> tuple[str, str]:
    told = language.number(cost, 2)
    return f"−{told}", language.say("Ignored: {cost} points lost.", cost=told)


def _share(language: Language, cost: float) -> tuple[str, str]:
    told = language.per_cent(cost)
    return f"−{told}", language.say("Ignored: {cost} of the round lost.", cost=told)


def _mean(language: Language, data: Data) -> list[str]:
    told = {name: language.number(value, 4) for name, value in data["mean"].items()}
    text = "Mean {mean}. Best play has {best}, {up} more."
    return [language.say(text, mean=told["value"], best=told["best"], up=told["given_up"])]


def _last(language: Language, data: Data) -> list[str]:
    share, best = language.per_cent(data[LAST]["value"]), language.per_cent(data[LAST]["best"])
    return [language.say("Last of two: {share} of the round. Best play has {best}.", share=share, best=best)]


def _fit(fit: HandPattern, language: Language) -> str:
    say = language.say
    if fit.left == ALWAYS:
        return say("Keep every {face}.", face=fit.face)
    if fit.left == 0:
        return (
            say("A {face} that is the only die left: keep it, too.", face=fit.face)
            if fit.single
            else say("Every {face} left, if that ends the turn: keep it, too.", face=fit.face)
        )
    many = language.count("{number} die", "{number} dice", fit.left)
    return say("Keep every {face} if that leaves at most {many} to roll.", face=fit.face, many=many)
