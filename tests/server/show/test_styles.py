"""What the styles of all pages keep to, as they are written: few lengths, and no order that a name alone sets."""

import re
from collections.abc import Iterator

import pytest

from pubdice.server.web import static_files

SHEETS = sorted(file.name for file in static_files.STATIC.iterdir() if file.name.endswith(".css"))
TOKEN = re.compile(r"[{}]|[^{};]+")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def declared(style: str, name: str) -> list[str]:
    """The selectors of the rules that declare this property, each within those that it is nested in."""
    found, heads, last = list[str](), list[str](), ""
    for part in map(str.strip, TOKEN.findall(COMMENT.sub("", style))):
        if part == "{":
            heads.append(last)
        elif part == "}":
            heads.pop()
        elif part.partition(":")[0] == name and heads:
            found.append(" ".join(head for head in heads if not head.startswith("@")))
        last = part
    return found


def test_the_rules_of_a_property_are_found_with_what_they_are_nested_in() -> None:
    style = "a, b { order: 1; border: 0 } @media print { #c { d { order: 2 } e:hover { color: red } } }"
    assert declared(style, "order") == ["a, b", "#c d"]
    assert split("a, :is(b, c:not(d, e)), f") == ["a", " :is(b, c:not(d, e))", " f"]


@pytest.mark.parametrize("sheet", SHEETS)
def test_another_order_on_the_screen_is_that_of_a_stage(sheet: str) -> None:
    """Bound to names alone it holds wherever the name stands: the winner's once stood below the dice."""
    style = static_files.read_static(sheet).decode()
    loose = [rule for rule in declared(style, "order") for one in split(rule) if "[data-stage=" not in one]
    assert loose == []


def split(selectors: str) -> list[str]:
    """The selectors of a list; those in parentheses are parts of one."""
    parts, depth = [""], 0
    for sign in selectors:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


DECLARATION = re.compile(r"(?P<name>[\w-]+)\s*:\s*(?P<value>[^;{}]+);")
LENGTH = re.compile(r"(?<![\w.#-])(-?[\d.]+)(rem|px)\b")
SIZES = ("tiny", "small", "body", "head", "title")
SIZED = {"font", "font-size", *(f"--{size}" for size in SIZES)}
STEP_REM = 0.125
"""2 px. Above 2rem 4 px, above 8rem 8 px: so fine no eye sees there."""


def rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Each declaration of a sheet: its property and its value."""
    css = COMMENT.sub("", (static_files.STATIC / sheet).read_text())
    for found in DECLARATION.finditer(css):
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
