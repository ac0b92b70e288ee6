"""A secret that all processes of a house share, in its database: 32 random bytes."""

from collections.abc import Callable
from contextlib import closing

import psycopg

from pubdice.core.errors import NotStored
from pubdice.store.secret_file import SIZE
from pubdice_cluster.connecting import connect, without_password
from pubdice_cluster.schema import migrate

KEY_OF_SEALS = "seals"


def read_shared_secret(address: str, source: Callable[[int], bytes], name: str = KEY_OF_SEALS) -> bytes:
    """The secret of a name; if there is none, the first of several houses makes it. source: returns that many random
    bytes.

    ``pg_dump --exclude-table-data=secrets`` leaves it out of a dump, ``pg_dump --data-only --table=secrets`` saves it
    alone, and a copy of the server's files holds it. After a restore without it, the next house makes another, and
    sealed matches that were under way are void. Raises NotStored("secret-file"), and as ``migrate`` does.
    """
    migrate(address)
    try:
        with closing(connect(address)) as db:
            db.execute("INSERT INTO secrets (name, value) VALUES (%s, %s) ON CONFLICT DO NOTHING", (name, source(SIZE)))
            secret = bytes(db.execute("SELECT value FROM secrets WHERE name = %s", (name,)).fetchall()[0][0])
    except psycopg.Error as error:
        reason = str(error).strip().partition("\n")[0]
        raise NotStored("secret-file", file=without_password(address), reason=reason) from None
    if len(secret) != SIZE:
        raise NotStored("secret-file", file=without_password(address), reason="")
    return secret
