"""Attacks of the security page, against a house of one's own on loopback: what was tried, and how much of it worked.

    python -m benchmarks.attacks

Each is bounded: a few hundred requests, and a second of a flood. Addresses are made up in ``X-Forwarded-For``, as the
house is told that a proxy stands on this machine. The answers are facts and not times, but for the last two.
"""

import http.client
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import perf_counter, sleep

from benchmarks.load.process import Running, free_port
from pubdice.server.codes import new_code

GUESSER, ELSEWHERE = "198.51.100.1", "203.0.113.{}"
NAMES = 1_000_000
FLOOD_S = 1.0
_keys = (f"attack-{number:08}" for number in count())


class Client:
    """A browser, or what passes for one: an address and a cookie."""

    def __init__(self, port: int, address: str, host: str = "") -> None:
        self.line, self.address, self.host, self.cookie = (
            http.client.HTTPConnection("127.0.0.1", port),
            address,
            host,
            "",
        )

    def ask(self, path: str, **fields: object) -> tuple[int, str, bytes]:
        """Read something, or ask for it to be done: the status, where it leads to, and the body."""
        headers = {"x-forwarded-for": self.address, "cookie": self.cookie}
        if self.host:
            headers["host"] = self.host
        body = json.dumps(fields).encode() if fields else None
        if body:
            headers["content-type"] = "application/json"
        self.line.request("POST" if body else "GET", path, body, headers)
        answer = self.line.getresponse()
        for cookie in answer.headers.get_all("set-cookie") or ():
            if cookie.startswith("pubdice="):
                self.cookie = cookie.partition(";")[0]
        return answer.status, answer.getheader("location") or "", answer.read()

    def do(self, table: str, do: str, **fields: object) -> int:
        """Ask something of a table; the status."""
        return self.ask(table, key=next(_keys), do=do, **fields)[0]

    def order(self, **fields: object) -> str:
        """Set up a table; its link."""
        return str(json.loads(self.ask("/tables", game="midnight", name="Ann", **fields)[2])["go"])


@contextmanager
def house() -> Iterator[Running]:
    """A house behind a proxy on this machine, for as long as it is attacked."""
    with TemporaryDirectory() as place:
        port = free_port()
        command = [str(Path(sys.executable).with_name("pubdice")), "serve", "--port", str(port), "--no-qr"]
        command += ["--proxy", "127.0.0.1", "--data", f"{place}/house.db"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                for _ in range(200):
                    try:
                        Client(port, GUESSER).ask("/healthz")
                    except OSError:
                        sleep(0.05)
                    else:
                        break
                yield Running(process, port)
            finally:
                process.terminate()
                process.wait(20)


def tell(what: str, found: object) -> None:
    """A line of the table."""
    print(f"{what}: {found}", flush=True)


def guessing(port: int) -> None:
    """Newcomers while others use up the guesses: of one address, and then of the whole house."""
    chance = iter(range(10**6))
    link = Client(port, "192.0.2.1").order()
    code = link[3:].partition("-")[0]
    for guessers, name in ((1, "one address"), (60, "60 addresses")):
        tried: Counter[int] = Counter()
        for number in range(guessers):
            guesser = Client(port, GUESSER if guessers == 1 else f"198.51.100.{number}")
            for _ in range(30 if guessers == 1 else 5):
                guess = new_code(lambda size: (next(chance) * 7919 % 65_000).to_bytes(size, "big"))
                tried[guesser.ask(f"/t/{guess}/state")[0]] += 1
        there = [Client(port, GUESSER if guessers == 1 else ELSEWHERE.format(number)) for number in range(80)]
        by_link = Counter(one.ask(f"{link}/state")[0] for one in there)
        by_code = Counter(one.ask(f"/t/{code}/state")[0] for one in there)
        tell(f"wrong codes from {name}", dict(tried))
        tell(f"80 newcomers by the link meanwhile ({name})", dict(by_link))
        tell(f"80 newcomers by the code meanwhile ({name})", dict(by_code))


def seats(port: int) -> None:
    """Back without a cookie, all seats for one program, a seat's words in other hands, another body under a key."""
    host = Client(port, "192.0.2.2")
    table = host.order(listed=True)
    host.ask(table)
    eve = Client(port, GUESSER)
    eve.do(table, "sit", name="Eve")
    host.do(table, "remove", seat=1)
    back = Counter(Client(port, GUESSER).do(table, "sit", name=f"Eve{number}") for number in range(20))
    tell("sat down again without a cookie after being removed (20 tries)", dict(back))
    table = host.order(listed=True, people=6)
    host.ask(table)
    taken = Counter(Client(port, GUESSER).do(table, "sit", name=f"Eve{number}") for number in range(5))
    tell("5 free seats of a listed table asked for by one program", dict(taken))
    for name in ("You", "Nobody", "Seat 2", "Ann.", "А" + "nn", "ＡＮＮ", "Z" + "\u0301" * 23, "Ann rolled 666666"):
        status = Client(port, "192.0.2.3").do(table, "sit", name=name)
        tell(f"the name {name[:20]!a} beside Ann", status)
    key = next(_keys)
    table = host.order(people=1)
    first = host.ask(table, key=key, do="roll")[0]
    tell(
        "a roll, and leave, sit, join under its key",
        [first, *(host.ask(table, key=key, do=do)[0] for do in ("leave", "sit", "join"))],
    )


def flood(port: int) -> None:
    """Requests for another host, as fast as one connection can, beside a quiet client."""
    stop, answers, times = Event(), Counter[int](), []

    def pour() -> None:
        client = Client(port, "198.51.100.77", host="evil.example")
        while not stop.is_set():
            answers[client.ask("/")[0]] += 1

    thread = Thread(target=pour)
    thread.start()
    quiet, until = Client(port, "192.0.2.9"), perf_counter() + FLOOD_S
    while perf_counter() < until:
        begun = perf_counter()
        quiet.ask("/healthz")
        times.append(1000 * (perf_counter() - begun))
        sleep(0.01)
    stop.set()
    thread.join()
    tell(f"wrong Host for {FLOOD_S:.0f} s (421 until the limit, then 429)", dict(answers))
    tell("a quiet client meanwhile, ms (median, most)", f"{sorted(times)[len(times) // 2]:.1f}, {max(times):.1f}")
    for host in ("6.6.6.6", "127.0.0.1", "192.0.2.200"):
        tell(f"Host: {host}", Client(port, "192.0.2.9", host=host).ask("/")[0])


def records() -> None:
    """What ``replay`` makes of records without an end: exit status, seconds, and memory."""
    with TemporaryDirectory() as place:
        head = "pubdice 1\ngame: midnight\nseats: "
        files = {
            "/dev/zero": "",
            "100 MB of blank lines": "\n" * 100_000_000,
            "a million names": head + ", ".join(f"n{at}" for at in range(NAMES)),
            "100 MB of turns": head + "Ann, Bob\n\nround 1\n" + "Ann: 123456>1\n" * 7_000_000,
        }
        for name, text in files.items():
            path = Path(name) if name.startswith("/") else Path(place, "record")
            if text:
                path.write_text(text)
            begun = perf_counter()
            script = "import sys; from pubdice.cli import main; status = main(['replay', sys.argv[1]]); "
            script += "said = open('/proc/self/status').read().partition('VmHWM:')[2]; "
            script += "print(status, int(said.split()[0]) // 1024)"
            ran = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=False)
            status, memory = ran.stdout.split()[-2:]
            tell(
                f"replay of {name}", f"exit {status}, {perf_counter() - begun:.1f} s, {memory} MB: {ran.stderr.strip()}"
            )


def main() -> None:
    """All of them, one after the other."""
    with house() as running:
        guessing(running.port)
    with house() as running:
        seats(running.port)
        flood(running.port)
    records()


if __name__ == "__main__":
    main()
