"""What a solved game is good for: a coach, a review, bots, claims checked, a card. Knows no game by name."""
