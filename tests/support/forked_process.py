"""Commands of pubdice in processes that are forked from one which has imported the house already.

Of the 0.6 s of processor that a house costs from its start to its end, 0.4 are imports, and the tests start some
hundreds. A forked house is a process like any other: its own pid, files, environment, signals and exit status, and it
ends as the interpreter does. What a test says of the start itself, or of memory, it has to say of a process that was
started by its command.

One *zygote* a test process does the forking (the word is Android's): it has one thread, and no house of its own. When
the test process has gone it kills what it forked, and ends.
"""

import array
import atexit
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

WARM = (
    *("pubdice.cli", "pubdice.server.cli", "pubdice.server.app", "pubdice.server.serve"),
    *("pubdice.server.uvicorn_protocol", "platformdirs", "encodings.idna"),
    *("uvicorn.main", "uvicorn.lifespan.on", "uvicorn.loops.uvloop", "uvicorn.protocols.http.httptools_impl"),
)
"""What a house imports until it is open."""
MOST_BYTES = 1 << 20


class _Zygote:
    """The process that forks, as the test process sees it; requests go one at a time, over one socket."""

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        words = [sys.executable, __file__, str(theirs.fileno())]
        self._process = subprocess.Popen(words, pass_fds=[theirs.fileno()])
        theirs.close()
        self.owner, self.path = os.getpid(), os.environ.get("PYTHONPATH")
        atexit.register(self._close)

    def _close(self) -> None:
        self._ours.close()
        if os.getpid() == self.owner:
            self._process.wait()

    def ask(self, request: Mapping[str, Any], *files: int) -> int:
        """The number with which the zygote answers."""
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))] if files else []
        self._ours.sendmsg([json.dumps(request).encode()], rights)
        answer = self._ours.recv(64)
        assert answer, "the zygote has died"
        return int(answer)


_zygotes: list[_Zygote] = []


def _zygote() -> _Zygote:
    if not _zygotes or _zygotes[0].owner != os.getpid():
        _zygotes[:] = [_Zygote()]
    return _zygotes[0]


class ForkedProcess:
    """What a test uses of `subprocess.Popen`.

    script: a file that is run as ``__main__``, with `words` behind its name. stderr, stdin: numbers of open files.
    """

    def __init__(
        self, script: str, words: Sequence[str], stderr: int, environ: Mapping[str, str], stdin: int | None = None
    ) -> None:
        reading, writing = os.pipe()
        assert environ.get("PYTHONPATH") == _zygote().path, "it has imported another house"
        request = {"script": script, "words": list(words), "environ": dict(environ), "folder": str(Path.cwd())}
        try:
            self.pid = _zygote().ask(request, writing, stderr, *([] if stdin is None else [stdin]))
            self._pidfd = os.pidfd_open(self.pid)
        finally:
            os.close(writing)
        self.stdout = os.fdopen(reading, encoding="utf-8")
        self.returncode: int | None = None
        self._reaping = threading.Lock()  # a timer's thread may send a signal as it is reaped

    def poll(self) -> int | None:
        """The exit status, negative if a signal ended it; None while it runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """The exit status. Raises subprocess.TimeoutExpired after so many seconds."""
        status = self._ended(timeout)
        if status is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return status

    def _ended(self, timeout_s: float | None) -> int | None:
        if self.returncode is None:
            poll = select.poll()
            poll.register(self._pidfd, select.POLLIN)
            if poll.poll(None if timeout_s is None else timeout_s * 1000):
                with self._reaping:
                    self.returncode = _zygote().ask({"reap": self.pid})
                    os.close(self._pidfd)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Nothing, if it has ended."""
        with self._reaping:
            if self.returncode is None:
                signal.pidfd_send_signal(self._pidfd, number)

    def kill(self) -> None:
        """End it as kill -9 does."""
        self.send_signal(signal.SIGKILL)


def _serve(line: socket.socket) -> dict[str, Any] | None:
    """Fork until the test process has gone; in a forked process, the request that it has to carry out."""
    running: set[int] = set()
    while True:
        text, rights, _, _ = line.recvmsg(MOST_BYTES, socket.CMSG_SPACE(12))
        if not text:
            for pid in running:
                os.kill(pid, signal.SIGKILL)
            return None
        request: dict[str, Any] = json.loads(text)
        if "reap" in request:
            _, status = os.waitpid(request["reap"], 0)
            running.discard(request["reap"])
            line.send(str(os.waitstatus_to_exitcode(status)).encode())
            continue
        files = dict(zip((1, 2, 0), array.array("i", rights[0][2]), strict=False))
        pid = os.fork()
        if not pid:
            line.close()
            for number, file in files.items():
                os.dup2(file, number)
        for file in files.values():
            os.close(file)
        if not pid:
            return request
        running.add(pid)
        line.send(str(pid).encode())


def main() -> None:
    """The zygote; and, in a process forked from it, the command."""
    gc.disable()
    for name in WARM:
        __import__(name)
    gc.freeze()  # else each forked process goes through all of it as its house opens, and again as it ends
    gc.enable()
    with socket.socket(fileno=int(sys.argv[1])) as line:
        request = _serve(line)
    if request is not None:
        os.environ.clear()
        os.environ.update(request["environ"])
        os.chdir(request["folder"])
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115 - a file of its own; cli.main reconfigures it
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
        sys.argv = [request["script"], *request["words"]]
        sys.path[0] = str(Path(request["script"]).parent)
        runpy.run_path(request["script"], run_name="__main__")


if __name__ == "__main__":
    main()
