"""The bots' tables, recomputed in the plainest way from the sentences of the overview and the rules."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest

from oracles import naive_420, naive_ship
from oracles import naive_midnight as naive
from pubdice_lab.strategy import bot_tables

PAGE = (Path(__file__).parents[3] / "docs/solve/strategy.md").read_text(encoding="utf-8")
TOLD = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|$", PAGE, re.MULTILINE))
SENTENCES = " ".join(PAGE.split())
BOTS = ("lucky", "tip", "steady", "cautious", "bold", "perfect")
SOME_BY_DAY = [pytest.param(bot, marks=[pytest.mark.nightly] * (bot in ("lucky", "tip"))) for bot in BOTS]
REACHED = [0, *range(4, 25)]


@cache
def tables(name: str) -> str:
    """The tables of a game's bots, as ``pubdice paper`` writes them."""
    return bot_tables(name)


def rows(heading: str, name: str) -> dict[str, list[str]]:
    """The rows of a game's first table with this heading."""
    lines = tables(name).splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith(heading))
    found = {}
    for line in lines[at + 2 :]:
        if not line.startswith("|"):
            break
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        found[name] = cells
    return found


def _tip(leader: int, locked: naive.Dice, rolled: naive.Dice) -> list[naive.Dice]:
    """The rule of ``tip`` that ``pubdice rules midnight`` prints."""
    lacks = [face for face in (1, 4) if face not in locked]
    kept = [face for face in lacks if face in rolled]
    if len(kept) == len(lacks):
        rest = list(rolled)
        for face in kept:
            rest.remove(face)
        kept += [6] * rest.count(6)
        counting = list(locked)
        for face in (1, 4):
            if face in counting:
                counting.remove(face)
        for _ in range(rest.count(5)):
            fives = kept.count(5) + 1
            reach = 24 - sum(6 - face for face in counting) - fives
            if reach >= leader + 1:
                kept.append(5)
    return [tuple(sorted(kept or [max(rolled)]))]


@cache
def opens(bot: str) -> naive.Floats:
    """Return the chances of a bot's scores if it rolls first."""
    told = TOLD[bot]
    reach = re.search(r"for the best chance of (\d+) or more at Midnight", told)
    if reach:
        assert "Of equal keeps `cautious` and `bold` take the best mean score." in SENTENCES
        return naive.best((int(reach[1]) <= naive.SCORES).astype(float))
    if bot == "lucky":
        assert told == "any keep the rules allow, all equally likely"
        return naive.played(lambda locked, rolled: naive.keeps(rolled))
    if bot == "tip":
        return naive.played(lambda locked, rolled: _tip(0, locked, rolled))
    if bot == "steady":
        assert told.startswith("for the best mean score")
        return naive.best(naive.SCORES)
    return naive.best(1 - answered())


@cache
def answered() -> naive.Floats:
    """Return the second seat's share under best play, for each score of the first seat."""
    return naive.values(np.array([naive.against(score) for score in range(25)]).T)


@cache
def reply(bot: str, beat: int) -> naive.Floats:
    if bot == "tip":
        return naive.played(lambda locked, rolled: _tip(beat, locked, rolled))
    return opens(bot)


def share(first: str, second: str) -> float:
    if second == "perfect":
        return float(opens(first) @ (1 - answered()))
    return float(sum(opens(first)[score] * (1 - reply(second, score) @ naive.against(score)) for score in REACHED))


@pytest.mark.nightly
@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_s_scores_follow_from_its_page(bot: str) -> None:
    chances = opens(bot)
    mean = float(chances @ naive.SCORES)
    spread = float(np.sqrt(chances @ (naive.SCORES - mean) ** 2))
    found = [
        f"{mean:.3f}",
        f"{spread:.3f}",
        *(f"{100 * float(part):.2f}%" for part in (1 - chances[0], chances[4:17].sum(), chances[24])),
    ]
    assert rows("| bot | mean score", "midnight")[bot] == found


@pytest.mark.nightly
@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_s_row_of_shares_follows_from_its_page(bot: str) -> None:
    """If both seats score nothing, they share the round, as on the page."""
    found = [f"{100 * share(bot, other):.2f}%" for other in BOTS]
    assert rows("| first |", "midnight")[bot] == found


def _least(kept: list[naive_420.Dice]) -> list[naive_420.Dice]:
    """Return the keep with the lowest total. By the page's rule there is only one."""
    return sorted(kept, key=sum)[:1]


def _tip_420(own: naive_420.Dice, other: naive_420.Dice) -> list[naive_420.Dice]:
    """The rule of ``tip`` that ``pubdice rules 420`` prints."""
    allowed = naive_420.keeps(own)
    sized = {size: [kept for kept in allowed if len(kept) == size] for size in range(4)}
    ideal = [kept for kept in sized[3] if sum(kept) == 15]
    pressed = sum(other) <= 20 and any(len(kept) == 3 and sum(kept) == 15 for kept in naive_420.keeps(other))
    if ideal:
        return ideal[:1]
    if pressed and sized[3]:
        return _least(sized[3])
    return next(_least(sized[size]) for size in (2, 1, 3, 0) if sized[size])


def _alone() -> dict[naive_420.Dice, float]:
    """Return the fewest turns on average in which a player alone reaches 20, for each keep."""
    turns = np.zeros(len(naive_420.HANDS))
    while True:
        needed = 1 + naive_420.MOVE @ turns
        after = np.where(naive_420.ALLOWED, needed, np.inf).min(axis=1)
        if np.abs(after - turns).max() < 1e-12:
            return dict(zip(naive_420.KEEPS, map(float, needed), strict=True))
        turns = after


@cache
def chosen_420(bot: str) -> naive_420.Chosen:
    """Return a bot's keeps at 420, by the page's description of the bot."""
    told = TOLD[bot]
    if bot == "lucky":
        return naive_420.chosen(lambda own, other: naive_420.keeps(own))
    if bot == "tip":
        return naive_420.chosen(_tip_420)
    if bot == "steady":
        assert told.endswith("at 420 for the fewest turns to 20 on average")
        needed = _alone()
        return naive_420.chosen(lambda own, other: [min(naive_420.keeps(own), key=lambda kept: round(needed[kept], 9))])
    if bot == "perfect":
        return naive_420.best()
    keys = {
        "at 420 for the greatest share of wins among the rolls that win or go over 20": _share_of_wins,
        "at 420 the keep that wins most often on the next roll": (
            lambda kept: (round(naive_420.wins(kept), 12), -naive_420.overs(kept))
        ),
    }
    equal = "At 420 `cautious` takes the keep that wins more often, and `bold` the keep that goes over 20 less often."
    assert equal in SENTENCES
    key = next(key for sentence, key in keys.items() if told.endswith(sentence))
    return naive_420.chosen(lambda own, other: [max(naive_420.keeps(own), key=key)])


def _share_of_wins(kept: naive_420.Dice) -> tuple[float, float]:
    won, over = naive_420.wins(kept), naive_420.overs(kept)
    return round(won / (won + over), 12), won


@pytest.mark.parametrize("bot", SOME_BY_DAY)
def test_a_bot_s_row_at_420_follows_from_its_page(bot: str) -> None:
    found = [f"{100 * naive_420.race(chosen_420(bot), chosen_420(other)):.2f}%" for other in BOTS]
    assert rows("| first |", "420")[bot] == found


MEXICANS = ("lucky", "tip", "perfect")
Scores = dict[int, float]
"""The chance of every score."""


def cells_of(name: str, names: Sequence[str], played: str = "a round") -> list[list[str]]:
    """The rows of a game's table of what is played."""
    part = tables(name).partition(f", {played}\n")[2].partition("| first |")[2]
    return [re.findall(r"[\d.]+%", part[part.index(f"\n| {name} |") :].splitlines()[1]) for name in names]


def threshold(bot: str, game: str) -> int:
    """The score that a bot plays for, by the page."""
    found = re.search(rf"(\d+) or (?:more|less) at {game}", TOLD[bot])
    assert found
    return int(found[1])


def told(shares: Sequence[float]) -> list[str]:
    return [f"{100 * share:.2f}%" for share in shares]


def tie(one: int, other: int) -> float:
    """Return the share of a round for the first of two scores."""
    return 0.5 if one == other else float(one > other)


# At Ship a bot has only one choice: to roll the cargo (both dice together) again or not.
CARGO = {total: ways / 36 for total, ways in Counter(a + b for a, b in product(range(1, 7), repeat=2)).items()}
Again = Callable[[int, int], float]
"""A function from a cargo and the rolls left to the chance that the bot rolls again."""


def ship_scores(again: Again) -> Scores:
    chances = dict.fromkeys(naive_ship.SCORES, 0.0)

    def loaded(total: int, rolls: int, weight: float) -> None:
        rolled = again(total, rolls) if rolls else 0.0
        chances[total] += weight * (1 - rolled)
        for then, chance in CARGO.items() if rolled else ():
            loaded(then, rolls - 1, weight * rolled * chance)

    def rolling(aboard: int, rolls: int, weight: float) -> None:
        for now, pair, chance in naive_ship.falls(aboard) if rolls else ():
            if now == 3:
                loaded(sum(pair), rolls - 1, weight * float(chance))
            else:
                rolling(now, rolls - 1, weight * float(chance))

    rolling(0, naive_ship.ROLLS, 1.0)
    chances[0] = 1 - sum(chances.values())
    return chances


def ship_for(worth: Callable[[int], tuple[float, ...]]) -> Again:
    """Return the choices that maximise the values of ``worth`` in order. A later value decides only if all earlier ones
    tie.

    If all values are equal, roll again.
    """

    @cache
    def value(total: int, rolls: int) -> tuple[float, ...]:
        return max(worth(total), rolled(rolls)) if rolls else worth(total)

    @cache
    def rolled(rolls: int) -> tuple[float, ...]:
        parts = zip(
            *([chance * part for part in value(then, rolls - 1)] for then, chance in CARGO.items()), strict=True
        )
        return tuple(round(sum(part), 12) for part in parts)

    return lambda total, rolls: float(rolled(rolls) >= worth(total))


@cache
def ship(bot: str, beat: int | None) -> Scores:
    """Return the chances of a bot's scores: as the first of two, or as the second if there is a score to beat."""
    if bot == "lucky":
        return ship_scores(lambda total, rolls: 0.5)
    if bot == "tip":
        best = beat or 0
        return ship_scores(
            lambda total, rolls: float(not ((beat is not None and total > best) or (total >= 8 and total >= best)))
        )
    if bot == "perfect" and beat is None:
        replies = {
            score: sum(p * tie(mine, score) for mine, p in ship(bot, score).items()) for score in naive_ship.SCORES
        }
        return ship_scores(ship_for(lambda score: (1 - replies[score],)))
    if bot == "perfect":
        return ship_scores(ship_for(lambda score: (tie(score, beat or 0),)))
    least = 0 if bot == "steady" else threshold(bot, "Ship")
    return ship_scores(ship_for(lambda score: (float(score >= least), float(score))))


def test_the_rows_of_ship_are_found_again() -> None:
    def replies(bot: str, score: int) -> Scores:
        return ship(bot, score if bot in ("tip", "perfect") else None)

    def share(one: str, other: str) -> float:
        return sum(
            chance * p * tie(score, mine)
            for score, chance in ship(one, None).items()
            if chance
            for mine, p in replies(other, score).items()
        )

    assert cells_of("ship", BOTS) == [told([share(one, other) for other in BOTS]) for one in BOTS]


# At Mexico a bot stops, or rolls both dice again. The opener's number of rolls limits the second seat.
MEXICO, MOST = 1000, 3
HANDS = Counter((min(pair), max(pair)) for pair in product(range(1, 7), repeat=2))
WORTH = {(a, b): MEXICO if (a, b) == (1, 2) else 100 * a if a == b else 10 * b + a for a, b in HANDS}
Outcome = tuple[float, float]
"""The chance that the opener wins, and the chance of a tie."""
TIED = 0.5


def mean(values: Sequence[tuple[int, Outcome]]) -> Outcome:
    return sum(w * won for w, (won, _) in values) / 36, sum(w * tied for w, (_, tied) in values) / 36


def mexico_round(one: str, other: str, again: float) -> Outcome:
    """Return the outcome of a round. ``again`` is the opener's value of a tie, for ``perfect``: 1/2 if a tie is
    shared.
    """

    def worth(outcome: Outcome) -> float:
        return outcome[0] + outcome[1] * again

    def chosen(bot: str, stop: Outcome, roll: Outcome, enough: bool, sign: int) -> Outcome:
        if bot == "lucky":
            return (stop[0] + roll[0]) / 2, (stop[1] + roll[1]) / 2
        stops = enough if bot == "tip" else sign * (worth(stop) - worth(roll)) >= -1e-12
        return stop if stops else roll

    @cache
    def second(beat: int, left: int, bot: str) -> Outcome:
        found = []
        for hand, ways in HANDS.items():
            mine = WORTH[hand]
            stop = float(beat > mine), float(beat == mine)
            if left > 1 and mine != MEXICO:
                stop = chosen(bot, stop, second(beat, left - 1, bot), mine > beat, -1)
            found.append((ways, stop))
        return mean(found)

    @cache
    def first(used: int, bot: str, other: str) -> Outcome:
        """Return the outcome from the opener's roll number ``used`` on. ``perfect`` decides as if both bots then play
        best.
        """
        found = []
        for hand, ways in HANDS.items():
            stop = second(WORTH[hand], used, other)
            if used < MOST and WORTH[hand] != MEXICO:
                if bot == "perfect":
                    best = second(WORTH[hand], used, "perfect"), first(used + 1, "perfect", "perfect")
                    stops = worth(best[0]) >= worth(best[1]) - 1e-12
                    stop = stop if stops else first(used + 1, bot, other)
                else:
                    stop = chosen(bot, stop, first(used + 1, bot, other), WORTH[hand] >= 54, 1)
            found.append((ways, stop))
        return mean(found)

    return first(1, one, other)


def mexico_share(one: str, other: str) -> float:
    won, tied = mexico_round(one, other, TIED)
    return won + tied / 2


def lives_share(one: str, other: str) -> float:
    """Return the opener's share of a match of three lives.

    A tied round is played again, so a tie has the value of the round itself. The winner is the first with three wins.
    So it is enough to play three rounds that one player opens and two that the other opens, all to the end, and count
    three wins.
    """
    again = TIED
    for _ in range(60):
        won, tied = mexico_round("perfect", "perfect", again)
        again = won / (1 - tied)

    def opener(one: str, other: str) -> float:
        won, tied = mexico_round(one, other, again)
        return won / (1 - tied)

    def chance(number: int, wins: int, each: float) -> float:
        return comb(number, wins) * each**wins * (1 - each) ** (number - wins)

    own, others = opener(one, other), 1 - opener(other, one)
    return sum(chance(3, a, own) * chance(2, b, others) for a, b in product(range(4), range(3)) if a + b >= 3)


@pytest.mark.parametrize(
    ("played", "share"),
    [("a round", mexico_share), pytest.param("three lives", lives_share, marks=pytest.mark.nightly)],
)
def test_the_rows_of_mexico_are_found_again(played: str, share: Callable[[str, str], float]) -> None:
    found = [told([share(one, other) for other in MEXICANS]) for one in MEXICANS]
    assert cells_of("mexico", MEXICANS, played) == found
