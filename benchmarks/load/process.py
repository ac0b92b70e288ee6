"""Runs the house as a separate process, and asks the system for its memory, processor time and open files."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter, sleep

TICKS = os.sysconf("SC_CLK_TCK")


class Running:
    """A running house, in its own process."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int) -> None:
        self.process, self.port, self.pid = process, port, process.pid

    @property
    def rss_mb(self) -> float:
        """The resident memory in MB, as the system counts it."""
        return _status(self.pid, "VmRSS") / 1024

    @property
    def most_rss_mb(self) -> float:
        """The peak of resident memory so far, in MB."""
        return _status(self.pid, "VmHWM") / 1024

    @property
    def cpu_s(self) -> float:
        """The processor time of all threads so far, in s. The separate processes of bots do not count."""
        return cpu_s(self.pid)

    @property
    def loop_s(self) -> float:
        """The processor time of the event loop's thread so far, in s. The other threads are the store's."""
        return cpu_s(self.pid, f"task/{self.pid}/stat")

    @property
    def files(self) -> int:
        """The number of open files and connections."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))


def cpu_s(pid: int, what: str = "stat") -> float:
    """Return the processor time of a process, or of one of its threads, in s."""
    fields = Path(f"/proc/{pid}/{what}").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _status(pid: int, key: str) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1])
    raise KeyError(key)


@contextmanager
def running(
    folder: Path,
    log: Path | None = None,
    change: str = "",
    *,
    words: Sequence[str] = (),
    python: Path = Path(sys.executable),
    cwd: Path | None = None,
) -> Iterator[Running]:
    """Run a fresh house by ``pubdice serve``, with its file on the disk of ``folder``. At the end it is stopped and
    deleted.

    ``change`` is Python code to run in its process before the house is loaded, to remove a part of it. ``words`` are
    words of the command that replace those for its file. ``python`` and ``cwd`` are for another revision.
    """
    with TemporaryDirectory(dir=folder) as place:
        port = free_port()
        opens = f"{change}\nimport sys; from pubdice.cli import main; sys.exit(main())"
        command = [str(python), "-c", opens, "serve", "--port", str(port), "--no-qr"]
        prefix = os.environ.get("PUBDICE_BENCH_UNDER", "").split()  # a profiler, for instance
        said = (log or Path(place) / "log").open("wb")
        with (
            said,
            subprocess.Popen(
                [*prefix, *command, *(words or ("--data", f"{place}/house.db"))],
                stdout=subprocess.DEVNULL,
                stderr=said,
                cwd=cwd,
            ) as process,
        ):
            try:
                wait_for(port, process)
                yield Running(process, port)
            finally:
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    process.kill()


def wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    """Wait until a process listens. Raises RuntimeError if it ends, or takes 20 s."""
    until = monotonic() + 20
    while monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError(f"the house did not open: {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            sleep(0.05)
        else:
            return
    raise RuntimeError("the house did not open")


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def sync_ms(folder: Path, times: int = 200) -> tuple[float, float]:
    """Return the ms of a sync of 4 KB on the folder's disk: the median and the 99th percentile."""
    taken = []
    with TemporaryDirectory(dir=folder) as place, open(f"{place}/sync", "wb", buffering=0) as file:
        for _ in range(times):
            file.write(b"x" * 4096)
            begun = perf_counter()
            os.fsync(file.fileno())
            taken.append(1000 * (perf_counter() - begun))
    return median(taken), sorted(taken)[int(0.99 * times)]


def load_average() -> str:
    """Return the system's load over one and five minutes, which shows if other work used the cores."""
    return "{:.2f} {:.2f}".format(*os.getloadavg()[:2])
