"""A long evening at a real house: a hundred tables that play match after match, and memory that does not grow."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECONDS = 300


@pytest.mark.nightly
def test_a_house_that_plays_match_after_match_does_not_grow() -> None:
    soak = [sys.executable, "-m", "benchmarks.house", "soak", "--tables", "100", "--every", "20"]
    run = subprocess.run([*soak, "--seconds", str(SECONDS)], check=False, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, f"{run.stdout}\n{run.stderr}"
