"""What the container file says, carried out without an engine: locked packages, nobody's user, a root nobody can write.

A mount namespace of its own stands in for the container: everything is read-only but the volumes that the file names.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from deploy.deployed import DEPLOY, ROOT, ran
from deploy.test_container import environment, last_stage, quoted
from support.ports import free_port

PROJECTS = (ROOT, ROOT / "packages/cluster")

pytestmark = pytest.mark.nightly
WITHIN_S = 60.0
READ_ONLY = """
set -eu
mount() { command mount --no-mtab "$@"; }
for place in / /tmp /home /root /run /var; do
    mountpoint -q "$place" && mount -o remount,bind,ro "$place"
done
mount -t tmpfs none /var
mount -t tmpfs none /opt
mkdir /opt/pubdice /var/python
mount --bind "$IMAGE" /opt/pubdice
case $PYTHON in /root/*)  # where nobody else may look
    mount --bind "$PYTHON" /var/python
    mount -t tmpfs -o mode=0755 none /root
    mkdir -p "$PYTHON"
    mount --move /var/python "$PYTHON"
    mount -o remount,ro /root
esac
for volume in $VOLUMES; do
    mkdir -p "$volume"
    mount -t tmpfs -o uid="$NOBODY",gid="$NOBODY",mode=0700 none "$volume"
done
mount -o remount,ro /var
mount -o remount,ro /opt
mount -o remount,bind,ro /opt/pubdice
for place in /tmp /var /home /opt /opt/pubdice; do
    ! touch "$place/written" 2>/dev/null || { echo "$place can be written"; exit 1; }
done
exec setpriv --reuid "$NOBODY" --regid "$NOBODY" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds the lock and the wheel, installed as the container file says, for /opt/pubdice."""
    if os.geteuid() or not all(map(shutil.which, ("unshare", "setpriv", "mountpoint"))):
        pytest.skip("needs root, unshare and setpriv")
    folder = tmp_path_factory.mktemp("image")
    venv, pip = (
        folder / "venv",
        (sys.executable, "-m", "pip", "--python", folder / "venv/bin/python", "install", "--quiet"),
    )
    lock = DEPLOY / "requirements.txt"
    for words in (
        *((sys.executable, "-m", "build", "--wheel", "--outdir", folder, each) for each in PROJECTS),
        (sys.executable, "-m", "venv", "--without-pip", venv),
        (*pip, "--no-deps", "--only-binary", ":all:", "--require-hashes", "--requirement", lock),
    ):
        done = ran(*words)
        assert done.returncode == 0, done.stdout
    wheels = folder.glob("*.whl")
    assert ran(*pip, "--no-deps", "--no-index", *wheels).returncode == 0
    assert "No broken requirements" in ran(sys.executable, "-m", "pip", "--python", venv / "bin/python", "check").stdout
    script = venv / "bin/pubdice"
    script.write_text(script.read_text("utf-8").replace(str(venv), "/opt/pubdice"), "utf-8")
    venv.chmod(0o755)
    return venv


def test_it_runs_as_nobody_where_only_its_volumes_can_be_written(image: Path, tmp_path: Path) -> None:
    stage, port = last_stage(), free_port()
    environ = {**environment(), "PATH": "/opt/pubdice/bin:/usr/bin:/bin"}
    inside = ["env", "-i", *[f"{name}={value}" for name, value in environ.items()]]
    command = [*quoted(stage["ENTRYPOINT"][0]), *quoted(stage["CMD"][0]), "--port", str(port)]
    outside = {**os.environ, "NOBODY": stage["USER"][0].split(":")[0], "VOLUMES": " ".join(quoted(stage["VOLUME"][0]))}
    outside |= {"IMAGE": str(image), "PYTHON": sys.base_prefix}
    words = ["unshare", "--mount", "--propagation", "private", "sh", "-c", READ_ONLY, "sh", *inside, *command]
    with (tmp_path / "log").open("wb") as log:
        house = subprocess.Popen(words, env=outside, stdout=log, stderr=log)
    try:
        health = [word.replace("4224", str(port)) for word in quoted(stage["HEALTHCHECK"][0].partition("CMD")[2])]
        assert ran(*health).returncode != 0, "not open yet"
        until = time.monotonic() + WITHIN_S
        while ran(*health).returncode:
            assert house.poll() is None, (tmp_path / "log").read_text("utf-8")
            assert time.monotonic() < until, (tmp_path / "log").read_text("utf-8")
        status = Path(f"/proc/{house.pid}/status").read_text("ascii")
        assert re.search(rf"^Uid:(\t{outside['NOBODY']}){{4}}$", status, re.MULTILINE)
        assert re.search(r"^CapBnd:\t0+$", status, re.MULTILINE)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30.0) as browser:
            order = {"game": "threes", "name": "Ann", "people": 1, "bots": ["perfect"], "key": "0123456789abcdef"}
            code = browser.post("/tables", json=order).json()["code"]
            browser.post(f"/t/{code}", json={"key": "0123456789abcdeg", "do": "start"})
            while (told := browser.get("/best-play/threes")).status_code == 202:  # a worker of the house works it out
                assert time.monotonic() < until + WITHIN_S
                time.sleep(0.2)
            assert told.status_code == 200
            assert browser.get("/night").status_code == 200
            assert browser.get(f"/t/{code}/state").status_code == 200
        began = time.monotonic()
        house.send_signal(getattr(signal, stage["STOPSIGNAL"][0]))
        assert house.wait(20) == 0, (tmp_path / "log").read_text("utf-8")
        assert time.monotonic() - began < 15, "before an engine loses patience"
        assert '"failed"' not in (tmp_path / "log").read_text("utf-8")
    finally:
        house.kill()
        house.wait()
