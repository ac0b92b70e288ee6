"""An operator's questions: the health of a house (/healthz, /ready) and its figures (/metrics)."""

import asyncio
import sys
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families
from starlette.requests import Request

from pubdice.server.observe import LoopLag, Metrics
from pubdice.server.pages import health
from pubdice.server.pages.health import Health, metrics
from pubdice.server.table.house import House, HouseProcess
from support.house import Pub, seated
from support.metrics import metric


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A probe has as much time as a busy machine takes."""
    monkeypatch.setattr(health, "WITHIN_S", 60.0)


async def test_a_house_that_leaves_or_is_cut_off_is_well_and_not_ready(pub: Pub) -> None:
    assert (await pub.client().get("/ready")).status == 200
    for process, said in ((HouseProcess(leaving=True), "leaving\n"), (HouseProcess(cut_off=True), "cut off\n")):
        pub.house.process = process
        answer = await pub.client().get("/ready")
        assert (answer.status, answer.text) == (503, said)
        assert (await pub.client().get("/healthz")).status == 200


async def test_an_idle_house_on_a_failing_disk_finds_out_by_itself(pub: Pub) -> None:
    pub.disk.failing = 2
    answers = [await pub.client().get("/healthz") for _ in range(3)]
    assert [answer.status for answer in answers] == [503, 503, 200]
    assert answers[-1].text == "well\n"


async def test_on_a_hung_disk_it_says_so_while_moves_wait(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "WITHIN_S", 0.01)
    ann, _, code = await seated(pub)
    pub.disk.open.clear()
    moving = asyncio.ensure_future(ann.done(code, "roll"))
    assert [(await pub.client().get("/healthz")).status for _ in range(3)] == [503] * 3
    assert pub.store.under_way == 2, "the move, and one probe however often it is asked"
    pub.disk.open.set()
    await moving
    await pub.settle()
    assert (await pub.client().get("/healthz")).status == 200


KINDS = {
    "pubdice_moves": "counter",
    "pubdice_refused": "counter",
    "pubdice_requests": "counter",
    "pubdice_faults": "counter",
    "pubdice_streams": "gauge",
    "pubdice_tables": "gauge",
    "pubdice_store_up": "gauge",
    "pubdice_cut_off": "gauge",
    "pubdice_processes": "gauge",
    "pubdice_commit_seconds": "histogram",
    "pubdice_command_seconds": "histogram",
    "pubdice_loop_lag_seconds": "histogram",
}
"""By name, without the ``_total`` of a counter's samples."""

Samples = dict[tuple[str, ...], float]


class CountedHouse:
    """As much of a house as is counted: two tables, with seven pages open between them."""

    def __init__(self) -> None:
        self.process = HouseProcess(living=3)
        self.metrics = Metrics()
        self.actors = {"AAAAAA": SimpleNamespace(streams=[0] * 5), "BBBBBB": SimpleNamespace(streams=[0] * 2)}


async def well() -> bool:
    return True


def asked(house: CountedHouse) -> tuple[str, dict[str, str], Samples]:
    health = Health(cast(House, house))
    health.is_well = well  # type: ignore[method-assign]
    site: Any = SimpleNamespace(house=house, part=lambda kind: health)
    answer = asyncio.run(metrics(site, Request({"type": "http"})))
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    families = list(text_string_to_metric_families(bytes(answer.body).decode()))
    samples = {(each.name, *each.labels.values()): each.value for family in families for each in family.samples}
    return bytes(answer.body).decode(), {family.name: family.type for family in families}, samples


def test_all_metrics_keep_their_names_from_the_start() -> None:
    text, kinds, samples = asked(CountedHouse())
    assert {name: kind for name, kind in kinds.items() if name.startswith("pubdice_")} == KINDS
    assert "# TYPE pubdice_moves_total counter" in text.splitlines()
    assert not [name for name, *_ in samples if name.endswith("_created")]
    plain = ("moves_total", "faults_total", "commit_seconds_count", "commit_seconds_sum", "command_seconds_count")
    assert [samples[f"pubdice_{name}",] for name in plain] == [0] * 5


def test_what_is_counted_is_shown() -> None:
    house = CountedHouse()
    house.metrics.moves += 1
    house.metrics.refused["turn"] += 1
    house.metrics.requests["/t/{code}", 200] += 2
    house.metrics.commits.add(0.004)
    _, _, samples = asked(house)
    expected: Samples = {
        ("pubdice_moves_total",): 1,
        ("pubdice_refused_total", "turn"): 1,
        ("pubdice_requests_total", "/t/{code}", "200"): 2,
        ("pubdice_streams",): 7,
        ("pubdice_tables",): 2,
        ("pubdice_store_up",): 1,
        ("pubdice_cut_off",): 0,
        ("pubdice_processes",): 3,
        ("pubdice_commit_seconds_bucket", "0.0025"): 0,
        ("pubdice_commit_seconds_bucket", "0.005"): 1,
        ("pubdice_commit_seconds_bucket", "+Inf"): 1,
        ("pubdice_commit_seconds_sum",): 0.004,
        ("pubdice_commit_seconds_count",): 1,
        ("pubdice_command_seconds_count",): 0,
    }
    assert {key: samples[key] for key in expected} == expected


async def test_a_scrape_finds_out_if_the_house_can_store(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    async def shown() -> tuple[float, float]:
        page = (await pub.client().get("/metrics")).text
        return metric(page, "pubdice_store_up"), metric(page, "pubdice_cut_off")

    pub.disk.failing = 2
    assert [await shown() for _ in range(3)] == [(0, 0), (0, 0), (1, 0)]
    pub.house.process.cut_off = True
    assert await shown() == (1, 1)


async def test_the_lag_of_the_loop_is_sampled_at_each_request(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    noted = list[str]()
    monkeypatch.setattr(LoopLag, "begins", lambda lag: noted.append("begins"))
    monkeypatch.setattr(LoopLag, "ends", lambda lag, route: noted.append(route))
    ann, _, code = await seated(pub)
    noted.clear()
    await ann.get("/help", "text/html")
    await ann.done(code, "roll")
    assert noted == ["begins", "/help", "begins", "/t/{code}"]
    assert pub.house.metrics.requests["/help", 200] == 1


@given(st.text())
def test_no_label_breaks_the_page(label: str) -> None:
    house = CountedHouse()
    house.metrics.refused[label] += 1
    assert asked(house)[2]["pubdice_refused_total", label] == 1


@pytest.mark.skipif(sys.platform != "linux", reason="prometheus_client reads /proc")
def test_the_process_tells_its_memory_time_and_files() -> None:
    _, _, samples = asked(CountedHouse())
    assert samples["process_resident_memory_bytes",] > 1_000_000
    assert samples["process_cpu_seconds_total",] > 0
    assert samples["process_open_fds",] > 2
