"""Who calls, for whom and by which name: what a request says of that, and how much of it is believed.

Knows what a name, an address and a proxy are; knows no app and no limit, and refuses nobody.
"""

import socket
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from starlette.types import Scope

from pubdice.game import BadNotation

MOST_HOST = 260
"""A name has at most 253 letters (RFC 1035), and a port five digits."""
Asked = dict[bytes, bytes]
"""A request's headers by name, of several alike as a list with commas."""
Proxies = tuple[IPv4Network | IPv6Network, ...]


def client_address(scope: Scope) -> str:
    """Whose request this is, as far as the door knows: behind it, a proxy's word has been taken or not."""
    client = scope.get("client")
    return str(client[0]) if client else "unknown"


def believe(scope: Scope, asked: Asked, proxies: Proxies) -> None:
    """Take a named proxy's word: the last address in its list that is no named proxy is the client's."""
    if not _is_one_of(client_address(scope), proxies):
        return
    for text in reversed(asked.get(b"x-forwarded-for", b"").decode("latin-1").split(",")):
        address = _without_port(text.strip())
        if address is None:
            break  # from here on nobody we know has checked it
        scope["client"] = (address, 0)
        if not _is_one_of(address, proxies):
            break
    if asked.get(b"x-forwarded-proto", b"").rpartition(b",")[2].strip().lower() == b"https":
        scope["scheme"] = "https"


def read_proxies(texts: Iterable[str]) -> Proxies:
    """The proxies named: addresses, or blocks of them such as 10.0.0.0/8. Raises BadNotation."""
    return tuple(map(_network, texts))


def _network(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text.strip(), strict=False)
    except ValueError:
        raise BadNotation("proxy", found=text) from None


def house_names(addresses: Iterable[str] = ()) -> frozenset[str]:
    """The names of this machine, and of the addresses the house was told that it has. Raises BadNotation.

    >>> house_names(["https://dice.example:8443/", "pub.example"]) >= {"dice.example", "pub.example"}
    True
    """
    here = socket.gethostname().lower()
    short = here.partition(".")[0]
    names = {here, short, f"{short}.local"}
    for address in addresses:
        if ":" in address and _is_address(address):
            names.add(str(ip_address(address)))
            continue
        _, scheme, rest = address.partition("://")
        try:
            name = host_name((rest if scheme else address).partition("/")[0].encode("idna"))
        except UnicodeError:
            name = None
        if name is None:
            raise BadNotation("address", found=address)
        names.add(name)
    return frozenset(names - {""})


def goes_by(host: bytes, names: frozenset[str]) -> bool:
    """Whether a house of these names answers to what is in a Host header.

    To localhost as well, to addresses of loopback, and to the machine's own addresses (``is_own``): an address that is
    nobody's here would stand in links and pictures that lead elsewhere.
    """
    name = host_name(host)
    if name is None:
        return False
    if name in names or name == "localhost" or name.endswith(".localhost"):
        return True
    return _is_address(name) and (str(ip_address(name)) in names or is_own(str(ip_address(name))))


def is_own(address: str) -> bool:
    """Whether an address is one of this machine's: nothing can listen at any other. Sends nothing.

    >>> is_own("127.0.0.1"), is_own("192.0.2.1")
    (True, False)
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.bind((address, 0))
        return not ip_address(address).is_unspecified and not ip_address(address).is_multicast
    return False


def host_name(host: bytes) -> str | None:
    """The name in a Host header, small, without its port; None for what is none.

    >>> host_name(b"Pub.Example:4224"), host_name(b"[::1]:4224"), host_name(b"a b"), host_name(b"pub:http")
    ('pub.example', '::1', None, None)
    """
    if len(host) > MOST_HOST:
        return None
    text = host.decode("latin-1").lower()
    if text.startswith("["):
        name, bracket, port = text[1:].partition("]")
        if not bracket or not _is_port(port):
            return None
        return name if all(char in "0123456789abcdef:." for char in name) else None
    name, colon, port = text.partition(":")
    if not _is_port(colon + port) or not name.isascii():
        return None
    name = name.removesuffix(".")
    return name if name and all(char.isalnum() or char in "-._" for char in name) else None


def is_from_here(site: bytes | None, origin: bytes | None, host: bytes, scheme: str = "http") -> bool:
    """Whether a request that changes something was asked for by our own page, or by no page at all.

    Browsers say so themselves (Sec-Fetch-Site, and Origin, which alone is sent over plain HTTP); programs that are no
    browsers send neither, and have no cookies that another site could use. "null" is nobody of ours. scheme: how this
    request came; a page of the same name without TLS may be another's.

    >>> is_from_here(None, b"http://pub:4224", b"pub:4224"), is_from_here(None, b"http://pub:1", b"pub:4224")
    (True, False)
    >>> is_from_here(None, b"http://pub", b"pub", "https"), is_from_here(None, b"https://pub", b"pub:443", "https")
    (False, True)
    """
    if site is not None and site not in (b"same-origin", b"none"):
        return False
    if origin is None:
        return True
    said, colon, place = origin.lower().partition(b"://")
    usual = {b"http": b":80", b"https": b":443"}.get(said)
    if usual is None or not colon or said.decode("ascii") != scheme:
        return False
    return place.removesuffix(usual) == host.lower().removesuffix(usual)


def _without_port(text: str) -> str | None:
    """The address in what a proxy wrote: plain, ``192.0.2.7:1234``, ``[2001:db8::1]`` or ``[2001:db8::1]:1234``."""
    if text.startswith("["):
        text, bracket, port = text[1:].partition("]")
        if not bracket or not _is_port(port):
            return None
    elif text.count(":") == 1:
        text, _, port = text.partition(":")
        if not _is_port(f":{port}"):
            return None
    return text if _is_address(text) else None


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_port(text: str) -> bool:
    return not text or (text[0] == ":" and len(text) <= 6 and (text[1:].isdigit() or not text[1:]))


def _is_one_of(address: str, proxies: Proxies) -> bool:
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return any(found in block for block in proxies if block.version == found.version)
