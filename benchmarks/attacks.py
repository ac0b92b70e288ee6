"""Runs the attacks of the security page against a house of its own on this machine, and prints how far each gets.

    python -m benchmarks.attacks

Each attack is small: a few hundred requests, or a flood of one second. The clients' addresses are made up in
``X-Forwarded-For``, because the house is told that a proxy runs on this machine. The exit status is 1 if a figure
misses its goal.
"""

import http.client
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import perf_counter, sleep

from benchmarks.load.process import Running, free_port
from pubdice.server.table.codes import new_code

GUESSER, ELSEWHERE = "198.51.100.1", "203.0.113.{}"
NAMES = 1_000_000
FLOOD_S = 1.0
REFILLED = 3
"""The most typed codes that may be answered after the limit is used up: so many guesses are allowed again within a
minute.
"""
MOST_421, P99_MS, REPLAY_MB = 1_000, 50, 64
CROWD, WAITS, PERFECT_S, MOST_WAIT_S = 30, 3, 5, 60
"""The number of tables of perfect bots, of matches played against a perfect bot meanwhile, the goal for the wait of
that player in s, and the longest wait in s before the script gives up.
"""
BURST, LOOKERS, GIVEN_BACK_S, KEPT_MB = 200, 20, 40, 48
"""For a burst of spectators: the tables, the spectators of each table, the seconds after which memory is measured
again, and the MB that it may have grown by then.
"""
_keys = (f"attack-{number:08}" for number in count())


class Client:
    """A stand-in for a browser, with its own address and cookie."""

    def __init__(self, port: int, address: str, host: str = "") -> None:
        self.line, self.address, self.host, self.cookie = (
            http.client.HTTPConnection("127.0.0.1", port),
            address,
            host,
            "",
        )

    def ask(self, path: str, **fields: object) -> tuple[int, str, bytes]:
        """Send a GET, or a POST with ``fields``. Return the status, the address of a redirect, and the body."""
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
        """Send a command to a table. Return the status."""
        return self.ask(table, key=next(_keys), do=do, **fields)[0]

    def order(self, **fields: object) -> str:
        """Set up a table. Return its link."""
        return str(json.loads(self.ask("/tables", game="midnight", name="Ann", **fields)[2])["go"])


@contextmanager
def house() -> Iterator[Running]:
    """Run a house that is told of a proxy on this machine."""
    with TemporaryDirectory() as place:
        port = free_port()
        command = [str(Path(sys.executable).with_name("pubdice")), "serve", "--port", str(port), "--no-qr"]
        command += ["--proxy", "127.0.0.1", "--data", f"{place}/house.db"]
        environment = {**os.environ, "PUBDICE_CACHE": f"{place}/cache"}
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
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
                process.wait(120)


_missed: list[str] = []


def tell(what: str, found: object, goal: str, *, held: bool) -> None:
    """Print a line of the table, and note if its goal is reached."""
    print(f"{what}: {found} (goal: {goal}{'' if held else '; MISSED'})", flush=True)
    if not held:
        _missed.append(what)


def p99(times: list[float]) -> float:
    """Return the 99th percentile."""
    return sorted(times)[int(0.99 * len(times))]


def spread(times: list[float]) -> str:
    """Return a short text of the times in ms."""
    return f"p50 {median(times):.1f}, p99 {p99(times):.1f}, worst {max(times):.1f} ms"


def guessing(port: int) -> None:
    """Let newcomers come while others use up the guesses of codes: first of one address, then of the house."""
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
        tell(
            f"wrong codes from {name}",
            dict(tried),
            "none finds a table, most are 429",
            held=not tried[200] and tried[429] > 0,
        )
        tell(f"80 newcomers by the link meanwhile ({name})", dict(by_link), "80 get in", held=by_link[200] == 80)
        tell(
            f"80 newcomers by the code meanwhile ({name})",
            dict(by_code),
            f"{REFILLED} at most",
            held=by_code[200] <= REFILLED,
        )


def seats(port: int) -> None:
    """Try to come back without a cookie, to take all seats, to use the words of another's seat, and to send another
    body under a used key.
    """
    host = Client(port, "192.0.2.2")
    table = host.order(listed=True)
    host.ask(table)
    eve = Client(port, GUESSER)
    eve.do(table, "sit", name="Eve")
    host.do(table, "remove", seat=1)
    back = Counter(Client(port, GUESSER).do(table, "sit", name=f"Eve{number}") for number in range(20))
    tell("sat down again without a cookie after being removed (20 tries)", dict(back), "never", held=not back[200])
    table = host.order(listed=True, people=6)
    host.ask(table)
    taken = Counter(Client(port, GUESSER).do(table, "sit", name=f"Eve{number}") for number in range(5))
    tell("5 free seats of a listed table asked for by one program", dict(taken), "2 at most", held=taken[200] <= 2)
    for name in ("You", "Nobody", "Seat 2", "Ann.", "А" + "nn", "ＡＮＮ", "Z" + "\u0301" * 23, "Ann rolled 666666"):
        status = Client(port, "192.0.2.3").do(table, "sit", name=name)
        tell(f"the name {name[:20]!a} beside Ann", status, "refused", held=400 <= status < 500)
    key = next(_keys)
    table = host.order(people=1)
    first = host.ask(table, key=key, do="roll")[0]
    others = [host.ask(table, key=key, do=do)[0] for do in ("leave", "sit", "join")]
    what = "a roll, and leave, sit, join under its key"
    tell(what, [first, *others], "200, then 409", held=[first, *others] == [200, 409, 409, 409])


def flood(port: int) -> None:
    """Send requests for another host as fast as one connection can, beside a quiet client."""
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
    limited = set(answers) <= {421, 429} and answers[421] <= MOST_421
    tell(f"wrong Host for {FLOOD_S:.0f} s", dict(answers), f"{MOST_421} times 421 at most, then 429", held=limited)
    tell("a quiet client meanwhile", spread(times), f"p99 {P99_MS} ms", held=p99(times) <= P99_MS)
    for name, right in (("6.6.6.6", 421), ("127.0.0.1", 200), ("192.0.2.200", 421)):
        status = Client(port, "192.0.2.9", host=name).ask("/")[0]
        tell(f"Host: {name}", status, str(right), held=status == right)


def records() -> None:
    """Give ``replay`` records without an end. Print its exit status, seconds and memory."""
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
            script = "import sys; from pubdice.cli import main; status = main(['replay', sys.argv[1]]); "
            script += "said = open('/proc/self/status').read().partition('VmHWM:')[2]; "
            script += "import time; print(status, int(said.split()[0]) // 1024, time.process_time())"
            ran = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=False)
            status, memory, took = ran.stdout.split()[-3:]
            found = f"exit {status}, {float(took):.1f} s of processor, {memory} MB: {ran.stderr.strip()}"
            held = status == "2" and float(took) < 1 and int(memory) < REPLAY_MB
            tell(f"replay of {name}", found, f"exit 2, 1 s, {REPLAY_MB} MB", held=held)


def waits_for_perfect(client: Client) -> list[float]:
    """Play against a perfect bot. Return the seconds from each of the player's turns to their next turn.

    The player watches the table's stream, as a page does. The loser of a round opens the next, so the bot has one or
    two turns in between.
    """
    table = client.order(people=1, bots=["perfect"], rules={"format": "rounds 3"}, pace_ms=0)
    client.ask(table)
    watching = http.client.HTTPConnection(client.line.host, client.line.port)
    watching.request("GET", f"{table}/events", headers={"x-forwarded-for": client.address, "cookie": client.cookie})
    watching.getresponse()
    took = []
    for _ in range(3):
        sleep(1)  # so the worker has begun with other tables
        client.do(table, "roll")
        client.do(table, "bank", marks=list(range(6)))
        begun = perf_counter()
        while perf_counter() < begun + MOST_WAIT_S:
            state = json.loads(client.ask(f"{table}/state")[2])
            if state["view"]["mover"] == state["seat"] or state["view"]["stage"] == "over":
                break
            sleep(0.02)
        took.append(perf_counter() - begun)
    watching.close()
    return took


def perfect(running: Running) -> None:
    """Run tables of four perfect bots at once, each table with other rules. Meanwhile play against one perfect bot."""
    port = running.port
    alone = waits_for_perfect(Client(port, "192.0.2.4"))
    tables = []
    for number in range(CROWD):
        eve = Client(port, GUESSER)
        rules = {"format": f"{'pot 1 ' if number % 2 else ''}rounds {2 + number // 2}"}
        table = eve.order(people=1, bots=["perfect"] * 3, rules=rules, pace_ms=0)
        eve.ask(table)
        given = eve.do(table, "give", bot="perfect")
        tables.append((eve, table, given))
    statuses = Counter(given for _, _, given in tables)

    def look() -> None:
        while not stop.is_set():
            for eve, table, _ in tables:
                eve.ask(f"{table}/state")
            sleep(5)

    stop = Event()
    thread = Thread(target=look)
    thread.start()
    took, begun, cpu = [], perf_counter(), running.cpu_s
    for number in range(WAITS):
        took += waits_for_perfect(Client(port, f"192.0.2.{20 + number}"))
    busy = (running.cpu_s - cpu) / (perf_counter() - begun)
    stop.set()
    thread.join()
    found = f"{median(took):.2f} s, {max(took):.2f} s at most, of {len(took)} turns; alone {max(alone):.2f} s at most; "
    found += f"the house took {busy:.0%} of a core"
    what = f"a turn of a perfect bot beside {CROWD} tables of four of them"
    tell(what, found, f"{PERFECT_S} s", held=max(took) <= PERFECT_S and statuses == {200: CROWD})


def burst(running: Running) -> None:
    """Print the memory before many spectators watch many tables, while they do, and after they have left."""
    before = running.rss_mb
    lines = []
    for number in range(BURST):
        host = Client(running.port, f"203.0.113.{number}")
        table = host.order(people=2)
        for other in range(LOOKERS):
            one = Client(running.port, f"198.18.{number}.{other}")
            one.line.request("GET", f"{table}/events", headers={"x-forwarded-for": one.address})
            lines.append(one.line)
    for line in lines:
        line.getresponse()
    most = running.rss_mb
    for line in lines:
        line.close()
    sleep(GIVEN_BACK_S)
    after = running.rss_mb
    found = f"{before:.0f} MB before, {most:.0f} MB with {len(lines)} watching, {after:.0f} MB {GIVEN_BACK_S} s after"
    tell("memory after a burst", found, f"{KEPT_MB} MB more than before at most", held=after <= before + KEPT_MB)


def main() -> int:
    """Run all attacks, one after another. Return exit status 1 if a goal is missed."""
    with house() as running:
        guessing(running.port)
    with house() as running:
        seats(running.port)
        flood(running.port)
    with house() as running:
        burst(running)
    records()
    with house() as running:
        perfect(running)
    print(*(f"missed: {what}" for what in _missed), sep="\n")
    return 1 if _missed else 0


if __name__ == "__main__":
    sys.exit(main())
