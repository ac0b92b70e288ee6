"""Rounds that end, solved with arrays: a graph of all states of a round, and backward induction over it."""
