"""The reader of pages of rules: as CommonMark reads them, and the same words on the web and in the terminal."""

import re

import pytest
from markdown_it import MarkdownIt

from pubdice.games import GAMES
from pubdice.text.catalogues import CODES
from pubdice.text.markdown import Block, plain_lines, read_blocks

PAGES = [pytest.param(kit.page(code), id=f"{kit.name}-{code}") for kit in GAMES.values() for code in CODES]
CASES = [
    "# One\nat once after it\n## Two",
    "A paragraph\nover two lines,\n- then a list\n  whose item goes on\n- and **bold** in it",
    "1. first\n2. second\n\nAnd on.\n\n* stars\n* too",
    "- a\n1. b",
    "Not#a heading, -not an item, 2nd not either.",
]


def commonmark(page: str) -> list[tuple[str, list[str]]]:
    """The blocks of a page by markdown-it: their tags, and their lines with bold between two stars."""
    found: list[tuple[str, list[str]]] = []
    depth, before = 0, ""
    for token in MarkdownIt("commonmark").parse(page):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            found.append((token.tag, []))
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif token.type == "inline":
            if depth == 0:
                found.append((before, []))
            found[-1][1].append(re.sub(r"[ \n]+", " ", token.content))
        before = token.tag
    return found


def ours(blocks: tuple[Block, ...]) -> list[tuple[str, list[str]]]:
    return [(block.kind, ["**".join(parts) for parts in block.lines]) for block in blocks]


@pytest.mark.parametrize("page", [*PAGES, *CASES])
def test_a_page_is_read_as_commonmark_reads_it(page: str) -> None:
    assert ours(read_blocks(page)) == commonmark(page)


@pytest.mark.parametrize("page", PAGES)
def test_every_word_of_a_page_is_read_out_and_no_mark_is(page: str) -> None:
    said = " ".join(plain_lines(page))
    assert said.split() == re.sub(r"^#+ |\*\*", "", page, flags=re.MULTILINE).split()
    assert "#" not in said
    assert "*" not in said


def test_line_ends_of_windows_are_line_ends() -> None:
    assert read_blocks("# A\r\n\r\nb\r\nc") == read_blocks("# A\n\nb\nc")


def test_nothing_is_no_block() -> None:
    assert read_blocks("\n \n") == ()
    assert plain_lines("") == []
