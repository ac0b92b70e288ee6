"""A phone that connects to a guest without having read the guest's code.

It answers each connectivity check of the guest with 487, "role conflict". So the guest's browser becomes the
controlling side, and chooses this route. Such an answer does not need the guest's password. The stranger's own
browser does the rest of WebRTC. This program stands between the two browsers, and passes their packets on.
"""

import hmac
import selectors
import socket
import threading
import zlib
from types import TracebackType
from typing import Self

COOKIE = 0x2112A442
REQUEST, SUCCESS, ERROR = 0x0001, 0x0101, 0x0111
MAPPED, WRONG, INTEGRITY, CONTROLLED, FINGERPRINT = 0x0020, 0x0009, 0x0008, 0x8029, 0x8028
ROLE_CONFLICT = bytes([0, 0, 4, 87])


def _attribute(kind: int, value: bytes) -> bytes:
    return kind.to_bytes(2, "big") + len(value).to_bytes(2, "big") + value + bytes(-len(value) % 4)


def _kinds(message: bytes) -> set[int]:
    found, at = set(), 20
    while at + 4 <= len(message):
        found.add(int.from_bytes(message[at : at + 2], "big"))
        size = int.from_bytes(message[at + 2 : at + 4], "big")
        at += 4 + size + -size % 4
    return found


def _answer(kind: int, request: bytes, attribute: bytes, password: bytes) -> bytes:
    """Return a signed STUN answer (RFC 8489)."""

    def whole(attributes: bytes, more: int) -> bytes:
        return kind.to_bytes(2, "big") + (len(attributes) + more).to_bytes(2, "big") + request[4:20] + attributes

    signed = attribute + _attribute(INTEGRITY, hmac.digest(password, whole(attribute, 24), "sha1"))
    told = zlib.crc32(whole(signed, 8)) ^ 0x5354554E
    return whole(signed + _attribute(FINGERPRINT, told.to_bytes(4, "big")), 0)


class Uninvited:
    """Two sockets on this machine. The guest finds the address of the first in its code. The stranger's own browser
    uses the second.
    """

    def __init__(self, password: str, own: str) -> None:
        """Take the ICE passwords: ``password`` in the code the guest read, ``own`` in the answer that the stranger's
        browser gets.
        """
        self._passwords = (password.encode(), own.encode())
        self._ends = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
        for end in self._ends:
            end.bind(("127.0.0.1", 0))
        self.ports: list[int] = [end.getsockname()[1] for end in self._ends]
        self.conflicts = self.passed = 0
        self._others: list[tuple[str, int] | None] = [None, None]
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._ended.set()
        self._thread.join(10)
        for end in self._ends:
            end.close()

    def _run(self) -> None:
        with selectors.DefaultSelector() as selector:
            for at, end in enumerate(self._ends):
                selector.register(end, selectors.EVENT_READ, at)
            while not self._ended.is_set():
                for key, _ in selector.select(0.1):
                    self._take(key.data)

    def _take(self, at: int) -> None:
        data, other = self._ends[at].recvfrom(4096)
        if len(data) < 20 or data[0] > 3:  # not STUN, so pass it on
            there = self._others[1 - at]
            if there:
                self.passed += 1
                self._ends[1 - at].sendto(data, there)
        elif int.from_bytes(data[:2], "big") == REQUEST:
            if at == 0 and CONTROLLED in _kinds(data):
                self.conflicts += 1
                answer = _answer(ERROR, data, _attribute(WRONG, ROLE_CONFLICT), self._passwords[at])
            else:
                self._others[at] = other
                port = (other[1] ^ COOKIE >> 16).to_bytes(2, "big")
                address = int.from_bytes(socket.inet_aton(other[0]), "big") ^ COOKIE
                mapped = b"\x00\x01" + port + address.to_bytes(4, "big")
                answer = _answer(SUCCESS, data, _attribute(MAPPED, mapped), self._passwords[at])
            self._ends[at].sendto(answer, other)
