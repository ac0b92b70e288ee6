"""benchmarks.scale: its queues wait as formulas say, no move is lost, and docs/scale.md has what it prints today."""

import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import gettempdir

import pytest

from benchmarks.queueing.figures import Costs, costs_of, read_figures, write_figures
from benchmarks.queueing.formulas import erlang_c, mm1_quantile, pollaczek_khinchine
from benchmarks.queueing.page import SECTIONS, SLOW, page
from benchmarks.queueing.results import Run, knee, simulate
from benchmarks.queueing.sections import figures_section, fitted_turn, limit, measured_run, queue_checks, waited
from benchmarks.queueing.simulation import Setting
from benchmarks.queueing.sizes import size_of
from benchmarks.scale import main

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/scale.md").read_text(encoding="utf-8")
FIGURES = read_figures()
COSTS = costs_of(FIGURES)


@pytest.mark.parametrize("used", [0.3, 0.7])
@pytest.mark.parametrize(("constant", "variation"), [(True, 0.0), (False, 1.0)], ids=["M/D/1", "M/M/1"])
def test_a_station_waits_as_pollaczek_and_khinchine_say(used: float, constant: bool, variation: float) -> None:
    waits = waited(used / 0.001, 0.001, 1, 60_000, constant=constant)
    assert sum(waits) / len(waits) == pytest.approx(pollaczek_khinchine(used / 0.001, 0.001, variation), rel=0.05)


def test_a_station_of_four_waits_as_erlang_says() -> None:
    waits = waited(2_800, 0.001, 4, 60_000, constant=False)
    assert sum(waits) / len(waits) == pytest.approx(erlang_c(2_800, 0.001, 4), rel=0.05)


@pytest.mark.parametrize(("constant", "variation"), [(True, 0.0), (False, 1.0)], ids=["M/D/1", "M/M/1"])
def test_a_process_with_turns_that_cost_nothing_is_such_a_queue(constant: bool, variation: float) -> None:
    setting = Setting(rate=700, constant=constant, seconds=60)
    run = simulate(setting, Costs(answer=0.001))
    assert run.mean_s - 0.001 == pytest.approx(pollaczek_khinchine(700, 0.001, variation), rel=0.05)
    if not constant:
        assert run.p99_s == pytest.approx(mm1_quantile(700, 0.001, 0.99), rel=0.05)


SETTINGS = {
    "one process": Setting(rate=1_000, seconds=8),
    "four, phones anywhere": Setting(rate=2_000, processes=4, by_table=False, seconds=4),
    "four, by subject": Setting(rate=2_000, processes=4, by_table=False, broadcast=False, seconds=4),
    "two shards": Setting(rate=3_000, processes=4, shards=2, seconds=3),
    "two cells": Setting(rate=3_000, processes=4, shards=2, cells=True, seconds=3),
}


@pytest.fixture(scope="module", params=list(SETTINGS))
def run(request: pytest.FixtureRequest) -> Run:
    return simulate(SETTINGS[request.param], COSTS)


def test_littles_law_holds(run: Run) -> None:
    """Moves under way, counted at regular instants, are the arrival rate times the mean time."""
    assert run.waiting == pytest.approx(run.moves / run.setting.seconds * run.mean_s, rel=0.03)
    assert run.waiting == pytest.approx(run.little, rel=0.03)


def test_utilisation_is_arrival_rate_times_service_time(run: Run) -> None:
    """Of a database: groups, appends and hints, and the reads of those who follow; a process's turns are not known."""
    setting = run.setting
    rate = run.moves / setting.seconds
    groups = rate * (COSTS.append + COSTS.group / run.group) / setting.cores / setting.shards
    assert groups <= run.database * 1.05
    if setting.processes == 1:
        assert run.database == pytest.approx(groups, rel=0.05)
    assert run.process >= rate / setting.processes * (COSTS.command + COSTS.answer) * 0.95


def test_the_same_seed_gives_the_same_run_and_another_does_not() -> None:
    setting = Setting(rate=2_000, processes=2, by_table=False, seconds=0.5)
    assert simulate(setting, COSTS) == simulate(setting, COSTS)
    assert simulate(setting, COSTS).mean_s != simulate(replace(setting, seed=2), COSTS).mean_s


def test_no_move_is_lost_when_a_process_dies_and_people_wait_until_they_are_back() -> None:
    setting = Setting(rate=800, processes=4, seconds=4, dies_s=1.5, phones=4_000)
    died, calm = simulate(setting, COSTS), simulate(replace(setting, dies_s=99), COSTS)
    assert died.worst_s > setting.back_s > calm.worst_s
    assert died.p50_s < 2 * calm.p50_s
    assert died.moves == pytest.approx(calm.moves, rel=0.05)


def test_a_window_makes_larger_groups_and_costs_the_database_less() -> None:
    setting = Setting(rate=1_000, seconds=4)
    none, some = (simulate(setting, replace(COSTS, window=window_s)) for window_s in (0.0, 0.004))
    assert some.group > 2 * none.group
    assert some.database < none.database


def test_the_knee_is_where_the_99th_percentile_passes_the_limit() -> None:
    setting, most = Setting(rate=0, seconds=1), limit(COSTS, Setting(rate=0))
    found = knee(setting, COSTS, 0.025, (0.4 * most, 1.1 * most))
    assert found.p99_s <= 0.025
    assert simulate(replace(found.setting, rate=1.1 * found.setting.rate), COSTS).p99_s > 0.025


def test_the_cost_of_a_turn_is_found_again() -> None:
    """From what a move costs at some rate, which the random numbers of a run change by 1 %, and so a turn by some."""
    run = measured_run(1_000, replace(COSTS, turn=100e-6))
    assert fitted_turn(COSTS, run.process / 1_000, 1_000) == pytest.approx(100e-6, rel=0.1)


def test_a_larger_house_has_more_of_everything() -> None:
    sizes = [size_of(phones, FIGURES) for phones in (10_000, 100_000, 1_000_000)]
    assert [size.moves_s for size in sizes] == [625, 6_250, 62_500]
    for less, more in pairwise(sizes):
        assert less.processes < more.processes
        assert less.cells <= more.cells


# the page


@pytest.mark.parametrize("name", [name for name in SECTIONS if name not in SLOW])
def test_a_section_of_the_page_is_what_the_program_prints(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Made by ``python -m benchmarks.scale --page docs/scale.md``; make it again if a figure has a reason to change."""
    assert main([name]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"{name}\n\n|")
    assert printed.removeprefix(f"{name}\n\n").rstrip() in PAGE


@pytest.mark.nightly
def test_the_page_is_what_the_program_writes() -> None:
    """With the slow sections, too: almost a minute beside others."""
    assert page(FIGURES).splitlines() == PAGE.splitlines()


def test_every_section_has_its_place_and_word_on_the_page() -> None:
    places = [PAGE.find(f"Word: `{name}`.") for name in SECTIONS]
    assert -1 not in places
    assert places == sorted(places)


def test_every_figure_names_its_source() -> None:
    assert all(len(figure.source) >= len("chosen") for figure in FIGURES.values())


# the command line


def test_a_figure_can_be_changed_and_files_are_read_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_figures(FIGURES, tmp_path / "figures.json")
    assert read_figures(tmp_path / "figures.json") == FIGURES
    assert main(["--figures", str(tmp_path / "figures.json"), "--set", "flush=1500", "figures"]) == 0
    assert "| `flush` | 1,500 µs | given on the command line |" in capsys.readouterr().out
    assert "| `flush` |" in figures_section(FIGURES)


@pytest.mark.parametrize("words", [["everything"], ["--set", "speed=2"]])
def test_what_is_unknown_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(words)
    assert "there is no" in capsys.readouterr().err.lower()


def test_queue_checks_have_formulas_of_three_queues() -> None:
    names = {name.partition(",")[0] for name, _, _ in queue_checks(200)}
    assert {"M/D/1", "M/M/1", "M/M/4"} <= names


@pytest.mark.nightly
def test_figures_are_measured_on_this_machine(tmp_path: Path) -> None:
    """Briefly: a real PostgreSQL and real houses on it."""
    pytest.importorskip("psycopg")
    pytest.importorskip("pubdice.store.postgres")
    words = ["--measure", str(tmp_path / "figures.json"), "--seconds", "1", "--tables", "60", "--times", "1"]
    command = [sys.executable, "-m", "benchmarks.scale", *words, "--folder", gettempdir()]
    run = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    found = read_figures(tmp_path / "figures.json")
    assert all(found[name].value > 0 for name in ("turn", "command", "group", "append", "notify", "join"))
    assert found["append"].source != FIGURES["append"].source
