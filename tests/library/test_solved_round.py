"""A round solved as arrays: the same values and moves as every other answer has, a table, and a reader of its file."""

import random
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import pubdice

ROOT = Path(__file__).parents[2]
READER = ROOT / "examples/read_solved_round.py"
MATCHES = {
    "ship rounds 2": lambda: pubdice.new_match("ship", format="rounds 2"),
    "mexico for three": lambda: pubdice.new_match("mexico", seats=3, format="lives 1"),
    "threes alone": lambda: pubdice.new_match("threes", seats=1, format="rounds 1"),
    "midnight alone, twice": lambda: pubdice.new_match("midnight", seats=1, format="rounds 2"),
    "shut the box alone": lambda: pubdice.new_match("shutbox", seats=1, format="rounds 1"),
    "mexico for lives": lambda: pubdice.new_match("mexico", format="lives 2"),
    "mexico for a pot": lambda: pubdice.new_match("mexico", format="pot 1 rounds 2"),
}
LARGE = {"mexico for three", "mexico for a pot"}
DAILY = [pytest.param(name, marks=[pytest.mark.nightly] * (name in LARGE)) for name in MATCHES]


@cache
def solved_match(name: str) -> tuple[pubdice.MatchInPlay, pubdice.SolvedRound]:
    """A match, and its first round solved."""
    match = MATCHES[name]()
    return match, pubdice.solve_round(match)


def walked(match: pubdice.MatchInPlay, seed: str) -> list[pubdice.MatchInPlay]:
    """The match as it stands again and again while its first round is played by lot."""
    cup, choose, found, number = pubdice.cup(seed), random.Random(seed), [match], match.state.number
    while True:
        match = match.throw(cup) if match.to_roll else match.play(choose.choice(match.legal))
        if match.over or match.state.number != number:
            return found
        found.append(match)


@pytest.mark.parametrize("name", DAILY)
def test_it_says_what_odds_and_advise_say(name: str) -> None:
    start, solved = solved_match(name)
    assert solved.names == start.names
    choices = 0
    for seed in "abcd":
        for match in walked(start, seed):
            odds = pubdice.odds(match)
            assert solved.utility == odds.utility
            values = dict(zip(solved.names, solved.values[solved.number(match)], strict=True))
            assert values == pytest.approx(odds.values, abs=1e-9)
            if match.legal:
                best = solved.best(match)
                lost = {each.action: each.lost for each in pubdice.advise(match).ranked}
                assert lost[best] == pytest.approx(0, abs=1e-9)
                choices += 1
    assert choices > 3


@pytest.mark.nightly
def test_a_round_that_comes_back_to_where_it_was_is_solved_too() -> None:
    match = pubdice.new_match("420")
    solved = pubdice.solve_round(match)
    for here in walked(match, "stout")[:12]:
        assert dict(zip(solved.names, solved.values[solved.number(here)], strict=True)) == pytest.approx(
            pubdice.odds(here).values, abs=1e-9
        )


@pytest.mark.parametrize("name", DAILY)
def test_its_arrays_are_one_graph(name: str) -> None:
    """Chances of every position add up to one, and by them its value is the mean of what follows."""
    _, solved = solved_match(name)
    inner = np.flatnonzero(np.diff(solved.starts))
    assert set(np.flatnonzero(solved.mover == -2)) == set(range(len(solved))) - set(inner)
    first = solved.starts[inner]
    assert np.add.reduceat(solved.chance, first) == pytest.approx(1.0)
    means = np.add.reduceat(solved.values[solved.after] * solved.chance[:, None], first)
    assert means == pytest.approx(solved.values[inner], abs=1e-9)
    chosen = solved.policy[solved.mover >= 0]
    assert (solved.chance[chosen] == 1).all()
    assert (solved.policy[solved.mover < 0] == -1).all()


def test_every_row_of_its_table_is_a_position_that_can_be_read_again() -> None:
    start = pubdice.new_match("ship", format="rounds 1")
    solved = pubdice.solve_round(start)
    table = solved.to_dict()["positions"]
    assert len(table) == len(solved) == len({row["position"] for row in table})
    assert (table[0]["position"], table[0]["mover"], table[0]["best"]) == ("", None, None)
    for number in random.Random(1).sample(range(len(table)), 60):
        match = pubdice.read_position(f"{start.position} {table[number]['position']}")
        if not match.over:
            assert solved.number(match) == number
            assert table[number]["mover"] == (match.turn if match.legal else None)
        assert table[number]["values"] == pytest.approx(pubdice.odds(match).values)


def test_it_is_about_one_round_alone() -> None:
    match = pubdice.new_match("ship", format="rounds 5")
    solved, number = pubdice.solve_round(match), match.state.number
    cup = pubdice.cup("stout")
    while match.state.number == number:
        match = match.throw(cup) if match.to_roll else match.play(solved.best(match))
    with pytest.raises(pubdice.Failure, match="stands in another round than the solved one"):
        solved.number(match)
    for other in ("pot 1 rounds 5", "rounds 4"):
        with pytest.raises(pubdice.Failure, match="has other rules than the solved one"):
            solved.best(pubdice.new_match("ship", format=other))
    usual, others = (pubdice.new_match("ship", format="rounds 1", cargo=rule) for rule in ("together", "single"))
    with pytest.raises(pubdice.Failure, match="has other rules than the solved one"):
        pubdice.solve_round(usual).number(others)
    with pytest.raises(pubdice.Failure, match="There is nothing to choose here"):
        solved.best(pubdice.new_match("ship", format="rounds 5"))
    with pytest.raises(pubdice.Failure, match="Give a match in play"):
        solved.best("ship")  # type: ignore[arg-type]
    assert pubdice.solve_round(match).number(match) == 0


def tied() -> pubdice.MatchInPlay:
    """A match at its roll-off, as nobody scored in its one round."""
    match = pubdice.new_match("ship", format="rounds 1 rolloff")
    while match.state.roll_off is None:
        match = match.roll("11111"[: match.to_roll]) if match.to_roll else match.play(match.legal[-1])
    return match


@pytest.mark.parametrize(
    ("match", "why"),
    [
        (lambda: pubdice.new_match("midnight", seats=3, format="rounds 1"), "A table of a round has 600,000 positions"),
        (lambda: pubdice.new_match("midnight", format="points 30"), "A turn can end this match in the middle"),
        (lambda: pubdice.new_match("420", first="draw"), "Draw Player 1 first"),
        (lambda: pubdice.play_out("ship", "tip", pubdice.cup("stout")), "The game is over. You can't play on."),
        (tied, "A roll-off has nothing to choose"),
        (lambda: 5, "Give a match in play"),
    ],
)  # fmt: skip
def test_what_has_no_table_is_refused_in_a_sentence(match: object, why: str) -> None:
    assert callable(match)
    with pytest.raises(pubdice.Failure, match=re.escape(why)):
        pubdice.solve_round(match())


def test_a_reader_of_fifty_lines_plays_what_was_saved(tmp_path: Path) -> None:
    assert len(READER.read_text("utf-8").splitlines()) <= 50
    assert "pubdice" not in re.findall(r"^import (\w+)", READER.read_text("utf-8"), re.MULTILINE)
    solved = pubdice.solve_round(pubdice.new_match("mexico", format="lives 1"))
    solved.save(tmp_path / "mexico.npz")
    words = [sys.executable, str(READER), str(tmp_path / "mexico.npz"), "40000"]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert told.startswith(f"{len(solved)} positions; share of the match, to ")
    rows = re.findall(r"^(\w+): (\d\.\d+); (\d\.\d+) in 40000 rounds$", told, re.MULTILINE)
    assert [name for name, *_ in rows] == list(solved.names)
    for (_, worth, mean), value in zip(rows, solved.values[0], strict=True):
        assert float(worth) == pytest.approx(value, abs=1e-4)
        assert float(mean) == pytest.approx(value, abs=0.01)  # four standard errors of 40,000 rounds


def test_the_reader_without_a_file_says_its_usage() -> None:
    done = subprocess.run([sys.executable, READER], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "usage: python examples/read_solved_round.py FILE.npz [ROUNDS]\n")
