"""Solvers for one and two seats that work without numpy, for browsers. They give the same values as the solvers with
numpy.
"""
