"""Streams of a real house, many and slow: nothing is left of those that end; who falls behind is let go for a while."""

import asyncio
import re
import socket
from contextlib import suppress
from pathlib import Path

from pubdice.room.events import public
from pubdice.store.sqlite.store import SqliteReader
from support.house_process import MOST_LINE, Ear, House, Phone, run
from support.http_wire import head_of
from support.metrics import metric

CONNECTS = 2_000
AT_ONCE = 100
MOST_GROWTH_KB = 4_000
COMMANDS = 350
"""More than the system's buffers and the stream's queue hold together."""


async def streams_open(phone: Phone) -> int:
    """How many streams the house believes are open."""
    text = (await phone.ask("GET", "/metrics")).body.decode()
    return int(metric(text, "pubdice_streams"))


async def no_streams_open(phone: Phone) -> None:
    """Until the house knows that all are gone."""
    async with asyncio.timeout(10):
        while await streams_open(phone):
            await asyncio.sleep(0.02)


async def come_and_go(phone: Phone, code: str, times: int) -> None:
    """Open a stream and hang up, over and over."""
    for _ in range(times):
        reader, writer = await asyncio.open_connection("127.0.0.1", phone.port, limit=MOST_LINE)
        writer.write(head_of("GET", f"/t/{code}/events", phone.cookie, phone.port))
        await reader.readuntil(b"event: view")
        writer.transport.abort()


async def many(folder: Path) -> None:
    house = House(folder, limits=False, forked=False)
    house.open()
    host = Phone(house.port, "Ann")
    try:
        code = await host.open_table(people=2)
        phones = [Phone(house.port, f"phone{at}") for at in range(AT_ONCE)]
        await asyncio.gather(*(come_and_go(phone, code, 5) for phone in phones))  # so that all is there that stays
        await no_streams_open(host)
        files, kilobytes = house.files_open(), house.resident_kb()
        for _ in range(2):
            await asyncio.gather(*(come_and_go(phone, code, CONNECTS // AT_ONCE // 2) for phone in phones))
            await no_streams_open(host)
            assert house.files_open() <= files
        assert house.resident_kb() - kilobytes < MOST_GROWTH_KB
        assert (await host.do(code, do="pace", ms=7)).status == 200
        house.stop()
        assert '"error"' not in house.errors()
    finally:
        house.clear()


def test_two_thousand_streams_come_and_go_and_leave_nothing_behind(tmp_path: Path) -> None:
    run(many(tmp_path))


async def fall_behind(folder: Path) -> None:
    house = House(folder, limits=False, forked=False)
    house.open()
    ann, bob = Phone(house.port, "Ann"), Phone(house.port, "Bob")
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.setblocking(False)
    try:
        code = await ann.open_table(people=2)
        quick = Ear(bob, code)
        listening = asyncio.ensure_future(quick.listen())
        await quick.began.wait()
        loop = asyncio.get_running_loop()
        await loop.sock_connect(slow, ("127.0.0.1", house.port))
        await loop.sock_sendall(slow, head_of("GET", f"/t/{code}/events?from=0", bob.cookie, house.port))
        while await streams_open(ann) < 2:
            await asyncio.sleep(0.01)
        seq = 0
        for at in range(COMMANDS):
            seq = (await ann.do(code, do="pace", ms=at)).data["seq"]
        await quick.until(seq)  # nobody waits for the slow one
        heard = b""
        with suppress(ConnectionError):  # the house may have given it up altogether by then
            while not heard.endswith(b"\r\n0\r\n\r\n") and (part := await loop.sock_recv(slow, 65536)):
                heard += part
        last = max(int(found) for found in re.findall(rb"\nid: (\d+)\n", heard))
        assert 0 < last < seq
        again = Ear(bob, code, last)
        hearing = asyncio.ensure_future(again.listen())
        await again.until(seq)
        reader = SqliteReader(house.file)
        lines = [public(line) for line in reader.read(reader.codes()[code])[1:]]
        reader.close()
        assert quick.lines == lines
        assert again.lines == lines[last:]
        house.stop()
        await asyncio.gather(listening, hearing)
    finally:
        slow.close()
        house.clear()


def test_a_page_that_reads_too_slowly_is_let_go_and_comes_back_for_the_rest(tmp_path: Path) -> None:
    run(fall_behind(tmp_path))
