"""A parser of the small part of Markdown in pages of rules: headings, paragraphs, lists and bold. All else is text.

Web pages and the terminal use the same blocks. On every page of rules a test compares them with markdown-it-py, a
CommonMark parser. Decision 10 says why we use no library.
"""

import re
from dataclasses import dataclass

_HEADING = re.compile("(##?) +(.*)")
_ITEM = re.compile(r"([-*]|[0-9]+\.) +(.*)")


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a page."""

    kind: str
    """h1, h2, p, ol or ul."""
    lines: tuple[tuple[str, ...], ...]
    """The items of a list, or one line. Each alternates plain and bold parts, plain first."""


def read_blocks(page: str) -> tuple[Block, ...]:
    r"""The blocks of a page. Paragraphs and list items may continue on further lines.

    >>> [block.kind for block in read_blocks("# A\nb **c**\nd\n- e\n  f\n- g")]
    ['h1', 'p', 'ul']
    >>> read_blocks("- e\n  **f**\n- g")[0].lines
    (('e ', 'f', ''), ('g',))
    """
    found: list[tuple[str, list[str]]] = []
    goes_on = False
    for line in map(str.strip, page.splitlines()):
        heading, item = _HEADING.fullmatch(line), _ITEM.fullmatch(line)
        if heading:
            found.append((f"h{len(heading[1])}", [heading[2]]))
        elif item:
            kind = "ul" if item[1] in "-*" else "ol"
            if not found or found[-1][0] != kind:
                found.append((kind, []))
            found[-1][1].append(item[2])
        elif line and goes_on:
            found[-1][1][-1] += f" {line}"
        elif line:
            found.append(("p", [line]))
        goes_on = bool(line) and not heading
    return tuple(Block(kind, tuple(tuple(line.split("**")) for line in lines)) for kind, lines in found)


def plain_lines(page: str) -> list[str]:
    r"""A page as plain text: one line for each paragraph and list item, and an empty line between blocks.

    >>> plain_lines("# A\n\nb **c**\nd\n\n1. e\n2. f")
    ['A', '', 'b c d', '', '1. e', '2. f']
    """
    lines: list[str] = []
    for block in read_blocks(page):
        lines += [""] if lines else []
        for number, parts in enumerate(block.lines, 1):
            mark = {"ul": "- ", "ol": f"{number}. "}.get(block.kind, "")
            lines.append(mark + "".join(parts))
    return lines
