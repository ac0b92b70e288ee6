"""Caddy as the compose file runs it, without an engine: nobody's user, no rights, ports below 1024.

A network namespace of its own stands in for the container, so that ports 80 and 443 are free and belong to nobody else.
The program has the right that the image's has (`setcap cap_net_bind_service=+ep`), by which the kernel decides whether
it may start at all.
"""

import os
import re
import shutil
import struct
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from deploy.deployed import DEPLOY, compose, program
from deploy.proxied import WITHIN_S

pytestmark = pytest.mark.nightly
CADDY = compose()["services"]["caddy"]
NET_BIND = 10
BRINGS_ITS_RIGHT = struct.pack("<5I", 0x02000001, 1 << NET_BIND, 0, 0, 0)
"""A file capability as the kernel stores it: second version, effective, permitted, nothing inheritable."""
INSIDE = """
set -eu
ip link set lo up
echo "$FIRST_PORT" > /proc/sys/net/ipv4/ip_unprivileged_port_start
exec setpriv --reuid "$NOBODY" --regid "$NOBODY" --clear-groups --inh-caps=-all --bounding-set="-all$KEPT" \
    setpriv --no-new-privs "$@"
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that Caddy's user may enter, with the program and the Caddyfile in it."""
    if os.geteuid() or not all(map(shutil.which, ("unshare", "setpriv", "ip"))):
        pytest.skip("needs root, unshare, setpriv and ip")
    with TemporaryDirectory() as made:
        found, nobody = Path(made), int(CADDY["user"].split(":")[0])
        found.chmod(0o755)
        os.setxattr(shutil.copy(program("caddy"), found / "caddy"), "security.capability", BRINGS_ITS_RIGHT)
        shutil.copy(DEPLOY / "Caddyfile", found)
        (found / "data").mkdir()
        os.chown(found / "data", nobody, nobody)
        yield found


def started(folder: Path, *, first_port: str, kept: str) -> subprocess.Popen[str]:
    """Caddy with the Caddyfile as it stands; its errors can be read."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder / "data"), "PUBDICE_NAME": "localhost"}
    environ |= {"FIRST_PORT": first_port, "KEPT": kept, "NOBODY": CADDY["user"].split(":")[0]}
    command = [str(folder / "caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    words = ["unshare", "--net", "sh", "-c", INSIDE, "sh", *command]
    return subprocess.Popen(words, env=environ, stderr=subprocess.PIPE, text=True)


def listening(process: subprocess.Popen[str]) -> set[int]:
    """The ports that are open in its namespace."""
    tables = (Path(f"/proc/{process.pid}/net/{name}").read_text("ascii") for name in ("tcp", "tcp6"))
    found = [re.findall(r"^ *\d+: \w+:(\w{4}) \w+:0000 0A", table, re.MULTILINE) for table in tables]
    return {int(port, 16) for ports in found for port in ports}


def test_caddy_opens_its_ports_as_nobody_and_without_any_right(folder: Path) -> None:
    first_port = CADDY["sysctls"]["net.ipv4.ip_unprivileged_port_start"]
    kept = "".join(f",+{name.lower()}" for name in CADDY["cap_add"])
    with started(folder, first_port=first_port, kept=kept) as caddy:
        try:
            until = time.monotonic() + WITHIN_S
            while not listening(caddy) >= {80, 443}:
                assert caddy.poll() is None, caddy.communicate()[1]
                assert time.monotonic() < until
                time.sleep(0.05)
            status = Path(f"/proc/{caddy.pid}/status").read_text("ascii")
            nobody = CADDY["user"].split(":")[0]
            assert re.search(rf"^Uid:(\t{nobody}){{4}}$", status, re.MULTILINE)
            assert re.search(r"^CapEff:\t0+$", status, re.MULTILINE)
            assert re.search(r"^NoNewPrivs:\t1$", status, re.MULTILINE)
        finally:
            caddy.kill()


@pytest.mark.parametrize(
    ("first_port", "kept", "said"),
    [("1024", ",+net_bind_service", "bind: permission denied"), ("0", "", "Operation not permitted")],
    ids=["without the sysctl", "without the capability"],
)
def test_it_needs_what_the_compose_file_gives_it(folder: Path, first_port: str, kept: str, said: str) -> None:
    with started(folder, first_port=first_port, kept=kept) as caddy:
        assert said in caddy.communicate(timeout=WITHIN_S)[1]
    assert caddy.returncode
