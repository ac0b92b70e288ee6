"""The costly part of scrypt in JavaScript: the published vectors, and the hash that a house makes of the words."""

import base64
import hashlib
import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from pubdice.server.book import words_hash

VECTORS = json.loads((Path(__file__).parents[1] / "published" / "scrypt.json").read_text())
SCRIPT = base64.b64encode((files("pubdice.pocket") / "static" / "rom_mix.js").read_bytes()).decode()
MIX = """async ([script, hex, rounds]) => {
  const { romMix } = await import(`data:text/javascript;base64,${script}`);
  const mixed = romMix(Uint8Array.from(hex.match(/../g), pair => parseInt(pair, 16)), rounds);
  return [...mixed].map(byte => byte.toString(16).padStart(2, '0')).join('');
}"""


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page()
    yield page
    page.close()


def mixed(page: Page, block: bytes, rounds: int = 2**14) -> bytes:
    return bytes.fromhex(page.evaluate(MIX, [SCRIPT, block.hex(), rounds]))


def test_the_published_vector_of_rom_mix(page: Page) -> None:
    vector = VECTORS["rom_mix"]
    assert mixed(page, bytes.fromhex(vector["input"]), vector["rounds"]).hex() == vector["output"]


@pytest.mark.parametrize("number", [None, 0, 77, 2**40 - 1])
def test_a_pocket_makes_the_hash_that_a_house_makes(page: Page, number: int | None) -> None:
    """So a book can be moved between them."""
    for salt, name in ((b"salt" * 8, "Ann"), (bytes(32), "Zo\u00eb O'Hara")):
        assert words_hash(salt, name, number, lambda block: mixed(page, block)) == words_hash(salt, name, number)


def test_scrypt_as_published(page: Page) -> None:
    """RFC 7914, section 12, the vector with the costs that the book has."""
    vector = VECTORS["scrypt"]
    password, salt = vector["password"].encode(), vector["salt"].encode()
    block = hashlib.pbkdf2_hmac("sha256", password, salt, 1, 1024)
    found = hashlib.pbkdf2_hmac("sha256", password, mixed(page, block), 1, 64)
    assert found.hex() == vector["hash"]
