"""The proxy and the services beside it: the Caddyfile and the compose file, their schemas, and what they promise."""

import configparser
import ipaddress
import json
import re
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette

from deploy.deployed import DEPLOY, PACKAGE, PATHS, compose, flags, flags_in, ran, tool, variables_read
from deploy.test_container import last_stage
from pubdice.server.app import ROUTES
from pubdice.server.serve import PORT, STOP_WITHIN_S, configured
from pubdice.server.web.guard import MOST_HEARD
from pubdice.server.wire import Asked

TEXT = re.sub(r"#.*", "", (DEPLOY / "Caddyfile").read_text("utf-8"))
COUNTED_BY_KEY = ("/tables", "/t/{code}", "/night/{code}")
"""POSTs that carry an idempotency key."""
TABLES = {"/tables", "{{ here }}", "{{ '/tables/forget' if row.codes else row.href }}", "{{ page.here }}"}
"""Where forms with a key go to: new tables, tables, an evening's, a night's tables."""
FORM = re.compile(r'<form[^>]*method="post"[^>]*action="([^"#]*).*?>(.*?)</form>', re.DOTALL)
SETTINGS = ("/language", "/names")
"""POSTs that set a cookie to what they say."""


def setting(name: str) -> str:
    """What follows a directive that stands once."""
    (found,) = re.findall(rf"^\s*{name} (.+)$", TEXT, re.MULTILINE)
    return str(found)


def matching(pattern: str, path: str) -> bool:
    """Whether a path matches as Caddy matches paths: * at the end is any rest."""
    return path == pattern or (pattern.endswith("*") and path.startswith(pattern[:-1]))


def test_the_paths_it_names_are_routes() -> None:
    closed = setting("@operators path").split()
    assert set(closed) <= PATHS
    assert setting("health_uri") in PATHS


def test_only_posts_that_count_once_are_asked_again() -> None:
    *pages, posts = re.findall(r"lb_retry_match \{([^}]*)\}", TEXT)
    assert {" ".join(each.split()) for each in pages} == {"method GET HEAD"}
    assert "method POST" in posts
    (patterns,) = re.findall(r"path (.+)", posts)
    posted = {route.path for route in ROUTES if route.method == "POST"}
    retried = {path for path in posted if any(matching(each, path) for each in patterns.split())}
    assert retried == {*COUNTED_BY_KEY, *SETTINGS}


def test_every_form_that_is_asked_again_has_a_key() -> None:
    keyed = []
    for template in sorted([*PACKAGE.glob("server/pages/*.html"), *PACKAGE.glob("server/web/templates/*.html")]):
        for action, form in FORM.findall(template.read_text("utf-8")):
            if action in TABLES:
                keyed.append(action)
                assert '<input type="hidden" name="key"' in form, f"{template.name}: {action}"
    assert set(keyed) == TABLES
    assert "key" in Asked.__struct_fields__


def test_it_closes_idle_lines_before_the_house_does() -> None:
    assert int(setting("keepalive").removesuffix("s")) < configured(Starlette).timeout_keep_alive
    assert "flush_interval" not in TEXT, "with -1 a stream outlives its phone"


def test_caddy_keeps_a_table_at_one_house_and_bodies_small() -> None:
    assert setting("lb_policy") == f"header {setting('request_header').split()[0]}"
    assert "~(?i)^/t/([a-z0-9]+) " in TEXT
    assert (setting("max_size"), setting("request_buffers")) == ("64KB", "64KB")
    assert MOST_HEARD == 64 * 1024


def test_compose_gives_caddy_its_variables() -> None:
    given = compose()["services"]["caddy"]["environment"]
    assert given.keys() == set(re.findall(r"\{\$(\w+)", TEXT))
    assert re.findall(rf"^\({given['PUBDICE_REPEATS']}\) \{{(.*?)^\}}", TEXT, re.MULTILINE | re.DOTALL)
    image, _, tag = compose()["services"]["caddy"]["image"].partition(":")
    assert image.endswith("/caddy")
    assert tuple(map(int, tag.split(".")[:2])) >= (2, 11), "an older one sends no body twice"


FILE = DEPLOY / "compose.yaml"
SERVICES = sorted(compose()["services"])
HOUSES = [name for name in SERVICES if name.startswith("house")]
PASSWORD = re.compile(r"password|secret|key|token", re.IGNORECASE)


def service(name: str) -> Any:
    return compose()["services"][name]


def seconds(text: str) -> int:
    return int(text.removesuffix("s"))


def megabytes(text: str) -> int:
    return int(text[:-1]) * {"m": 1, "g": 1024}[text[-1]]


@pytest.mark.nightly
def test_it_keeps_to_the_schema_of_compose_files(tmp_path: Path) -> None:
    worse = tmp_path / "worse.yaml"
    worse.write_text(FILE.read_text("utf-8").replace("cap_drop:", "cap_drops:"), "utf-8")
    words = ("--builtin-schema", "vendor.compose-spec", "--output-format", "json", FILE, worse)  # one run takes 3 s
    found = json.loads(ran(tool("check-jsonschema"), *words).stdout)
    assert {error["filename"] for error in found["errors"]} == {str(worse)}, found
    assert found["parse_errors"] == []


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_can_do_as_little_as_possible(name: str) -> None:
    found = service(name)
    assert found["read_only"] is True
    assert found["cap_drop"] == ["ALL"]
    assert set(found.get("cap_add", ())) <= ({"NET_BIND_SERVICE"} if name == "caddy" else set())
    assert "no-new-privileges:true" in found["security_opt"]
    assert not {"privileged", "devices", "pid", "network_mode"} & found.keys()
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", found["user"]), "nobody is root, not even in a container"
    assert not [each for each in found.get("volumes", ()) if "docker.sock" in each or each.startswith("/")]
    assert found["healthcheck"]["test"][0] == "CMD"
    assert "latest" not in found["image"] or found["image"].startswith("pubdice:"), "others' images have a version"


def test_the_manual_gives_caddys_volumes_to_the_user_it_runs_as() -> None:
    caddy, manual = service("caddy"), (DEPLOY.parent / "docs/host/cluster.md").read_text("utf-8")
    (line,) = (line for line in manual.splitlines() if " chown -R " in line)
    kept = [each.split(":") for each in caddy["volumes"] if not each.startswith(".")]
    volumes = [f"--volume {compose()['name']}_{volume}:{place}" for volume, place in kept]
    places = " ".join(place for _, place in kept)
    assert line == f"docker run --rm {' '.join(volumes)} {caddy['image']} chown -R {caddy['user']} {places}"


def test_all_services_fit_the_memory_of_a_small_machine() -> None:
    limits = {name: megabytes(service(name)["mem_limit"]) for name in SERVICES}
    assert sum(limits.values()) <= 4096
    assert all(limits[name] > 206 + 3 * 150 for name in HOUSES), "a house with its workers, as measured"
    (buffers,) = re.findall(r"shared_buffers=(\d+)MB", " ".join(service("database")["command"]))
    assert limits["database"] >= 2 * int(buffers)


def test_a_house_is_the_user_that_its_image_names() -> None:
    assert last_stage()["USER"] == [service("house-1")["user"]]


@pytest.mark.parametrize("name", SERVICES)
def test_no_secret_stands_in_the_environment(name: str) -> None:
    for key, value in service(name).get("environment", {}).items():
        assert not PASSWORD.search(key) or key.endswith("_FILE"), key
        assert not re.search(r"://[^/\s]*:[^/\s]*@", str(value)), "a password in an address"
    for secret in service(name).get("secrets", ()):
        assert compose()["secrets"][secret]["file"].startswith("./.secrets/")


def test_secrets_are_made_once_and_for_their_owner_alone(tmp_path: Path) -> None:
    script = shutil.copy(DEPLOY / "secrets", tmp_path)
    assert ran(script).returncode == 0
    made = {each["file"] for each in compose()["secrets"].values()}
    assert {f"./.secrets/{file.name}" for file in (tmp_path / ".secrets").iterdir()} == made
    assert stat.S_IMODE((tmp_path / ".secrets").stat().st_mode) == 0o700
    password = (tmp_path / ".secrets/database-password").read_text("ascii")
    assert re.fullmatch(r"[0-9a-f]{64}", password)
    libpq = configparser.ConfigParser()
    libpq.read(tmp_path / ".secrets/database-service")
    assert dict(libpq["pubdice"]) == {"password": password}
    assert "service=pubdice" in service("house-1")["environment"]["PUBDICE_STORE"]
    again = ran(script)
    assert (again.returncode, (tmp_path / ".secrets/database-password").read_text("ascii")) == (1, password)


def test_the_houses_differ_by_name_alone() -> None:
    assert len(HOUSES) == 2
    alike = [{key: value for key, value in service(name).items() if key != "hostname"} for name in HOUSES]
    assert alike[0] == alike[1]
    assert [service(name)["hostname"] for name in HOUSES] == HOUSES, "a house answers to its host's name"
    words = service("house-1")["command"]
    assert flags_in(words) < flags()
    (health,) = re.findall(rf"http://127\.0\.0\.1:{PORT}(/\w+)", service("house-1")["healthcheck"]["test"][-1])
    assert health in PATHS
    assert seconds(service("house-1")["stop_grace_period"]) >= 15 + STOP_WITHIN_S
    assert service("house-1")["depends_on"] == {"database": {"condition": "service_healthy"}}


def test_the_houses_read_the_variables_they_are_given() -> None:
    given = {name for name in service("house-1")["environment"] if name.startswith("PUBDICE_")}
    assert given
    assert given <= variables_read()


def test_the_houses_believe_caddy_s_address_and_no_other() -> None:
    words = service("house-1")["command"]
    (proxy,) = (words[at + 1] for at, word in enumerate(words) if word == "--proxy")
    assert service("caddy")["networks"]["front"]["ipv4_address"] == proxy
    (block,) = compose()["networks"]["front"]["ipam"]["config"]
    assert ipaddress.ip_address(proxy) in ipaddress.ip_network(block["subnet"])
    assert service("caddy")["environment"]["PUBDICE_HOUSES"].split() == [f"{name}:{PORT}" for name in HOUSES]
    assert f"https://{service('caddy')['environment']['PUBDICE_NAME']}" in words, "they answer to the name Caddy has"


def test_only_caddy_is_reached_from_outside() -> None:
    assert [name for name in SERVICES if "ports" in service(name)] == ["caddy"]
    assert service("database")["networks"] == ["back"]
    assert compose()["networks"]["back"]["internal"] is True
    assert [name for name in SERVICES if "back" in service(name)["networks"]] == ["database", *HOUSES]
    assert {need["condition"] for need in service("caddy")["depends_on"].values()} == {"service_healthy"}
    assert sorted(service("caddy")["depends_on"]) == HOUSES


def test_the_database_is_durable() -> None:
    found = service("database")
    assert "--data-checksums" in found["environment"]["POSTGRES_INITDB_ARGS"]
    assert found["environment"]["POSTGRES_PASSWORD_FILE"] == f"/run/secrets/{found['secrets'][0]}"
    assert not re.search(r"(fsync|full_page_writes|synchronous_commit)=off", " ".join(found["command"]))
    assert seconds(found["stop_grace_period"]) >= 60
    assert not found["user"].startswith("0")
    assert any(each.startswith("database:") for each in found["volumes"])


def test_what_has_to_be_filled_in_is_in_the_example() -> None:
    asked = set(re.findall(r"\$\{(\w+)", FILE.read_text("utf-8")))
    offered = set(re.findall(r"^(?:# )?(\w+)=", (DEPLOY / "example.env").read_text("utf-8"), re.MULTILINE))
    assert asked == offered
    assert not PASSWORD.search(" ".join(offered))


def test_houses_are_rolled_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "engine").write_text('#!/bin/sh\necho "$@" >> "$0.said"\n[ "${FAILS:-}" != "${0##*/}" ]\n', "ascii")
    (tmp_path / "engine").chmod(0o700)
    assert ran(DEPLOY / "roll", ENGINE=str(tmp_path / "engine"), PATH="/usr/bin:/bin").returncode == 0
    said = (tmp_path / "engine.said").read_text("ascii").splitlines()
    assert [line.split()[-1] for line in said] == HOUSES
    assert all("--wait" in line.split() and "--no-deps" in line.split() for line in said)
    (tmp_path / "engine.said").unlink()
    assert ran(DEPLOY / "roll", ENGINE=str(tmp_path / "engine"), PATH="/usr/bin:/bin", FAILS="engine").returncode != 0
    assert len((tmp_path / "engine.said").read_text("ascii").splitlines()) == 1, "the other stays as it is"
