"""A bound on how deep JSON from elsewhere nests: from a phone, a file, a house or a disk. Decodes nothing."""

import re
from typing import TypeVar

Text = TypeVar("Text", bound=str | bytes)
DEEPEST = 20
"""The most lists and objects within each other: ours have 5."""
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_NESTING = re.compile(r"[][{}]")


def shallow(text: Text) -> Text:
    """The text itself, for a decoder. Raises ValueError if it nests deeper than ``DEEPEST``.

    Decoders recurse: beyond some 1,000 levels Python's raise RecursionError, sooner where the stack is deep already,
    and in a browser the stack may end before that, and the engine with it.

    Bytes are UTF-8. Decoders also read UTF-16 and UTF-32, in which a bracket has a byte of 0, and a quotation mark may
    be half of another character; so ValueError for a 0, which no JSON in UTF-8 has.

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
