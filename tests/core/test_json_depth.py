"""JSON from elsewhere: no decoder is given what nests too deep, in whatever encoding it comes."""

import json

import pytest

from pubdice.core.json_depth import DEEPEST, shallow


def test_as_deep_as_may_be_passes_and_one_deeper_is_refused() -> None:
    for text in ("[" * DEEPEST + "]" * DEEPEST, json.dumps({"lines": ["[" * 500, '"[{\\', "Ģ" * 50]})):
        assert shallow(text) == text
        assert shallow(text.encode()) == text.encode()
    for opening in ("[", '{"a":'):
        with pytest.raises(ValueError, match="too deep"):
            shallow(opening * (DEEPEST + 1))
        with pytest.raises(ValueError, match="too deep"):
            shallow((opening * (DEEPEST + 1)).encode())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_no_other_encoding_hides_how_deep_it_nests(encoding: str) -> None:
    """Decoders read UTF-16 too; one byte of U+0122 is a quotation mark, so 100,000 brackets passed for a string."""
    with pytest.raises(ValueError, match="UTF-8"):
        shallow(('["Ģ",' + "[" * 100_000).encode(encoding))
