"""Connections to a database, and the refusal code of each connection error.

PostgreSQL gives the reason for a refused connection only as text, so ``REFUSALS`` searches that text. If the server
speaks another language, the code is "store-unreachable", with the server's text.
"""

import re
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import DiskFull, InsufficientPrivilege, LockNotAvailable

from pubdice.core.dice import whole_number
from pubdice.core.errors import NotStored

WAITS = "-c lock_timeout=3s -c idle_in_transaction_session_timeout=2s -c default_transaction_isolation=read\\ committed"
"""Settings of every session.

A wait for a lock ends after 3 s: only a schema change holds a lock that long. If a house freezes within a transaction,
the server ends the transaction after 2 s, so the other houses need not wait longer. There is no statement_timeout,
because it would end the wait for a synchronous replica and report success. The isolation level is read committed,
because another level could read data from before a lock was taken."""
ALIVE = {"keepalives_idle": 2, "keepalives_interval": 1, "keepalives_count": 2, "tcp_user_timeout": 3_000}
"""TCP settings that detect an unreachable server after 3 to 4 s. This leaves time to write a group of moves again."""


def without_password(address: str) -> str:
    """Return a database address without its password, so it can be shown.

    >>> without_password("postgresql://house:secret@db:5433/pub?sslmode=require")
    'postgresql://db:5433/pub'
    >>> without_password("postgresql://house:se/cret@db/pub")
    'postgresql://db/pub'
    """
    scheme, _, rest = address.partition("://")
    found = conninfo_to_dict(f"{scheme}://{rest.rpartition('@')[2]}" if rest else address)
    host, port = found.get("host") or "localhost", found.get("port")
    return f"postgresql://{host}{f':{port}' if port else ''}/{found.get('dbname') or found.get('user') or ''}"


SERVES = "pubdice"
"""The application name of a house's connections. Before ``move-house`` copies a house, it looks for this name, to find
out if the house is being served."""


def settings(address: str, name: str = SERVES) -> dict[str, Any]:
    """Return psycopg's connection settings, with autocommit."""
    options = f"{conninfo_to_dict(address).get('options') or ''} {WAITS}".strip()
    return {"autocommit": True, "connect_timeout": 3, "application_name": name, "options": options, **ALIVE}


TO_WRITE = {"target_session_attrs": "read-write"}
"""The setting of a connection that writes. If the address names several servers, the driver picks the server that
takes writes."""


def connect(address: str, name: str = SERVES, *, to_write: bool = True) -> psycopg.Connection:
    """Connect to a database. If ``to_write``, accept only a server that takes writes. Raises psycopg.Error."""
    return psycopg.connect(address, **{**settings(address, name), **(TO_WRITE if to_write else {})})


def not_stored(code: str, address: str, error: Exception) -> NotStored:
    """Return a NotStored with the first line of the server's message, and the address without its password."""
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    return NotStored(code, reason=reason, folder=without_password(address), file=without_password(address))


MOST_PORT = 65_535
REFUSALS = {
    "no-such-host": re.compile("failed to resolve host|could not translate host name"),
    "no-database": re.compile('database ".*" does not exist'),
    "wrong-password": re.compile('password authentication failed|no password supplied|role ".*" does not exist'),
    "no-rights": re.compile("permission denied"),
}
"""Patterns for the message of the server or the driver, by the refusal code of each cause."""


def check_address(address: str) -> str:
    """Check an address and return it without its password. Raises NotStored("bad-address").

    The error names no part of the address, since any part may hold a piece of the password. If a password contains @ or
    /, the parser ends the password there, and takes the rest for the host, the port or the name.
    """
    try:
        found = conninfo_to_dict(address)
    except psycopg.Error:
        raise NotStored("bad-address") from None
    ports = [part for part in str(found.get("port") or "").split(",") if part]
    sound = all((number := whole_number(port)) is not None and 0 < number <= MOST_PORT for port in ports)
    if not sound or any("@" in str(found.get(name) or "") for name in ("host", "dbname")):
        raise NotStored("bad-address")
    return without_password(address)


def why(address: str, error: psycopg.Error, otherwise: str) -> NotStored:
    """Return the NotStored for a database error. If the error is none of the known kinds, the code is ``otherwise``."""
    said = str(error).strip()
    code = otherwise
    if isinstance(error, DiskFull):
        code = "database-full"
    elif isinstance(error, InsufficientPrivilege):
        code = "no-rights"
    elif isinstance(error, LockNotAvailable):
        code = "store-in-use"
    elif isinstance(error, psycopg.OperationalError) and error.sqlstate is None:
        code = next((code for code, words in REFUSALS.items() if words.search(said)), "store-unreachable")
    reason = _without_password(address, said.partition("\n")[0] or type(error).__name__)
    return NotStored(code, reason=reason, folder=without_password(address), file=without_password(address))


def _without_password(address: str, text: str) -> str:
    password = conninfo_to_dict(address).get("password")
    return text.replace(str(password), "…") if password else text
