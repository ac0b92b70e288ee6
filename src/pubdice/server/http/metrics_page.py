"""/metrics: what a house has counted, in Prometheus' text format, and the process's own metrics if the system has them.

Knows what each metric is called; counts nothing itself. Plain numbers are counted while people play (``observe``), and
``prometheus_client`` reads them here when somebody asks: its own counters take a lock each, 2 µs a move in all.
"""

from collections.abc import Iterator, Mapping, Sized
from typing import Protocol

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
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


class Counted(Protocol):
    """A house, as far as its metrics need it."""

    @property
    def metrics(self) -> Metrics:
        """What it has counted."""

    @property
    def hubs(self) -> Mapping[str, Streamed]:
        """The tables in memory, by code."""


class MetricsPage(Collector):
    """The metrics of one house, in a registry of its own: two houses in one process share none."""

    def __init__(self, house: Counted) -> None:
        self._house = house
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    async def page(self, request: Request) -> Response:
        """``GET /metrics``: all metrics as text."""
        return Response(generate_latest(self._registry), media_type=TEXT_FORMAT)

    def collect(self) -> Iterator[Metric]:
        """The counts as they stand now."""
        counts, hubs = self._house.metrics, self._house.hubs.values()
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
        yield _histogram(
            "pubdice_commit_seconds", "From handing events to the store to their being durable.", counts.commits
        )
        yield _histogram("pubdice_command_seconds", "From a command's arrival to its answer.", counts.commands)


def _histogram(name: str, documentation: str, durations: Durations) -> Metric:
    return HistogramMetricFamily(name, documentation, durations.buckets(), durations.sum_s)
