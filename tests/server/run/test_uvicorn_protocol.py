"""How requests are read and answers written, with a real house at the other end of a bare socket."""

import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pubdice.server.uvicorn_protocol import HEAD_WITHIN_S, MOST_AHEAD
from pubdice.server.web.browser import new_token
from pubdice.server.web.guard import HEADERS
from support.house_process import House
from support.http_wire import read_head
from support.metrics import metric

PAUSE_S = 0.05
"""Long enough that what was sent before is read alone."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("house"), limits=False) as opened:
        yield opened


class Connection:
    """A connection, and what was heard on it and not yet read."""

    def __init__(self, house: House) -> None:
        self.host = f"127.0.0.1:{house.port}"
        self.line = socket.create_connection(("127.0.0.1", house.port), timeout=10)
        self.cookie = "pubdice=" + new_token(lambda number: bytes(range(number)))
        self.heard = b""

    def request(self, method: str, path: str, body: bytes = b"", *more: str, version: str = "1.1") -> bytes:
        lines = [f"{method} {path} HTTP/{version}", f"Host: {self.host}", f"Cookie: {self.cookie}", *more]
        if body and not more:
            lines.append(f"Content-Length: {len(body)}")
        if body:
            lines.append("Content-Type: application/json")
        return "\r\n".join([*lines, "", ""]).encode() + body

    def say(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.line.sendall(piece)
            if len(pieces) > 1:
                time.sleep(PAUSE_S)

    def answer(self, *, has_body: bool = True) -> tuple[int, dict[str, str], bytes]:
        """The next answer."""
        while b"\r\n\r\n" not in self.heard:
            self._hear()
        head, _, self.heard = self.heard.partition(b"\r\n\r\n")
        status, headers = read_head(head)
        assert len(headers) == head.count(b"\r\n"), "no header twice"
        length = int(headers["content-length"]) if has_body else 0
        while len(self.heard) < length:
            self._hear()
        body, self.heard = self.heard[:length], self.heard[length:]
        return status, headers, body

    def _hear(self) -> None:
        part = self.line.recv(65_536)
        assert part, f"closed after {self.heard!r}"
        self.heard += part

    @property
    def is_closed(self) -> bool:
        return self.heard == b"" and self.line.recv(1) == b""


@contextmanager
def at_a_table(house: House) -> Iterator[tuple[Connection, str]]:
    """A connection of somebody who plays alone against a bot and is to begin, and the table's path."""
    connection = Connection(house)
    order = {"game": "midnight", "name": "Ann", "people": 1, "bots": ["tip"], "rules": {"format": "rounds 1"}}
    connection.say(connection.request("POST", "/tables", json.dumps(order).encode()))
    status, _, body = connection.answer()
    assert status == 201
    with connection.line:
        yield connection, f"/t/{json.loads(body)['code']}"


def is_cut_off(connection: Connection, piece: bytes) -> bool:
    """Whether somebody who says this again and again, and reads nothing, is heard no more in the end."""
    try:
        for _ in range(100):
            connection.say(piece)
            time.sleep(0.005)
    except OSError:
        return True
    return False


def command(key: str, do: str = "roll", **fields: object) -> bytes:
    return json.dumps({"key": f"key-{key}", "do": do, **fields}).encode()


def test_two_commands_in_one_packet_are_done_and_answered_in_their_order(house: House) -> None:
    with at_a_table(house) as (line, path):
        commands = command("0001"), command("0002", "mark", marks=[0]), command("0003", "mark", marks=[0, 1])
        line.say(b"".join(line.request("POST", path, body) for body in commands))
        answers = [line.answer() for _ in commands]
        assert [status for status, _, _ in answers] == [200, 200, 200]
        first, second, third = (json.loads(body)["seq"] for _, _, body in answers)
        assert second == first + 1
        assert third == second + 1


def test_an_answer_in_one_piece_carries_what_every_answer_carries(house: House) -> None:
    with at_a_table(house) as (line, path):
        line.say(line.request("POST", path, command("0001")))
        status, headers, _ = line.answer()
        assert status == 200
        assert {name.decode(): value.decode() for name, value in HEADERS}.items() <= headers.items()
        assert headers["cache-control"] == "no-store"
        assert re.fullmatch(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", headers["date"])
        assert "transfer-encoding" not in headers


@pytest.mark.parametrize("cut", [1, 10, -1])
def test_a_body_that_comes_in_pieces_is_the_same_body(house: House, cut: int) -> None:
    with at_a_table(house) as (line, path):
        body = command("0001")
        head = line.request("POST", path, body).removesuffix(body)
        line.say(head[:-3], head[-3:] + body[:cut], body[cut:])
        assert line.answer()[0] == 200
        line.say(line.request("POST", path, command("0002", "mark", marks=[0])))
        assert line.answer()[0] == 200


@pytest.mark.parametrize("after", [b"", b"Origin: http://evil.example\r\nHost: evil.example\r\n"])
def test_a_body_in_chunks_is_the_same_body_and_what_follows_it_is_no_head(house: House, after: bytes) -> None:
    with at_a_table(house) as (line, path):
        body = command("0001")
        chunks = b"%x\r\n%b\r\n0\r\n%b\r\n" % (len(body), body, after)
        line.say(line.request("POST", path, body, "Transfer-Encoding: chunked").removesuffix(body) + chunks)
        assert line.answer()[0] == 200


def test_a_client_that_waits_to_be_asked_for_the_body_is_asked(house: House) -> None:
    with at_a_table(house) as (line, path):
        body = command("0001")
        expect = f"Content-Length: {len(body)}", "Expect: 100-continue"
        line.say(line.request("POST", path, body, *expect).removesuffix(body))
        while b"\r\n\r\n" not in line.heard:
            line._hear()
        assert line.heard == b"HTTP/1.1 100 Continue\r\n\r\n"
        line.heard = b""
        line.say(body)
        assert line.answer()[0] == 200


def test_a_head_alone_is_answered_by_a_head_alone_and_what_follows_stays_in_step(house: House) -> None:
    with at_a_table(house) as (line, path):
        line.say(b"".join([line.request("HEAD", f"{path}/state"), line.request("GET", "/healthz")]))
        status, headers, _ = line.answer(has_body=False)
        assert status == 200
        assert int(headers["content-length"]) > 0
        assert line.answer()[2] == b"well\n"


@pytest.mark.parametrize(("more", "version"), [(("Connection: close",), "1.1"), ((), "1.0")])
def test_who_wants_the_connection_closed_has_the_answer_first(
    house: House, more: tuple[str, ...], version: str
) -> None:
    connection = Connection(house)
    with connection.line:
        connection.say(connection.request("GET", "/healthz", b"", *more, version=version))
        status, headers, body = connection.answer()
        assert (status, body) == (200, b"well\n")
        assert headers["connection"] == "close"
        assert connection.is_closed


def test_a_body_too_large_is_refused_and_nothing_after_it_is_taken_for_a_request(house: House) -> None:
    with at_a_table(house) as (line, path):
        line.say(line.request("POST", path, b" " * 5000) + line.request("GET", "/healthz"))
        status, headers, _ = line.answer()
        assert status == 413
        assert headers["connection"] == "close"
        assert line.is_closed


@pytest.mark.parametrize("more", [("Content-Length: 38",), ("Transfer-Encoding: chunked",)])
@pytest.mark.parametrize("protocol", ["websocket", "h2c"])
def test_a_body_is_no_request_whatever_protocol_was_wished_for(
    house: House, protocol: str, more: tuple[str, ...]
) -> None:
    connection = Connection(house)
    with connection.line:
        upgrade = "Connection: Upgrade", f"Upgrade: {protocol}", *more
        connection.say(
            connection.request("POST", "/healthz", b"", *upgrade), connection.request("GET", "/healthz")[:38]
        )
        assert connection.answer()[0] == 400
        assert connection.is_closed


def test_who_wishes_for_another_protocol_is_answered_in_this_one_and_that_is_all(house: House) -> None:
    connection = Connection(house)
    with connection.line:
        upgrade = "Connection: Upgrade", "Upgrade: h2c"
        connection.say(
            connection.request("GET", "/healthz", b"", *upgrade) + connection.request("GET", "/"),
            connection.request("GET", "/"),
        )
        assert connection.answer()[2] == b"well\n"
        assert connection.is_closed


@pytest.mark.parametrize("piece", [b"a:b\r\n" * 10_000, b"a: " + b"b" * 100_000])
def test_what_follows_a_body_has_an_end(house: House, piece: bytes) -> None:
    connection = Connection(house)
    with connection.line:
        connection.say(connection.request("POST", "/tables", b"{}", "Transfer-Encoding: chunked")[:-2] + b"0\r\n")
        assert is_cut_off(connection, piece)


def test_a_request_that_is_too_long_is_cut_off_even_where_the_next_begins_in_the_same_read(house: House) -> None:
    connection = Connection(house)
    with connection.line:
        head = connection.request("POST", "/tables", b"{}", "Transfer-Encoding: chunked").removesuffix(b"{}")
        connection.say(head + b"2;" + b"x" * 200_000)
        rest = b"x" * 120_000 + b"\r\n{}\r\n0\r\n\r\n" + connection.request("GET", "/healthz")
        assert is_cut_off(connection, rest)


def test_a_few_requests_may_come_ahead_and_of_too_many_the_first_are_answered(house: House) -> None:
    connection = Connection(house)
    with connection.line:
        connection.say(connection.request("GET", "/healthz") * 100)
        answers = [connection.answer() for _ in range(1 + MOST_AHEAD)]
        assert {body for _, _, body in answers} == {b"well\n"}
        assert [headers.get("connection") for _, headers, _ in answers] == [*[None] * MOST_AHEAD, "close"]
        assert connection.is_closed


def test_requests_that_nobody_waits_for_are_not_kept(house: House) -> None:
    connection = Connection(house)
    with connection.line:
        assert is_cut_off(connection, connection.request("PUT", "/") * 1000)


def test_what_is_no_request_is_never_the_answer_to_the_move_before_it(house: House) -> None:
    with at_a_table(house) as (line, path):
        good = line.request("POST", path, command("0001"))
        line.say(good + b"nonsense\r\n\r\n")
        status, headers, _ = line.answer()
        assert (status, headers["connection"]) == (200, "close")
        assert line.is_closed


def test_moves_sent_together_with_the_beginning_of_another_are_all_done(house: House) -> None:
    with at_a_table(house) as (line, path):
        line.cookie += "; padding=" + "x" * 7000
        moves = [command("0001"), command("0002", "mark", marks=[0]), command("0003", "mark", marks=[0, 1])]
        line.say(b"".join(line.request("POST", path, body) for body in moves) + b"GET /he", b"althz HTTP/1.1\r\n")
        assert [line.answer()[0] for _ in moves] == [200, 200, 200]
        line.say(f"Host: {line.host}\r\n\r\n".encode())
        assert line.answer()[2] == b"well\n"


def test_a_refusal_before_the_body_ends_the_connection(house: House) -> None:
    connection = Connection(house)
    with connection.line:
        more = "Content-Length: 100", "Origin: http://evil.example", "Expect: 100-continue"
        connection.say(connection.request("POST", "/tables", b"", *more))
        status, headers, _ = connection.answer()
        assert (status, headers["connection"]) == (403, "close")
        assert connection.is_closed


def test_nobody_keeps_a_connection_by_saying_next_to_nothing(house: House) -> None:
    quiet, dribbling = Connection(house), Connection(house)
    with quiet.line, dribbling.line:
        quiet.say(quiet.request("GET", "/healthz"))
        assert quiet.answer()[2] == b"well\n"
        quiet.say(b"\r\n")
        dribbling.say(dribbling.request("POST", "/tables", b"", "Content-Length: 60000", "Origin: http://evil.example"))
        assert dribbling.answer()[0] == 403
        quiet.line.settimeout(HEAD_WITHIN_S + 5)
        assert quiet.is_closed
        assert dribbling.is_closed


@pytest.mark.parametrize(
    "path", ["/q{path}", "/rules{code}", "/t/x{code}", "{path}/", "/find{code}", "/static/a{code}"]
)
def test_what_is_no_table_is_none_however_a_command_is_cut_into_packets(house: House, path: str) -> None:
    with at_a_table(house) as (line, table):
        line.say(line.request("POST", table, command("0001")))
        assert line.answer()[0] == 200
        wrong = path.format(path=table, code=table.removeprefix("/t"))
        whole = line.request("POST", wrong, command("0002", "mark", marks=[0]))
        line.say(whole)
        status, _, _ = line.answer()
        assert status in (404, 405)
        line.say(whole[:-10], whole[-10:])
        assert line.answer()[0] == status


def test_a_new_name_is_remembered_by_the_browser(house: House) -> None:
    with at_a_table(house) as (line, path):
        line.say(line.request("POST", path, command("0001", "rename", name="Eve")))
        status, headers, _ = line.answer()
        assert status == 200
        assert headers["set-cookie"].startswith("name=Eve;")


def _gauge(line: Connection, name: str) -> float:
    line.say(line.request("GET", "/metrics"))
    return metric(line.answer()[2].decode(), f"pubdice_{name}")


def test_a_stream_with_a_request_behind_it_ends_with_its_connection(house: House) -> None:
    with at_a_table(house) as (line, path):
        faults = _gauge(line, "faults_total")
        gone = [Connection(house) for _ in range(20)]
        for one in gone:
            one.cookie = line.cookie
            one.say(one.request("GET", f"{path}/events") + one.request("GET", "/healthz"))
            assert one.line.recv(4_000).startswith(b"HTTP/1.1 200")
        assert _gauge(line, "streams") == 20
        for one in gone:
            one.line.close()
        until = time.monotonic() + 1  # the next heartbeat may be 1.5 s away
        while _gauge(line, "streams"):
            assert time.monotonic() < until
            time.sleep(0.05)
        assert _gauge(line, "faults_total") == faults
