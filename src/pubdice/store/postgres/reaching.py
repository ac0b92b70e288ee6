"""Whether a database can be used, and if not, why: told apart so that each cause has a sentence of its own.

The server says why it lets nobody in only in words, so those are looked for; where it speaks another language the
cause is "store-unreachable", with its words.
"""

import re
from contextlib import closing

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import DiskFull, InsufficientPrivilege, LockNotAvailable

from pubdice.core.errors import NotStored
from pubdice.core.whole_number import whole_number
from pubdice.store.postgres.schema import check_known, connect, shown, versions

MOST_PORT = 65_535
REFUSALS = {
    "no-such-host": re.compile("failed to resolve host|could not translate host name"),
    "no-database": re.compile('database ".*" does not exist'),
    "wrong-password": re.compile('password authentication failed|no password supplied|role ".*" does not exist'),
    "no-rights": re.compile("permission denied"),
}
"""Why nobody is let in, and the words of the server or the driver by which it is known."""
RELATIONS = (
    "SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm')"
    " AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e') LIMIT 1"
)
"""Tables and views of anybody's; those that belong to an extension do not count."""


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
    return shown(address)


def reach(address: str, *, to_serve: bool = False) -> int:
    """The version of the house in a database, 0 if the database is empty.

    to_serve: take a newer version too, if it lets this one serve.

    NotStored("no-such-host"), ("wrong-password"), ("no-database"), ("no-rights"), ("store-unreachable"),
    ("store-newer"), ("store-foreign") if the database is another program's.
    """
    try:
        with closing(connect(address)) as db:
            found, needs = versions(db)
            check_known(address, needs if to_serve else found)
            return found or _check_empty(db, address)
    except psycopg.Error as error:
        raise why(address, error, "store-unreadable") from None


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
    return NotStored(code, reason=reason, folder=shown(address), file=shown(address))


def _check_empty(db: psycopg.Connection, address: str) -> int:
    """Refuse a database where no house can be made: another program's, or one where this user may make no tables.

    The version, as another process may have made the house meanwhile.
    """
    if db.execute(RELATIONS).fetchall():
        if made := versions(db)[0]:
            return made
        raise NotStored("store-foreign", file=shown(address))
    if db.execute("SELECT has_schema_privilege(current_schema(), 'CREATE')").fetchall() != [(True,)]:
        raise NotStored("no-rights", file=shown(address))
    return 0


def _without_password(address: str, text: str) -> str:
    password = conninfo_to_dict(address).get("password")
    return text.replace(str(password), "…") if password else text
