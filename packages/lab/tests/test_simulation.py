"""Simulations: the same result for any number of workers, correct standard errors, and files from which they go on."""

import csv
import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import Mock

import numpy as np
import psutil
import pyarrow.parquet as pq
import pytest

import pubdice as door
from pubdice.annexes import CommandContext
from pubdice.core.errors import BadNotation, IllegalAction, Refused
from pubdice.core.game import Keep
from pubdice.games import GAMES
from pubdice.text.language import Language
from pubdice_lab import counting, drawing
from pubdice_lab.chain import TurnEvent, WholeChain
from pubdice_lab.cli import BAR_COLUMNS, INTERRUPTED, ProgressBar, run
from pubdice_lab.counting import Counts, SimulationPlan, count_blocks, counted, save, saved
from pubdice_lab.drawing import DrawnMatches, alias
from pubdice_lab.simulation import result, simulate
from pubdice_lab.workers import Workers, started
from support.console import one_sentence, pubdice

MEXICO = SimulationPlan("mexico", ("tip", "lucky"), 3000, "7", (("format", "rounds 2"),))

COMMAND = ("simulate", "mexico", "--games", "3000", "--format", "rounds 2", "--seats", "tip,lucky")
"""The same simulation as a command, without the seed."""


def _counted(plan: SimulationPlan, workers: int = 1, executor: Any = None) -> Counts:
    counts = Counts(len(plan.seats))
    with started(workers, executor) as pool:
        counted(plan, counts, pool, lambda done, of: None)
    return counts


@pytest.mark.parametrize("chances", [[1.0], [0.5, 0.5], [0.1, 0.2, 0.7], [1e-12, 1 - 1e-12], [1 / 7] * 7])
def test_columns_have_the_chances_of_their_row(chances: Sequence[float]) -> None:
    cut, other = alias(list(chances))
    found = [0.0] * len(chances)
    for column, part in enumerate(cut):
        found[column] += part / 2**32 / len(chances)
        found[other[column]] += (2**32 - part) / 2**32 / len(chances)
        assert 0 <= part <= 2**32
    assert found == pytest.approx(chances, abs=1e-9)


def test_a_block_is_the_same_with_and_without_numba() -> None:
    chain = MEXICO.chain()
    whole = WholeChain(chain)
    drawn = [DrawnMatches(chain, whole, "7", compiled=compiled) for compiled in (True, False)]
    assert drawn[0].block(5, 300) == drawn[1].block(5, 300)
    assert drawn[0].block(2, 300) == DrawnMatches(chain, whole, "7", compiled=False).block(2, 300)
    assert drawn[0].block(2, 300) != drawn[0].block(3, 300)
    assert drawn[0].block(2, 300) != DrawnMatches(chain, whole, "8", compiled=False).block(2, 300)


@pytest.mark.parametrize("there", [True, False])
def test_loops_are_compiled_where_numba_is_there_or_as_asked(there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "numba_there", lambda: there)
    monkeypatch.setattr(drawing, "compiled_step", made := Mock())
    for compiled in (None, True, False):
        made.reset_mock()
        DrawnMatches(MEXICO.chain(), None, "1", compiled=compiled)
        assert made.called == (there if compiled is None else compiled), "the step of DrawnMatches"


def test_rows_are_made_once_and_columns_once_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    makers = {name: Mock(wraps=getattr(counting, name)) for name in ("WholeChain", "DrawnMatches")}
    for name, maker in makers.items():
        monkeypatch.setattr(counting, name, maker)
    for seed, first in product("12", range(2)):
        count_blocks(replace(MEXICO, games=513, seed=seed), first, first + 1)
    assert makers["WholeChain"].call_count == 1, "the cache of counting._rows, or its key"
    assert makers["DrawnMatches"].call_count == 2, "the cache of counting._drawn, or its key"


def test_rows_made_on_the_way_give_the_same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """A race of 420 for three has too many positions for a whole chain, and too many to store."""
    plan = SimulationPlan("420", ("tip", "lucky", "steady"), 60, "1")
    drawn = [DrawnMatches(plan.chain(), None, "1", compiled=compiled) for compiled in (True, False)]
    blocks = [each.block(number, 20) for each in drawn for number in range(3)]
    assert blocks[:3] == blocks[3:]
    monkeypatch.setattr("pubdice_lab.drawing.MOST_STATES", 300)
    forgetful = DrawnMatches(plan.chain(), None, "1", compiled=False)
    assert [forgetful.block(number, 20) for number in range(3)] == blocks[:3]


def test_threads_that_share_a_growing_chain_count_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST_NODES", 10)
    counting._drawn.cache_clear()
    counting._rows.cache_clear()
    plan = SimulationPlan("ship", ("bold", "tip"), 3_000, "5", (("format", "rounds 5"),))
    assert counting._rows(replace(plan, seed=""))[1] is None, "its rows are added while it is drawn from"
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # with this interval, a race condition nearly always shows
    try:
        with ThreadPoolExecutor(4) as threads:
            found = _counted(plan, 4, threads)
    finally:
        sys.setswitchinterval(usual)
    counting._drawn.cache_clear()
    counting._rows.cache_clear()
    assert found == _counted(plan)


@pytest.mark.nightly
def test_a_plan_has_one_result_however_many_workers_count_it() -> None:
    alone = _counted(MEXICO)
    assert (alone.games, alone.blocks) == (3000, MEXICO.blocks)
    with ThreadPoolExecutor(3) as threads:
        assert _counted(MEXICO, 3, threads) == alone
    assert _counted(MEXICO, 2) == alone, "in two processes"
    whole = result(MEXICO, alone, None)
    assert whole.turns == sum(seat.turns for seat in whole.seats) == 3000 * 4


def test_errors_are_as_large_as_they_say() -> None:
    """Forty simulations deviate from the exact values as far as their standard errors say (chi squared, p above
    1e-4).
    """
    shares, means = list[float](), list[float]()
    for seed in range(40):
        found = simulate("ship", ["tip", "steady"], 4000, seed=seed, format="rounds 3")
        for estimate, of in ((found.seats[0].share, shares), (found.seats[1].score, means)):
            assert estimate is not None
            assert estimate.error is not None
            assert estimate.exact is not None
            of.append((estimate.value - estimate.exact) / estimate.error)
    for scores in (shares, means):
        assert 12 < float(np.square(scores).sum()) < 85
    assert len({round(share, 6) for share in shares}) >= 30, "each seed has matches of its own"
    assert len({round(mean, 6) for mean in means}) >= 30


def test_chips_add_up_and_scores_have_their_chances() -> None:
    found = simulate("ship", ["steady", "lucky"], 5000, seed=1, format="pot 1 rounds 3")
    chips = [seat.chips for seat in found.seats]
    assert chips[0] is not None
    assert chips[1] is not None
    assert chips[0].value + chips[1].value == pytest.approx(0)
    assert chips[0].exact is None or chips[0].exact == pytest.approx(chips[0].value, abs=6 * (chips[0].error or 0))
    found = simulate("ship", ["steady", "tip"], 5000, seed=1, format="rounds 1")
    for seat in found.seats:
        assert seat.exact_scores is not None
        assert sum(seat.exact_scores.values()) == pytest.approx(1)
        for score, met in seat.scores.items():
            chance = seat.exact_scores[score]
            assert abs(met - 5000 * chance) < 6 * (5000 * chance) ** 0.5 + 1


def test_scores_that_are_no_amounts_have_no_mean() -> None:
    found = simulate("mexico", ["tip", "lucky"], 300, seed="x")
    assert found.seats[0].score is None
    assert "21" in found.seats[0].scores


def test_one_s_own_policy_plays_and_a_cheat_is_refused() -> None:
    def everything(game: Any, state: Any) -> Any:
        return ((Keep(state.free), 1),)

    found = door.simulate("midnight", [everything, "lucky"], 500, seed=2, format="rounds 1")
    assert found.seats[0].bot == "everything"
    with pytest.raises(IllegalAction) as refused:
        simulate("midnight", [lambda game, state: ((Keep(()), 1),), "lucky"], 500)
    assert refused.value.sentence


@pytest.mark.parametrize(
    ("game", "seats", "games", "options", "code"),
    [
        ("chess", ["tip"], 10, {}, "game"),
        ("midnight", ["genius"], 10, {}, "bot"),
        ("midnight", [], 10, {}, "seats"),
        ("midnight", ["tip"], 0, {}, "flag-number"),
        ("midnight", ["tip"], 1.5, {}, "flag-number"),
        ("midnight", ["tip"], 10, {"workers": 0}, "flag-number"),
        ("midnight", ["tip"], 10, {"hold": "none"}, "option-game"),
        ("midnight", ["tip"], 10, {"need": (9, 9)}, "option"),
    ],
)
def test_what_cannot_be_simulated_is_one_sentence(game: str, seats: Any, games: Any, options: Any, code: str) -> None:
    with pytest.raises(BadNotation) as refused:
        simulate(game, seats, games, **options)
    assert (refused.value.code, refused.value.sentence != "") == (code, True)
    assert "--" not in refused.value.sentence, "an argument is no flag"


def test_what_was_kept_goes_on_to_the_same_result(tmp_path: Path) -> None:
    file, counts = tmp_path / "kept.json", Counts(2)
    first, _ = count_blocks(MEXICO, 0, 3)
    counts.add(first)
    save(file, MEXICO, counts)
    plan, kept = saved(file, replace(MEXICO, seed="drawn by lot"), "")
    assert (plan, kept) == (MEXICO, counts)
    counted(plan, kept, Workers(), lambda done, of: None)
    assert kept == _counted(MEXICO)


def test_a_file_that_is_damaged_or_another_ones_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    save(file, MEXICO, count_blocks(MEXICO, 0, 2)[0])
    for other in (replace(MEXICO, games=4000), replace(MEXICO, seats=("tip", "tip")), replace(MEXICO, header=())):
        with pytest.raises(Refused, match="resume-other"):
            saved(file, other, "")
    with pytest.raises(Refused, match="resume-other"):
        saved(file, replace(MEXICO, seed="9"), "9")
    for text in ("", "[]", "nothing", "{}"):
        file.write_text(text)
        with pytest.raises(Refused, match="resume-damaged"):
            saved(file, MEXICO, "")


def test_the_same_simulation_spelled_otherwise_goes_on(tmp_path: Path) -> None:
    file, short = tmp_path / "kept.json", SimulationPlan("ship", ("tip", "lucky"), 3000, "7")
    usual = short.settled().fields
    save(file, short, count_blocks(short, 0, 2)[0])
    for spelled in (usual["format"], usual["format"].replace(" ", ":")):
        plan, counts = saved(file, replace(short, header=(("format", spelled), ("opener", usual["opener"]))), "")
        assert (plan.seed, counts.blocks) == ("7", 2)
    for other in ((("format", "rounds:6"),), (("opener", "fixed"),), (("cargo", "single"),)):
        with pytest.raises(Refused, match="resume-other"):
            saved(file, replace(short, header=other), "")


@pytest.mark.parametrize(
    "change",
    [
        {"blocks": 3},
        {"blocks": float("nan")},
        {"moments": [[5, 0, 0], [0, 0, 0]]},
        {"events": [[0, 5, None, [9], [1, 0], 512]]},
        {"plan": {"seed": 7}},
        {"sha256": 0},
    ],
)
def test_a_file_with_a_changed_number_is_refused_in_the_sentence(change: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    save(file, MEXICO, count_blocks(MEXICO, 0, 2)[0])
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    _refused_as_damaged(file)


def test_a_file_of_another_version_is_refused_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    save(file, MEXICO, count_blocks(MEXICO, 0, 2)[0])
    kept = json.loads(file.read_text())
    assert kept["pubdice simulation"] == door.__version__
    for version in ("0.0.1", 1, None):
        file.write_text(json.dumps({**kept, "pubdice simulation": version}))
        told = pubdice(*COMMAND, "--resume", str(file))
        assert (told.status, told.out) == (2, "")
        assert f"{file} is from another version of pubdice." in one_sentence(told, "simulate")


def test_a_file_of_endless_brackets_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    file.write_text("[" * 200_000)
    _refused_as_damaged(file)


def _refused_as_damaged(file: Path) -> None:
    told = pubdice(*COMMAND, "--resume", str(file))
    assert (told.status, told.out) == (2, "")
    assert f"{file} is no simulation to go on with." in one_sentence(told, "simulate")


def test_a_file_that_cannot_be_written_is_refused_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "count_blocks", None)
    told = pubdice(*COMMAND, "--resume", str(tmp_path / "nowhere" / "kept.json"))
    assert (told.status, told.out) == (1, "")
    assert "nowhere" in one_sentence(told, "simulate")


def test_a_result_is_printed_though_its_file_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, table, real = tmp_path / "there", tmp_path / "table.csv", counting.count_blocks
    folder.mkdir()

    def gone(plan: SimulationPlan, first: int, behind: int) -> Any:
        (folder / "kept.json").unlink(missing_ok=True)
        if folder.exists():
            folder.rmdir()
        return real(plan, first, behind)

    monkeypatch.setattr(counting, "count_blocks", gone)
    monkeypatch.setattr(counting, "SAVED_EVERY_S", 0.0)
    told = pubdice(*COMMAND, "--seed", "7", "--resume", str(folder / "kept.json"), "--csv", str(table))
    assert told.status == 1
    assert "3,000 matches" in told.out
    assert "Couldn't write" in one_sentence(replace(told, out=""), "simulate")
    assert table.exists()


class _Gone(io.StringIO):
    """An output whose reader has closed it."""

    def write(self, text: str, /) -> int:
        raise BrokenPipeError


@pytest.mark.nightly
def test_files_are_written_though_nobody_reads_what_is_printed(tmp_path: Path) -> None:
    for words, files in (
        (["simulate", "mexico", "--games", "100", "--resume"], ("kept.json", "simulated.csv")),
        (["arena", "mexico", "--bots", "tip,lucky", "--games", "10", "--svg"], ("arena.svg", "arena.csv")),
    ):
        first, table = (tmp_path / name for name in files)
        words += [str(first), "--csv", str(table)]
        context = CommandContext(
            Language(),
            GAMES,
            _Gone(),
            io.StringIO(),
            clock=time.monotonic,
            new_seed=lambda: "x",
            cache=None,
            plain=True,
        )
        with pytest.raises(BrokenPipeError):
            run(words, context)
        assert first.stat().st_size > 100
        assert "quantity" in table.read_text() or "player" in table.read_text()


def test_the_command_says_shares_errors_and_exact_values(tmp_path: Path) -> None:
    words = ("simulate", "threes", "--seats", "tip,steady", "--games", "2000", "--seed", "5", "--format", "rounds:1")
    told = pubdice(*words, "--csv", str(tmp_path / "table.csv"))
    assert (told.status, told.err) == (0, "")
    first, tip, *_, last = told.out.splitlines()
    assert first == "Threes, rounds 1: 2,000 matches, 4,000 turns."
    assert tip.startswith("Seat 1, tip: ")
    assert "exactly" in tip
    assert last == "± is one standard error. The seed is 5."
    as_json = json.loads(pubdice(*words, "--json").out)
    assert as_json["seats"][0]["share"]["exact"] == pytest.approx(as_json["seats"][0]["share"]["value"], abs=0.06)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text())))
    assert {row["quantity"] for row in rows} == {"share", "mean score", "score"}
    assert sum(int(row["count"]) for row in rows if row["quantity"] == "score") == 4000
    assert pubdice("--lang", "de", *words).out.startswith("Threes, rounds 1: 2.000 Partien, 4.000 Züge.")


def test_a_table_for_data_frames_has_the_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("simulate", "mexico", "--games", "3000", "--seed", "7", "--seats", "tip,lucky", "--format", "rounds:2")
    assert pubdice(*words, "--parquet", str(tmp_path / "table.parquet")).status == 0
    read = pq.read_table(tmp_path / "table.parquet").to_pylist()
    assert read == result(MEXICO, _counted(MEXICO), count_blocks(MEXICO, 0, 0)[1]).rows()
    told = pubdice(*words, "--parquet", str(tmp_path / "nowhere" / "table.parquet"))
    assert (told.status, "nowhere" in one_sentence(replace(told, out=""), "simulate")) == (1, True)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    told = pubdice(*words, "--parquet", str(tmp_path / "table.parquet"))
    assert (told.status, told.out) == (1, "")
    assert "pubdice[parquet]" in told.err


class Typist(io.StringIO):
    """An output that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_bar_says_how_much_is_done_and_how_long_it_takes() -> None:
    seen, times = Typist(), iter([0.0, 10.0, 10.05, 40.0])
    bar = ProgressBar(Language(), seen, lambda: next(times))
    for done in (0, 25, 26, 100):
        bar(done, 100)
    drawn = seen.getvalue().split("\r")
    assert len(drawn) == 4, "what follows at once is left out"
    assert "25%" in drawn[2]
    assert "0:00:30 left" in drawn[2]
    assert "#" * BAR_COLUMNS in drawn[3]


def test_an_interrupted_simulation_prints_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["simulate", "mexico", "--games", "3000", "--seed", "7", "--format", "rounds:2", "--seats", "tip,lucky"]
    file, real, asked = tmp_path / "kept.json", counting.count_blocks, list[int]()

    def interrupted(plan: SimulationPlan, first: int, behind: int) -> Any:
        asked.append(first)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return real(plan, first, behind)

    def command(*more: str) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        clock = iter(range(10**6)).__next__
        context = CommandContext(Language(), GAMES, out, err, clock, lambda: "x", cache=None, plain=False)
        status = run([*words, *more], context)
        return status, out.getvalue(), err.getvalue()

    monkeypatch.setattr(counting, "count_blocks", interrupted)
    status, out, err = command("--resume", str(file))
    assert (status, err) == (INTERRUPTED, "")
    assert "Interrupted: 3,000 matches were asked for." in out
    monkeypatch.setattr(counting, "count_blocks", real)
    whole, again = command("--resume", str(file)), command("--resume", str(file))
    assert whole == again == command(), "and what is whole already is told at once"
    status, _, err = command("--resume", str(tmp_path))
    assert (status, "no simulation to go on with" in err) == (2, True)


def test_a_plan_of_one_match_is_interrupted_in_the_singular(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(plan: SimulationPlan, first: int, behind: int) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(counting, "count_blocks", interrupted)
    for code, sentence in (
        ("en", "Interrupted: 1 match was asked for."),
        ("de", "Abgebrochen: 1 Partie war verlangt."),
        ("es", "Interrumpido: se pidió 1 partida."),
    ):
        told = pubdice("--lang", code, "simulate", "mexico", "--games", "1")
        assert (told.status, told.out.splitlines()[-1]) == (INTERRUPTED, sentence)


def test_a_worker_that_ends_is_no_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    real = counting.count_blocks

    def ended(plan: SimulationPlan, first: int, behind: int) -> Any:
        if first:
            raise Refused("worker-died")
        return real(plan, first, behind)

    monkeypatch.setattr(counting, "count_blocks", ended)
    told = pubdice(*COMMAND)
    assert told.status == 1
    assert "rounds 2: 256 matches" in told.out
    assert "Interrupted" not in told.out
    assert "A worker ended before its work was done." in one_sentence(replace(told, out=""), "simulate")


def test_one_worker_tells_keeps_and_stops_after_every_block() -> None:
    plan, counts, told = replace(MEXICO, games=12_800), Counts(2), list[int]()

    def stop(done: int, of: int) -> None:
        told.append(done)
        if done == 7 * plan.block:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        counted(plan, counts, Workers(), stop)
    assert plan.blocks == 50
    assert told == [number * plan.block for number in range(8)]
    assert counts == count_blocks(plan, 0, 7)[0]
    counted(plan, counts, Workers(), lambda done, of: None)
    assert counts == count_blocks(plan, 0, plan.blocks)[0]


def test_an_interrupted_block_adds_nothing() -> None:
    class Interrupting(dict[TurnEvent, int]):
        def items(self) -> Any:
            yield from list(super().items())[:1]
            raise KeyboardInterrupt

    counts, more = count_blocks(MEXICO, 0, 1)[0], count_blocks(MEXICO, 1, 2)[0]
    more.events = Interrupting(more.events)
    with pytest.raises(KeyboardInterrupt):
        counts.add(more)
    assert counts == count_blocks(MEXICO, 0, 1)[0]


def test_who_asks_for_help_waits_for_no_numpy() -> None:
    lines = "import sys; from pubdice.cli import main; main(['simulate', '--help']); print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_matches_that_never_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pubdice_lab.drawing.LONGEST_MATCH", 1)
    with pytest.raises(Exception, match="endless-match"):
        DrawnMatches(MEXICO.chain(), None, "1", compiled=False).block(0, 10)


def test_events_are_counted_by_what_they_are() -> None:
    counts = Counts(2)
    counts.add_block(2, {TurnEvent(0, 3): 2, TurnEvent(1, 5, (1,), (1,), (0, 1)): 2})
    assert counts.moments == [[36, 12, 4], [100, 20, 4]]


def test_scores_that_are_names_have_no_mean_whatever_was_met() -> None:
    for seed in ("1", "2"):
        for seat in simulate("mexico", ["tip", "tip"], 1, seed=seed, format="rounds 1").seats:
            assert seat.score is None


def _wait(there: Callable[[], bool]) -> None:
    ends = time.monotonic() + 60
    while not there():
        assert time.monotonic() < ends
        time.sleep(0.05)


class Told:
    """A stand-in for the client of a Dask cluster. ``answers`` are those to each question for a worker, and nothing
    that is submitted is ever done.
    """

    def __init__(self, *answers: type[Exception] | None) -> None:
        self._answers = list(answers)

    def wait_for_workers(self, number: int, within_s: float) -> None:
        if (error := self._answers.pop(0)) is not None:
            raise error

    def __enter__(self) -> "Told":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""

    def nthreads(self) -> dict[str, int]:
        return {"worker": 1}

    def get_executor(self) -> Any:
        return Mock(submit=lambda work, *task: Future[Any]())


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ((TimeoutError,), "no-cluster-workers"),
        ((None, TimeoutError), "worker-died"),
        ((None, None, OSError), "worker-died"),
    ],
)
def test_a_cluster_that_has_no_worker_is_refused(
    answers: tuple[type[Exception] | None, ...], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dask = Mock(KilledWorker=BrokenPipeError)
    dask.Client.return_value = Told(*answers)
    monkeypatch.setitem(sys.modules, "distributed", dask)
    waits = iter(range(9))  # then the test fails, where a lost look would wait forever
    monkeypatch.setattr("pubdice_lab.workers.wait", lambda *_: Mock(done=(), number=next(waits)))
    with pytest.raises(Refused, match=code), started(1, None, "tcp://127.0.0.1:9") as pool:
        counted(MEXICO, Counts(2), pool, lambda done, of: None)


class DaskCluster(NamedTuple):
    address: str
    workers: list[subprocess.Popen[bytes]]
    scheduler: subprocess.Popen[bytes]


@pytest.fixture
def dask(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[DaskCluster]:
    """A Dask scheduler and its workers, each in a process of its own. There are two workers, unless the test asks for
    more.
    """
    found, quiet = tmp_path / "scheduler.json", {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    python = [sys.executable, "-m"]
    scheduling = [*python, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    worker = [*python, "distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    with ExitStack() as ends:

        def begin(command: list[str]) -> subprocess.Popen[bytes]:
            words = [*command, "--scheduler-file", str(found)]
            process = ends.enter_context(subprocess.Popen(words, cwd=tmp_path, **quiet))  # type: ignore[call-overload]
            ends.callback(process.kill)
            return process  # type: ignore[no-any-return]

        scheduler = begin(scheduling)
        workers = [begin(worker) for _ in range(getattr(request, "param", 2))]
        _wait(lambda: found.exists() and found.read_text().endswith("}"))
        yield DaskCluster(json.loads(found.read_text())["address"], workers, scheduler)


@pytest.mark.nightly
def test_a_worker_of_a_cluster_that_dies_costs_no_result(dask: DaskCluster, tmp_path: Path) -> None:
    address, workers, _ = dask
    command = ["simulate", "ship", "--games", "100000000", "--seed", "7", "--format", "rounds 1", "--json"]
    script = f"import sys; from pubdice.cli import main; sys.exit(main({[*command, '--cluster', address]!r}))"
    errors = tmp_path / "errors"
    with (
        errors.open("wb") as err,
        subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=err) as asked,
        ExitStack() as ends,
    ):
        ends.callback(asked.kill)
        assert asked.stdout is not None
        worker = psutil.Process(workers[0].pid)
        before = sum(worker.cpu_times()[:2])
        workers[1].send_signal(signal.SIGSTOP)  # so the command can't end before the other worker dies
        _wait(lambda: sum(worker.cpu_times()[:2]) > before + 1)  # the worker is busy with its tasks
        assert asked.poll() is None, errors.read_text()
        workers[0].kill()
        workers[1].send_signal(signal.SIGCONT)
        told = asked.stdout.read()
        assert asked.wait(120) == 0, errors.read_text()
    assert json.loads(told) == json.loads(pubdice(*command).out)


@pytest.mark.parametrize("address", [pytest.param("tcp://127.0.0.1:9", marks=pytest.mark.nightly), "nonsense", ""])
def test_a_cluster_that_is_not_there_is_one_sentence(address: str) -> None:
    done = pubdice("simulate", "ship", "--games", "10", "--cluster", address)
    assert done.status == 1
    assert f"No cluster of Dask answers at {address}." in one_sentence(done, "simulate")


def test_files_are_looked_at_before_anything_is_counted(tmp_path: Path) -> None:
    same = str(tmp_path / "same.csv")
    done = pubdice(*COMMAND, "--resume", same, "--csv", same)
    assert (done.status, done.out) == (2, "")
    assert f"{same} is named twice." in one_sentence(done, "simulate")
    nowhere = str(tmp_path / "nowhere" / "a.csv")
    done = pubdice("simulate", "mexico", "--games", "900000000", "--csv", nowhere)
    assert (done.status, done.out) == (1, "")
    assert f"Couldn't write {nowhere}" in one_sentence(done, "simulate")


def test_a_share_of_matches_that_are_all_alike_has_an_error() -> None:
    alike = 0
    for seed in range(12):
        share = simulate("threes", ["lucky", "perfect"], 20, seed=seed, format="rounds 1").seats[0].share
        assert share.error is not None
        assert share.error > 0
        alike += share.value == 0
    assert alike


def test_no_seed_is_drawn_and_none_is_taken_for_a_word() -> None:
    one, other = (simulate("mexico", ["tip", "lucky"], 300, seed=None).seed for _ in range(2))
    assert one != other
    with pytest.raises(BadNotation):
        simulate("mexico", ["tip", "lucky"], 300, seed=1, first=0)  # type: ignore[arg-type]


@pytest.mark.nightly
def test_scores_that_are_written_alike_are_one() -> None:
    """If the moon counts on the first roll only, five sixes can score 30 at Threes without being the moon."""
    found = simulate("threes", ["lucky", "tip"], 40_000, seed=2, format="rounds 1", moon="first").seats[0]
    assert found.exact_scores is not None
    assert sum(found.exact_scores.values()) == pytest.approx(1, abs=1e-9)
    assert sum(found.scores.values()) == found.turns
