"""Measures one group of costs in a process of its own and prints it as JSON: ``python -m costs.measure deeds``.

arguments: for the group, as the address of a database.
"""

import importlib
import sys

from costs.houses import prepare
from costs.measured import written

if __name__ == "__main__":
    prepare()
    group, *arguments = sys.argv[1:]
    sys.stdout.write(written(importlib.import_module(f"costs.{group}").measure(*arguments)))
