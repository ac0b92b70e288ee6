"""Matches of games in which every seat has one turn a round and the best score wins, solved. Knows no such game."""
