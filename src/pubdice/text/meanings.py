"""What openers and bots mean, in a line each, by their names in notation. Knows no rules and no game.

These are English keys: the module that offers the choice says them through ``language.Language``.
"""

OPENERS = {
    "rotate": "the next player to the left",
    "fixed": "always the same player",
    "winner": "the winner of the last round",
    "loser": "the worst score of the last round",
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
