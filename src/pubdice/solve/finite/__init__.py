"""Solvers for rounds that always end: a graph of all states of a round as arrays, and backward induction over it."""
