"""Phones on a Wi-Fi of their own: browsers in network namespaces, with a bridge between them and no route elsewhere."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from support.networks import ip
from support.ports import free_port

MACHINE = "10.77.0.200/24"


class Wifi:
    """A bridge with phones at it, each in a namespace: 10.77.0.1 and on. Each has the folder at its localhost."""

    def __init__(self, folder: Path, scratch: Path, phones: int) -> None:
        self._folder, self._scratch = folder, scratch
        self._port, self._bridge = free_port(), f"pd{os.getpid()}"
        self._names = [f"pd{os.getpid()}n{at}" for at in range(phones)]
        self._hosts: list[subprocess.Popen[bytes]] = []

    @property
    def address(self) -> str:
        """The folder as each phone has it, as if it had been loaded where there was a network."""
        return f"http://localhost:{self._port}/"

    def browser(self, at: int, command: str) -> Path:
        """A command that starts a browser on a phone."""
        script = self._scratch / f"browser-{at}"
        script.write_text(f'#!/bin/sh\nexec ip netns exec {self._names[at]} {command} "$@"\n')
        script.chmod(0o755)
        return script

    def walk_away(self, at: int) -> None:
        """A phone loses the Wi-Fi."""
        ip("link", "set", self._link(at), "down")

    def come_back(self, at: int) -> None:
        """It has it again."""
        ip("link", "set", self._link(at), "up")

    def keep_apart(self) -> None:
        """The Wi-Fi passes nothing on between phones, as guest networks do."""
        for at in range(len(self._names)):
            ip("link", "set", self._link(at), "type", "bridge_slave", "isolated", "on")

    def join(self) -> None:
        """Put the machine itself at it, too."""
        ip("addr", "add", MACHINE, "dev", self._bridge)

    def leave(self) -> None:
        """Take the machine itself away from it."""
        ip("addr", "del", MACHINE, "dev", self._bridge)

    def _link(self, at: int) -> str:
        return f"{self._names[at]}v"

    def lay(self) -> None:
        """Make it. Raises CalledProcessError."""
        ip("link", "add", self._bridge, "type", "bridge", "mcast_snooping", "0")
        ip("link", "set", self._bridge, "up")
        for at, name in enumerate(self._names):
            ip("netns", "add", name)
            ip("link", "add", self._link(at), "type", "veth", "peer", "name", "wlan0", "netns", name)
            ip("link", "set", self._link(at), "master", self._bridge, "up")
            ip("-n", name, "addr", "add", f"10.77.0.{at + 1}/24", "dev", "wlan0")
            for device in ("wlan0", "lo"):
                ip("-n", name, "link", "set", device, "up")
            command = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", str(self._port)]
            inside = ["ip", "netns", "exec", name, *command]
            quiet = subprocess.DEVNULL
            self._hosts.append(subprocess.Popen(inside, cwd=self._folder, stdout=quiet, stderr=quiet))

    def take_away(self) -> None:
        """Leave nothing of it."""
        for host in self._hosts:
            host.terminate()
            host.wait()
        links = [self._link(at) for at in range(len(self._names))]
        # A network goes some time after its name does: the next may have links of the same names at once.
        named = [("link", link) for link in (*links, self._bridge)] + [("netns", name) for name in self._names]
        for kind, name in named:
            with suppress(subprocess.CalledProcessError):
                ip(kind, "del", name)


@contextmanager
def wifi(folder: Path, scratch: Path, phones: int = 2) -> Iterator[Wifi]:
    """A Wi-Fi with so many phones; skipped where none may be made."""
    found = Wifi(folder, scratch, phones)
    try:
        try:
            found.lay()
        except (OSError, subprocess.CalledProcessError) as error:
            pytest.skip(f"no network of one's own may be made here ({error})")
        yield found
    finally:
        found.take_away()
