"""What a house loads before anybody asks it anything."""

import subprocess
import sys

HEAVY = ("numpy", "numba", "scipy")


def test_the_houses_own_process_does_without_what_only_solvers_need() -> None:
    """Solvers have processes of their own; numpy here would cost each house 14 MB and 0.15 s at its start."""
    told = f"import sys, pubdice.server.cli; print(*[name for name in {HEAVY} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []
