"""Figures that Prometheus can read, and a log in which nobody can be found."""

import io
import json
import logging
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pubdice.server.observe import Counter, Figures, Histogram, Journal, error_facts, resident_bytes, start_log

SAMPLE = re.compile(
    r'[a-z_]+(\{[a-z]+="(?:[^"\\\n]|\\.)*"(,[a-z]+="(?:[^"\\\n]|\\.)*")*\})? [0-9.e+-]+|# (HELP|TYPE) .+'
)


def logged(salt: bytes = b"salt") -> tuple[Journal, io.StringIO]:
    return Journal(salt), io.StringIO()


def test_all_figures_are_there_from_the_start_and_count() -> None:
    figures = Figures()
    figures.moves.add()
    figures.refused.add("turn")
    figures.requests.add("/t/{code}", "200", by=2)
    figures.streams.set(7)
    figures.commits.add(0.004)
    text = figures.text()
    assert all(SAMPLE.fullmatch(line) for line in text.splitlines())
    for line in (
        "# TYPE pubdice_moves_total counter",
        "pubdice_moves_total 1",
        'pubdice_refused_total{code="turn"} 1',
        'pubdice_requests_total{route="/t/{code}",status="200"} 2',
        "# TYPE pubdice_streams gauge",
        "pubdice_streams 7",
        "pubdice_tables 0",
        'pubdice_commit_seconds_bucket{le="0.0025"} 0',
        'pubdice_commit_seconds_bucket{le="0.005"} 1',
        'pubdice_commit_seconds_bucket{le="+Inf"} 1',
        "pubdice_commit_seconds_sum 0.004",
        "pubdice_commit_seconds_count 1",
        "pubdice_command_seconds_count 0",
    ):
        assert line in text.splitlines(), line
    assert resident_bytes() > 1_000_000


@given(st.lists(st.floats(0, 100), max_size=40))
def test_a_histogram_never_falls_and_counts_everything(taken: list[float]) -> None:
    histogram = Histogram("h", "H.")
    for seconds in taken:
        histogram.add(seconds)
    counts = [int(line.rpartition(" ")[2]) for line in histogram.lines() if "_bucket" in line]
    assert counts == sorted(counts)
    assert counts[-1] == len(taken)


@given(st.text())
def test_no_label_breaks_the_page_of_figures(label: str) -> None:
    counter = Counter("c", "C.", ("code",))
    counter.add(label)
    line = list(counter.lines())[-1]
    assert "\n" not in line
    assert re.fullmatch(r'c\{code="(?:[^"\\]|\\.)*"\} 1', line, re.DOTALL)


@given(st.text(min_size=7, alphabet=st.characters(codec="utf-8")), st.sampled_from(["address", "table", "person", "x"]))
def test_no_text_of_anybodys_stands_in_the_log(text: str, key: str) -> None:
    journal, stream = logged()
    end = start_log(stream)
    try:
        told: dict[str, Any] = {key: text, "seq": 7, "route": "/t/{code}"}
        journal.write("seat taken", **told)
        journal.failed(ValueError(text), table=text)
    finally:
        end()
    first, second = (json.loads(line) for line in stream.getvalue().splitlines())
    assert first["event"] == "seat taken"
    assert first["seq"] == 7
    assert first["route"] == "/t/{code}"
    assert first[key] == journal.alias(text)
    assert re.fullmatch("[0-9a-f]{12}", first[key])
    assert second["error"] == "ValueError"
    assert second["level"] == "error"
    assert second["table"] == journal.alias(text)
    assert all(place.split()[0].partition(":")[0] == "test_observe.py" for place in second["places"])


def test_even_under_a_plain_key_only_our_own_kind_of_text_stands() -> None:
    journal, stream = logged()
    end = start_log(stream)
    try:
        journal.write("x", refusal="Zoë O'Hara", route="a" * 100, method="GET")
    finally:
        end()
    entry = json.loads(stream.getvalue())
    assert entry["refusal"] == journal.alias("Zoë O'Hara")
    assert entry["route"] == journal.alias("a" * 100)
    assert entry["method"] == "GET"


def test_two_evenings_cannot_be_put_together() -> None:
    assert Journal(b"one").alias("192.0.2.7") == Journal(b"one").alias("192.0.2.7")
    assert Journal(b"one").alias("192.0.2.7") != Journal(b"two").alias("192.0.2.7")


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
