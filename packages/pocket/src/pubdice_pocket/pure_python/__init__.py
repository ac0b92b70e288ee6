"""Matches of one and two seats without numpy, as in a browser: the same values as the solvers with it, on lists."""
