"""What may stand in a message."""

import msgspec
import pytest

from pubdice.server.table.commands import request_of
from pubdice.server.wire import ClientKey, OrderKey

SOUND = ("abcdefgh", "A-Za-z0-9_-", "x" * 64)


@pytest.mark.parametrize("key", SOUND)
def test_keys_are_letters_digits_and_two_signs(key: str) -> None:
    assert msgspec.convert(key, ClientKey) == msgspec.convert(key, OrderKey) == key


@pytest.mark.parametrize("end", ["\n", "\n\n", "\r", " ", "\0", "\u2028", "é", "\N{ARABIC-INDIC DIGIT ONE}"])
@pytest.mark.parametrize("key", SOUND)
def test_nothing_follows_a_key(key: str, end: str) -> None:
    for kind in (ClientKey, OrderKey):
        for text in (key[:60] + end, end + key[:60]):
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert(text, kind)
    with pytest.raises(msgspec.ValidationError):
        request_of({"key": key[:60] + end, "do": "roll"})
