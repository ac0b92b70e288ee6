"""Solvers that know only the rules object and no particular game."""
