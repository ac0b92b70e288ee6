"""A doctor for a house and its network: it says faults in sentences. It looks, and changes nothing."""

import errno
import shutil
import socket
import sqlite3
import ssl
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, auto
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TextIO
from urllib.parse import urlsplit

from pubdice.core.errors import NotStored
from pubdice.server.banner import address_of, is_loopback, lan_address
from pubdice.server.serve import listen, why_not
from pubdice.store.disk import network_file_system
from pubdice.store.sqlite.schema import VERSIONS, connection, not_stored, plain, version
from pubdice.text.language import Language
from pubdice_cluster.copying import DatabaseAddress, HousePlace, open_reader

MB = 1_000_000
LEAST_FREE = 50 * MB
"""Bytes on the disk below which a house will soon save no move."""
WITHIN_S = 5.0
"""The time that somebody who is asked has to answer."""
LEAST_DAYS = 14
"""Days that a certificate should still be good for: a proxy renews it 30 days before its end."""
AHEAD_MS = 120_000
"""A table that is newer than now by more than this was stored under another clock."""
OLDEST_MS = 1_767_225_600_000
"""The first of January 2026: a clock that shows less was never set."""


class Urgency(Enum):
    """The urgency of what the doctor found."""

    FINE = auto()
    LOOK = auto()
    WRONG = auto()


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence of the doctor's."""

    urgency: Urgency
    said: str


@dataclass(frozen=True, slots=True)
class Patient:
    """The house to look at. home: the platform's folder, which a house makes; address: the one people type
    (``trusted_hosts.read_address``), or "".

    trouble: the sentence for an error of the store. root: of the system's files. least_free: bytes on the disk.
    """

    place: HousePlace
    host: str
    port: int
    address: str
    home: Path | None
    now_ms: int
    language: Language
    trouble: Callable[[NotStored], str]
    root: Path = Path("/")
    least_free: int = LEAST_FREE


def examine(house: Patient) -> Iterator[Finding]:
    """All that there is to say about a house, in the order in which one would mend it."""
    newest = 0
    if isinstance(house.place, Path):
        folder = house.place.parent
        yield from _folder(house, folder)
        if folder.is_dir() or folder == house.home:
            told, newest = _tables(house, house.place)
            yield told
    else:
        yield from _database(house.place, house)
    yield from _clock(house, newest)
    port, is_open = _port(house)
    yield port
    if port.urgency is not Urgency.WRONG:
        yield from _network(house, is_open=is_open)
    if house.address:
        yield _address(house)


def tell(findings: Iterable[Finding], language: Language, out: TextIO) -> int:
    """Print what was found, a sentence a line; the exit status, 1 if anything is wrong."""
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


def _folder(house: Patient, folder: Path) -> Iterator[Finding]:
    say = house.language.say
    if not folder.is_dir():
        if folder != house.home:
            said = say("There's no folder {folder}: make it first, or check the name.", folder=folder)
            yield Finding(Urgency.WRONG, said)
        return
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        said = say("Nobody can save in {folder} ({reason}).", folder=folder, reason=error.strerror or error)
        if error.errno in (errno.EACCES, errno.EPERM):
            said = say("You may not write in {folder}. Is it another user's?", folder=folder)
        yield Finding(Urgency.WRONG, said)
        return
    if said := over_network(house.language, folder, house.root):
        yield Finding(Urgency.WRONG, said)
    free = shutil.disk_usage(folder).free
    if free < house.least_free:
        said = say("Only {free} MB are left on the disk of {folder}. Make room.", free=free // MB, folder=folder)
        yield Finding(Urgency.WRONG, said)
    else:
        said = say("{folder} can be written, with {free} MB to spare.", free=free // MB, folder=folder)
        yield Finding(Urgency.FINE, said)


def over_network(language: Language, folder: Path, root: Path = Path("/")) -> str:
    """Why a folder of tables should lie elsewhere; "" where it is on a local disk, as far as the system says."""
    kind = network_file_system(folder, root)
    if not kind:
        return ""
    return language.say(
        "{folder} is on a network file system ({kind}), where SQLite loses data. Move it to a local disk, or use "
        "PostgreSQL.",
        folder=folder,
        kind=kind,
    )


def _tables(house: Patient, file: Path) -> tuple[Finding, int]:
    """The finding about the file, and the time in ms at which the newest table was stored."""
    say = house.language.say
    if not file.exists():
        return Finding(Urgency.FINE, say("There are no tables yet. The house that opens makes {file}.", file=file)), 0
    try:
        with closing(connection(file, plain, WITHIN_S, writes=False)) as db:
            found = version(db, file)
            number, newest = db.execute("SELECT count(*), max(updated) FROM tables").fetchone() if found else (0, 0)
    except NotStored as error:
        return Finding(Urgency.WRONG, house.trouble(error)), 0
    except sqlite3.Error as error:
        return Finding(Urgency.WRONG, house.trouble(not_stored("store-unreadable", file, error))), 0
    if not found:
        return Finding(Urgency.LOOK, say("{file} is empty. The house that opens makes its tables in it.", file=file)), 0
    if found < len(VERSIONS):
        said = say(
            "An older pubdice wrote {file}. This one brings it up to date as it opens, and the older one can't read it "
            "then: take a backup first.",
            file=file,
        )
        return Finding(Urgency.LOOK, said), newest or 0
    one, many = "{file} can be read, and has {number} table.", "{file} can be read, and has {number} tables."
    return Finding(Urgency.FINE, house.language.count(one, many, number, file=file)), newest or 0


def _database(place: DatabaseAddress, house: Patient) -> Iterator[Finding]:
    say = house.language.say
    try:
        with closing(open_reader(place)):
            pass
    except NotStored as error:
        yield Finding(Urgency.WRONG, house.trouble(error))
        return
    from pubdice_cluster import Primary  # noqa: PLC0415 - the driver is an extra, and there as the database was read

    primary = Primary(place.address)
    if primary.takes_writes():
        yield Finding(Urgency.FINE, say("The database {place} answers.", place=place))
    else:
        said = say(
            "The database {place} answers, but takes no writes: it is a replica or read-only. Name the primary.",
            place=place,
        )
        yield Finding(Urgency.WRONG, said)
    if primary.has_others and not primary.names_it:
        said = say(
            "{place} names several servers. Add {setting}, or backup and check may read a replica that is behind.",
            place=place,
            setting="?target_session_attrs=read-write",
        )
        yield Finding(Urgency.LOOK, said)


def _clock(house: Patient, newest: int) -> Iterator[Finding]:
    now, then = (_minute(ms) for ms in (house.now_ms, newest))
    if house.now_ms < OLDEST_MS:
        said = house.language.say("The clock says {now}, so nobody has set it: sudo timedatectl set-ntp true", now=now)
        yield Finding(Urgency.WRONG, said)
    elif newest > house.now_ms + AHEAD_MS:
        said = house.language.say(
            "The clock says {now}, but the newest table is from {then}. One of the two is wrong.", now=now, then=then
        )
        yield Finding(Urgency.WRONG, said)


def _minute(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def _port(house: Patient) -> tuple[Finding, bool]:
    """The finding about the port, and whether a house is open at it."""
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
    """The address at which this machine itself reaches a house that listens there."""
    return "127.0.0.1" if host in ("", "0.0.0.0") else "::1" if host == "::" else host  # noqa: S104 - compared


def _network(house: Patient, *, is_open: bool) -> Iterator[Finding]:
    """The findings about who can reach the house. is_open: one is open there, perhaps at another host than asked of."""
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
    """The firewalls that are on, as far as everybody may see it, and the command that opens the port."""
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
            "{address} has no TLS: fine in your own network, not on the internet. See docs/club.md.",
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
            "Nobody answers at {address}. Does the proxy run, and are ports 80 and 443 open?", address=house.address
        )
        return Finding(Urgency.WRONG, said)
    days = int((ends * 1000 - house.now_ms) // 86_400_000)
    one, many = (
        "The certificate of {name} is good for {number} day.",
        "The certificate of {name} is good for {number} days.",
    )
    said = house.language.count(one, many, days, name=name)
    return Finding(Urgency.FINE if days >= LEAST_DAYS else Urgency.LOOK, said)
