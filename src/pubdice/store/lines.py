r"""The lines of one append as one text, a line each, so that the `sqlite3` program shows them as they are.

A line break or a backslash within a line, which no house writes, is escaped, so that any text comes back as it was.
"""

import re
from collections.abc import Sequence

AS_LINES = (
    "CASE typeof(line) WHEN 'text' THEN replace(replace(line, char(92), char(92, 92)), char(10), char(92, 110)) "
    "ELSE line END"
)
"""SQL that turns a column ``line`` into one line of ``join_lines``; values other than text stay as they are."""
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def join_lines(lines: Sequence[str]) -> str:
    r"""The lines, at least one, as one text.

    >>> join_lines(["mark 0 2", "roll 136"])
    'mark 0 2\nroll 136'
    """
    text = "\n".join(lines)
    if "\\" not in text and text.count("\n") == len(lines) - 1:
        return text
    return "\n".join([line.replace("\\", "\\\\").replace("\n", "\\n") for line in lines])


def split_lines(text: str) -> list[str]:
    r"""The lines of a text that ``join_lines`` has made.

    >>> split_lines(join_lines(["", "two\nhalves", "\\n"]))
    ['', 'two\nhalves', '\\n']
    """
    lines = text.split("\n")
    if "\\" not in text:
        return lines
    return [_ESCAPE.sub(lambda found: "\n" if found[1] == "n" else found[1], line) for line in lines]
