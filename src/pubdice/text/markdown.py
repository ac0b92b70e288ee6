"""A parser of the small part of Markdown that pages of rules use: headings, paragraphs, lists and bold.

Everything else is plain text. Web pages and the terminal use the same parsed blocks. A test compares the blocks of
every page of rules with the blocks of markdown-it-py, a CommonMark parser. Decision 10 gives the reason for a parser of
our own.
"""

import re
from dataclasses import dataclass

_HEADING = re.compile("(##?) +(.*)")
_ITEM = re.compile(r"([-*]|[0-9]+\.) +(.*)")


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, paragraph or list of a page."""

    kind: str
    """The name of the HTML element: h1, h2, p, ol or ul."""
    lines: tuple[tuple[str, ...], ...]
    """The items of a list, or the one line of any other block. In each line, plain and bold parts alternate, and the
    first part is plain.
    """


def read_blocks(page: str) -> tuple[Block, ...]:
    r"""Return the blocks of a page. A paragraph or a list item may go on over several lines.

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
    r"""Return a page as plain text: one line for each paragraph or list item, with an empty line between blocks.

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
