"""A doctor for a house and its network: it says faults in sentences. It looks, and changes nothing."""

import errno
import socket
import ssl
from collections.abc import Iterable, Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TextIO
from urllib.parse import urlsplit

from pubdice.server.banner import address_of, is_loopback, lan_address
from pubdice.server.findings import OLDEST_MS, WITHIN_S, Finding, Patient, Urgency, minute
from pubdice.server.house_place import HousePlace
from pubdice.server.serve import listen, why_not
from pubdice.text.language import Language

LEAST_DAYS = 14
"""The days for which a certificate should still be valid. A proxy renews it 30 days before its end."""


def examine(place: HousePlace, house: Patient) -> Iterator[Finding]:
    """Yield all findings about a house, in the order in which to mend them."""
    yield from place.examine(house)
    if house.now_ms < OLDEST_MS:
        said = "The clock says {now}. It is not set: sudo timedatectl set-ntp true"
        yield Finding(Urgency.WRONG, house.language.say(said, now=minute(house.now_ms)))
    port, is_open = _port(house)
    yield port
    if port.urgency is not Urgency.WRONG:
        yield from _network(house, is_open=is_open)
    if house.address:
        yield _address(house)


def tell(findings: Iterable[Finding], language: Language, out: TextIO) -> int:
    """Print the findings, a sentence a line. Return the exit status, 1 if anything is wrong."""
    wrong = 0
    for each in findings:
        wrong += each.urgency is Urgency.WRONG
        if each.urgency is Urgency.FINE:
            line = language.say("Fine: {said}", said=each.said)
        elif each.urgency is Urgency.LOOK:
            line = language.say("Look: {said}", said=each.said)
        else:
            line = language.say("Wrong: {said}", said=each.said)
        out.write(f"{line}\n")
        out.flush()
    if wrong:
        out.write(language.count("{number} thing is wrong.", "{number} things are wrong.", wrong) + "\n")
    else:
        out.write(language.say("Nothing is wrong.") + "\n")
    return int(wrong > 0)


def _port(house: Patient) -> tuple[Finding, bool]:
    """Return the finding about the port, and True if a house is open at it."""
    say, port = house.language.say, house.port
    try:
        listen(house.host, port).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE and _is_a_house(house.host, port):
            return Finding(Urgency.FINE, say("A house is open at port {port} already.", port=port)), True
        return Finding(Urgency.WRONG, why_not(house.language, error, house.host, port)), False
    return Finding(Urgency.FINE, say("Port {port} is free.", port=port)), False


def _is_a_house(host: str, port: int) -> bool:
    try:
        with closing(HTTPConnection(_from_here(host), port, timeout=WITHIN_S)) as asked:
            asked.request("GET", "/healthz", headers={"Host": "localhost"})
            return asked.getresponse().read(100) == b"well\n"
    except (OSError, HTTPException):
        return False


def _from_here(host: str) -> str:
    """Return the address at which this machine reaches a house bound to ``host``."""
    return "127.0.0.1" if host in ("", "0.0.0.0") else "::1" if host == "::" else host  # noqa: S104 - compared


def _network(house: Patient, *, is_open: bool) -> Iterator[Finding]:
    """Return the findings about access to the house.

    ``is_open`` is True if a house is open at the port. It may be bound to another host than ``house.host``.
    """
    say, port, host, network = house.language.say, house.port, house.host, lan_address()
    phones = address_of(host, port)
    if is_open and network is not None and not _is_a_house(urlsplit(phones).hostname or "", port):
        host = _from_here(host)
    if is_loopback(host):
        if not house.address:
            said = say(
                "Only this machine can reach a house at {host}. To let phones in: {command}",
                host=host,
                command="pubdice serve --host 0.0.0.0",
            )
            yield Finding(Urgency.LOOK, said)
        return
    if network is None:
        said = say("This machine is in no network, so no phone can reach it.")
        yield Finding(Urgency.WRONG, said)
        return
    said = say("Phones in the same network type {address}", address=phones)
    yield Finding(Urgency.FINE, said)
    for name, command in _firewalls(house.root, port):
        said = say("A firewall is on: {name}. If phones can't get in: {command}", name=name, command=command)
        yield Finding(Urgency.LOOK, said)


def _firewalls(root: Path, port: int) -> Iterator[tuple[str, str]]:
    """Yield the active firewalls that any user can see, each with the command that opens the port."""
    ufw = root / "etc/ufw/ufw.conf"
    try:
        if "ENABLED=yes" in ufw.read_text("utf-8").split():
            yield "ufw", f"sudo ufw allow {port}/tcp"
    except OSError:
        pass
    if (root / "run/firewalld").exists():
        yield "firewalld", f"sudo firewall-cmd --permanent --add-port={port}/tcp && sudo firewall-cmd --reload"


def _address(house: Patient) -> Finding:
    say, parts = house.language.say, urlsplit(house.address)
    if parts.scheme != "https":
        said = say(
            "{address} has no TLS: fine in your own network, not on the internet. "
            'See "A house for your club" in the documents.',
            address=house.address,
        )
        return Finding(Urgency.LOOK, said)
    name = parts.hostname or ""
    try:
        with (
            socket.create_connection((name, parts.port or 443), WITHIN_S) as plain_socket,
            ssl.create_default_context().wrap_socket(plain_socket, server_hostname=name) as secured,
        ):
            ends = ssl.cert_time_to_seconds(str((secured.getpeercert() or {})["notAfter"]))
    except socket.gaierror:
        return Finding(Urgency.WRONG, say("The name {name} leads nowhere. Has its DNS record been set?", name=name))
    except ssl.SSLCertVerificationError as error:
        said = say("Browsers will refuse the certificate of {name}: {reason}.", name=name, reason=error.verify_message)
        return Finding(Urgency.WRONG, said)
    except OSError:
        said = say(
            "{address} does not answer. Does the proxy run, and are ports 80 and 443 open?", address=house.address
        )
        return Finding(Urgency.WRONG, said)
    days = int((ends * 1000 - house.now_ms) // 86_400_000)
    one, many = (
        "The certificate of {name} is good for {number} day.",
        "The certificate of {name} is good for {number} days.",
    )
    said = house.language.count(one, many, days, name=name)
    return Finding(Urgency.FINE if days >= LEAST_DAYS else Urgency.LOOK, said)
