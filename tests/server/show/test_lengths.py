"""Lengths of the pages are few, as colours are: text up to 2rem has five sizes by name, space goes in steps of 2 px."""

import re
from collections.abc import Iterator

import pytest

from pubdice.server.web.static_files import STATIC

SHEETS = sorted(file.name for file in STATIC.iterdir() if file.name.endswith(".css"))
RULE = re.compile(r"(?P<name>[\w-]+)\s*:\s*(?P<value>[^;{}]+);")
LENGTH = re.compile(r"(?<![\w.#-])(-?[\d.]+)(rem|px)\b")
SIZES = ("tiny", "small", "body", "head", "title")
SIZED = {"font", "font-size", *(f"--{size}" for size in SIZES)}
STEP_REM = 0.125
"""2 px. Above 2rem 4 px, above 8rem 8 px: so fine no eye sees there."""


def rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Each declaration of a sheet: its property and its value."""
    css = re.sub(r"/\*.*?\*/", "", (STATIC / sheet).read_text(), flags=re.DOTALL)
    for found in RULE.finditer(css):
        yield found["name"], " ".join(found["value"].split())


def is_in_steps(rem: float) -> bool:
    """True if a length in rem is a whole number of steps."""
    steps = STEP_REM * (1 if abs(rem) <= 2 else 2 if abs(rem) <= 8 else 4)
    return (rem / steps).is_integer()


@pytest.mark.parametrize("sheet", SHEETS)
def test_space_goes_in_steps(sheet: str) -> None:
    odd = [
        f"{name}: {value}"
        for name, value in rules(sheet)
        for number, unit in LENGTH.findall(value)
        if name not in SIZED and unit == "rem" and not is_in_steps(float(number))
    ]
    assert odd == []


@pytest.mark.parametrize("sheet", SHEETS)
def test_text_has_sizes_by_name(sheet: str) -> None:
    """What is larger than a heading, such as a code to be read across a room, has a size of its own."""
    odd = [
        f"{name}: {value}"
        for name, value in rules(sheet)
        if name in ("font", "font-size")
        for number, unit in LENGTH.findall(value)
        if unit == "rem" and float(number) < 2.125
    ]
    assert odd == []
