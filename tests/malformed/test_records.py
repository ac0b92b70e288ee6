"""Bad records: each is refused in one sentence that names the place, and nothing is told of the rest."""

from pathlib import Path

import pytest

from malformed.bad_headers import HEADERS
from malformed.bad_turns import TURNS
from malformed.cases import BadRecord
from support.console import one_sentence, pubdice, snapshot

RECORDS = [*HEADERS, *TURNS]


def _shown(text: str) -> str:
    """What of a piece of text may be shown again."""
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text.strip())
    return shown if len(shown) <= 40 else shown[:39] + "…"


@pytest.mark.parametrize("bad", RECORDS, ids=lambda bad: bad.why)
def test_a_bad_record_is_refused_in_a_sentence_with_its_place(bad: BadRecord, tmp_path: Path) -> None:
    told = pubdice("replay", "-", typed=bad.data, data=tmp_path)
    sentence = one_sentence(told, "replay")
    assert told.status == bad.status
    assert bad.says in sentence
    assert snapshot(tmp_path) == {}
    if bad.place is None:
        return
    line, column, found = bad.place
    stood = f'"{_shown(found)}"' if found else "at the end"
    assert sentence.startswith(f"Line {line}, column {column}, {stood}: "), sentence


@pytest.mark.parametrize("bad", RECORDS[::9], ids=lambda bad: bad.why)
def test_a_bad_record_in_a_file_is_refused_just_so_and_left_alone(bad: BadRecord, tmp_path: Path) -> None:
    file = tmp_path / "bad.record"
    file.write_bytes(bad.data)
    piped = pubdice("replay", "-", typed=bad.data, data=tmp_path / "data")
    for options in ([], ["--json"]):
        told = pubdice("replay", str(file), *options, data=tmp_path / "data")
        assert (told.status, told.out) == (bad.status, "")
        assert told.err.endswith(piped.err.removeprefix("pubdice replay: ").removeprefix('"-"'))
    assert snapshot(tmp_path) == {"bad.record": bad.data}


GOOD = "pubdice 1\ngame: 420\nseats: Red, Blue\n\nround 1\nRed: 6554 = 20\n"


@pytest.mark.parametrize(
    "data",
    [
        GOOD.encode(),
        b"\xef\xbb\xbf" + GOOD.encode(),
        GOOD.replace("\n", "\r\n").encode(),
        GOOD.replace("\n", "\n\n# a comment\n").encode(),
        GOOD.rstrip("\n").encode(),
        GOOD.replace("Red: 6554 = 20", "  Red :   6554=20  # at last").encode(),
        GOOD.replace("Red: 6554", "Red:\t6554").encode(),
        GOOD.upper().replace("GAME", "Game").replace("RED", "Red").replace("ROUND", "round").encode(),
    ],
    ids=["plain", "byte order mark", "CRLF", "comments", "no last line end", "spaces", "tab", "keys in capitals"],
)
def test_what_only_looks_unusual_is_read(data: bytes, tmp_path: Path) -> None:
    told = pubdice("replay", "-", typed=data, data=tmp_path)
    assert (told.status, told.err) == (0, "")
    assert "20" in told.out
