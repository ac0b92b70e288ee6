"""Rounds that end, solved by arrays: every state of a round as a graph, and backward induction over it."""
