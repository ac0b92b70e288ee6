"""How much a house of so many phones needs: processes, databases, memory, disk, network, money."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, exp

from benchmarks.queueing.figures import Figures, costs_of
from benchmarks.queueing.results import Run, simulate
from benchmarks.queueing.sections import at_utilisation, ms, percent, table
from benchmarks.queueing.simulation import Setting

PHONES = (10_000, 100_000, 1_000_000)
BUSY, DATABASE_BUSY = 0.6, 0.5
"""How busy a process and a database may be at the busiest time."""
EGRESS = ((10, 0.09), (40, 0.085), (100, 0.07), (float("inf"), 0.05))
"""Steps of so many TB a month, and USD a GB in each."""
DAY_S, MONTH_DAYS = 86_400, 30


@dataclass(frozen=True, slots=True)
class Size:
    """A house for so many phones: its cells, each with some processes and a database; servers run the processes."""

    phones: int
    moves_s: float
    processes: int
    servers: int
    cells: int


def size_of(phones: int, figures: Figures) -> Size:
    """The processes for so many phones, with one server more than they need, in as few cells as databases allow."""
    moves_s = phones / figures["seats"].value / figures["pace"].value
    one = at_utilisation(costs_of(figures), BUSY)
    needed = ceil(moves_s / one.setting.rate)
    a_server = int(figures["server_cores"].value) - 1
    servers = ceil(needed / a_server) + 1
    processes = min(needed, a_server) + needed
    cells = 1
    while database_busy(figures, moves_s, processes, cells) > DATABASE_BUSY:
        cells += 1
    return Size(phones, moves_s, max(processes, 2 * cells), servers, cells)


def database_busy(figures: Figures, moves_s: float, processes: int, cells: int) -> float:
    """The utilisation of each cell's database, by its demands: groups with their appends, and hints to each process.

    A group has the appends of a window, or the first to come after an empty one.
    """
    costs, near = costs_of(figures), ceil(processes / cells)
    within = costs.window * moves_s / processes
    group = within + exp(-within)
    a_group = costs.group + group * costs.append + (costs.notify + costs.signal * (near - 1) if near > 1 else 0.0)
    return moves_s / cells / group * a_group / figures["database_cores"].value


def simulated(size: Size, figures: Figures, seconds: float = 1.0) -> Run:
    """The house of that size, at its busiest."""
    setting = Setting(
        rate=size.moves_s, processes=size.processes, shards=size.cells, cells=True, seconds=seconds,
        cores=int(figures["database_cores"].value),
    )  # fmt: skip
    return simulate(setting, costs_of(figures))


def sizes_section(figures: Figures, sizes: Sequence[int] = PHONES) -> str:
    """What houses of several sizes need."""
    found = [size_of(phones, figures) for phones in sizes]
    value = {name: figure.value for name, figure in figures.items()}
    hours = value["busy_hours"] * 3600
    deliveries = [size.moves_s * value["seats"] for size in found]
    egress_tb = [each * value["bytes_delivery"] * hours * MONTH_DAYS / 1e12 for each in deliveries]
    machines = [size.servers + 3 * size.cells for size in found]
    runs = [simulated(size, figures, max(0.4, 3_000 / size.moves_s)) for size in found]
    rows: list[tuple[str, ...]] = [
        (
            "moves/s; deliveries/s",
            *(f"{size.moves_s:,.0f}; {each:,.0f}" for size, each in zip(found, deliveries, strict=True)),
        ),
        ("processes, on servers", *(f"{size.processes} on {size.servers}" for size in found)),
        ("cells, each a database and its processes", *(f"{size.cells}" for size in found)),
        ("a process is busy", *(percent(run.process) for run in runs)),
        ("a database is busy", *(percent(run.database) for run in runs)),
        ("a move, p50; p99, ms", *(f"{ms(run.p50_s)}; {ms(run.p99_s)}" for run in runs)),
        (
            "hints heard/s in all, NOTIFY to every process",
            *(f"{size.moves_s * (size.processes - 1):,.0f}" for size in found),
        ),
        (
            "the same, NOTIFY within a cell; by subject none, as a table is at one process",
            *(f"{size.moves_s * (size.processes / size.cells - 1):,.0f}" for size in found),
        ),
        ("phones at a process", *(f"{size.phones / size.processes:,.0f}" for size in found)),
        (
            "memory of a process, MB",
            *(
                f"{value['memory_process'] + value['memory_phone'] * size.phones / size.processes / 1000:,.0f}"
                for size in found
            ),
        ),
        (
            "write-ahead log of a database, MB/s",
            *(f"{size.moves_s / size.cells * value['wal_append'] / 1e6:,.1f}" for size in found),
        ),
        ("disk, GB a day", *(f"{size.moves_s * hours * value['disk_append'] / 1e9:,.0f}" for size in found)),
        ("network, Gbit/s", *(f"{each * value['bytes_delivery'] * 8 / 1e9:,.2f}" for each in deliveries)),
        ("network, TB a month", *(f"{each:,.0f}" for each in egress_tb)),
        ("traffic at 1 EUR a TB, EUR a month", *(f"{each * value['traffic_cheap']:,.0f}" for each in egress_tb)),
        ("traffic at a large cloud, USD a month", *(f"{egress_usd(each):,.0f}" for each in egress_tb)),
        ("servers with databases", *(f"{each}" for each in machines)),
        ("servers, EUR a month", *(f"{each * value['server_month']:,.0f}" for each in machines)),
    ]
    return table(("phones", *(f"{size.phones:,}" for size in found)), rows)


def egress_usd(tb: float) -> float:
    """What so many TB a month cost at a large cloud.

    >>> egress_usd(10), egress_usd(60)
    (900.0, 5000.0)
    """
    usd = 0.0
    for step, price in EGRESS:
        usd += 1000 * price * min(tb, step)
        tb -= min(tb, step)
    return round(usd, 2)


def bends_section(figures: Figures, phones: int = PHONES[-1]) -> str:
    """The largest house in three shapes: one database, shards that every process writes to, and cells."""
    size, costs, cores = size_of(phones, figures), costs_of(figures), int(figures["database_cores"].value)
    plain = Setting(rate=size.moves_s, processes=size.processes, seconds=0.3, warm_s=0.2)
    shards = size.cells
    ways = {
        f"one database of {shards * cores} cores, NOTIFY to all": replace(plain, cores=shards * cores),
        "that database, hints by subject": replace(plain, cores=shards * cores, broadcast=False),
        f"{shards} shards of {cores}, every process writes to all, NOTIFY": replace(plain, shards=shards, cores=cores),
        "those shards, hints by subject": replace(plain, shards=shards, cores=cores, broadcast=False),
        f"{shards} cells: a process writes to one shard, NOTIFY within it": replace(
            plain, shards=shards, cores=cores, cells=True
        ),
    }
    rows = []
    for name, setting in ways.items():
        run = simulate(setting, costs)
        used = (percent(run.process), percent(run.hints), percent(run.database))
        rows.append((name, *used, f"{run.group:.1f}", ms(run.p99_s), ms(run.news_p99_s)))
    head = (
        f"{phones:,} phones",
        "process busy",
        "of it hints",
        "database busy",
        "appends a group",
        "p99 ms",
        "news p99 ms",
    )
    return table(head, rows)
