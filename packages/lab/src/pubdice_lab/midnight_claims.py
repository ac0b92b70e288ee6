"""Advice about Midnight from the encyclopedia and from PlayPalace, judged by exact numbers.

Advice on keeps is put as a set of allowed keeps at each choice. Its cost is the value of best play, less the value of
best play with only the allowed keeps (``Sheet.best``). It is measured by four utilities: the mean score, the chance to
qualify, and the share of a round of two, both for the opener and for the last seat against each score of the opener.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np

from pubdice.core.game import Keep, keeps
from pubdice.games.midnight.rules import Midnight, RoundState, lacking
from pubdice.solve.arrays import Floats
from pubdice.solve.numerics import NOTHING, first_best
from pubdice.solve.turns.contest import Contest, PolicyScores, contest, duel
from pubdice.solve.turns.goals import ToWin, utility
from pubdice.solve.turns.turn import Solved
from pubdice.text.language import sentence
from pubdice_lab.claims import Claim, per_cent

NEED = (1, 4)
TIPS = 'PlayPalace, "Game Theory / Tips"'
Allowed = Callable[[RoundState], Sequence[Keep]]


def _lock(state: RoundState) -> list[Keep]:
    needed = [face for face in lacking(state.locked, NEED) if face in state.free]
    return [keep for keep in keeps(state.free, 1) if all(face in keep.dice for face in needed)]


def _once_qualified(allows: Callable[[RoundState, Keep], bool]) -> Allowed:
    def allowed(state: RoundState) -> Sequence[Keep]:
        every = keeps(state.free, 1)
        return every if lacking(state.locked, NEED) else [keep for keep in every if allows(state, keep)]

    return allowed


def _all_of(*faces: int) -> Allowed:
    return _once_qualified(lambda state, keep: all(keep.dice.count(face) == state.free.count(face) for face in faces))


def _no_low(*, ending: bool) -> Allowed:
    """Return the rule "once qualified, keep no 2 or 3 beside a higher die". If ``ending`` is true, a keep of all dice
    is allowed.
    """

    def allows(state: RoundState, keep: Keep) -> bool:
        last = ending and keep.dice == state.free
        return last or max(state.free) <= 3 or not {2, 3} & set(keep.dice)

    return _once_qualified(allows)


@cache
def house() -> Contest:
    """Return the contest of a round of two, in which a score needs a 1 and a 4, as usual."""
    return contest(Midnight(NEED))


def _cost(allowed: Allowed, worth: Floats) -> float:
    value = dict(zip(house().scores, map(float, worth), strict=True))
    best = float(house().turn.best(worth[:, None])[0])
    return max(0.0, best - house().sheet.best(allowed, lambda result: value[result.scores[0]]))


def _to_win(beat: int | None) -> Floats:
    return duel(Midnight(NEED), beat)


def _judged(quote: str, precise: str, allows: Allowed, more: str = "") -> Claim:
    allowed = cache(allows)  # cached, because each utility asks again
    mean = _cost(allowed, house().turn.mean)
    qualify = _cost(allowed, (house().turn.mean > 0).astype(float))
    opener = _cost(allowed, _to_win(None))
    last = {beat: _cost(allowed, _to_win(beat)) for beat in house().scores}
    beat = _dearest(last)
    ends = [score for score, cost in last.items() if cost >= NOTHING]
    priced = (
        (mean, f"{mean:.4f} points of the mean score", "the mean score"),
        (qualify, f"{per_cent(qualify)} of qualifying", "the chance to qualify"),
        (opener, f"{per_cent(opener)} of a round of two to its opener", "the opener of a round of two"),
        (
            last[beat],
            f"{per_cent(last[beat])} of a round of two to its last seat against {beat}, where it costs most",
            "its last seat, whatever there is to beat",
        ),
    )
    costly = [costs for cost, costs, _ in priced if cost >= NOTHING]
    free = [aim for cost, _, aim in priced if cost < NOTHING]
    told = [f"It costs {'; '.join(costly)}."] if costly else []
    if free:
        told.append(f"It costs nothing for {', '.join(free)}.")
    if ends and ends[0] > house().scores[1]:
        told.append(f"Against less than {ends[0]} the last seat loses nothing by it.")
    costs = (("mean score", mean), ("qualify", qualify), ("opener", opener), ("last seat", last[beat]))
    return Claim(TIPS, quote, precise, costs, " ".join([*told, more] if more else told))


def _dearest(last: Mapping[int, float]) -> int:
    return first_best(last, last.__getitem__)


def _low() -> Claim:
    strict = cache(_no_low(ending=False))
    last = {beat: _cost(strict, _to_win(beat)) for beat in house().scores}
    beat = _dearest(last)
    return _judged(
        "Once qualified, do not spend a keep on a 2 or a 3, unless it is your last roll and you have no choice.",
        "once qualified, no 2 or 3 is kept while there is a 4, 5 or 6 to keep. A roll of which you keep all dice is "
        "your last: there you may",
        _no_low(ending=True),
        "If you forbid yourself even that, and roll on when keeping all has won already, you lose up to "
        f"{per_cent(last[beat])} of a round of two, against {beat}.",
    )


def _leader() -> Claim:
    steady = house().turn.solve(house().turn.mean)
    opens = steady.chance[house().turn.start]
    ignored = [float(opens @ _to_win(beat)) for beat in house().scores]
    best = [float(house().turn.best(_to_win(beat)[:, None])[0]) for beat in house().scores]
    gains = dict(zip(house().scores, np.subtract(best, ignored), strict=True))
    beat = first_best(gains, gains.__getitem__)
    mean = float(opens @ np.subtract(best, ignored))
    fifteen, most, average = (per_cent(gain) for gain in (gains[15], gains[beat], mean))
    return Claim(
        TIPS,
        "Play to the leader's score: against 15 only 16 or more will do, and the risks should fit.",
        "who rolls last of two plays best against the score there is to beat, not for the mean score",
        (("last seat", 0.0),),
        f"Looking at the score is worth {fifteen} of the round against 15, most against {beat}, {most}, and {average} "
        "on average against an opener who plays for the mean score. (Reaching 15 too is worth half a round.)",
        holds=(
            *((f"against {score}", gains[score] > -NOTHING) for score in gains),
            ("against 15 for certain", gains[15] > NOTHING),
            ("on average", mean > NOTHING),
        ),
    )


def _goal(kind: str, number: int) -> Floats:
    solved: Solved = house().turn.solve(utility((kind, number), house().turn, ToWin()))
    return np.asarray(solved.chance[house().turn.start])


def _all_or_nothing(chances: Floats) -> Floats:
    """Return the chances with every score except 24 turned into a miss. It is "24 or nothing" taken literally."""
    return np.concatenate(([1 - chances[-1]], np.zeros(len(chances) - 2), chances[-1:]))


def _always(score: int) -> Floats:
    return np.asarray(house().turn.mean == score, dtype=float)


def over_rounds(first: Floats, second: Floats, rounds: int) -> float:
    """Return the first player's share of a match of ``rounds`` rounds. Neither player looks at the other's score.

    ``first`` and ``second`` are the chances of each score. A tied match counts half.
    """
    wins, equal, losses = house().result(
        PolicyScores(first, first[None]), PolicyScores(second, np.tile(second, (len(first), 1)))
    )
    lead = np.ones(1)
    for _ in range(rounds):
        lead = np.convolve(lead, (losses, equal, wins))
    return float(lead[rounds + 1 :].sum() + lead[rounds] / 2)


def _consistency() -> Claim:
    modest = (
        ("a 15 in every round", _always(15)),
        ("best chance of 14", _goal("reach", 14)),
        ("best chance of 16", _goal("reach", 16)),
    )
    flashy = (
        ("best chance of 24", _goal("exactly", 24)),
        ("best chance of 22", _goal("reach", 22)),
        ("24 or nothing", _all_or_nothing(_goal("exactly", 24))),
    )
    rows = [(name, [(other, over_rounds(chances, swing, 20)) for other, swing in flashy]) for name, chances in modest]
    steady = over_rounds(_goal("score", 0), flashy[1][1], 20)
    told = "; ".join(
        f"{name}: " + ", ".join(f"{per_cent(share, 1)} against {other}" for other, share in row) for name, row in rows
    )
    return Claim(
        TIPS,
        "Over many rounds, modest scores of 14 to 16 usually beat a player who swings between 0 and 24.",
        "the share of a match of 20 rounds between two players who never look at each other's score. A chaser who can "
        'no longer make 24 or 22 goes for the best mean score; only "24 or nothing" scores nothing then',
        tuple((f"{name} against {other}", max(0.0, 0.5 - share)) for name, row in rows for other, share in row),
        f"{sentence(told)}. So modest scores always beat 24 or nothing. They lose to the best chance of 22, which "
        "still scores when 22 fails. Against the best chance of 24, a 15 in every round loses, but playing for 14 or "
        f"16 wins. (The best mean score has {per_cent(steady, 1)} against the best chance of 22.)",
    )


def _chance() -> Claim:
    def one(state: RoundState) -> Sequence[Keep]:
        needed = tuple(face for face in lacking(state.locked, NEED) if face in state.free)
        if needed or not lacking(state.locked, NEED):
            return [keep for keep in keeps(state.free, 1) if set(needed) <= set(keep.dice) and len(keep.dice) <= 2]
        return [keep for keep in keeps(state.free, 1) if len(keep.dice) == 1]

    qualify = (house().turn.mean > 0).astype(float)
    best = float(house().turn.best(qualify[:, None])[0])
    cost = _cost(one, qualify)
    return Claim(
        'The encyclopedia, "Maximum probability of scoring"',
        "For the best chance to qualify: the 1 and the 4 on sight, and never more than one other die.",
        "the chance to qualify, under that strategy and under best play for it",
        (("qualify", cost),),
        f"Both are {per_cent(best, 4)}, the article's 1 − (2 (5/6)^21 − (4/6)^21). Best play for the mean score does "
        "the same until it qualifies, so it has the same chance: you need not give up one for the other.",
    )


@cache
def of_midnight() -> tuple[Claim, ...]:
    """Return the claims, in the order of the documents."""
    return (
        _chance(),
        _judged(
            "Take the 1 and the 4 as soon as they show; nothing else matters as much.",
            "a 1 or a 4 that you lack is kept when it falls",
            _lock,
        ),
        _judged(
            "With the pair in hand, go for the highest dice.",
            "once qualified, no die is kept while a higher one is rerolled",
            _once_qualified(lambda state, keep: keep.dice == state.free[-len(keep.dice) :]),
        ),
        _judged("Sixes are gold.", "once qualified, every 6 is kept", _all_of(6)),
        _judged(
            "Fives are solid.",
            "once qualified, every 6 and every 5 is kept. PlayPalace does not say so much: that is how we read it, and "
            "how the bot `tip` plays it",
            _all_of(6, 5),
        ),
        _low(),
        _leader(),
        _consistency(),
    )
