"""The house's rating of skill against Glicko-2, on leagues of players whose skill is known."""
