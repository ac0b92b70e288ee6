"""Ports for houses that are opened again on the same one."""

import os
import socket
from itertools import count
from random import SystemRandom

FIRST, WORKERS, EACH = 10_000, 64, 300
"""Below the range from which systems take ports for connections, so that none takes a port while its house is down.

Each worker has ports of its own; whether somebody else listens on one is found out by binding it.
"""
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % WORKERS
_next = count(SystemRandom().randrange(EACH))


def free_port(host: str = "127.0.0.1") -> int:
    """A port nobody listens on, and no other worker of this run is given."""
    while True:
        port = FIRST + next(_next) % EACH * WORKERS + _worker
        with socket.socket() as probe:
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
