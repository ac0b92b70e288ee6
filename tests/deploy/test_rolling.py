"""A rolling restart: two houses over one database, behind Caddy with our file, while people play."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from deploy.proxied import caddy
from support.house_process import House

pytestmark = pytest.mark.nightly
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
