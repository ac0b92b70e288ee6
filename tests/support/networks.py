"""Network namespaces: networks of their own, for processes that a test cuts off. Linux's ``ip`` makes them."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest


def ip(*words: str) -> None:
    """Raises CalledProcessError."""
    subprocess.run(["ip", *words], capture_output=True, check=True)


def far_end(link: str) -> str:
    """The device of a link inside its namespace; outside it has the name of the link."""
    return f"{link}t"


@contextmanager
def namespace(name: str, links: Mapping[str, tuple[str, str]]) -> Iterator[None]:
    """A network of a name of at most 12 letters, taken away at the end; skipped where none may be made.

    links: the address here and the one inside, by the name of the link (at most 14 letters); each is a /30 of its own.
    """
    if shutil.which("ip") is None:
        pytest.skip("no `ip` here to make a network with")
    try:
        try:
            _lay(name, links)
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network of one's own may be made here ({error.stderr.decode().strip()})")
        yield
    finally:
        for words in (*(("link", "del", link) for link in links), ("netns", "del", name)):
            subprocess.run(["ip", *words], capture_output=True, check=False)


def _lay(name: str, links: Mapping[str, tuple[str, str]]) -> None:
    ip("netns", "add", name)
    ip("-n", name, "link", "set", "lo", "up")
    for link, (here, inside) in links.items():
        ip("link", "add", link, "type", "veth", "peer", "name", far_end(link), "netns", name)
        ip("addr", "add", f"{here}/30", "dev", link)
        ip("link", "set", link, "up")
        ip("-n", name, "addr", "add", f"{inside}/30", "dev", far_end(link))
        ip("-n", name, "link", "set", far_end(link), "up")
