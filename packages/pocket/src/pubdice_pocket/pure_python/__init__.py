"""Solvers of one and two seats without numpy, for browsers. They give the same values as the solvers with numpy."""
