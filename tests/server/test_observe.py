"""Plain counts, and a log without a trace of a player."""

import asyncio
import io
import json
import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pubdice.server import observe
from pubdice.server.observe import (
    BOUNDS_S,
    LOGGED_EVERY_S,
    SAMPLE_S,
    Durations,
    EventLog,
    LoopLag,
    error_facts,
    start_log,
    start_quiet_log,
)


def logged(salt: bytes = b"salt") -> tuple[EventLog, io.StringIO]:
    return EventLog(salt), io.StringIO()


@given(st.lists(st.floats(0, 100), max_size=40))
def test_buckets_never_fall_and_count_everything(taken: list[float]) -> None:
    durations = Durations()
    for seconds in taken:
        durations.add(seconds)
    bounds, counts = zip(*durations.buckets(), strict=True)
    assert [float(bound) for bound in bounds] == [*BOUNDS_S, float("inf")]
    assert list(counts) == [sum(seconds <= float(bound) for seconds in taken) for bound in bounds]
    assert durations.sum_s == pytest.approx(sum(taken))


@given(st.text(min_size=7, alphabet=st.characters(codec="utf-8")), st.sampled_from(["address", "table", "person", "x"]))
def test_no_text_of_anybodys_stands_in_the_log(text: str, key: str) -> None:
    event_log, stream = logged()
    end = start_log(stream)
    try:
        told: dict[str, Any] = {key: text, "seq": 7, "route": "/t/{code}"}
        event_log.write("seat taken", **told)
        event_log.failed(ValueError(text), table=text)
    finally:
        end()
    first, second = (json.loads(line) for line in stream.getvalue().splitlines())
    assert first["event"] == "seat taken"
    assert first["seq"] == 7
    assert first["route"] == "/t/{code}"
    assert first[key] == event_log.alias(text)
    assert re.fullmatch("[0-9a-f]{12}", first[key])
    assert second["error"] == "ValueError"
    assert second["level"] == "error"
    assert second["table"] == event_log.alias(text)
    assert all(place.split()[0].partition(":")[0] == "test_observe.py" for place in second["places"])


def test_off_a_terminal_the_log_is_a_file_of_bounded_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observe, "MOST_LOGGED", 10_000)
    told, file = list[bool](), tmp_path / "house.db.log"
    event_log = EventLog(b"salt")
    end = start_quiet_log(file, told.append)
    try:
        for number in range(1_000):
            event_log.write("loop-held", ms=number, route="/t/{code}")
        assert told == []
        event_log.failed(ValueError("Ann"))
        event_log.failed(ValueError("Bob"))
    finally:
        end()
    assert told == [True]
    assert json.loads(file.read_text("utf-8").splitlines()[-1])["error"] == "ValueError"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["house.db.log", "house.db.log.1"]
    assert sum(each.stat().st_size for each in tmp_path.iterdir()) <= 20_000


@pytest.mark.parametrize("file", [None, Path("/proc/no/such/house.db.log")])
def test_an_error_is_told_where_no_file_can_keep_the_log(file: Path | None) -> None:
    told = list[bool]()
    end = start_quiet_log(file, told.append)
    try:
        EventLog(b"salt").failed(ValueError("Ann"))
    finally:
        end()
    assert told == [False]


def test_even_under_a_plain_key_only_our_own_kind_of_text_stands() -> None:
    event_log, stream = logged()
    end = start_log(stream)
    try:
        event_log.write("x", refusal="Zoë O'Hara", route="a" * 121, method="GET")
    finally:
        end()
    entry = json.loads(stream.getvalue())
    assert entry["refusal"] == event_log.alias("Zoë O'Hara")
    assert entry["route"] == event_log.alias("a" * 121)
    assert entry["method"] == "GET"


def test_two_evenings_cannot_be_put_together() -> None:
    assert EventLog(b"one").alias("192.0.2.7") == EventLog(b"one").alias("192.0.2.7")
    assert EventLog(b"one").alias("192.0.2.7") != EventLog(b"two").alias("192.0.2.7")


@pytest.mark.parametrize(("error", "lines"), [(asyncio.CancelledError(), 0), (ValueError(), 1)])
def test_a_request_cut_off_as_the_house_stops_is_no_fault(error: BaseException, lines: int) -> None:
    stream = io.StringIO()
    end = start_log(stream)
    try:
        logging.getLogger("uvicorn.error").error("Exception in ASGI application\n", exc_info=error)
    finally:
        end()
    assert stream.getvalue().count("\n") == lines


def test_what_other_libraries_log_loses_what_fills_it() -> None:
    stream = io.StringIO()
    end = start_log(stream)
    try:
        logging.getLogger("uvicorn.error").warning("%s - connection lost", "192.0.2.7")
        try:
            raise RuntimeError("Ann")
        except RuntimeError:
            logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")
    finally:
        end()
    lost, failed = (json.loads(line) for line in stream.getvalue().splitlines())
    assert lost["event"] == "%s - connection lost"
    assert failed["event"] == "Exception in ASGI application"
    assert failed["error"] == "RuntimeError"
    assert "192.0.2.7" not in stream.getvalue()
    assert "Ann" not in stream.getvalue()


def test_an_error_tells_where_it_came_from() -> None:
    try:
        json.loads("{")
    except ValueError as error:
        facts = error_facts(error)
    assert facts["error"] == "JSONDecodeError"
    assert str(facts["places"]).startswith("['decoder.py:")
    assert "test_observe.py" in str(facts["places"])


def test_an_error_from_deep_down_tells_the_last_eight_places() -> None:
    def fall(deep: int) -> None:
        if not deep:
            raise ValueError
        fall(deep - 1)

    for deep, places in ((3, 5), (20, 8)):
        with pytest.raises(ValueError) as fault:  # noqa: PT011  it has no text
            fall(deep)
        told = error_facts(fault.value)["places"]
        assert isinstance(told, list)
        assert len(told) == places


class HeldLoop:
    """A loop whose clock a test moves. It comes to its timer when the test says so."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waiting: list[Callable[[], None]] = []
        self.lag = Durations()
        self.told: list[dict[str, Any]] = []
        self.watch = LoopLag(self.lag, self.tell, self.after, lambda: self.now, lambda: self.now / 2)

    def after(self, delay_s: float, do: Callable[[], None]) -> None:
        assert delay_s == SAMPLE_S
        self.waiting.append(do)

    def tell(self, event: str, **facts: Any) -> None:
        self.told.append({"event": event, **facts})

    def turn(self, late_s: float = 0.0) -> None:
        """Come to the timer, so late."""
        self.now += late_s
        waiting, self.waiting = self.waiting, []
        for do in waiting:
            do()

    def asked(self, route: str, took_s: float = 0.0) -> None:
        self.watch.begins()
        self.now += took_s
        self.watch.ends(route)


def test_the_log_names_the_route_that_held_the_loop() -> None:
    loop = HeldLoop()
    loop.asked("/help", 0.001)
    loop.asked("/ask/{game}", 0.3)
    loop.asked("/t/{code}", 0.002)
    loop.turn()
    assert loop.told == [{"event": "loop-held", "ms": 298.0, "computed_ms": 151.5, "route": "/ask/{game}"}]
    assert dict(loop.lag.buckets())["0.25"] == 0
    assert dict(loop.lag.buckets())["0.5"] == 1


@pytest.mark.parametrize(("took_s", "route"), [(0.001, None), (0.02, None), (0.03, "/help")])
def test_a_held_loop_without_a_request_has_no_route_in_the_log(took_s: float, route: str | None) -> None:
    loop = HeldLoop()
    loop.asked("/help", took_s)
    loop.turn(0.05 - took_s)
    assert [each["route"] for each in loop.told] == [route]


def test_a_loop_that_comes_within_10_ms_is_counted_and_not_told() -> None:
    loop = HeldLoop()
    loop.asked("/help", SAMPLE_S)
    loop.turn(0.009)
    assert loop.told == []
    assert dict(loop.lag.buckets())["+Inf"] == 1


def test_a_loop_held_again_and_again_is_told_once_a_second() -> None:
    loop = HeldLoop()
    for _ in range(30):
        loop.asked("/help", 0.1)
        loop.turn()
    assert len(loop.told) == 3 * int(1 / LOGGED_EVERY_S)
    assert dict(loop.lag.buckets())["+Inf"] == 30


def test_no_timer_runs_while_nobody_asks() -> None:
    loop = HeldLoop()
    assert loop.waiting == []
    for _ in range(3):
        loop.asked("/help")
    assert len(loop.waiting) == 1, "one timer, however many ask"
    loop.turn()
    loop.turn()
    assert loop.waiting == []
    loop.asked("/help")
    assert len(loop.waiting) == 1
