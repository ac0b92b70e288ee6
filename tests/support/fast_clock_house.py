"""``pubdice`` without rate limits, on a machine whose clock is an hour ahead."""

import runpy
import time
from pathlib import Path

HOUR_NS = 3_600_000_000_000
_real = time.time_ns

if __name__ == "__main__":
    time.time_ns = lambda: _real() + HOUR_NS
    runpy.run_path(str(Path(__file__).with_name("open_house.py")), run_name="__main__")
