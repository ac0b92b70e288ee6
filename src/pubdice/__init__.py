"""Pub dice games: Midnight and 420."""
