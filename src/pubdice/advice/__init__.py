"""Applications of a solved game: coach, review, receipt, bots, card. Works for any game."""
