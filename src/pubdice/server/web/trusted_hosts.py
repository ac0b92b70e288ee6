"""The headers of a request that the house trusts: X-Forwarded-For, Host, and Origin.

Three checks, for three attacks: a made-up X-Forwarded-For (to dodge the rate limit), DNS rebinding (another site's name
that leads to this machine) and CSRF (another site's page that posts here). Knows names, addresses and proxies, but no
app and no limit.
"""

import socket
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from starlette.types import Scope

from pubdice.core.dice import whole_number
from pubdice.core.errors import BadNotation

MOST_HOST = 260
"""The most bytes of a Host header that is read: a name of 253 letters (RFC 1035) and its final dot, a colon, and a port
of five digits.
"""
MOST_PORT = 65_535
HeaderValues = dict[bytes, bytes]
"""A request's headers by name. Several of one name are joined by commas."""
Proxies = tuple[IPv4Network | IPv6Network, ...]


def client_address(scope: Scope) -> str:
    """Return the client's address: the peer's, or the one that ``apply_forwarded_headers`` has put into the scope."""
    client = scope.get("client")
    return str(client[0]) if client else "unknown"


def apply_forwarded_headers(scope: Scope, headers: HeaderValues, proxies: Proxies) -> None:
    """If a request comes from a named proxy, put the client's address and scheme from its headers into the scope.

    The client is the rightmost address in X-Forwarded-For that is not a named proxy. Each proxy appends an address, so
    the client may have made up all addresses to the left of its own. Text that is not an address ends the search,
    because no trusted proxy has checked the rest. The last X-Forwarded-Proto counts, from the nearest proxy. uvicorn's
    ProxyHeadersMiddleware does not do this: decision 10.
    """
    if not _is_one_of(client_address(scope), proxies):
        return
    for text in reversed(headers.get(b"x-forwarded-for", b"").decode("latin-1").split(",")):
        address = _without_port(text.strip())
        if address is None:
            break
        scope["client"] = (address, 0)
        if not _is_one_of(address, proxies):
            break
    if headers.get(b"x-forwarded-proto", b"").rpartition(b",")[2].strip().lower() == b"https":
        scope["scheme"] = "https"


FAULTS = {
    "address": 'The house has no such address as "{found}": it is a name, such as dice.example.',
    "address-parts": "A house's address is a name alone, with no path, query or user. Write {address}.",
    "proxy": '--proxy is an address, or a block of them such as 10.0.0.0/8, and not "{found}".',
    "data-folder": "There's no folder {folder}: make it first, or check the name.",
}
"""Sentences for mistakes in the house's own settings, by code of BadNotation."""


def read_proxies(texts: Iterable[str]) -> Proxies:
    """Return the proxies named: addresses, or blocks of them such as 10.0.0.0/8. Raises BadNotation."""
    return tuple(map(_network, texts))


def _network(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text.strip(), strict=False)
    except ValueError:
        raise BadNotation("proxy", found=text) from None


ROUTERS = ("local", "lan", "home.arpa", "internal", "home", "localdomain")
"""Endings of the names of machines in home networks. ``local`` (mDNS, RFC 6762), ``home.arpa`` (RFC 8375) and
``internal`` (ICANN, 2024) are reserved. The others are in no public zone, so no attacker can rebind a name under them.
``fritz.box`` is not here: names under ``box`` are sold since 2024, and a stranger had it for a while.
"""


def house_names(addresses: Iterable[str] = (), host: str = "") -> frozenset[str]:
    """Return the names of this machine, of ``host``, and of the house's configured addresses. Raises BadNotation.

    >>> house_names(["https://dice.example:8443/", "pub.example"]) >= {"dice.example", "pub.example"}
    True
    """
    here = socket.gethostname().lower()
    short = here.partition(".")[0]
    names = {here, short, *(f"{short}.{ending}" for ending in ROUTERS if short)}
    names |= {urlsplit(read_address(address)).hostname or "" for address in addresses}
    if host:
        names.add(str(ip_address(host)) if _is_address(host) else host_name(host.encode()) or "")
    return frozenset(names - {""})


def read_address(text: str) -> str:
    """Return a typed address, as a browser takes it: scheme, name in small letters, port.

    Raises BadNotation: "address" if it is none, "address-parts" if it has more parts. The house answers at the root of
    its name alone.

    >>> read_address("Dice.example"), read_address("https://dice.example:8443/"), read_address("[2001:db8::7]")
    ('http://dice.example', 'https://dice.example:8443', 'http://[2001:db8::7]')
    """
    wrong = BadNotation("address", found=text)
    scheme, colon, rest = text.partition("://")
    if not colon:
        scheme, rest = "http", text
    end = next((at for at, char in enumerate(rest) if char in "/\\?#"), len(rest))
    _, user, place = rest[:end].rpartition("@")
    try:
        host = place if place.startswith("[") else place.encode("idna").decode()
    except UnicodeError:
        raise wrong from None
    name, scheme = host_name(host.encode()), scheme.lower()
    _, colon, port = host.rpartition("]")[2].partition(":")
    if (
        name is None
        or scheme not in ("http", "https")
        or not any(char.isalnum() or char == ":" for char in name)
        or (":" in name and not _is_address(name))
        or (name.rpartition(".")[2].isdigit() and not _is_address(name))
        or (colon and not (port and 0 < int(port) <= MOST_PORT))
    ):
        raise wrong
    shown = f"[{ip_address(name)}]" if ":" in name else name
    address = f"{scheme}://{shown}:{int(port)}" if port else f"{scheme}://{shown}"
    if user or rest[end:] not in ("", "/"):
        raise BadNotation("address-parts", address=address)
    return address


def is_allowed_host(host: bytes, names: frozenset[str]) -> bool:
    """Return True if a house of these names answers to a Host header.

    The house also answers to localhost, to loopback addresses, and to the machine's own addresses (``is_own``). Any
    other name may be DNS rebinding. With any other address, links and pictures would lead to another machine.
    """
    name = host_name(host)
    if name is None:
        return False
    if name in names or name == "localhost" or name.endswith(".localhost"):
        return True
    return _is_address(name) and (str(ip_address(name)) in names or is_own(str(ip_address(name))))


def is_own(address: str) -> bool:
    """Return True if an address belongs to this machine, found by an attempt to bind a socket to it. Sends nothing.

    >>> is_own("127.0.0.1"), is_own("192.0.2.1")
    (True, False)
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.bind((address, 0))
        return not ip_address(address).is_unspecified and not ip_address(address).is_multicast
    return False


def host_name(host: bytes) -> str | None:
    """Return the name in a Host header, in small letters, without its port. None if the header has no valid name.

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


def is_same_origin(site: bytes | None, origin: bytes | None, host: bytes, scheme: str = "http") -> bool:
    """Return True if a POST comes from a page of ours, or from no page at all. Any other POST may be CSRF.

    Browsers name the origin in Sec-Fetch-Site and in Origin. Over plain HTTP they send only Origin. Programs send
    neither, and have no cookies that another site could use. An Origin "null" is no page of ours. ``scheme`` is the
    request's: a page of the same name without TLS may be an attacker's.

    >>> is_same_origin(None, b"http://pub:4224", b"pub:4224"), is_same_origin(None, b"http://pub:1", b"pub:4224")
    (True, False)
    >>> is_same_origin(None, b"http://pub", b"pub", "https"), is_same_origin(None, b"https://pub", b"pub:443", "https")
    (False, True)
    """
    if site is not None and site not in (b"same-origin", b"none"):
        return False
    if origin is None:
        return True
    origin_scheme, colon, origin_host = origin.lower().partition(b"://")
    usual_port = {b"http": b":80", b"https": b":443"}.get(origin_scheme)
    if usual_port is None or not colon or origin_scheme.decode("ascii") != scheme:
        return False
    return origin_host.removesuffix(usual_port) == host.lower().removesuffix(usual_port)


def _without_port(text: str) -> str | None:
    """Return the address in a proxy's text: plain, ``192.0.2.7:1234``, ``[2001:db8::1]`` or ``[2001:db8::1]:1234``."""
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
    return text in ("", ":") or (text[0] == ":" and whole_number(text[1:], 5) is not None)


def _is_one_of(address: str, proxies: Proxies) -> bool:
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if found.version == 6 and found.ipv4_mapped:  # an IPv4 peer at a dual-stack socket (``--host ::``)
        found = found.ipv4_mapped
    return any(found in block for block in proxies if block.version == found.version)
