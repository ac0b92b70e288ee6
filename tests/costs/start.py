"""The library imported, and ``pubdice --help``, each in a fresh process."""

import subprocess
import sys
from dataclasses import replace
from importlib.metadata import distributions

from costs.measured import Cost, read

LOADED = """
import io, sys
shown, sys.argv, sys.stdout = sys.stdout, ["pubdice", *{words!r}], io.StringIO()
before = set(sys.modules)
if True:
    {code}
print(*sorted(set(sys.modules) - before), file=shown)
"""
COUNTED = """
import io, sys
from costs.counting import counted_calls
from costs.measured import cost_of, written

shown, sys.argv, sys.stdout = sys.stdout, ["pubdice", *{words!r}], io.StringIO()
with counted_calls() as calls:
    {code}
sent = len(sys.stdout.getvalue())
shown.write(written({{"": cost_of(calls, bytes_sent=sent)}}))
"""
COMMANDS = ("play", "serve")
"""A command of the terminal and one of a house: the others load what these do."""
IMPORT = "import pubdice"
LOOKS = [
    f"games.installed.is_any_installed to {called}"
    for called in ("io.open", "_io.BufferedReader.read", "_io.BufferedReader.__exit__")
]
"""A start looks into each installed distribution for games: no file of Python's lists the entry points of all."""
HELP = """try:
        from pubdice.cli import main
        main()
    except SystemExit:
        pass"""


def run(code: str) -> str:
    """Run some code; return what it prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def cost_of_start(code: str, *words: str) -> Cost:
    """The cost of some code, which finds these words behind the command. Modules are counted in another process, which
    has loaded none to count calls with.
    """
    cost, loaded = (run(each.format(code=code, words=words)) for each in (COUNTED, LOADED))
    found, names = read(cost)[""], loaded.split()
    return for_one_distribution(replace(found, numbers={**found.numbers, "loaded": len(names)}))


def for_one_distribution(cost: Cost) -> Cost:
    """A start where one distribution is installed: its cost is no other where a tool of ours is installed beside it."""
    many = len(list(distributions()))
    of_one = {look: -(-cost.functions[look] // many) for look in LOOKS if look in cost.functions}
    less = {look: cost.functions[look] - number for look, number in of_one.items()}
    numbers = {**cost.numbers, "compiled_calls": cost.numbers["compiled_calls"] - sum(less.values())}
    numbers["waits"] -= less.get(LOOKS[0], 0)
    return replace(cost, numbers=numbers, functions={**cost.functions, **of_one})


def measure() -> dict[str, Cost]:
    """The library, and each command that says how it is used."""
    words = [("--help",), *[(command, "--help") for command in COMMANDS]]
    return {
        "import pubdice": cost_of_start(IMPORT),
        **{" ".join(["pubdice", *each]): cost_of_start(HELP, *each) for each in words},
    }
