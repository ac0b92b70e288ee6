"""The laboratory: simulation, arenas, environments for learners, pictures, and an article with its numbers."""
