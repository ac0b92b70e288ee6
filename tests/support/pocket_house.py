"""``pubdice`` as a pocket house, run as a process by ``house_process``: its pages, without a browser's Python."""

import sys
from functools import partial

from pubdice.cli import main
from pubdice.server import cli
from pubdice.server.app import HttpConfig

if __name__ == "__main__":
    assert vars(cli)["HttpConfig"] is HttpConfig, "there is nothing to replace"
    vars(cli)["HttpConfig"] = partial(HttpConfig, pocket=True)
    sys.exit(main())
