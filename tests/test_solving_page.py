"""docs/solve/solving.md: its limits are those of the solvers, and its table is the one that the benchmark prints."""

import re
from pathlib import Path

import pytest

from benchmarks.solved_matches import TABLE, Shown, solved
from pubdice.advice.luck_rank import LEAST_REPLAYS, MOST_DECISIONS, MOST_REPLAYS
from pubdice.advice.odds import odds
from pubdice.advice.review import MOST_MOVES as MOST_SHOWN
from pubdice.core.errors import BadNotation, Unsolved
from pubdice.core.game import MOST_SEATS
from pubdice.games import GAMES
from pubdice.room.setup import MOST_PERFECT
from pubdice.server.answers import MOST_RECEIPTS
from pubdice.server.bot_processes import _MOST_SOLVED, MOST_CACHED
from pubdice.server.jobs import _MOST_WEIGHED
from pubdice.server.processes import PART_S
from pubdice.solve.numerics import NOTHING, TIE
from pubdice.solve.plain.positions import MOST_MOVES, MOST_MOVES_OF_TWO, MOST_POSITIONS, MOST_POSITIONS_OF_TWO
from pubdice.solve.plain.solution import MOST_WORK
from pubdice.solve.plain.solver import HANGING, MOST_TABLES
from pubdice.solve.plain.standings import MOST_ENDINGS, MOST_STANDINGS
from pubdice.solve.plain.two_sided import WIDEST
from pubdice.solve.race.races import MOST_SOLVED_SEATS as MOST_RACING
from pubdice.solve.race.solutions import LEAST_NUMBERS, MOST
from pubdice.solve.refusals import MOST_REFUSED
from pubdice.solve.solver import MOST_SOLVED_SEATS
from pubdice.solve.turns import solver as turns
from pubdice.terminal.console import PATIENCE_S
from support.profiles import NIGHTLY

ROOT = Path(__file__).parents[1]
PAGE = " ".join((ROOT / "docs/solve/solving.md").read_text(encoding="utf-8").split())
LONG = (("midnight", MOST_SEATS), ("threes", MOST_SEATS)) if NIGHTLY else ()
"""Odds that take 12 s; all games of one turn a seat have them from the same lines."""
ROWS = re.findall(
    r"^\| (.+?) \| [0-9.]+ \| \d+ \| (.+?) \|$",
    (ROOT / "docs/solve/solving.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
"""The matches, and the nearest limit of each."""


@pytest.mark.parametrize(
    "said",
    [
        f"{MOST_POSITIONS:,} positions of a round, or {MOST_MOVES:,} moves",
        f"Of two seats {MOST_POSITIONS_OF_TWO:,} positions, or {MOST_MOVES_OF_TWO:,} moves",
        f"{MOST_STANDINGS:,} standings in which a round can begin, or {MOST_ENDINGS:,} results",
        f"{MOST_WORK:,} moves of all its rounds together",
        f"come to {turns.MOST_TURNS:,} turns at most ({turns.MOST_TURNS_PLAIN:,} without numba)",
        f"and a law proves it | {MOST_SOLVED_SEATS} seats |",
        f"{MOST_RACING} seats, or {MOST[True]} for drinks",
        f"At most {MOST_REPLAYS:,} replays, and no more than come to {MOST_DECISIONS:,} decisions",
        f"Below {LEAST_REPLAYS} there is no rank",
        f"A match of more than {MOST_SHOWN:,} moves has no receipt",
        f"the last {MOST_RECEIPTS}, the last {_MOST_WEIGHED} |",
        f"carried for {turns.HANGING} rounds (`solve.plain`: {HANGING})",
        f"the gap is the bound, {WIDEST:.0e}".replace("e-09", "e-9"),
        f"good is within {TIE:.0e} of what is at stake. The coach says that nothing is lost within {NOTHING:.0e}"
        .replace("e-09", "e-9"),
        f"races of {LEAST_NUMBERS:,} values",
        f"| {MOST_TABLES} rounds.",
        f"the last {MOST_REFUSED} |",
        f"pause after {PART_S} s and go on later",
        f"beyond {MOST_CACHED >> 20} MB",
        "The bots' process keeps " + {6: "six"}[_MOST_SOLVED] + " solvers",
        {1.0: "tells you after a second"}[PATIENCE_S],
    ],
)  # fmt: skip
def test_the_limits_on_the_page_are_those_of_the_solvers(said: str) -> None:
    assert said in PAGE
    assert MOST_PERFECT == 5
    assert "with up to five players at a table" in PAGE


def test_the_table_has_the_matches_of_the_benchmark_and_tells_which_are_refused() -> None:
    told = {match: what.startswith("refused: ") for match, what in ROWS}
    assert {shown.name: told.get(shown.name) for shown in TABLE} == {shown.name: shown.refused for shown in TABLE}
    assert {shown.game for shown in TABLE} <= GAMES.keys()


@pytest.mark.parametrize(
    "shown", [Shown("ship", 2, "rounds 5"), Shown("420", 2, "race"), Shown("mexico", 2, "lives 1")]
)
def test_a_row_is_measured_by_solving_the_match(shown: Shown) -> None:
    found = solved(shown)
    assert found["solver"] == {"ship": "turns", "420": "race", "mexico": "plain"}[shown.game]
    assert re.fullmatch(r"\d+% of [a-z ]+", found["near"])
    assert found["s"] > 0


def test_a_match_that_is_too_large_has_the_sentence_that_people_are_told() -> None:
    found = solved(Shown("midnight", 7, "rounds 1", refused=True))
    assert found["refused"] == "Midnight is solved for 6 seats at most."


@pytest.mark.nightly
def test_the_odds_of_one_round_go_beyond_the_seats_of_everything_else() -> None:
    """The page: "`odds` of a single round answer for any number of players that `--seats` takes"."""
    assert "Six seats hold for everything else." in PAGE
    assert "Games of one turn a seat go to six seats." in PAGE
    most = MOST_SOLVED_SEATS + 1
    for name, seats in (("midnight", most), ("threes", most), ("ship", most), ("ship", MOST_SEATS), *LONG):
        shares = odds(GAMES[name], {"seats": str(seats), "format": "rounds 1"}).numbers["share"]
        assert len(shares) == seats
        assert sum(shares) == pytest.approx(1)
    too_many = {"seats": str(MOST_SOLVED_SEATS + 1)}
    for form in ("rounds 2", "pot 1"):
        with pytest.raises((Unsolved, BadNotation)):
            odds(GAMES["midnight"], {**too_many, "format": form})


def test_the_longest_count_of_the_page_is_that_of_its_table() -> None:
    refused = re.findall(r"\| ([0-9.]+) \| \d+ \| refused: ", PAGE)
    assert f"[{max(map(float, refused)):.0f} s](#how-large-a-match-may-be)" in PAGE


def test_mexico_goes_as_far_as_the_page_says_by_its_table() -> None:
    told = {match: what.startswith("refused: ") for match, what in ROWS}
    assert not any(told[f"Mexico for 3, {form}"] for form in ("lives 1", "lives 3", "rounds 5"))
    assert told["Mexico for 3, lives 12"]
    assert told["Mexico for 4, lives 1"]
    assert "Mexico goes to three seats, but not with twelve lives. Four seats are too many" in PAGE
