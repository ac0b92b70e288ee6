"""The uses of a solved game: a coach, a review, bots, a card. Knows no game by name."""
