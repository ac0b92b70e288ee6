"""``pubdice`` without rate limits, which tries the database's other servers only at the start and when in doubt."""

import runpy
from pathlib import Path

from pubdice_cluster import replication

if __name__ == "__main__":
    replication.ALL_EVERY = 10**9
    runpy.run_path(str(Path(__file__).parents[4] / "tests/support/open_house.py"), run_name="__main__")
