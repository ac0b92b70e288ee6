"""Tools for the author of a game: ``new-game`` writes a first package to start from, and ``game check`` tries the game
by all tests ("laws") that every game must pass.
"""
