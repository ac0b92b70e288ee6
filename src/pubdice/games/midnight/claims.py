"""What documents 000 and 001 advise at Midnight, judged by exact numbers.

Advice on keeps is made precise as a set of keeps it allows at each choice. Following it costs the value of best play
less that of best play among the keeps allowed (``Sheet.best``), for four utilities: the mean score, the chance to
qualify, and the share of a round of two, as its opener and as its last seat, whose opener has posted each score.
"""

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from pubdice.claim import NOTHING, Claim, per_cent
from pubdice.game import Keep, keeps
from pubdice.games.midnight.contest import Contest, Player, contest
from pubdice.games.midnight.goals import LEAST, ToWin, utility
from pubdice.games.midnight.rules import Turns, lacking
from pubdice.games.midnight.turn import Solved
from pubdice.games.midnight.win import win
from pubdice.solve.graph import Floats
from pubdice.words import sentence

NEED = (1, 4)
TIPS = '001, "Game Theory / Tips"'
Allowed = Callable[[Turns], Sequence[Keep]]


def _lock(state: Turns) -> list[Keep]:
    needed = [face for face in lacking(state.locked, NEED) if face in state.free]
    return [keep for keep in keeps(state.free, 1) if all(face in keep.dice for face in needed)]


def _once_qualified(allows: Callable[[Turns, Keep], bool]) -> Allowed:
    def allowed(state: Turns) -> Sequence[Keep]:
        every = keeps(state.free, 1)
        return every if lacking(state.locked, NEED) else [keep for keep in every if allows(state, keep)]

    return allowed


def _all_of(*faces: int) -> Allowed:
    return _once_qualified(lambda state, keep: all(keep.dice.count(face) == state.free.count(face) for face in faces))


def _no_low(state: Turns) -> Sequence[Keep]:
    """No 2 or 3, wherever a needed die or one above 3 is there to be kept instead."""
    every = keeps(state.free, 1)
    needed = [face for face in lacking(state.locked, NEED) if face in state.free]
    if not needed and max(state.free) <= 3:
        return every
    return [keep for keep in every if not {2, 3} & set(keep.dice)]


@cache
def house() -> Contest:
    """Rounds of two with the usual need."""
    return contest(NEED)


def _cost(allowed: Allowed, worth: Floats) -> float:
    value = dict(zip(house().scores, map(float, worth), strict=True))
    best = float(house().turn.best(worth[:, None])[0])
    return max(0.0, best - house().sheet.best(allowed, lambda result: value[result.scores[0]]))


def _to_win(beat: int | None) -> Floats:
    table = win(NEED, "share", 2, nobody=0.5)
    return table.utility(0, 0, 1) if beat is None else table.utility(beat, 1 if beat else 0, 0)


def _judged(quote: str, precise: str, allows: Allowed) -> Claim:
    allowed = cache(allows)  # asked anew for every utility
    mean = _cost(allowed, house().turn.mean)
    qualify = _cost(allowed, (house().turn.mean > 0).astype(float))
    opener = _cost(allowed, _to_win(None))
    last = {beat: _cost(allowed, _to_win(beat)) for beat in house().scores}
    beat = max(last, key=lambda score: round(last[score], 12))
    ends = [score for score, cost in last.items() if cost >= NOTHING]
    told = [
        f"{mean:.4f} points of the mean score" if mean >= NOTHING else "",
        f"{per_cent(qualify)} of qualifying" if qualify >= NOTHING else "",
        f"{per_cent(opener)} of a round of two to its opener" if opener >= NOTHING else "",
        f"{per_cent(last[beat])} of a round of two to its last seat against {beat}, where it costs most"
        if ends
        else "",
    ]
    costly = "; ".join(each for each in told if each)
    free = [
        "the mean score" if mean < NOTHING else "",
        "the chance to qualify" if qualify < NOTHING else "",
        "the opener of a round of two" if opener < NOTHING else "",
        "its last seat, whatever is to beat" if not ends else "",
    ]
    shown = f"It costs {costly}. " if costly else ""
    shown += "It costs nothing for " + ", ".join(each for each in free if each) + "."
    if ends and ends[0] > LEAST:
        shown += f" Against less than {ends[0]} the last seat loses nothing by it."
    costs = (("mean score", mean), ("qualify", qualify), ("opener", opener), ("last seat", last[beat]))
    return Claim(TIPS, quote, precise, costs, shown)


def _leader() -> Claim:
    steady = house().turn.solve(house().turn.mean)
    opens = steady.chance[house().turn.start]
    ignored = [float(opens @ _to_win(beat)) for beat in house().scores]
    best = [float(house().turn.best(_to_win(beat)[:, None])[0]) for beat in house().scores]
    gains = dict(zip(house().scores, np.subtract(best, ignored), strict=True))
    beat = max(gains, key=lambda score: round(float(gains[score]), 12))
    mean = float(opens @ np.subtract(best, ignored))
    return Claim(
        TIPS,
        "Play to the leader's score: against 15 only 16 or more will do, and the risks should fit.",
        "the last of two plays best against the score posted, not for its mean score",
        (("last seat", 0.0),),
        f"Looking at the score is worth {per_cent(gains[15])} of the round against 15, most against {beat}, "
        f"{per_cent(gains[beat])}, and {per_cent(mean)} on average against an opener who plays for the mean score. "
        "(Reaching 15 too is worth half a round.)",
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
    """24 as often as before, and a miss otherwise: swinging between 0 and 24 to the letter."""
    return np.concatenate(([1 - chances[-1]], np.zeros(len(chances) - 2), chances[-1:]))


def _always(score: int) -> Floats:
    return np.asarray(house().turn.mean == score, dtype=float)


def over_rounds(first: Floats, second: Floats, rounds: int) -> float:
    """The first's share of a match of so many rounds between two that look at nobody's score; ties win for both."""
    wins, equal, losses = house().result(Player(first, first[None]), Player(second, np.tile(second, (len(first), 1))))
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
    costs, told = [], []
    for name, chances in modest:
        shares = [(other, over_rounds(chances, swing, 20)) for other, swing in flashy]
        told.append(f"{name}: " + ", ".join(f"{per_cent(share, 1)} against {other}" for other, share in shares))
        costs += [(f"{name} against {other}", max(0.0, 0.5 - share)) for other, share in shares]
    steady = over_rounds(_goal("score", 0), flashy[1][1], 20)
    return Claim(
        TIPS,
        "Over many rounds, steady scores of 14 to 16 mostly beat somebody who either misses or shines.",
        "share of a match of 20 rounds between two seats of which neither looks at the other's score; who chases 24 or "
        "22 and can no longer make it takes the best mean there is, but for the one who has 24 or nothing",
        tuple(costs),
        f"{sentence('; '.join(told))}. So modest scores beat the wild, and lose to those who aim high and still score "
        f"what they can: the best mean score has {per_cent(steady, 1)} against the best chance of 22.",
    )


def _chance() -> Claim:
    def one(state: Turns) -> Sequence[Keep]:
        needed = tuple(face for face in lacking(state.locked, NEED) if face in state.free)
        if needed or not lacking(state.locked, NEED):
            return [keep for keep in keeps(state.free, 1) if set(needed) <= set(keep.dice) and len(keep.dice) <= 2]
        return [keep for keep in keeps(state.free, 1) if len(keep.dice) == 1]

    qualify = (house().turn.mean > 0).astype(float)
    best = float(house().turn.best(qualify[:, None])[0])
    cost = _cost(one, qualify)
    return Claim(
        '000, "Maximum probability of scoring"',
        "For the best chance to qualify: the 1 and the 4 on sight, and never more than one other die.",
        "the chance to qualify, under that strategy and under best play for it",
        (("qualify", cost),),
        f"Both are {per_cent(best, 4)}, the document's 1 - (2 (5/6)^21 - (4/6)^21). Best play for "
        "the mean score does the same until it qualifies, so it has the same chance: neither is bought with the other.",
    )


@cache
def claims() -> tuple[Claim, ...]:
    """The claims, in the documents' order."""
    return (
        _chance(),
        _judged(
            "Take the 1 and the 4 as soon as they show; nothing else matters as much.",
            "a 1 or 4 that is lacking is kept when it falls",
            _lock,
        ),
        _judged(
            "With the pair in hand, go for the highest dice.",
            "once qualified, no die is kept while a higher one is rerolled",
            _once_qualified(lambda state, keep: keep.dice == state.free[-len(keep.dice) :]),
        ),
        _judged("Keep every 6.", "once qualified, every 6 is kept", _all_of(6)),
        _judged("Keep every 5, too.", "once qualified, every 6 and every 5 is kept", _all_of(6, 5)),
        _judged(
            "Spend no keep on a 2 or a 3 before the last roll forces it.",
            "no 2 or 3 is kept if a 1 or 4 that is lacking, or a die above 3, is there to be kept instead",
            _no_low,
        ),
        _leader(),
        _consistency(),
    )
