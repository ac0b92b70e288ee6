"""The service worker unpacks the files packed by the build, piece by piece. It never takes a damaged file as whole."""

import lzma
import random
from hashlib import sha256
from pathlib import Path

import pytest

import pubdice_pocket
from pocket.pockets import by_node
from pubdice_pocket.build.archives import packed, unpacked

SCRIPT = Path(pubdice_pocket.__file__).parent / "static" / "sw" / "lzma.js"
UNPACK = """
const [file, size, ...pieces] = [require('fs').readFileSync(process.argv[1]), ...process.argv.slice(2).map(Number)];
console.log(JSON.stringify(pieces.map(piece => {
  const unpacking = new Unpacking(new Uint8Array(size));
  let whole = false, told = '';
  try {
    for (let at = 0; at < file.length && !whole; at += piece) whole = unpacking.push(file.subarray(at, at + piece));
    whole ||= unpacking.push(new Uint8Array(), true);
  } catch (error) { told = String(error); }
  return { whole, told, sum: require('crypto').createHash('sha256').update(unpacking.out).digest('hex') };
})));
"""


PIECES = 1, 1_000, 10_000_000  # the sizes in bytes of the pieces in which a file arrives


def _in_node(folder: Path, file: bytes, size: int, *pieces: int) -> list[dict[str, object]]:
    """Unpack a file with the service worker's script, once for each size in ``pieces``, and return the results.

    ``size`` is the length of the unpacked file.
    """
    (folder / "file").write_bytes(file)
    script = SCRIPT.read_text("utf-8") + UNPACK
    found: list[dict[str, object]] = by_node("-e", script, str(folder / "file"), *map(str, (size, *pieces)))
    return found


def _contents(kind: str) -> bytes:
    drawn = random.Random(420)
    if kind == "noise":
        return drawn.randbytes(70_000)
    if kind == "text":
        return b" ".join(drawn.choice([b"four", b"hundred", b"and", b"twenty"]) for _ in range(20_000))
    if kind == "far":  # the end repeats bytes of a million bytes before
        return (start := drawn.randbytes(5_000)) + bytes(1_000_000) + drawn.randbytes(300) + start
    return {"nothing": b"", "one": b"6", "same": b"6" * 100_000, "sources": SCRIPT.read_bytes()}[kind]


@pytest.mark.parametrize("kind", ["nothing", "one", "same", "noise", "text", "far", "sources"])
def test_what_was_packed_is_unpacked(kind: str, tmp_path: Path) -> None:
    contents = _contents(kind)
    file = packed(contents)
    assert unpacked(file, len(contents)) == contents
    whole = {"whole": True, "told": "", "sum": sha256(contents).hexdigest()}
    assert _in_node(tmp_path, file, len(contents), *PIECES) == [whole] * len(PIECES)


@pytest.mark.parametrize("fault", ["cut", "empty", "gzip", "other settings", "a distance too far"])
def test_what_is_damaged_is_never_whole(fault: str, tmp_path: Path) -> None:
    contents = _contents("text")
    file = packed(contents)
    damaged = {
        "cut": file[: len(file) // 2],
        "empty": b"",
        "gzip": b"\x1f\x8b" + file[2:],
        "other settings": lzma.compress(contents, lzma.FORMAT_ALONE),
        "a distance too far": file[:14] + b"\xff" * 4 + file[18:],
    }[fault]
    assert not _in_node(tmp_path, damaged, len(contents), 1_000)[0]["whole"]


def test_more_than_was_said_is_not_unpacked() -> None:
    file = packed(_contents("same"))
    assert unpacked(file, 99_999) is None
    assert unpacked(file + b"more", 100_000) is None


def test_what_no_phone_unpacks_is_not_unpacked() -> None:
    file = lzma.compress(b"usual" * 20_000, lzma.FORMAT_ALONE)
    assert lzma.decompress(file) == b"usual" * 20_000
    assert unpacked(file, 100_000) is None
