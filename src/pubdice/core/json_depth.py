"""A limit on the nesting of JSON that comes from a phone, a file, a house or a disk. This module does not decode it."""

import re
from typing import TypeVar

Text = TypeVar("Text", bound=str | bytes)
DEEPEST = 20  # the most lists and objects inside each other; pubdice's own JSON has 5
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_NESTING = re.compile(r"[][{}]")


def shallow(text: Text) -> Text:
    """Return the text unchanged, for a decoder. Raises ValueError if it nests deeper than ``DEEPEST``.

    Decoders recurse. Python's decoder raises RecursionError at some 1,000 levels, or sooner if its caller is already
    deep in calls. In a browser the stack may end earlier, and Python ends with it.

    Bytes must be UTF-8. Decoders also accept UTF-16 and UTF-32, but this function would misread brackets and quotation
    marks in them. Both contain zero bytes, and JSON in UTF-8 has none. So a zero byte raises ValueError.

    >>> shallow('{"lines": ["[[[["]}'), shallow(b"[[1]]")
    ('{"lines": ["[[[["]}', b'[[1]]')
    """
    if isinstance(text, bytes) and b"\0" in text:
        raise ValueError("not in UTF-8")
    plain = text.decode("latin-1") if isinstance(text, bytes) else text
    if plain.count("[") + plain.count("{") > DEEPEST:
        depth = 0
        for mark in _NESTING.finditer(_STRINGS.sub("", plain)):
            depth += 1 if mark[0] in "[{" else -1
            if depth > DEEPEST:
                raise ValueError("nested too deep")
    return text
