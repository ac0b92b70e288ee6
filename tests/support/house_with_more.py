"""``pubdice`` with the games of the tests beside its own, run as a process by ``house_process``.

Its workers, which are new interpreters, import this file again, so they know these games too.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from support.paths import LAWS

sys.path.insert(0, str(LAWS))
from play import MORE
from pubdice.cli import main
from pubdice.games import GAMES

if __name__ in ("__main__", "__mp_main__"):  # not where doctests are looked for: tests would share the longer list
    GAMES.update(MORE)

if __name__ == "__main__":
    sys.exit(main())
