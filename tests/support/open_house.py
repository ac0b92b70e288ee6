"""``pubdice`` without rate limits, run as a process by ``house_process``."""

import sys
from functools import partial

from pubdice.cli import main
from pubdice.server import cli
from pubdice.server.app import HttpConfig
from pubdice.server.pages import health
from pubdice.server.web.limits import Limits, Rate

ANY = Rate(1e6, 10**6)

if __name__ == "__main__":
    limits = Limits(ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, streams=10**6, work=ANY)
    assert vars(cli)["HttpConfig"] is HttpConfig, "there is nothing to replace"
    vars(cli)["HttpConfig"] = partial(HttpConfig, limits=limits)
    if "--store" not in sys.argv:  # else a test may cut off the database, and the health check has to say so soon
        health.WITHIN_S = 60.0
    sys.exit(main())
