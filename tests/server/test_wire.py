"""The messages of the wire: what a key is, and that scripts know the same fields."""

import re
from dataclasses import fields
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pubdice.server import wire
from pubdice.server.table.commands import request_of
from pubdice.server.table.commit import Key, key_of
from pubdice.server.web.static_files import STATIC
from pubdice.server.wire import ClientKey, OrderKey
from pubdice.text import game_words

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


@pytest.mark.parametrize(
    ("told", "hashed"),
    [
        ({"do": "roll", "seen": 7, "marks": [0, 2]}, b'"roll","marks":[0,2],"seen":7}'),
        ({"do": "rules", "chances": False}, b'"rules","chances":false}'),
        ({"do": "rematch", "decider": False}, b'"rematch"}'),
        ({"do": "plan", "times": "2", "play": "", "rules": {}}, b'"plan","rules":{},"play":"","times":"2"}'),
        ({"do": "type", "text": "1 6 r"}, b'"type","text":"1 6 r"}'),
    ],
)  # fmt: skip
def test_a_request_is_hashed_as_in_every_version_before(told: dict[str, object], hashed: bytes) -> None:
    """So that one which is asked again is known, though another version of the house did it."""
    body = b'{"key":"abcdefgh","do":' + hashed
    asked = request_of({**told, "key": "abcdefgh"})
    assert key_of("ann", asked) == Key("ann abcdefgh", blake2b(body, digest_size=16).digest())


DECLARED = re.findall(
    r"^  interface (\w+) \{\n(.*?)^  \}", (Path(str(STATIC)).parent / "wire.d.ts").read_text("utf-8"), re.M | re.S
)


def test_every_type_of_the_scripts_has_the_fields_of_its_message() -> None:
    assert {name for name, _ in DECLARED} >= {"Update", "View", "SeatView", "DieView", "Say"}
    for name, body in DECLARED:
        declared = re.findall(r"^    (\w+)\??: ", body, re.M)
        kind: Any = getattr(wire, name, None) or getattr(game_words, name)
        known = kind.__struct_fields__ if issubclass(kind, msgspec.Struct) else [field.name for field in fields(kind)]
        assert declared == list(known), name
