"""docs/host/cluster.md reckons from the figures of benchmarks/README.md, and docs/host/operating.md says the same."""

import re
from collections.abc import Sequence
from math import ceil
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/host/cluster.md").read_text("utf-8")
TEXT = " ".join(PAGE.split())
BENCHMARKS = (ROOT / "benchmarks/README.md").read_text("utf-8")
FIGURES = BENCHMARKS.partition("## Figures of several houses")[2].partition("\n## ")[0]
OPERATING = (ROOT / "docs/host/operating.md").read_text("utf-8")
PACE_S, PROBED_PACE_S, TABLE = 16, 2, 4
BUSY_S = 6 * 3600


def number(cell: str) -> float:
    """The first number of a cell."""
    found = re.search(r"\d[\d,]*(?:\.\d+)?", cell)
    assert found, cell
    return float(found[0].replace(",", ""))


def row(begins: str) -> list[str]:
    """The cells after the first of the row that begins so."""
    (found,) = re.findall(rf"^\| {re.escape(begins)}[^|]*\|(.*)\|$", PAGE + FIGURES, re.MULTILINE)
    return [cell.strip() for cell in found.split("|")]


def figure(begins: str) -> float:
    """What was measured."""
    return number(row(begins)[0])


def test_every_line_of_the_arithmetic_follows_from_the_measured_figures() -> None:
    limit, planned = figure("moves of a process"), number(TEXT.partition("is gone have ")[2])
    phones = [number(cell) for cell in row("phones")]
    assert phones == [10_000, 100_000, 1_000_000]
    moves = [each / PACE_S for each in phones]
    assert f"A process takes 60 % of its limit, {0.6 * limit:.0f} moves a second" in TEXT
    lines: dict[str, Sequence[float | str]] = {
        "moves a second, all": [f"{each:,.0f}" for each in moves],
        "processes": [f"{ceil(each / (0.6 * limit)) + 1}" for each in moves],
        "… if phones moved": [f"{ceil(each / planned) + 1}" for each in phones],
        "cores of PostgreSQL": [each * figure("PostgreSQL") / 1e6 for each in moves],
        "traffic": [each * TABLE * figure("a move told") * 8 / 1e9 for each in moves],
        "disk": [each * figure("a move in the log") * BUSY_S / 1e9 for each in moves],
    }
    for begins, expected in lines.items():
        for cell, value in zip(row(begins), expected, strict=True):
            places = len(cell.partition(".")[2])
            assert cell == (value if isinstance(value, str) else f"{value:.{places}f}"), begins
    hearing = 0.6 * limit * figure("hearing") / 1e6
    assert f"16 processes of {0.6 * limit:.0f} moves a second that is {15 * hearing:.0%}".replace("%", " %") in TEXT
    assert f"at 100 it is {99 * hearing:.0%}".replace("%", " %") in TEXT
    opening_s = planned * figure("a stream opened again") / 1e6
    assert f"{planned:,.0f} phones are {opening_s:.1f} s of work" in TEXT
    assert f"with nine left it is {opening_s / 9:.1f} s" in TEXT


def test_both_pages_say_the_same_of_a_house() -> None:
    (phones, moves) = re.findall(r"\| ([\d,]+), which are ([\d,]+) moves a second", OPERATING)[0]
    assert number(moves) == number(phones) / PROBED_PACE_S == figure("moves of a process")
    (planned, rate) = re.findall(r"is gone have ([\d,]+) phones each, which is ([\d,]+) moves a second", TEXT)[0]
    assert number(rate) == number(planned) / PROBED_PACE_S == 0.6 * figure("moves of a process")
    assert f"{phones} phones at one process" in TEXT
    assert f"| up to {planned}, and a restart" in OPERATING, "which house do I need?"


def test_the_measured_limit_is_the_one_of_the_benchmarks() -> None:
    (seen,) = re.findall(
        r"^\| 2,000 phones, a move every 2 s each: ([\d,]+) commands .*?\| ([^|]*) \|$",
        (ROOT / "benchmarks/README.md").read_text("utf-8"),
        re.MULTILINE,
    )
    assert number(seen[0]) == figure("moves of a process")
    assert "78 to 94 % of a core" in seen[1]
    assert "78 to 94 % of a core" in OPERATING
