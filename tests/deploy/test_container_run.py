"""The container, built by a builder without a daemon and started: its tables outlive it."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from deploy.deployed import DEPLOY, ROOT, program
from support.ports import free_port

BASE = Path.home() / ".cache/pubdice/debian"
"""Debian with Python, in place of the base image: no registry of images is needed."""
WITHIN_S = 120.0
NOBODY = 10_001

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root"),
]


@pytest.fixture(scope="module")
def buildah(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., list[str]]:
    """The words of a command of buildah, which keeps all it makes in a folder of the test."""
    folder = tmp_path_factory.mktemp("images")
    words = [program("buildah"), "--storage-driver", "vfs", "--root", str(folder / "root")]
    return lambda *more: [*words, "--runroot", str(folder / "run"), *map(str, more)]


def ran(words: list[str], cwd: Path | None = None) -> str:
    environ = {**os.environ, "BUILDAH_ISOLATION": "chroot"}
    done = subprocess.run(words, cwd=cwd, env=environ, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def image(buildah: Callable[..., list[str]], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The image, from the container file and a wheel, as the container file says."""
    if not (BASE / "usr/bin/python").exists():
        shutil.rmtree(BASE, ignore_errors=True)
        needed = "python3,python3-venv,python3-pip,python-is-python3,ca-certificates"
        ran([program("debootstrap"), "--variant=minbase", f"--include={needed}", "bookworm", str(BASE)])
    base = ran(buildah("from", "scratch")).strip()
    ran(buildah("copy", base, BASE, "/"))
    ran(buildah("config", "--env", "PATH=/usr/local/bin:/usr/bin:/bin", base))
    ran(buildah("commit", "--rm", base, "localhost/base"))
    folder = tmp_path_factory.mktemp("release")
    for project in (ROOT, ROOT / "packages/cluster"):
        ran([sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(project)])
    shutil.copytree(DEPLOY, folder / "deploy", ignore=shutil.ignore_patterns(".*"))
    asked = ("--format", "docker", "--layers=false", "--network", "host", "--build-arg", "PYTHON=localhost/base")
    ignored = ("--ignorefile", "deploy/Containerfile.dockerignore", "--volume", "/etc/ssl/certs:/etc/ssl/certs:ro")
    ran(buildah("bud", *asked, *ignored, "--file", "deploy/Containerfile", "--tag", "pubdice", "."), folder)
    return "localhost/pubdice"


@contextmanager
def house(buildah: Callable[..., list[str]], image: str, tables: Path) -> Iterator[httpx.Client]:
    """A house in a new container, over a folder of tables; the container is gone afterwards."""
    port, container = free_port(), ran(buildah("from", "--pull-never", image)).strip()
    asked = ("--volume", f"{tables}:/var/lib/pubdice", "--network", "host", "--user", f"{NOBODY}:{NOBODY}", container)
    words = buildah("run", *asked, "--", "pubdice", "serve", "--host", "127.0.0.1", "--no-qr", "--port", port)
    log = tables.with_name("log")
    with log.open("wb") as out:
        process = subprocess.Popen(
            words, env={**os.environ, "BUILDAH_ISOLATION": "chroot"}, stdout=out, stderr=out, start_new_session=True
        )
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30.0, follow_redirects=True) as browser:
            until = time.monotonic() + WITHIN_S
            while True:
                assert process.poll() is None, log.read_text("utf-8")
                assert time.monotonic() < until, log.read_text("utf-8")
                with suppress(httpx.TransportError):
                    if browser.get("/healthz").status_code == 200:
                        break
                time.sleep(0.2)
            yield browser
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(30)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.wait()
        ran(buildah("rm", container))


def test_a_house_in_a_container_keeps_its_tables_on_a_volume(
    buildah: Callable[..., list[str]], image: str, tmp_path: Path
) -> None:
    tables = tmp_path / "tables"
    tables.mkdir()
    os.chown(tables, NOBODY, NOBODY)
    order = {"game": "420", "name": "Ann", "people": 1, "bots": ["tip"], "key": "0123456789abcdef"}
    with house(buildah, image, tables) as browser:
        made = browser.post("/tables", json=order)
        assert made.status_code == 201
        code = made.json()["code"]
    assert (tables / ".local/share/pubdice/house.db").exists()
    with house(buildah, image, tables) as browser:
        found = browser.get(f"/t/{code}")
        assert (found.status_code, code in found.text) == (200, True)
        assert browser.get("/t/NOSUCH").status_code == 404
