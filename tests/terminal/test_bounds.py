"""What the terminal reads has an end: records of any length, and houses that say whatever they like."""

import http.server
import json
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pubdice.core.errors import BadNotation
from pubdice.match.header import MOST_NAMES, read_names
from pubdice.terminal.house_messages import MOST_LINE, TooLongError, is_update, messages
from pubdice.terminal.reading import MOST_READ
from pubdice.terminal.web_client import NO_HOUSE, WebTable
from support.console import pubdice

TURNS = "Ann: 123456>1\n"
HEADER = "pubdice 1\ngame: midnight\nseats: Ann, Bob\n\nround 1\n"


class Endless:
    """A stream that never ends."""

    def __init__(self, piece: bytes = b"x") -> None:
        self.piece, self.given = piece, 0

    def readline(self, limit: int = -1, /) -> bytes:
        assert limit > 0, "a line without a bound"
        self.given += limit
        return (self.piece * limit)[:limit]


@pytest.mark.parametrize("command", ["replay", "review"])
@pytest.mark.parametrize("what", ["blank lines", "turns", "one line", "names", "/dev/zero"])
def test_a_record_of_any_length_is_refused_in_one_sentence(command: str, what: str, tmp_path: Path) -> None:
    file = tmp_path / "long.record"
    text = {
        "blank lines": "\n" * (MOST_READ + 1),
        "turns": HEADER + TURNS * (MOST_READ // len(TURNS)),
        "one line": "pubdice 1\n# " + "x" * MOST_READ,
        "names": "pubdice 1\ngame: midnight\nseats: " + ", ".join(f"n{at}" for at in range(400_000)) + "\n",
        "/dev/zero": "",
    }[what]
    file.write_text(text, encoding="ascii")
    name = what if what.startswith("/dev") else str(file)
    if not Path(name).exists():
        pytest.skip("no such device here")
    told = pubdice(command, name, data=tmp_path)
    assert told.status == 2
    assert told.out == ""
    assert len(told.err.strip().splitlines()) == 1, told.err


def test_many_names_are_refused_without_comparing_them_all() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(BadNotation, match="names-many"):
            read_names("n," * 1_000_000)
        assert tracemalloc.get_traced_memory()[1] < 4_500_000
    finally:
        tracemalloc.stop()
    assert len(read_names(", ".join(f"n{at}" for at in range(MOST_NAMES)))) == MOST_NAMES


def test_a_line_without_an_end_is_given_up_in_bounded_memory() -> None:
    stream = Endless()
    with pytest.raises(TooLongError):
        list(messages(stream.readline))
    assert stream.given == MOST_LINE + 1
    stream = Endless(b"data: " + b"x" * 994 + b"\n")
    with pytest.raises(TooLongError):
        list(messages(_ByLines(stream.piece).readline))


class _ByLines(Endless):
    def readline(self, limit: int = -1, /) -> bytes:
        return self.piece


@contextmanager
def serving(answer: Callable[[http.server.BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """A house of somebody's own making; where a table of it is."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/t/ABCDEF"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    "body",
    [
        b"{}", b"[]", b"null", b'"x"', b'{"view": 1}', b'{"seq": 1, "log": [], "say": [], "view": {}}', b"[" * 5_000,
        b'{"seq": true, "log": [], "say": [], "view": {"seq": 1}}', b"x" * 2_000_000, b"\xff\xfe",
        b'{"seq":1,"log":[],"say":[],"seat":7,"view":{"seq":1,"stage":"playing","mover":0,"ask":"roll","seats":[]}}',
    ],
)  # fmt: skip
def test_a_state_of_any_wrong_shape_is_one_sentence(body: bytes, tmp_path: Path) -> None:

    def answer(request: http.server.BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("content-length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    with serving(answer) as address:
        told = pubdice("join", address, "--watch", data=tmp_path)
    assert told.status == 1
    assert "Traceback" not in told.err
    assert len(told.err.strip().splitlines()) == 1


def test_a_table_that_the_house_could_not_look_at_is_asked_for_again() -> None:
    line, lines = {"text": "x", "own": {}}, ("heading", "status", "whose", "scores", "standing", "beat")
    view: dict[str, object] = {
        "seq": 1, "stage": "over", "mover": None, "ask": "", "rematch": None, "last": [], "result": [],
        "places": 0, "dice": [], "seats": [], **dict.fromkeys(lines, line),
    }  # fmt: skip
    refused = {"code": "store-unreadable", "why": "Couldn't read the tables right now. Try again."}
    answers = [(503, refused), (503, refused), (200, {"seq": 1, "log": [], "say": [], "view": view, "seat": None})]
    waited: list[float] = []

    def answer(request: http.server.BaseHTTPRequestHandler) -> None:
        status, told = answers.pop(0)
        body = json.dumps(told).encode()
        request.send_response(status)
        request.send_header("content-length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    with serving(answer) as address:
        assert WebTable(address, waited.append).state()["seq"] == 1
    assert waited == [0.5, 1.0]


def test_what_a_house_of_ours_says_has_the_shape() -> None:
    line = {"text": "x", "own": {"0": "y"}}
    view = {
        "seq": 1, "stage": "playing", "mover": 0, "ask": "keep", "rematch": None, "last": [line], "result": [],
        "places": 1, "dice": [{"place": 0, "face": 6, "status": "free"}],
        "seats": [{"name": "Ann", "dice": [6], "hand": "6."}],
        **dict.fromkeys(("heading", "status", "whose", "scores", "standing", "beat"), line),
    }  # fmt: skip
    update = {"seq": 1, "log": ["x"], "say": [{"text": "x", "level": 0, "urgent": False}], "view": view}
    assert is_update(update)
    assert is_update({**update, "seat": 0})
    for key in view:
        assert not is_update({**update, "view": {name: value for name, value in view.items() if name != key}}), key
        assert not is_update({**update, "view": {**view, key: object()}}), key
    for seat in (1, -1, "0", 0.0):
        assert not is_update({**update, "seat": seat})
    for place in (-1, 1):  # past the end: houses of earlier versions counted from 1
        moved = {**view, "dice": [{"place": place, "face": 6, "status": "free"}]}
        assert not is_update({**update, "view": moved})
    move = {"move": "1", "label": "take 1", "key": "", "takes": [1]}
    offered = {"moves": [move], "main": {"gold": True, "do": "roll"}, "counter": "Round 1"}
    assert is_update({**update, "view": {**view, **offered}})
    for key, odd in (("moves", 5), ("moves", [1]), ("moves", [{**move, "takes": "1"}]), ("main", 7), ("counter", [])):
        assert not is_update({**update, "view": {**view, **offered, key: odd}}), key
    assert NO_HOUSE
