"""/metrics: what a house has counted, in Prometheus' text format, and the process's own metrics if the system has them.

Knows what each metric is called; counts nothing itself. Plain numbers are counted while people play (``observe``), and
``prometheus_client`` reads them here when somebody asks: its own counters take a lock each, 2 µs a move in all. Each
scrape has the health check try to store, so that an alert knows of a dead database when nobody plays and no proxy asks.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sized
from dataclasses import dataclass
from typing import Protocol

from prometheus_client import ProcessCollector, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response

from pubdice.server.observe import Durations, Metrics

TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8"


class Streamed(Protocol):
    """A table with pages open."""

    @property
    def streams(self) -> Sized:
        """Its open event streams."""


class Neighbouring(Protocol):
    """The processes of a house, as one of them knows them."""

    @property
    def living(self) -> Sized:
        """Those that beat, with itself."""


class Counted(Protocol):
    """A house, as far as its metrics need it."""

    @property
    def metrics(self) -> Metrics:
        """What it has counted."""

    @property
    def hubs(self) -> Mapping[str, Streamed]:
        """The tables in memory, by code."""

    @property
    def cut_off(self) -> bool:
        """Whether it cannot look at what other processes store."""

    @property
    def neighbours(self) -> Neighbouring:
        """The processes that it hears of."""


class MetricsPage:
    """The metrics of one house, in no registry: two houses in one process share none."""

    def __init__(self, house: Counted, is_well: Callable[[], Awaitable[bool]]) -> None:
        """is_well: whether a small write is stored within the second."""
        self._house, self._is_well = house, is_well
        self._process = ProcessCollector(registry=None)

    async def page(self, request: Request) -> Response:
        """``GET /metrics``: all metrics as text."""
        scrape = _Scrape(self._house, self._process, await self._is_well())
        return Response(generate_latest(scrape), media_type=TEXT_FORMAT)


@dataclass(frozen=True, slots=True)
class _Scrape(Collector):
    """What one scrape is told. stores: whether a small write was stored just now."""

    house: Counted
    process: Collector
    stores: bool

    def collect(self) -> Iterator[Metric]:
        """The counts as they stand now."""
        counts, hubs = self.house.metrics, self.house.hubs.values()
        yield CounterMetricFamily("pubdice_moves_total", "Commands done and stored.", counts.moves)
        refused = CounterMetricFamily("pubdice_refused_total", "Requests refused, by code.", labels=["code"])
        for code, count in sorted(counts.refused.items()):
            refused.add_metric([code], count)
        yield refused
        requests = CounterMetricFamily("pubdice_requests_total", "Requests answered.", labels=["route", "status"])
        for (route, status), count in sorted(counts.requests.items()):
            requests.add_metric([route, str(status)], count)
        yield requests
        yield CounterMetricFamily("pubdice_faults_total", "Requests that went wrong inside the house.", counts.faults)
        yield GaugeMetricFamily("pubdice_streams", "Event streams open now.", sum(len(hub.streams) for hub in hubs))
        yield GaugeMetricFamily("pubdice_tables", "Tables live now.", len(hubs))
        yield GaugeMetricFamily(
            "pubdice_store_up", "1 if a small write was stored within 0.8 s just now, else 0.", self.stores
        )
        yield GaugeMetricFamily(
            "pubdice_cut_off", "1 if it can't look at what other processes store, else 0.", self.house.cut_off
        )
        living = len(self.house.neighbours.living)
        yield GaugeMetricFamily("pubdice_processes", "Processes of the house that live, as far as it hears.", living)
        yield _histogram(
            "pubdice_commit_seconds", "From handing events to the store to their being durable.", counts.commits
        )
        yield _histogram("pubdice_command_seconds", "From a command's arrival to its answer.", counts.commands)
        yield _histogram(
            "pubdice_loop_lag_seconds", "How late the event loop's timers come while requests do.", counts.loop_lag
        )
        yield from self.process.collect()


def _histogram(name: str, documentation: str, durations: Durations) -> Metric:
    return HistogramMetricFamily(name, documentation, durations.buckets(), durations.sum_s)
