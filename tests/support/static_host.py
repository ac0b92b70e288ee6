"""A host of plain files, as ``python3 -m http.server`` is one: for pocket houses.

It can go away and come back, and has faults that hosts have.
"""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self


class _Quiet(SimpleHTTPRequestHandler):
    def __init__(self, *told: Any, host: "StaticHost", **more: Any) -> None:
        self._host = host
        super().__init__(*told, **more)

    def log_message(self, *told: Any) -> None:
        """Print nothing."""

    def send_head(self) -> Any:
        self._host.asked.append(self.path)
        del self.headers["If-Modified-Since"]  # whole seconds: a test writes two versions within one
        return super().send_head()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        name = self.path.rpartition("/")[2]
        if name in self._host.held:
            self._host.let_go.wait()
        if name in self._host.cut:
            outputfile.write(source.read(100))
            self.close_connection = True
        else:
            super().copyfile(source, outputfile)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle of a file is none."""


class StaticHost:
    """A folder at http://localhost:PORT/, or one in it below a path that ends with a slash.

    asked: the paths that were asked for, in order. cut: names of files of which it sends 100 bytes. held: of those that
    wait until ``let_go`` is set.
    """

    def __init__(self, folder: Path, below: str = "") -> None:
        self._folder, self._below = folder, below
        self.asked: list[str] = []
        self.cut: set[str] = set()
        self.held: set[str] = set()
        self.let_go = threading.Event()
        self._server: _Server | None = None
        self._port = 0
        self.start()

    @property
    def address(self) -> str:
        """Where the folder is, with a slash at its end. Browsers trust localhost as they trust https."""
        return f"http://localhost:{self._port}/{self._below}"

    def start(self) -> None:
        """Come back, at the same address."""
        handler = partial(_Quiet, host=self, directory=str(self._folder))
        self._server = _Server(("127.0.0.1", self._port), handler)
        self._port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def stop(self) -> None:
        """Go away, as a network does."""
        self.let_go.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
