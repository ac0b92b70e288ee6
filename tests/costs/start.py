"""The library imported, and ``pubdice --help``, each in a fresh process."""

import os
import subprocess
import sys

from costs.measured import Cost, read

LOADED = """
import io, sys
shown, sys.argv, sys.stdout = sys.stdout, ["pubdice", "--help"], io.StringIO()
before = set(sys.modules)
if True:
    {}
print(len(set(sys.modules) - before), file=shown)
"""
COUNTED = """
import io, sys
from costs.counting import counted_calls
from costs.measured import cost_of, written

shown, sys.argv, sys.stdout = sys.stdout, ["pubdice", "--help"], io.StringIO()
with counted_calls() as calls:
    {}
sent = len(sys.stdout.getvalue())
shown.write(written({{"": cost_of(calls, bytes_sent=sent)}}))
"""
IMPORT = "import pubdice"
HELP = """try:
        from pubdice.cli import main
        main()
    except SystemExit:
        pass"""


def run(code: str) -> str:
    """Run some code; return what it prints."""
    environ = {**os.environ, "COLUMNS": "80"}
    return subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True).stdout


def cost_of_start(code: str) -> Cost:
    """The cost of some code. Modules are counted in another process, which has loaded none to count calls with."""
    cost = read(run(COUNTED.format(code)))[""]
    return Cost({**cost.numbers, "loaded": int(run(LOADED.format(code)))}, cost.functions, cost.callees, cost.callers)


def measure() -> dict[str, Cost]:
    """Both."""
    return {"import pubdice": cost_of_start(IMPORT), "pubdice --help": cost_of_start(HELP)}
