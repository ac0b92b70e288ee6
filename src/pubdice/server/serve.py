"""Opens the house: a listening socket with uvicorn on it, or the reason why it can't listen. Knows no app.

uvicorn is used with four changes. A connection is closed if a request's head comes too slowly or is too large
(slowloris): uvicorn's httptools protocol has no such bound. An answer goes out in one piece (``uvicorn_protocol`` does
both). On the signal to stop, the app is told first, so streams say goodbye and end without being waited for. A signal
that stopped the house does not kill the process afterwards, so the caller of ``serve`` can clean up.
"""

import asyncio
import contextlib
import errno
import inspect
import os
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from importlib.util import find_spec
from typing import TextIO

import uvicorn
from starlette.types import ASGIApp

from pubdice.server.banner import address_of, banner, is_loopback
from pubdice.server.garbage import tune
from pubdice.server.web.guard import MOST_HEAD
from pubdice.store.deadline import Deadline
from pubdice.text.language import Language

PORT = 4224
BACKLOG = 2048
UNACKED_MS = 10_000
"""The time that a phone may leave bytes unacknowledged. After that its connection counts as lost."""
SENT_AHEAD = 65_536
"""The most bytes on their way to one phone. Further bytes wait in its stream's bounded queue."""
STOP_WITHIN_S = 2
MOST_FILES = 65_536
Wait = Callable[[float], Awaitable[object]]
"""A function that waits for a number of seconds."""


def serve(
    app_factory: Callable[[], ASGIApp],
    *,
    host: str = "127.0.0.1",
    port: int = PORT,
    address: str | None = None,
    before_stopping: Callable[[Wait], Awaitable[object]] | None = None,
    on_stopping: Callable[[], object] | None = None,
    qr: bool | None = None,
    how_to_open: str = "pubdice serve --host 0.0.0.0",
    kept_in: str = "",
    language: Language | None = None,
    ending: Deadline | None = None,
    out: TextIO | None = None,
    err: TextIO | None = None,
) -> int:
    """Open the house until it is told to stop. Return the exit status.

    - address: the house's address as people type it, if a proxy stands in front. ``read_address`` returns it.
    - before_stopping: awaited when the house is told to stop, while it still takes requests. It gets a function that
      waits for a number of seconds. A second Ctrl+C ends such a wait.
    - on_stopping: called after that. If it returns an awaitable, that is awaited.
    - qr: True to print a QR code, False not to, None if phones can get in and the terminal can show it.
    - how_to_open: the command that lets phones in, printed if only this machine can reach the house.
    - kept_in: the place of the tables, printed if it is named.
    - ending: begins when the house is told to stop. Each step of stopping gets the time that is left.
    """
    out, err, language = out or sys.stdout, err or sys.stderr, language or Language()
    try:
        listening = listen(host, port)
    except OSError as error:
        err.write(f"pubdice serve: {why_not(language, error, host, port)}\n")
        return 1
    allow_files(MOST_FILES)
    bound = listening.getsockname()[1]
    here = address or address_of(host, bound)
    closed = None if address or not is_loopback(host) else how_to_open

    restore: list[Callable[[], None]] = []

    def ready() -> None:
        restore.append(tune())
        out.write(banner(language, here, closed, kept_in, show_qr=qr, out=out))
        with contextlib.suppress(OSError):
            out.flush()

    server = _House(configured(app_factory), ready, before_stopping, on_stopping, ending or Deadline())
    try:
        server.run([listening])
    except SystemExit as left:  # code 0: a signal came before uvicorn listened to signals
        return 1 if left.code else 0  # else the app could not start, and logged the reason
    finally:
        listening.close()
        for put_back in restore:
            put_back()
    return 0


def configured(app_factory: Callable[[], ASGIApp]) -> uvicorn.Config:
    """Return the configuration of uvicorn: one process, no WebSockets, no access log, no server header."""
    return uvicorn.Config(
        app_factory,
        factory=True,
        loop="uvloop" if find_spec("uvloop") else "asyncio",
        http=_reader(),
        ws="none",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the guard knows which proxies to trust
        backlog=BACKLOG,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=STOP_WITHIN_S,
        h11_max_incomplete_event_size=MOST_HEAD,
    )


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket. Accepted connections inherit the options set here. Raises OSError."""
    family, kind, protocol, _, place = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listening = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # on Windows two houses could then share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT_AHEAD)
        if sys.platform == "linux":
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKED_MS)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0 if place[0] == "::" else 1)
        listening.bind(place)
        listening.listen(BACKLOG)
    except BaseException:
        listening.close()
        raise
    return listening


def why_not(language: Language, error: OSError, host: str, port: int) -> str:
    """Return the sentence that tells the operator why the house can't listen there."""
    if error.errno == errno.EADDRINUSE:
        return language.say("Port {port} is in use already. Pick another with --port.", port=port)
    if error.errno == errno.EACCES:
        return language.say("You may not use port {port}. Pick one from 1024 up with --port.", port=port)
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return language.say("This machine has no address {host}.", host=host)
    reason = error.strerror or str(error)
    return language.say("Can't listen on {host}, port {port}: {reason}.", host=host, port=port, reason=reason)


def allow_files(most: int) -> None:
    """Raise this process's limit of open files, for its connections. The default is often 1,024."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 - not on every system

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
        if soft != resource.RLIM_INFINITY and wanted > soft:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class _House(uvicorn.Server):
    def __init__(
        self,
        config: uvicorn.Config,
        ready: Callable[[], None],
        before_stopping: Callable[[Wait], Awaitable[object]] | None,
        on_stopping: Callable[[], object] | None,
        ending: Deadline,
    ) -> None:
        super().__init__(config)
        self._ready, self._before_stopping = ready, before_stopping
        self._on_stopping, self._ending = on_stopping, ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def _wait(self, seconds: float) -> None:
        until = asyncio.get_running_loop().time() + self._ending.left(seconds)
        while not self.force_exit and (left := until - asyncio.get_running_loop().time()) > 0:
            await asyncio.sleep(min(left, 0.1))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._ending.begin()
        if self._before_stopping is not None:
            await self._before_stopping(self._wait)
        for server in self.servers:  # no new connection from here on, so no new stream opens
            server.close()
        if self._on_stopping is not None:
            told = self._on_stopping()
            if inspect.isawaitable(told):
                await told
        self.config.timeout_graceful_shutdown = self._ending.left(STOP_WITHIN_S)  # type: ignore[assignment]
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on a signal without killing the process. A second Ctrl+C ends at once.

        SIGTERM is then ignored until the process ends: supervisors repeat it while the caller still closes the house's
        files.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before[signal.SIGINT])
            signal.signal(signal.SIGTERM, signal.SIG_IGN if self.should_exit else before[signal.SIGTERM])


def _reader() -> type[asyncio.Protocol] | str:
    """Return uvicorn's HTTP protocol: httptools with bounds on a request's head, or h11 if httptools is missing."""
    if not find_spec("httptools"):
        return "h11"
    from pubdice.server.uvicorn_protocol import BoundedProtocol  # noqa: PLC0415 - needs httptools

    return BoundedProtocol
