"""The house as a process of its own, and what the system says of it: memory, processor time, open files, the disk."""

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
    """A running house."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int) -> None:
        self.process, self.port, self.pid = process, port, process.pid

    @property
    def rss_mb(self) -> float:
        """Resident memory, as the system counts it."""
        return _status(self.pid, "VmRSS") / 1024

    @property
    def most_rss_mb(self) -> float:
        """The most resident memory there was so far."""
        return _status(self.pid, "VmHWM") / 1024

    @property
    def cpu_s(self) -> float:
        """Processor time so far, of all threads; bots' processes beside it do not count."""
        return cpu_s(self.pid)

    @property
    def loop_s(self) -> float:
        """Processor time so far of the event loop's thread alone: the others are the store's."""
        return cpu_s(self.pid, f"task/{self.pid}/stat")

    @property
    def files(self) -> int:
        """Open files and connections."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))


def cpu_s(pid: int, what: str = "stat") -> float:
    """Processor time of a process, or of a thread of it."""
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
    """A fresh house with its file on the disk of ``folder``, opened by ``pubdice serve``; stopped and deleted after.

    change: Python that is run in its process before the house is loaded, to take something away from it. words: of the
    command, instead of those that name its file. python, cwd: of another revision.
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
    """Wait until a process listens. RuntimeError if it ends, or takes 20 s."""
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
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def sync_ms(folder: Path, times: int = 200) -> tuple[float, float]:
    """What a sync of 4 KB costs on the folder's disk: the median and the 99th percentile."""
    taken = []
    with TemporaryDirectory(dir=folder) as place, open(f"{place}/sync", "wb", buffering=0) as file:
        for _ in range(times):
            file.write(b"x" * 4096)
            begun = perf_counter()
            os.fsync(file.fileno())
            taken.append(1000 * (perf_counter() - begun))
    return median(taken), sorted(taken)[int(0.99 * times)]


def load_average() -> str:
    """The system's load, over one and five minutes: others may be using the same cores."""
    return "{:.2f} {:.2f}".format(*os.getloadavg()[:2])
