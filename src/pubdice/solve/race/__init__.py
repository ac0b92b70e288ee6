"""Rounds that need not end: seats in turn, each with a hand of its own, until the first of them wins."""
