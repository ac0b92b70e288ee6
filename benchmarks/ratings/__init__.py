"""Compares the house's rating of skill with Glicko-2, on leagues of players of known skill."""
