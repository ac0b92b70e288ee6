"""Caddy itself with the Caddyfile: two houses behind it are one to people, and events come at once."""

import time
from pathlib import Path

import httpx
import pytest

from deploy.deployed import DEPLOY, program, ran
from deploy.proxied import caddy, environment
from support.house_process import House
from support.metrics import metric

pytestmark = pytest.mark.nightly


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
        assert streams(one) == 0
        with browser.stream("GET", f"/t/{opened.json()['code']}/events") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            assert "content-encoding" not in stream.headers
            parts = stream.iter_raw()  # held, as the line is closed with it
            first = next(parts)
            assert first
            assert streams(one) == 1
        until = time.monotonic() + 60
        while streams(one):
            assert time.monotonic() < until, "who has gone is gone for the house, too"
            time.sleep(0.05)
