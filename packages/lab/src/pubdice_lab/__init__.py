"""The laboratory: simulation, arenas, environments for learners, pictures, and the article with its numbers."""
