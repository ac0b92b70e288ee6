"""Solvers for rounds that need not end: seats take turns, each with its own hand, until the first seat wins."""
