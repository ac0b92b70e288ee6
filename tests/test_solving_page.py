"""docs/solving.md: its limits are those of the solvers, and its table is the one that the benchmark prints."""

import re
from pathlib import Path

import pytest

from benchmarks.solved_matches import TABLE, Shown, solved
from pubdice.advice.luck_rank import LEAST_REPLAYS, MOST_DECISIONS, MOST_REPLAYS
from pubdice.advice.receipt import MOST_MOVES as MOST_SHOWN
from pubdice.games import GAMES
from pubdice.room.setup import MOST_PERFECT
from pubdice.server.live.answers import MOST_RECEIPTS
from pubdice.server.live.solver_process import _MOST_WEIGHED
from pubdice.solve.choose import MOST_REFUSED
from pubdice.solve.hand_race.solutions import MOST
from pubdice.solve.hand_race.solver import MOST_SOLVED_SEATS as MOST_RACING
from pubdice.solve.plain.positions import MOST_MOVES, MOST_POSITIONS
from pubdice.solve.plain.solution import MOST_WORK
from pubdice.solve.plain.solver import HANGING, MOST_TABLES
from pubdice.solve.plain.standings import MOST_ENDINGS, MOST_STANDINGS
from pubdice.solve.plain.two_sided import WIDEST
from pubdice.solve.race.race_cache import LEAST_NUMBERS
from pubdice.solve.tolerance import NOTHING, TIE
from pubdice.solve.turns import solver as turns

ROOT = Path(__file__).parents[1]
PAGE = " ".join((ROOT / "docs/solving.md").read_text(encoding="utf-8").split())
ROWS = re.findall(r"^\| (.+?) \| (.+?) \|.*\|$", (ROOT / "docs/solving.md").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize(
    "said",
    [
        f"{MOST_POSITIONS:,} positions of a round, or {MOST_MOVES:,} moves",
        f"{MOST_STANDINGS:,} standings in which a round can begin, or {MOST_ENDINGS:,} results",
        f"{MOST_WORK:,} moves of all its rounds together",
        f"come to {turns.MOST_TURNS:,} turns at most ({turns.MOST_TURNS_PLAIN:,} without numba)",
        f"The rules are asked first whether that is so | {turns.MOST_SOLVED_SEATS} seats |",
        f"{MOST_RACING} seats; drinks {MOST[True]}",
        f"At most {MOST_REPLAYS:,} replays, and no more than come to {MOST_DECISIONS:,} decisions",
        f"Below {LEAST_REPLAYS} there is no rank",
        f"A match of more than {MOST_SHOWN:,} moves has no receipt",
        f"the last {MOST_RECEIPTS}; the last {_MOST_WEIGHED} |",
        f"hangs for {turns.HANGING} rounds (`solve.plain`: {HANGING})",
        f"the gap is the bound, {WIDEST:.0e}".replace("e-09", "e-9"),
        f"good is within {TIE:.0e} of what is at stake; the coach says that nothing is lost within {NOTHING:.0e}"
        .replace("e-09", "e-9"),
        f"races of {LEAST_NUMBERS:,} values",
        f"| {MOST_TABLES} rounds;",
        f"the last {MOST_REFUSED} |",
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
    assert found["solver"] == {"ship": "turns", "420": "hand_race", "mexico": "plain"}[shown.game]
    assert re.fullmatch(r"\d+ % of the [a-z ]+", found["near"])
    assert found["s"] > 0
    assert re.match(r"[\d,]+ (positions|values)", found["size"])


def test_a_match_that_is_too_large_has_the_sentence_that_people_are_told() -> None:
    found = solved(Shown("midnight", 7, "rounds 1", refused=True))
    assert found["refused"] == "Midnight is solved for 6 seats at most."
