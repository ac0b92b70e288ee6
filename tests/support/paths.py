"""Where the tests and the laws lie: modules of each import some of the other, as pytest finds them in both."""

import os
from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
LAWS = ROOT / "packages/workshop/src/pubdice_workshop/laws"
PATHS = f"{TESTS}{os.pathsep}{LAWS}"
"""For the PYTHONPATH of another process."""
