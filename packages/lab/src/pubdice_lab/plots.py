"""Pictures of exact results: scores, chases, openers, values, threats, exploitability. Also learning curves.

A ``Plot`` is plain data. ``save`` draws it as SVG or PNG, with the same bytes each time, and writes the data beside it
as CSV. Both are in English. Drawing needs the extra ``plots``. The colours are Okabe and Ito's (Color Universal Design,
2008), so colour-blind readers tell them apart. Lines also differ in their dashes and markers, and bars in hatching.
"""

import csv
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from errno import EEXIST, ENOENT
from itertools import combinations, product
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pubdice.advice.coach import Coach
from pubdice.advice.solved_round import solve_positions
from pubdice.core.dice import rolls
from pubdice.core.errors import Refused
from pubdice.core.game import Seat
from pubdice.kit import LUCKY, PERFECT
from pubdice.match.match import Match, MatchState
from pubdice.solve.arrays import Floats
from pubdice.solve.choose import one_turn_each
from pubdice.solve.solver import Solver
from pubdice.solve.turns.turn_nodes import one_turn
from pubdice_lab.chain import MatchChain
from pubdice_lab.counting import SimulationPlan
from pubdice_lab.simulation import explained

HouseRuleLines = Mapping[str, str]
MOST_ROUNDS = 12
"""The most rounds of a match in the picture of the opener's share."""
MOST_SEATS = 4
"""The most seats in the picture of threats. A race of four takes some seconds. A race of five takes minutes."""
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1)), (0, (3, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")
"""The markers of lines. Even without colour, up to thirty lines differ by their markers and the six dashes, and up to
ten bars differ by their hatches."""
HATCHES = ("", "///", "...", "\\\\\\", "xxx", "---", "ooo", "|||", "+++", "***")
MOST_MARKERS = 12
"""The most points of a line that get a marker."""
MOST_NUMBERED = 12
"""The most bars that carry their number. If there are more bars, none carries one."""
LETTERS_ABREAST, NAMES_ABREAST = 70, 36
"""The room for names below an axis.

The first number is the most letters side by side, if each gap counts as one letter. If the names have more letters,
they stand upright. The second number is the most upright names."""
WITH_BOTS = ("scores", "chase", "exploitability")
"""The pictures that have a line or a bar for each bot."""
MOST_REGRET = 1e100
"""The largest number in a learner's table. An axis can't show a larger one."""


@dataclass(frozen=True, slots=True)
class Series:
    """One line or one set of bars: positions or names along the horizontal axis, and the height at each."""

    name: str
    across: tuple[float | str, ...]
    up: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture as data.

    ``across`` and ``up`` are the labels of the axes. ``shares`` has the axes that are drawn in per cent. ``powers``
    makes the horizontal axis logarithmic from 1 on. ``source`` is the file of the data, if they were read from one.
    """

    title: str
    across: str
    up: str
    style: Literal["line", "bar"]
    series: tuple[Series, ...]
    shares: tuple[Literal["across", "up"], ...] = ("up",)
    powers: bool = False
    source: Path | None = None

    def rows(self) -> list[dict[str, Any]]:
        """Return the data as a table. A row is one point, and its columns are named after the axes."""
        return [
            {"series": series.name, self.across: at, self.up: height}
            for series in self.series
            for at, height in zip(series.across, series.up, strict=True)
        ]

    def save(self, file: str | Path) -> list[Path]:
        """Draw into a file that ends in .svg or .png, and write ``rows`` beside it as .csv. Returns the files written.

        If the data were read from a table, they are not written again, and the picture never replaces that table.
        Raises Refused ("no-matplotlib", "picture-name") and OSError.
        """
        path = Path(file)
        drawable(path)
        if self.source is not None and path.exists() and path.samefile(self.source):
            raise FileExistsError(EEXIST, os.strerror(EEXIST), str(path))
        self.figure().savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else {"Software": None})
        if self.source is not None:
            return [path]
        table = path.with_suffix(".csv")
        with table.open("w", encoding="utf-8", newline="") as to:
            writer = csv.DictWriter(to, ["series", self.across, self.up])
            writer.writeheader()
            writer.writerows(self.rows())
        return [path, table]

    def figure(self) -> Any:
        """Return the picture as a matplotlib figure. Raises Refused("no-matplotlib")."""
        mpl = matplotlib_or_refusal()
        from matplotlib.figure import Figure  # noqa: PLC0415  heavy, and an extra

        mpl.rcParams["svg.hashsalt"] = "pubdice"
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.add_subplot()
        names = list(dict.fromkeys([str(at) for series in self.series for at in series.across]))
        if all(not isinstance(at, str) for series in self.series for at in series.across):
            drawn = [self._draw(axes, number, series.across) for number, series in enumerate(self.series)]
            self._number(axes)
        else:
            places = [[names.index(str(at)) for at in series.across] for series in self.series]
            drawn = [self._draw(axes, number, across) for number, across in enumerate(places)]
            upright = sum([len(name) + 1 for name in names]) > LETTERS_ABREAST
            shown = range(0, len(names), math.ceil(len(names) / NAMES_ABREAST) if upright else 1)
            axes.set_xticks(shown, [names[at] for at in shown], rotation=90 if upright else 0, parse_math=False)
        for axis in self.shares:
            (axes.xaxis if axis == "across" else axes.yaxis).set_major_formatter(mpl.ticker.PercentFormatter(1))
        axes.set_title(self.title, parse_math=False)
        axes.set(xlabel=self.across, ylabel=self.up)
        axes.grid(alpha=0.3)
        axes.set_axisbelow(True)
        if len(self.series) > 1:
            legend = figure.legend(drawn, map(str, range(len(drawn))), loc="outside right upper")
            # set afterwards, because matplotlib skips a label like _x
            for text, series in zip(legend.get_texts(), self.series, strict=True):
                text.set(text=series.name, parse_math=False)
        return figure

    def _draw(self, axes: Any, number: int, across: Sequence[Any]) -> Any:
        up, colour = self.series[number].up, COLOURS[number % len(COLOURS)]
        if self.style == "line":
            step = max(1, len(across) // MOST_MARKERS)
            marked = {"marker": MARKERS[number % len(MARKERS)], "markevery": (number % step, step), "fillstyle": "none"}
            return axes.plot(across, up, color=colour, linestyle=DASHES[number % len(DASHES)], **marked)[0]
        width = 0.8 / len(self.series)
        places = [at + (number - (len(self.series) - 1) / 2) * width for at in across]
        hatch = HATCHES[number % len(HATCHES)]
        bars = axes.bar(places, up, width, color=colour, hatch=hatch, edgecolor="white", linewidth=0.5)
        if "up" in self.shares and sum([len(series.up) for series in self.series]) <= MOST_NUMBERED:
            axes.bar_label(bars, [f"{round(height, 5) + 0.0:.3%}" for height in up], fontsize="small")
            axes.margins(y=0.1)
        return bars

    def _number(self, axes: Any) -> None:
        """Number the horizontal axis: by powers of ten, or only at whole numbers if all positions are whole."""
        from matplotlib.ticker import MaxNLocator, StrMethodFormatter  # noqa: PLC0415  as above

        if self.powers:
            axes.set_xscale("symlog", linthresh=1)
            axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        elif all(float(at).is_integer() for series in self.series for at in series.across):
            axes.xaxis.set_major_locator(MaxNLocator(12, integer=True, steps=[1, 2, 5, 10]))


def matplotlib_or_refusal() -> Any:
    """Return the module matplotlib. Raises Refused("no-matplotlib") if it is not installed."""
    try:
        import matplotlib as mpl  # noqa: PLC0415  heavy, and an extra
        import matplotlib.ticker  # noqa: PLC0415
    except ModuleNotFoundError:
        raise Refused("no-matplotlib") from None
    return mpl


def drawable(file: Path) -> None:
    """Check that a picture can be written to this file. Raises Refused ("no-matplotlib", "picture-name") and
    OSError.
    """
    if file.suffix not in (".svg", ".png"):
        raise Refused("picture-name", file=str(file))
    matplotlib_or_refusal()
    if not file.parent.is_dir():
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(file))


def _round(game: str, seats: Sequence[str], header: HouseRuleLines) -> tuple[MatchChain, MatchState[Any]]:
    """Return the chain of a round, and its first node, with the first seat as opener. Raises Refused("plot-scores") if
    the game has no rounds.
    """
    usual = SimulationPlan(game, (), 1, "").kit.one_round
    if not usual:
        raise Refused("plot-scores")
    chain = SimulationPlan(game, tuple(seats), 1, "", tuple({**usual, **header}.items())).chain()
    return chain, _opened(chain.match)


def solved(game: str, seats: int, header: HouseRuleLines) -> tuple[Solver, MatchState[Any], SimulationPlan]:
    """Return the solver of a match, the match's first state with the first seat as opener, and the plan. Raises
    Unsolved.
    """
    plan = SimulationPlan(game, (LUCKY,) * seats, 1, "", tuple(header.items()))
    return plan.solver(), _opened(plan.match()), plan


def _opened(match: Match[Any, Any]) -> MatchState[Any]:
    state: MatchState[Any] = match.start()
    return match.draw(state, Seat(0)) if match.to_draw(state) else state


def scores(game: str, bots: Sequence[str], header: HouseRuleLines) -> Plot:
    """Return the picture of the chance of each score, for each bot as opener of a round for two."""
    found: dict[str, dict[int, float]] = {}
    for bot in bots:
        chain, start = _round(game, (bot, LUCKY), header)
        made = found[bot] = {}
        for score, _, chance in chain.turn_ends(start):
            made[score] = made.get(score, 0.0) + chance
    every = sorted({score for made in found.values() for score in made})
    told = _told(chain.match, every)
    series = [Series(bot, told, tuple([made.get(at, 0.0) for at in every])) for bot, made in found.items()]
    return Plot("scores of a turn", "score", "chance", "bar", tuple(series))


def _told(match: Match[Any, Any], scores: Sequence[int]) -> tuple[float | str, ...]:
    """Return scores as labels of an axis: numbers if the game writes plain numbers, otherwise names."""
    written = tuple(map(match.game.write_score, scores))
    return tuple(scores) if written == tuple(map(str, scores)) else written


def chase(game: str, bots: Sequence[str], header: HouseRuleLines) -> Plot:
    """Return the picture of each bot's share as the second of two seats, by the score to beat."""
    series: list[Series] = []
    for bot in bots:
        shares, match = _chased(game, bot, header)
        series.append(Series(bot, _told(match, list(shares)), tuple(shares.values())))
    return Plot("the second of two", "score to beat", "share of the round", "line", tuple(series))


def _chased(game: str, bot: str, header: HouseRuleLines) -> tuple[dict[int, float], Match[Any, Any]]:
    chain, start = _round(game, (LUCKY, bot), header)
    after = {score: node for score, node, _ in reversed(chain.turn_ends(start)) if node is not None}
    return {score: chain.share_from(after[score], 1) for score in sorted(after)}, chain.match


def opener(game: str, bots: Sequence[str], header: HouseRuleLines) -> Plot:
    """Return the picture of the share of the match's first opener, by the number of rounds. All seats play best.

    There is a line for each rule about the opener of the next round.
    """
    series = []
    for rule in _round(game, (LUCKY, LUCKY), header)[0].match.format.openers:
        found: dict[float | str, float] = {}
        for rounds in range(1, MOST_ROUNDS + 1):
            solver, start, _ = solved(game, 2, {**header, "format": f"rounds {rounds}", "opener": rule})
            found[rounds] = float(solver.values(start)[0])
        series.append(Series(rule, tuple(found), tuple(found.values())))
    return Plot("what opening is worth", "rounds", "share of the first opener", "line", tuple(series))


def values(game: str, bots: Sequence[str], header: HouseRuleLines) -> Plot:
    """Return the picture of the values, to the opener, of all positions with a choice in a round for two. They go from
    the worst position to the best.
    """
    solver, start, plan = solved(game, 2, header)
    found = solve_positions(Coach(solver, plan.match()), start, plan.kit.numbered(2))
    series = []
    for seat, name in enumerate(("first seat", "second seat")):
        worth = np.sort(found.values[found.mover == seat, 0])
        part = np.linspace(0, 1, min(len(worth), 201))
        heights = worth[np.round(part * (len(worth) - 1)).astype(int)]
        series.append(Series(name, tuple(part.tolist()), tuple(heights.tolist())))
    title, across = "the value of every position with a choice", "share of positions, by the seat that chooses"
    return Plot(title, across, "value to the opener", "line", tuple(series), shares=("across", "up"))


def threats(game: str, bots: Sequence[str], header: HouseRuleLines) -> Plot:
    """Return the picture of the greatest loss of one choice, by seats, for a player who never looks at the others'
    hands.

    The loss is against the best keep, with best play afterwards. For each hand, the player takes the keep whose
    greatest loss, over all hands of the others, is smallest. A second bar is for the best mix of two keeps. Hands with
    the same keeps count as one. The picture is for games whose position is a hand at each seat.
    """
    same: dict[float | str, float] = {}
    mixed: dict[float | str, float] = {}
    for seats in range(2, MOST_SEATS + 1):
        solver, start, plan = solved(game, seats, header)
        rules: Any = plan.match().game
        if not hasattr(start.round, "hands"):
            raise Refused("plot-hands")
        kinds: dict[Any, Any] = {}
        for hand, _ in rolls(rules.to_roll(start.round), rules.faces.sides):
            lying = _lying(start, (hand,) * seats).round
            if rules.mover(lying) is not None:
                kinds.setdefault(rules.legal(lying), hand)
        same[seats] = mixed[seats] = 0.0
        for mine in kinds.values():
            every = [_lying(start, (mine, *others)) for others in product(kinds.values(), repeat=seats - 1)]
            valued = np.array([[value for _, value in solver.action_values(here)] for here in every])
            lost = (valued.max(axis=1, keepdims=True) - valued).T
            same[seats] = max(same[seats], float(lost.max(axis=1).min()))
            mixed[seats] = max(mixed[seats], least_mixed(lost))
    named = ("the same keep", same), ("two keeps by lot", mixed)
    series = tuple([Series(name, tuple(found), tuple(found.values())) for name, found in named])
    return Plot("never looking at the others' hands", "seats", "greatest loss of one choice", "bar", series)


def least_mixed(lost: Floats) -> float:
    """Return the smallest worst-case loss of all rules that take one keep, or one of two keeps by lot.

    ``lost`` is [keeps, cases] the loss of each keep. The greatest mean loss is a convex function of the share of the
    second keep. So a ternary search finds its minimum, up to rounding.

    >>> round(least_mixed(np.array([[0.0, 0.3], [0.6, 0.0], [0.5, 0.5]])), 9)
    0.2
    """
    least = float(lost.max(axis=1).min())
    for one, other in combinations(lost, 2):
        if np.minimum(one, other).max() >= least:
            continue
        low, high = 0.0, 1.0
        for _ in range(100):
            left, right = (2 * low + high) / 3, (low + 2 * high) / 3
            if ((1 - left) * one + left * other).max() < ((1 - right) * one + right * other).max():
                high = right
            else:
                low = left
        least = min(least, float(((1 - low) * one + low * other).max()))
    return least


def _lying(start: MatchState[Any], hands: tuple[Any, ...]) -> MatchState[Any]:
    """Return a state of the match with these hands on the table, and with the first seat to choose."""
    here: Any = start.round
    return replace(start, round=replace(here, hands=hands, mover=0, kept=None))


def exploitability(game: str, bots: Sequence[str], header: HouseRuleLines) -> Plot:
    """Return the picture of the best reply's gain against each bot: its share above one half, as the mean over both
    seats.

    It is for games of one turn a seat, and for a round of two. The second seat knows the score to beat, so ``perfect``
    is its best reply. The first seat's best reply maximises the share that each of its scores leaves it against the
    bot.
    """
    found: dict[str, float] = {}
    for bot in bots:
        second, start = _round(game, (bot, PERFECT), header)
        if not one_turn_each(second.match.game):
            raise Refused("plot-reply")
        turned = one_turn(second.match.game)
        shares, _ = _chased(game, bot, header)
        solved = turned.solve([1 - shares.get(score, 1.0) for score in turned.scores])
        opened, replied = float(solved.value[turned.start]), second.share_from(start, 1)
        found[bot] = (opened + replied) / 2 - 1 / 2
    series = Series("best reply", tuple(found), tuple(found.values()))
    return Plot("what the best reply wins", "bot", "share above half", "bar", (series,))


def learning(file: Path) -> Plot:
    """Return the picture of learning curves, from a table with the columns ``series``, ``matches`` and ``regret``.

    Raises Refused("learning-table").
    """
    found: dict[str, dict[float | str, float]] = {}
    try:
        with file.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                matches, regret = float(row["matches"]), float(row["regret"])
                if not (0 <= matches <= MOST_REGRET and abs(regret) <= MOST_REGRET):
                    raise ValueError(row)
                found.setdefault(row["series"], {})[matches] = regret
    except (OSError, KeyError, TypeError, ValueError, csv.Error):
        raise Refused("learning-table", file=str(file)) from None
    if not found:
        raise Refused("learning-table", file=str(file))
    series = [Series(name, tuple(points), tuple(points.values())) for name, points in found.items()]
    title, across = f"{file.stem}: what is lost by choice", "matches learned from"
    return Plot(title, across, "regret a match", "line", tuple(series), shares=(), powers=True, source=file)


PLOTS: Mapping[str, Callable[[str, Sequence[str], HouseRuleLines], Plot]] = {
    "scores": scores,
    "chase": chase,
    "opener": opener,
    "values": values,
    "threats": threats,
    "exploitability": exploitability,
}
"""The pictures of a game, by name. The picture ``learning`` is of a file instead."""


def plot(kind: str, game: str, bots: Sequence[str] = (), **header: str) -> Plot:
    """Return a picture of a game: ``plot("chase", "midnight").save("chase.svg")``. Without ``bots``, it has all bots.

    Raises BadNotation and Unsolved. Raises Refused if the game has no such picture, or if the picture takes no bots.
    """
    with explained():
        if kind not in PLOTS:
            raise Refused("plot-name", plots=", ".join(PLOTS))
        if bots and kind not in WITH_BOTS:
            raise Refused("plot-flag", picture=kind, flag="bots")
        kit = SimulationPlan(game, (), 1, "").kit
        for bot in bots:
            kit.check_bot(bot)
        try:
            drawn = PLOTS[kind](kit.name, tuple(dict.fromkeys(bots)) or kit.bots, header)
        except Refused as refused:
            raise Refused(refused.code, title=kit.words.title) from None
        rules = f" ({', '.join([f'{key} {choice}' for key, choice in header.items()])})" if header else ""
        return replace(drawn, title=f"{kit.words.title}{rules}: {drawn.title}")
