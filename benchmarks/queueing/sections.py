"""The sections of docs/scale.md whose numbers are simulated, each as Markdown, and what they are checked by."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random

from benchmarks.queueing.figures import Costs, Figures, costs_of
from benchmarks.queueing.formulas import erlang_c, mm1_quantile, pollaczek_khinchine
from benchmarks.queueing.results import Run, knee, simulate
from benchmarks.queueing.simulation import Setting
from benchmarks.queueing.stations import Busy, Clock, Station

LIMITS_S = (0.025, 0.1)
PROCESSES = (1, 2, 4, 8, 16)
LEAST_MOVES, LEAST_S = 8_000, 0.8
STEPS = 5, 3
"""Halvings of what is known of the first knee, and of the second."""


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown; the first column is words, the others numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def ms(seconds: float) -> str:
    """A time in ms."""
    return f"{1000 * seconds:.1f}" if seconds < 0.1 else f"{1000 * seconds:,.0f}"


def percent(share: float) -> str:
    """A share in percent."""
    return f"{100 * share:.0f} %"


def long_enough(rate: float, processes: int = 1) -> float:
    """For how many seconds to simulate so many moves a second and process."""
    return max(LEAST_S, LEAST_MOVES / rate / processes)


def figures_section(figures: Figures) -> str:
    """All figures, and where they come from."""
    rows = [(f"`{name}`", f"{one.value:,g} {one.unit}", one.source) for name, one in figures.items()]
    return table(("figure", "value", "from"), rows)


# checks


def waited(rate: float, service_s: float, servers: int, number: int, *, constant: bool) -> list[float]:
    """The waits of so many arrivals at a station of the simulation, fed by a Poisson process."""
    random, clock = Random(1), Clock()
    station, waits = Station(clock, Busy(0.0, number / rate, servers)), list[float]()

    def done(came: float, service: float) -> None:
        waits.append(clock.now - came - service)

    def arrive(left: int) -> None:
        service = service_s if constant else random.expovariate(1 / service_s)
        station.serve("work", service, 0.0, done, clock.now, service)
        if left:
            clock.at(clock.now + random.expovariate(rate), arrive, left - 1)

    arrive(number - 1)
    clock.run()
    return waits


def queue_checks(number: int) -> list[tuple[str, float, float]]:
    """Waits in seconds, simulated with so many arrivals, and by formula."""
    found = []
    for used in (0.3, 0.7):
        rate, service_s = used / 0.001, 0.001
        for name, variation, constant in (("M/D/1", 0.0, True), ("M/M/1", 1.0, False)):
            waits = waited(rate, service_s, 1, number, constant=constant)
            exact = pollaczek_khinchine(rate, service_s, variation)
            found.append((f"{name}, {percent(used)}, mean wait", sum(waits) / number, exact))
        waits = waited(4 * rate, service_s, 4, number, constant=False)
        found.append((f"M/M/4, {percent(used)}, mean wait", sum(waits) / number, erlang_c(4 * rate, service_s, 4)))
        loop = Setting(rate=rate, seconds=number / rate)
        for name, variation, constant in (("constant", 0.0, True), ("exponential", 1.0, False)):
            run = simulate(replace(loop, constant=constant), Costs(answer=service_s))
            exact = pollaczek_khinchine(rate, service_s, variation) + service_s
            found.append((f"a process, {name} services, {percent(used)}, mean time", run.mean_s, exact))
        found.append(("the same, exponential, p99", run.p99_s, mm1_quantile(rate, service_s, 0.99)))
    return found


def check_section(figures: Figures) -> str:
    """The simulation beside formulas, and the model beside what was measured."""
    rows = [
        (name, f"{1e6 * simulated:,.0f} µs", f"{1e6 * exact:,.0f} µs", f"{100 * (simulated / exact - 1):+.1f} %")
        for name, simulated, exact in queue_checks(30_000)
    ]
    text = table(("queue, utilisation, what", "simulated", "by formula", "off"), rows) + "\n"
    costs, compared = costs_of(figures), []
    here = replace(costs, window=figures["move_window"].value / 1e6)
    stores = {"move_at_": ("PostgreSQL", here), "sqlite_at_": ("SQLite", replace(here, window=0, group=0, append=0))}
    for name, figure in figures.items():
        for kind, (store, its) in stores.items():
            if name.startswith(kind):
                rate = float(name.removeprefix(kind))
                run = measured_run(rate, its)
                cost = 1e6 * run.process / (run.moves / run.setting.seconds)
                compared.append(
                    (f"{store}, {rate:,.0f}", f"{figure.value:.0f} µs", f"{cost:.0f} µs", ms(run.p50_s), ms(run.p99_s))
                )
    head = ("store, commands/s", "a move costs, measured", "simulated", "p50 ms, simulated", "p99 ms, simulated")
    return text + table(head, compared)


def measured_run(rate: float, costs: Costs) -> Run:
    """A simulation of a house as it was measured: one process."""
    return simulate(Setting(rate=rate, seconds=LEAST_MOVES / rate), costs)


def fitted_turn(costs: Costs, measured_s: float, rate: float) -> float:
    """The cost of a turn with which the simulated house takes so much of the processor for a move. In seconds."""
    low, high = 0.0, measured_s
    for _ in range(9):
        middle = (low + high) / 2
        run = measured_run(rate, replace(costs, turn=middle))
        low, high = (low, middle) if run.process / rate > measured_s else (middle, high)
    return (low + high) / 2


# the knee


def limit(costs: Costs, setting: Setting) -> float:
    """The moves a second at which a process has no time left for turns: the bound of operational analysis."""
    return 1 / (costs.command + costs.answer + costs.delivery * setting.seats)


@cache
def knees(costs: Costs, processes: int) -> tuple[Run, Run]:
    """The runs at both limits: one database, tables routed to one process, hints by NOTIFY."""
    setting = Setting(rate=0, processes=processes)
    most = limit(costs, setting)
    setting = replace(setting, seconds=long_enough(most, processes))
    first = knee(setting, costs, LIMITS_S[0], (0.4 * most, 1.1 * most), STEPS[0])
    rate = first.setting.rate / processes
    return first, knee(setting, costs, LIMITS_S[1], (rate, 1.3 * rate), STEPS[1])


def bends(run: Run, costs: Costs) -> str:
    """The part whose relief gives the least p99 at a tenth more moves."""
    more = replace(run.setting, rate=1.1 * run.setting.rate, seconds=0.5 * run.setting.seconds)
    loop = replace(costs, turn=0.0, command=costs.command / 2, answer=costs.answer / 2, delivery=costs.delivery / 2)
    ways = {
        "the process": (more, loop),
        "the database": (replace(more, cores=100), costs),
        "hints": (replace(more, broadcast=False), costs),
    }
    return min(ways, key=lambda way: simulate(*ways[way]).p99_s)


def knee_section(figures: Figures, processes: Sequence[int] = PROCESSES) -> str:
    """Where the queueing knee is, by the number of processes."""
    costs, rows = costs_of(figures), []
    for number in processes:
        first, second = knees(costs, number)
        rates = [run.setting.rate / number for run in (first, second)]
        rows.append(
            (
                f"{number}",
                f"{number * rates[0]:,.0f}",
                *(f"{rate:,.0f}, {percent(rate / limit(costs, first.setting))}" for rate in rates),
                percent(first.process),
                percent(first.hints),
                percent(first.database),
                f"{first.group:.0f}",
                ms(first.news_p99_s),
                bends(first, costs),
            )
        )
    head = (
        "processes", "moves/s in all at p99 25 ms", "each, of its bound", "at p99 100 ms",
        "at 25 ms: process busy", "of it hints", "database busy", "appends a group", "news p99 ms", "bends first",
    )  # fmt: skip
    return table(head, rows)


@cache
def at_utilisation(costs: Costs, used: float) -> Run:
    """The run of one process that is busy so much."""
    low, high = 0.0, limit(costs, Setting(rate=0))
    run = None
    for _ in range(8):
        rate = (low + high) / 2
        run = simulate(Setting(rate=rate, seconds=LEAST_MOVES / rate), costs)
        low, high = (low, rate) if run.process > used else (rate, high)
    assert run is not None
    return run


def busy_section(figures: Figures) -> str:
    """One process at several utilisations."""
    costs, rows = costs_of(figures), []
    for used in (0.3, 0.6, 0.9):
        run = at_utilisation(costs, used)
        rate = run.setting.rate
        rows.append(
            (percent(used), f"{rate:,.0f}", percent(rate / limit(costs, run.setting)), ms(run.p50_s), ms(run.p99_s))
        )
    return table(("process busy", "moves/s", "of its bound", "p50 ms", "p99 ms"), rows)


WINDOWS_S = (0.0, 0.003, 0.005)


def window_section(figures: Figures) -> str:
    """What a window between two groups costs and saves: one process."""
    rows = []
    for rate in (500.0, 1_000.0, 2_000.0):
        for window_s in WINDOWS_S:
            costs = replace(costs_of(figures), window=window_s)
            run = simulate(Setting(rate=rate, cores=1, seconds=LEAST_MOVES / rate), costs)
            cost = f"{1e6 * run.database / (run.moves / run.setting.seconds):.0f} µs"
            rows.append(
                (f"{rate:,.0f}, {1000 * window_s:.0f} ms", f"{run.group:.1f}", cost, ms(run.p50_s), ms(run.p99_s))
            )
    return table(("moves/s, window", "appends a group", "the database's time for a move", "p50 ms", "p99 ms"), rows)


# routes and deaths


def routes_section(figures: Figures) -> str:
    """What it costs if phones of one table are at several processes, and who hears hints."""
    costs, rate, rows = costs_of(figures), 500.0, []
    for number in (2, 4, 8, 16):
        line = [f"{number}"]
        for by_table in (True, False):
            for broadcast in (True, False):
                setting = Setting(rate=rate * number, processes=number, by_table=by_table, broadcast=broadcast)
                run = simulate(replace(setting, seconds=long_enough(rate, number)), costs)
                line.append(f"{percent(run.process)}, {percent(run.database)}")
        rows.append(line)
    head = (
        f"processes, {rate:,.0f} moves/s each", "by table, NOTIFY", "by table, by subject", "by phone, NOTIFY",
        "by phone, by subject",
    )  # fmt: skip
    return table(head, rows)


DIES_S, AFTER_S = 0.5, 5.0
SPREADS_S = 0.25, 3.0


@cache
def _after_death(costs: Costs, processes: int, used: float, spread_s: float, phones_at: float) -> tuple[Run, float]:
    rate = at_utilisation(costs, used).setting.rate
    setting = Setting(
        rate=rate * processes, processes=processes, warm_s=DIES_S, seconds=AFTER_S, dies_s=DIES_S,
        phones=processes * round(rate * phones_at), spread_s=spread_s,
    )  # fmt: skip
    run = simulate(setting, costs)
    return run, max(0.0, run.slow_until_s - DIES_S)


def after_death(figures: Figures, processes: int, used: float, spread_s: float) -> tuple[Run, float]:
    """A run in which a process dies: moves from then on; and for how long any of them took more than 100 ms."""
    return _after_death(costs_of(figures), processes, used, spread_s, figures["pace"].value * figures["seats"].value)


def death_section(figures: Figures) -> str:
    """What people see after a process dies, by how busy all were, and over how long its phones come back."""
    rows: list[list[str]] = []
    for used, number in ((0.3, 2), (0.3, 4), (0.3, 8), (0.6, 4), (0.6, 8)):
        line = [f"{percent(used)}, {number}"]
        for spread_s in SPREADS_S:
            run, slow_s = after_death(figures, number, used, spread_s)
            if len(line) == 1:
                line.append(f"{run.setting.phones / number:,.0f}")
            line += [ms(run.p99_s), ms(run.worst_s), f"{slow_s:.1f}"]
        rows.append(line)
    head = (
        "busy before, processes", "phones of each", "back within 0.25 s: p99 ms", "worst", "slow for s",
        "within 3 s: p99 ms", "worst", "slow for s",
    )  # fmt: skip
    return table(head, rows)
