"""``pubdice paper DIR``: the page of strategy, an article with tables and theorems, pictures, and solved tables.

Every number is computed at the time. The text of the article is in ``paper.md`` beside this file.
"""

from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_CEILING, Decimal, localcontext
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from pubdice.advice.coach import Coach
from pubdice.advice.solved_round import solve_positions
from pubdice.core.errors import Refused
from pubdice.games import GAMES
from pubdice.solve.finite.enumerated import perft
from pubdice.solve.plain.positions import find_positions
from pubdice.solve.plain.round_graph import build, by_winners
from pubdice_lab.claims import per_cent
from pubdice_lab.plots import MOST_SEATS, Plot, drawable, plot, solved
from pubdice_lab.strategy import whole

PLIES = 4
"""The number of plies that are counted. A ply is a roll or an action. The next one would take seconds to minutes."""
DRAWN = (
    ("scores", "midnight"),
    ("chase", "midnight"),
    ("opener", "midnight"),
    ("exploitability", "midnight"),
    ("scores", "ship"),
    ("exploitability", "ship"),
    ("scores", "threes"),
    ("chase", "threes"),
    ("exploitability", "threes"),
    ("threats", "420"),
    ("values", "mexico"),
)
"""The pictures that are drawn: for each, the kind of picture and the game."""
EXPLOITED = ("midnight", "ship", "threes")
"""The games in the table of exploitability (the most that a best reply wins from a bot)."""
TABLES = ("mexico", "ship", "threes")
"""The games whose solved round for two is saved. Each file is below 5 MB."""


def _table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def rounded_up(bound: float) -> str:
    """Round a bound up to one significant digit.

    >>> rounded_up(1.2e-13), rounded_up(2e-13)
    ('2e-13', '2e-13')
    """
    with localcontext(rounding=ROUND_CEILING):
        return f"{Decimal(repr(bound)):.0e}"


def _openers() -> str:
    def rows() -> Iterator[Sequence[str]]:
        for kit in GAMES.values():
            solver, start, _ = solved(kit.name, 2, kit.one_round)
            yield kit.words.title, per_cent(float(solver.values(start)[0])), rounded_up(solver.bound)

    return _table(("game", "share of the opener", "bound"), rows())


def _positions(names: Iterable[str] = tuple(GAMES)) -> str:
    def rows() -> Iterator[Sequence[str]]:
        for kit in map(GAMES.__getitem__, names):
            found = find_positions(kit.usual_game, 2)
            graph = build(found, by_winners(found)[1])
            numbers = len(found.mover), len(found.after), graph.nodes - graph.ends
            yield kit.words.title, *[f"{number:,}" for number in numbers], "yes" if graph.loose else "no"

    head = ("a round for two", "positions", "rolls and choices", "merged, without ends", "can come back")
    return _table(head, rows())


def _plies() -> str:
    def rows() -> Iterator[Sequence[str]]:
        for kit in GAMES.values():
            counts = perft(kit.usual_game, kit.usual_game.least_seats, PLIES)
            yield kit.words.title, *[f"{ply.positions:,}" for ply in counts]

    return _table(("game", *[f"ply {ply}" for ply in range(PLIES + 1)]), rows())


def _threats(drawn: Plot) -> str:
    found = zip(drawn.series[0].across, *[series.up for series in drawn.series], strict=True)
    rows = ((str(seats), *[per_cent(lost, 4) for lost in losses]) for seats, *losses in found)
    return _table((drawn.across, *[series.name for series in drawn.series]), rows)


def _exploited(drawn: Sequence[Plot]) -> str:
    """Return the table of exploitability, by bot and game. A negative number is not hidden, because it would show a
    bug.
    """
    lost = [picture.series[0] for picture in drawn]
    bots = zip(lost[0].across, *[series.up for series in lost], strict=True)
    rows = ((str(bot), *[per_cent(round(share, 5), 3) for share in shares]) for bot, *shares in bots)
    return _table(("bot", *[GAMES[game].words.title for game in EXPLOITED]), rows)


def _alike(scores: Sequence[Plot], lost: Sequence[Plot]) -> str:
    """Return the bots of each game that have the same scores and the same exploitability, to nine digits."""
    told = []
    for game, made, exploited in zip(EXPLOITED, scores, lost, strict=True):
        kinds: dict[tuple[float, ...], list[str]] = {}
        for series, share in zip(made.series, exploited.series[0].up, strict=True):
            kind = tuple([round(number, 9) for number in (*series.up, share)])
            kinds.setdefault(kind, []).append(f"`{series.name}`")
        together = [", ".join(bots) for bots in kinds.values() if len(bots) > 1]
        told += [f"{bots} at {GAMES[game].words.title}" for bots in together]
    return "; ".join(told) or "none"


def article(pictures: dict[str, Plot], names: Sequence[str]) -> str:
    """Return the text of the article. ``pictures`` are by the names in ``DRAWN``. ``names`` are the files beside the
    article.
    """
    text = files("pubdice_lab").joinpath("paper.md").read_text("utf-8")
    scores, lost = ([pictures[f"{kind}-{game}"] for game in EXPLOITED] for kind in ("scores", "exploitability"))
    races = [solved("420", seats, {})[0] for seats in range(2, MOST_SEATS + 1)]
    return text.format(
        openers=_openers(),
        positions=_positions(),
        threats=_threats(pictures["threats-420"]),
        race_bound=rounded_up(max([race.bound for race in races])),
        exploitability=_exploited(lost),
        alike=_alike(scores, lost),
        plies=_plies(),
        files=", ".join(f"`{name}`" for name in names),
    )


def paper(folder: Path) -> Iterator[Path]:
    """Fill a folder with ``strategy.md``, ``paper.md``, pictures and their data, tables, and ``SHA256SUMS``.

    Yields each file once it is written. Raises OSError, and Refused: "folder-used" if the folder is not empty, or
    "no-matplotlib".
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise Refused("folder-used", folder=str(folder))
    drawable(folder / "paper.svg")
    pictures: dict[str, Plot] = {}
    written: list[Path] = []
    for kind, game in DRAWN:
        name = f"{kind}-{game}"
        pictures[name] = plot(kind, game)
        made = pictures[name].save(folder / f"{name}.svg")
        written += made
        yield from made
    for game in TABLES:
        solver, start, plan = solved(game, 2, GAMES[game].one_round)
        written.append(folder / f"{game}.npz")
        solve_positions(Coach(solver, plan.match()), start, plan.kit.numbered(2)).save(written[-1])
        yield written[-1]
    names = [path.name for path in written]
    for name, text in (("strategy.md", whole()), ("paper.md", article(pictures, names))):
        written.append(folder / name)
        written[-1].write_text(text, encoding="utf-8")
        yield written[-1]
    sums = "".join(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in written)
    (folder / "SHA256SUMS").write_text(sums, encoding="utf-8")
    yield folder / "SHA256SUMS"
