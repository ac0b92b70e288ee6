"""Caddy itself with the Caddyfile: what gets through, what is asked again, events at once, and a rolling restart."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from deploy.deployed import DEPLOY, program, ran
from deploy.proxied import SENDS_TWICE, StandIn, adapted, caddy, environment, version
from support.house_process import House
from support.metrics import metric
from support.ports import free_port

pytestmark = pytest.mark.nightly
TRIES = 60


def streams(house: House) -> int:
    """How many streams a house has open."""
    page = httpx.get(f"http://127.0.0.1:{house.port}/metrics").text
    return int(metric(page, "pubdice_streams"))


def test_caddy_reads_the_file_as_it_stands_and_would_write_it_so(tmp_path: Path) -> None:
    command, file = program("caddy"), DEPLOY / "Caddyfile"
    for environ in ({"HOME": str(tmp_path)}, environment(tmp_path, [4224, 4225])):
        checked = ran(command, "validate", "--adapter", "caddyfile", "--config", file, **environ)
        assert checked.returncode == 0, checked.stdout
        assert "Caddyfile input is not formatted" not in checked.stdout
    assert ran(command, "fmt", file, HOME=str(tmp_path)).stdout == file.read_text("utf-8")


def test_commands_are_repeated_where_this_caddy_can_be_told_to_hold_their_bodies(tmp_path: Path) -> None:
    command, file = program("caddy"), DEPLOY / "Caddyfile"
    environ = environment(tmp_path, [4224], "commands")
    said = ran(command, "adapt", "--adapter", "caddyfile", "--config", file, **environ)
    if version(command) >= (2, 7):
        assert '"request_buffers"' in said.stdout
    else:
        assert "unrecognized subdirective request_buffers" in said.stdout, "all that stands before it is read"
    assert "request_buffers" not in json.dumps(adapted(command, environment(tmp_path, [4224])))


def test_no_body_is_larger_than_a_house_reads(tmp_path: Path) -> None:
    with StandIn() as house, caddy(tmp_path, [house.port]) as browser:
        assert browser.post("/t/KORBUM", content=b"x" * 64_000).status_code == 200
        refused = browser.post("/t/KORBUM", content=b"x" * 70_000)
        assert refused.status_code in (413, 502), "Caddy 2.6 blames the house"
        assert max(len(asked.body) for asked in house.asked) == 64_000


def test_the_house_believes_the_proxy_it_was_told_of_and_no_other(tmp_path: Path) -> None:
    def spoken(folder: Path, *words: str) -> tuple[int, str]:
        folder.mkdir()
        with House(folder, *words) as house, caddy(folder, [house.port]) as browser:
            browser.get("/")
            form = {"language": "de", "back": "/"}
            answer = browser.post("/language", data=form, headers={"origin": str(browser.base_url).rstrip("/")})
            return answer.status_code, " ".join(answer.headers.get_list("set-cookie"))

    status, cookies = spoken(tmp_path / "told", "--proxy", "127.0.0.1")
    assert status == 303
    assert "Secure" in cookies
    assert spoken(tmp_path / "not-told")[0] == 403, "a page of https is a foreign one to a house that believes in http"


def test_two_houses_are_one_to_people_and_events_come_at_once(tmp_path: Path) -> None:
    houses = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        houses.append(House(tmp_path / name, "--proxy", "127.0.0.1"))
    one, two = houses
    with one, two, caddy(tmp_path, [one.port, two.port]) as browser:
        for path in ("/metrics", "/healthz", "/ready"):
            assert browser.get(path).status_code == 404, "for operators only"
        two.kill()
        assert [browser.get("/").status_code for _ in range(20)] == [200] * 20, "killed, and nobody notices"
        order = {"game": "midnight", "name": "Ann", "people": 1, "key": "0123456789abcdef"}
        opened = browser.post("/tables", json=order)
        assert opened.status_code == 201, opened.text
        began = time.monotonic()
        assert streams(one) == 0
        with browser.stream("GET", f"/t/{opened.json()['code']}/events") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            assert "content-encoding" not in stream.headers
            parts = stream.iter_raw()  # held, as the line is closed with it
            first = next(parts)
            assert first
            assert time.monotonic() - began < 2, "not kept until there is more"
            assert streams(one) == 1
        until = time.monotonic() + 2
        while streams(one):
            assert time.monotonic() < until, "who has gone is gone for the house, too"
            time.sleep(0.05)


def test_made_up_addresses_are_left_out(tmp_path: Path) -> None:
    with StandIn() as house, caddy(tmp_path, [house.port]) as browser:
        house.asked.clear()
        browser.get("/", headers={"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "http"})
        (asked,) = house.asked
        assert asked.headers["x-forwarded-for"] in ("127.0.0.1", "::1")
        assert asked.headers["x-forwarded-proto"] == "https"
        assert asked.headers["host"] == str(browser.base_url.netloc, "ascii")


def test_what_a_house_that_is_down_should_have_had_goes_elsewhere(tmp_path: Path) -> None:
    with StandIn() as well, caddy(tmp_path, [free_port(), well.port]) as browser:
        for path in ("/t/KORBUM{}", "/night"):
            for number in range(TRIES // 4):
                assert browser.post(path.format(number), json={"number": number}).status_code == 200
        posts = [asked for asked in well.asked if asked.method == "POST"]
        assert [json.loads(asked.body)["number"] for asked in posts] == [*range(TRIES // 4)] * 2


def test_a_command_whose_house_dies_is_asked_again_elsewhere_with_the_same_body_or_not_at_all(tmp_path: Path) -> None:
    again = version(program("caddy")) >= SENDS_TWICE
    dying, well = StandIn(hangs_up_on=("POST",)), StandIn()
    with dying, well, caddy(tmp_path, [dying.port, well.port]) as browser:
        command = {"key": "0123456789abcdef", "do": "roll"}
        for number in range(TRIES):
            status = browser.post(f"/t/KORBUM{number}", json=command).status_code
            died = [asked.body for asked in dying.asked if asked.method == "POST"]
            assert status == (200 if again or not died else 502), "the page asks again by itself"
            if died:
                break
        else:
            raise AssertionError("the one that hangs up was never asked")
        assert [json.loads(body) for body in died] == [command], "once"
        there = [asked.body for asked in well.asked if asked.path == f"/t/KORBUM{number}"]
        assert there == (died if again else []), "all of it, or nothing that would make the other seem dead too"


def test_what_might_count_twice_is_asked_once(tmp_path: Path) -> None:
    dying, well = StandIn(hangs_up_on=("POST",)), StandIn()
    with dying, well, caddy(tmp_path, [dying.port, well.port]) as browser:
        status, posted = 200, 0
        while status == 200 and posted < TRIES:
            status, posted = browser.post("/night", data={"game": "midnight"}).status_code, posted + 1
        assert status == 502
        assert sum(asked.method == "POST" for asked in (*dying.asked, *well.asked)) == posted


def test_all_about_a_table_goes_to_one_house_and_tables_to_all(tmp_path: Path) -> None:
    with StandIn() as one, StandIn() as two, caddy(tmp_path, [one.port, two.port]) as browser:
        one.asked.clear()
        two.asked.clear()
        for number in range(TRIES):
            for path in (f"/t/T{number}", f"/t/T{number}-secretsecret/events?after=7", f"/t/T{number}/record"):
                browser.get(path, headers={"pubdice-table": "made up"})
        tables = [{asked.path.split("/")[2].partition("-")[0] for asked in house.asked} for house in (one, two)]
        assert not tables[0] & tables[1]
        assert len(tables[0] | tables[1]) == TRIES
        assert min(map(len, tables)) > TRIES // 6


def test_a_house_that_drains_gets_nobody_new(tmp_path: Path) -> None:
    with StandIn() as leaving, StandIn() as well, caddy(tmp_path, [leaving.port, well.port]) as browser:
        for _ in range(TRIES):
            browser.get("/")
        assert leaving.asked
        leaving.ready = 503
        time.sleep(2.5)  # less than the 3 s that a house gives it
        leaving.asked.clear()
        assert [browser.get("/").status_code for _ in range(TRIES)] == [200] * TRIES
        assert not leaving.asked


PEOPLE, ROUNDS = 4, 20
LONGEST_S = 3.0


@dataclass(slots=True)
class Player:
    """Plays alone, match after match, through Caddy; nothing is asked twice."""

    address: str
    name: str
    asked: int = 0
    longest_s: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def play(self, over: threading.Event) -> None:
        """Play until it is over."""
        rules = {"format": f"rounds {ROUNDS}"}
        with httpx.Client(base_url=self.address, verify=False, timeout=20.0) as browser:
            while not over.is_set():
                order = {"game": "midnight", "name": self.name, "people": 1, "rules": rules, "key": self._key()}
                opened = self._timed(browser, "POST", "/tables", order)
                for _ in range(ROUNDS):
                    if opened is not None and not over.wait(0.05):
                        self._turn(browser, f"/t/{opened.json()['code']}")

    def _turn(self, browser: httpx.Client, path: str) -> None:
        self._timed(browser, "POST", path, {"key": self._key(), "do": "roll"})
        if (found := self._timed(browser, "GET", f"{path}/state", None)) is not None:
            free = [die["place"] for die in found.json()["view"]["dice"] if die["status"] == "free"]
            self._timed(browser, "POST", path, {"key": self._key(), "do": "bank", "marks": free})

    def _key(self) -> str:
        return f"{self.name}-{self.asked:016d}"

    def _timed(self, browser: httpx.Client, method: str, path: str, data: object) -> httpx.Response | None:
        began = time.monotonic()
        self.asked += 1
        try:
            answer = browser.request(method, path, json=data)
        except httpx.TransportError as error:
            self.wrong.append(f"{method} {path}: {error!r}")
            return None
        self.longest_s = max(self.longest_s, time.monotonic() - began)
        if answer.status_code not in (200, 201):
            self.wrong.append(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
        return answer


def wait_ready(house: House) -> None:
    """Until a balancer may send people there."""
    until = time.monotonic() + 20
    while httpx.get(f"http://127.0.0.1:{house.port}/ready").status_code != 200:
        assert time.monotonic() < until, house.errors()
        time.sleep(0.1)


def test_nobody_notices_that_the_houses_are_rolled(tmp_path: Path, empty_database: str) -> None:
    houses = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        houses.append(House(tmp_path / name, "--store", empty_database, "--proxy", "127.0.0.1", limits=False))
    one, two = houses
    with one, two, caddy(tmp_path, [one.port, two.port]) as browser, ThreadPoolExecutor(PEOPLE) as pool:
        over, players = threading.Event(), [Player(str(browser.base_url), f"Ann{at}") for at in range(PEOPLE)]
        playing = [pool.submit(player.play, over) for player in players]
        try:
            for house in houses:
                time.sleep(3)  # people play at both
                assert house.stop() < 15
                house.open()
                wait_ready(house)
            time.sleep(3)
        finally:
            over.set()
        for each in playing:
            each.result()
    assert [wrong for player in players for wrong in player.wrong] == []
    assert min(player.asked for player in players) > 100
    assert max(player.longest_s for player in players) < LONGEST_S
