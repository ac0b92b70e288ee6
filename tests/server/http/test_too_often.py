"""Rate limits as clients meet them: who asks or guesses too often is told when to come back."""

import socket
from http.client import HTTPConnection
from pathlib import Path

from pubdice.server.table.codes import RUDE_CODES, WORDS_OF_A_SEAT, syllables
from pubdice.server.table.new_tables import MOST_SHORT
from pubdice.server.web.limits import Limits
from support.house_process import House, Phone, run
from support.http_wire import head_of


def test_who_asks_too_much_is_told_when_to_come_back(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        line, statuses, waits = HTTPConnection("127.0.0.1", house.port, timeout=10), [], []
        for _ in range(900):
            line.request("GET", "/healthz")
            answer = line.getresponse()
            answer.read()
            statuses.append(answer.status)
            waits.append(answer.getheader("retry-after"))
        line.close()
        assert statuses.count(200) >= Limits().requests.burst
        assert set(statuses) == {200, 429}
        assert waits.count("1") == statuses.count(429)


def test_commands_of_one_person_have_a_limit_and_nobody_elses_are_held_up(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        run(_command_too_often(house.port))


async def _command_too_often(port: int) -> None:
    ann, bob = Phone(port, "Ann"), Phone(port, "Bob")
    code = await ann.open_table(people=2)
    assert (await bob.do(code, do="sit", name="Bob")).status == 200
    answers = [await ann.do(code, do="pace", ms=1 + at) for at in range(60)]
    statuses = [answer.status for answer in answers]
    assert statuses[: Limits().commands.burst] == [200] * Limits().commands.burst
    late = [answer for answer in answers if answer.status == 429]
    assert late
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in late)
    assert late[0].data["code"] == "often"
    assert (await bob.do(code, do="give")).status == 200
    assert (await ann.view(code))["seq"] == sum(status == 200 for status in statuses) + 4


def test_codes_cannot_be_guessed_at_the_rate_that_is_allowed() -> None:
    """The figures of the security page, everybody guessing at the rate the limits allow."""
    limits, evening_s, day_s = Limits(), 5 * 3600, 86_400
    known = len(syllables())
    two = sum(not any(rude in a + b for rude in RUDE_CODES) for a in syllables() for b in syllables())
    assert known == 575
    assert 330_500 < two <= 330_607, "each language leaves out a few"
    house, alone = limits.house_misses, limits.misses
    evening = house.burst + house.per_s * evening_s
    assert evening == 60 + 900
    assert evening / two < 0.003  # a given table, in an evening
    assert (alone.burst + alone.per_s * evening_s) / two < 0.001  # from one address
    assert 38 < two / 2 / house.per_s / day_s < 38.5  # days on average, all addresses together
    assert 114.5 < two / 2 / alone.per_s / day_s < 115
    for tables, together, from_one in ((100, 18.4, 55), (10_000, 18.4, 55), (100_000, 10.6, 32)):
        found = max(min(tables, MOST_SHORT) / two, (tables - MOST_SHORT) / known**3)  # guessed as pays best
        assert abs(1 / found / house.per_s / 3600 - together) < 0.1, tables
        assert abs(1 / found / alone.per_s / 3600 - from_one) < 0.5, tables
    words = limits.house_wrong_words
    assert (words.burst + words.per_s * evening_s) / 2 ** (10 * WORDS_OF_A_SEAT) < 1 / 60_000_000


def test_streams_of_one_address_have_a_limit(tmp_path: Path) -> None:
    lines: list[socket.socket] = []
    with House(tmp_path) as house:
        phone = Phone(house.port, "Ann")
        code = run(_open(phone))
        try:
            asked = head_of("GET", f"/t/{code}/events", phone.cookie, house.port)
            statuses = []
            for _ in range(Limits().streams + 3):
                line = socket.create_connection(("127.0.0.1", house.port), timeout=5)
                lines.append(line)
                line.sendall(asked)
                statuses.append(line.recv(4096)[9:12])
            assert statuses == [b"200"] * Limits().streams + [b"429"] * 3
        finally:
            for line in lines:
                line.close()


async def _open(phone: Phone) -> str:
    return await phone.open_table(people=2)
