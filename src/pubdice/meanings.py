"""What formats, openers and bots mean, in a line each, by their names in notation. Knows no rules and no game.

English sentences, to be said through ``words.Language`` by whoever offers a choice of them.
"""

FORMATS = {
    "rounds": "best score wins the round (ties share it); most rounds wins",
    "pot": "everyone antes up each round; best score takes the pot, and on a tie it stays in",
    "race": "one round decides",
    "drinks": "the winner of each round drops out; the last one left buys the drinks",
}
"""What each kind of format means."""
OPENERS = {
    "rotate": "the next player to the left",
    "fixed": "always the same player",
    "winner": "the winner of the last round",
    "loser": "the lowest score of the last round",
}
"""Who opens the next round, by opener."""
BOTS = {
    "tip": "follows the tips printed with the rules",
    "lucky": "picks at random",
    "steady": "goes for the best average",
    "cautious": "plays it safe",
    "bold": "takes risks",
    "perfect": "plays perfectly",
}
"""What bots do, by policy; a game may have others."""
