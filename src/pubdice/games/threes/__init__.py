"""Threes, also Tripps."""
