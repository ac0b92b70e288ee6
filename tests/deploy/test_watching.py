"""The alert rules and the dashboard: every metric and label they ask for is one that a real house shows."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from deploy.deployed import DEPLOY, compose, program, ran
from pubdice.server.web.refusals import REFUSED
from support.house import Pub, seated

ALERTS = yaml.safe_load((DEPLOY / "alerts.yaml").read_text("utf-8"))
SCRAPED = yaml.safe_load((DEPLOY / "prometheus.yaml").read_text("utf-8"))
BOARD = json.loads((DEPLOY / "grafana.json").read_text("utf-8"))
RULES: list[Any] = [rule for group in ALERTS["groups"] for rule in group["rules"]]
METRIC = re.compile(r"\b((?:pubdice|process|probe)_\w+|up)\b(?:\{([^}]*)\})?")
MATCHER = re.compile(r'(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"')
PROMETHEUS_OWN = dict.fromkeys(
    ("up", "probe_success", "probe_ssl_earliest_cert_expiry"), frozenset({"job", "instance"})
)
"""Metrics that no house shows: one of Prometheus, two of its blackbox exporter."""
FROM_PROMETHEUS = {"job", "instance"}
"""Labels that it adds to each sample."""

Samples = dict[str, dict[str, set[str]]]
"""Of each sample's name: its labels, and the values seen."""


def queries() -> Iterator[str]:
    """Every query of the rules and of the dashboard."""
    yield from (rule["expr"] for rule in RULES)
    yield from (target["expr"] for panel in BOARD["panels"] for target in panel["targets"])
    yield from re.findall(r"label_values\((.*), \w+\)", BOARD["templating"]["list"][1]["query"])


def asked(query: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The metrics of a query, with what it asks of their labels."""
    for name, matchers in METRIC.findall(query):
        yield name, dict(MATCHER.findall(matchers))


def shown(page: str) -> Samples:
    """What a page of metrics shows."""
    found: Samples = {}
    for family in text_string_to_metric_families(page):
        for sample in family.samples:
            labels = found.setdefault(sample.name, {})
            for label, value in sample.labels.items():
                labels.setdefault(label, set()).add(value)
    return found


def test_queries_are_taken_apart() -> None:
    query = 'rate(pubdice_refused_total{job="pubdice", code=~"a|b"}[5m]) / process_max_fds > up{job="x"}'
    refused = ("pubdice_refused_total", {"job": "pubdice", "code": "a|b"})
    assert list(asked(query)) == [refused, ("process_max_fds", {}), ("up", {"job": "x"})]


async def test_every_metric_and_label_is_one_that_a_house_shows(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    assert (await ann.ask(code, "roll")).status == 200
    assert (await ann.ask(code, "roll")).status != 200, "refused: no dice were kept"
    found = shown((await pub.client().get("/metrics")).text)
    queried = [each for query in queries() for each in asked(query)]
    assert len(queried) > 30
    for name, labels in queried:
        known = PROMETHEUS_OWN.get(name) or found[name].keys() | FROM_PROMETHEUS
        assert labels.keys() <= known, name
    groups = [group for query in queries() for group in re.findall(r"\bby \(([^)]*)\)", query)]
    grouped = {label for group in groups for label in group.split(", ")}
    assert grouped <= {label for labels in found.values() for label in labels} | FROM_PROMETHEUS


def test_the_values_of_labels_are_those_of_a_house() -> None:
    labels = [labels for query in queries() for _, labels in asked(query)]
    codes = {code for each in labels if "code" in each for code in each["code"].split("|")}
    assert codes
    assert codes <= REFUSED.keys()
    job, outside = SCRAPED["scrape_configs"]
    assert {each["job"] for each in labels if "job" in each} == {job["job_name"], outside["job_name"]}
    assert SCRAPED["rule_files"] == ["alerts.yaml"]
    (targets,) = job["static_configs"]
    assert targets["targets"] == compose()["services"]["caddy"]["environment"]["PUBDICE_HOUSES"].split()


def test_each_alert_says_what_is_wrong_and_what_to_do() -> None:
    assert len({rule["alert"] for rule in RULES}) == len(RULES) > 8
    page = (DEPLOY.parent / "docs/host/operating.md").read_text("utf-8")
    for rule in RULES:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["summary"].endswith(".")
        assert rule["annotations"]["action"].endswith(".")
        assert rule["alert"] in page


def test_the_panels_lie_beside_each_other_and_say_what_they_show() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in BOARD["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert max(x for x, _ in cells) < 24
        assert not cells & taken
        taken |= cells
        assert panel["description"].endswith(".")
        assert [target["refId"] for target in panel["targets"]] == list("AB"[: len(panel["targets"])])
        assert panel["datasource"]["uid"] == "${source}"
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])


@pytest.mark.nightly
def test_prometheus_raises_the_alerts_of_the_rules(tmp_path: Path) -> None:
    promtool = program("promtool")
    for file in (DEPLOY / "alerts.yaml", DEPLOY / "prometheus.yaml", Path(__file__).with_name("alerts_firing.yaml")):
        shutil.copy(file, tmp_path)
    checked = ran(promtool, "check", "config", tmp_path / "prometheus.yaml")
    assert checked.returncode == 0, checked.stdout
    played = ran(promtool, "test", "rules", tmp_path / "alerts_firing.yaml")
    assert played.returncode == 0, played.stdout


@pytest.mark.nightly
def test_prometheus_can_read_every_query_of_the_dashboard(tmp_path: Path) -> None:
    found = [query.replace("$__rate_interval", "5m").replace("$house", ".*") for query in queries()]
    groups = [{"name": "all", "rules": [{"record": f"query:{at}", "expr": expr} for at, expr in enumerate(found)]}]
    (tmp_path / "rules.yaml").write_text(yaml.safe_dump({"groups": groups}), "utf-8")
    checked = ran(program("promtool"), "check", "rules", tmp_path / "rules.yaml")
    assert checked.returncode == 0, checked.stdout
