"""A secret of 32 random bytes in the database, shared by all processes of a house."""

from collections.abc import Callable
from contextlib import closing

import psycopg

from pubdice.core.errors import NotStored
from pubdice.store.secret_file import SIZE
from pubdice_cluster.connecting import connect, without_password
from pubdice_cluster.schema import migrate

KEY_OF_SEALS = "seals"


def read_shared_secret(address: str, source: Callable[[int], bytes], name: str = KEY_OF_SEALS) -> bytes:
    """Read the secret of this name. If there is none yet, make it. If several houses make it at once, the first one
    counts.

    ``source`` returns a given number of random bytes. ``pg_dump --exclude-table-data=secrets`` leaves the secret out of
    a dump, and ``pg_dump --data-only --table=secrets`` saves it alone. A copy of the server's files includes it. After
    a restore without the secret, the next house makes another one, and unfinished sealed matches are void. Raises
    NotStored("secret-file"), or as ``migrate`` does.
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
