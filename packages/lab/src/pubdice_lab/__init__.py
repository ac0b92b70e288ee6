"""The laboratory: simulation, arenas for bots, environments for learning programs, pictures, and an article with its
numbers.
"""
