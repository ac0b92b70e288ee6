"""What the styles of all pages keep to, as they are written."""

import re

import pytest

from pubdice.server.web import static_files

SHEETS = sorted(file.name for file in static_files.STATIC.iterdir() if file.name.endswith(".css"))
RULE = re.compile(r"[{}]|[^{};]+")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def declared(style: str, name: str) -> list[str]:
    """The selectors of the rules that declare this property, each within those that it is nested in."""
    found, heads, last = list[str](), list[str](), ""
    for part in map(str.strip, RULE.findall(COMMENT.sub("", style))):
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
