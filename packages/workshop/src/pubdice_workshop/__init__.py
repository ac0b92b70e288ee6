"""Tools for the author of a game: a first package to start from, and a check of the game by every law of the house."""
