"""Connects to a database, and maps connection errors to one refusal code each.

The server says why it lets nobody in only in words, so those are looked for. Where it speaks another language the cause
is "store-unreachable", with its words.
"""

import re
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import DiskFull, InsufficientPrivilege, LockNotAvailable

from pubdice.core.dice import whole_number
from pubdice.core.errors import NotStored

WAITS = "-c lock_timeout=3s -c idle_in_transaction_session_timeout=2s -c default_transaction_isolation=read\\ committed"
"""Nobody holds a lock so long, but while a schema changes. A house that is frozen within a transaction loses it, so
the others need not wait. There is no statement_timeout: it would end the wait for a synchronous replica with a
success. At another isolation level what is read after a lock could be from before it.
"""
ALIVE = {"keepalives_idle": 2, "keepalives_interval": 1, "keepalives_count": 2, "tcp_user_timeout": 3_000}
"""A server that cannot be reached any more is noticed after 3 to 4 s: soon enough for a group to be written again."""


def without_password(address: str) -> str:
    """An address as people may see it, without its password.

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
"""The name of a house's connections, by which copies find a house that serves."""


def settings(address: str, name: str = SERVES) -> dict[str, Any]:
    """The settings of each connection; its statements are their own transactions."""
    options = f"{conninfo_to_dict(address).get('options') or ''} {WAITS}".strip()
    return {"autocommit": True, "connect_timeout": 3, "application_name": name, "options": options, **ALIVE}


TO_WRITE = {"target_session_attrs": "read-write"}
"""The setting of a connection that writes: of several servers, the one that takes writes."""


def connect(address: str, name: str = SERVES, *, to_write: bool = True) -> psycopg.Connection:
    """A connection. to_write: only to a server that takes writes, whatever the address says. Raises psycopg.Error."""
    return psycopg.connect(address, **{**settings(address, name), **(TO_WRITE if to_write else {})})


def not_stored(code: str, address: str, error: Exception) -> NotStored:
    """A NotStored with the server's reason, in one line, and the database."""
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    return NotStored(code, reason=reason, folder=without_password(address), file=without_password(address))


MOST_PORT = 65_535
REFUSALS = {
    "no-such-host": re.compile("failed to resolve host|could not translate host name"),
    "no-database": re.compile('database ".*" does not exist'),
    "wrong-password": re.compile('password authentication failed|no password supplied|role ".*" does not exist'),
    "no-rights": re.compile("permission denied"),
}
"""Why nobody is let in, and the words of the server or the driver by which it is known."""


def check_address(address: str) -> str:
    """An address as people may see it. NotStored("bad-address"), without a word of it, as a password stands in it.

    A password with an @ or a / in it ends there, and its rest is taken for the host, the port or the name.
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
    """Why a database did not do what it was asked to. otherwise: the code if none is known for it."""
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
