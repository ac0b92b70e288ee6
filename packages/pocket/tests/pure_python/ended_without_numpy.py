"""Run the program ``solve/ended_between.py`` with the pocket's solvers, which need no numpy."""

import sys

import pubdice_pocket.pure_python
from pubdice.solve.without_numpy import bring
from pubdice_pocket.solvers import solvers
from solve import ended_between

if __name__ == "__main__":
    sys.modules["numpy"] = None  # type: ignore[assignment]  # so an import of numpy fails
    bring(solvers())
    ended_between.SOLVING.append(pubdice_pocket.pure_python)
    ended_between.main(*sys.argv[1:])
