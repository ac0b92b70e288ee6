"""Solvers that know only the rules object and no particular game. Each file has one algorithm."""
